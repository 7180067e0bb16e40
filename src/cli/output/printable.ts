/** Texts of other machines in output for people: without characters that a terminal would obey. */

/** Characters in one line of a table's cell. */
const lineCharacters = 60;

/** A text on one line. @param charactersMax where it is cut; by default nowhere */
export function printableLine(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(/\p{Cc}/gu, '�');
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1)}…`;
}

/** The words of a text on lines that fit into a terminal. */
export function wrapped(text: string): string {
  const lines = [''];
  for (const word of printableLine(text).split(' ')) {
    const line = lines.at(-1) as string;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= lineCharacters) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
