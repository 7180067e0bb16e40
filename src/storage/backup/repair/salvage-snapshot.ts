/**
 * Salvages a damaged snapshot: makes a state of its intact chunks (salvaged-chunks.ts), fills gaps from an older state, and lists the
 * losses. The header must verify: it says which record the snapshot covers and which log continues it. Only the index says what a chunk
 * belongs to: a project whose index is damaged cannot be reassembled.
 */
import type { Files } from '../../../lib/files/files.ts';

import { type Account, keyFromRow } from '../../../model/account.ts';
import { projects as projectResource, resourceOf } from '../../../model/resources.ts';
import { unpack } from '../../../model/stored.ts';
import type { Value } from '../../../model/value.ts';
import { Collection } from '../../../store/collection.ts';
import type { Member } from '../../../store/member.ts';
import { unpackMembers } from '../../../store/rows/member-rows.ts';
import { runLeaves } from '../../../store/run-leaf.ts';
import { type AccountState, accountAt, State } from '../../../store/state.ts';
import { StoredProject } from '../../../store/stored-project.ts';
import { checkedVisits } from '../../../store/visits.ts';
import { accountOf, addAccount, storedResponseOf } from '../../snapshot/format/account-rows.ts';
import { type CollectionEntry, type ProjectEntry, unpackProjects, unpackRoot } from '../../snapshot/format/index-format.ts';
import { readSnapshotHeader } from '../../snapshot/format/read-header.ts';
import type { ChunkRef, SnapshotHeader } from '../../snapshot/format/snapshot-format.ts';
import { addMissingArtboards, placeholderProject } from './placeholders.ts';
import type { Loss } from './repair-report.ts';
import { type OwnChunk, SalvagedChunks } from './salvaged-chunks.ts';

interface Salvaged {
  readonly header: SnapshotHeader;
  readonly state: State;
  readonly losses: readonly Loss[];
}

/**
 * Reads the intact parts of a snapshot and fills gaps from an older state.
 *
 * @param older a whole earlier state of the same history, if available
 */
export function salvageSnapshot(files: Files, path: string, older: State | undefined): Salvaged {
  const header = readSnapshotHeader(files, path);
  const chunks = new SalvagedChunks(files, path, header.lsn);
  try {
    return new Salvage(chunks, header, older).run();
  } finally {
    chunks.close();
  }
}

class Salvage {
  readonly #chunks: SalvagedChunks;
  readonly #header: SnapshotHeader;
  readonly #older: State | undefined;
  readonly #state = new State(runLeaves);
  readonly #losses: Loss[] = [];

  constructor(chunks: SalvagedChunks, header: SnapshotHeader, older: State | undefined) {
    this.#chunks = chunks;
    this.#header = header;
    this.#older = older;
  }

