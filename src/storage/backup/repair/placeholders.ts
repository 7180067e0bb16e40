/** Placeholders for lost resources, so that their surviving members are kept. */
import { artboards as artboardResource, projects as projectResource } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import type { StoredProject } from '../../../store/stored-project.ts';

/** Adds a placeholder artboard, after the others, for objects whose artboard is lost: the objects are worth more than their artboard. */
export function addMissingArtboards(project: StoredProject, lsn: number): void {
  const artboards = project.ensureCollection('artboards', '');
  const parents = [...project.collections()].filter(({ name, collection }) => name === 'objects' && collection.size > 0);
  for (const { parentId } of parents) {
    if (artboards.get(parentId) === undefined)
      artboards.put(artboardResource.create(parentId, {}, { name: `lost ${parentId}` }), lsn);
  }
}

/** A placeholder for a project whose own members are lost. */
export function placeholderProject(accountId: string, id: string): Value {
  return projectResource.create(id, { user_id: accountId, created: '' }, { name: `lost ${id}` });
}
