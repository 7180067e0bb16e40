/**
 * Recovers from what a power cut left, as a start of the server does: `recoverFolder` and `restore` of the product itself.
 */
import { recoverFolder, restore } from '../../src/storage/recovery/recover-folder.ts';
import { snapshotName } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { readSnapshot, type SnapshotReader } from '../../src/storage/snapshot/reader.ts';
import { listSnapshots, type RestoredSnapshot, snapshotBefore } from '../../src/storage/snapshot/snapshot-folder.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import type { RecoveryPlan } from '../../src/storage/wal/recovery/recover-wal.ts';
import { type Contents, Disk } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { dump, recordingLog } from '../support/engine.ts';
import type { Library } from './library.ts';
import { difference, type Outcome, Violation } from './rules.ts';
import { folders, type Ledger, type Setting } from './world.ts';

/** What came of a state. */
export type Known = Outcome | Violation;

const { log } = recordingLog();
/** What recovery has no business to read: it is for people, or is made again. */
const unread = /\.torn(-\d)?$|\.tmp$|\/spare$/;

export class Examiner {
  readonly #library: Library;
  readonly #setting: Setting;
  /** What recovering again from a settled disk gave, by everything that a recovery may read. */
  readonly #again = new Map<string, string | Error>();
  /** What the snapshot before the newest holds, by everything in the folder of snapshots and the beginning of the log. */
  readonly #before = new Map<string, Before | Error>();

  constructor(library: Library, setting: Setting) {
    this.#library = library;
    this.#setting = setting;
  }

  /** Recovers; changes nothing. */
  recover(contents: Contents, ledger: Ledger): Known {
    const found = attempt(() => restore(left(contents), folders));
    if (found instanceof Error) return new Violation('recovers', found.message);
    return this.#judged(found, contents, ledger);
  }

  #judged(found: Found, contents: Contents, ledger: Ledger): Known {
    const known = outcomeOf(found, ledger);
    return known instanceof Violation ? known : (this.#beforeNewest(contents, ledger) ?? known);
  }

  /** What is wrong with the snapshot before the newest: nobody reads it until that one has rotted. */
  #beforeNewest(contents: Contents, ledger: Ledger): Violation | undefined {
    const held = [...(contents.get(folders.snapshots) ?? [])].filter(([name]) => name.endsWith('.snapshot'));
    if (held.length < 2) return undefined;
    const files = left(contents);
    const logFrom = listSegments(files, folders.journal)[0]?.firstLsn ?? 0;
    const key = [logFrom, ...held.map(([name, bytes]) => `${name}=${this.#library.content(bytes).number}`)].join();
    let text = this.#before.get(key);
    if (text === undefined) {
      text = attempt(() => textBefore(files, logFrom));
      this.#before.set(key, text);
    }
    if (text instanceof Error) return new Violation('kept', text.message);
    const expected = text.lsn === 0 ? undefined : ledger.history[text.lsn]?.text;
    return text.lsn === 0 || text.text === expected
      ? undefined
      : new Violation('kept', `the snapshot of record ${text.lsn}: ${difference(expected ?? '', text.text)}`);
  }

  /** Recovers, settles, and recovers again. The shape says which way through recovery was taken. */
  settle(contents: Contents, ledger: Ledger): { readonly known: Known; readonly shape: string } {
    const names = [...contents.entries()].map(
      ([folder, held]) => `${folder}:${[...held.keys()].filter((name) => !/^[0-9a-f]{16}\.s\w+$/.test(name))}`,
    );
    const files = left(contents);
    const found = attempt(() => recoverFolder(files, folders, { log, ...this.#setting }));
    if (found instanceof Error) return { known: new Violation('recovers', found.message), shape: '' };
    const known = this.#judged(found, contents, ledger);
    if (known instanceof Violation) return { known, shape: '' };
    const { plan, tail } = found;
    const shape = [
      ...names,
      plan.last?.end.kind,
      plan.last?.frames.at(-1)?.type,
      plan.before?.end.kind,
      plan.cut?.found,
      tail.segment.state,
    ].join();
    if (tail.nextLsn !== known.lsn + 1)
      return { known: new Violation('numbers', `${tail.nextLsn} would follow ${known.lsn}`), shape };
    const again = this.#recoverAgain(files);
    if (again instanceof Error) return { known: new Violation('idempotent', again.message), shape };
    if (again !== known.text)
      return { known: new Violation('idempotent', `after settling it differs: ${difference(known.text, again)}`), shape };
    return { known, shape };
  }

  /**
   * Many states settle to the same disk but for the copies of what was torn off. Recovery is seen not to read those, so one from the
   * same names and otherwise the same bytes need not be carried out twice.
   */
  #recoverAgain(files: SimulatedDisk): string | Error {
    let key = '';
    for (const [folder, held] of files.state.contents()) {
      key += `${folder}:`;
      for (const [name, bytes] of held) key += `${name}=${unread.test(`/${name}`) ? '' : this.#library.content(bytes).number},`;
    }
    let result = this.#again.get(key);
    if (result === undefined) {
      files.beforeRead = ({ kind, path }) => {
        if (kind === 'read' && unread.test(path)) throw new Error(`recovery reads ${path}`);
      };
      result = attempt(() => dump(restore(files, folders).restored.state));
      this.#again.set(key, result);
    }
    return result;
  }
}

/** The disk of the process that starts after a power cut. */
const left = (contents: Contents): SimulatedDisk => new SimulatedDisk(Disk.holding(contents));

interface Found {
  readonly restored: RestoredSnapshot;
  readonly plan: RecoveryPlan;
}

function outcomeOf({ restored, plan }: Found, ledger: Ledger): Known {
  const [damage] = restored.damaged;
  if (damage !== undefined) return new Violation('undamaged', damage.message);
  const { lsn } = restored.state;
  const expected = ledger.history[lsn]?.text;
  const text = dump(restored.state);
  // Thousands of states have the same text: it is kept once.
  return { lsn, text: text === expected ? expected : text, lineage: plan.lineage, snapshotLsn: restored.lsn };
}

interface Before {
  /** 0 when there is none. */
  readonly lsn: number;
  readonly text: string;
}

function textBefore(files: SimulatedDisk, logFrom: number): Before {
  const listed = listSnapshots(files, folders.snapshots);
  const [newest = 0] = listed;
  const read = <T>(lsn: number, use: (reader: SnapshotReader) => T): T =>
    readSnapshot(files, `${folders.snapshots}/${snapshotName(lsn)}`, use);
  const before = snapshotBefore(
    listed,
    newest,
    read(newest, (reader) => reader.dependencies),
    logFrom,
  );
  if (before === undefined) return { lsn: 0, text: '' };
  return { lsn: before, text: read(before, (reader) => dump(reader.state('memory'))) };
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}
