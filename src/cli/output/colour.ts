/**
 * Terminal colours for output to people. NO_COLOR turns them off and FORCE_COLOR on, as in other programs. Output for programs never has
 * colours.
 */

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Colour = keyof typeof codes;

type Stream = Pick<NodeJS.WriteStream, 'isTTY'>;

/** Whether output to a stream may have colours. */
export function hasColours(stream: Stream, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no = '', TERM: terminal } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return no === '' && terminal !== 'dumb' && stream.isTTY === true;
}

/** A function that colours text, if the stream allows it. */
export function painter(stream: Stream = process.stdout, env?: NodeJS.ProcessEnv): (colour: Colour, text: string) => string {
  if (!hasColours(stream, env)) return (_, text) => text;
  return (colour, text) => `\u001b[${codes[colour][0]}m${text}\u001b[${codes[colour][1]}m`;
}
