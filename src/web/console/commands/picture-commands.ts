/** Pictures become backgrounds of artboards. */

import type { EditorModel } from '../editor/editor-model.ts';
import type { NamedPicture } from '../files/picture-uploads.ts';
import { fieldsOf } from '../kinds/resource-kinds.ts';

/** The name that the server gives an artboard without one. */
const defaultName = fieldsOf('artboard').find(({ name }) => name === 'name')?.fallback;

/** Pictures become backgrounds of artboards, in one step: the first one of that on the map, if it has no picture and no object yet. */
export async function addBackgrounds(
  { document, selection, workspace }: EditorModel,
  pictures: readonly NamedPicture[],
): Promise<void> {
  if (pictures.length === 0) return;
  const id = selection.artboardId.value;
  const artboard = document.store.shown(id);
  const isFree =
    artboard?.['image_url'] === '' && artboard['type'] === 'color' && document.store.ids(selection.objects).length === 0;
  const isFirst = document.artboards.value.length === (isFree ? 1 : 0);
  const edit = document.edits.begin();
  for (const [at, { url, name, width, height }] of pictures.entries()) {
    const members = { type: 'image', image_url: url, width, height };
    if (!isFree || at > 0) edit.create('artboards', { ...members, name });
    // An untitled artboard gets the name of the file.
    else edit.put(id, ['', defaultName].includes(String(artboard['name'])) ? { ...members, name } : members);
  }
  const created = await document.edits.run(edit);
  const [added] = created;
  if (!isFree && added !== undefined) selection.select([added.id]);
  if (isFirst) workspace.tool.value = 'spot';
  // The name of a new artboard is that of its file: drawing comes next.
  workspace.toMap();
}
