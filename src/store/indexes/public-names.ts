/** The names of published maps: which account has one, where it leads, and those of each account. */
import type { PublicName } from '../../model/references/public-name.ts';

export interface OwnedName extends PublicName {
  readonly accountId: string;
}

interface NamesOfAccount {
  readonly names: Map<string, OwnedName>;
  /** The name of each project that has one. */
  readonly byProject: Map<string, string>;
}

const none: ReadonlyMap<string, OwnedName> = new Map();

export class PublicNames {
  readonly #all = new Map<string, OwnedName>();
  readonly #byAccount = new Map<string, NamesOfAccount>();

  get(name: string): OwnedName | undefined {
    return this.#all.get(name);
  }

  values(): Iterable<OwnedName> {
    return this.#all.values();
  }

  /** The names of an account. */
  of(accountId: string): ReadonlyMap<string, OwnedName> {
    return this.#byAccount.get(accountId)?.names ?? none;
  }

  /** The name that leads to the map of a project; '' for none. */
  ofProject(accountId: string, projectId: string): string {
    return this.#byAccount.get(accountId)?.byProject.get(projectId) ?? '';
  }

  /** Puts a name, which the account that had it before loses. A name that leads to a project takes the place of that project's. */
  put(owned: OwnedName): void {
    const { accountId, name, projectId } = owned;
    this.delete(name);
    const account = this.#byAccount.get(accountId) ?? { names: new Map(), byProject: new Map() };
    this.#byAccount.set(accountId, account);
    this.#all.set(name, owned);
    account.names.set(name, owned);
    if (projectId !== '') account.byProject.set(projectId, name);
  }

  delete(name: string): void {
    const present = this.#all.get(name);
    const account = present && this.#byAccount.get(present.accountId);
    if (present === undefined || account === undefined) return;
    this.#all.delete(name);
    account.names.delete(name);
    if (account.byProject.get(present.projectId) === name) account.byProject.delete(present.projectId);
    if (account.names.size === 0) this.#byAccount.delete(present.accountId);
  }

  /** Deletes all names of an account. */
  deleteAccount(accountId: string): void {
    for (const name of [...this.of(accountId).keys()]) this.delete(name);
  }
}
