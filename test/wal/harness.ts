/** Opens a log on a simulated disk, on this thread, and says what it holds. */

import type { Files } from '../../src/lib/files/files.ts';
import { segmentBytesMin, segmentPath } from '../../src/storage/wal/format/segment.ts';
import type { Lsn } from '../../src/storage/wal/journal.ts';
import { replay } from '../../src/storage/wal/read/replay.ts';
import { type RecoverOptions, type RecoveryPlan, recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import { type RepairTailOptions, repairTail } from '../../src/storage/wal/recovery/repair-tail.ts';
import type { Tail } from '../../src/storage/wal/tail.ts';
import { openWal, type Wal, type WalOptions } from '../../src/storage/wal/write/wal.ts';
import type { WalWorker } from '../../src/storage/wal/write/wal-worker.ts';
import { Disk, rootPath } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import type { Home } from './conformance.ts';
import { InlineWorker } from './inline-worker.ts';

export const FOLDER = `${rootPath}/journal`;

/** A new disk. Names of files are those in {@link FOLDER}. */
export const newDisk = (): SimulatedDisk => new SimulatedDisk(new Disk(), FOLDER);

export interface Opened {
  readonly wal: Wal;
  readonly plan: RecoveryPlan;
  readonly tail: Tail;
  /** The records recovered, as text. */
  readonly records: string[];
  /** What `onFatal` was called with. */
  readonly fatal: Error[];
}

export interface OpenOptions extends Partial<RecoverOptions>, Partial<RepairTailOptions>, Pick<WalOptions, 'stall'> {
  readonly folder?: string;
  /** Does the work in this thread by default. */
  readonly worker?: WalWorker;
  /** Gets what `onFatal` is called with, for a log that does not open. */
  readonly fatal?: Error[];
}

/** Recovers, settles and opens, with segments of the smallest size. */
export async function open(files: Files, options: OpenOptions = {}): Promise<Opened> {
  const { folder = FOLDER, worker = new InlineWorker(files), fatal = [], stall, ...others } = options;
  const records: string[] = [];
  const plan = recoverWal(files, folder, { after: 0, ...others, onRecord: (_lsn, record) => records.push(record.toString()) });
  const tail = repairTail(files, plan, { sync: 'always', segmentBytes: segmentBytesMin, ...others });
  const wal = await openWal(tail, { onFatal: (error) => fatal.push(error), worker, ...(stall && { stall }) });
  return { wal, plan, tail, records, fatal };
}

/** Reads the log in a folder, whether it is open or not. */
export const readersOf = (files: Files, folder: string): Pick<Home, 'records' | 'replay'> => ({
  async records() {
    const records: Buffer[] = [];
    recoverWal(files, folder, { after: 0, onRecord: (_lsn, record) => records.push(Buffer.from(record)) });
    return records;
  },
  async replay(from, to) {
    const records: Buffer[] = [];
    replay(files, folder, from, to, (_lsn, record) => records.push(Buffer.from(record)));
    return records;
  },
});

/** What a folder holds: the records above `after`, as text. Changes nothing. */
export function recordsIn(files: Files, after: Lsn = 0): string[] {
  const records: string[] = [];
  recoverWal(files, FOLDER, { after, onRecord: (_lsn, record) => records.push(record.toString()) });
  return records;
}

/** Appends one record and waits until it is durable, so that it has a frame of its own. */
export async function add(wal: Wal, text: string): Promise<Lsn> {
  const lsn = wal.append(Buffer.from(text));
  await wal.durable(lsn);
  return lsn;
}

/** The name of the segment that begins with `lsn`. */
export function segmentName(lsn: Lsn): string {
  return segmentPath('', lsn);
}

export function texts(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => `record ${from + i}`);
}

/** Lets what is scheduled happen. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for something that happens by itself. A test that waits in vain is ended by its own time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
