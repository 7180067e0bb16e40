// tier: normal
/**
 * Snapshots that refer to older files: after any records, the newest snapshot and the one before it are
 * each whole, share no file, and give the state in memory; only changed data is written; damage is reported.
 */
import path from 'node:path';
import t, { type Test } from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { projects as projectResource, resourceOf } from '../../src/model/resources.ts';
import { repairFolder } from '../../src/storage/backup/repair/repair-folder.ts';
import { type Folders, restore } from '../../src/storage/recovery/recover-folder.ts';
import { verifyFolder } from '../../src/storage/recovery/verify-folder.ts';
import { BaseSnapshot } from '../../src/storage/snapshot/base.ts';
import { Compaction } from '../../src/storage/snapshot/compaction.ts';
import { readSnapshot, type SnapshotReader } from '../../src/storage/snapshot/reader.ts';
import { runSnapshot, type SnapshotReport } from '../../src/storage/snapshot/run/snapshot-run.ts';
import { keptSnapshots, listSnapshots, quarantine, retainSnapshots } from '../../src/storage/snapshot/snapshot-folder.ts';
import { writeNext, writeSnapshot } from '../../src/storage/snapshot/writer.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { applyRecord } from '../../src/store/apply.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import {
  accountIn,
  create,
  done,
  dump,
  foldersIn,
  member,
  openWorld,
  project,
  remove,
  snapshotIn,
  update,
} from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { Chance } from '../support/random.ts';
import { test } from '../support/test.ts';
import { seed, sized } from '../support/tier.ts';
import { fill, flipped } from './sample.ts';

t.setTimeout(600_000);

/** Of which bytes a bit is flipped, and after how many of them the folder is verified. */
const flips = sized({ sample: { step: 101, perVerify: 2, rotStep: 61 }, all: { step: 3, perVerify: 7, rotStep: 13 } });

const lineage = '00112233445566778899aabbccddeeff';
const folder = '/snapshots';
const common = { lineage, nextSalt: 7, now: 1, newestTime: 1 };
const file = (lsn: number) => snapshotIn(folder, lsn);

/** Snapshots in memory, made of records without a log; each is made of the one before the newest, as a snapshot run does it. */
class Histories {
  readonly files = new SimulatedDisk();
  readonly state = new State(runLeaves);
  readonly #records: Change[][] = [];
  #nextId = 0;

  constructor() {
    this.files.makeFolder(folder);
  }

  id(): string {
    return `${(this.#nextId++).toString(36).padStart(6, '0')}`;
  }

