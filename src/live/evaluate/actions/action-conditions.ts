/** The conditions of an action. One that cannot be decided does not hold. */
import { isObject, listMember, member, textMember } from '../open-json.ts';
import { comparisons, operatorNames } from '../values/comparison.ts';
import { kindOf, shownJson } from '../values/live-value.ts';
import type { ActionReader } from './action-reader.ts';

type Condition = (item: number) => boolean;

/** Whether the action runs for an item. */
export function conditionsOf(reader: ActionReader): Condition {
  const { json } = reader.action;
  const conditions = listMember(json, 'conditions').map((condition, i) => conditionOf(condition, `/conditions/${i}`, reader));
  if (conditions.length === 0) return () => true;
  return textMember(json, 'condition_operator', 'and') === 'or'
    ? (item) => conditions.some((holds) => holds(item))
    : (item) => conditions.every((holds) => holds(item));
}

const never: Condition = () => false;

function conditionOf(condition: unknown, below: string, reader: ActionReader): Condition {
  if (!isObject(condition)) {
    reader.problem(below, 'the condition is no object');
    return never;
  }
  const operator = member(condition, 'operator');
  const compare = comparisons.get(operator);
  if (compare === undefined) {
    reader.problem(`${below}/operator`, `there is no operator ${shownJson(operator)}; there are ${operatorNames}`);
    return never;
  }
  const left = reader.variable(`${below}/variable_id`, textMember(condition, 'variable_id'), true);
  const otherId = textMember(condition, 'value_variable_id');
  const constant = member(condition, 'value');
  const right = otherId === '' ? () => constant : reader.variable(`${below}/value_variable_id`, otherId);
  if (left === undefined || right === undefined) return never;
  const { run } = reader;
  return (item) => {
    const a = left(item);
    // A constant may be absent, as for "is-empty"; a variable without a value decides nothing.
    const b = a === undefined ? undefined : right(item);
    if (a === undefined || (b === undefined && otherId !== '')) {
      reader.failed(below, item);
      return false;
    }
    const holds = compare(a, b);
    if (holds !== undefined) return holds;
    run.fail(`${kindOf(a)} and ${kindOf(b)} cannot be compared by "${String(operator)}"`);
    reader.failed(below, item);
    return false;
  };
}
