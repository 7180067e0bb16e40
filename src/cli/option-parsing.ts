/**
 * Options: each is declared once per command, and read from flags, the environment and a configuration file. All commands share the
 * environment and the file. A name there must be an option of some command; each command takes only its own options.
 */
import type { Argv, InferredOptionType, Options, PositionalOptions } from 'yargs';
import { shardsMax } from '../cluster/database/tables.ts';
import { suggest } from '../lib/text/suggest.ts';

/** Wrong usage: printed without further details, exit code 2. */
export class UsageError extends Error {}

const prefix = 'MAPWRIGHT_';
const booleans = new Set<string>();
/** Values of options, for messages that a value is missing. */
const values = new Map([
  ['data', 'the name of a folder'],
  ['from', 'the name of a folder'],
  ['into', 'the name of a folder, or of a project for import'],
  ['config', 'the name of a file'],
  ['account', 'the name of an account'],
  ['cors', 'an origin, such as https://editor.example'],
  ['public-url', 'an address, such as https://maps.example.com'],
  ['oidc-issuer', 'an address, such as https://login.example.com/realms/maps'],
  ['oidc-domain', 'DOMAIN=ACCOUNT:ROLE, such as example.com=acme:viewer'],
  ['trust-proxy', 'addresses, such as loopback or 10.0.0.0/8, or the number of proxies'],
]);

/** Options that may be repeated, or given once with commas, or what else separates their elements. */
const lists: Readonly<Record<string, string>> = {
  ...{ project: ',', cors: ',', 'trust-proxy': ',', 'data-hosts': ',', 'oidc-domain': ',', origins: ',', map: ',', fields: ',' },
  tiles: '||',
};

/** Joins the elements of a list of an option. */
export const joinedList = (name: string, elements: readonly string[]): string => elements.join(lists[name] ?? ',');

/** All options of the commands that are loaded. */
export const known = new Set(['config']);

/** What is known about the command line so far. */
export const parseContext: {
  /** Name of the command, with its parent commands. */
  name: string;
  /** Possible subcommands; empty for a complete command. */
  commands: readonly string[];
  options: ReadonlySet<string>;
  /** The message for a missing argument. */
  needs?: string | undefined;
  /** Options given as flags, known or not. */
  flags: ReadonlySet<string>;
  /** The file of --config, and its options. */
  file?: { readonly path: string; readonly names: ReadonlySet<string> } | undefined;
  /** The value of each option from a flag, the environment, the file or its default, before coercion. */
  given: Map<string, unknown>;
} = { name: '', commands: [], options: new Set(), flags: new Set(), given: new Map() };

/** The arguments of a handler: the value of each option by its name in camel case, and as declared. */
export type ArgumentsOf<O extends Readonly<Record<string, Options | PositionalOptions>>> = {
  [Name in keyof O & string as Name | CamelCase<Name>]: InferredOptionType<O[Name]>;
};
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** The source of an option's value: the one with the highest precedence. */
interface OptionSource {
  readonly from: 'flag' | 'environment' | 'file' | 'default';
  /** The name of the option there, for messages. */
  readonly words: string;
}

export function sourceOf(name: string): OptionSource {
  if (parseContext.flags.has(name)) return { from: 'flag', words: `--${name}` };
  const variable = variableOf(name);
  if (process.env[variable] !== undefined) return { from: 'environment', words: variable };
  const { file } = parseContext;
  if (file?.names.has(name)) return { from: 'file', words: `"${name}" in the file ${file.path}` };
  return { from: 'default', words: `--${name}` };
}

/** The option as the user gave it: its flag, its variable, or its name in the file. */
export const asGiven = (name: string): string => sourceOf(name).words;

export const dataOption = {
  data: { type: 'string', default: 'data/store', describe: 'Data folder', coerce: folderName },
} as const;

/** Which part of a cluster a command concerns. */
export const shardOption = {
  shard: {
    type: 'number',
    describe: 'Number of the shard; required if a cluster has several',
    coerce: (value: number | undefined) => (value === undefined ? undefined : integerFrom(0, shardsMax - 1, 'shard')(value)),
  },
} as const;

export const jsonOption = {
  json: { type: 'boolean', default: false, describe: 'Print JSON, for programs' },
} as const;

/** A note in the help of commands that reach a running server through the data folder. */
export const whileItRuns = 'It works with and without a running server.';

/**
 * A yargs builder for a command with these options.
 *
 * @param needs returns the message for a missing argument
 */
export function withOptions(options: Readonly<Record<string, Options>>, needs?: () => string) {
  for (const [name, { type }] of Object.entries(options)) {
    known.add(name);
    if (type === 'boolean') booleans.add(name);
  }
  return (yargs: Argv): Argv<never> => {
    parseContext.commands = [];
    parseContext.options = new Set(Object.keys(options));
    parseContext.given = new Map();
    parseContext.needs = needs?.();
    for (const [variable, value = ''] of Object.entries(process.env)) {
      const name = optionOf(variable);
      if (name === undefined || name === 'config') continue;
      if (!Object.hasOwn(options, name)) delete process.env[variable];
      else if (value === '') throw new UsageError(`The environment variable ${variable} has no value. Set a value, or unset it.`);
      else if (isBoolean(name)) process.env[variable] = String(truth(value, variable));
    }
    return yargs.options(recordingGiven(options)) as Argv<never>;
  };
}

