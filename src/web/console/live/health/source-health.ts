/** Which data sources of the open project fail, and what depends on them through variables. Pure. */
import type { FailingSource } from '../../../client/client.ts';
import type { ProjectStore } from '../../document/project-store.ts';
import { isShown } from '../../forms/form-sections.tsx';
import { fieldsOf, type Members, type Resource } from '../../kinds/resource-kinds.ts';
import { lateTexts } from '../../late-texts.ts';
import type { HealthMark } from '../live-state.ts';
import { healthOf, worstOf } from './worst-health.ts';

/** All texts in a value, at any depth. A style that keeps what the object has, or has a value of its own, names no variable. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  const { type } = value as Members;
  for (const [name, each] of Object.entries(value)) {
    if (name === 'variable_id' && (type === 'custom' || type === 'current-value')) continue;
    yield* textsIn(each);
  }
}

/** The identifiers, and the names in braces, in members of a variable or an action that matter for it. */
function namedBy(kind: 'variable' | 'action', value: Resource): Set<string> {
  const named = new Set<string>();
  for (const field of fieldsOf(kind)) {
    if (!isShown(field, value) && field.name !== 'otherwise') continue;
    for (const text of textsIn(value[field.name])) {
      named.add(text);
      for (const [braced] of text.matchAll(/\{[^{}]*\}/g)) named.add(braced);
    }
  }
  return named;
}

const namesOf = ({ id, name }: Resource): readonly string[] => [id, ...(name === '' ? [] : [`{${name}}`])];

/** The marks of a project by identifier: data sources that fail, variables and actions that depend on them, and the project itself. */
export function marksOf(store: ProjectStore, failing: readonly FailingSource[]): ReadonlyMap<string, HealthMark> {
  const t = lateTexts.health;
  const found = new Map<string, HealthMark>();
  const own = failing.filter(({ published, data_source_id }) => !published && store.has(data_source_id));
  for (const each of own)
    found.set(each.data_source_id, { health: healthOf(each), word: t.word(each.body_at), reason: t.sentence(each) });
  const causes = new Map(own.map((each) => [each.data_source_id, each]));
  const variables = store.members({ kind: 'variable' });
  const waiting = variables.map((variable) => ({ variable, named: namedBy('variable', variable) }));
  const causeOf = (named: ReadonlySet<string>): FailingSource | undefined =>
    causes.size === 0 ? undefined : worstOf([...named].flatMap((text) => causes.get(text) ?? []));
  const mark = (id: string, cause: FailingSource) =>
    found.set(id, { health: healthOf(cause), word: t.word(cause.body_at), reason: t.depends(cause) });
  // Each turn follows one more step of the references; a variable that depends on a failed source stays so.
  for (let isNew = own.length > 0; isNew; ) {
    isNew = false;
    for (const { variable, named } of waiting) {
      const cause = causeOf(named);
      const known = causes.get(variable.id);
      if (cause === undefined || known === cause || (known !== undefined && healthOf(known) === 'failed')) continue;
      if (known !== undefined && healthOf(cause) === healthOf(known)) continue;
      mark(variable.id, cause);
      for (const name of namesOf(variable)) causes.set(name, cause);
      isNew = true;
    }
  }
  for (const action of store.members({ kind: 'action' })) {
    const cause = causeOf(namedBy('action', action));
    if (cause !== undefined) mark(action.id, cause);
  }
  const worst = worstOf(failing);
  if (worst !== undefined)
    found.set(store.id, { health: healthOf(worst), word: t.count(failing.length), reason: t.sentence(worst) });
  return found;
}

/** The notice of the editor's map: its data is old, or missing. The public map may ask with other settings. */
export function noticeOf(failing: readonly FailingSource[]): HealthMark | undefined {
  const own = failing.filter(({ published }) => !published);
  const worst = worstOf(own);
  if (worst === undefined) return undefined;
  const [oldest = null] = own.flatMap(({ body_at }) => body_at ?? []).sort();
  const t = lateTexts.health;
  const word = t.notice(own.length, oldest, healthOf(worst) === 'failed');
  return { health: healthOf(worst), word, reason: t.sentence(worst) };
}
