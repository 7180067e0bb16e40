/** What becomes of a picture: the background of an artboard. */
import type { PictureAddress } from '../files/picture-uploads.ts';
import { fieldsOf } from '../project/resource-kinds.ts';
import type { EditorModel } from './editor-model.ts';

/** What the server calls an artboard without a name. */
const defaultName = fieldsOf('artboard').find(({ name }) => name === 'name')?.fallback;

/** A picture becomes the background: of the artboard if it has no picture and no object yet, or else of another artboard. */
export async function addBackground(model: EditorModel, { url, width, height }: PictureAddress, name: string): Promise<void> {
  const members = { type: 'image', image_url: url, width, height };
  const id = model.artboardId.value;
  const artboard = model.store.shown(id);
  const isFree =
    artboard !== undefined &&
    artboard['image_url'] === '' &&
    artboard['type'] === 'color' &&
    model.store.ids(model.objects).length === 0;
  // An untitled artboard gets the name of the file.
  const isUnnamed = artboard !== undefined && ['', defaultName].includes(String(artboard['name']));
  if (isFree) model.edits.change(id, isUnnamed ? { ...members, name } : members);
  else await model.add('artboard', { ...members, name }, '');
  model.tool.value = 'spot';
  // The name of a new artboard is that of its file: drawing comes next.
  model.toMap();
}

/** A picture becomes that of an artboard. If there are objects, the user decides first what becomes of them. */
export function setPicture(model: EditorModel, artboardId: string, picture: PictureAddress): void {
  if (model.store.ids({ kind: 'object', artboardId }).length > 0) model.replacing.value = { artboardId, picture };
  else model.edits.change(artboardId, { image_url: picture.url, width: picture.width, height: picture.height });
}
