/** The feed in the engine, over a disk that the test controls: only durable changes are published, and the backlog is bounded. */
import t from 'tap';
import { deleteAccount } from '../../src/engine/accounts.ts';
import type { Feed } from '../../src/engine/feed/feed.ts';
import type { LogReaderWorker } from '../../src/engine/feed/log-reader-worker.ts';
import type { Sink, Subscriber } from '../../src/engine/feed/subscriber.ts';
import { createKey, revokeKey } from '../../src/engine/keys.ts';
import { Versions } from '../../src/engine/version-names.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { encodeRecord } from '../../src/store/operations/record.ts';
import { Runs } from '../../src/store/runs.ts';
import { create, done, member, membersIn, project, recordingLog, update } from '../support/engine.ts';
import { type Held, held, logOf, turns, until } from './held-journal.ts';

/** The sink of a subscriber, which reads as fast or as slowly as the test wants. */
class Listener implements Sink {
  readonly parts: Buffer[] = [];
  bytes = 0;
  room = true;
  isCut = false;
  hasEnded = false;
  follower: Subscriber | undefined;

  write(text: Buffer): boolean {
    this.parts.push(text);
    this.bytes += text.length;
    return this.room;
  }

  get text(): string {
    return Buffer.concat(this.parts).toString();
  }

  end(): void {
    this.hasEnded = true;
  }

  cut(): void {
    this.isCut = true;
  }

  drain(): void {
    this.room = true;
    this.follower?.drained();
  }

  /** The LSNs from which it could resume, in the order of their events. */
  get places(): number[] {
    return Array.from(this.text.matchAll(/^id: .*-(\w+)$/gm), ([, digits]) => Number.parseInt(digits as string, 36));
  }

  get events(): string[] {
    return Array.from(this.text.matchAll(/^event: (.*)$/gm), ([, name]) => name as string);
  }
}

interface World extends Held {
  readonly feed: Feed;
  readonly projectId: string;
  readonly keyId: string;
  follow(after?: number | 'elsewhere', projectId?: string): Listener;
  /** Adds a popup, which is logged and not durable. */
  write(title?: string): Promise<string>;
}

async function world(parts: Parameters<typeof held>[1] = {}): Promise<World> {
  const one = await held(undefined, parts);
  const { engine, journal, accountId } = one;
  const projectId = await journal.settle(done(engine, create(project(accountId))));
  const { id: keyId } = await journal.settle(createKey(engine, 'ann'));
  return {
    ...one,
    feed: engine.feed,
    projectId,
    keyId,
    follow(after, only) {
      const listener = new Listener();
      listener.follower = engine.feed.subscribe(
        { accountId, projectId: only, projects: undefined, keyId, readOnly: false },
        after,
        listener,
      );
      return listener;
    },
    write: (title = '') => done(engine, create(member(accountId, projectId, 'popups'), { title })),
  };
}

t.test('the feed publishes records in log order, and none before it is durable', async (t) => {
  const { journal, follow, write, accountId, projectId, engine } = await world();
  const start = journal.durableLsn;
  const early = write();
  const listener = follow();
  await turns();
  t.equal(listener.text, '', 'no position either: the record before it is not durable');
  journal.sync(start + 1);
  await early;
  await until(() => listener.places.length > 0);
  t.strictSame(
    [listener.places, listener.events],
    [[start + 1], []],
    'it begins after the record that was logged before it subscribed',
  );
  const writes = [write(), write(), done(engine, update(project(accountId, projectId), { name: 'new' }))];
  await until(() => journal.records.length === start + 4);
  await turns();
  t.strictSame(listener.events, []);
  listener.follower?.heartbeat();
  t.strictSame(listener.places, [start + 1, start + 1], 'a heartbeat names only a durable version');
  journal.sync(start + 3);
  await until(() => listener.events.length >= 2);
  await turns();
  t.strictSame(listener.events, ['popup.created', 'popup.created']);
  journal.sync();
  await Promise.all(writes);
  await until(() => listener.events.length >= 3);
  t.strictSame(listener.events, ['popup.created', 'popup.created', 'project.updated']);
  t.strictSame(listener.places.slice(-3), [start + 2, start + 3, start + 4]);
});

