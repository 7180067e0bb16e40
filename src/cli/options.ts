/**
 * Options: declared once per command, read from flags, the environment and a configuration file. The environment is shared by all
 * commands, so a name there must be an option of some command, and a command takes only its own.
 */
import type { Argv, Options } from 'yargs';

/** Wrong usage: told without ceremony, exit code 2. */
export class UsageError extends Error {}

const prefix = 'MAPWRIGHT_';
const known = new Set(['config']);

export const dataOption = {
  data: { type: 'string', default: 'data/store', describe: 'Folder in which everything is kept' },
} as const;

export const jsonOption = {
  json: { type: 'boolean', default: false, describe: 'Print JSON, for programs' },
} as const;

/** A builder for a command with these options. */
export function withOptions(options: Readonly<Record<string, Options>>) {
  for (const name of Object.keys(options)) known.add(name);
  return (yargs: Argv): Argv<never> => {
    for (const variable of Object.keys(process.env)) {
      const name = optionOf(variable);
      if (name !== undefined && name !== 'config' && !Object.hasOwn(options, name)) delete process.env[variable];
    }
    return yargs.options(options) as Argv<never>;
  };
}

/** Throws a {@link UsageError} for a variable that looks like ours and is not. */
export function checkEnvironment(): void {
  for (const variable of Object.keys(process.env)) {
    const name = optionOf(variable);
    if (name !== undefined && !known.has(name)) {
      const names = [...known].map((option) => prefix + option.toUpperCase().replaceAll('-', '_')).sort();
      throw new UsageError(`The environment has ${variable}, which is no option. There are: ${names.join(', ')}.`);
    }
  }
}

function optionOf(variable: string): string | undefined {
  return variable.startsWith(prefix) ? variable.slice(prefix.length).toLowerCase().replaceAll('_', '-') : undefined;
}

/** A number within bounds, checked when the command line is read. */
export function numberFrom(minimum: number, maximum: number, name: string) {
  return (value: number): number => {
    if (!(value >= minimum && value <= maximum))
      throw new UsageError(`--${name} must be a number from ${minimum} to ${maximum}.`);
    return value;
  };
}
