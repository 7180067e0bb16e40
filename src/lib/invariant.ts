/** Assertions that stay on in production. A broken invariant is an error of this program, never of its input. */

export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * Throws an {@link InvariantError} unless `holds`. While it holds, the cost is one comparison.
 *
 * @param rule says what must be true; each `{}` in it stands for one of the values, in order
 */
export function invariant(holds: boolean, rule: string, a?: unknown, b?: unknown, c?: unknown): asserts holds {
  if (!holds) throw brokenInvariant(rule, [a, b, c]);
}

function brokenInvariant(rule: string, values: unknown[]): InvariantError {
  return new InvariantError(`broken invariant: ${rule.replaceAll('{}', () => String(values.shift()))}`);
}

/** A state machine as data: for each state, the events that are possible in it, with the next state. */
export type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The next state. Throws an {@link InvariantError} for an event that is impossible in this state. */
export function transition<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  state: State,
  event: Event,
): State {
  const next = table[state][event];
  invariant(next !== undefined, 'the event "{}" is impossible in the state "{}"', event, state);
  return next;
}
