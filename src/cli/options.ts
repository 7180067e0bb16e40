/**
 * Options: declared once per command, read from flags, the environment and a configuration file. The environment and the file are
 * shared by all commands, so a name there must be an option of some command, and a command takes only its own.
 */
import type { Argv, Options } from 'yargs';
import { suggest } from '../lib/suggest.ts';

/** Wrong usage: told without ceremony, exit code 2. */
export class UsageError extends Error {}

const prefix = 'MAPWRIGHT_';
const booleans = new Set<string>();
/** What an option's value is, where there is more to say than that it needs one. */
const values = new Map([
  ['data', 'the name of a folder'],
  ['config', 'the name of a file'],
  ['account', 'the name of an account'],
  ['cors', 'an origin, such as https://editor.example'],
  ['public-url', 'an address, such as https://maps.example.com'],
  ['trust-proxy', 'addresses, such as loopback or 10.0.0.0/8, or how many proxies there are'],
]);

/** Options that may be given more than once, or once with commas between. */
const lists: readonly string[] = ['project', 'cors', 'trust-proxy'];

/** Every option of every command. */
export const known = new Set(['config']);

/** The command that is being read from the command line, as far as it is known. */
export const commandHere: {
  /** Its name, with those of the commands above it. */
  name: string;
  /** Commands that may stand here; none where the command is complete. */
  commands: readonly string[];
  options: ReadonlySet<string>;
  /** Said when an argument is missing. */
  needs?: string | undefined;
  /** Options that were given as flags, whichever command has them. */
  flags: ReadonlySet<string>;
  /** The file of --config, and the options in it. */
  file?: { readonly path: string; readonly names: ReadonlySet<string> };
  /** What was said of each option, by a flag, the environment, the file or its default, before anything was made of it. */
  given: Map<string, unknown>;
} = { name: '', commands: [], options: new Set(), flags: new Set(), given: new Map() };

/** Where the value of an option comes from: the strongest of those that have one. */
export interface Source {
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** What somebody has to change to change it, as it stands in a sentence. */
  readonly words: string;
}

export function sourceOf(name: string): Source {
  if (commandHere.flags.has(name)) return { from: 'flag', words: `--${name}` };
  const variable = variableOf(name);
  if (process.env[variable] !== undefined) return { from: 'environment', words: variable };
  const { file } = commandHere;
  if (file?.names.has(name)) return { from: 'file', words: `"${name}" in the file ${file.path}` };
  return { from: 'default', words: `--${name}` };
}

/** The option by the name under which it was given: its flag, its variable, or where it stands in a file. */
export const asGiven = (name: string): string => sourceOf(name).words;

export const dataOption = {
  data: { type: 'string', default: 'data/store', describe: 'Folder in which everything is kept', coerce: folderName },
} as const;

export const jsonOption = {
  json: { type: 'boolean', default: false, describe: 'Print JSON, for programs' },
} as const;

/** Below the help of commands that reach a running server through the data folder. */
export const whileItRuns = 'It works while a server has the folder open, and while none does.';

/**
 * A builder for a command with these options.
 * @param needs what to say when an argument is missing
 */
export function withOptions(options: Readonly<Record<string, Options>>, needs?: () => string) {
  for (const [name, { type }] of Object.entries(options)) {
    known.add(name);
    if (type === 'boolean') booleans.add(name);
  }
  return (yargs: Argv): Argv<never> => {
    commandHere.commands = [];
    commandHere.options = new Set(Object.keys(options));
    commandHere.given = new Map();
    commandHere.needs = needs?.();
    for (const [variable, value = ''] of Object.entries(process.env)) {
      const name = optionOf(variable);
      if (name === undefined || name === 'config') continue;
      if (!Object.hasOwn(options, name)) delete process.env[variable];
      else if (value === '') throw new UsageError(`The environment has ${variable} without a value: give it one, or unset it.`);
      else if (isBoolean(name)) process.env[variable] = String(truth(value, variable));
    }
    return yargs.options(noted(options)) as Argv<never>;
  };
}

/** The options, with a note taken of what is said of each before it is coerced. */
function noted(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const { coerce = (value: unknown) => value } = option;
      const noting = (value: unknown): unknown => {
        commandHere.given.set(name, value);
        return coerce(value);
      };
      // Those without a heading of their own are not to stand behind what every command has.
      return [name, { group: 'Options:', ...option, coerce: noting }];
    }),
  );
}

/** The options with the headings of their help. */
export function inGroups<Declared extends Readonly<Record<string, Options>>>(
  groups: Readonly<Record<string, readonly string[]>>,
  options: Declared,
): Declared {
  const headings = new Map(Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group])));
  const grouped = Object.entries(options).map(([name, option]) => [
    name,
    { ...option, group: headings.get(name) ?? option.group },
  ]);
  return Object.fromEntries(grouped);
}

