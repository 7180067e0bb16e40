/** Filters of lists: conditions on one member of a value, or on the place of an object. */
import type { Value } from '../../model/value.ts';

export type Scalar = string | number | boolean;

/** A member that is a single string, number or boolean. */
export interface ScalarMember {
  readonly name: string;
  /** Its default, used where a value has no such member. */
  readonly fallback?: Scalar | undefined;
}

/** Corners of a rectangle in pixels of an artboard; `x1 <= x2`, `y1 <= y2`. */
export interface Box {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Passes values whose member satisfies the operator; without one, those whose member equals `value`. */
export type Filter =
  | (ScalarMember & { readonly operator?: undefined; readonly value: Scalar })
  | (ScalarMember & { readonly operator: 'contains' | 'starts'; readonly value: string })
  | (ScalarMember & { readonly operator: 'in'; readonly value: readonly Scalar[] })
  | (ScalarMember & { readonly operator: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: string | number })
  /** Objects whose box touches it. */
  | { readonly name: 'bbox'; readonly operator: 'touches'; readonly value: Box };

/** The compared value: the member, or its default if it is absent. */
export function scalarOf(value: Value, { name, fallback }: ScalarMember): Scalar {
  return (value[name] ?? fallback) as Scalar;
}

/** All filters must pass. */
export function passes(value: Value, filters: readonly Filter[]): boolean {
  for (const filter of filters) if (!passesOne(value, filter)) return false;
  return true;
}

function passesOne(value: Value, filter: Filter): boolean {
  switch (filter.operator) {
    case undefined:
      return scalarOf(value, filter) === filter.value;
    case 'contains':
      return (scalarOf(value, filter) as string).includes(filter.value);
    case 'starts':
      return (scalarOf(value, filter) as string).startsWith(filter.value);
    case 'in':
      return filter.value.includes(scalarOf(value, filter));
    case 'gt':
      return scalarOf(value, filter) > filter.value;
    case 'gte':
      return scalarOf(value, filter) >= filter.value;
    case 'lt':
      return scalarOf(value, filter) < filter.value;
    case 'lte':
      return scalarOf(value, filter) <= filter.value;
    case 'touches':
      return touches(value, filter.value);
  }
}

/** The smallest rectangle around an object, a spot with its radius, has a point in common with the box. */
function touches(object: Value, { x1, y1, x2, y2 }: Box): boolean {
  if (object['type'] !== 'poly') {
    const [x, y, radius] = [object['x'] as number, object['y'] as number, Math.max(0, object['radius'] as number)];
    return x - radius <= x2 && x + radius >= x1 && y - radius <= y2 && y + radius >= y1;
  }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of object['coords'] as readonly { readonly x: number; readonly y: number }[]) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left <= x2 && right >= x1 && top <= y2 && bottom >= y1;
}
