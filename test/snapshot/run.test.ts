/** A snapshot equals the state in memory, copies unchanged data, and leaves no trace if it fails. */
import t from 'tap';
import type { Command } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { BusyError, CorruptError } from '../../src/lib/errors.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { chunkBytesMax } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { SnapshotReader } from '../../src/storage/snapshot/reader.ts';
import { runSnapshot, type SnapshotReport } from '../../src/storage/snapshot/run/snapshot-run.ts';
import { described, SimulatedDisk } from '../disk/simulated-disk.ts';
import {
  accountIn,
  create,
  done,
  dump,
  foldersIn,
  member,
  membersIn,
  openWorld,
  project,
  projectIn,
  remove,
  snapshotIn,
  update,
} from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { sized } from '../support/tier.ts';
import { fill, flipped } from './sample.ts';

const lineage = '00112233445566778899aabbccddeeff';

/** An engine whose snapshots are made here, from a copy of its files. */
async function world(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  t.teardown(() => engine.close());
  const folders = foldersIn(folder);
  let snapshots = new Map<string, Buffer>();
  let from = 0;
  return {
    engine,
    account: await accountIn(engine),
    /** Everything that a snapshot run reads now. */
    async image(): Promise<SimulatedDisk> {
      await engine.journal.seal();
      const image = SimulatedDisk.of(folder);
      for (const [file, bytes] of snapshots) image.put(file, bytes);
      return image;
    },
    request: () => ({
      journalFolder: folders.journal,
      snapshotFolder: folders.snapshots,
      from,
      to: engine.state.lsn,
      lineage,
      pauseMs: 0,
    }),
    /** Makes a snapshot of everything so far, from which the next one continues. */
    async snapshot(): Promise<{ report: SnapshotReport; reader: SnapshotReader; image: SimulatedDisk }> {
      const image = await this.image();
      const report = runSnapshot(image, this.request());
      from = report.lsn;
      snapshots = new Map(image.named('.snapshot').map((file) => [file, image.bytes(file)]));
      return { report, image, reader: new SnapshotReader(image, snapshotIn(folders.snapshots, from)) };
    },
    folders,
  };
}

t.test('a snapshot equals the state in memory after every kind of change', async (t) => {
  const { engine, account, ...runner } = await world(t);
  let last = 0;
  const same = async (what: string) => {
    const { reader, report } = await runner.snapshot();
    t.equal(dump(reader.state('memory')), dump(engine.state), `${what}: as in memory`);
    t.equal(dump(reader.state('file')), dump(engine.state), `${what}: read piece by piece too`);
    t.equal(report.records, engine.state.lsn - last);
    last = engine.state.lsn;
  };
  await same('an account and its key');
  const id = await fill(engine, 'one');
  await same('a project with everything');
  const many = Array.from({ length: 700 }, (_, i) => ({ name: `${i}` }));
  await done(engine, update(project(account, id), { popups: many }));
  await same('a collection of several chunks');
  const ids = () => membersIn(engine, account, id, 'popups').map((popup) => popup.id);
  await done(engine, update(member(account, id, 'popups', ids()[300]), { name: 'changed' }));
  await same('one member changed');
  for (const popup of ids().slice(200, 520)) await done(engine, remove(member(account, id, 'popups', popup)));
  await same('a whole chunk deleted');
  await done(
    engine,
    update(project(account, id), {
      popups: ids()
        .reverse()
        .map((popup) => ({ id: popup })),
    }),
  );
  await same('a new order');
  await done(engine, create(member(account, id, 'popups'), { name: 'behind the new order' }));
  await same('one more behind it');
  await done(engine, update(project(account, id), { popups: [], artboards: [] }));
  await same('everything deleted');
  await done(engine, remove(project(account, id)));
  await same('the project deleted');
});

t.test('unchanged chunks are copied as bytes', async (t) => {
  const { engine, account, ...runner } = await world(t);
  const popups = Array.from({ length: 1000 }, (_, i) => ({ name: `${i}` }));
  const id = await done(engine, create(project(account), { popups, variables: popups }));
  const quiet = await fill(engine, 'quiet');
  const first = await runner.snapshot();
  t.equal(first.report.copied, 0);
  const third = membersIn(engine, account, id, 'popups')[700]?.id as string;
  await done(engine, update(member(account, id, 'popups', third), { name: 'changed' }));
  const { reader, report } = await runner.snapshot();
  const payloads = (of: SnapshotReader, kind: string) => [...of.chunks()].filter((chunk) => chunk.kind === kind);
  const before = payloads(first.reader, 'members');
  const after = payloads(reader, 'members');
  t.equal(after.length, before.length);
  const changed = after.filter(({ payload }, i) => !payload.equals(before[i]?.payload as Buffer));
  t.equal(changed.length, 1, 'one chunk is another');
  // All chunks of members but one, both projects' own, and the keys.
  t.equal(report.copied, before.length - 1 + 2 + 1);
  t.ok(projectIn(engine, account, quiet));
});

