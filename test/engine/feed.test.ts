/** The feed in the engine, on a disk in the hands of the test: nothing is told that a crash could take back, and nothing piles up. */
import t from 'tap';
import { deleteAccount } from '../../src/engine/accounts.ts';
import type { Feed } from '../../src/engine/feed/feed.ts';
import type { LogReaderWorker } from '../../src/engine/feed/log-reader-worker.ts';
import type { Sink, Subscriber } from '../../src/engine/feed/subscriber.ts';
import { createKey, revokeKey } from '../../src/engine/keys.ts';
import { Versions } from '../../src/engine/version.ts';
import type { Change } from '../../src/model/change.ts';
import { encodeRecord } from '../../src/model/record.ts';
import { Runs } from '../../src/store/runs.ts';
import { create, done, member, project, recordingLog, update } from '../support/engine.ts';
import { type Held, held, logOf, turns } from './held-journal.ts';

/** Somebody who reads as fast or as slowly as the test wants. */
class Listener implements Sink {
  readonly parts: Buffer[] = [];
  room = true;
  isCut = false;
  hasEnded = false;
  follower: Subscriber | undefined;

  write(text: Buffer): boolean {
    this.parts.push(text);
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

  /** The LSNs that it was told to go on from. */
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
      listener.follower = engine.feed.subscribe({ accountId, projectId: only, projects: undefined, keyId }, after, listener);
      return listener;
    },
    write: (title = '') => done(engine, create(member(accountId, projectId, 'popups'), { title })),
  };
}

t.test('nothing is told before it is durable, and then in order', async (t) => {
  const { journal, follow, write, accountId, projectId, engine } = await world();
  const start = journal.durableLsn;
  const early = write();
  const listener = follow();
  await turns();
  t.equal(listener.text, '', 'not even a place: what is before it could be taken back');
  journal.sync(start + 1);
  await early;
  await turns();
  t.strictSame([listener.places, listener.events], [[start + 1], []], 'it begins behind what was logged before');
  const writes = [write(), write(), done(engine, update(project(accountId, projectId), { name: 'new' }))];
  await turns();
  t.strictSame(listener.events, []);
  listener.follower?.heartbeat();
  t.strictSame(listener.places, [start + 1, start + 1], 'a sign of life names nothing that is not durable');
  journal.sync(start + 3);
  await turns();
  t.strictSame(listener.events, ['popup.created', 'popup.created']);
  journal.sync();
  await Promise.all(writes);
  await turns();
  t.strictSame(listener.events, ['popup.created', 'popup.created', 'project.updated']);
  t.strictSame(listener.places.slice(-3), [start + 2, start + 3, start + 4]);
});

t.test('who comes from the log to the others meets them without a gap, whatever is on its way', async (t) => {
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
  await turns();
  // Written while the first piece is read: durable, and not.
  const writes = [one.write(), one.write()];
  one.journal.sync(start + 4);
  gates.shift()?.();
  await turns();
  writes.push(one.write());
  t.strictSame(listener.places, [start + 1, start + 2, start + 3]);
  gates.shift()?.();
  await turns();
  // It has joined the others, behind two that are not durable yet: these it has to read.
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => start + 1 + i);
  t.strictSame(listener.places, upTo(4));
  writes.push(one.write());
  one.journal.sync();
  await turns();
  t.equal(listener.places.length, 4, 'what comes live waits for what comes before it');
  gates.shift()?.();
  await Promise.all(writes);
  await one.journal.settle(one.write());
  await turns();
  t.strictSame(listener.places, upTo(8));
  t.equal(listener.events.length, 8);
});

t.test('a piece of the log that is read for one goes to all who are within it', async (t) => {
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
  await turns(50);
  t.ok(listeners.every(({ places }, i) => places.length === 3 - (i % 3)));
  t.ok(reads <= 3, `${reads} reads`);
});