t.test('a subscriber that changes from the log to live records misses none and repeats none', async (t) => {
  const gates: (() => void)[] = [];
  const slow: { worker: LogReaderWorker | undefined } = { worker: undefined };
  const worker: LogReaderWorker = {
    async read(request) {
      await new Promise<void>((resolve) => gates.push(resolve));
      return (slow.worker as LogReaderWorker).read(request);
    },
    async close() {},
  };
  const one = await world({ worker });
  slow.worker = logOf(one.journal);
  const start = one.journal.durableLsn;
  for (let i = 0; i < 3; i++) await one.journal.settle(one.write());
  const listener = one.follow(start);
  await until(() => gates.length === 1);
  // Written while the first piece is read: durable, and not.
  const writes = [one.write(), one.write()];
  await until(() => one.journal.records.length === start + 5);
  one.journal.sync(start + 4);
  gates.shift()?.();
  await until(() => gates.length === 1);
  writes.push(one.write());
  t.strictSame(listener.places, [start + 1, start + 2, start + 3]);
  gates.shift()?.();
  await until(() => listener.follower?.joinedAt !== undefined);
  // It has joined the live ones after two records that are not durable yet: it must read these from the log.
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => start + 1 + i);
  t.strictSame(listener.places, upTo(4));
  writes.push(one.write());
  await until(() => one.journal.records.length === start + 7);
  one.journal.sync();
  await until(() => gates.length === 1);
  await turns();
  t.equal(listener.places.length, 4, 'live records wait for the records before them');
  gates.shift()?.();
  await Promise.all(writes);
  await one.journal.settle(one.write());
  await until(() => listener.places.length >= 8);
  t.strictSame(listener.places, upTo(8));
  t.equal(listener.events.length, 8);
});

t.test('300 subscribers that resume within one piece of the log share its read', async (t) => {
  let reads = 0;
  const real: { worker: LogReaderWorker | undefined } = { worker: undefined };
  const worker: LogReaderWorker = {
    read(request) {
      reads++;
      return (real.worker as LogReaderWorker).read(request);
    },
    async close() {},
  };
  const { journal, follow, write } = await world({ worker });
  real.worker = logOf(journal);
  const start = journal.durableLsn;
  for (let i = 0; i < 3; i++) await journal.settle(write());
  const listeners = Array.from({ length: 300 }, (_, i) => follow(start + (i % 3)));
  const haveAll = () => listeners.every(({ places }, i) => places.length === 3 - (i % 3));
  await until(haveAll);
  t.ok(haveAll());
  t.ok(reads <= 3, `${reads} reads`);
});

t.test('the feed disconnects a subscriber that reads nothing once the backlog exceeds its limit, and no other', async (t) => {
  const { journal, follow, write, feed } = await world({ backlogBytesMax: 10_000 });
  const [quick, slow] = [follow(), follow()];
  await until(() => quick.places.length === 1 && slow.places.length === 1);
  /** Writes a record, and waits until it is published: the quick subscriber has its event. */
  const publish = async (title: string) => {
    const published = quick.events.length + 1;
    await journal.settle(write(title));
    await until(() => quick.events.length === published);
  };
  slow.room = false;
  await publish('first');
  t.strictSame(slow.events, ['popup.created'], 'the write that filled its socket');
  for (let i = 0; i < 3; i++) await publish('x'.repeat(2000));
  t.notOk(slow.isCut, 'within the limit its events wait');
  slow.drain();
  await until(() => slow.events.length === 4);
  t.equal(slow.events.length, 4, 'it continues where it was');
  t.equal(feed.stats.backlogBytes, 0);
  slow.room = false;
  for (let i = 0; !slow.isCut && i < 20; i++) {
    await publish('x'.repeat(2000));
    t.ok(feed.stats.backlogBytes < 15_000, `${feed.stats.backlogBytes} bytes`);
  }
  t.ok(slow.isCut);
  t.notOk(quick.isCut);
  t.strictSame(feed.stats, { subscribers: 1, backlogBytes: 0, resumed: 0, resets: 0, disconnected: 1 });
  const again = follow(slow.places.at(-1));
  await until(() => again.places.at(-1) === quick.places.at(-1));
  t.equal(`${slow.text}${again.text}`, quick.text, 'the log has the events that it did not read');
});

