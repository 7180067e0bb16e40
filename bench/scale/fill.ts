/**
 * Fills a data folder with objects through the program's own writer, in a process of its own so that what it leaves in memory goes with
 * it: `node fill.js PROGRAM FOLDER SPEC`, with a {@link FolderSpec} as JSON. Prints a {@link Filled} as JSON.
 *
 * Every project is decided, logged and applied as a request would be; only the HTTP around it is left out, and the syncs.
 */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { everyCityAsSpot } from '../../data/cities.ts';
import type { Command, Target } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';

export interface FolderSpec {
  readonly objects: number;
  readonly objectsPerProject: number;
  /** Where a restart finds them: in the log; in a snapshot; or in a snapshot, with changes of a tenth of them in the log above it. */
  readonly kept: 'log' | 'snapshot' | 'both';
}

/** A project with one artboard, and some of the objects on it. */
export interface Place {
  readonly project: string;
  readonly artboard: string;
  /** Identifiers of up to {@link samplesPerProject} objects, evenly spread over the artboard. */
  readonly objects: readonly string[];
}

export interface Filled {
  readonly key: string;
  readonly places: readonly Place[];
  /** What the log above the snapshot takes, in bytes. */
  readonly logBytes: number;
  /** What the snapshot takes, in bytes; 0 without one. */
  readonly snapshotBytes: number;
}

export const samplesPerProject = 10;
/** Requests under way at a time. */
const underWay = 16;
/** No snapshot is taken while the folder is filled. */
const never = { snapshotBytes: Number.MAX_SAFE_INTEGER, snapshotMinutes: 1_000_000, snapshotPauseMs: 0 };
/** Until a command is tried again for which the disk was not ready yet, in milliseconds. */
const busyMs = 20;
/** Of how many objects one is changed after the snapshot. */
const changedPart = 10;

/** The modules of the program that is measured, which need not be the one that this file was compiled with. */
export async function modulesOf(program: string) {
  const load = (name: string) => import(pathToFileURL(path.join(program, 'src', name)).href);
  const { openEngine } = (await load('engine/open-engine.js')) as typeof import('../../src/engine/open-engine.ts');
  const { createKey } = (await load('engine/keys.js')) as typeof import('../../src/engine/keys.ts');
  return { openEngine, createKey };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens the engine on a data folder as the server does; what it acknowledges is not synced. */
export async function openFolder(program: string, folder: string) {
  const { openEngine, createKey } = await modulesOf(program);
  const opened = await openEngine(
    { journal: path.join(folder, 'journal'), snapshots: path.join(folder, 'snapshots'), marker: path.join(folder, 'format') },
    {
      ...never,
      sync: 'never',
      log: silent,
      onFatal: (error) => {
        throw error;
      },
    },
  );
  return { ...opened, createKey };
}

/** Carries out a command that must succeed; `show` as in {@link Writer.execute}. */
export async function done<T>(
  engine: Engine,
  command: Command,
  show: Parameters<typeof engine.writer.execute<T>>[1],
): Promise<T> {
  for (;;) {
    try {
      const outcome = await engine.writer.execute(command, show);
      if (outcome.outcome !== 'done') throw new Error(`${command.action}: ${JSON.stringify(outcome)}`);
      return outcome.shown;
    } catch (error) {
      // By its name: the class may be that of another commit's program.
      if ((error as Error).name !== 'BusyError') throw error;
      await setTimeout(busyMs);
    }
  }
}

/** Calls `task` for 0, 1, ... `count - 1`, {@link underWay} at a time, in this order. */
export async function each(count: number, task: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: underWay }, worker));
}

/** An object in the place of a command. */
export const objectTarget = (accountId: string, { project, artboard }: Place, id: string): Target => ({
  kind: 'member',
  path: { accountId, projectId: project, collection: 'objects', parentId: artboard },
  id,
});

async function fill(program: string, folder: string, spec: FolderSpec): Promise<Filled> {
  const { engine, wal, createKey } = await openFolder(program, folder);
  const { key, account } = await createKey(engine, 'bench');
  const cities = everyCityAsSpot();
  const count = Math.ceil(spec.objects / spec.objectsPerProject);
  const places: Place[] = [];
  await each(count, async (i) => {
    const first = i * spec.objectsPerProject;
    const objects = Array.from(
      { length: Math.min(spec.objectsPerProject, spec.objects - first) },
      (_, j) => cities[(first + j) % cities.length],
    );
    const body = { name: `Cities ${i + 1}`, artboards: [{ name: 'Map', objects }] };
    const target: Target = { kind: 'project', accountId: account.id, projectId: '' };
    places[i] = await done(engine, { action: 'create', target, body, fieldErrors: [] }, (state, written) => {
      const project = state.accounts.get(account.id)?.projects.get((written as { projectId: string }).projectId);
      const [artboard] = project?.collection('artboards', '')?.capture() ?? [];
      const ids = Array.from(project?.collection('objects', artboard?.value.id ?? '')?.capture() ?? [], ({ value }) => value.id);
      const step = Math.max(1, Math.floor(ids.length / samplesPerProject));
      const samples = ids.filter((_, j) => j % step === 0).slice(0, samplesPerProject);
      return { project: project?.id ?? '', artboard: artboard?.value.id ?? '', objects: samples };
    });
  });
  let snapshotBytes = 0;
  let before = 0;
  if (spec.kept !== 'log') {
    snapshotBytes = (await engine.snapshot())?.bytes ?? 0;
    before = wal.stats.bytes;
  }
  if (spec.kept === 'both') {
    const perPlace = Math.max(1, Math.round(spec.objectsPerProject / changedPart));
    await each(count * perPlace, async (i) => {
      const place = places[i % count] as Place;
      const target = objectTarget(account.id, place, place.objects[i % place.objects.length] as string);
      await done(engine, { action: 'update', target, body: { name: `Changed ${i}` }, fieldErrors: [] }, () => undefined);
    });
  }
  await engine.close();
  return { key, places, logBytes: wal.stats.bytes - before, snapshotBytes };
}

const [, script, program, folder, spec] = process.argv;
if (script?.endsWith('fill.js') && program !== undefined && folder !== undefined && spec !== undefined) {
  process.stdout.write(JSON.stringify(await fill(program, folder, JSON.parse(spec) as FolderSpec)));
}
