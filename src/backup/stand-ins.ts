/** What stands in for what is lost, so that what it held is kept. */
import { artboards as artboardResource, projects as projectResource } from '../model/resources.ts';
import type { Value } from '../model/value.ts';
import type { Project } from '../store/project.ts';

/** Objects whose artboard is lost get one that says so, behind the others: what was drawn is worth more than what it was drawn on. */
export function keepObjects(project: Project, lsn: number): void {
  const artboards = project.ensureCollection('artboards', '');
  const parents = [...project.collections()].filter(({ name, collection }) => name === 'objects' && collection.size > 0);
  for (const { parentId } of parents) {
    if (artboards.get(parentId) === undefined)
      artboards.put(artboardResource.create(parentId, {}, { name: `lost ${parentId}` }), lsn);
  }
}

/** A project of which nothing is left but that it was there. */
export function unnamedProject(accountId: string, id: string): Value {
  return projectResource.create(id, { user_id: accountId, created: '' }, { name: `lost ${id}` });
}
