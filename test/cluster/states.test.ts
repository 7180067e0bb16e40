/** The state machines of a node: their tables make sense. Tests of nodes show what happens in the states. */
import t from 'tap';
import { forwardTransitions } from '../../src/cluster/forward/forward-state.ts';
import { bodyTransitions } from '../../src/cluster/forward/upload.ts';
import { nodeTransitions } from '../../src/cluster/node/node-state.ts';
import { memberTransitions } from '../../src/cluster/shards/shard-member.ts';
import { checkStateTable } from '../support/state-table.ts';

const machines = {
  node: [nodeTransitions, 'starting', ['stopped']],
  'member of a shard': [memberTransitions, 'idle', ['closed']],
  'forwarded request': [forwardTransitions, 'reading', ['over']],
  'body of an upload': [bodyTransitions, 'unread', ['sent', 'aborted']],
} as const;

for (const [name, [table, first, last]] of Object.entries(machines))
  t.test(`the state machine "${name}" reaches every state, and leaves all but its last ones`, async (t) =>
    checkStateTable<string, string>(t, table, first, last),
  );