  apply(...changes: Change[]): void {
    this.#records.push(changes);
    applyRecord(this.state, this.#records.length, changes);
  }

  /** Bytes of the new file. */
  snapshot(compactBytes: number): number {
    const { lsn } = this.state;
    const [, before] = keptSnapshots(this.files, folder);
    const options = { ...common, files: this.files, path: file(lsn) };
    const { bytes } =
      before === undefined
        ? writeSnapshot(this.state, options)
        : readSnapshot(this.files, file(before), (reader) => {
            const base = new BaseSnapshot(reader);
            const logBytes = (lsn - before) * 100;
            for (let at = before + 1; at <= lsn; at++) applyRecord(base.state, at, this.#records[at - 1] as Change[]);
            return writeNext(base, Compaction.after(reader, logBytes, compactBytes), options);
          });
    retainSnapshots(this.files, folder);
    return bytes;
  }

  read<T>(lsn: number, use: (reader: SnapshotReader) => T): T {
    return readSnapshot(this.files, file(lsn), use);
  }
}

/** Accounts, projects and members that come, change and go. */
function happen(world: Histories, random: Chance, count: number): void {
  const pick = <T>(items: readonly T[]): T | undefined => items[random.below(items.length)];
  for (let i = 0; i < count; i++) {
    const what = random.below(40);
    const account = pick([...world.state.accounts.values()]);
    if (account === undefined || what === 0) {
      const id = world.id();
      world.apply({ op: 'put-account', account: { id, name: id, created: 'c' } });
      continue;
    }
    const accountId = account.id;
    if (what === 1 && world.state.accounts.size > 3) world.apply({ op: 'delete-account', accountId });
    const held = pick([...account.projects.values()]);
    if (held === undefined || what < 12) {
      const id = world.id();
      const value = projectResource.create(id, { user_id: accountId, created: 'c' }, { name: `p${id}` });
      if (world.state.accounts.has(accountId)) world.apply({ op: 'put-project', accountId, value });
      continue;
    }
    if (!world.state.accounts.has(accountId)) continue;
    const projectId = held.id;
    const path = { accountId, projectId, collection: 'popups', parentId: '' } as const;
    const ids = [...(held.collection('popups', '')?.capture() ?? [])].map(({ value }) => value.id);
    const some = pick(ids);
    if (what < 16) world.apply({ op: 'delete-project', accountId, projectId });
    else if (what < 18 && ids.length > 0) world.apply({ op: 'order', path, ids: ids.reverse() });
    else if (what < 20 && some !== undefined) world.apply({ op: 'place', path, id: some, before: pick([null, ...ids]) ?? null });
    else if (what < 22 && some !== undefined) world.apply({ op: 'delete', path, ids: [some] });
    else if (what < 26 && some !== undefined)
      world.apply({ op: 'put', path, values: [resourceOf.popups.create(some, {}, { title: `t${i}` })] });
    else {
      const values = Array.from({ length: random.below(300) }, () => resourceOf.popups.create(world.id(), {}, { name: 'n' }));
      world.apply({ op: 'put', path, values });
    }
  }
}

for (const [name, compactBytes] of [
  ['without compaction', 0],
  ['with a little compaction', 20_000],
  ['with full compaction', 64 * 1024 * 1024],
] as const) {
  const declare = name === 'with full compaction' ? test.all : t.test;
  declare(`each snapshot equals the state in memory, ${name} (seed ${seed})`, async (t) => {
    const world = new Histories();
    const random = new Chance(seed);
    const texts = new Map<number, string>();
    let referring = 0;
    for (let i = 0; i < sized({ sample: 12, all: 15 }); i++) {
      happen(world, random, i % 5 === 0 ? 400 : random.below(40) + 1);
      world.snapshot(compactBytes);
      texts.set(world.state.lsn, dump(world.state));
      const kept = keptSnapshots(world.files, folder);
      const files = kept.map((lsn) =>
        world.read(lsn, (reader) => {
          for (const load of ['memory', 'file'] as const)
            if (dump(reader.state(load)) !== texts.get(lsn)) throw new Error(`run ${i}: snapshot ${lsn} is something else`);
          reader.check();
          return reader.dependencies;
        }),
      );
      const all = files.flat();
      if (new Set(all).size !== all.length) throw new Error(`run ${i}: the two share a file`);
      if (world.files.paths().length !== all.length)
        throw new Error(`run ${i}: ${world.files.paths().length} files, not ${all.length}`);
      if (all.length > kept.length) referring++;
      if (world.files.openCount > 0) throw new Error('a file was left open');
    }
    t.ok(referring > 5, `${referring} times something was left where it was`);
  });
}

t.test('the size of a snapshot follows from the changed data, not from all data', async (t) => {
  const world = new Histories();
  const accountId = world.id();
  world.apply({ op: 'put-account', account: { id: accountId, name: 'a', created: 'c' } });
  const ids = Array.from({ length: 3000 }, () => world.id());
  const values = (title: string) => Array.from({ length: 20 }, (_, i) => resourceOf.popups.create(`m${10 + i}`, {}, { title }));
  const path = (projectId: string) => ({ accountId, projectId, collection: 'popups', parentId: '' }) as const;
  for (const projectId of ids) {
    const value = projectResource.create(projectId, { user_id: accountId, created: 'c' }, { name: projectId });
    world.apply({ op: 'put-project', accountId, value }, { op: 'put', path: path(projectId), values: values('before') });
  }
  const whole = world.snapshot(0);
  world.apply({ op: 'put', path: path(ids[7] as string), values: values('one') });
  world.snapshot(0);
  for (let i = 0; i < 4; i++) {
    world.apply({ op: 'put', path: path(ids[1500] as string), values: values(`${i}`) });
    const bytes = world.snapshot(0);
    t.ok(bytes < whole / 15, `${bytes} bytes of ${whole}: two groups of twelve at most, and their members stay where they are`);
  }
});

t.test('mostly dead snapshot files are compacted, and their number stays small', async (t) => {
  const world = new Histories();
  const random = new Chance(seed);
  happen(world, random, 1500);
  let most = 0;
  for (let i = 0; i < 60; i++) {
    happen(world, random, 30);
    const [, before] = keptSnapshots(world.files, folder);
    const used = before === undefined ? 0 : world.read(before, ({ liveBytes: living }) => sum(living.values()));
    const written = world.snapshot(1024 * 1024);
    const { refersTo } = world.read(world.state.lsn, ({ dependencies: refersTo }) => ({ refersTo }));
    const stored = sum(refersTo.map((of) => world.files.bytes(file(of)).byteLength));
    most = Math.max(most, refersTo.length);
    if (i > 0 && stored > 2 * used + written)
      throw new Error(`run ${i}: ${stored} bytes on the disk for ${used}, and ${written} new`);
  }
  t.ok(most > 1 && most < 12, `${most} files`);
});

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, number) => all + number, 0);

