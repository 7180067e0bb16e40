/** All state machines: their tables make sense. Tests of behaviour show which cell has which value. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { forwardTransitions } from '../../src/cluster/forward/forward-state.ts';
import { bodyTransitions } from '../../src/cluster/forward/upload.ts';
import { nodeTransitions } from '../../src/cluster/node/node-state.ts';
import { appendTransitions } from '../../src/cluster/protocol/append.ts';
import { claimTransitions } from '../../src/cluster/protocol/claim.ts';
import { leaseTransitions } from '../../src/cluster/protocol/lease.ts';
import { memberTransitions } from '../../src/cluster/shards/shard-member.ts';
import { subscriberTransitions } from '../../src/engine/feed/subscriber.ts';
import { uploadTransitions } from '../../src/storage/blobs/blob-upload.ts';
import { walTransitions } from '../../src/storage/wal/write/group-commit.ts';
import { largeRecordTransitions } from '../../src/storage/wal/write/large-record-writer.ts';
import { spareTransitions } from '../../src/storage/wal/write/segment-preallocator.ts';
import { saveQueueTransitions } from '../../src/web/console/document/save-queue.ts';
import { popupTransitions } from '../../src/web/console/popup/popup-state.ts';
import { projectRoot } from '../support/project.ts';
import { checkStateTable } from '../support/state-table.ts';

/** The table, its first state, and its last ones, by the name of its constant without "Transitions". */
const machines = {
  append: [appendTransitions, 'disconnected', ['gone', 'lost']],
  body: [bodyTransitions, 'unread', ['sent', 'aborted']],
  claim: [claimTransitions, 'disconnected', ['won']],
  forward: [forwardTransitions, 'reading', ['over']],
  largeRecord: [largeRecordTransitions, 'none', []],
  lease: [leaseTransitions, 'disconnected', []],
  member: [memberTransitions, 'idle', ['closed']],
  node: [nodeTransitions, 'starting', ['stopped']],
  popup: [popupTransitions, 'loading', ['ended']],
  saveQueue: [saveQueueTransitions, 'idle', ['closed']],
  spare: [spareTransitions, 'none', ['stopped']],
  subscriber: [subscriberTransitions, 'behind', ['over']],
  upload: [uploadTransitions, 'open', ['finished', 'ended']],
  wal: [walTransitions, 'starting', ['closed', 'failed']],
} as const satisfies Record<string, readonly [table: object, first: string, last: readonly string[]]>;

for (const [name, [table, first, last]] of Object.entries(machines))
  t.test(`the state machine "${name}" reaches every state, and leaves all but its last ones`, async (t) =>
    checkStateTable<string, string>(t, table, first, last),
  );

t.test('no table of the sources is missing above', async (t) => {
  const sources = path.join(projectRoot(import.meta.dirname), 'src');
  const files = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const declared = files.flatMap((name) =>
    [...fs.readFileSync(path.join(sources, name), 'utf8').matchAll(/^(?:export )?const (\w+): Transitions</gm)].map(
      ([, table]) => table,
    ),
  );
  t.same(
    declared.sort(),
    Object.keys(machines)
      .map((name) => `${name}Transitions`)
      .sort(),
  );
});
