/** Reading over HTTP: beside the floor, which sends the same bytes, and beside Fastify with SQLite. */
import assert from 'node:assert/strict';
import type { Request } from '../lib/ask.ts';
import { type Comparison, compare, type Side } from '../lib/turns.ts';
import { sendLoad } from '../load/throughput.ts';
import type { Bench, Context, Goal, Opened, Row } from '../row.ts';
import { type Api, withServers } from '../servers/api.ts';
import { startFloor } from '../servers/floor.ts';
import { startOurs } from '../servers/ours.ts';
import { sqliteMissing, startSqlite } from '../servers/peers.ts';
import { checkAlike, checkMade, checkReads } from './check.ts';
import { withPair } from './pair.ts';
import {
  artboardOf,
  type ExampleName,
  exampleObjects,
  getEach,
  getList,
  getProject,
  type Made,
  makeProject,
  type ObjectBody,
} from './world.ts';

/** What is read. */
interface Reading {
  /** As the table calls it. */
  readonly what: string;
  readonly example: ExampleName;
  /** Objects in the project. */
  readonly objects: number;
  readonly connections: number;
  readonly unit: '/s' | 'MB/s';
  /** What a reader of the table must know. */
  readonly note?: string;
  requests(made: Made): Request[];
  /** What each of the requests is to be answered with. */
  answers(made: Made): readonly unknown[];
}

const one: Reading = {
  ...{ what: 'GET one object', example: 'cities', objects: 100, connections: 64, unit: '/s' },
  requests: getEach,
  answers: (made) => artboardOf(made).objects,
};
const list: Reading = {
  ...one,
  what: 'list of 100 objects',
  note: 'one that does not change meanwhile',
  requests: getList,
  answers: (made) => [artboardOf(made).objects],
};
/** Answers of megabytes: their number is not what counts, and of 64 at a time most would only wait. */
const polygons: Reading = {
  ...list,
  ...{ what: 'list of 3,000 polygons', example: 'us-counties', objects: 3000, connections: 16, unit: 'MB/s' },
};
const wholeProject: Reading = {
  ...polygons,
  ...{ what: 'GET a whole project', example: 'world-countries', objects: Number.POSITIVE_INFINITY },
  requests: getProject,
  answers: (made) => [made],
};

/** Objects of a reading in a test. */
const tinyObjects = 10;

/** Something that is ready to be read, and the bytes of an answer. */
interface Prepared {
  readonly made: Made;
  readonly requests: Request[];
  readonly bytes: number;
}

/** Makes the project and sees that it is answered as it was made. */
async function prepare(target: Api, reading: Reading, sent: readonly ObjectBody[]): Promise<Prepared> {
  const made = await makeProject(target, sent);
  checkMade(made, sent);
  const requests = reading.requests(made);
  return { made, requests, bytes: await checkReads(target, requests, reading.answers(made)) };
}

/** A load only sees that answers were successes: what was asked for all the while must still be answered with the same. */
async function checkAgain(targets: readonly Api[], reading: Reading, { made, requests, bytes }: Prepared): Promise<void> {
  for (const target of targets) {
    const again = await checkReads(target, requests, reading.answers(made));
    assert.equal(again, bytes, `${target.name} answers with ${again} bytes, not with ${bytes} as at first`);
  }
}

/** A side: `target` is asked for what was prepared. */
function side(target: Api, { connections, unit }: Reading, { requests, bytes }: Omit<Prepared, 'made'>): Side {
  let us: number | undefined;
  return {
    name: target.name,
    usPerAnswer: () => us,
    async measure(seconds) {
      const { perSecond, usPerAnswer } = await sendLoad({ target, requests, connections, seconds });
      us = usPerAnswer;
      return unit === '/s' ? perSecond : (perSecond * bytes) / 1e6;
    },
  };
}

