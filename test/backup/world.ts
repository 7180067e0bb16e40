/** A folder with a long history, all of whose log is still there, and what it was after every record: worked out from the records alone. */
import type { Test } from 'tap';
import { ProgressCounter } from '../../src/lib/threads/progress-counter.ts';
import type { Value } from '../../src/model/value.ts';
import { recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import { applyRecord } from '../../src/store/apply.ts';
import { type ChangeSet, decodeRecord } from '../../src/store/operations/record.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { fill } from '../snapshot/sample.ts';
import { accountIn, create, done, foldersIn, member, membersIn, openWorld, project, remove, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

/** The smallest, which is the quickest to make. */
export const segmentBytes = 1024 * 1024;

export interface LongHistory {
  readonly folder: string;
  /** Of all segments and snapshots; the server was stopped in good order. */
  readonly image: SimulatedDisk;
  readonly records: ReadonlyMap<number, ChangeSet>;
  readonly lastLsn: number;
  /** LSNs of the snapshots, older first. */
  readonly snapshots: readonly number[];
}

export interface HistoryOptions {
  /** The time of day, asked once for every record and more often. */
  readonly clock?: () => number;
  /** Called after each of the three parts. */
  readonly after?: (part: number, engine: Awaited<ReturnType<typeof openWorld>>['engine'], folder: string) => Promise<void>;
}

export async function longHistory(t: Pick<Test, 'teardown'>, { clock, after }: HistoryOptions = {}): Promise<LongHistory> {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder, clock === undefined ? {} : { clock });
  engine.snapshots.hold(0, { snapshot: false });
  const snapshots: number[] = [];
  for (const [part, name] of ['one', 'four', 'seven'].entries()) {
    const id = await fill(engine, name);
    const ann = await accountIn(engine);
    const many = Array.from({ length: 300 }, (_, i) => ({ name: `${name} ${i}` }));
    await done(engine, update(project(ann, id), { variables: many }));
    const variables = membersIn(engine, ann, id, 'variables').map((value) => value.id);
    const third = variables[200] as string;
    await done(engine, update(member(ann, id, 'variables', third), { name: 'changed' }));
    await done(engine, remove(member(ann, id, 'variables', variables[100])));
    const variable = { accountId: ann, projectId: id, collection: 'variables', parentId: '' } as const;
    const board = (name: string, objects: object[]) => create(member(ann, id, 'artboards', ''), { name, objects });
    const [from, to] = [
      await done(engine, board('from', [{ type: 'spot' }, { type: 'spot' }])),
      await done(engine, board('to', [])),
    ];
    const objects = { accountId: ann, projectId: id, collection: 'objects' } as const;
    const [moved] = membersIn(engine, ann, id, 'objects', from);
    engine.writer.commit([
      { op: 'place', path: variable, id: third, before: variables[5] ?? null },
      { op: 'move', path: { ...objects, parentId: to }, value: moved as Value, fromArtboard: from, before: null },
    ]);
    await done(engine, create(project(await accountIn(engine, `account ${name}`)), { name: `of another, ${name}` }));
    if (part < 2) snapshots.push((await engine.snapshot())?.lsn ?? 0);
    await after?.(part, engine, folder);
  }
  await engine.close();
  const records = new Map<number, ChangeSet>();
  const image = SimulatedDisk.of(folder);
  image.makeFolder('/backups');
  recoverWal(image, foldersIn(folder).journal, { after: 0, onRecord: (lsn, bytes) => records.set(lsn, decodeRecord(bytes)) });
  return { folder, image, records, lastLsn: records.size, snapshots };
}

/** What there was after a record. */
export function stateAt({ records }: Pick<LongHistory, 'records'>, lsn: number): State {
  const state = new State(runLeaves);
  for (let at = 1; at <= lsn; at++) applyRecord(state, at, (records.get(at) as ChangeSet).changes);
  return state;
}

/** A target of restores in an image. */
export const targetIn = (folder: string) => ({
  folder,
  now: Date.UTC(2026, 0, 1),
  progress: new ProgressCounter(),
  segmentBytes,
});