/** The options; each records its value in `parseContext.given` before coercion. */
function recordingGiven(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const { coerce = (value: unknown) => value } = option;
      const record = (value: unknown): unknown => {
        parseContext.given.set(name, value);
        return coerce(value);
      };
      // Without a group, yargs would list them after the options that all commands have.
      return [name, { group: 'Options:', ...option, coerce: record }];
    }),
  );
}

/** Adds headings for the help to options. */
export function inGroups<Declarations extends Readonly<Record<string, Options>>>(
  groups: Readonly<Record<string, readonly string[]>>,
  options: Declarations,
): Declarations {
  const headings = new Map(Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group])));
  const grouped = Object.entries(options).map(([name, option]) => [
    name,
    { ...option, group: headings.get(name) ?? option.group },
  ]);
  return Object.fromEntries(grouped);
}

/** Whether all MAPWRIGHT_ variables are options of the loaded commands, and none names a configuration file. */
export function isEnvironmentKnown(): boolean {
  return Object.keys(process.env).every((variable) => {
    const name = optionOf(variable);
    return name === undefined || (name !== 'config' && known.has(name));
  });
}

/** Throws a {@link UsageError} for an unknown MAPWRIGHT_ variable. Call it when the commands are loaded: see {@link isEnvironmentKnown}. */
export function checkEnvironment(): void {
  for (const [variable, value] of Object.entries(process.env)) {
    const name = optionOf(variable);
    if (name === 'config' && value === '')
      throw new UsageError(`The environment variable ${variable} has no value. Set a value, or unset it.`);
    if (name !== undefined && !known.has(name)) {
      const names = [...known].map(variableOf).sort();
      throw new UsageError(`The environment variable ${variable} is not an option. ${meantOrAll(variable, names)}`);
    }
  }
}

const variableOf = (name: string): string => prefix + name.toUpperCase().replaceAll('-', '_');

/** Suggests a similar name; without one, lists all names. */
export function meantOrAll(name: string, names: readonly string[], shown: (name: string) => string = String): string {
  const meant = suggest(name, names);
  return meant === undefined ? `Possible names: ${names.join(', ')}.` : `Did you mean ${shown(meant)}?`;
}

function optionOf(variable: string): string | undefined {
  return variable.startsWith(prefix) ? variable.slice(prefix.length).toLowerCase().replaceAll('_', '-') : undefined;
}

/** Whether a command has an option of that name. */
export function isOption(name: string): boolean {
  return known.has(name);
}

/** The value that an option needs, for messages. */
export function needsValue(name: string): string {
  return values.get(name) ?? 'a value';
}

/** The declared name of an option: `segment-mb` for `segmentMb`. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether the option is a switch. */
export function isBoolean(name: string): boolean {
  return booleans.has(name);
}

/** True if the option takes several values. */
export function isList(name: string): boolean {
  return Object.hasOwn(lists, name);
}

/** Parses the value of a switch. `where` names the switch in an error message. */
export function truth(text: string, where: string): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new UsageError(`${where} is "${text}". It must be true or false (or 1, yes, on; 0, no, off).`);
}

function folderName(value: string): string {
  return textFor('data')(value);
}

/** A check for text that is not empty. */
export function textFor(name: string) {
  return (value: unknown): string => {
    if (typeof value !== 'string' || value === '') throw new UsageError(`${asGiven(name)} needs ${needsValue(name)}.`);
    return value;
  };
}

/** An option whose value is a text; without it `undefined`. */
export const optionalText = (name: string, describe: string) =>
  ({ type: 'string', describe, coerce: (value: unknown) => (value === undefined ? undefined : textFor(name)(value)) }) as const;

/** A check for a number within bounds. */
export function numberFrom(minimum: number, maximum: number, name: string) {
  return (value: number | undefined): number => {
    if (value === undefined || !(value >= minimum && value <= maximum))
      throw new UsageError(`${asGiven(name)} must be a number from ${minimum} to ${maximum}.`);
    return value;
  };
}

/** A check for an integer within bounds. */
export function integerFrom(minimum: number, maximum: number, name: string) {
  return (value: number | undefined): number => {
    if (value === undefined || !(Number.isInteger(value) && value >= minimum && value <= maximum))
      throw new UsageError(`${asGiven(name)} must be a number from ${minimum} to ${maximum}, without a fraction.`);
    return value;
  };
}

/** Turns the error of a check into a {@link UsageError}. Returns the text unchanged; the code that uses it parses it again. */
export function checkedAs(name: string, check: (text: string) => unknown) {
  return <T extends string | undefined>(text: T): T => {
    try {
      if (text !== undefined) check(text);
      return text;
    } catch (error) {
      const { from, words } = sourceOf(name);
      // For a flag, the message already names the option.
      throw new UsageError(`${from === 'flag' ? '' : `${words}: `}${(error as Error).message}`);
    }
  };
}

/** Parses an option with several values. */
export function listFrom(name: string) {
  return (text: string): string[] => {
    const elements = text.split(',');
    if (text !== '' && elements.includes(''))
      throw new UsageError(`${asGiven(name)} has an empty element. Remove the extra comma.`);
    return text === '' ? [] : elements;
  };
}

/** Merges repeated list options into one argument each. */
export function withListsJoined(args: readonly string[]): string[] {
  return Object.keys(lists).reduce(joined, args).slice();
}

function joined(args: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  const others: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      others.push(...args.slice(i));
      break;
    }
    const [, flag = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (dashed(flag) === name) values.push(value ?? args[++i] ?? '');
    else others.push(arg);
  }
  // Before a `--`, which ends the options.
  return values.length === 0 ? others : [`--${name}=${joinedList(name, values)}`, ...others];
}