/** A folder whose two snapshots refer to several files each, with the log from the older one on, and what it holds. */
async function referring(t: Test) {
  const data = temporaryFolder(t);
  const folders = foldersIn(data);
  const { engine } = await openWorld(data);
  t.teardown(() => engine.close());
  const account = await accountIn(engine);
  let kept: ReadonlyMap<string, Buffer> = new Map();
  const reports: SnapshotReport[] = [];
  const snapshotNow = async () => {
    const to = await engine.journal.seal();
    const image = SimulatedDisk.of(data);
    for (const [name, bytes] of kept) image.put(name, bytes);
    const request = { journalFolder: folders.journal, snapshotFolder: folders.snapshots, lineage, pauseMs: 0, compactBytes: 0 };
    reports.push(runSnapshot(image, { ...request, from: reports.at(-1)?.lsn ?? 0, to }));
    retainSnapshots(image, folders.snapshots);
    kept = new Map(image.named('.snapshot').map((name) => [name, image.bytes(name)]));
    return image;
  };
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    ids.push(await fill(engine, name));
    await snapshotNow();
  }
  await done(engine, create(member(account, ids[2] as string, 'popups'), { title: 'four' }));
  await snapshotNow();
  await done(engine, remove(project(account, ids[0] as string)));
  await done(engine, update(project(account, ids[1] as string), { name: 'five' }));
  const image = await snapshotNow();
  const whole = dump(engine.state);
  return { image, folders, whole, reports, engine, account, ids, snapshotNow };
}

/** The snapshots to whose files one refers, itself included. */
const partsOf = (image: SimulatedDisk, { snapshots }: Folders, lsn: number): readonly number[] =>
  readSnapshot(image, snapshotIn(snapshots, lsn), (reader) => reader.dependencies);

function orCorrupt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) return undefined;
    throw error;
  }
}

t.test('the newest snapshot and the previous one share no file', async (t) => {
  const { image, folders, reports } = await referring(t);
  const files = keptSnapshots(image, folders.snapshots).map((lsn) => partsOf(image, folders, lsn));
  t.ok(
    files.every((held) => held.length > 1),
    JSON.stringify(files),
  );
  t.equal(new Set(files.flat()).size, files.flat().length, JSON.stringify(files));
  t.equal(reports.at(-1)?.files, files[0]?.length);
});

