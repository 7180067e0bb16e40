/** The export document of a project: its format name and version, and its files. */
import Type, { type Static } from 'typebox';
import { FileSchema } from './resources/file.ts';

/** The `format` member of a document. */
export const documentFormat = 'mapwright-project';

/** The version written; the only version read. */
export const documentVersion = 1;

export const documentFormatSchema = Type.Literal(documentFormat, { description: 'Identifies the document format' });
export const documentVersionSchema = Type.Literal(documentVersion, { description: 'Version of the format' });

const fileMembers = {
  name: FileSchema.properties.name,
  type: Type.String({ description: 'Media type, recognized from the bytes' }),
  bytes: Type.Number({ description: 'Size in bytes' }),
  url: Type.String({ description: 'Path that the texts of the project name it by, `/f/…`' }),
  digest: Type.String({ description: 'SHA-256 of the bytes, 64 hex digits', pattern: '^[0-9a-f]{64}$' }),
  content: Type.Optional(Type.String({ description: 'The bytes as base64', contentEncoding: 'base64' })),
};

/** A file of a project in an export. */
export const DocumentFileSchema = Type.Object(fileMembers, {
  title: 'DocumentFile',
  description: 'A file of an exported project. With `?files=true` it has its bytes.',
  additionalProperties: false,
});

export type DocumentFile = Static<typeof DocumentFileSchema>;

/** A file of a project in an import. */
export const DocumentFileImportSchema = Type.Object(
  {
    ...fileMembers,
    type: Type.Optional(fileMembers.type),
    bytes: Type.Optional(fileMembers.bytes),
    digest: Type.Optional(fileMembers.digest),
  },
  {
    title: 'DocumentFileImport',
    description:
      'A file of a project that is imported. Without `content` it is left out. Members that are sent must fit the bytes.',
    additionalProperties: false,
  },
);

/** The member of a file that has its bytes. */
export const contentMember = 'content';
