/**
 * Options, each declared once, in the room that it concerns. Derived from a declaration: the types and the checks of `createServer`, the flag
 * of `serve` with its help, its environment variable and its line in a file, and its row in docs/configuration.md.
 */
import { durationMs } from './text/time.ts';

export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
export const gibibyte = 1024 * mebibyte;
export const second = 1000;
const dayMs = 86_400 * second;

/** Groups of flags in the order of the help and of docs/configuration.md, with an introduction for the document. */
export const optionGroups = {
  Address: '',
  API: '',
  Pages: '',
  'Single sign-on':
    'People sign in to the console [with OpenID Connect](operations.md#single-sign-on), beside invitations. `--oidc-issuer`\nneeds `--oidc-client`, a client secret, a whole `--public-url`, and the package `openid-client`.',
  'Live maps': '',
  'Log and snapshots': '',
  Backups: '',
  Memory: '',
  'Limits on clients': '',
  'Default limits of accounts': 'For accounts without [their own limits](api.md#account-limits).',
  Cluster: 'For a node of a [cluster](cluster.md). `--sync`, `--backup-dir` and `--metrics-listen` do not apply to it.',
  'Logging and output': '',
} as const;

/** Markdown without links and code marks. */
export const plainText = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');

export interface Flag<Name extends string> {
  /** Without dashes. */
  readonly flag: Name;
  readonly group: keyof typeof optionGroups;
  /** Text of docs/configuration.md in Markdown, without a full stop; the help shows it as plain text. */
  readonly help: string;
  /** Whether `--help` shows the flag without `--all`. */
  readonly common?: true;
  /** The default in words, where there is none that can be given. */
  readonly defaultWords?: string;
  /**
   * The option changes responses, so all nodes of a cluster must have the same value. `if-set`: nodes that leave it out agree with those of
   * earlier versions, which do not have it; new options have this.
   */
  readonly shared?: 'always' | 'if-set';
}

export type OptionKind = 'string' | 'number' | 'boolean' | 'function' | 'object' | 'array';
type Range = readonly [byDefault: number, least: number, most: number];

/** A declared option. `Value` includes `undefined` if the flag has no default; `Name` is `never` for an option without a flag. */
export interface Option<Value, Name extends string = string> extends Partial<Flag<Name>> {
  readonly kind: OptionKind;
  /** The default as the flag would give it. */
  readonly byDefault?: string | number | boolean | undefined;
  /** The option where it is left out: a text is empty, and a quota `none`, if there is none. */
  readonly omitted?: unknown;
  /** The accepted texts, if they are a few words. */
  readonly choices?: readonly string[];
  /** The declarations of an object's members. */
  readonly members?: Options;
  /** The argument of a flag. Throws {@link InvalidOption}. */
  parse(given: unknown): Value;
  /** The option in a parsed argument; `undefined` leaves it out. */
  fromFlag(argument: NonNullable<Value>): Value | undefined;
  /** What is wrong with a value of this kind from an embedding program: words that follow the option's name. */
  problemOf(value: NonNullable<Value>): string | undefined;
}

/** A number with its default and bounds. */
export interface NumberOption<Name extends string = string> extends Option<number, Name> {
  readonly range: Range;
}

// biome-ignore lint/suspicious/noExplicitAny: a value of any type, in a parameter, too
export type Options = Readonly<Record<string, Option<any, any>>>;

/** The type of the options that are declared; the comments of the declarations are theirs. */
export type ValuesOf<Declared extends Options> = {
  readonly [Name in keyof Declared]?: Declared[Name] extends Option<infer Value, infer _> ? Exclude<Value, undefined> : never;
};

/** An argument is invalid. The message follows the option's name and has no full stop. */
export class InvalidOption extends Error {}

/** Two options that are valid one by one contradict each other. `problem` follows the name of `option`, and has no full stop. */
export interface Contradiction {
  readonly option: string;
  readonly problem: string;
}

