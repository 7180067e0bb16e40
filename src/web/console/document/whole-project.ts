/** Projects as one document: the one in a store, its settings, and two states of one project together. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import type { Project } from '../../client/client.ts';
import { kindOf, type Members, ownCollections, type Resource } from '../kinds/resource-kinds.ts';
import type { ProjectStore } from './project-store.ts';

/** The settings of the project in a store; empty ones if they are no object. */
export function settingsOf(store: ProjectStore): Members {
  const settings = store.shown(store.id)?.['settings'];
  return isPlain(settings) ? settings : {};
}

/** A project with its collections, as the API has it. */
export function wholeProject(store: ProjectStore): Project {
  const whole: Record<string, unknown> = { ...store.shown(store.id) };
  for (const name of ownCollections) whole[name] = store.members({ kind: kindOf[name] });
  whole['artboards'] = store
    .members({ kind: 'artboard' })
    .map((artboard) => ({ ...artboard, objects: store.members({ kind: 'object', artboardId: artboard.id }) }));
  return whole as unknown as Project;
}

type Artboard = Resource & { readonly objects: readonly Resource[] };

/**
 * A project together with what a former state has and it does not: at the end of each collection.
 *
 * @param shown how a deleted object is shown
 */
export function withDeleted(present: Project, former: Project, shown: (object: Resource) => Resource): Project {
  const whole: Record<string, unknown> = { ...present };
  const membersOf = (project: Project, name: (typeof ownCollections)[number]) => project[name] as unknown as readonly Resource[];
  for (const name of ownCollections) {
    if (name === 'artboards') continue;
    whole[name] = joined(membersOf(present, name), membersOf(former, name));
  }
  const [now, then] = [membersOf(present, 'artboards'), membersOf(former, 'artboards')] as [Artboard[], Artboard[]];
  const objectsThen = new Map(then.map(({ id, objects }) => [id, objects]));
  whole['artboards'] = joined(
    now.map(
      (artboard): Resource => ({
        ...artboard,
        objects: joined(artboard.objects, objectsThen.get(artboard.id) ?? [], shown),
      }),
    ),
    then,
    (artboard) => ({ ...artboard, objects: (artboard as Artboard).objects.map(shown) }),
  );
  return whole as unknown as Project;
}

function joined(
  present: readonly Resource[],
  former: readonly Resource[],
  shown: (member: Resource) => Resource = (member) => member,
): Resource[] {
  const ids = new Set(present.map(({ id }) => id));
  return [...present, ...former.filter(({ id }) => !ids.has(id)).map(shown)];
}