t.test('a subscriber gets an event of any size in pieces of at most 64 KiB, without losing a byte', async (t) => {
  const { journal, follow, write } = await world();
  const [quick, slow] = [follow(), follow()];
  await until(() => quick.places.length === 1 && slow.places.length === 1);
  slow.room = false;
  for (const size of [150_000, 3, 70_000]) await journal.settle(write('\u00fc'.repeat(size)));
  await until(() => quick.places.length === 4);
  /** What it has got, without the comments between events. */
  const received = () =>
    slow.text
      .split('\n\n')
      .filter((block) => block !== ':')
      .join('\n\n');
  let pieces = 0;
  while (received().length < quick.text.length && pieces++ < 100) {
    slow.room = false;
    slow.follower?.drained();
    // The feed serves others first.
    slow.follower?.heartbeat();
    await turns(1);
  }
  t.ok(pieces > 5, `${pieces} pieces`);
  t.ok(received() === quick.text, 'every byte is the same, and no heartbeat is within an event');
});

t.test('a subscriber is disconnected when pending records exceed the backlog limit, and resumes from the log', async (t) => {
  const { journal, follow, write } = await world({ backlogBytesMax: 1000 });
  const listener = follow();
  await until(() => listener.places.length === 1);
  const from = listener.places.at(-1);
  // None of them is durable, so none is published.
  const writes = Array.from({ length: 20 }, () => write('x'.repeat(200)));
  await until(() => listener.isCut && journal.records.length === (from as number) + 20);
  t.ok(listener.isCut);
  journal.sync();
  await Promise.all(writes);
  let again = follow(from);
  await until(() => {
    // On a busy machine the piece of the log exceeds the limit before it is written: like a client, it resumes again.
    if (again.isCut) again = follow(from);
    return again.places.length >= 20;
  });
  t.equal(again.places.length, 20);
});

t.test('a subscriber gets a reset if the log cannot be read, or has a record that does not say what was created', async (t) => {
  const broken: LogReaderWorker = { read: () => Promise.reject(new Error('damage')), close: async () => undefined };
  const one = await world({ worker: broken });
  const start = one.journal.durableLsn;
  await one.journal.settle(one.write());
  const listener = one.follow(start);
  await until(() => listener.places.length > 0);
  t.match(listener.text, /^event: reset\ndata: \{"reason":"too_old","version":"0{16}\.[0-9a-f]{16}-\w+"\}\nid: /);
  t.strictSame(listener.places, [start + 1]);
  await one.journal.settle(one.write());
  await until(() => listener.places.length > 1);
  t.strictSame(listener.places, [start + 1, start + 2], 'from which it continues');

  const two = await world();
  const before = two.journal.durableLsn;
  const path = { accountId: two.accountId, projectId: two.projectId, collection: 'popups', parentId: '' } as const;
  const old: Change = { op: 'delete', path, ids: [] };
  await two.journal.settle(two.write());
  const [record] = two.journal.records.slice(-1);
  t.ok(record);
  // A record as programs before the feed wrote it.
  two.engine.writer.commit([old]);
  two.journal.records[two.journal.records.length - 1] = encodeRecord({ time: 0, changes: [{ op: 'put', path, values: [] }] });
  two.journal.sync();
  const late = two.follow(before);
  await until(() => late.places.length > 0);
  t.strictSame([late.events, late.places], [['reset'], [before + 2]], 'no record before it in the log');
});

t.test('revoking a key or deleting an account ends its subscribers in the same turn of the event loop', async (t) => {
  const { engine, journal, follow, accountId, projectId } = await world();
  const { id } = await journal.settle(createKey(engine, 'ann'));
  const other = new Listener();
  engine.feed.subscribe({ accountId, projectId, projects: undefined, keyId: id, readOnly: false }, undefined, other);
  const listener = follow();
  const revoking = revokeKey(engine, id);
  t.strictSame([other.hasEnded, listener.hasEnded], [true, false]);
  await journal.settle(revoking);
  const late = new Listener();
  engine.feed.subscribe({ accountId, projectId, projects: undefined, keyId: id, readOnly: false }, undefined, late);
  t.ok(late.hasEnded, 'an invalid key subscribes to nothing');
  const deleting = deleteAccount(engine, 'ann');
  t.ok(listener.hasEnded);
  await journal.settle(deleting);
  t.equal(engine.feed.stats.subscribers, 0);
});

