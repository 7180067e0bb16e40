/** The kinds of resources in a project, where they are, and how they refer to each other. */
import type { Members } from '../../../lib/change/diff.ts';
import type { Kinds } from '../../../lib/change/rebase.ts';
import { forms as generated } from '../generated/forms.ts';
import type { FormField } from './form-field.ts';

const forms = generated satisfies Readonly<Record<string, readonly FormField[]>>;

export type Kind = keyof typeof forms;
export type MemberKind = Exclude<Kind, 'project'>;
export type CollectionName = 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions';

/** A resource without the collections that it contains. */
export type Resource = Readonly<Record<string, unknown>> & { readonly id: string };
export type { Members };

/** A collection: of the project, or the objects of an artboard. */
export interface CollectionRef {
  readonly kind: MemberKind;
  /** For objects: their artboard. */
  readonly artboardId?: string | undefined;
}

/** A resource of the project. */
export interface ResourceRef {
  readonly kind: Kind;
  readonly id: string;
  /** For an object: its artboard. */
  readonly artboardId?: string | undefined;
}

export const collectionOf = {
  artboard: 'artboards',
  object: 'objects',
  popup: 'popups',
  data_source: 'data_sources',
  variable: 'variables',
  action: 'actions',
} as const satisfies Record<MemberKind, CollectionName>;

export const kindOf = Object.fromEntries(
  Object.entries(collectionOf).map(([kind, collection]) => [collection, kind]),
) as Readonly<Record<CollectionName, MemberKind>>;

/** The collections of a project itself, in the order of the API. */
export const ownCollections = ['artboards', 'popups', 'data_sources', 'variables', 'actions'] as const;

/** The form of a kind. */
export const fieldsOf = (kind: Kind): readonly FormField[] => forms[kind];

/** The field of a member; `undefined` if no form knows it. @param kind may be one without a form, such as `file` */
export const fieldOf = (kind: string, member: string): FormField | undefined =>
  Object.hasOwn(forms, kind) ? fieldsOf(kind as Kind).find(({ name }) => name === member) : undefined;

/** Defaults of the members that responses leave out while they have them, by kind. */
const defaultsLeftOut = new Map<Kind, Members>();
for (const kind of Object.keys(forms) as Kind[]) {
  const optional = fieldsOf(kind).filter(({ isOptional }) => isOptional === true);
  if (optional.length > 0) defaultsLeftOut.set(kind, Object.fromEntries(optional.map(({ name, fallback }) => [name, fallback])));
}

/** A resource of a response, with the defaults that the response leaves out. */
export function withDefaults(kind: Kind, given: Resource): Resource {
  const defaults = defaultsLeftOut.get(kind);
  return defaults === undefined ? given : { ...defaults, ...given };
}

/** Names a collection: `popups`, `objects:ARTBOARD`; `project` has only the project. */
export const collectionKey = ({ kind, artboardId }: Pick<ResourceRef, 'kind' | 'artboardId'>): string =>
  kind === 'object' ? `objects:${artboardId ?? ''}` : kind === 'project' ? kind : collectionOf[kind];

/** The collection with a name. */
export function collectionAt(key: string): CollectionRef {
  const [name = '', artboardId] = key.split(':');
  return { kind: kindOf[name as CollectionName], artboardId };
}

/** The resource with an identifier in a collection. */
export const refAt = (id: string, key: string): ResourceRef =>
  key === 'project' ? { kind: 'project', id } : { ...collectionAt(key), id };

/** How resources belong together, for diffs. */
export const kinds: Kinds = {
  inside: (id, collection) => (collection === 'artboards' ? collectionKey({ kind: 'object', artboardId: id }) : undefined),
  ownerOf: (collection) => collectionAt(collection).artboardId,
  hasParts: (collection, member) => collection === 'project' && member === 'settings',
};

const segmentOf = (kind: MemberKind): string => collectionOf[kind].replaceAll('_', '-');

/** The path of a collection below its project: `/popups`, `/artboards/A/objects`. */
export function collectionPath({ kind, artboardId = '' }: CollectionRef): string {
  return kind === 'object' ? `/artboards/${encodeURIComponent(artboardId)}/objects` : `/${segmentOf(kind)}`;
}

/** The path of a resource below its project; `/` is the project. */
export function resourcePath(ref: ResourceRef): string {
  if (ref.kind === 'project') return '/';
  return `${collectionPath({ kind: ref.kind, artboardId: ref.artboardId })}/${encodeURIComponent(ref.id)}`;
}

/** A member that holds identifiers of a collection. */
interface ReferenceMember {
  readonly member: string;
  readonly target: CollectionName;
  readonly isList: boolean;
}

const references = new Map<Kind, readonly ReferenceMember[]>();

/** The members of a kind that refer to something else in the project. */
export function referencesOf(kind: Kind): readonly ReferenceMember[] {
  let found = references.get(kind);
  if (found === undefined) {
    found = fieldsOf(kind).flatMap(({ name, kind: editor, target }) =>
      target === undefined ? [] : [{ member: name, target, isList: editor === 'references' }],
    );
    references.set(kind, found);
  }
  return found;
}