t.test('a flipped bit in any snapshot file is found by verify, and a start serves the whole state', async (t) => {
  const { image, folders, whole } = await referring(t);
  const names = image.named('.snapshot');
  t.ok(names.length > 3, `${names.length} files`);
  t.strictSame(verifyFolder(image, folders, false).findings, []);
  const [newest] = keptSnapshots(image, folders.snapshots) as [number];
  const living = partsOf(image, folders, newest).map((lsn) => snapshotIn(folders.snapshots, lsn));
  const reported = new Map<string, number>();
  let tried = 0;
  for (const name of names) {
    tried = 0;
    for (let at = 0; at < image.bytes(name).length; at += flips.step) {
      tried++;
      const damaged = flipped(image, name, at);
      const { restored } = restore(damaged, folders);
      if (dump(restored.state) !== whole) throw new Error(`${name}, byte ${at}: other data than was written`);
      if (restored.damaged.some((error) => error.file !== name)) throw new Error(`${name}, byte ${at}: another file is blamed`);
      if (restored.damaged.length > 0) reported.set(name, (reported.get(name) ?? 0) + 1);
      if (tried % flips.perVerify === 0) {
        const { findings } = verifyFolder(damaged, folders, false);
        if (!findings.some((finding) => finding.file === name)) throw new Error(`${name}, byte ${at}: not found`);
      }
      if (damaged.openCount > 0) throw new Error('a file was left open');
    }
  }
  t.strictSame([...reported.keys()].sort(), living.sort(), 'a start reports damage of every file that the newest refers to');
  t.equal(reported.get(names.at(-1) as string), tried, 'all of its own file is looked at');
});

t.test('a folder without one snapshot file recovers from the other snapshot and the log', async (t) => {
  const { image, folders, whole } = await referring(t);
  for (const name of image.named('.snapshot')) {
    const without = image.copy();
    without.delete(name);
    const { restored } = restore(without, folders);
    t.equal(dump(restored.state), whole, path.basename(name));
  }
});

t.test('damage in the newest snapshot is found by the next one and never copied', async (t) => {
  const { image, folders, reports, engine, account, ids } = await referring(t);
  await done(engine, create(member(account, ids[1] as string, 'popups'), { title: 'six' }));
  const to = await engine.journal.seal();
  image.load(path.dirname(folders.journal));
  const whole = dump(engine.state);
  const from = reports.at(-1)?.lsn as number;
  const request = { journalFolder: folders.journal, snapshotFolder: folders.snapshots, lineage, pauseMs: 0, from, to };
  const [newest, before] = keptSnapshots(image, folders.snapshots) as [number, number];
  const made = snapshotIn(folders.snapshots, to);
  for (const [lsn, isNewest] of [
    ...partsOf(image, folders, newest).map((of) => [of, true] as const),
    ...partsOf(image, folders, before).map((of) => [of, false] as const),
  ]) {
    const name = snapshotIn(folders.snapshots, lsn);
    for (let at = 3; at < image.bytes(name).length; at += flips.rotStep) {
      const rotten = flipped(image, name, at);
      const report = orCorrupt(() => runSnapshot(rotten, request, () => 0));
      if (report === undefined) throw new Error(`${name}, byte ${at}: one snapshot was whole, and it was not used`);
      if (rotten.openCount > 0) throw new Error(`${name}, byte ${at}: a file was left open`);
      const own = lsn === newest;
      if (own && !rotten.has(`${name}.damaged`)) throw new Error(`${name}, byte ${at}: the rotten snapshot is gone`);
      retainSnapshots(rotten, folders.snapshots);
      if (dump(restore(rotten, folders).restored.state) !== whole)
        throw new Error(`${name}, byte ${at}: other data than was written`);
      // Unread parts that the new one refers to may be damaged; then that is reported as well.
      const text = orCorrupt(() => readSnapshot(rotten, made, (reader) => dump(reader.state('memory'))));
      if (text !== undefined && text !== whole) throw new Error(`${name}, byte ${at}: copied`);
      if (own && report.damaged.length !== 1) throw new Error(`${name}, byte ${at}: not reported`);
      if (report.damaged.length > 0 && isNewest && rotten.has(snapshotIn(folders.snapshots, newest)))
        throw new Error(`${name}, byte ${at}: the rotten one is still there`);
    }
  }
  t.pass('all of it');
});

