/** The engine in this process: opened on a folder, given commands, and all that it holds as text to compare. */
import path from 'node:path';
import type { Command, Target } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { StoredFiles } from '../../src/engine/files/stored-files.ts';
import { createKey } from '../../src/engine/keys.ts';
import { type OpenOptions, openEngine, type Recovery } from '../../src/engine/open-engine.ts';
import type { Log } from '../../src/lib/observability/logger.ts';
import type { CollectionName } from '../../src/model/resource.ts';
import type { Value } from '../../src/model/value.ts';
import type { Folders } from '../../src/storage/recovery/recover-folder.ts';
import { snapshotName } from '../../src/storage/snapshot/format/snapshot-format.ts';
import type { State } from '../../src/store/state.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import type { Publication } from '../../src/store/stored-publication.ts';
import { inlineWorkers, workersOfTier } from './in-thread.ts';

export type Logged = [level: string, fields: Readonly<Record<string, unknown>>, message: string][];

export function recordingLog(): { log: Log; logged: Logged } {
  const logged: Logged = [];
  const entry = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    logged.push([level, fields, message]);
  };
  return { logged, log: { info: entry('info'), warn: entry('warn'), error: entry('error') } };
}

export const foldersIn = (folder: string): Folders => ({
  journal: path.join(folder, 'journal'),
  snapshots: path.join(folder, 'snapshots'),
  marker: path.join(folder, 'format'),
});

/** Path of the snapshot of a record, in a folder of snapshots. */
export const snapshotIn = (folder: string, lsn: number): string => path.join(folder, snapshotName(lsn));

export interface World {
  readonly engine: Engine;
  /** Its files, whose bytes are in memory by default. */
  readonly stored: StoredFiles;
  readonly recovery: Recovery;
  readonly logged: Logged;
  readonly fatal: unknown[];
}

/** Opens a folder with the smallest segments. @param options `files`, if it is on a simulated disk */
export async function openWorld(folder: string, options: Partial<OpenOptions> = {}): Promise<World> {
  const { log, logged } = recordingLog();
  const fatal: unknown[] = [];
  const { engine, recovery } = await openEngine(foldersIn(folder), {
    segmentBytes: 1024 * 1024,
    snapshotPauseMs: 0,
    log,
    onFatal: (error) => fatal.push(error),
    workers: options.files === undefined ? workersOfTier() : inlineWorkers(options.files),
    ...options,
  });
  return { engine, stored: engine.files as StoredFiles, recovery, logged, fatal };
}

/** The identifier of an account of that name, made when it is not there. */
export async function accountIn(engine: Engine, name = 'ann'): Promise<string> {
  return engine.state.accountNamed(name)?.id ?? (await createKey(engine, name)).account.id;
}

export const project = (accountId: string, projectId = ''): Target => ({ kind: 'project', accountId, projectId });

export function member(accountId: string, projectId: string, collection: CollectionName, id = '', parentId = ''): Target {
  return { kind: 'member', path: { accountId, projectId, collection, parentId }, id };
}

export const create = (target: Target, body: unknown = {}): Command => ({ action: 'create', target, body, fieldErrors: [] });
export const update = (target: Target, body: unknown): Command => ({ action: 'update', target, body, fieldErrors: [] });
export const remove = (target: Target): Command => ({ action: 'delete', target });

/** Carries out a command that must succeed; the identifier of what it was about. */
export async function done(engine: Engine, command: Command): Promise<string> {
  const outcome = await engine.writer.execute(command, (_, written) =>
    written.kind === 'project' ? written.projectId : written.id,
  );
  if (outcome.outcome !== 'done') throw new Error(`${command.action}: ${JSON.stringify(outcome)}`);
  return outcome.shown;
}

/** A project in memory. */
export function projectIn({ state }: Pick<Engine, 'state'>, accountId: string, projectId: string): StoredProject {
  const found = state.accounts.get(accountId)?.projects.get(projectId);
  if (found === undefined) throw new Error(`there is no project ${projectId}`);
  return found;
}

/** The members of a collection in memory, in their order. */
export const membersIn = (
  engine: Pick<Engine, 'state'>,
  accountId: string,
  projectId: string,
  collection: CollectionName,
  parentId = '',
): Value[] =>
  Array.from(projectIn(engine, accountId, projectId).collection(collection, parentId)?.capture() ?? [], ({ value }) => value);

/** A request that publishes a map without files. */
export const publishing = {
  shard: 0,
  allows: (): boolean => true,
  rules: (): string[] => ['{}'],
  shows: function* noFiles(): Generator<void, ReadonlySet<string>> {
    yield;
    return new Set();
  },
};

/** In one order, whether it comes from a record or from a snapshot. */
function published({ slug, origins, projectVersion, live, lsn, versions }: Publication): object {
  const rules = live && Buffer.from(live.rules).toString('base64');
  return { slug, origins, projectVersion, live: { ...live, rules }, lsn, versions };
}

/** Everything a state holds, as JSON: two states are the same exactly if their dumps are. */
export function dump(state: State): string {
  const { lsn, newestId, keysVersion, publications, names, runs } = state;
  const accounts = [...state.accounts.values()].map(({ id, name, created, limits, version, projectsVersion, projects }) => ({
    ...{ id, name, created, limits, version, projectsVersion },
    projects: [...projects.values()].map((held) => ({
      id: held.id,
      accountId: held.accountId,
      version: held.version,
      headVersion: held.headVersion,
      objectsVersion: held.objectsVersion,
      value: held.value,
      publication: held.publication && published(held.publication),
      visits: held.visits && Buffer.from(held.visits).toString('base64'),
      collections: [...held.collections()].map(({ name, parentId, collection }) => {
        const { version, epoch, nextRank, sorted, size } = collection;
        const members = Array.from(collection.capture(), (m) => [m.rank, m.version, m.value]);
        return { name, parentId, version, epoch, nextRank, sorted, size, members };
      }),
    })),
  }));
  return JSON.stringify({
    lsn,
    newestId,
    keysVersion,
    runs: [...runs],
    keys: [...state.keys.values()],
    slugs: [...publications.keys()].sort(),
    names: [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    accounts,
  });
}
