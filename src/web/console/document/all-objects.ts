/** All objects of a project. */
import type { Resource } from '../kinds/resource-kinds.ts';
import type { ProjectStore } from './project-store.ts';

/** With what is not saved yet, in the order of the artboards. A computation that reads them changes with them. */
export function* allObjects(store: ProjectStore): Generator<Resource> {
  store.revision({ kind: 'artboard' }).value;
  for (const artboardId of store.ids({ kind: 'artboard' })) {
    const objects = { kind: 'object', artboardId } as const;
    store.revision(objects).value;
    yield* store.members(objects);
  }
}
