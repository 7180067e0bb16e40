/** Follows the changes of a project by everybody, and takes them into the store: a record at a time, in the order of the log. */
import { batch } from '@preact/signals';
import type { ChangeEvent, Client } from '../../client/client.ts';
import { ConnectionError, ProblemError } from '../../client/client.ts';
import type { ProjectStore } from './project-store.ts';
import type { MemberKind, Resource, ResourceRef } from './resource-kinds.ts';

/** Events of a record above which its changes are announced as one. */
const manyFrom = 100;

interface FollowHandlers {
  /** A resource was deleted by another user, or by this session in another tab; it is still in the store. */
  onDelete(ref: ResourceRef): void;
  /** Something on the screen was changed by another user, or by this session in another tab. */
  onForeign(ref: ResourceRef): void;
  /** The project was published or unpublished. */
  onPublication(): void;
  /** A file was uploaded, renamed or deleted. */
  onFiles(): void;
  /** A version was kept, renamed or deleted. */
  onVersions(): void;
  /** Read the project again. */
  onReset(): Promise<void>;
  /** The project was deleted. */
  onGone(): void;
  /** The feed has ended: the server refuses it, or has not answered for long. */
  onEnd(error: ProblemError | ConnectionError): void;
}

/** Ends with the signal, or when the project is deleted. Never rejects. */
export async function followProject(
  client: Client,
  store: ProjectStore,
  signal: AbortSignal,
  handlers: FollowHandlers,
): Promise<void> {
  try {
    const after = store.position.replaceAll('"', '');
    for await (const { id, events, reset } of client.changes({ project: store.id, after, signal })) {
      if (reset !== undefined) {
        await handlers.onReset();
        continue;
      }
      const isGone = events.some(({ name }) => name === 'project.deleted');
      if (isGone) {
        handlers.onGone();
        return;
      }
      const take = (): void => {
        for (const event of events) apply(store, event, handlers);
        store.reached(`"${id}"`);
      };
      if (events.length > manyFrom) store.together(take);
      else batch(take);
    }
    if (!signal.aborted) handlers.onGone();
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ProblemError && error.code === 'not_found') handlers.onGone();
    else if (error instanceof ProblemError || error instanceof ConnectionError) handlers.onEnd(error);
    else throw error;
  }
}

function apply(store: ProjectStore, event: ChangeEvent, handlers: FollowHandlers): void {
  const { onDelete, onForeign, onPublication, onFiles, onVersions } = handlers;
  if (event.kind === 'publication') {
    onPublication();
    return;
  }
  if (event.kind === 'file') {
    onFiles();
    return;
  }
  if (event.kind === 'version') {
    onVersions();
    return;
  }
  const { kind, version } = event;
  const artboardId = event.kind === 'object' ? event.artboard_id : undefined;
  if ('ids' in event) {
    store.reorder({ kind: kind as MemberKind, artboardId }, event.ids);
    return;
  }
  const { id } = event;
  const ref: ResourceRef = { kind, id, artboardId };
  if (!('resource' in event)) {
    place(store, ref, event.before);
    return;
  }
  const { resource } = event;
  if ('from_artboard_id' in event) {
    store.move(ref, resource as unknown as Resource, `"${version}"`);
    place(store, ref, event.before);
    return;
  }
  if (resource === null) {
    // This page may have brought it back since.
    if (!store.has(id) || store.isLater(id, `"${version}"`)) return;
    onDelete(ref);
    store.remove(id);
  } else if (store.put(ref, resource as unknown as Resource, `"${version}"`) && !store.moves.has(ref)) onForeign(ref);
}

/** Moves a resource in its collection. @param before `null` for the last place */
function place(store: ProjectStore, { kind, id, artboardId }: ResourceRef, before: string | null): void {
  const collection = { kind: kind as MemberKind, artboardId };
  const ids = store.ids(collection).filter((each) => each !== id);
  const at = before === null ? -1 : ids.indexOf(before);
  store.reorder(collection, at === -1 ? [...ids, id] : ids.toSpliced(at, 0, id));
}
