/** The file of --config: one for all commands, of which each takes its own options. */
import fs from 'node:fs';
import { commandHere, dashed, isBoolean, known, truth, UsageError } from './options.ts';

/** The options in the file that the command at hand has. Throws a {@link UsageError} when the file is none of ours. */
export function readConfig(path: string): Record<string, unknown> {
  const read = parse(path);
  const options = new Map(Object.entries(read).map(([name, value]) => [dashed(name), value]));
  const unknown = [...options.keys()].filter((name) => name === 'config' || !known.has(name));
  if (unknown.length > 0) {
    const names = [...known].filter((name) => name !== 'config').sort();
    throw new UsageError(
      `The file ${path} has ${unknown.map((name) => `"${name}"`).join(', ')}, which no command has as an option. There are: ${names.join(', ')}.`,
    );
  }
  const odd = [...options].find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value));
  if (odd !== undefined) throw new UsageError(`"${odd[0]}" in the file ${path} must be a string, a number, true or false.`);
  const own = [...options].filter(([name]) => commandHere.options.has(name));
  return Object.fromEntries(
    own.map(([name, value]) => [name, isBoolean(name) ? truth(String(value), `"${name}" in the file ${path}`) : value]),
  );
}

function parse(path: string): object {
  let text: string;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT' ? `There is no file ${path}, which --config names.` : `The file ${path} cannot be read: ${message}`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The file ${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`The file ${path} must hold a JSON object, such as {"port": 8071}.`);
  }
  return value;
}
