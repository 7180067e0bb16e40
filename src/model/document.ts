/** The document that carries one project from one server to another, as a file: what it is called, and which version this program writes. */

/** The word by which a document says what it is. */
export const documentFormat = 'mapwright-project';

/** The version that is written, and the only one that is read. */
export const documentVersion = 1;
