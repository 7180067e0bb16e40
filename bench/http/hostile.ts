/**
 * What one account can do to another: the latency of paced GETs, measured from a process of their own, while another account sends what
 * costs a server the most. An attack that is refused is an outcome like any other; the row says what was answered.
 */
import { setMaxListeners } from 'node:events';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { ask, call, type Target } from '../lib/ask.ts';
import { said } from '../lib/rows.ts';
import { median, spread } from '../lib/statistics.ts';
import { paced } from '../load/paced.ts';
import type { Paced } from '../load/paced-client.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import { type Ours, startOurs } from '../servers/ours.ts';
import { type Attack, type Sizes, type Statuses, send, sizes } from './attack.ts';
import { publicationAttacks } from './publication-attacks.ts';
import { memoryOfStalled } from './published-map.ts';
import { getEach, type Made, makeProject, objectsPath } from './world.ts';

const getsPerSecond = 200;
const connections = 16;
const leadSecondsMax = 0.5;
const goal: Goal = { atMost: 100 };

const attacks: readonly Attack[] = [
  {
    name: 'names',
    what: 'sends a body of distinct names',
    goal,
    prepare: async (target, { bodyBytes }) => posts(target, namesBody(bodyBytes)),
  },
  {
    name: 'names-8',
    what: 'sends eight bodies of distinct names at once',
    goal,
    prepare: async (target, { bodyBytes }) => posts(target, namesBody(bodyBytes), 8),
  },
  {
    name: 'shapes-8',
    what: 'sends eight bodies of the shapes that few names make',
    goal,
    prepare: async (target, { bodyBytes }) => posts(target, shapesBody(bodyBytes), 8),
  },
  {
    name: 'polygon',
    what: 'sends the largest polygon',
    goal,
    prepare: async (target, { bodyBytes }) => {
      const made = await makeProject(target);
      return posts(target, polygonBody(bodyBytes), 1, objectsPath(made));
    },
  },
  { name: 'batch', what: 'sends a batch that changes a large project', prepare: batches },
  { name: 'streams', what: 'opens streams that catch up', prepare: streams },
  ...publicationAttacks,
];

/** Requests that are answered with whatever it is, `count` at a time. */
function posts(target: Target, body: string, count = 1, path = '/projects') {
  return (signal: AbortSignal, statuses: Statuses) =>
    Promise.all(Array.from({ length: count }, () => send(target, { method: 'POST', path, body }, signal, statuses)));
}

/** The results of each operation hold the whole project, or did. */
async function batches(target: Target, { objects, operations }: Sizes) {
  const { id } = await makeProject(
    target,
    Array.from({ length: objects }, () => ({ type: 'spot' })),
  );
  let turn = 0;
  return (signal: AbortSignal, statuses: Statuses) => {
    turn++;
    const list = Array.from({ length: operations }, (_, i) => ({ method: 'PATCH', path: '/', body: { name: `${turn}.${i}` } }));
    return send(
      target,
      { method: 'POST', path: `/projects/${id}/batch`, body: JSON.stringify({ operations: list }) },
      signal,
      statuses,
    );
  };
}

/** Streams that begin before all the changes of an account: each is read up to the newest of them. */
async function streams(target: Target, { streams: count, events }: Sizes) {
  const made = await makeProject(target);
  const { rawHeaders } = await ask(target, { method: 'GET', path: `/projects/${made.id}` });
  const etag = rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? '';
  for (let i = 1; i <= events; i++) await call(target, 'PATCH', `/projects/${made.id}`, { name: `change ${i} of ${events}` });
  const last = `change ${events} of ${events}`;
  const path = `/projects/${made.id}/events?after=${encodeURIComponent(etag.replaceAll(/^W\/|"/g, ''))}`;
  return (signal: AbortSignal, statuses: Statuses) =>
    Promise.all(Array.from({ length: count }, () => send(target, { method: 'GET', path }, signal, statuses, last)));
}

const filled = (bytes: number, before: string, after: string, item: (i: number) => string): string => {
  const items: string[] = [];
  let length = before.length + after.length;
  for (let i = 0; length < bytes; i++) {
    const next = item(i);
    length += next.length + 1;
    if (length <= bytes) items.push(next);
  }
  return before + items.join() + after;
};

const namesBody = (bytes: number): string => filled(bytes, '{"settings":{"a":[', ']}}', (i) => `{"${i.toString(36)}":0}`);

