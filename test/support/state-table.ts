/**
 * What every table of a state machine must be. The table in the source is its only copy: which cell has which value is shown by tests of
 * behaviour, and these rules find a cell that makes a machine senseless.
 */
import type { Test } from 'tap';
import { InvariantError, type Transitions, transition } from '../../src/lib/invariant.ts';

/**
 * Checks a table: every state can be reached, every event in every state is allowed or stops the program, and only the last states are
 * never left.
 *
 * @param last states that no event leaves
 */
export function checkStateTable<State extends string, Event extends string>(
  t: Test,
  table: Transitions<State, Event>,
  first: State,
  last: readonly State[],
): void {
  const states = Object.keys(table) as State[];
  const events = new Set(states.flatMap((state) => Object.keys(table[state]) as Event[]));
  const reached = new Set([first]);
  const left = new Set<State>();
  // A set is iterated with what is added meanwhile.
  for (const state of reached) {
    for (const event of events) {
      if (!Object.hasOwn(table[state], event)) {
        t.throws(() => transition(table, state, event), InvariantError, `${event} stops the program in the state ${state}`);
        continue;
      }
      const next = transition(table, state, event);
      reached.add(next);
      if (next !== state) left.add(state);
    }
  }
  t.same([...reached].sort(), states.toSorted(), 'every state can be reached');
  t.same(states.filter((state) => !left.has(state)).sort(), last.toSorted(), 'no event leaves the last states');
}