t.test('a snapshot is built from the whole log if both old ones are damaged', async (t) => {
  const { image, folders, reports, engine, ids, account } = await referring(t);
  await done(engine, create(member(account, ids[1] as string, 'popups'), { title: 'six' }));
  const to = await engine.journal.seal();
  image.load(path.dirname(folders.journal));
  let rotten = image;
  for (const lsn of keptSnapshots(image, folders.snapshots)) rotten = flipped(rotten, snapshotIn(folders.snapshots, lsn), 20);
  const request = { journalFolder: folders.journal, snapshotFolder: folders.snapshots, lineage, pauseMs: 0, to };
  t.equal(runSnapshot(rotten, { ...request, from: reports.at(-1)?.lsn as number }).damaged.length, 2);
  t.equal(dump(restore(rotten, folders).restored.state), dump(engine.state));
});

t.test('the parts of a quarantined newest snapshot are no snapshots and are deleted with it', async (t) => {
  const { image, folders, reports, engine, account, ids } = await referring(t);
  const [newest, before] = keptSnapshots(image, folders.snapshots) as [number, number];
  const [parts, others] = [newest, before].map((lsn) => partsOf(image, folders, lsn)) as [readonly number[], readonly number[]];
  t.ok(parts.length > 1 && others.length > 1);
  // What the log still has: the records that the one before the newest does not cover.
  const first = reports.at(-2)?.lsn as number;
  for (const { path: segment, firstLsn } of listSegments(image, folders.journal)) if (firstLsn <= first) image.delete(segment);
  const stay = image.copy();
  quarantine(stay, folders.snapshots, [newest]);
  t.strictSame(listSnapshots(stay, folders.snapshots), [...parts, ...others].filter((lsn) => lsn !== newest).sort(descending));

  await done(engine, create(member(account, ids[1] as string, 'popups'), { title: 'six' }));
  const to = await engine.journal.seal();
  const live = SimulatedDisk.of(path.dirname(folders.journal));
  for (const { path: segment, firstLsn } of listSegments(live, folders.journal))
    if (firstLsn > first) stay.put(segment, live.bytes(segment));
  const whole = dump(engine.state);
  const request = { journalFolder: folders.journal, snapshotFolder: folders.snapshots, lineage, pauseMs: 0, from: before, to };
  const untidied = stay.copy();
  for (const tidied of [true, false]) {
    const files = tidied ? stay : untidied;
    if (tidied) {
      t.equal(retainSnapshots(files, folders.snapshots, { logFrom: first + 1 }).covered, 0, 'there is none before it');
      t.strictSame(listSnapshots(files, folders.snapshots), [...others].sort(descending), 'what it refers to stays');
      t.strictSame(verifyFolder(files, folders, true).findings, []);
    }
    const report = runSnapshot(files, request);
    t.equal(report.files, 1, 'a whole copy is made');
    t.strictSame(report.damaged, [], 'nothing is wrong with parts');
    t.equal(retainSnapshots(files, folders.snapshots, { logFrom: first + 1 }).covered, before);
    t.equal(dump(restore(files, folders).restored.state), whole);
    files.delete(snapshotIn(folders.snapshots, to));
    t.equal(dump(restore(files, folders).restored.state), whole, 'the one before it is whole as well');
  }
});

t.test('a part of a whole snapshot is never quarantined, even if it is no whole snapshot itself', async (t) => {
  const { image, folders, reports, engine, account, ids } = await referring(t);
  await done(engine, create(member(account, ids[1] as string, 'popups'), { title: 'six' }));
  const to = await engine.journal.seal();
  image.load(path.dirname(folders.journal));
  const [newest, before] = keptSnapshots(image, folders.snapshots).map((lsn) => snapshotIn(folders.snapshots, lsn));
  const parts = readSnapshot(image, newest as string, (reader) => reader.dependencies).slice(0, -1);
  // The one before is gone, and the parts of the newest have lost their ends: as snapshots they are not whole, as parts they are.
  const odd = image.copy();
  odd.delete(before as string);
  for (const lsn of parts) {
    const name = snapshotIn(folders.snapshots, lsn);
    odd.put(name, odd.bytes(name).subarray(0, -32));
  }
  const request = { journalFolder: folders.journal, snapshotFolder: folders.snapshots, lineage, pauseMs: 0, to };
  const report = runSnapshot(odd, { ...request, from: reports.at(-1)?.lsn as number });
  t.equal(report.lsn, to);
  for (const lsn of parts) t.ok(odd.has(snapshotIn(folders.snapshots, lsn)), `${lsn} is there`);
  t.equal(dump(restore(odd, folders).restored.state), dump(engine.state));
});

