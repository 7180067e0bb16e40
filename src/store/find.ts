/**
 * Lookups. Each returns its result *and* the newest LSN that the result depends on, also if nothing was found. The response may be sent
 * only when that LSN is durable; otherwise it could show a state that a crash loses.
 */
import type { CollectionPath } from '../model/collection-path.ts';
import type { Value } from '../model/value.ts';
import type { Collection } from './collection.ts';
import type { Member } from './member.ts';
import type { AccountState, State } from './state.ts';
import type { StoredProject } from './stored-project.ts';

export interface Versioned<T> {
  /** `undefined`: it does not exist, or belongs to another account (callers see no difference). */
  readonly value: T | undefined;
  /** LSN that the result depends on. */
  readonly version: number;
}

/** The account of a key that was valid when the request arrived; it may have been deleted while the request waited. */
export function findAccount(state: State, accountId: string): Versioned<AccountState> {
  const account = state.accounts.get(accountId);
  return { value: account, version: account?.version ?? state.keysVersion };
}

export function findProject(state: State, accountId: string, projectId: string): Versioned<StoredProject> {
  const { value: account, version } = findAccount(state, accountId);
  if (account === undefined) return { value: undefined, version };
  const project = account.projects.get(projectId);
  return project === undefined
    ? { value: undefined, version: account.projectsVersion }
    : { value: project, version: project.version };
}

/** The project whose published map has a readable address; `undefined` if the name leads nowhere. */
export function projectNamed({ names, accounts }: State, name: string): StoredProject | undefined {
  const owned = names.get(name);
  return owned && accounts.get(owned.accountId)?.projects.get(owned.projectId);
}

/** The project whose published map has an address: its slug, or its name. */
export const projectPublishedAt = (state: State, address: string): StoredProject | undefined =>
  state.publications.get(address) ?? projectNamed(state, address);

/** As {@link findProject}, for what depends on its files, too: they are not in its document. */
export function findProjectWithFiles(state: State, accountId: string, projectId: string): Versioned<StoredProject> {
  const { value, version } = findProject(state, accountId, projectId);
  return { value, version: Math.max(version, value?.collection('files', '')?.version ?? 0) };
}

interface FoundCollection {
  readonly project: StoredProject;
  /** `undefined` until something is put into it. */
  readonly collection: Collection | undefined;
}

/** A collection. Its version covers everything that a list of it shows. */
export function findCollection(state: State, path: CollectionPath): Versioned<FoundCollection> {
  const { value: project, version } = findProject(state, path.accountId, path.projectId);
  if (project === undefined) return { value: undefined, version };
  const collection = project.collection(path.collection, path.parentId);
  // An empty list depends on its parent: the parent's existence must be durable. Where objects are, their artboard is, too.
  let own = collection?.version ?? project.createdVersion;
  if (collection === undefined && path.parentId !== '') {
    const artboards = project.collection('artboards', '');
    const artboard = artboards?.get(path.parentId);
    if (artboard === undefined) return { value: undefined, version: artboards?.version ?? own };
    own = artboard.version;
  }
  return {
    value: { project, collection },
    version: path.collection === 'artboards' ? Math.max(own, project.objectsVersion) : own,
  };
}

interface FoundMember {
  readonly project: StoredProject;
  readonly member: Member;
}

/** The artboard of objects, its own members only. @param path of the objects */
export function findArtboard(state: State, { accountId, projectId, parentId }: CollectionPath): Versioned<Value> {
  const { value: project, version } = findProject(state, accountId, projectId);
  if (project === undefined) return { value: undefined, version };
  const artboards = project.collection('artboards', '');
  const artboard = artboards?.get(parentId);
  return { value: artboard?.value, version: artboard?.version ?? artboards?.version ?? project.createdVersion };
}

export function findMember(state: State, path: CollectionPath, id: string): Versioned<FoundMember> {
  const { value: found, version } = findCollection(state, path);
  if (found === undefined) return { value: undefined, version };
  const member = found.collection?.get(id);
  if (member === undefined) return { value: undefined, version };
  const held = path.collection === 'artboards' ? (found.project.collection('objects', id)?.version ?? 0) : 0;
  return { value: { project: found.project, member }, version: Math.max(member.version, held) };
}
