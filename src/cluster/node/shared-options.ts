/** The options that all nodes of a cluster share: a node that runs has them in its entry, and one with others does not join. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { limitsWith } from '../../http/guard/http-limits.ts';
import type { Options } from '../../lib/option-declaration.ts';
import { type ServerOptions, serverOptions } from '../../server/server-options.ts';
import type { Connection } from '../database/database-connection.ts';
import { ClusterSettingsError } from '../database/database-errors.ts';
import { findOtherOptions } from '../database/node-rows.ts';
import { runningS } from '../database/read-status.ts';

/** Options that change responses, with their defaults. */
export interface SharedOptions {
  readonly digest: string;
  /** Name to value, as JSON. */
  readonly text: string;
}

/** The options that must be equal on all nodes: a client must not notice which node owns the data. Throws a TypeError for invalid limits. */
export function sharedOptions(options: Omit<Partial<ServerOptions>, 'onFatal'>, leaseMs: number): SharedOptions {
  // A node that follows has no server that would check them.
  limitsWith(options.limits);
  const values = { lease: `${leaseMs / 1000}s`, ...sharedValues(serverOptions, options) };
  const text = JSON.stringify(Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))));
  return { digest: createHash('sha256').update(text).digest('hex').slice(0, 16), text };
}

/** The values of the options that are declared as shared. */
function sharedValues(declared: Options, given: object): Record<string, unknown> {
  const options = given as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const [name, { members, shared, omitted }] of Object.entries(declared)) {
    if (members !== undefined) Object.assign(values, named(name, sharedValues(members, options[name] ?? {})));
    if (shared === undefined) continue;
    const value = options[name] ?? omitted;
    if (shared === 'always' || value !== omitted) values[name] = Array.isArray(value) ? [...value].sort() : value;
  }
  return values;
}

const named = (group: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]));

/** As stored in `mw_node`. */
export const storedOptions = ({ digest, text }: SharedOptions): string => `${digest} ${text}`;

/** Milliseconds in which a node that runs renews its entry. */
const aliveMs = 5_000;
const pollMs = 200;

/** Refuses options that differ from those of a node that runs. An entry that is not renewed is that of a node that has ended. */
export async function refuseOtherOptions(connection: Connection, nodeId: string, own: SharedOptions): Promise<void> {
  const different = () => findOtherOptions(connection, nodeId, own.digest, runningS);
  const before = new Map((await different()).map(({ id, seen }) => [id, seen]));
  const until = performance.now() + aliveMs;
  while (before.size > 0 && performance.now() < until) {
    await delay(pollMs);
    const renewed = (await different()).find(({ id, seen }) => before.has(id) && before.get(id) !== seen);
    if (renewed === undefined) continue;
    throw new ClusterSettingsError(
      `Options that change responses differ from those of the node ${renewed.address}: ${differences(own.text, renewed.options)}. Start all nodes with the same options.`,
    );
  }
}

function differences(own: string, stored: string): string {
  const here = JSON.parse(own) as Readonly<Record<string, unknown>>;
  const there = JSON.parse(stored.slice(stored.indexOf(' ') + 1)) as Readonly<Record<string, unknown>>;
  const shown = (value: unknown): string =>
    value === undefined ? 'unknown' : typeof value === 'string' ? value : JSON.stringify(value);
  return [...new Set([...Object.keys(here), ...Object.keys(there)])]
    .filter((name) => JSON.stringify(here[name]) !== JSON.stringify(there[name]))
    .map((name) => `${name} is ${shown(here[name])} here and ${shown(there[name])} there`)
    .join('; ');
}
