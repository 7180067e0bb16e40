/** The start of an import: the artboard that it fills, and the panel that asks the rest. */
import { batch, signal } from '@preact/signals';
import type { EditorModel } from '../editor/editor-model.ts';
import { titleOfFile } from '../files/title-of-file.ts';

/** Asks how a file becomes objects of the artboard on the map; of a new one if there is none. */
export async function startImport(model: EditorModel, file: File, isNewProject = false): Promise<void> {
  if (!model.canWrite) return;
  if (model.artboardId.value === '') await model.add('artboard', { name: titleOfFile(file) });
  if (model.artboardId.value === '') return;
  batch(() => {
    model.tool.value = 'select';
    model.liveView.isOn.value = false;
    model.selection.value = [];
    model.pane.value = 'map';
    model.importing.value = { file, isNewProject, hasFailed: signal(false) };
  });
}