t.test('all subscribers end when the journal stops, and when the feed closes', async (t) => {
  const { journal, follow, write } = await world();
  const listener = follow();
  await until(() => listener.places.length === 1);
  journal.durable = () => Promise.reject(new Error('stopped'));
  const writing = write();
  await t.rejects(writing, /stopped/);
  await until(() => listener.hasEnded);
  t.strictSame([listener.hasEnded, listener.events], [true, []], 'a record that is not durable is never published');
  const two = await world();
  const [one, gone] = [two.follow(), two.follow(undefined, 'none')];
  t.ok(gone.hasEnded, 'a project that does not exist');
  await two.feed.close();
  t.ok(one.hasEnded);
  t.ok(two.follow().hasEnded);
});

t.test('a version name stands for one record of one run, and every other name is unknown or invalid', (t) => {
  const lineage = '0123456789abcdeffedcba9876543210';
  const runs = new Runs();
  const versions = new Versions(lineage, runs);
  t.equal(versions.nameOf(36), '0123456789abcdef-10', 'without a run, as before runs existed');
  const named = (lsn: number) => versions.lsnOf(versions.nameOf(lsn));
  for (const lsn of [0, 1, 35, 36, Number.MAX_SAFE_INTEGER]) t.equal(named(lsn), lsn);
  t.equal(versions.lsnOf(`${versions.nameOf(5)}-k7m2q5x3wz4a`), 5, 'with the suffix of an entity tag');
  t.equal(versions.lsnOf(new Versions('f'.repeat(32), runs).nameOf(5)), 'elsewhere');
  t.equal(versions.lsnOf('0123456789abcdef-zzzzzzzzzzz'), 'elsewhere', 'beyond all numbers');
  for (const none of [
    '',
    '0123456789abcdef',
    '0123456789ABCDEF-1',
    '0123456789abcdef-1\n',
    ' 0123456789abcdef-1',
    '0123456789abcdef.0000-1',
    '0123456789abcdef.-1',
  ])
    t.equal(versions.lsnOf(none), undefined, none);

  const [one, two] = ['1'.repeat(16), '2'.repeat(16)];
  runs.start(10, one);
  runs.start(12, one);
  runs.start(20, two);
  t.strictSame(
    [9, 10, 19, 20, 21, 9].map((lsn) => versions.nameOf(lsn)),
    ['-9', `.${one}-a`, `.${one}-j`, `.${two}-k`, `.${two}-l`, '-9'].map((end) => `0123456789abcdef${end}`),
    'each with the run that wrote it',
  );
  for (const lsn of [0, 9, 10, 11, 19, 20, Number.MAX_SAFE_INTEGER]) t.equal(named(lsn), lsn);
  t.equal(versions.lsnOf(`0123456789abcdef.${two}-j`), 'elsewhere', 'a record that another run wrote');
  t.equal(versions.lsnOf('0123456789abcdef-a'), 'elsewhere', 'a record that a run wrote, from before there were runs');
  t.equal(versions.lsnOf(`0123456789abcdef.${one}-9`), 'elsewhere');
  t.strictSame(
    [runs.between(1, 9), runs.between(10, 19), runs.between(19, 20), runs.between(30, 40)].map((some) =>
      some.map(({ id }) => id[0]),
    ),
    [[], ['1'], ['1', '2'], ['2']],
  );
  t.throws(() => runs.start(20, 'f'.repeat(16)), /record 20/);
  t.end();
});

