/** The command that signs the owner in on the machine of the server. */

/** Makes an address for the owner, in a POSIX shell. @param folder that with the data */
export const commandFor = (folder: string): string => `npx mapwright console --data ${quoted(folder)}`;

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
