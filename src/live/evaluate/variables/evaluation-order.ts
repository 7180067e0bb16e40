/** The order in which variables are evaluated: each after those that it reads. Finds circles. */

/** Positions of variables that form a circle, in the order in which they read one another. */
export type Circle = readonly number[];

export interface EvaluationOrder {
  readonly order: readonly number[];
  /** By position of a variable that is in one. */
  readonly circles: ReadonlyMap<number, Circle>;
}

/** @param reads by position of a variable: those that it reads. A chain of them may be long, so nothing recurses. */
export function evaluationOrder(reads: readonly (readonly number[])[]): EvaluationOrder {
  const order: number[] = [];
  const circles = new Map<number, Circle>();
  const state = new Map<number, 'open' | 'done'>();
  for (const start of reads.keys()) {
    if (state.has(start)) continue;
    const trail: { readonly variable: number; next: number }[] = [{ variable: start, next: 0 }];
    state.set(start, 'open');
    while (trail.length > 0) {
      const top = trail[trail.length - 1] as (typeof trail)[number];
      const read = reads[top.variable]?.[top.next++];
      if (read === undefined) {
        state.set(top.variable, 'done');
        order.push(top.variable);
        trail.pop();
      } else if (!state.has(read)) {
        state.set(read, 'open');
        trail.push({ variable: read, next: 0 });
      } else if (state.get(read) === 'open') {
        const circle = trail.slice(trail.findIndex(({ variable }) => variable === read)).map(({ variable }) => variable);
        for (const variable of circle) if (!circles.has(variable)) circles.set(variable, circle);
      }
    }
  }
  return { order, circles };
}
