/** Writing over HTTP: durable creates beside peers, and beside ours when it waits for no disk; the other writes by themselves. */
import { compare, type Other } from '../lib/turns.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench, Context, Goal, Opened, Row } from '../row.ts';
import type { Api } from '../servers/api.ts';
import { startFloor } from '../servers/floor.ts';
import { startOurs } from '../servers/ours.ts';
import { postgresPeerMissing, sqliteMissing, startPostgresPeer, startSqlite } from '../servers/peers.ts';
import { redisMissing, startRedis } from '../servers/redis.ts';
import { checkAlike, checkReads } from './check.ts';
import { Creates, createBytes } from './creates.ts';
import { withPair } from './pair.ts';
import { artboardOf, exampleObjects, getEach, makeProject } from './world.ts';

const unit = '/s';
const notDurable = ['--sync', 'never'];
/** Projects of a bench that spreads its requests over many. */
const manyProjects = 64;

const connectionsText = (count: number): string => (count === 1 ? '1 connection' : `${count} connections`);

interface Held {
  /** What of ours is measured, as the table calls it. */
  readonly what: string;
  readonly ours: Creates;
  /** `undefined` when ours is measured alone. */
  readonly other: Creates | undefined;
  readonly goal: Goal;
}

/** Creates of ours and of another, in turn; both must have stored what they acknowledged. */
async function compareCreates(context: Context, rowName: string, { what, ours, other, goal }: Held): Promise<Row[]> {
  if (other !== undefined) checkAlike(ours.first, other.first);
  const others: Other[] =
    other === undefined ? [] : [{ name: other.name, measure: (seconds) => other.measure(seconds), what: rowName, goal }];
  const rows = await compare(context, { unit, what, ours, others });
  for (const side of [ours, other]) await side?.check();
  return rows;
}

const onAllCoresText = 'durable create, 64 connections, server on all cores';

/** @param connections how many create at a time */
const besidePeer =
  (startPeer: () => Promise<Api>, connections: number, goal: Goal) =>
  (context: Context): Promise<Row[]> =>
    withPair(context, startPeer, async (ours, peer) => {
      const what = `durable create, ${connectionsText(connections)}`;
      return compareCreates(context, `${what} / ${peer?.name}`, {
        what,
        ours: await Creates.begin(ours, connections),
        other: peer && (await Creates.begin(peer, connections)),
        goal,
      });
    });

/** Ours alone. @param allCores whether its threads may use the core of the load, too */
const opening =
  (connections: number, allCores = false) =>
  async ({ program }: Context): Promise<Opened> => {
    const ours = await startOurs(program, { allCores });
    const side = await Creates.begin(ours, connections);
    const what = allCores ? onAllCoresText : `durable create, ${connectionsText(connections)}`;
    return { what, unit, side, check: () => side.check(), stop: () => ours.stop() };
  };

/** What the log thread gains from a second core, which it shares with the load where there are two. */
function besideOneCore(context: Context): Promise<Row[]> {
  const begin = async (): Promise<Api> => ({ ...(await startOurs(context.program)), name: 'one core' });
  const run = async (ours: Api, other: Api | undefined): Promise<Row[]> =>
    compareCreates(context, `${onAllCoresText} / on one`, {
      what: onAllCoresText,
      ours: await Creates.begin(ours, 64),
      other: other && (await Creates.begin(other, 64)),
      goal: { atLeast: 1 },
    });
  return withPair(context, begin, run, { allCores: true });
}

const syncGoals: readonly (readonly [connections: number, goal: Goal])[] = [
  [16, { atLeast: 0.5 }],
  [64, { atLeast: 0.85 }],
  [256, { atLeast: 0.95 }],
];

/** What waiting for the disk costs. */
async function besideNotDurable(context: Context): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [connections, goal] of syncGoals) {
    const begin = async (): Promise<Api> => ({
      ...(await startOurs(context.program, { flags: notDurable })),
      name: '--sync never',
    });
    const name = `create, ${connectionsText(connections)}: durable / not`;
    rows.push(
      ...(await withPair(context, begin, async (ours, other) =>
        compareCreates(context, name, {
          what: `create, ${connectionsText(connections)}`,
          ours: await Creates.begin(ours, connections),
          other: other && (await Creates.begin(other, connections)),
          goal,
        }),
      )),
    );
  }
  return rows;
}