const descending = (a: number, b: number): number => b - a;

t.test('a repair reports the loss of a missing snapshot file and finds a quarantined one', async (t) => {
  const { image, folders, whole, reports } = await referring(t);
  const [newest, before] = keptSnapshots(image, folders.snapshots) as [number, number];
  const nameOf = (lsn: number) => snapshotIn(folders.snapshots, lsn);
  const parts = partsOf(image, folders, newest).filter((lsn) => lsn !== newest);
  t.ok(parts.length > 0);
  // The other copy is gone, and so is the log from the beginning.
  for (const lsn of partsOf(image, folders, before)) image.delete(nameOf(lsn));
  for (const { path: segment, firstLsn } of listSegments(image, folders.journal))
    if (firstLsn <= (reports.at(-2)?.lsn as number)) image.delete(segment);
  t.equal(dump(restore(image, folders).restored.state), whole, 'so far nothing is missing');
  const known = new Set(membersIn(restore(image, folders).restored.state));
  for (const lsn of parts) {
    const without = image.copy();
    without.delete(nameOf(lsn));
    t.throws(() => restore(without, folders), { name: 'CorruptError' });
    const { state, losses, findings } = repairFolder(without, folders);
    t.ok(findings.some(({ file }) => file === nameOf(lsn)));
    const left = membersIn(state).filter((text) => !text.includes('"lost '));
    t.ok(
      left.every((text) => known.has(text)),
      'what is left is what there was',
    );
    const reported = losses.flatMap((loss) => (loss.kind === 'members' ? [loss.count] : []));
    t.equal(left.length + sum(reported), known.size, 'every missing member is reported');
    t.ok(reported.length > 0);

    const aside = without.copy();
    aside.put(`${nameOf(lsn)}.damaged`, image.bytes(nameOf(lsn)));
    const kept = repairFolder(aside, folders);
    t.strictSame(membersIn(kept.state).sort(), [...known].sort());
    t.strictSame(kept.losses, []);
  }
});

function membersIn(state: State): string[] {
  return [...state.accounts.values()].flatMap(({ projects }) =>
    [...projects.values()].flatMap((held) =>
      [...held.collections()].flatMap(({ collection }) => [...collection.capture()].map(({ value }) => JSON.stringify(value))),
    ),
  );
}

t.test('a backup of snapshots that refer to older files is one complete file', async (t) => {
  const { image, folders, whole, reports } = await referring(t);
  const [newest] = keptSnapshots(image, folders.snapshots) as [number];
  const target = { path: '/elsewhere/a.backup', temporary: '/elsewhere/a.backup.tmp' };
  const request = { journalFolder: folders.journal, snapshotFolder: folders.snapshots, lineage, pauseMs: 0, target };
  image.makeFolder('/elsewhere');
  const before = image.paths();
  const report = runSnapshot(image, { ...request, from: newest, to: newest });
  t.match(report, { files: 1, lsn: reports.at(-1)?.lsn });
  t.strictSame(
    image.paths().filter((name) => name !== target.path),
    before,
    'nothing else is changed',
  );
  const alone = new SimulatedDisk();
  alone.put(target.path, image.bytes(target.path));
  t.equal(dump(readSnapshot(alone, target.path, (reader) => reader.state('memory'))), whole);
});

t.test('nothing is deleted if a snapshot does not show its references', async (t) => {
  const { image, folders } = await referring(t);
  const [, before] = keptSnapshots(image, folders.snapshots) as [number, number];
  const name = snapshotIn(folders.snapshots, before);
  const damaged = flipped(image, name, image.bytes(name).length - 20);
  const names = damaged.paths();
  t.equal(retainSnapshots(damaged, folders.snapshots).covered, 0, 'no log either');
  t.strictSame(damaged.paths(), names);
});