/** How a contradiction names the other option: by its name for an embedding program, or as a flag. */
export interface OptionWords {
  name(option: string): string;
  /** A switch that is off. */
  off(option: string): string;
  /** A value of it in its unit. */
  value(option: string, value: number): number;
}

/** Words for an embedding program. */
export const optionWords: OptionWords = {
  name: (name) => `"${name}"`,
  off: (name) => `"${name}: false"`,
  value: (_, value) => value,
};

const same = <Value>(value: Value): Value => value;
const fine = (): undefined => undefined;
/** For an argument whose type the parser has checked. */
const checked = <Value>(given: unknown): Value => given as Value;

/** An option for embedding programs, without a flag. */
export function option<Value>(kind: OptionKind, problemOf: (value: Value) => string | undefined = fine): Option<Value, never> {
  return { kind, parse: checked<Value>, fromFlag: same, problemOf };
}

/** An option whose value is an object of options, each of which may have a flag. */
export function group<Value>(members: Options): Option<Value, never> {
  return { ...option<Value>('object'), members };
}

export function toggle<const Name extends string, Default extends boolean | undefined>(
  declared: Flag<Name> & { byDefault: Default },
): Option<boolean | Default, Name> {
  return { ...declared, kind: 'boolean', omitted: declared.byDefault, parse: checked<boolean>, fromFlag: same, problemOf: fine };
}

/**
 * A number; the flag has the same default and bounds in its unit.
 *
 * @param declared `unit`: the option's value for 1 of the flag, default 1; `multiple`: the argument of the flag is rounded to multiples;
 *   `count`: without a fraction
 */
export function number<const Name extends string>(
  declared: Flag<Name> & { range: Range; unit?: number; multiple?: number; count?: true },
): NumberOption<Name> {
  const { range, unit = 1, multiple = 0, count = false, ...flag } = declared;
  const [byDefault, least, most] = range;
  // A byte is a long fraction of a MiB.
  const minimum = least === 0 || count ? least : Math.max(0.001, least / unit);
  const whole = count ? ', without a fraction' : '';
  const parse = (given: unknown): number => {
    const value = checked<number>(given);
    if (value >= minimum && value <= most / unit && (!count || Number.isInteger(value))) return value;
    throw new InvalidOption(`must be a number from ${minimum} to ${most / unit}${whole}`);
  };
  const fromFlag = (value: number): number => (multiple === 0 ? value * unit : Math.round((value * unit) / multiple) * multiple);
  const problemOf = (value: number): string | undefined => {
    if (!(value >= least && value <= most && (!count || Number.isInteger(value))))
      return `must be a number from ${least} to ${most}${whole}`;
    return multiple !== 0 && value % multiple !== 0 ? `must be a multiple of ${multiple}` : undefined;
  };
  return { ...flag, range, kind: 'number', byDefault: byDefault / unit, omitted: byDefault, parse, fromFlag, problemOf };
}

/**
 * A time in milliseconds; the flag is a text such as `30m`.
 *
 * @param declared `least` and `most` in milliseconds, default: a second and 366 days; `short`: the flag may have milliseconds (`500ms`), or be
 *   a number of seconds
 */
export function duration<const Name extends string>(
  declared: Flag<Name> & { byDefault: string; least?: number; most?: number; short?: true },
): NumberOption<Name> {
  const { least = second, most = 366 * dayMs, short, ...flag } = declared;
  const words = short
    ? `10s, from ${least}ms to ${most / second}s`
    : `30m, 6h or 1d, from ${least / second}s to ${most / dayMs}d`;
  const msOf = (given: string): number => {
    if (short && /^\d+ms$/.test(given)) return Number.parseInt(given, 10);
    return durationMs(short && /^\d+$/.test(given) ? `${given}s` : given) ?? Number.NaN;
  };
  const parse = (given: unknown): number => {
    const ms = msOf(String(given));
    if (ms >= least && ms <= most) return ms;
    throw new InvalidOption(`is "${given}". It must be a duration such as ${words}`);
  };
  const problemOf = (ms: number) => (ms >= least && ms <= most ? undefined : `must be a number from ${least} to ${most}`);
  const range = [msOf(declared.byDefault), least, most] as const;
  return { ...flag, range, kind: 'number', omitted: range[0], parse, fromFlag: same, problemOf };
}