/** What a create does besides waiting for the disk, beside the floor's GET of an object. */
async function besideFloor(context: Context): Promise<Row[]> {
  const connections = 64;
  const begin = async (ours: Api): Promise<Api & { readonly requests: ReturnType<typeof getEach> }> => {
    const made = await makeProject(ours, exampleObjects('cities', 100));
    const requests = getEach(made);
    await checkReads(ours, requests, artboardOf(made).objects);
    return { ...(await startFloor(ours, requests)), requests };
  };
  const run = async (ours: Api, floor: Awaited<ReturnType<typeof begin>> | undefined): Promise<Row[]> => {
    const creates = await Creates.begin(ours, connections);
    const others: Other[] =
      floor === undefined
        ? []
        : [
            {
              name: `${floor.name}, GET`,
              what: 'create --sync never, 64 connections / GET of the floor',
              goal: { atLeast: 0.55 },
              measure: (seconds) => throughput({ target: floor, requests: floor.requests, connections, seconds }),
            },
          ];
    const rows = await compare(context, { unit, what: 'create --sync never, 64 connections', ours: creates, others });
    await creates.check();
    return rows;
  };
  return withPair(context, begin, run, { flags: notDurable });
}

/** Whether the lock of a project, which serialises its writes, delays other requests. */
async function onOneProject(context: Context): Promise<Row[]> {
  const connections = 64;
  const server = (ours: Api): Promise<Api> =>
    Promise.resolve({ ...ours, name: `${manyProjects} projects`, stop: () => Promise.resolve() });
  return withPair(context, server, async (ours, same) =>
    compareCreates(context, `durable create, all 64 connections on one project / on ${manyProjects}`, {
      what: 'durable create, all 64 connections on one project',
      ours: await Creates.begin(ours, connections),
      other: same && (await Creates.begin(same, connections, context.tiny ? 2 : manyProjects)),
      goal: { atLeast: 0.9 },
    }),
  );
}

/** A limit: a server that syncs a log like this one and does almost nothing else. */
async function besideRedis(context: Context): Promise<Row[]> {
  if (context.alone) return [];
  const connections = 64;
  const redis = await startRedis();
  try {
    return await withPair(
      context,
      async (ours) => ours,
      async (ours) => {
        const creates = await Creates.begin(ours, connections);
        const bytes = createBytes();
        const other: Other = {
          name: 'redis-server',
          what: 'durable create, 64 connections / redis SET',
          note: `appendfsync always, values of the ${bytes} bytes that a create sends, neither HTTP nor JSON: a limit, not a peer`,
          measure: (seconds) => redis.set(connections, bytes, seconds),
        };
        const rows = await compare(context, { unit, what: 'durable create, 64 connections', ours: creates, others: [other] });
        await creates.check();
        return rows;
      },
    );
  } finally {
    await redis.stop();
  }
}

export const benchesOfCreating: readonly Bench[] = [
  {
    name: 'create-sqlite',
    about: 'durable creates, 64 connections, beside Fastify + SQLite',
    missing: sqliteMissing,
    run: besidePeer(startSqlite, 64, { atLeast: 10 }),
    open: opening(64),
  },
  {
    name: 'create-cores',
    about: 'durable creates, 64 connections, by a server on all cores beside the same one on one',
    run: besideOneCore,
    open: opening(64, true),
  },
  {
    name: 'create-1-sqlite',
    about: 'durable creates, 1 connection, beside Fastify + SQLite',
    missing: sqliteMissing,
    run: besidePeer(startSqlite, 1, { atLeast: 1.2 }),
    open: opening(1),
  },
  {
    name: 'create-postgres',
    about: 'durable creates, 64 connections, beside Fastify + PostgreSQL',
    missing: postgresPeerMissing,
    run: async (context) => (context.alone ? [] : await besidePeer(startPostgresPeer, 64, { atLeast: 5 })(context)), // alone: create-sqlite
  },
  {
    name: 'create-redis',
    about: 'durable creates, 64 connections, beside redis-server (appendfsync always) as a limit',
    missing: async () => redisMissing(),
    run: besideRedis,
  },
  { name: 'create-floor', about: 'creates that wait for no disk, beside the floor', run: besideFloor },
  { name: 'create-sync', about: 'creates with 16, 64, 256 connections, durable beside not', run: besideNotDurable },
  { name: 'create-projects', about: 'durable creates on one project beside 64', run: onOneProject },
];
