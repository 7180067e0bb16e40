/** Files that the user gives to the editor: pictures become backgrounds, another file is imported. */
import { batch, signal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { isPicture } from '../files/picture.ts';
import { titleOfFile } from '../files/title-of-file.ts';
import { addBackgrounds } from './picture-commands.ts';

/** Asks how a file becomes objects of the artboard on the map; of a new one if there is none. */
export async function startImport(model: EditorModel, file: File, isNewProject = false): Promise<void> {
  if (!model.document.canWrite) return;
  if (model.selection.artboardId.value === '') await model.add('artboard', { name: titleOfFile(file) });
  if (model.selection.artboardId.value === '') return;
  batch(() => {
    model.workspace.tool.value = 'select';
    model.document.liveView.isOn.value = false;
    model.selection.ids.value = [];
    model.workspace.pane.value = 'map';
    model.workspace.importing.value = { file, isNewProject, hasFailed: signal(false) };
  });
}

/** Dropped pictures become backgrounds, another file objects. */
export async function takeFile(model: EditorModel, files: FileList | null | undefined): Promise<void> {
  const all = [...(files ?? [])];
  const [file] = all;
  const former = model.workspace.importing.value;
  if (file === undefined || !model.document.canWrite || former?.hasFailed.value === false) return;
  const taken = all.every(isPicture) ? all : [file];
  if (taken.length < all.length) model.document.edits.notices.say(texts.imports.several);
  await (isPicture(file) ? takePictures(model, taken) : startImport(model, file, former?.isNewProject));
}

async function takePictures(model: EditorModel, files: readonly File[]): Promise<void> {
  const { stored, refusals } = await model.document.uploads.storeAll(files, false);
  if (refusals.length > 0) model.document.edits.notices.say(refusals.join(' '), true);
  await addBackgrounds(model, stored);
}