/** Ours alone. */
const opening =
  (reading: Reading) =>
  async (context: Context): Promise<Opened> => {
    const ours = await startOurs(context.program);
    const prepared = await prepare(ours, reading, objectsOf(reading, context));
    return {
      ...{ what: reading.what, unit: reading.unit, side: side(ours, reading, prepared) },
      check: () => checkAgain([ours], reading, prepared),
      stop: () => ours.stop(),
    };
  };

const objectsOf = ({ example, objects }: Reading, { tiny }: Context): ObjectBody[] =>
  exampleObjects(example, tiny ? Math.min(objects, tinyObjects) : objects);

const noteOn = ({ unit, note }: Reading, { bytes }: Prepared): string | undefined =>
  unit === '/s' ? note : `${(bytes / 1e6).toFixed(2)} MB an answer`;

/** @param goal of the ratio, where there is one */
const besideFloor =
  (reading: Reading, goal?: Goal) =>
  (context: Context): Promise<Row[]> => {
    let prepared: Prepared | undefined;
    const begin = async (ours: Api): Promise<Api> => {
      prepared = await prepare(ours, reading, objectsOf(reading, context));
      return startFloor(ours, prepared.requests);
    };
    return withPair(context, begin, async (ours, floor) => {
      const known = prepared ?? (await prepare(ours, reading, objectsOf(reading, context)));
      const others: Comparison['others'] =
        floor === undefined
          ? []
          : [
              {
                ...side(floor, reading, known),
                what: `${reading.what} / floor`,
                ...(goal && { goal }),
                note: noteOn(reading, known),
              },
            ];
      if (floor !== undefined) await checkReads(floor, known.requests, reading.answers(known.made));
      const rows = await compare(context, { unit: reading.unit, what: reading.what, ours: side(ours, reading, known), others });
      await checkAgain([ours, ...(floor === undefined ? [] : [floor])], reading, known);
      return rows;
    });
  };

const besideSqlite =
  (reading: Reading, goal?: Goal) =>
  async (context: Context): Promise<Row[]> => {
    if (context.alone) return []; // that is measured beside the floor
    return await withServers([() => startOurs(context.program), startSqlite], async (ours, peer) => {
      const sent = objectsOf(reading, context);
      const ourProject = await prepare(ours, reading, sent);
      const peerProject = await prepare(peer, reading, sent);
      for (const [i, object] of artboardOf(ourProject.made).objects.entries())
        checkAlike(object, artboardOf(peerProject.made).objects[i]);
      const other = {
        ...side(peer, reading, peerProject),
        what: `${reading.what} / ${peer.name}`,
        ...(goal && { goal }),
        note: noteOn(reading, ourProject),
      };
      const sides = { unit: reading.unit, what: reading.what, ours: side(ours, reading, ourProject), others: [other] };
      const rows = await compare(context, sides);
      await checkAgain([ours], reading, ourProject);
      await checkAgain([peer], reading, peerProject);
      return rows;
    });
  };

export const benchesOfReading: readonly Bench[] = [
  { name: 'get-one', about: 'GET of one object, beside the floor', run: besideFloor(one, { atLeast: 0.92 }), open: opening(one) },
  {
    name: 'get-one-sqlite',
    about: 'GET of one object, beside Fastify + SQLite',
    missing: sqliteMissing,
    run: besideSqlite(one, { atLeast: 1.8 }),
  },
  { name: 'list-100', about: 'a list of 100 objects, beside the floor', run: besideFloor(list) },
  {
    name: 'list-100-sqlite',
    about: 'a list of 100 objects, beside Fastify + SQLite',
    missing: sqliteMissing,
    run: besideSqlite(list, { atLeast: 20 }),
  },
  { name: 'list-3000', about: 'a list of 3,000 polygons (counties), beside the floor', run: besideFloor(polygons) },
  {
    name: 'list-3000-sqlite',
    about: 'a list of 3,000 polygons (counties), beside Fastify + SQLite',
    missing: sqliteMissing,
    run: besideSqlite(polygons),
  },
  { name: 'get-project', about: 'GET of a whole project of about 1 MB, beside the floor', run: besideFloor(wholeProject) },
];
