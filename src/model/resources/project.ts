/** A project: the unit of an account's work, with all collections in it. */
import Type, { type Static } from 'typebox';
import { collectionOf, pictureAddress, readOnlyText, readOnlyTime, text } from '../members.ts';
import { settings } from '../settings/settings.ts';
import { ActionSchema } from './action.ts';
import { ArtboardSchema } from './artboard.ts';
import { DataSourceSchema } from './data-source.ts';
import { PopupSchema } from './popup.ts';
import { VariableSchema } from './variable.ts';

export const ProjectSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    user_id: readOnlyText('Identifier of the account it belongs to'),
    created: readOnlyTime('When it was created'),
    name: text('Untitled Project', { description: 'Display name' }),
    thumb: pictureAddress({ description: 'Thumbnail URL', 'x-form': { label: 'Thumbnail address' } }),
    artboards: collectionOf(ArtboardSchema, 'Artboards with their objects'),
    popups: collectionOf(PopupSchema, 'Popups'),
    data_sources: collectionOf(DataSourceSchema, 'Data sources'),
    variables: collectionOf(VariableSchema, 'Variables'),
    actions: collectionOf(ActionSchema, 'Actions'),
    settings: settings(
      {},
      {
        description:
          'Any settings that the editor stores with the project. `max_bounds`, `legend`, `labels` and `public_map` are checked, and published',
        'x-form': { section: 'advanced', hint: true },
      },
    ),
  },
  { title: 'Project', description: 'A project of an account, with everything in it.', additionalProperties: false },
);

export type Project = Static<typeof ProjectSchema>;
