/**
 * Snapshots, also such as nobody but an enemy writes: every checksum and every reference right, and what they lead to wrong. Opened, they
 * give a state in which every value has its type, or they are refused with a place, now or when the bad part is first looked into.
 */
import { CorruptError, FolderError } from '../../../src/lib/errors.ts';
import { projects, resourceOf } from '../../../src/model/resources.ts';
import { SnapshotReader } from '../../../src/storage/snapshot/reader.ts';
import { writeSnapshot } from '../../../src/storage/snapshot/writer.ts';
import { applyRecord } from '../../../src/store/apply.ts';
import type { State } from '../../../src/store/state.ts';
import { SimulatedDisk } from '../../disk/simulated-disk.ts';
import { dump } from '../../support/engine.ts';
import type { Chance } from '../../support/random.ts';
import { mutateBytes, mutateMsgpack } from '../mutate.ts';
import { type Chunk, putTogether, takenApart } from '../snapshot-parts.ts';
import { must, refusal, type Target } from '../target.ts';
import { history, mustBeTyped, stateOf } from './record.ts';

const path = '/snapshots/0000000000000007.snapshot';
const copyPath = '/snapshots/copy';
const common = { lineage: 'ab'.repeat(16), nextSalt: 7, now: 1, newestTime: 1 };

function emptyDisk(): SimulatedDisk {
  const disk = new SimulatedDisk();
  disk.makeFolder('/snapshots');
  return disk;
}

export function snapshot(): Target {
  // As it was before anything was deleted, and after; several leaves in one collection.
  const seeds = [
    stateOf(history.slice(0, -7)),
    // With a publication and its visits.
    stateOf(history.slice(0, -4)),
    stateOf(),
    stateOf([[{ op: 'put-account', account: { id: 'a', name: 'n', created: 'c' } }]]),
    large(),
  ].map(written);
  return {
    name: 'snapshot',
    inputs: 15_000,
    seeds,
    outcomes: ['opened', 'opened, and damage', 'refused: CorruptError'],
    mutate,
    run(input) {
      const files = new SimulatedDisk();
      files.put(path, input);
      let states: State[];
      let reader: SnapshotReader | undefined;
      try {
        reader = new SnapshotReader(files, path);
        states = [reader.state('memory'), reader.state('file')];
        reader.verify();
      } catch (error) {
        return refused(error, input.length);
      } finally {
        if (reader === undefined) must(files.openCount === 0, 'a file was left open');
      }
      try {
        const texts = states.map((state) => dump(looked(state)));
        must(texts[0] === texts[1], 'read at once and read piece by piece, it is not the same');
        const copy = emptyDisk();
        writeSnapshot(states[0] as State, { ...common, files: copy, path: copyPath });
        const again = new SnapshotReader(copy, copyPath);
        must(dump(again.state('memory')) === texts[0], 'written and read again, it is not the same');
        again.close();
        return `opened ${states[0]?.accounts.size} ${[...(states[0]?.accounts.values() ?? [])][0]?.projects.size}`;
      } catch (error) {
        return `opened, and its damage was reported: ${refused(error, input.length)}`;
      } finally {
        reader.close();
        must(files.openCount === 0, 'a file was left open');
      }
    },
  };
}

function refused(error: unknown, size: number): string {
  if (error instanceof CorruptError) {
    const { file, offset } = error;
    const there =
      file === path ? offset >= 0 && offset <= size : offset === 0 && /^\/snapshots\/[0-9a-f]{16}\.snapshot$/.test(file);
    must(there, `a place that is none, in it or in a file that it refers to: ${error.message}`);
  }
  return refusal(error, CorruptError, FolderError);
}

/** Looks into everything that there is; and changes something, as the next request might. */
function looked(state: State): State {
  for (const account of state.accounts.values()) {
    must(typeof account.name === 'string' && account.version <= state.lsn, 'an account of wrong types');
    for (const project of account.projects.values()) {
      must(project.version <= state.lsn && project.objectsVersion <= state.lsn, 'a version above that of the snapshot');
      mustBeTyped(projects, project.value);
      for (const { name, parentId, collection } of project.collections()) {
        const members = [...collection.capture()];
        must(members.length === collection.size, 'another number of members than the collection has');
        for (const { value, version, rank } of members) {
          mustBeTyped(resourceOf[name], value);
          must(
            version <= collection.version && collection.version <= state.lsn && Number.isFinite(rank),
            'a member of the future',
          );
        }
        collection.prepare();
        const path = { accountId: account.id, projectId: project.id, collection: name, parentId };
        const { lsn } = state;
        applyRecord(state, lsn + 1, [{ op: 'put', path, values: [resourceOf[name].create('~new', {}, { type: 'spot' })] }]);
        applyRecord(state, lsn + 2, [{ op: 'delete', path, ids: ['~new'] }]);
      }
    }
  }
  for (const { access, projects: only, ...texts } of state.keys.values()) {
    const typed =
      ['write', 'read'].includes(access) && [...only, ...Object.values(texts)].every((text) => typeof text === 'string');
    must(typed, 'a key of wrong types');
  }
  return state;
}

function large(): State {
  const path = { accountId: 'acc', projectId: 'p1', collection: 'popups', parentId: '' } as const;
  const values = Array.from({ length: 600 }, (_, i) => resourceOf.popups.create(`w${String(i).padStart(4, '0')}`, {}, {}));
  return stateOf([...history.slice(0, 3), [{ op: 'put', path, values }]]);
}

function written(state: State): Buffer {
  const files = emptyDisk();
  writeSnapshot(state, { ...common, files, path });
  return files.bytes(path);
}

function mutate(input: Buffer, random: Chance): Buffer {
  const taken = random.once(8) ? undefined : takenApart(input);
  if (taken === undefined) return mutateBytes(input, random);
  const { header, chunks } = taken;
  if (random.once(12)) header.writeUInt32LE(random.below(2 ** 31), random.pick([8, 12, 16, 20, 48]));
  for (let left = 1 + random.below(2); left > 0 && chunks.length > 0; left--) {
    const at = random.below(chunks.length);
    const chunk = chunks[at] as Chunk;
    const what = random.below(14);
    if (what === 0) chunks.splice(at, 1);
    else if (what === 1) chunks.splice(random.below(chunks.length), 0, { ...chunk });
    else if (what === 2) chunk.kind = random.below(6);
    else if (what === 3) chunk.payload = (random.pick(chunks) as Chunk).payload;
    else chunk.payload = mutateMsgpack(chunk.payload, random);
  }
  return putTogether(header, chunks);
}
