/** What every evaluation keeps to, whatever it is given. */
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import { bounds, type Evaluation, type LiveProject } from '../../src/live/evaluate/evaluation.ts';
import { deepFrozen, type Input, valueAt } from './projects.ts';

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** Evaluates an input twice, and throws if a promise is broken. */
export function judged({ project, responses, seed, now }: Input): Evaluation {
  const given = isMembers(responses) ? responses : {};
  // A frozen input shows that nothing of it is changed.
  const result = evaluate(deepFrozen(project) as LiveProject, deepFrozen(given), { seed, now });
  const json = JSON.stringify(result);
  must(json === JSON.stringify(evaluate(project as LiveProject, given, { seed, now })), 'the same input has another output');
  must(JSON.stringify(JSON.parse(json)) === json, 'the output is no JSON');
  must(!/null-prototype|\[native code\]|function \(/.test(json), 'a function is in the output');
  must(Object.keys(Object.prototype).length === 0 && !('polluted' in {}), 'the prototype has changed');
  must(result.created.length <= bounds.createdObjects, 'more objects than may be');
  const ids = new Set(result.created.map(({ object }) => object['id']));
  must(ids.size === result.created.length, 'two created objects have one identifier');
  must(result.created_popups.length <= bounds.createdPopups, 'more popups than may be');
  const holders = new Set(result.created_popups.map(({ object_id }) => object_id));
  must(holders.size === result.created_popups.length, 'an object has got two popups');
  for (const { items, objects } of result.unmatched) {
    for (const { of, count, first } of [items, objects]) {
      must(count <= of && first.length === Math.min(count, bounds.unmatchedShown), 'more without a partner than there are');
    }
  }
  for (const { resource, pointer, detail } of result.problems) {
    const holder = pointer
      .split('/')
      .slice(0, resource.kind === 'project' ? 1 : 3)
      .join('/');
    must(valueAt(project, pointer) !== undefined, `a problem at ${pointer}, where nothing is`);
    if (resource.kind !== 'project') {
      const named = valueAt(project, holder);
      must(isMembers(named) && named['id'] === resource.id, `a problem of ${resource.id} is at ${pointer}`);
    }
    must(detail.length > 0 && detail.length <= 501, 'a problem without a detail, or with an endless one');
  }
  judgeMembers(result);
  return result;
}

/** Colours have one form, and numbers are finite. */
function judgeMembers({ objects, created }: Evaluation): void {
  for (const members of [...Object.values(objects), ...created.map(({ object }) => object)]) {
    for (const [name, value] of Object.entries(members)) {
      if (name.endsWith('color')) must(/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/.test(String(value)), `${name} is ${String(value)}`);
      if (typeof value === 'number') must(Number.isFinite(value), `${name} is ${value}`);
    }
  }
}