/** Three of 36 names in every order: each sequence of names is a hidden class. */
const shapesBody = (bytes: number): string =>
  filled(bytes, '{"settings":{"a":[', ']}}', (i) => {
    const [a, b, c] = [i, i / 36, i / 1296].map((digit) => Math.floor(digit % 36).toString(36));
    return `{"${a}":0,"_${b}":0,"-${c}":0}`;
  });

const polygonBody = (bytes: number): string =>
  filled(bytes, '{"type":"poly","coords":[', ']}', (i) => `{"x":${i % 1000},"y":${i % 997}}`);

/** The key of another account of a server. */
async function otherAccount(server: Ours, name: string): Promise<Target> {
  const { key } = await askServer(server.folder, 'keys.create', { account: name });
  return { url: server.url, key };
}

const sizeOf = ({ tiny }: Context): Sizes => (tiny ? sizes.tiny : sizes.full);

const benchOf = (attack: Attack): Bench => ({
  name: `hostile-${attack.name}`,
  about: `latency of ${getsPerSecond} GETs per second while another account ${attack.what}`,
  async run(context) {
    const server = await startOurs(context.program);
    try {
      const made = await makeProject(server, [{ type: 'spot' }]);
      const once = await attack.prepare(await otherAccount(server, 'other'), sizeOf(context));
      const rows = await measured(context, attack, server, made, once);
      for (const row of rows) context.say(said(row));
      return rows;
    } finally {
      await server.stop();
    }
  },
});

const stalledReaders: Bench = {
  name: 'hostile-stalled',
  about: 'memory while many connections read nothing of a large published map',
  async run(context) {
    const { streams, bodyBytes } = sizeOf(context);
    const row = await memoryOfStalled(context, streams, bodyBytes);
    context.say(said(row));
    return [row];
  },
};

export const hostile: readonly Bench[] = [...attacks.map(benchOf), stalledReaders];

type Once = Awaited<ReturnType<Attack['prepare']>>;

async function measured(context: Context, attack: Attack, server: Ours, made: Made, once: Once): Promise<Row[]> {
  const attacked: Paced[] = [];
  const idle: Paced[] = [];
  const statuses: Statuses = new Map();
  for (let round = 0; round < context.rounds; round++) {
    idle.push(await gets(context, server, made));
    attacked.push(await during(context, once, statuses, () => gets(context, server, made)));
  }
  const answered = [...statuses].map(([status, count]) => `${count} × ${status === 0 ? 'connection closed' : status}`);
  // The attacker and the client share a core: what the client was late by is part of its latencies.
  const late = Math.max(...attacked.map((result) => result.late.max));
  const note = `answered: ${answered.join(', ') || 'nothing yet'}; the client itself late by up to ${late.toFixed(1)} ms`;
  return (['p99', 'max'] as const).map((name) => {
    const of = (results: readonly Paced[]): number[] => results.map(({ streams: [stream] }) => stream?.[name] ?? 0);
    return {
      what: `GET ${name} while another account ${attack.what}`,
      unit: 'ms',
      // The longest wait of any client in any round.
      ours: name === 'max' ? Math.max(...of(attacked)) : median(of(attacked)),
      spread: spread(of(attacked)),
      ...(context.alone ? {} : { other: { name: 'idle', median: median(of(idle)) } }),
      ...(attack.goal === undefined ? {} : { goal: attack.goal }),
      note,
    };
  });
}

const gets = ({ seconds }: Context, server: Ours, made: Made): Promise<Paced> =>
  paced({
    target: server,
    streams: [{ requests: getEach(made), perSecond: getsPerSecond }],
    connections,
    seconds,
    leadSeconds: Math.min(leadSecondsMax, seconds),
  });

/** Attacks over and over until the measurement is over; at least once. */
async function during<T>({ tiny }: Context, once: Once, statuses: Statuses, measure: () => Promise<T>): Promise<T> {
  const ending = new AbortController();
  // Each request of an attack listens to it.
  setMaxListeners(0, ending.signal);
  const measuring = measure();
  let first: Promise<unknown> | undefined;
  const attacking = (async () => {
    while (!ending.signal.aborted) {
      const round = once(ending.signal, statuses);
      first ??= round;
      await round;
    }
  })();
  try {
    return await measuring;
  } finally {
    // A measurement of a test is shorter than any attack.
    if (tiny) await first;
    ending.abort();
    await attacking;
  }
}
