/** The file of --config: one for all commands, of which each takes its own options. */
import fs from 'node:fs';
import { asGiven, commandHere, dashed, isBoolean, known, meantOrAll, truth, UsageError } from './options.ts';

/** The options in the file that the command at hand has. Throws a {@link UsageError} when the file is none of ours. */
export function readConfig(path: string): Record<string, unknown> {
  const read = parse(path);
  const options = new Map(Object.entries(read).map(([name, value]) => [dashed(name), joined(value)]));
  const names = [...known].filter((name) => name !== 'config').sort();
  const unknown = [...options.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `The file ${path} has "${unknown}", which no command has as an option. ${meantOrAll(unknown, names, (name) => `"${name}"`)}`,
    );
  const odd = [...options].find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value));
  if (odd !== undefined) throw new UsageError(`"${odd[0]}" in the file ${path} must be a string, a number, true or false.`);
  const own = [...options].filter(([name]) => commandHere.options.has(name));
  commandHere.file = { path, names: new Set(own.map(([name]) => name)) };
  return Object.fromEntries(
    own.map(([name, value]) => [name, isBoolean(name) ? truth(String(value), `"${name}" in the file ${path}`) : value]),
  );
}

/** A list may be written as one. */
function joined(value: unknown): unknown {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(',') : value;
}

function parse(path: string): object {
  let text: string;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT'
        ? `There is no file ${path}, which ${asGiven('config')} names.`
        : `The file ${path} cannot be read: ${message}`,
    );
  }
  let value: unknown;
  try {
    // Some editors begin a file with a mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`The file ${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`The file ${path} must hold a JSON object, such as {"port": 8071}.`);
  }
  return value;
}
