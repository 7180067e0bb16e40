/**
 * The rules of a live map, which a publication keeps on the server: data sources, variables and actions, and of the objects that an action matches
 * by key or property those members of them that the map does not contain.
 */
import { JsonText } from '../../model/json-text.ts';
import { ruleMembers } from '../../model/publication.ts';
import type { MatchWay } from '../../model/resources/action.ts';
import { publicPropertyNames } from '../../model/settings/public-map-schema.ts';
import { type ProjectSettings, publicSettings } from '../../model/settings/settings.ts';
import type { Value } from '../../model/value.ts';
import { type View, type Views, viewProject } from '../../store/list/views.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { one } from '../crud/render.ts';
import type { Api } from '../declaration.ts';

const ruleFields: ReadonlySet<string> = new Set(ruleMembers);
const objectFields: ReadonlySet<string> = new Set(['artboards', 'settings']);

/** Characters per part. */
const partLength = 16 * 1024;

/** The rules of a project as JSON. Captures its version when it is called. */
export function publishedRules(api: Pick<Api, 'cache'>, project: StoredProject): Iterable<string | Buffer> {
  const rules = viewProject(project, ruleFields);
  const shown = viewProject(project, objectFields);
  return withMatchValues(one(rules, ruleFields, api.cache.whole), rules, shown);
}

function* withMatchValues(json: Iterable<string | Buffer>, rules: View, shown: View): Generator<string | Buffer, void> {
  let last: string | Buffer | undefined;
  for (const part of json) {
    if (last !== undefined) yield last;
    last = part;
  }
  const end = String(last);
  const wanted = wantedBy(rules);
  if (wanted === undefined) {
    yield end;
    return;
  }
  yield end.slice(0, -1);
  yield* matchValues(wanted, shown);
  yield '}';
}

/** The artboards on which actions match; `undefined` for all of them. */
type Artboards = ReadonlySet<string> | undefined;

/** Keys and properties that actions match by. */
interface Wanted {
  readonly keys: { readonly on: Artboards } | undefined;
  /** By name of the property. */
  readonly properties: ReadonlyMap<string, { readonly on: Artboards }>;
}

/** `undefined` if no action matches by what a map may lack. */
function wantedBy(rules: View): Wanted | undefined {
  const found = new Map<string, { on: Set<string> | undefined }>();
  for (const { value } of viewsIn(rules.held.get('actions'))) {
    const by = (value['match_by'] ?? 'key') as MatchWay;
    if (!value['match_variable_id'] || by === 'name') continue;
    const name = by === 'key' ? '' : String(value['match_property'] ?? '');
    if (by === 'property' && name === '') continue;
    const artboardId = String(value['match_artboard_id'] ?? '');
    const known = found.get(name) ?? { on: new Set<string>() };
    found.set(name, known);
    if (artboardId === '') known.on = undefined;
    else known.on?.add(artboardId);
  }
  if (found.size === 0) return undefined;
  const keys = found.get('');
  found.delete('');
  return { keys, properties: found };
}

function* matchValues(wanted: Wanted, shown: View): Generator<string, void> {
  const settings = publicSettings(shown.value['settings'] as ProjectSettings);
  const published = publicPropertyNames(settings?.public_map);
  let text = ',"match_values":{';
  let separator = '';
  for (const artboard of viewsIn(shown.held.get('artboards'))) {
    for (const { value } of viewsIn(artboard.held.get('objects'))) {
      const kept = keptOf(value, artboard.value.id, wanted, published);
      if (kept === undefined) continue;
      text += `${separator}${JSON.stringify(value.id)}:${JSON.stringify(kept)}`;
      separator = ',';
      if (text.length < partLength) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}}`;
}

/** The members of an object that actions match by; `undefined` if there are none. */
function keptOf(
  object: Value,
  artboardId: string,
  { keys, properties }: Wanted,
  published: ReadonlySet<string>,
): object | undefined {
  const isOn = ({ on }: { readonly on: Artboards }): boolean => on?.has(artboardId) !== false;
  const key = keys !== undefined && isOn(keys) ? object['key'] : undefined;
  const all = properties.size > 0 && object['properties'] instanceof JsonText ? Object.entries(object['properties'].value) : [];
  const matched = all.filter(([name]) => {
    const wanted = properties.get(name);
    return wanted !== undefined && isOn(wanted) && !published.has(name);
  });
  if (!key && matched.length === 0) return undefined;
  return { ...(key ? { key } : {}), ...(matched.length === 0 ? {} : { properties: Object.fromEntries(matched) }) };
}

const viewsIn = (views: Views | undefined): Iterable<View> => views ?? [];