t.test('who takes nothing is cut when too much waits, and the others are not', async (t) => {
  const { journal, follow, write, feed } = await world({ backlogBytesMax: 10_000 });
  const [quick, slow] = [follow(), follow()];
  await turns();
  slow.room = false;
  await journal.settle(write('first'));
  await turns();
  t.strictSame(slow.events, ['popup.created'], 'what was handed over already');
  for (let i = 0; i < 3; i++) {
    await journal.settle(write('x'.repeat(2000)));
    await turns();
  }
  t.notOk(slow.isCut, 'within the bound it waits');
  slow.drain();
  t.equal(slow.events.length, 4, 'and goes on where it was');
  t.equal(feed.stats.backlogBytes, 0);
  slow.room = false;
  for (let i = 0; !slow.isCut && i < 20; i++) {
    await journal.settle(write('x'.repeat(2000)));
    await turns();
    t.ok(feed.stats.backlogBytes < 15_000, `${feed.stats.backlogBytes} bytes`);
  }
  t.ok(slow.isCut);
  t.notOk(quick.isCut);
  t.strictSame(feed.stats, { subscribers: 1, backlogBytes: 0, resumed: 0, resets: 0, disconnected: 1 });
  const again = follow(slow.places.at(-1));
  await turns();
  t.equal(`${slow.text}${again.text}`, quick.text, 'what it did not take is in the log');
});

t.test('a text of any size is handed over in pieces, which may end anywhere in it', async (t) => {
  const { journal, follow, write } = await world();
  const [quick, slow] = [follow(), follow()];
  await turns();
  slow.room = false;
  for (const size of [150_000, 3, 70_000]) await journal.settle(write('\u00fc'.repeat(size)));
  await turns();
  let pieces = 0;
  while (slow.text.length < quick.text.length && pieces++ < 100) {
    slow.room = false;
    slow.follower?.drained();
    await turns(1);
  }
  t.ok(pieces > 5, `${pieces} pieces`);
  t.ok(slow.text === quick.text, 'to the byte');
});

t.test('more than anybody could take is not waited for', async (t) => {
  const { journal, follow, write } = await world({ backlogBytesMax: 1000 });
  const listener = follow();
  await turns();
  const from = listener.places.at(-1);
  // None of it is durable, so none of it is told.
  const writes = Array.from({ length: 20 }, () => write('x'.repeat(200)));
  await turns();
  t.ok(listener.isCut);
  journal.sync();
  await Promise.all(writes);
  const again = follow(from);
  for (let i = 0; i < 30; i++) await turns();
  t.equal(again.places.length, 20);
});

t.test('a log that cannot be read, or does not say what was new, is a reset', async (t) => {
  const broken: LogReaderWorker = { read: () => Promise.reject(new Error('damage')), close: async () => undefined };
  const one = await world({ worker: broken });
  const start = one.journal.durableLsn;
  await one.journal.settle(one.write());
  const listener = one.follow(start);
  await turns();
  t.match(listener.text, /^event: reset\ndata: \{"reason":"too_old","version":"0{16}\.[0-9a-f]{16}-\w+"\}\nid: /);
  t.strictSame(listener.places, [start + 1]);
  await one.journal.settle(one.write());
  await turns();
  t.strictSame(listener.places, [start + 1, start + 2], 'from which it goes on');

  const two = await world();
  const before = two.journal.durableLsn;
  const path = { accountId: two.accountId, projectId: two.projectId, collection: 'popups', parentId: '' } as const;
  const old: Change = { op: 'delete', path, ids: [] };
  await two.journal.settle(two.write());
  const [record] = two.journal.records.slice(-1);
  t.ok(record);
  // As a program of before there was a feed wrote it.
  two.engine.writer.commit([old]);
  two.journal.records[two.journal.records.length - 1] = encodeRecord({ time: 0, changes: [{ op: 'put', path, values: [] }] });
  two.journal.sync();
  const late = two.follow(before);
  await turns();
  t.strictSame([late.events, late.places], [['reset'], [before + 2]], 'nothing of what comes before it in the log');
});

t.test('keys and accounts end their followers in the turn in which they end', async (t) => {
  const { engine, journal, follow, accountId, projectId } = await world();
  const { id } = await journal.settle(createKey(engine, 'ann'));
  const other = new Listener();
  engine.feed.subscribe({ accountId, projectId, projects: undefined, keyId: id }, undefined, other);
  const listener = follow();
  const revoking = revokeKey(engine, id);
  t.strictSame([other.hasEnded, listener.hasEnded], [true, false]);
  await journal.settle(revoking);
  const late = new Listener();
  engine.feed.subscribe({ accountId, projectId, projects: undefined, keyId: id }, undefined, late);
  t.ok(late.hasEnded, 'a key that is not valid any more follows nothing');
  const deleting = deleteAccount(engine, 'ann');
  t.ok(listener.hasEnded);
  await journal.settle(deleting);
  t.equal(engine.feed.stats.subscribers, 0);
});

