/** What becomes of pictures: backgrounds of artboards. */

import type { EditorModel } from '../editor/editor-model.ts';
import type { NamedPicture, PictureAddress } from '../files/picture-uploads.ts';
import { fieldsOf } from '../kinds/resource-kinds.ts';

/** What the server calls an artboard without a name. */
const defaultName = fieldsOf('artboard').find(({ name }) => name === 'name')?.fallback;

/** Pictures become backgrounds of artboards, in one step: the first one of that on the map, if it has no picture and no object yet. */
export async function addBackgrounds(model: EditorModel, pictures: readonly NamedPicture[]): Promise<void> {
  if (pictures.length === 0) return;
  const id = model.artboardId.value;
  const artboard = model.store.shown(id);
  const isFree = artboard?.['image_url'] === '' && artboard['type'] === 'color' && model.store.ids(model.objects).length === 0;
  const isFirst = model.artboards.value.length === (isFree ? 1 : 0);
  const edit = model.edits.begin();
  for (const [at, { url, name, width, height }] of pictures.entries()) {
    const members = { type: 'image', image_url: url, width, height };
    if (!isFree || at > 0) edit.create('artboards', { ...members, name });
    // An untitled artboard gets the name of the file.
    else edit.put(id, ['', defaultName].includes(String(artboard['name'])) ? { ...members, name } : members);
  }
  const created = await model.edits.run(edit);
  const [added] = created;
  if (!isFree && added !== undefined) model.select([added.id]);
  if (isFirst) model.tool.value = 'spot';
  // The name of a new artboard is that of its file: drawing comes next.
  model.toMap();
}

/** A picture becomes that of an artboard. If there are objects, the user decides first what becomes of them. */
export function setPicture(model: EditorModel, artboardId: string, picture: PictureAddress): void {
  if (model.store.ids({ kind: 'object', artboardId }).length > 0) model.replacing.value = { artboardId, picture };
  else model.edits.change(artboardId, { image_url: picture.url, width: picture.width, height: picture.height });
}
