/** The state: every account, its keys and its projects. What a record changes is changed by apply.ts alone. */
import type { Account, Key } from '../model/change.ts';
import { Answers } from './answers.ts';
import type { Keeper } from './leaf.ts';
import { Projects } from './projects.ts';
import { Runs } from './runs.ts';
import type { Usage } from './usage.ts';

/** An account in memory. Projects are looked up *through* their account, so no path leads to another account's. */
export interface AccountState extends Account {
  readonly projects: Projects;
  /** Those that are given again. */
  readonly answers: Answers;
  /** LSN of the newest record that changed anything of the account. */
  version: number;
  /** LSN of the newest record that created or deleted a project. */
  projectsVersion: number;
  /** What it holds, while that is counted. */
  usage: Usage | undefined;
}

export function newAccount(account: Account, versions: { version: number; projectsVersion: number }): AccountState {
  return { ...account, ...versions, projects: new Projects(), answers: new Answers(), usage: undefined };
}

export class State {
  /** Whether members that are decoded may stay so; without one they may. */
  readonly keeper: Keeper | undefined;
  /** LSN of the newest record applied. */
  lsn = 0;
  readonly accounts = new Map<string, AccountState>();
  /** Greatest identifier ever given to anything: a later one must be greater, whatever the clock says then. */
  newestId = '';
  /** By the key's public part. */
  readonly keys = new Map<string, Key>();
  /** LSN of the newest record that changed a key or deleted an account: what every refusal of a key depends on. */
  keysVersion = 0;
  /** Which start of the server wrote which records. */
  readonly runs: Runs;

  constructor(keeper?: Keeper, runs = new Runs()) {
    this.keeper = keeper;
    this.runs = runs;
  }

  accountNamed(name: string): AccountState | undefined {
    for (const account of this.accounts.values()) if (account.name === name) return account;
    return undefined;
  }
}
