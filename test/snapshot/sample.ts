/** A small data folder with everything in it: two snapshots, and segments above each. */
import path from 'node:path';
import type { Test } from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { createKey, revokeKey } from '../../src/engine/keys.ts';
import { CorruptError } from '../../src/lib/errors.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
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
  remove,
  update,
} from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

/** Fills one more project, with something of every kind of change. */
export async function fill(engine: Engine, name: string): Promise<string> {
  const ann = await accountIn(engine, 'ann');
  const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `${name} ${i}` }));
  const artboards = [{ name, objects: [{ type: 'spot' }, { type: 'poly', coords: [{ x: 0.5, y: -1 }] }] }, {}];
  const body = { name, settings: { toJSON: 1, deep: [{}] }, artboards, popups: named(4), variables: named(3), actions: named(1) };
  const id = await done(engine, create(project(ann, ''), body));
  const ids = membersIn(engine, ann, id, 'popups').map((popup) => popup.id);
  await done(engine, update(project(ann, id), { popups: [{ id: ids[2] }, { name: 'between' }, { id: ids[0], title: 'first' }] }));
  await done(engine, remove(member(ann, id, 'popups', ids[2] as string)));
  await done(engine, create(member(ann, id, 'data_sources'), { name: `source of ${name}` }));
  await done(engine, remove(project(ann, await done(engine, create(project(ann, ''), { name: 'short-lived' })))));
  const { id: key } = await createKey(engine, `owner of ${name}`);
  if (name.length % 2 === 0) await revokeKey(engine, key);
  return id;
}

export interface Sample {
  readonly image: SimulatedDisk;
  readonly folder: string;
  /** Everything it holds. */
  readonly whole: string;
  /** Paths, oldest first. */
  readonly snapshots: [older: string, newer: string];
  readonly segments: readonly string[];
}

/** The folder of a server that was stopped: its last batch is vouched for by a mark. */
export async function sample(t: Pick<Test, 'teardown'>): Promise<Sample> {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  await fill(engine, 'one');
  await engine.snapshot();
  await fill(engine, 'four');
  await engine.snapshot();
  await fill(engine, 'seven');
  const whole = dump(engine.state);
  await engine.close();
  const image = SimulatedDisk.of(folder);
  return {
    image,
    folder,
    whole,
    snapshots: image.named('.snapshot') as [string, string],
    segments: image.named('.segment'),
  };
}

/** The same files, with a bit of one of them changed. */
export function flipped(image: SimulatedDisk, file: string, at: number): SimulatedDisk {
  const copy = image.copy();
  const bytes = Buffer.from(image.bytes(file));
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
  copy.put(file, bytes);
  return copy;
}

export interface Found {
  /** Dump of the state; `undefined` when it refuses. */
  readonly state: string | undefined;
  /** Reported damage, or the reason of the refusal. */
  readonly errors: readonly CorruptError[];
}

/** What a server that starts now would have. Only {@link CorruptError} may be thrown, and everything opened is closed. */
export function restored(image: SimulatedDisk, folder: string): Found {
  const found = attempt(image, folder);
  if (image.openCount > 0) throw new Error('a file was left open');
  return found;
}

function attempt(image: SimulatedDisk, folder: string): Found {
  try {
    const { restored: sound } = restore(image, foldersIn(folder));
    return { state: dump(sound.state), errors: sound.damaged };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { state: undefined, errors: [error] };
  }
}

/** What is wrong with an answer to damage in `file`, if anything: state of its own, or no word about where the damage is. */
export function wrong(found: Found, accepted: readonly string[], image: SimulatedDisk): string | undefined {
  if (found.state !== undefined && !accepted.includes(found.state)) return 'other data than was written';
  for (const { file, offset } of found.errors) {
    const size = image.stat(file)?.bytes;
    if (size === undefined || offset < 0 || offset > size) return `an error that names ${path.basename(file)}, byte ${offset}`;
  }
  return found.state === undefined && found.errors.length === 0 ? 'refused without a word' : undefined;
}
