/** Whether the names of objects are on the map of the editor: as published, until the user chooses. */

import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { type LabelMode, readLabelMode } from './drawing-module.ts';

/** Follows the settings of the project and the choice of the user. */
export function shownNames({ document: { store }, workspace: { showsNames } }: EditorModel): LabelMode {
  store.revision('project').value;
  const published = readLabelMode(settingsOf(store)['labels']) ?? 'none';
  if (showsNames.value === false) return 'none';
  return showsNames.value === true && published === 'none' ? 'auto' : published;
}

export function toggleNames(model: EditorModel): void {
  model.workspace.showsNames.value = shownNames(model) === 'none';
}
