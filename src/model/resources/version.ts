/** A version of a project: its state at one moment, which is kept as a blob. Only its name can be changed. */
import Type, { type Static } from 'typebox';
import { hiddenText, readOnlyNumber, readOnlyText, readOnlyTime, text } from '../members.ts';

/** Why a version was made. Their order is part of the stored format: append, never reorder. */
export const versionKinds = ['named', 'before-restore', 'automatic', 'published'] as const;

export type VersionKind = (typeof versionKinds)[number];

/** The counts of a version, by name. */
export const countedCollections = ['artboards', 'objects', 'popups', 'data_sources', 'variables', 'actions', 'files'] as const;

const count = () => Type.Number();

export const VersionSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('', { description: 'Name that people give it', maxLength: 200 }),
    created: readOnlyTime('Time of the state that it keeps'),
    kind: Type.Enum([...versionKinds], { readOnly: true, description: 'Why it was made' }),
    key_label: readOnlyText('Label of the API key that made it; of an automatic one: of the key whose change began'),
    bytes: readOnlyNumber('Size on disk, compressed, without files'),
    counts: Type.Object(
      {
        ...{ artboards: count(), objects: count(), popups: count(), data_sources: count() },
        ...{ variables: count(), actions: count(), files: count() },
      },
      { readOnly: true, additionalProperties: false, description: 'Number of members of each kind' },
    ),
    digest: hiddenText('SHA-256 of its blob, 64 hex digits'),
    files: Type.Array(Type.String(), {
      readOnly: true,
      hidden: true,
      description: 'Blobs of its files: digest and size in bytes, with a space between',
    }),
  },
  { title: 'Version', description: 'A state of a project that is kept.', additionalProperties: false },
);

export type Version = Static<typeof VersionSchema>;
