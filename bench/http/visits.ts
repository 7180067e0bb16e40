/**
 * A thousand visitors a second of a published map, from ten thousand addresses behind a trusted proxy: processor time of each with and without
 * counts, records, and the GETs of another client meanwhile. And a million beacons with identifiers that no map has.
 */
import http from 'node:http';
import { call, type Request, type Target } from '../lib/ask.ts';
import { rowOf, rowOfOurs, said } from '../lib/rows.ts';
import { paced } from '../load/paced.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import { noSnapshots, type Probed, startProbed } from '../scale/probed.ts';
import { artboardOf, makeProject, objectsPath } from './world.ts';

const perSecond = { full: 1000, tiny: 20 };
const gets = { full: 200, tiny: 20 };
const addresses = 10_000;
const places = 200;
/** One record a minute. */
const seconds = { full: 65, tiny: 2 };
const madeUp = { full: 1_000_000, tiny: 200 };
const madeUpPerSecond = { full: 4000, tiny: 200 };
const idsPerBeacon = 20;
const connections = 64;

const proxied = (n: number) => ({ 'x-forwarded-for': `10.${1 + (n >> 14)}.${(n >> 7) & 127}.${n & 127}` });

interface Published {
  readonly seen: string;
  /** Identifiers of its places. */
  readonly ids: readonly string[];
  /** A GET of one object, with the key. */
  readonly get: Request;
}

async function publish(server: Target): Promise<Published> {
  const made = await makeProject(
    server,
    Array.from({ length: places }, (_, i) => ({ type: 'spot', name: `Place ${i}` })),
  );
  const ids = artboardOf(made).objects.map(({ id }) => id);
  const { slug } = await call<{ readonly slug: string }>(server, 'PUT', `/projects/${made.id}/publication`, { refresh: 0 });
  return { seen: `/p/${slug}/seen`, ids, get: { method: 'GET', path: `/api/v1${objectsPath(made)}/${ids[0]}` } };
}

const rootOf = ({ url, key }: Target): Target => ({ url: url.replace(/\/api\/v1$/, ''), key });

const beacon = (path: string, body: object, n: number): Request => ({
  ...{ method: 'POST', path, body: JSON.stringify(body), headers: proxied(n % addresses) },
});

interface Measured {
  /** Processor time of a visitor, in microseconds. */
  readonly us: number;
  /** The time of the GETs, in milliseconds. */
  readonly p99: number;
  /** Records written in a minute. */
  readonly records: number;
}

/** A visitor asks for the map, and says that it was opened, and later which places, where the server counts that. */
async function measure(server: Probed, { seen, ids, get }: Published, sendsBeacons: boolean, tiny: boolean): Promise<Measured> {
  const [length, rate] = tiny ? [seconds.tiny, perSecond.tiny] : [seconds.full, perSecond.full];
  const each = <T>(make: (n: number) => T): T[] => Array.from({ length: addresses }, (_, n) => make(n));
  const pointer = seen.replace(/seen$/, 'map.json');
  const streams = [
    { requests: [get], perSecond: tiny ? gets.tiny : gets.full },
    { requests: each((n): Request => ({ method: 'GET', path: pointer, headers: proxied(n) })), perSecond: rate },
    ...(sendsBeacons
      ? [
          { requests: each((n) => beacon(seen, { opened: true }, n)), perSecond: rate },
          { requests: each((n) => beacon(seen, { places: [0, 7, 31].map((i) => ids[(n + i) % places]) }, n)), perSecond: rate },
        ]
      : []),
  ];
  const before = { cpuUs: (await server.vitals()).cpuUs, records: await recordsOf(server) };
  const started = performance.now();
  const [others, visitors] = (await paced({ target: rootOf(server), streams, connections, seconds: length, leadSeconds: 1 }))
    .streams;
  const minutes = (performance.now() - started) / 60_000;
  return {
    us: ((await server.vitals()).cpuUs - before.cpuUs) / (visitors?.sent ?? 1),
    p99: others?.p99 ?? 0,
    records: ((await recordsOf(server)) - before.records) / minutes,
  };
}

async function recordsOf(server: Target): Promise<number> {
  const text = await new Promise<string>((resolve, reject) => {
    http
      .get(`${rootOf(server).url}/metrics`, { agent: false }, (res) => {
        let all = '';
        res.setEncoding('utf8').on('data', (part: string) => {
          all += part;
        });
        res.on('end', () => resolve(all));
      })
      .on('error', reject);
  });
  return Number(/^mapwright_wal_records_total (\d+)$/m.exec(text)?.[1]);
}

