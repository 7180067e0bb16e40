/**
 * A live map with a thousand viewers, who ask every five seconds while the data change: processor time of the server, fetches of the data
 * source, and what a durable POST and a GET of another client wait meanwhile.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, type Target } from '../lib/ask.ts';
import { rowOfOurs } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import { paced } from '../load/paced.ts';
import type { Stream } from '../load/paced-client.ts';
import type { Bench, Context, Row } from '../row.ts';
import { noSnapshots, type Probed, startProbed } from '../scale/probed.ts';
import { artboardOf, makeProject, objectsPath } from './world.ts';

const viewers = { full: 1000, tiny: 10 };
const refreshS = 5;
/** Items of the response: each becomes a spot. */
const items = { full: 200, tiny: 5 };
const perSecond = { post: 50, get: 200 };
const rates = `${perSecond.post} POSTs and ${perSecond.get} GETs per second beside them`;
const connections = 64;
/** Several refreshes. */
const seconds = { full: 30, tiny: 6 };

/** A data source whose values change with each request. */
async function startSource(count: number): Promise<{ server: Server; host: string; fetches: () => number }> {
  let fetches = 0;
  const server = createServer((_, res) => {
    fetches++;
    res.end(JSON.stringify(Array.from({ length: count }, (_, i) => ({ id: `v${i}`, x: (i * 7 + fetches) % 800, y: i % 600 }))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, fetches: () => fetches };
}

/** Publishes a map with a spot for each item of the data source. Returns the path of its newest evaluation. */
async function publishLive(target: Target, host: string): Promise<string> {
  const made = await makeProject(target, [{ type: 'spot' }]);
  const at = `/projects/${made.id}`;
  const post = async (path: string, body: object): Promise<string> => (await call(target, 'POST', `${at}${path}`, body)).id;
  const node = (key: string) => ({ nodes: [{ id: 'n', key }], node_id: 'n' });
  const source = await post('/data-sources', { name: 'Visitors', url: `http://${host}/` });
  const iterator = await post('/variables', { name: 'Each', type: 'iterator', data_source_id: source });
  const member = (key: string) =>
    post('/variables', { name: key, type: 'primitive-from-iterator', iterator_id: iterator, data_path: node(key) });
  const [x, y] = [await member('x'), await member('y')];
  await post('/actions', {
    ...{ type: 'create-spots', create_object_target_artboard_id: artboardOf(made).id, create_object_name: 'Visitor' },
    ...{ create_spot_x_source_type: 'variable', create_spot_x_variable_id: x },
    ...{ create_spot_y_source_type: 'variable', create_spot_y_variable_id: y },
  });
  const { slug } = await call<{ slug: string }>(target, 'PUT', `${at}/publication`, { refresh: refreshS });
  return `/p/${slug}/live.json`;
}

interface Measured {
  readonly post: number;
  readonly get: number;
  /** Seconds of processor time per second. */
  readonly cores: number;
  readonly fetchesPerRefresh: number;
}

async function measure(context: Context, server: Probed, live: Stream | undefined, fetches: () => number): Promise<Measured> {
  const length = context.tiny ? seconds.tiny : seconds.full;
  const made = await makeProject(server, [{ type: 'spot' }]);
  const [object] = artboardOf(made).objects;
  const path = objectsPath(made);
  const post = { method: 'POST', path: `/api/v1${path}`, body: JSON.stringify({ type: 'spot' }) };
  const get = { method: 'GET', path: `/api/v1${path}/${object?.id}` };
  const streams: Stream[] = [
    { requests: [post], perSecond: perSecond.post },
    { requests: [get], perSecond: perSecond.get },
    ...(live === undefined ? [] : [live]),
  ];
  const before = { cpuUs: (await server.vitals()).cpuUs, fetches: fetches() };
  const target = { url: server.url.replace(/\/api\/v1$/, ''), key: server.key };
  const started = performance.now();
  const [posts, gets] = (await paced({ target, streams, connections, seconds: length, leadSeconds: 1 })).streams;
  const elapsedS = (performance.now() - started) / 1000;
  return {
    post: posts?.p99 ?? 0,
    get: gets?.p99 ?? 0,
    cores: ((await server.vitals()).cpuUs - before.cpuUs) / 1e6 / elapsedS,
    fetchesPerRefresh: ((fetches() - before.fetches) * refreshS) / elapsedS,
  };
}

async function run(context: Context): Promise<Row[]> {
  const count = context.tiny ? viewers.tiny : viewers.full;
  const source = await startSource(context.tiny ? items.tiny : items.full);
  const server = await startProbed(context.program, { flags: [...noSnapshots, '--data-hosts', source.host] });
  const [alone, watched]: [Measured[], Measured[]] = [[], []];
  try {
    const live: Stream = {
      requests: [{ method: 'GET', path: await publishLive(server, source.host) }],
      perSecond: count / refreshS,
    };
    for (let round = 0; round < context.rounds; round++) {
      context.say(`live map: round ${round + 1}`);
      alone.push(await measure(context, server, undefined, source.fetches));
      watched.push(await measure(context, server, live, source.fetches));
    }
  } finally {
    await server.stop();
    source.server.close();
  }
  const who = `${count} viewers who ask every ${refreshS} s`;
  const p99 = (name: string, what: 'post' | 'get'): Row => {
    const without = median(alone.map((each) => each[what])).toFixed(1);
    const results = watched.map((each) => each[what]);
    return rowOfOurs(`p99 of ${name} beside ${who}`, 'ms', results, `${rates}; ${without} ms without viewers`);
  };
  return [
    p99('a durable POST', 'post'),
    p99('a GET', 'get'),
    rowOfOurs(
      `processor time for ${who}`,
      'cores',
      watched.map(({ cores }, i) => cores - (alone[i]?.cores ?? 0)),
      'above that without viewers',
    ),
    rowOfOurs(
      `fetches per refresh for ${who}`,
      '',
      watched.map(({ fetchesPerRefresh }) => fetchesPerRefresh),
      undefined,
      { atMost: 1.2 },
    ),
  ];
}

export const liveMap: Bench = {
  name: 'live-map',
  about: `a live map with ${viewers.full} viewers whose data change every ${refreshS} s`,
  run,
};
