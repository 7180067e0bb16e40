/**
 * The part of a project that becomes public: its public members, some of its settings, objects without private members and with the properties
 * that a field of `settings.public_map` names, and the icons that they use.
 */
import { isIconName } from '../../lib/draw/public-map.ts';
import { iconsNamed } from '../../lib/pictures/icon-set.ts';
import { JsonText } from '../../model/json-text.ts';
import { publicMembers } from '../../model/publication.ts';
import { privateObjectMembers } from '../../model/resources/object.ts';
import { resourceOf } from '../../model/resources.ts';
import { publicPropertyNames } from '../../model/settings/public-map-schema.ts';
import { type ProjectSettings, publicSettings } from '../../model/settings/settings.ts';
import type { Value } from '../../model/value.ts';
import { type MemberViews, type View, type Views, viewProject } from '../../store/list/views.ts';
import { type Member, uncacheable } from '../../store/member.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { one } from '../crud/render.ts';
import type { Api } from '../declaration.ts';

const publicFields: ReadonlySet<string> = new Set([...publicMembers, 'settings', 'icons']);

/** The public map of a project as JSON. Captures its version when it is called; what is public depends on no key. */
export function publicMap(api: Pick<Api, 'cache'>, project: StoredProject): Iterable<string | Buffer> {
  const used = new Set<string>();
  const view = publicView(project, used);
  // After all objects: the names are known then.
  return one(view, publicFields, api.cache.whole, () => ({ icons: iconsNamed(used) }));
}

/**
 * The project without the members, settings and properties that are not public.
 *
 * @param icons receives the names of icons, while the objects are visited
 */
export function publicView(project: StoredProject, icons: Set<string> = new Set()): View {
  const view = viewProject(project, publicFields);
  const settings = publicSettings(view.value['settings'] as ProjectSettings);
  for (const { icon = '' } of settings?.public_map?.categories ?? []) if (isIconName(icon)) icons.add(icon);
  const shown: Shown = { properties: publicPropertyNames(settings?.public_map), icons };
  return { ...withoutPrivate(view, shown), value: { ...view.value, settings } };
}

interface Shown {
  /** Names of the properties that are public. */
  readonly properties: ReadonlySet<string>;
  /** Receives the names of icons. */
  readonly icons: Set<string>;
}

function withoutPrivate(view: View, shown: Shown): View {
  const held = new Map([...view.held].map(([name, views]) => [name, publicViews(views, shown)] as const));
  return { ...view, held };
}

function publicViews(views: Views, shown: Shown): Views {
  if ('leaves' in views) return views.resource === resourceOf.objects ? new PublicObjects(views, shown) : views;
  return {
    *[Symbol.iterator]() {
      for (const view of views) yield withoutPrivate(view, shown);
    },
  };
}

class PublicObjects implements MemberViews {
  readonly resource = resourceOf.objects;
  /** None: the cached JSON of a capture has the private members. */
  readonly capture = undefined;
  readonly leaves: MemberViews['leaves'];

  constructor({ leaves }: MemberViews, shown: Shown) {
    this.leaves = {
      *[Symbol.iterator]() {
        for (const { members } of leaves) {
          for (const { value } of members) addIcon(value, shown);
          yield { members: members.some(hasPrivate) ? members.map((member) => publicMember(member, shown)) : members };
        }
      },
    };
  }

  *[Symbol.iterator](): Generator<View, void> {
    const { resource } = this;
    for (const { members } of this.leaves) {
      for (const member of members) yield { resource, value: member.value, member, held: new Map() };
    }
  }
}

function addIcon({ icon }: Value, { icons }: Shown): void {
  if (typeof icon === 'string' && isIconName(icon)) icons.add(icon);
}

const hasPrivate = ({ value }: Member): boolean =>
  value['properties'] !== undefined || privateObjectMembers.some((name) => value[name] !== undefined);

function publicMember(member: Member, { properties: names }: Shown): Member {
  if (!hasPrivate(member)) return member;
  const { properties, ...value } = member.value;
  for (const name of privateObjectMembers) delete (value as Record<string, unknown>)[name];
  const shown = properties instanceof JsonText && names.size > 0 ? publicProperties(properties, names) : undefined;
  return { ...member, value: (shown === undefined ? value : { ...value, properties: shown }) as Value, json: uncacheable };
}

/** `undefined` if none is public. */
function publicProperties(properties: JsonText, names: ReadonlySet<string>): JsonText | undefined {
  const all = Object.entries(properties.value);
  const shown = all.filter(([name]) => names.has(name));
  if (shown.length === all.length) return properties;
  return shown.length === 0 ? undefined : JsonText.of(Object.fromEntries(shown));
}