t.test('a journal that stops, and a feed that is closed, end everybody', async (t) => {
  const { journal, follow, write } = await world();
  const listener = follow();
  await turns();
  journal.durable = () => Promise.reject(new Error('stopped'));
  const writing = write();
  await t.rejects(writing, /stopped/);
  await turns();
  t.strictSame([listener.hasEnded, listener.events], [true, []], 'what is not durable is never told');
  const two = await world();
  const [one, gone] = [two.follow(), two.follow(undefined, 'none')];
  t.ok(gone.hasEnded, 'a project that is not there');
  await two.feed.close();
  t.ok(one.hasEnded);
  t.ok(two.follow().hasEnded);
});

t.test('a version has one name', (t) => {
  const lineage = '0123456789abcdeffedcba9876543210';
  const runs = new Runs();
  const versions = new Versions(lineage, runs);
  t.equal(versions.nameOf(36), '0123456789abcdef-10', 'without a run, as it was before there were runs');
  const named = (lsn: number) => versions.lsnOf(versions.nameOf(lsn));
  for (const lsn of [0, 1, 35, 36, Number.MAX_SAFE_INTEGER]) t.equal(named(lsn), lsn);
  t.equal(versions.lsnOf(`${versions.nameOf(5)}-k7m2q5x3wz4a`), 5, 'with what an entity tag has behind it');
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

t.test('who does not take what the log has is cut as well, wherever in it each of them is', async (t) => {
  const real: { worker: LogReaderWorker | undefined } = { worker: undefined };
  const worker: LogReaderWorker = {
    read: (request) => (real.worker as LogReaderWorker).read(request),
    close: async () => undefined,
  };
  const { journal, follow, write, feed } = await world({ worker, backlogBytesMax: 10_000 });
  real.worker = logOf(journal);
  const start = journal.durableLsn;
  for (let i = 0; i < 12; i++) await journal.settle(write('x'.repeat(2000)));
  // One begins in the middle and one at the beginning, and neither takes more than it is handed first; one between takes all.
  const stuck = (after: number) => {
    const listener = new Listener();
    listener.room = false;
    return Object.assign(listener, { follower: feed.subscribe({ ...wants, projectId: undefined }, after, listener) });
  };
  const wants = { accountId: '', projects: undefined, keyId: '' };
  const quick = follow(start + 1);
  Object.assign(wants, quick.follower?.subscription);
  const [middle, first] = [stuck(start + 6), stuck(start)];
  await turns(60);
  t.equal(quick.places.length, 11);
  // Each is told before the next is written: two that wait to be told would be more than may wait, and cut everybody.
  for (let i = 0; i < 5; i++) {
    await journal.settle(write('y'.repeat(70_000)));
    await turns(60);
  }
  t.equal(quick.places.length, 16);
  t.ok(feed.stats.backlogBytes <= 160_000, `${feed.stats.backlogBytes} bytes`);
  t.ok([middle, first].every(({ isCut, places }) => isCut || places.length > 0));
  t.notOk(quick.isCut);
});

t.test('a disk that takes too long ends no subscriber', async (t) => {
  const { journal, follow, write } = await world();
  const start = journal.durableLsn;
  const late = follow();
  const live = follow();
  await turns();
  const first = write('one');
  const before = follow();
  first.catch(() => undefined);
  journal.stall();
  await t.rejects(first, { name: 'StalledError' });
  await turns();
  t.notOk(live.hasEnded || late.hasEnded || before.hasEnded);
  journal.sync();
  await turns();
  t.strictSame(live.places, [start, start + 1]);
  t.strictSame(before.places, [start + 1]);
});

t.test('an error in the feed after a record is appended fails no write: its subscribers get a reset, and end', async (t) => {
  const { log, logged } = recordingLog();
  const { feed, journal, follow, write } = await world({ log });
  const live = follow();
  const backed = follow();
  await turns();
  backed.room = false;
  await journal.settle(write('taken in part'));
  await turns();
  await journal.settle(write('not taken yet'));
  await turns();
  const { committed } = feed;
  feed.committed = () => {
    throw new Error('planted');
  };
  const failing = write('not told');
  feed.committed = committed;
  await turns();
  t.strictSame(live.events, ['popup.created', 'popup.created'], 'the reset may not come before its record is durable');
  live.follower?.heartbeat();
  t.equal(live.places.at(-1), journal.durableLsn, 'nor may a sign of life name it');
  t.ok(await journal.settle(failing), 'the write is a success');
  await turns();
  const told = ['popup.created', 'popup.created', 'reset'];
  t.strictSame([live.events, live.hasEnded], [told, true]);
  t.match(live.text, /^data: \{"reason":"failed","version":"\S+"\}$/m);
  t.strictSame([backed.events, backed.hasEnded], [told.slice(0, 1), false]);
  backed.drain();
  t.strictSame([backed.events, backed.hasEnded], [told, true], 'behind what waited for it');
  t.strictSame(
    logged.map(([level, { err }]) => [level, (err as Error).message]),
    [['error', 'planted']],
  );
  t.equal(feed.stats.resets, 2);
  t.equal(live.places.at(-1), journal.durableLsn);
  const again = follow(live.places.at(-1));
  await journal.settle(write('next'));
  await turns();
  t.strictSame(again.events, ['popup.created'], 'who comes again goes on behind it');
});

t.test('a record whose events cannot be made is a reset for those it is for, and the others go on', async (t) => {
  const { log } = recordingLog();
  const { engine, journal, follow, write, accountId, projectId } = await world({ log });
  const other = await journal.settle(done(engine, create(project(accountId))));
  const listener = follow(undefined, projectId);
  const bystander = follow(undefined, other);
  await turns();
  const path = { accountId, projectId, collection: 'popups', parentId: '' } as const;
  const id = await journal.settle(write());
  await turns();
  const { value } = engine.state.accounts.get(accountId)?.projects.get(projectId)?.collection('popups', '')?.get(id) ?? {};
  const poisoned = Object.defineProperty({ ...value, id }, 'toJSON', {
    value() {
      throw new Error('planted');
    },
  });
  const lsn = engine.writer.commit([{ op: 'put', path, values: [poisoned], created: false }]);
  const after = done(engine, update(project(accountId, other), { name: 'told' }));
  await journal.settle(after);
  await turns();
  t.strictSame([listener.events, listener.places.at(-1), listener.hasEnded], [['popup.created', 'reset'], lsn, true]);
  t.strictSame([bystander.events, bystander.hasEnded], [['project.updated'], false]);
});

t.test('a subscriber that cannot be written to is cut off, and the others get everything', async (t) => {
  const { log } = recordingLog();
  const { feed, journal, follow, write } = await world({ log });
  const start = journal.durableLsn;
  await journal.settle(write());
  const [broken, late] = [follow(start), follow(start)];
  broken.write = () => {
    throw new Error('planted');
  };
  await turns();
  t.strictSame([broken.isCut, late.events], [true, ['popup.created']]);
  // And one for which not even what it wants can be said.
  const strange = new Listener();
  const wants = { ...(late.follower as Subscriber).subscription };
  const projects = new Set<string>();
  projects.has = () => {
    throw new Error('planted');
  };
  strange.follower = feed.subscribe({ ...wants, projects }, start, strange);
  await turns();
  t.ok(strange.isCut);
  const next = follow(start);
  await journal.settle(write());
  await turns();
  t.strictSame([next.events.length, late.events.length], [2, 2], 'no loop of the feed has ended for good');
});

/** A number for each buffer, in the order in which they are seen. */
const bufferIds = new Map<ArrayBufferLike, number>();
function idOf(buffer: ArrayBufferLike): number {
  const id = bufferIds.get(buffer) ?? bufferIds.size;
  bufferIds.set(buffer, id);
  return id;
}

t.test('many subscribers that catch up, or get a change, let others have their turns', async (t) => {
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
  const { subscription } = follow().follower as Subscriber;
  const sockets = Array.from({ length: 60 }, () => {
    const socket = new Socket();
    socket.follower = feed.subscribe(subscription, start, socket);
    return socket;
  });
  while (sockets.some(({ events }) => events.length < 20)) await turns(1);
  const parts = sockets.flatMap((socket) => socket.parts);
  // Those that fall behind a slice read for themselves: on a busy machine there may be a few groups.
  const distinct = new Set(parts.map(({ buffer, byteOffset }) => `${idOf(buffer)}/${byteOffset}`)).size;
  t.ok(parts.length > 2 * sockets.length);
  t.ok(distinct * 4 < parts.length, `${distinct} buffers for ${parts.length} parts: they are shared`);
  await journal.settle(write());
  while (sockets.some(({ events }) => events.length < 21)) await turns(1);
  isOver = true;
  t.ok(inTurn.most < 30, `${inTurn.most} writes in one turn`);
  for (const { places } of sockets)
    t.strictSame(
      places,
      Array.from({ length: 21 }, (_, i) => start + 1 + i),
      'in order',
    );
});