t.test('a chunk has at most 256 members, and 64 KiB unless one member is larger', async (t) => {
  const { engine, account, ...runner } = await world(t);
  const small = Array.from({ length: 600 }, () => ({}));
  const medium = Array.from({ length: 300 }, () => ({ content: 'm'.repeat(1000) }));
  const large = Array.from({ length: 3 }, () => ({ content: 'l'.repeat(100_000) }));
  for (const popups of [small, medium, large]) await done(engine, create(project(account), { popups }));
  const { reader } = await runner.snapshot();
  const leaves = reader.projects.map(({ collections }) => collections.flatMap((held) => held.leaves));
  t.strictSame(
    leaves[0]?.map(({ count }) => count),
    [256, 256, 88],
  );
  t.ok(leaves[1]?.every(({ length, count }) => length <= chunkBytesMax && count > 1));
  t.strictSame(
    leaves[2]?.map(({ count, length }) => [count, length > chunkBytesMax]),
    [
      [1, true],
      [1, true],
      [1, true],
    ],
  );
  t.equal(dump(reader.state('memory')), dump(engine.state));
});

t.test('a snapshot that fails at any call changes nothing, and the next one succeeds', async (t) => {
  const { engine, account, ...runner } = await world(t);
  await fill(engine, 'one');
  await runner.snapshot();
  // Enough for a few steps of writing.
  for (let i = 0; i < 3; i++) await patiently(engine, create(project(account), { popups: [{ content: 'x'.repeat(800_000) }] }));
  const image = await runner.image();
  const names = image.paths();
  const calls: string[] = [];
  const whole = image.copy();
  whole.before = (operation) => calls.push(described(operation));
  runSnapshot(whole, runner.request());
  t.match(calls.join(), /create .*tmp.*write.*sync.*write.*sync.*rename.*syncFolder/);
  for (let at = 0; at < calls.length; at++) {
    for (const code of ['ENOSPC', 'EIO']) {
      const broken = image.copy();
      broken.fail({ nth: at + 1, code });
      t.throws(() => runSnapshot(broken, runner.request()), { code }, `${code} at ${calls[at]}`);
      t.equal(broken.openCount, 0, 'nothing is left open');
      const left = broken.paths();
      const renamed = calls[at]?.startsWith('syncFolder') === true;
      if (!renamed) t.strictSame(left, names, 'the folder is as it was');
      broken.heal();
      if (!renamed) t.equal(runSnapshot(broken, runner.request()).lsn, engine.state.lsn, 'and again, with room');
      t.equal(dump(restore(broken, runner.folders).restored.state), dump(engine.state));
    }
  }
});

t.test('a file that differs from what was written never becomes a snapshot', async (t) => {
  const { engine, ...runner } = await world(t);
  await fill(engine, 'one');
  const image = await runner.image();
  const before = image.paths();
  image.before = (operation) => {
    if (operation.kind === 'write') operation.bytes.writeUInt8(operation.bytes.readUInt8(300) ^ 4, 300);
  };
  t.throws(() => runSnapshot(image, runner.request()), CorruptError);
  t.strictSame(image.paths(), before);
});

t.test('damage in the previous snapshot or the log is reported and never copied into a snapshot', async (t) => {
  const { engine, account, ...runner } = await world(t);
  const id = await fill(engine, 'one');
  await runner.snapshot();
  await done(engine, create(member(account, id, 'popups'), { name: 'new' }));
  const image = await runner.image();
  const right = image.copy();
  runSnapshot(right, runner.request());
  const snapshot = image.named('.snapshot')[0] as string;
  const [, segment] = image.named('.segment') as [string, string];
  const places = [
    ...Array.from({ length: image.bytes(snapshot).length }, (_, at) => [snapshot, at] as const),
    ...Array.from({ length: 1500 }, (_, at) => [segment, at] as const),
  ];
  const names = image.paths();
  for (const [file, at] of places.filter((_, i) => i % sized({ sample: 101, all: 3 }) === 0)) {
    const broken = flipped(image, file, at);
    try {
      runSnapshot(broken, runner.request(), () => 0);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      if (broken.paths().join() !== names.join()) throw new Error(`${file} at ${at}: it left something`);
      continue;
    }
    // Padding: no data.
    broken.put(file, image.bytes(file));
    if (dump(restore(broken, runner.folders).restored.state) !== dump(engine.state))
      throw new Error(`${file} at ${at}: copied into the snapshot`);
  }
  t.ok(right.named('.snapshot').length === 2);
});

t.test('a snapshot is refused without its sealed segments', async (t) => {
  const { engine, ...runner } = await world(t);
  await fill(engine, 'one');
  const image = await runner.image();
  t.throws(() => runSnapshot(image, { ...runner.request(), to: engine.state.lsn + 1 }), CorruptError);
  t.strictSame(image.named('.snapshot.tmp'), []);
});

/** Retries like a client: the next segment may not exist yet. */
async function patiently(engine: Engine, command: Command): Promise<void> {
  for (;;) {
    try {
      await done(engine, command);
      return;
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
