/** Whether the conditions of an action hold now, with the values of the newest evaluation. */

import { isPlain } from '../../../lib/change/value-parts.ts';
import { comparisons, type Operator } from '../../../live/evaluate/values/comparison.ts';
import type { Evaluation } from '../../client/client.ts';
import type { ProjectStore } from '../document/project-store.ts';
import type { Resource } from '../kinds/resource-kinds.ts';
import type { Truth } from '../kinds/truth.ts';

/** Whether an operator compares with something. */
export const takesValue = (operator: Operator | undefined): boolean => operator !== 'is-empty' && operator !== 'is-not-empty';

export interface Condition {
  readonly variableId: string;
  readonly operator: string;
  readonly value: unknown;
  /** Instead of `value`. */
  readonly valueVariableId: string | undefined;
}

/** Conditions as stored; `undefined` if a form cannot show all of them. */
export function readConditions(given: unknown): readonly Condition[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const found = given.map(readCondition);
  return found.every((each) => each !== undefined) ? found : undefined;
}

function readCondition(given: unknown): Condition | undefined {
  if (!isPlain(given)) return undefined;
  const { variable_id: variableId = '', operator = '', value, value_variable_id: valueVariableId } = given;
  if (typeof variableId !== 'string' || typeof operator !== 'string') return undefined;
  if (valueVariableId !== undefined && typeof valueVariableId !== 'string') return undefined;
  if (typeof value === 'object' && value !== null) return undefined;
  return { variableId, operator, value, valueVariableId };
}

/** The values of the newest evaluation. */
export class PresentValues {
  readonly #store: ProjectStore;
  readonly #values: Evaluation['values'] | undefined;

  /** @param evaluation `undefined` before the first */
  constructor(store: ProjectStore, evaluation: Evaluation | undefined) {
    this.#store = store;
    this.#values = evaluation?.values;
  }

  get areKnown(): boolean {
    return this.#values !== undefined;
  }

  /** The value of a variable: one for the project, or that of an item. */
  at(id: string, item: number): unknown {
    const items = this.itemsOf(id);
    return items === undefined ? this.#value(id) : (items[item] ?? undefined);
  }

  /** The values of a variable that has one per item. */
  itemsOf(id: string): readonly unknown[] | undefined {
    const value = this.#value(id);
    const type = this.#store.shown(id)?.['type'];
    // Those of other types are one value each, so that a list has one per item.
    return Array.isArray(value) && type !== 'iterator' && type !== 'coords-from-data-source' ? value : undefined;
  }

  #value(id: string): unknown {
    return this.#values !== undefined && Object.hasOwn(this.#values, id) ? this.#values[id] : undefined;
  }
}

/** Whether conditions hold, as an action combines them. */
export function truthOf(values: PresentValues, action: Resource | undefined, conditions: readonly Condition[]): Truth {
  if (!values.areKnown) return { is: 'unknown' };
  const holdsFor = (item: number): boolean => {
    const holds = (condition: Condition): boolean => conditionHolds(condition, (id) => values.at(id, item));
    return action?.['condition_operator'] === 'or' ? conditions.some(holds) : conditions.every(holds);
  };
  const ids = conditions.flatMap(({ variableId, valueVariableId = '' }) => [variableId, valueVariableId]);
  const lists = ids.map((id) => values.itemsOf(id)).filter((list) => list !== undefined);
  if (lists.length === 0) {
    const [first] = conditions;
    return { is: holdsFor(0) ? 'holds' : 'fails', value: first === undefined ? undefined : values.at(first.variableId, 0) };
  }
  if (!/^create-(?:spots|polys)$/.test(String(action?.['type']))) return { is: 'refused' };
  const length = Math.max(...lists.map((list) => list.length));
  const held = Array.from({ length }, (_, item) => holdsFor(item)).filter(Boolean);
  return { is: 'items', holds: held.length, of: length };
}

function conditionHolds({ variableId, operator, value, valueVariableId }: Condition, present: (id: string) => unknown): boolean {
  const left = present(variableId);
  const hasVariable = valueVariableId !== undefined && valueVariableId !== '';
  const right = hasVariable ? present(valueVariableId) : value;
  // Without a value there is nothing to compare.
  if (left === undefined || (right === undefined && hasVariable)) return false;
  return comparisons.get(operator)?.(left, right) === true;
}
