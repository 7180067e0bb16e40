/** What differs between two states of a project, by identifier. */
import { sameJson } from '../../lib/change/same-json.ts';
import type { CollectionName } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { VersionContent } from './version-content.ts';

export type ChangeKind = 'created' | 'changed' | 'deleted';

/** One resource that differs. */
export interface Difference {
  /** `artboard`, `object`, … */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly change: ChangeKind;
  /** For a changed one: its members before and after; `artboard_id` is one of them if an object was moved to another artboard. */
  readonly members?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
}

export interface Comparison {
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** At most {@link differencesMax}. */
  readonly changes: readonly Difference[];
}

/** Most differences that are listed; all are counted. */
export const differencesMax = 10_000;

/** A resource without its collections. */
interface Part {
  readonly kind: string;
  readonly content: Body;
  readonly members: readonly string[];
  /** The artboard of an object. */
  readonly artboardId?: string;
}

/** Compares two states; in slices. */
export function* compare(before: VersionContent, after: VersionContent): Generator<void, Comparison> {
  const counts = { created: 0, changed: 0, deleted: 0 };
  const changes: Difference[] = [];
  const add = (difference: Difference): void => {
    counts[difference.change]++;
    if (changes.length < differencesMax) changes.push(difference);
  };
  const old = yield* partsOf(before);
  const present = yield* partsOf(after);
  for (const [id, part] of present) {
    const former = old.get(id);
    if (former === undefined) add({ ...named(id, part), change: 'created' });
    else {
      const members = differing(former, part);
      if (Object.keys(members).length > 0) add({ ...named(id, part), change: 'changed', members });
    }
    // A resource may have megabytes.
    yield;
  }
  for (const [id, part] of old) {
    if (!present.has(id)) add({ ...named(id, part), change: 'deleted' });
    yield;
  }
  return { counts, changes };
}

const named = (id: string, { kind, content }: Part) => ({ kind, id, name: String(content['name'] ?? '') });

function* partsOf({ project, files }: VersionContent): Generator<void, Map<string, Part>> {
  const parts = new Map<string, Part>();
  const add = (resource: typeof projects, content: Body, artboardId?: string): void => {
    const held = new Set<string>(resource.collections.map(({ name }) => name));
    const members = resource.members.filter((name) => !held.has(name) && name !== 'id');
    parts.set(content['id'] as string, {
      kind: resource.kind,
      content,
      members,
      ...(artboardId !== undefined && { artboardId }),
    });
  };
  add(projects, project);
  for (const { name } of projects.collections) {
    for (const content of project[name] as readonly Body[]) {
      add(resourceOf[name], content);
      yield;
      if (name !== 'artboards') continue;
      for (const object of content['objects'] as readonly Body[]) {
        add(resourceOf.objects, object, content['id'] as string);
        yield;
      }
    }
  }
  for (const file of files as readonly Value[]) {
    add(resourceOf['files' satisfies CollectionName], file);
    yield;
  }
  return parts;
}

function differing(before: Part, after: Part): Record<string, { before: unknown; after: unknown }> {
  const members: Record<string, { before: unknown; after: unknown }> = {};
  if (before.artboardId !== after.artboardId) members['artboard_id'] = { before: before.artboardId, after: after.artboardId };
  for (const name of after.members) {
    const [old, present] = [before.content[name] ?? null, after.content[name] ?? null];
    if (!sameJson(old, present)) members[name] = { before: old, after: present };
  }
  return members;
}
