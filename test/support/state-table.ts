/**
 * What every table of a state machine must be. The table in the source is its only copy: which cell has which value is shown by tests of
 * behaviour, and these rules find a cell that makes a machine senseless.
 */
import type { Test } from 'tap';
import { InvariantError, type Transitions, transition } from '../../src/lib/invariant.ts';

/**
 * Checks a table: every state can be reached, every event is possible somewhere, impossible events stop the program, and only the last
 * states are never left.
 *
 * @param last states that no event leaves
 */
export function checkStateTable(t: Test, table: Transitions<string, string>, first: string, last: readonly string[]): void {
  const reached = new Set([first]);
  // A set is iterated with what is added meanwhile.
  for (const state of reached) for (const next of Object.values(table[state] ?? {})) if (next !== 'invalid') reached.add(next);
  t.same([...reached].sort(), Object.keys(table).sort(), 'every state can be reached');
  const possible = new Set<string>();
  const left = new Set<string>();
  for (const [state, row] of Object.entries(table)) {
    for (const [event, next] of Object.entries(row)) {
      if (next === 'invalid') {
        t.throws(() => transition(table, state, event), InvariantError, `${event} stops the program in the state ${state}`);
        continue;
      }
      t.equal(transition(table, state, event), next);
      possible.add(event);
      if (next !== state) left.add(state);
    }
  }
  t.same([...possible].sort(), Object.keys(Object.values(table)[0] ?? {}).sort(), 'every event is possible in some state');
  t.same(
    Object.keys(table)
      .filter((state) => !left.has(state))
      .sort(),
    last.toSorted(),
    'no event leaves the last states',
  );
}
