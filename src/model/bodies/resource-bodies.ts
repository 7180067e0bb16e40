/** The schemas of all resources, in responses and in bodies. */

import { ActionSchema } from '../resources/action.ts';
import { ArtboardSchema } from '../resources/artboard.ts';
import { DataSourceSchema } from '../resources/data-source.ts';
import { FileSchema } from '../resources/file.ts';
import { ObjectSchema, placeMembers } from '../resources/object.ts';
import { PopupSchema } from '../resources/popup.ts';
import { ProjectSchema } from '../resources/project.ts';
import { VariableSchema } from '../resources/variable.ts';
import { VersionSchema } from '../resources/version.ts';
import { bodiesOf } from './bodies.ts';

export const objectBodies = bodiesOf(ObjectSchema, {}, placeMembers);
export const artboardBodies = bodiesOf(ArtboardSchema, { objects: objectBodies });
export const popupBodies = bodiesOf(PopupSchema);
export const dataSourceBodies = bodiesOf(DataSourceSchema);
export const variableBodies = bodiesOf(VariableSchema);
export const actionBodies = bodiesOf(ActionSchema);
export const fileBodies = bodiesOf(FileSchema);
export const versionBodies = bodiesOf(VersionSchema);
export const projectBodies = bodiesOf(ProjectSchema, {
  artboards: artboardBodies,
  popups: popupBodies,
  data_sources: dataSourceBodies,
  variables: variableBodies,
  actions: actionBodies,
});