/** By how many megabytes beacons with made-up identifiers let the memory of a server grow. */
async function growth(server: Probed, { seen }: Published, tiny: boolean): Promise<number> {
  const rate = tiny ? madeUpPerSecond.tiny : madeUpPerSecond.full;
  const count = tiny ? madeUp.tiny : madeUp.full;
  const idOf = (n: number) => `019b76da-a800-7000-8000-${n.toString(16).padStart(12, '0')}`;
  const requests = Array.from({ length: addresses }, (_, n) =>
    beacon(seen, { places: Array.from({ length: idsPerBeacon }, (__, i) => idOf(n * idsPerBeacon + i)) }, n),
  );
  const load = { target: rootOf(server), streams: [{ requests, perSecond: rate }], connections, leadSeconds: 1 };
  // The first minute fills the table of addresses, and warms the program up.
  await paced({ ...load, seconds: count / rate / 10 });
  const held = async () => {
    const { heapBytes, externalBytes } = await server.vitals('collect');
    return heapBytes + externalBytes;
  };
  const before = await held();
  await paced({ ...load, seconds: count / rate });
  return ((await held()) - before) / 1e6;
}

interface Others {
  readonly name: string;
  readonly results: readonly Measured[];
}

async function run({ program, rounds, tiny, alone, say }: Context): Promise<Row[]> {
  const flags = [...noSnapshots, '--trust-proxy', 'loopback'];
  const counting = await startProbed(program, { flags });
  const silent = alone ? undefined : await startProbed(program, { flags: [...flags, '--no-counts'] });
  const results: Measured[] = [];
  const without: Measured[] = [];
  /** The same requests, to a server that counts nothing. */
  const ignored: Measured[] = [];
  let grown = 0;
  try {
    const map = await publish(counting);
    const other = silent && (await publish(silent));
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      say(`visits: round ${round + 1}`);
      results.push(await measure(counting, map, true, tiny));
      if (silent !== undefined && other !== undefined) {
        without.push(await measure(silent, other, false, tiny));
        ignored.push(await measure(silent, other, true, tiny));
      }
      const figures = ({ us, p99 }: Measured) => `${us.toFixed(0)} us, p99 ${p99.toFixed(1)} ms`;
      say(`visits: ${[results, without, ignored].flatMap((all) => all.slice(-1).map(figures)).join('; ')}`);
    }
    grown = await growth(counting, map, tiny);
  } finally {
    await counting.stop();
    await silent?.stop();
  }
  const who = `${tiny ? perSecond.tiny : perSecond.full} visitors a second of a published map`;
  const beside = (
    what: string,
    unit: string,
    others: Others,
    of: (measured: Measured) => number,
    note: string,
    goal?: Goal,
  ): Row =>
    alone
      ? rowOfOurs(what, unit, results.map(of), note)
      : rowOf(what, unit, results.map(of), { name: others.name, results: others.results.map(of) }, note, goal);
  const withoutCounts = { name: 'without counts', results: without };
  const uncounted = { name: 'the same requests, not counted', results: ignored };
  const rows = [
    beside(`processor time of one of ${who}`, 'us', withoutCounts, ({ us }) => us, 'three requests; one without counts'),
    beside(`processor time of counting one of ${who}`, 'us', uncounted, ({ us }) => us, 'three requests in both'),
    beside(`p99 of a GET beside ${who}`, 'ms', withoutCounts, ({ p99 }) => p99, `${gets.full} a second`, { atMost: 1.1 }),
    beside(`p99 of a GET beside ${who} and their requests`, 'ms', uncounted, ({ p99 }) => p99, `${gets.full} a second`),
    rowOfOurs(
      `records for ${who}`,
      '/min',
      results.map(({ records }) => records),
      `${addresses} addresses, ${places} places`,
      tiny ? undefined : { atMost: 1 },
    ),
    rowOfOurs(`heap after ${tiny ? madeUp.tiny : madeUp.full} beacons with made-up identifiers`, 'MB more', [grown]),
  ];
  for (const row of rows) say(said(row));
  return rows;
}

export const visits: Bench = {
  name: 'visits',
  about: 'visitors of a published map with and without counts, and beacons with made-up identifiers',
  run,
};
