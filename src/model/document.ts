/** The export document of a project: its format name and version. */
import Type from 'typebox';

/** The `format` member of a document. */
export const documentFormat = 'mapwright-project';

/** The version written; the only version read. */
export const documentVersion = 1;

export const documentFormatSchema = Type.Literal(documentFormat, { description: 'Identifies the document format' });
export const documentVersionSchema = Type.Literal(documentVersion, { description: 'Version of the format' });