/**
 * A text.
 *
 * @param declared `problemOf` checks it: words that follow the option's name; `off`: the default, which leaves the option out;
 *   `normal`: the normal form of a valid argument; `omitted`: what a missing one means; `orNumber`: a
 *   configuration file may give a number
 */
export function text<const Name extends string, Default extends string | undefined = undefined>(
  declared: Flag<Name> & {
    byDefault?: Default;
    problemOf?: (text: string) => string | undefined;
    off?: string;
    normal?: (text: string) => string;
    omitted?: string;
    orNumber?: true;
  },
): Option<string | Default, Name> {
  const { off, byDefault = off, omitted = byDefault ?? '', problemOf = fine, normal = same, orNumber, ...flag } = declared;
  const parse = (given: unknown): string | Default => {
    if (given === undefined || given === off) return checked<string | Default>(given);
    // A negated flag is `false`; a configuration file may give anything.
    const isText = typeof given === 'string' || (orNumber && typeof given === 'number');
    const value = String(given);
    const problem = problemOf(value) ?? (isText ? undefined : (problemOf('') ?? 'needs a text'));
    if (problem !== undefined) throw new InvalidOption(off ? `${problem}, or ${off}` : problem);
    return normal(value);
  };
  const fromFlag = (value: string | NonNullable<Default>) => (value === off ? undefined : value);
  return { ...flag, kind: 'string', byDefault, omitted, parse, fromFlag, problemOf };
}

/** One of a few words. */
export function choice<const Name extends string, const Word extends string, const Default extends Word | undefined>(
  declared: Flag<Name> & { choices: readonly Word[]; byDefault: Default },
): Option<Word | Default, Name> & { readonly byDefault: Default } {
  const { choices } = declared;
  const problemOf = (word: Word) => (choices.includes(word) ? undefined : `must be one of ${choices.join(', ')}`);
  return { ...declared, kind: 'string', parse: checked<Word>, fromFlag: same, problemOf };
}

/** Texts; the flag has commas between them, or is repeated. */
export function list<const Name extends string>(
  declared: Flag<Name> & { problemOf: (list: readonly string[]) => string | undefined },
): Option<readonly string[], Name> {
  const parse = (given: unknown): readonly string[] => {
    const elements = given === '' ? [] : String(given).split(',');
    const problem = elements.includes('') ? 'has an empty element. Remove the extra comma' : declared.problemOf(elements);
    if (problem !== undefined) throw new InvalidOption(problem);
    return elements;
  };
  const fromFlag = (elements: readonly string[]) => (elements.length === 0 ? undefined : elements);
  return { ...declared, kind: 'array', byDefault: '', omitted: [], parse, fromFlag };
}

/** A limit that may be absent: the flag is a whole number or `none`. */
export function quota<const Name extends string>(
  declared: Flag<Name> & { byDefault?: number; most?: number; unit?: number; none?: number },
): Option<number, Name> {
  const { byDefault = 'none', most = Number.MAX_SAFE_INTEGER, unit = 1, none, ...flag } = declared;
  const parse = (given: unknown): number => {
    if (given === 'none') return Number.POSITIVE_INFINITY;
    const count = given === '' ? Number.NaN : Number(given);
    if (Number.isInteger(count) && count >= 0 && count <= most) return count;
    throw new InvalidOption(`is "${given}". It must be a number from 0 to ${most}, without a fraction, or none`);
  };
  const fromFlag = (count: number) => (count === Number.POSITIVE_INFINITY ? none : count * unit);
  const problemOf = (count: number) => (Number.isSafeInteger(count) && count >= 0 ? undefined : 'must be a non-negative integer');
  return { ...flag, kind: 'number', byDefault: `${byDefault}`, omitted: byDefault, parse, fromFlag, problemOf };
}
