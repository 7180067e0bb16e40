/** The state: all accounts, their keys and projects. Only apply.ts makes the changes that a record contains. */
import type { Account, Key } from '../model/account.ts';
import type { FileIndex } from './file-index.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { Persons } from './indexes/persons.ts';
import { PublicNames } from './indexes/public-names.ts';
import type { LeafKind } from './leaf.ts';
import { Projects } from './projects.ts';
import { Runs } from './runs.ts';
import type { StoredProject } from './stored-project.ts';
import type { Usage } from './usage.ts';

/** An account in memory. Projects are looked up *through* their account, so a lookup cannot reach another account's project. */
export interface AccountState extends Account {
  name: string;
  readonly projects: Projects;
  /** The stored responses of idempotent requests. */
  readonly storedResponses: IdempotencyStore;
  /** LSN of the newest record that changed anything of the account. */
  version: number;
  /** LSN of the newest record that created or deleted a project. */
  projectsVersion: number;
  /** Its public projects. */
  readonly published: Projects;
  /**
   * LSN of the newest record that published one of its projects or made one private. No snapshot has it: a state that was read from a
   * snapshot begins with the LSN of the snapshot, which shows the same publications.
   */
  publicationsVersion: number;
  /** Its usage, while counted. */
  usage: Usage | undefined;
}

type AccountVersions = Pick<AccountState, 'version' | 'projectsVersion' | 'publicationsVersion'>;

export function newAccount(account: Account, versions: AccountVersions): AccountState {
  const parts = {
    projects: new Projects(),
    published: new Projects(),
    storedResponses: new IdempotencyStore(),
    usage: undefined,
  };
  return { ...account, ...versions, ...parts };
}

/** An account of which nothing is known before a record. */
export const accountAt = (account: Account, lsn: number): AccountState =>
  newAccount(account, { version: lsn, projectsVersion: lsn, publicationsVersion: lsn });

/** Accounts by id, with an index by name. Names are unique, except after a repair, where the oldest account has the name. */
class AccountMap extends Map<string, AccountState> {
  readonly #idsByName = new Map<string, string>();
  #hasDuplicates = false;

  named(name: string): AccountState | undefined {
    const id = this.#idsByName.get(name);
    return id === undefined ? undefined : this.get(id);
  }

  override set(id: string, account: AccountState): this {
    const before = this.get(id);
    if (before !== undefined && before.name !== account.name) this.#removeName(before);
    super.set(id, account);
    this.#addName(account);
    return this;
  }

  override delete(id: string): boolean {
    const account = this.get(id);
    if (account !== undefined) this.#removeName(account);
    return super.delete(id);
  }

  override clear(): void {
    this.#idsByName.clear();
    super.clear();
  }

  /** Renames an account in the map. */
  rename(account: AccountState, name: string): void {
    if (account.name === name) return;
    this.#removeName(account);
    account.name = name;
    this.#addName(account);
  }

  #addName({ id, name }: AccountState): void {
    const holder = this.#idsByName.get(name);
    if (holder === undefined) this.#idsByName.set(name, id);
    else if (holder !== id) this.#hasDuplicates = true;
  }

  #removeName({ id, name }: AccountState): void {
    if (this.#idsByName.get(name) !== id) return;
    this.#idsByName.delete(name);
    if (!this.#hasDuplicates) return;
    for (const other of this.values()) if (other.id !== id && other.name === name) this.#addName(other);
  }
}

export class State {
  /** Of its collections. */
  readonly leafKind: LeafKind;
  /** LSN of the newest record applied. */
  lsn = 0;
  readonly accounts = new AccountMap();
  /** The greatest identifier ever assigned: later ones must be greater, whatever the clock says. */
  newestId = '';
  /** By the key's public part. */
  readonly keys = new Map<string, Key>();
  readonly persons = new Persons();
  /** LSN of the newest record that changed a person; of the snapshot, if none was changed since. */
  personsVersion = 0;
  /** LSN of the newest record that changed a key or a person, or deleted an account: every rejection of a key depends on it. */
  keysVersion = 0;
  /** LSN of the newest record that changed an account, a key or a person, in this run: what an accepted key may do depends on it. */
  accessVersion = 0;
  /** The public projects by their slugs. */
  readonly publications = new Map<string, StoredProject>();
  /** The readable addresses of published maps, and those that were given up. */
  readonly names = new PublicNames();
  /** LSN of the newest record that removed a slug, or a name that led to a map: every answer that one is unknown depends on it. */
  publicationsVersion = 0;
  /** The files of all projects; `undefined` during a recovery, and in a snapshot run. */
  files: FileIndex | undefined;
  /** Which server start wrote which records. */
  readonly runs: Runs;

  constructor(leafKind: LeafKind, runs = new Runs()) {
    this.leafKind = leafKind;
    this.runs = runs;
  }

  accountNamed(name: string): AccountState | undefined {
    return this.accounts.named(name);
  }
}