t.test('slow subscribers that read the log keep the backlog bounded, and a quick one is not disconnected', async (t) => {
  const real: { worker: LogReaderWorker | undefined } = { worker: undefined };
  const worker: LogReaderWorker = {
    read: (request) => (real.worker as LogReaderWorker).read(request),
    close: async () => undefined,
  };
  const { journal, follow, write, feed } = await world({ worker, backlogBytesMax: 10_000 });
  real.worker = logOf(journal);
  const start = journal.durableLsn;
  for (let i = 0; i < 12; i++) await journal.settle(write('x'.repeat(2000)));
  // One begins in the middle and one at the beginning, and both read only their first write; a third one between them reads all.
  const stuck = (after: number) => {
    const listener = new Listener();
    listener.room = false;
    return Object.assign(listener, { follower: feed.subscribe({ ...wants, projectId: undefined }, after, listener) });
  };
  const wants = { accountId: '', projects: undefined, keyId: '', readOnly: false };
  const quick = follow(start + 1);
  Object.assign(wants, quick.follower?.subscription);
  const [middle, first] = [stuck(start + 6), stuck(start)];
  await until(() => quick.places.length >= 11 && [middle, first].every(({ parts }) => parts.length > 0));
  t.equal(quick.places.length, 11);
  // Each is published before the next is written: two pending records would exceed the limit and disconnect all.
  for (let i = 0; i < 5; i++) {
    await journal.settle(write('y'.repeat(70_000)));
    await until(() => quick.places.length >= 12 + i);
  }
  t.equal(quick.places.length, 16);
  t.ok(feed.stats.backlogBytes <= 160_000, `${feed.stats.backlogBytes} bytes`);
  t.ok([middle, first].every(({ isCut, places }) => isCut || places.length > 0));
  t.notOk(quick.isCut);
});

t.test('a sync that takes too long fails its write but ends no subscriber', async (t) => {
  const { journal, follow, write } = await world();
  const start = journal.durableLsn;
  const late = follow();
  const live = follow();
  await until(() => late.places.length === 1 && live.places.length === 1);
  const first = write('one');
  const before = follow();
  first.catch(() => undefined);
  journal.stall();
  await t.rejects(first, { name: 'StalledError' });
  await turns();
  t.notOk(live.hasEnded || late.hasEnded || before.hasEnded);
  journal.sync();
  await until(() => live.places.length >= 2 && before.places.length >= 1);
  t.strictSame(live.places, [start, start + 1]);
  t.strictSame(before.places, [start + 1]);
});

t.test('a write succeeds although the feed fails after the append; its subscribers get a reset and end', async (t) => {
  const { log, logged } = recordingLog();
  const { feed, journal, follow, write } = await world({ log });
  const live = follow();
  const backed = follow();
  await until(() => live.places.length === 1 && backed.places.length === 1);
  backed.room = false;
  await journal.settle(write('written to both'));
  await until(() => live.events.length === 1 && backed.events.length === 1);
  await journal.settle(write('waits for the slow one'));
  await until(() => live.events.length === 2);
  const { committed } = feed;
  feed.committed = () => {
    throw new Error('planted');
  };
  const failing = write('not published');
  feed.committed = committed;
  await turns();
  t.strictSame(live.events, ['popup.created', 'popup.created'], 'no reset before its record is durable');
  live.follower?.heartbeat();
  t.equal(live.places.at(-1), journal.durableLsn, 'no heartbeat names it');
  t.ok(await journal.settle(failing), 'the write is a success');
  await until(() => live.hasEnded);
  const published = ['popup.created', 'popup.created', 'reset'];
  t.strictSame([live.events, live.hasEnded], [published, true]);
  t.match(live.text, /^data: \{"reason":"failed","version":"\S+"\}$/m);
  t.strictSame([backed.events, backed.hasEnded], [published.slice(0, 1), false]);
  backed.drain();
  await until(() => backed.hasEnded);
  t.strictSame([backed.events, backed.hasEnded], [published, true], 'after the event that waited');
  t.strictSame(
    logged.map(([level, { err }]) => [level, (err as Error).message]),
    [['error', 'planted']],
  );
  t.equal(feed.stats.resets, 2);
  t.equal(live.places.at(-1), journal.durableLsn);
  const again = follow(live.places.at(-1));
  await journal.settle(write('next'));
  await until(() => again.events.length > 0);
  t.strictSame(again.events, ['popup.created'], 'a subscriber that resumes continues after it');
});

