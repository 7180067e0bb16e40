/**
 * Is a concurrent history linearizable: is there one order of its operations, each at some moment between call and answer, in which a
 * sequential model gives every answer that was heard? The search of Wing and Gong (1993), with Lowe's memory (2017): which operations
 * were taken, and the state they led to, is never looked at twice.
 *
 *     c1  |--- PATCH title=a ---|
 *     c2        |-- GET: a --|              PATCH, GET, GET: linearizable
 *     c3                    |-- GET: a --|
 *
 * An operation whose answer nobody heard may have happened or not. If it happened, then before its `end`: a crash ends whatever was on
 * its way, and what comes back to life later is as wrong as what is lost (durable linearizability; Izraelevitz, Mendes and Scott 2016).
 */

/** What one object does, one operation at a time. States are immutable. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The state after an operation; `undefined` when it cannot have had this output. Without output it did what it does. */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** The same text for the same state, and another for every other. */
  key(state: State): string;
}

export interface Operation<Input, Output> {
  readonly input: Input;
  /** `undefined`: nobody heard the answer. */
  readonly output: Output | undefined;
  /** When it was called, on a clock that never shows the same time twice. */
  readonly call: number;
  /** When its answer was heard; without one, the moment until which it may have happened. */
  readonly end: number;
}

export interface Verdict {
  readonly linearizable: boolean;
  /** Positions of operations in an order that fits; the longest that was found, where none fits as a whole. */
  readonly order: readonly number[];
}

/** States that one search may visit. Histories are kept small enough to need a thousandth of it. */
const visitsMax = 2_000_000;

export function linearize<State, Input, Output>(
  model: Model<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
): Verdict {
  const byCall = operations.map((operation, position) => ({ ...operation, position })).sort((a, b) => a.call - b.call);
  const taken: boolean[] = byCall.map(() => false);
  const order: number[] = [];
  let longest: readonly number[] = [];
  let missing = byCall.filter(({ output }) => output !== undefined).length;
  const seen = new Set<string>();

  /** @param latest the latest call among the operations taken: who was ended before that came too late */
  const search = (state: State, latest: number): boolean => {
    if (order.length > longest.length) longest = order.slice();
    if (missing === 0) return true;
    const key = `${taken.map(Number).join('')} ${model.key(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (seen.size > visitsMax) throw new Error(`a history of ${byCall.length} operations is too large to be decided`);
    // An operation that started after the response of another one cannot precede it.
    let firstEnd = Number.POSITIVE_INFINITY;
    byCall.forEach(({ output, end }, i) => {
      if (!taken[i] && output !== undefined && end < firstEnd) firstEnd = end;
    });
    for (let i = 0; i < byCall.length; i++) {
      const { input, output, call, end, position } = byCall[i] as (typeof byCall)[number];
      if (call > firstEnd) break;
      if (taken[i] || (output === undefined && end < latest)) continue;
      const after = model.step(state, input, output);
      // Nobody has to assume that something happened of which nothing can be seen.
      if (after === undefined || (output === undefined && model.key(after) === model.key(state))) continue;
      taken[i] = true;
      order.push(position);
      if (output !== undefined) missing--;
      if (search(after, Math.max(latest, call))) return true;
      if (output !== undefined) missing++;
      order.pop();
      taken[i] = false;
    }
    return false;
  };

  const linearizable = search(model.initial, Number.NEGATIVE_INFINITY);
  return { linearizable, order: linearizable ? order : longest };
}

/**
 * The part of a history that shows what is wrong with it: cut off where it first cannot be explained, without the reads that change
 * nothing about that. Both are sound: whatever remains of a linearizable history is linearizable.
 */
export function shrink<State, Input, Output>(
  model: Model<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
  isRead: (input: Input) => boolean,
): Operation<Input, Output>[] {
  const fails = (some: readonly Operation<Input, Output>[]) => !linearize(model, some).linearizable;
  let rest = operations.slice();
  const ends = rest.filter(({ output }) => output !== undefined).map(({ end }) => end);
  for (const end of ends.sort((a, b) => a - b)) {
    const prefix = upTo(operations, end);
    if (!fails(prefix)) continue;
    rest = prefix;
    break;
  }
  for (const operation of rest.slice()) {
    if (!isRead(operation.input)) continue;
    const without = rest.filter((other) => other !== operation);
    if (fails(without)) rest = without;
  }
  return rest;
}

/** A history as known at a time: operations without a response by then have none. */
function upTo<Input, Output>(operations: readonly Operation<Input, Output>[], time: number): Operation<Input, Output>[] {
  return operations
    .filter(({ call }) => call <= time)
    .map((operation) => (operation.end <= time ? operation : { ...operation, output: undefined }));
}
