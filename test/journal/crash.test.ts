/**
 * Crashes: a process that dies before any of its file operations, or in the middle of a write, with the page cache surviving it or
 * lost with the power; in normal work, in a rotation, in recovery itself. What was acknowledged is there afterwards, nothing that
 * was never appended, no gap; recovering twice gives the same as once. Where a power loss may take back what was acknowledged, the
 * lineage is another one then.
 */
import t, { type Test } from 'tap';
import type { SyncMode } from '../../src/journal/segment.ts';
import type { Wal } from '../../src/journal/wal.ts';
import { open, recordsIn, turns } from './harness.ts';
import { MemoryFiles } from './memory-files.ts';

/** What a client of the log knows. */
interface Ledger {
  readonly appended: string[];
  acknowledged: number;
  /** Under which answers were given. */
  lineage: string;
}

/** A crash: before operation `at`; in the middle of it, when it is a write; with what is kept of what was not synced. */
interface Crash {
  readonly at: number;
  readonly torn: number | undefined;
  /** Seed of what a power loss keeps; `undefined` when only the process dies. */
  readonly power: number | undefined;
}

function arm(files: MemoryFiles, crash: Crash): void {
  files.ops = [];
  files.before = (op, index) => {
    if (index !== crash.at) return;
    if (op.kind === 'write' && crash.torn !== undefined) files.tear(op, crash.torn);
    files.kill();
    throw new Error('killed');
  };
}

function restart(files: MemoryFiles, crash: Crash): void {
  if (crash.power === undefined) files.revive();
  else files.losePower(randomFrom(crash.power));
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function append(wal: Wal, ledger: Ledger, text: string): Promise<void> {
  const lsn = wal.append(Buffer.from(text));
  ledger.appended[lsn - 1] = text;
  await wal.durable(lsn);
  ledger.acknowledged = Math.max(ledger.acknowledged, lsn);
}

/** Two batches, a rotation, two more, a close. The longest records take several sectors. */
async function work(files: MemoryFiles, ledger: Ledger, sync: SyncMode): Promise<void> {
  const opened = await open(files, { sync });
  ledger.acknowledged = Math.max(ledger.acknowledged, opened.records.length);
  const { wal } = opened;
  ledger.lineage = wal.lineage;
  const start = wal.nextLsn;
  const batch = (from: number) => [0, 1, 2].map((i) => append(wal, ledger, `${start + from + i} ${'x'.repeat(i * 700)}`));
  try {
    await Promise.all(batch(0));
    await Promise.all(batch(3));
    await wal.seal();
    await Promise.all(batch(6));
    await wal.close();
  } finally {
    // The rest of a process that was killed.
    await turns(3);
  }
}

/** Whether what is on disk is what the ledger allows. */
function check(t: Test, files: MemoryFiles, ledger: Ledger, crash: Crash, sync: SyncMode): string[] | undefined {
  let records: string[];
  try {
    records = recordsIn(files);
  } catch (error) {
    t.fail(`refused after ${JSON.stringify(crash)}`, { error });
    return undefined;
  }
  const promised = sync === 'always' || crash.power === undefined ? ledger.acknowledged : 0;
  if (records.length < promised) t.fail(`lost ${promised - records.length} acknowledged after ${JSON.stringify(crash)}`);
  const wrong = records.findIndex((record, i) => record !== ledger.appended[i]);
  if (wrong >= 0) t.fail(`record ${wrong + 1} is wrong after ${JSON.stringify(crash)}`);
  return records;
}

/** Runs the work with a crash at every operation, one after the other, until it gets through; returns how many there were. */
async function everyCrash(
  t: Test,
  sync: SyncMode,
  start: () => Promise<[MemoryFiles, Ledger]>,
  variants: Omit<Crash, 'at'>[],
): Promise<number> {
  for (let at = 0; ; at += 1) {
    for (const variant of variants) {
      const crash = { at, ...variant };
      const [files, ledger] = await start();
      arm(files, crash);
      let through = true;
      await work(files, ledger, sync).catch(() => {
        through = false;
      });
      if (through && files.ops.length <= at) return at;
      await turns(3);
      restart(files, crash);
      const left = check(t, files, ledger, crash, sync);
      if (left === undefined) return at;
      // Once more, through settling this time, with a second crash in there now and then.
      const second = { at: at % 7, torn: undefined, power: crash.power };
      arm(files, second);
      await open(files, { sync }).catch(() => undefined);
      await turns(3);
      restart(files, second);
      const again = check(t, files, { ...ledger, acknowledged: sync === 'always' ? left.length : 0 }, second, sync);
      if (again === undefined) return at;
      const opened = await open(files, { sync });
      if (left.length < ledger.acknowledged && opened.wal.lineage === ledger.lineage) {
        t.fail(`answers were lost and the lineage is the same after ${JSON.stringify(crash)}`);
      }
      const lsn = opened.wal.append(Buffer.from('after'));
      await opened.wal.durable(lsn);
      await opened.wal.close();
      if (recordsIn(files).length !== again.length + 1) t.fail(`cannot go on after ${JSON.stringify(crash)}`);
    }
  }
}

const KILLED = { torn: undefined, power: undefined };
const TORN = [1_100].map((torn) => ({ torn, power: undefined }));
const POWER = [1, 2, 3].map((power) => ({ torn: power % 2 === 0 ? 600 : undefined, power }));
const VARIANTS = {
  always: [KILLED, ...TORN, ...POWER],
  interval: [KILLED, ...POWER.slice(0, 2)],
  never: [KILLED, ...POWER.slice(2)],
};

for (const sync of ['always', 'interval', 'never'] as const) {
  t.test(`a new folder, ${sync}`, async (t) => {
    const start = async (): Promise<[MemoryFiles, Ledger]> => [new MemoryFiles(), { appended: [], acknowledged: 0, lineage: '' }];
    const ops = await everyCrash(t, sync, start, VARIANTS[sync]);
    t.ok(ops > 30, `${ops} operations`);
  });

  t.test(`a folder that was closed, ${sync}`, async (t) => {
    const ledger: Ledger = { appended: [], acknowledged: 0, lineage: '' };
    const before = new MemoryFiles();
    await work(before, ledger, sync);
    const start = async (): Promise<[MemoryFiles, Ledger]> => [before.copy(), { ...ledger, appended: [...ledger.appended] }];
    const ops = await everyCrash(t, sync, start, VARIANTS[sync]);
    t.ok(ops > 30, `${ops} operations`);
  });
}

t.test('recovery of a torn tail, with a crash at every operation', async (t) => {
  const files = new MemoryFiles();
  const ledger: Ledger = { appended: [], acknowledged: 0, lineage: '' };
  const { wal } = await open(files);
  for (const text of ['a', 'b', 'c']) await append(wal, ledger, text);
  files.kill();
  await turns(3);
  files.revive();
  files.bytes('0000000000000001.segment').fill(9, 2048, 5000);
  for (let at = 0; ; at += 1) {
    const copy = files.copy();
    const crash = { at, torn: 300, power: at };
    arm(copy, crash);
    const through = await open(copy).then(
      () => true,
      () => false,
    );
    if (through && copy.ops.length <= at) return t.ok(at > 5, `${at} operations`);
    await turns(3);
    restart(copy, crash);
    t.same(recordsIn(copy), ['a', 'b', 'c']);
    const again = await open(copy);
    t.same(again.records, ['a', 'b', 'c']);
    await again.wal.close();
  }
});