t.test('a record whose events cannot be encoded gives its subscribers a reset, and the others continue', async (t) => {
  const { log } = recordingLog();
  const { engine, journal, follow, write, accountId, projectId } = await world({ log });
  const other = await journal.settle(done(engine, create(project(accountId))));
  const listener = follow(undefined, projectId);
  const bystander = follow(undefined, other);
  await until(() => listener.places.length === 1 && bystander.places.length === 1);
  const path = { accountId, projectId, collection: 'popups', parentId: '' } as const;
  const id = await journal.settle(write());
  await until(() => listener.events.length === 1);
  const value = membersIn(engine, accountId, projectId, 'popups').find((popup) => popup.id === id);
  const poisoned = Object.defineProperty({ ...value, id }, 'toJSON', {
    value() {
      throw new Error('planted');
    },
  });
  const lsn = engine.writer.commit([{ op: 'put', path, values: [poisoned], created: false }]);
  const after = done(engine, update(project(accountId, other), { name: 'published' }));
  await journal.settle(after);
  await until(() => listener.hasEnded && bystander.events.length > 0);
  t.strictSame([listener.events, listener.places.at(-1), listener.hasEnded], [['popup.created', 'reset'], lsn, true]);
  t.strictSame([bystander.events, bystander.hasEnded], [['project.updated'], false]);
});

t.test('a subscriber whose writes fail is disconnected, and the others get every event', async (t) => {
  const { log } = recordingLog();
  const { feed, journal, follow, write } = await world({ log });
  const start = journal.durableLsn;
  await journal.settle(write());
  const [broken, late] = [follow(start), follow(start)];
  broken.write = () => {
    throw new Error('planted');
  };
  await until(() => broken.isCut && late.events.length > 0);
  t.strictSame([broken.isCut, late.events], [true, ['popup.created']]);
  // And one whose subscription cannot be evaluated.
  const strange = new Listener();
  const wants = { ...(late.follower as Subscriber).subscription };
  const projects = new Set<string>();
  projects.has = () => {
    throw new Error('planted');
  };
  strange.follower = feed.subscribe({ ...wants, projects }, start, strange);
  await until(() => strange.isCut);
  t.ok(strange.isCut);
  const next = follow(start);
  await journal.settle(write());
  await until(() => next.events.length >= 2 && late.events.length >= 2);
  t.strictSame([next.events.length, late.events.length], [2, 2], 'every loop of the feed still runs');
});

/** A number for each buffer, in the order in which they are seen. */
const bufferIds = new Map<ArrayBufferLike, number>();
function idOf(buffer: ArrayBufferLike): number {
  const id = bufferIds.get(buffer) ?? bufferIds.size;
  bufferIds.set(buffer, id);
  return id;
}

t.test('writing to many subscribers yields to the event loop, when they catch up and when they get a change', async (t) => {
  const { journal, feed, follow, write } = await world();
  const start = journal.durableLsn;
  for (let i = 0; i < 20; i++) await journal.settle(write('x'.repeat(10_000)));
  /** Writes since the last turn of the event loop, and the most of them so far. */
  const inTurn = { writes: 0, most: 0 };
  let isOver = false;
  const count = (): void => {
    inTurn.writes = 0;
    if (!isOver) setImmediate(count);
  };
  count();
  /** A socket that takes a millisecond for each write, and has room again before the next turn. */
  class Socket extends Listener {
    override write(text: Buffer): boolean {
      inTurn.most = Math.max(inTurn.most, ++inTurn.writes);
      for (const started = performance.now(); performance.now() - started < 1; );
      process.nextTick(() => this.follower?.drained());
      super.write(text);
      return false;
    }
  }
  const quick = follow(start);
  const { subscription } = quick.follower as Subscriber;
  const sockets = Array.from({ length: 60 }, () => {
    const socket = new Socket();
    socket.follower = feed.subscribe(subscription, start, socket);
    return socket;
  });
  const haveAll = () => sockets.every(({ bytes }) => bytes === quick.bytes);
  await until(() => haveAll() && quick.events.length === 20);
  const parts = sockets.flatMap((socket) => socket.parts);
  // Subscribers that miss a slice read the log again: on a busy machine there may be a few groups.
  const distinct = new Set(parts.map(({ buffer, byteOffset }) => `${idOf(buffer)}/${byteOffset}`)).size;
  t.ok(parts.length > 2 * sockets.length);
  t.ok(distinct * 4 < parts.length, `${distinct} buffers for ${parts.length} parts: they are shared`);
  await journal.settle(write());
  await until(() => haveAll() && quick.events.length === 21);
  isOver = true;
  t.ok(inTurn.most < 30, `${inTurn.most} writes in one turn`);
  for (const { places } of sockets)
    t.strictSame(
      places,
      Array.from({ length: 21 }, (_, i) => start + 1 + i),
      'in order',
    );
});
