/** Validates all server options: an embedding program may be plain JavaScript without type checks. */

import { memoryBytesDefault } from '../engine/memory/memory-budget.ts';
import { contradictionOfLimits, defaultLimits, limitOptions, limitsWith } from '../http/guard/http-limits.ts';
import { isCount } from '../http/proxy.ts';
import { type Contradiction, type Options, type OptionWords, optionWords } from '../lib/option-declaration.ts';
import { didYouMean } from '../lib/text/suggest.ts';
import { contradictionOfOidc } from './console/oidc/oidc-options.ts';
import {
  type FolderOption,
  folderOptions,
  type InMemoryServerOptions,
  type ServerOptions,
  serverOptions,
} from './server-options.ts';
import { portMax } from './telemetry/metrics-listener.ts';

/** The options of both kinds of servers. */
type AnyOptions = Partial<Omit<ServerOptions, 'inMemory'>> & { readonly inMemory?: boolean };

/** Throws a TypeError that says what is wrong and what is accepted. */
export function checkOptions(given: ServerOptions | InMemoryServerOptions): void {
  if (typeof given !== 'object' || given === null) throw noPlace();
  checkEach(given, serverOptions, 'createServer has no option', (name) => name);
  checkPlace(given);
  limitsWith(given.limits);
  if (given.backup !== undefined) checkComplete(given.backup);
  const contradiction = contradictionIn(given, optionWords);
  if (contradiction !== undefined) throw wrong(contradiction.option, contradiction.problem);
}

/** Checks names, kinds and values by the declarations. */
function checkEach(given: object, declared: Options, unknownWords: string, nameOf: (name: string) => string): void {
  for (const [name, value] of Object.entries(given)) {
    const found = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (found === undefined) throw new TypeError(`${unknownWords} "${name}"${didYouMean(name, Object.keys(declared))}`);
    if (value === undefined) continue;
    if (kindOf(value) !== found.kind) throw wrong(nameOf(name), `must be ${article(found.kind)}`);
    const problem = found.problemOf(value);
    if (problem !== undefined) throw wrong(nameOf(name), problem);
    // limitsWith checks the limits.
    if (found.members !== undefined && name !== 'limits')
      checkEach(value, found.members, `the option "${name}" of createServer has no member`, (member) => `${name}.${member}`);
  }
}

/** What contradicts each other in options that are valid one by one; `undefined`: nothing. `words` names them in the message. */
export function contradictionIn(options: AnyOptions, words: OptionWords): Contradiction | undefined {
  const { metrics, metricsListen, trustProxy, limits, memoryBytes = memoryBytesDefault(), decodedCacheBytes = 0 } = options;
  if (metricsListen !== undefined && metrics === false)
    return { option: 'metricsListen', problem: `and ${words.off('metrics')} contradict each other. Leave out one of them` };
  if (trustProxy !== undefined && isCount(trustProxy) && (limits?.connectionsPerAddressMax ?? 0) > 0)
    return {
      option: 'connectionsPerAddressMax',
      problem: `needs the addresses of your proxies in ${words.name('trustProxy')}: their number does not distinguish them from clients`,
    };
  if (decodedCacheBytes > memoryBytes) {
    const [part, whole] = [words.value('decodedCacheBytes', decodedCacheBytes), words.value('memoryBytes', memoryBytes)];
    return {
      option: 'decodedCacheBytes',
      problem: `is ${part}. It is a part of ${words.name('memoryBytes')}, which is ${whole} here, and must not exceed it. Give a smaller number, or leave it out`,
    };
  }
  return contradictionOfOidc(options, words) ?? contradictionOfLimits({ ...defaultLimits, ...limits }, words);
}

/** A schedule has no defaults, except for what it may leave out. */
function checkComplete(backup: NonNullable<ServerOptions['backup']>): void {
  for (const [name, { help }] of Object.entries(serverOptions.backup.members ?? {})) {
    if (name !== 'later' && backup[name as keyof typeof backup] === undefined) throw wrong('backup', `needs "${name}": ${help}`);
  }
}

/** A server has either a data folder, or no files at all. */
function checkPlace(options: AnyOptions): void {
  if (options.inMemory !== true) {
    if (options.data === undefined || options.data === '') throw noPlace();
    return;
  }
  for (const name of Object.keys(folderOptions) as FolderOption[]) {
    if (options[name] !== undefined)
      throw wrong(name, 'requires a data folder, which "inMemory" does not have: omit one of them');
  }
}

const noPlace = () =>
  new TypeError('createServer needs the path of a data folder: { data: "maps" }, or { inMemory: true } to store nothing');

const wrong = (name: string, what: string) =>
  new TypeError(
    Object.hasOwn(limitOptions, name) ? `the limit "${name}" ${what}` : `the option "${name}" of createServer ${what}`,
  );

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const article = (noun: string): string => `${/^[ao]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** Throws a TypeError for an invalid port or host: Node would use other texts as a socket path, and listen on all hosts without one. */
export function checkAddress(port: unknown, host: unknown): void {
  const isPort = typeof port === 'number' || (typeof port === 'string' && /^\d+$/.test(port));
  if (!(isPort && Number.isInteger(Number(port)) && Number(port) >= 0 && Number(port) <= portMax))
    throw new TypeError(`listen needs a port from 0 to ${portMax}, not "${port}"`);
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`listen needs a host, such as 127.0.0.1, or 0.0.0.0 for all interfaces, not "${host}"`);
}