  run(): Salvaged {
    const header = this.#header;
    const chunks = [...this.#chunks.all()];
    const state = this.#state;
    state.lsn = header.lsn;
    // The damaged index may hold the exact value. A greater value does no harm.
    state.keysVersion = header.lsn;
    const index = chunks.filter(({ kind }) => kind === 'index');
    // The root chunk lists accounts and keys, and names the index chunks in other files. All other index chunks are arrays of projects.
    const root = index.find((chunk) => typeof this.#chunks.decoded(chunk, unpack)?.[0] === 'number');
    const named = root === undefined ? undefined : this.#chunks.decoded(root, (payload) => unpackRoot(payload, header.lsn));
    const otherFiles = named?.groups.filter(({ file }) => file !== header.lsn) ?? [];
    const lists = [...index.filter((chunk) => chunk !== root), ...otherFiles].map((ref) =>
      this.#chunks.decoded(ref, (payload) => unpackProjects(payload, ref.file)),
    );
    const entries = lists.flatMap((list) => list ?? []);
    this.#accounts(chunks, named?.accounts);
    this.#keys(chunks, named?.keys);
    this.#responses(chunks, named?.storedResponses);
    for (const { firstLsn, id } of named?.runs ?? this.#older?.runs ?? []) state.runs.start(firstLsn, id);
    for (const entry of entries) this.#project(entry);
    if (named === undefined || !this.#chunks.isWhole(index) || lists.includes(undefined))
      this.#restoreUnindexed(chunks, entries, header);
    this.#sortProjects();
    state.newestId = [named?.newestId ?? '', this.#older?.newestId ?? '', this.#newestId()].sort().at(-1) as string;
    return { header, state, losses: this.#losses };
  }

  #accounts(chunks: readonly OwnChunk[], refs: readonly ChunkRef[] | undefined): void {
    const payloads = this.#listed(chunks, 'accounts', refs, (row) => accountOf(row, this.#state.lsn));
    for (const payload of payloads.found) {
      for (const account of payload) addAccount(this.#state, account);
    }
    if (payloads.whole) return;
    const taken: string[] = [];
    for (const account of this.#older?.accounts.values() ?? []) {
      if (!this.#state.accounts.has(account.id)) taken.push(this.#takeAccount(account).id);
    }
    // Never take names from the older state: one may be another account's since.
    const names = [...(this.#older?.names.values() ?? [])].map(({ name }) => name).filter((name) => !this.#state.names.get(name));
    const gone = names.length === 0 ? '' : `; with their readable addresses, among them ${names.slice(0, 10).join(', ')}`;
    const words = `a list of up to 256 accounts, as of record ${this.#state.lsn}; ${this.#replacement(taken.length, 'account')}${gone}`;
    this.#losses.push({ kind: 'accounts', ids: taken, words });
  }

  #keys(chunks: readonly OwnChunk[], refs: readonly ChunkRef[] | undefined): void {
    const payloads = this.#listed(chunks, 'keys', refs, keyFromRow);
    for (const payload of payloads.found) {
      for (const key of payload) this.#state.keys.set(key.id, key);
    }
    if (payloads.whole) return;
    const gone = [...(this.#older?.keys.values() ?? [])].filter(({ id }) => !this.#state.keys.has(id)).map(({ id }) => id);
    const known = gone.length === 0 ? '' : `; among them ${gone.join(', ')}`;
    // Never take keys from the older state: one may have been revoked since.
    this.#losses.push({ kind: 'keys', words: `a list of up to 256 keys: create new ones with keys create${known}` });
  }

  #responses(chunks: readonly OwnChunk[], refs: readonly ChunkRef[] | undefined): void {
    const payloads = this.#listed(chunks, 'responses', refs, (row) => storedResponseOf(row, this.#state.lsn));
    for (const { accountId, lsn, response } of payloads.found.flat())
      this.#state.accounts.get(accountId)?.storedResponses.put(response, lsn);
    if (payloads.whole) return;
    const words = 'responses to requests with an Idempotency-Key: a retry of such a request may be carried out a second time';
    this.#losses.push({ kind: 'responses', words });
  }

  /** The chunks that the root names; without a root, the chunks found, which may be incomplete. */
  #listed<T>(
    chunks: readonly OwnChunk[],
    kind: 'accounts' | 'keys' | 'responses',
    refs: readonly ChunkRef[] | undefined,
    fromRow: (row: unknown) => T,
  ) {
    const chosen = refs ?? chunks.filter((chunk) => chunk.kind === kind);
    const lists = chosen.map((ref) => this.#chunks.decoded(ref, (payload) => unpack(payload).map(fromRow)));
    const found = lists.filter((rows) => rows !== undefined);
    return { found, whole: refs !== undefined && found.length === refs.length };
  }

  #project(entry: ProjectEntry): void {
    const { id, accountId, head } = entry;
    const account = this.#account(accountId);
    const own = this.#chunks.decoded(head, (payload) => projectResource.fromRow(unpack(payload)));
    const before = this.#older?.accounts.get(accountId)?.projects.get(id);
    const project = new StoredProject(id, accountId, runLeaves, own ?? before?.value ?? placeholderProject(accountId, id), entry);
    if (own === undefined) {
      const instead = before === undefined ? 'no older values exist' : `replaced by those of record ${this.#older?.lsn}`;
      const words = `the name and the settings of project ${before === undefined ? id : nameIn(before)}; ${instead}`;
      this.#losses.push({ kind: 'project', accountId, projectId: id, words });
    }
    for (const held of entry.collections)
      project.setCollection(held.name, held.parentId, this.#collection(project, held, before));
    addMissingArtboards(project, this.#state.lsn);
    project.publication = entry.publication;
    this.#visits(project, entry);
    account.projects.set(id, project);
  }

  /** Lost visits are not taken from the older state: they may be of another publication. */
  #visits(project: StoredProject, { visits }: ProjectEntry): void {
    if (visits === undefined) return;
    const found = this.#chunks.decoded(visits, checkedVisits);
    project.visits = found;
    if (found !== undefined) return;
    const { accountId, id: projectId } = project;
    const words = `the visits of the published map of project ${nameIn(project)}`;
    this.#losses.push({ kind: 'publication', accountId, projectId, words });
  }

  #collection(project: StoredProject, entry: CollectionEntry, before: StoredProject | undefined): Collection {
    const resource = resourceOf[entry.name];
    const leaves: (Member[] | undefined)[] = entry.leaves.map((leaf) => {
      const members = this.#chunks.decoded(leaf, (payload) => unpackMembers(resource, payload));
      return members?.length === leaf.count ? members : undefined;
    });
    if (!leaves.includes(undefined))
      return new Collection(
        resource,
        runLeaves,
        entry,
        leaves.map((members) => runLeaves.make(resource, members as Member[])),
      );
    const present = new Set(leaves.flatMap((members) => members?.map(({ value }) => value.id) ?? []));
    const old = before?.collection(entry.name, entry.parentId);
    // After a renumbering of the ranks in between, old ranks say nothing about the position.
    const olderMembers = old?.epoch === entry.epoch ? [...old.capture()].filter(({ value }) => !present.has(value.id)) : [];
    const filled = leaves.map((members, at) => {
      if (members !== undefined) return members;
      const { count, lastRank } = entry.leaves[at] as CollectionEntry['leaves'][number];
      const after = entry.leaves[at - 1]?.lastRank ?? Number.NEGATIVE_INFINITY;
      const older = olderMembers.filter(({ rank }) => rank > after && rank <= lastRank);
      this.#lostMembers(project, entry, count, older.length);
      return older;
    });
    const ids = filled.flat().map(({ value }) => value.id);
    const sorted = entry.sorted && ids.every((id, i) => i === 0 || id > (ids[i - 1] as string));
    const made = filled.filter((members) => members.length > 0).map((members) => runLeaves.make(resource, [...members]));
    return new Collection(resource, runLeaves, { ...entry, sorted }, made);
  }

  #lostMembers(project: StoredProject, { name, parentId }: CollectionEntry, count: number, older: number): void {
    const { accountId, id: projectId } = project;
    const noun = resourceOf[name].noun;
    const where = parentId === '' ? '' : ` of artboard ${parentId}`;
    const words = `${count} ${noun}${count === 1 ? '' : 's'}${where} in project ${nameIn(project)}, as of record ${this.#state.lsn}; ${this.#replacement(older, noun)}`;
    this.#losses.push({ kind: 'members', accountId, projectId, collection: name, parentId, count, words });
  }

  /** Restores projects whose index chunk is lost. */
  #restoreUnindexed(chunks: readonly OwnChunk[], entries: readonly ProjectEntry[], header: SnapshotHeader): void {
    const known = new Set(
      entries
        .map(({ head }) => head)
        .filter(({ file }) => file === header.lsn)
        .map(({ offset }) => offset),
    );
    const orphans = chunks.filter(({ kind, offset }) => kind === 'project' && !known.has(offset));
    for (const chunk of orphans) {
      const value = this.#chunks.decoded(chunk, (payload) => projectResource.fromRow(unpack(payload)));
      if (value === undefined) continue;
      const accountId = String(value['user_id']);
      this.#takeProject(accountId, value.id, `project ${quoted(value)} with all its contents, as of record ${header.lsn}`);
    }
    const taken = this.#takeOlderProjects();
    const words = `projects named by a damaged part of the index, as of record ${header.lsn}; ${this.#replacement(taken, 'project')}`;
    this.#losses.push({ kind: 'projects', words });
  }

  /** Sorts projects by identifier, including those that were added last. */
  #sortProjects(): void {
    for (const { projects } of this.#state.accounts.values()) {
      const sorted = [...projects.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      projects.clear();
      for (const project of sorted) projects.set(project.id, project);
    }
  }

  /** Adds the projects that only the older state has. */
  #takeOlderProjects(): number {
    let taken = 0;
    for (const account of this.#older?.accounts.values() ?? []) {
      for (const project of account.projects.values()) {
        if (this.#account(account.id).projects.has(project.id)) continue;
        this.#takeProject(account.id, project.id, `project ${nameIn(project)} as it was after record ${this.#older?.lsn}`);
        taken++;
      }
    }
    return taken;
  }

  #takeProject(accountId: string, projectId: string, what: string): void {
    const before = this.#older?.accounts.get(accountId)?.projects.get(projectId);
    if (before !== undefined) {
      this.#account(accountId).projects.set(projectId, before);
      this.#unpublish(before);
    }
    const instead = before === undefined ? 'no older values exist' : `replaced by its state after record ${this.#older?.lsn}`;
    this.#losses.push({ kind: 'project', accountId, projectId, words: `${what}; ${instead}` });
  }

  /** Never take a public address from the older state: its project may have been made private since. */
  #unpublish(project: StoredProject): void {
    const { accountId, id: projectId, publication } = project;
    if (publication === undefined) return;
    project.publication = undefined;
    project.visits = undefined;
    const words = `the public address /p/${publication.slug} of project ${nameIn(project)}, which may have been made private since: publish it again under another address`;
    this.#losses.push({ kind: 'publication', accountId, projectId, words });
  }

  /** The account. If its name is lost, a placeholder keeps its projects. */
  #account(id: string): AccountState {
    return (
      this.#state.accounts.get(id) ?? this.#takeAccount(this.#older?.accounts.get(id) ?? { id, name: `lost ${id}`, created: '' })
    );
  }

  #takeAccount(taken: Account): AccountState {
    const { lsn } = this.#state;
    const account = accountAt(taken, lsn);
    this.#state.accounts.set(account.id, account);
    return account;
  }

  #replacement(count: number, noun: string): string {
    if (this.#older === undefined || count === 0) return 'no older values exist';
    return `replaced by ${count} ${noun}${count === 1 ? '' : 's'} as of record ${this.#older.lsn}, which may have been changed or deleted since`;
  }

  #newestId(): string {
    let newest = '';
    for (const account of this.#state.accounts.values()) {
      if (account.id > newest) newest = account.id;
      for (const project of account.projects.values()) {
        if (project.id > newest) newest = project.id;
        for (const { collection } of project.collections())
          for (const { value } of collection.capture()) if (value.id > newest) newest = value.id;
      }
    }
    return newest;
  }
}

const nameIn = (project: StoredProject): string => quoted(project.value);
const quoted = (value: Value): string => `"${String(value['name']).replaceAll(/\p{C}/gu, '\ufffd').slice(0, 60)}"`;
