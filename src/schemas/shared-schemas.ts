/** Resources that are the same in both API versions. Schemas and types have the same names. */
import type { Static } from 'typebox';
import { DataSourceSchema } from '../model/resources/data-source.ts';
import { PopupSchema } from '../model/resources/popup.ts';
import { VariableSchema } from '../model/resources/variable.ts';
import { createBody, resource, updateBody } from './body-schemas.ts';

export const Popup = resource(PopupSchema);
export const PopupCreate = createBody(PopupSchema);
export const PopupUpdate = updateBody(PopupSchema);

export const DataSource = resource(DataSourceSchema);
export const DataSourceCreate = createBody(DataSourceSchema);
export const DataSourceUpdate = updateBody(DataSourceSchema);

export const Variable = resource(VariableSchema);
export const VariableCreate = createBody(VariableSchema);
export const VariableUpdate = updateBody(VariableSchema);

export type Popup = Static<typeof Popup>;
export type PopupCreate = Static<typeof PopupCreate>;
export type PopupUpdate = Static<typeof PopupUpdate>;
export type DataSource = Static<typeof DataSource>;
export type DataSourceCreate = Static<typeof DataSourceCreate>;
export type DataSourceUpdate = Static<typeof DataSourceUpdate>;
export type Variable = Static<typeof Variable>;
export type VariableCreate = Static<typeof VariableCreate>;
export type VariableUpdate = Static<typeof VariableUpdate>;
