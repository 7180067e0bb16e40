/** The resources of the latest API version (`serve --compat latest`), with the same names as those of the contract. */
import type { Static } from 'typebox';
import { ActionSchema, extensionActionMembers } from '../model/resources/action.ts';
import { extensionObjectMembers, ObjectSchema } from '../model/resources/object.ts';
import { extended } from './body-schemas.ts';
import { resourcesOf } from './versioned-schemas.ts';

export * from './shared-schemas.ts';
export const {
  MapObject,
  MapObjectCreate,
  MapObjectUpdate,
  Artboard,
  ArtboardCreate,
  ArtboardUpdate,
  Action,
  ActionCreate,
  ActionUpdate,
  Project,
  ProjectCreate,
  ProjectUpdate,
} = resourcesOf(extended(ObjectSchema, extensionObjectMembers), extended(ActionSchema, extensionActionMembers));

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
