/**
 * Schemas of the resources, in responses and in the bodies of create and PATCH, for programs that validate data before they send or store
 * it: `import { PopupCreate } from 'mapwright/schemas'`. They are TypeBox schemas, and therefore JSON Schema. Each type has the name of its
 * schema.
 */
import type { Static, TSchema } from 'typebox';
import { type Bodies, without } from '../bodies/bodies.ts';
import {
  actionBodies,
  artboardBodies,
  dataSourceBodies,
  objectBodies,
  popupBodies,
  projectBodies,
  variableBodies,
} from '../bodies/resource-bodies.ts';

export const { response: Popup, create: PopupCreate, update: PopupUpdate } = exported(popupBodies);
export const { response: DataSource, create: DataSourceCreate, update: DataSourceUpdate } = exported(dataSourceBodies);
export const { response: Variable, create: VariableCreate, update: VariableUpdate } = exported(variableBodies);
export const { response: MapObject, create: MapObjectCreate, update: MapObjectUpdate } = exported(objectBodies);
export const { response: Artboard, create: ArtboardCreate, update: ArtboardUpdate } = exported(artboardBodies);
export const { response: Action, create: ActionCreate, update: ActionUpdate } = exported(actionBodies);
export const { response: Project, create: ProjectCreate, update: ProjectUpdate } = exported(projectBodies);

export type Project = Static<typeof Project>;
export type ProjectCreate = Static<typeof ProjectCreate>;
export type ProjectUpdate = Static<typeof ProjectUpdate>;
export type Artboard = Static<typeof Artboard>;
export type ArtboardCreate = Static<typeof ArtboardCreate>;
export type ArtboardUpdate = Static<typeof ArtboardUpdate>;
export type MapObject = Static<typeof MapObject>;
export type MapObjectCreate = Static<typeof MapObjectCreate>;
export type MapObjectUpdate = Static<typeof MapObjectUpdate>;
export type Action = Static<typeof Action>;
export type ActionCreate = Static<typeof ActionCreate>;
export type ActionUpdate = Static<typeof ActionUpdate>;
export type Popup = Static<typeof Popup>;
export type PopupCreate = Static<typeof PopupCreate>;
export type PopupUpdate = Static<typeof PopupUpdate>;
export type DataSource = Static<typeof DataSource>;
export type DataSourceCreate = Static<typeof DataSourceCreate>;
export type DataSourceUpdate = Static<typeof DataSourceUpdate>;
export type Variable = Static<typeof Variable>;
export type VariableCreate = Static<typeof VariableCreate>;
export type VariableUpdate = Static<typeof VariableUpdate>;

/** With standard keywords only: strict JSON Schema validators reject extensions (`x-…`), and some an enum without a type. */
function exported<B extends Bodies>({ response, create, update }: B): Pick<B, 'response' | 'create' | 'update'> {
  return { response: plain(response), create: plain(create), update: plain(update) };
}

function plain<S extends TSchema>(schema: S): S {
  const extensions = Object.keys(schema).filter((keyword) => keyword.startsWith('x-'));
  const copy = without(schema, ...extensions) as TSchema & Record<string, never>;
  const { items, anyOf, properties } = copy;
  if (items !== undefined) Object.assign(copy, { items: plain(items) });
  if (anyOf !== undefined) Object.assign(copy, { anyOf: (anyOf as TSchema[]).map(plain) });
  if (properties !== undefined)
    Object.assign(copy, {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plain(one as TSchema)])),
    });
  return ('enum' in copy ? Object.assign(copy, { type: 'string' }) : copy) as S;
}
