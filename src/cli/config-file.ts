/** The configuration file of --config. All commands share it, and each takes its own options from it. */
import fs from 'node:fs';
import { asGiven, dashed, isBoolean, joinedList, known, meantOrAll, parseContext, truth, UsageError } from './option-parsing.ts';

/** Reads the options of the current command from the file. Throws a {@link UsageError} if the file is invalid. */
export function readConfig(path: string): Record<string, unknown> {
  const read = parse(path);
  const options = new Map(Object.entries(read).map(([name, value]) => [dashed(name), joined(dashed(name), value)]));
  const names = [...known].filter((name) => name !== 'config').sort();
  const unknown = [...options.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `The file ${path} has "${unknown}", which is not an option of any command. ${meantOrAll(unknown, names, (name) => `"${name}"`)}`,
    );
  const invalid = [...options].find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value));
  if (invalid !== undefined)
    throw new UsageError(`"${invalid[0]}" in the file ${path} must be a string, a number, true or false.`);
  const own = [...options].filter(([name]) => parseContext.options.has(name));
  parseContext.file = { path, names: new Set(own.map(([name]) => name)) };
  return Object.fromEntries(
    own.map(([name, value]) => [name, isBoolean(name) ? truth(String(value), `"${name}" in the file ${path}`) : value]),
  );
}

/** Joins a list of strings. */
function joined(name: string, value: unknown): unknown {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? joinedList(name, value) : value;
}

function parse(path: string): object {
  let text: string;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT'
        ? `The file ${path} in ${asGiven('config')} does not exist.`
        : `The file ${path} cannot be read: ${message}`,
    );
  }
  let value: unknown;
  try {
    // Some editors write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`The file ${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`The file ${path} must hold a JSON object, such as {"port": 8071}.`);
  }
  return value;
}
