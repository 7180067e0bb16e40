/** The document that carries one project from one server to another, as a file: what it is called, and which version this program writes. */
import Type from 'typebox';

/** The word by which a document says what it is. */
export const documentFormat = 'mapwright-project';

/** The version that is written, and the only one that is read. */
export const documentVersion = 1;

export const documentFormatSchema = Type.Literal(documentFormat, { description: 'By which it is recognised' });
export const documentVersionSchema = Type.Literal(documentVersion, { description: 'Of the format' });