/** Throws a {@link UsageError} for a variable that looks like ours and is not. */
export function checkEnvironment(): void {
  for (const [variable, value] of Object.entries(process.env)) {
    const name = optionOf(variable);
    if (name === 'config' && value === '') throw new UsageError(`The environment has ${variable} without a value: unset it.`);
    if (name !== undefined && !known.has(name)) {
      const names = [...known].map(variableOf).sort();
      throw new UsageError(`The environment has ${variable}, which is no option. ${meantOrAll(variable, names)}`);
    }
  }
}

const variableOf = (name: string): string => prefix + name.toUpperCase().replaceAll('-', '_');

/** What was probably meant; where nothing is near, all that there is. */
export function meantOrAll(name: string, names: readonly string[], shown: (name: string) => string = String): string {
  const meant = suggest(name, names);
  return meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${shown(meant)}?`;
}

function optionOf(variable: string): string | undefined {
  return variable.startsWith(prefix) ? variable.slice(prefix.length).toLowerCase().replaceAll('_', '-') : undefined;
}

/** Whether any command has an option of that name. */
export function isOption(name: string): boolean {
  return known.has(name);
}

/** What has to stand behind an option that is no switch, for a sentence that says that it does not. */
export function needsValue(name: string): string {
  return values.get(name) ?? 'a value';
}

/** An option's name as it is declared: `segment-mb` for `segmentMb`. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether the option is a switch. */
export function isBoolean(name: string): boolean {
  return booleans.has(name);
}

/** A switch as people write one. `where` names it in the refusal of anything else. */
export function truth(text: string, where: string): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new UsageError(`${where} must be true or false (or 1, yes, on; 0, no, off).`);
}

function folderName(value: string): string {
  return textFor('data')(value);
}

/** Text that is not empty. */
export function textFor(name: string) {
  return (value: unknown): string => {
    if (typeof value !== 'string' || value === '') throw new UsageError(`${asGiven(name)} needs ${needsValue(name)}.`);
    return value;
  };
}

/** A number within bounds, checked when the command line is read. */
export function numberFrom(minimum: number, maximum: number, name: string) {
  return (value: number | undefined): number => {
    if (value === undefined || !(value >= minimum && value <= maximum))
      throw new UsageError(`${asGiven(name)} must be a number from ${minimum} to ${maximum}.`);
    return value;
  };
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time span as people write one, such as 30m, 6h or 1d, from a second to a year; in milliseconds. */
export function durationMs(name: string) {
  return (text: string): number => {
    const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(String(text)) ?? [];
    const ms = Number(amount) * (unitsMs[unit] ?? 0);
    if (!(ms >= 1000 && ms <= 366 * 86_400_000))
      throw new UsageError(`${asGiven(name)} must be a time span such as 30m, 6h or 1d.`);
    return ms;
  };
}

/** The same for a number of things. */
export function integerFrom(minimum: number, maximum: number, name: string) {
  return (value: number | undefined): number => {
    if (value === undefined || !(Number.isInteger(value) && value >= minimum && value <= maximum))
      throw new UsageError(`${asGiven(name)} must be a number from ${minimum} to ${maximum}, without a fraction.`);
    return value;
  };
}

/** A check by the layer below, whose refusal is then one of usage. The text stays as it is: what it means is decided where it is used. */
export function checkedAs(name: string, check: (text: string) => unknown) {
  return <T extends string | undefined>(text: T): T => {
    try {
      if (text !== undefined) check(text);
      return text;
    } catch (error) {
      const { from, words } = sourceOf(name);
      // Whoever typed the flag knows which one it is.
      throw new UsageError(`${from === 'flag' ? '' : `${words}: `}${(error as Error).message}`);
    }
  };
}

/** The elements of an option that is a list. */
export function listFrom(name: string) {
  return (text: string): string[] => {
    const elements = text.split(',');
    if (text !== '' && elements.includes('')) throw new UsageError(`${asGiven(name)} needs a value.`);
    return text === '' ? [] : elements;
  };
}

/** The command line with every option that is a list in one place: of any other that is given twice the last one counts. */
export function withListsJoined(args: readonly string[]): string[] {
  return lists.reduce((rest, name) => joined(rest, `--${name}`), [...args]);
}

function joined(args: readonly string[], flag: string): string[] {
  const values: string[] = [];
  const others: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      others.push(...args.slice(i));
      break;
    }
    if (arg.startsWith(`${flag}=`)) values.push(arg.slice(flag.length + 1));
    else if (arg === flag) values.push(args[++i] ?? '');
    else others.push(arg);
  }
  // Ahead of the `--` that ends the options.
  return values.length === 0 ? others : [`${flag}=${values.join(',')}`, ...others];
}
