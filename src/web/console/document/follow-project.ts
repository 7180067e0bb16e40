/** Follows the changes of a project by everybody, and takes them into the store: a record at a time, in the order of the log. */
import { batch } from '@preact/signals';
import type { ChangeEvent, Client } from '../../client/client.ts';
import { ConnectionError, ProblemError } from '../../client/client.ts';
import { collectionKey, type MemberKind, type Resource, type ResourceRef } from '../kinds/resource-kinds.ts';
import { isBefore } from '../kinds/resource-version.ts';
import { withPlace } from './feed-orders.ts';
import type { ProjectStore } from './project-store.ts';

/** Events of a record above which its changes are announced as one. */
const manyFrom = 100;

interface FollowHandlers {
  /** A resource was deleted by another user, or by this session in another tab; it is still in the store. */
  onDelete(ref: ResourceRef): void;
  /** Something on the screen was changed by another user, or by this session in another tab. */
  onForeign(ref: ResourceRef): void;
  /** The project was published or unpublished. */
  onPublication(): void;
  /** A file was uploaded or deleted, or has another name. */
  onFiles(): void;
  /** A version was kept or deleted, or has another name. */
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
      // The project may have been read since, with everything in it.
      const isKnown = isBefore(`"${id}"`, store.position) || `"${id}"` === store.position;
      const take = (): void => {
        for (const event of events) apply(store, event, handlers, isKnown);
        if (!isKnown) store.reached(`"${id}"`);
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

function apply(store: ProjectStore, event: ChangeEvent, handlers: FollowHandlers, isKnown: boolean): void {
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
  if (isKnown) return;
  const { kind, version } = event;
  const artboardId = event.kind === 'object' ? event.artboard_id : undefined;
  const collection = { kind: kind as MemberKind, artboardId };
  /** Also in the order that the feed has. */
  const reorder = (changed: (ids: readonly string[]) => readonly string[]): void => {
    store.feedOrders.change(collectionKey(collection), changed);
    store.reorder(collection, changed(store.ids(collection)));
  };
  if ('ids' in event) {
    reorder(() => event.ids);
    return;
  }
  const { id } = event;
  const ref: ResourceRef = { kind, id, artboardId };
  if (!('resource' in event)) {
    reorder((ids) => withPlace(ids, id, event.before));
    return;
  }
  const { resource } = event;
  if ('from_artboard_id' in event) {
    const left = collectionKey({ kind: 'object', artboardId: event.from_artboard_id });
    store.feedOrders.change(left, (ids) => ids.filter((each) => each !== id));
    store.move(ref, resource as unknown as Resource, `"${version}"`);
    reorder((ids) => withPlace(ids, id, event.before));
    return;
  }
  if (resource === null) {
    store.feedOrders.change(collectionKey(collection), (ids) => ids.filter((each) => each !== id));
    // This page may have brought it back since.
    if (!store.has(id) || store.isLater(id, `"${version}"`)) return;
    onDelete(ref);
    store.remove(id);
    return;
  }
  store.feedOrders.change(collectionKey(collection), (ids) => (ids.includes(id) ? ids : [...ids, id]));
  if (store.put(ref, resource as unknown as Resource, `"${version}"`) && !store.moves.has(ref)) onForeign(ref);
}
