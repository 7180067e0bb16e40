/**
 * Terminal colours for output to people. NO_COLOR turns them off and FORCE_COLOR on, as in other programs. Output for programs never has
 * colours.
 */

import { styleText } from 'node:util';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

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
  return (colour, text) => styleText(colour, text, { validateStream: false });
}
