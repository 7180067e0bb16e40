/** Admin operations on an open data folder, for commands through the control socket, or in a command that opened the folder. */

import { type FailingSource, failingSources } from '../../api/live/failing-sources.ts';
import {
  createAccount,
  type DeletedAccount,
  deleteAccount,
  type LimitedAccount,
  type ListedAccount,
  limitAccount,
  listAccounts,
  nameTaken,
  prepareLimits,
  refuseRename,
  renameAccount,
} from '../../engine/accounts.ts';
import type { Engine } from '../../engine/engine.ts';
import {
  type CreatedKey,
  createKey,
  type ListedKey as EngineKey,
  limitKey,
  listKeys,
  type RotatedKey,
  refuseTerms,
  revokeKey,
  rotateKey,
} from '../../engine/keys.ts';
import { type ListedMember, listPeople } from '../../engine/list-people.ts';
import { limitsInForce } from '../../engine/write/quotas.ts';
import { OperationError } from '../../lib/errors.ts';
import { similarAccount } from '../../lib/text/similar-account.ts';
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import type { Live } from '../../live/live.ts';
import type { Account } from '../../model/account.ts';
import type { AccountLimits } from '../../model/account-limits.ts';
import { type NewKey, newKey } from '../../model/key.ts';
import type { BackupReport, BackupRunner } from '../../storage/backup/backup-runner.ts';
import type { SnapshotReport } from '../../storage/snapshot/run/snapshot-run.ts';
import type { ConsoleOptions, People } from '../console/people.ts';
import { type LimitOptions, limitTerms } from './account-limit-options.ts';
import type { AuditLog } from './audit-log.ts';
import { checkKeyName, checkText, type KeyOptions, keyRate, keyTerms, type RotateOptions, rotateTerms } from './key-options.ts';
import type { KeyUsage } from './key-usage.ts';
import { NameElsewhereError, type Registry } from './registry.ts';

export interface OperationContext {
  readonly engine: Engine;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  readonly backups: Pick<BackupRunner, 'write'>;
  /** The server's default rate limit for accounts, `none` or a rate; `undefined` without a server. */
  readonly rateLimit?: string;
  /** The URL of this node of a cluster, on whose machine a backup is written. */
  readonly node?: string;
  /** The shard of a cluster; 0 on one machine. */
  readonly shard: number;
  readonly registry: Registry;
  /** The parts that execute data sources; `undefined` without a server, and if they are disabled. */
  readonly live?: Live | undefined;
  /** The console of the server; `undefined` without a server, and if it has none. */
  readonly console?: ConsoleAccess | undefined;
}

/** How a browser reaches the console. */
export interface ConsoleAccess {
  readonly people: Pick<People, 'signIn'>;
  /** Addresses of the server for browsers: its own, and the public URL if one is set. */
  urls(): readonly string[];
}

/** A one-time address of the console. */
export interface ConsoleAddress {
  readonly account: string;
  /** The name of the person who is signed in. */
  readonly person: string;
  /** RFC 3339 */
  readonly expires: string;
  /**
   * Path of the page below each address of the server, with a code that works once and the project to open: `/console#code=...`,
   * `/console#code=.../p/PROJECT`.
   */
  readonly path: string;
  /** The addresses of the page: on this machine, and below the public URL if one is set. Empty if the server does not listen. */
  readonly urls: readonly string[];
}

/** A key without its secret, with the hour of its last use (RFC 3339; '' if unknown). */
export interface ListedKeyWithUsage extends EngineKey {
  readonly lastUse: string;
}

/** A person, with the hour in which they were last seen (RFC 3339; '' for never). */
export interface ListedMemberWithUsage extends ListedMember {
  readonly lastSeen: string;
}

/** An account with its effective limits; `undefined` without a server, whose options they depend on. */
interface AccountShown extends ListedAccount {
  readonly inForce: AccountLimits | undefined;
}

/** A data source that fails, with the names of its account and its project. */
export interface FailingOfAccount extends FailingSource {
  readonly account: string;
  readonly project: string;
}

/** Failing data sources that a command gets. */
const failingMax = 1000;

/** Names of arguments, for error messages. */
const [keyId, accountName] = ['The id of a key', 'The name of an account'];

const now = ({ engine }: OperationContext): number => engine.writer.context().now;

/** Work that changes which names there are. */
const withNames = <T>({ registry }: OperationContext, work: () => Promise<T>): Promise<T> => registry.exclusively(work);

/** A key whose id is reserved. */
async function reservedKey({ registry }: OperationContext): Promise<NewKey> {
  const made = newKey();
  await registry.reserveKey(made.id);
  return made;
}

function refuseOtherShard({ shard: own }: OperationContext, shard: number | undefined): void {
  if (shard !== undefined && shard !== own)
    throw new OperationError(
      `There is no shard ${shard} here, only shard ${own}: name that one with --shard, or none.`,
      'not_found',
    );
}

export const operations = {
  'keys.create': async (
    context: OperationContext,
    { account, ...options }: { account: string } & KeyOptions,
  ): Promise<CreatedKey & { similarAccount?: string }> => {
    const name = checkKeyName('An account name', account);
    const { state } = context.engine;
    const similar = state.accountNamed(name) === undefined ? similarAccount(name, [...state.accounts.values()]) : undefined;
    const terms = keyTerms(options, now(context));
    refuseTerms(context.engine, name, terms);
    const created = await withNames(context, async () => {
      if (state.accountNamed(name) === undefined) await context.registry.reserveName(name);
      return await createKey(context.engine, name, terms, await reservedKey(context));
    });
    const { id, account: owner, access, projects, expires, label } = created;
    await context.audit.changed('key.created', { key: id, account: owner.id, access, projects, expires, label });
    return similar === undefined ? created : { ...created, similarAccount: similar };
  },
  'keys.list': async ({ engine, lastUse }: OperationContext, _: object): Promise<ListedKeyWithUsage[]> => {
    const keys = listKeys(engine.state, engine.writer.context().now);
    await engine.journal.durable(engine.state.keysVersion);
    return keys.map((key) => ({ ...key, lastUse: lastUse.since(key) }));
  },
  'people.list': async ({ engine, lastUse }: OperationContext, _: object): Promise<ListedMemberWithUsage[]> => {
    const people = listPeople(engine.state, engine.writer.context().now);
    await engine.journal.durable(engine.state.keysVersion);
    return people.map((person) => ({ ...person, lastSeen: lastUse.of(person.id) }));
  },
  'keys.rotate': async (context: OperationContext, { id, ...options }: { id: string } & RotateOptions): Promise<RotatedKey> => {
    const { overlapMs, expires } = rotateTerms(options, now(context));
    const made = await reservedKey(context);
    const rotated = await rotateKey(context.engine, checkText(keyId, id), overlapMs, expires, made);
    const { id: successor, account, expires: successorExpires, replaces } = rotated;
    const fields = { key: id, expires: replaces.expires, account: account.id, successor, successor_expires: successorExpires };
    await context.audit.changed('key.rotated', fields);
    return rotated;
  },
  'keys.revoke': async ({ engine, audit }: OperationContext, { id }: { id: string }): Promise<{ id: string }> => {
    const { key, before } = await revokeKey(engine, checkText(keyId, id));
    // Also if it was revoked before: that line may be missing if the process was killed in between.
    await audit.changed('key.revoked', { key: id, account: key.accountId, ...(before ? { again: true } : {}) });
    return { id };
  },
  'keys.limit': async (
    { engine, audit }: OperationContext,
    { id, rate }: { id: string; rate: string },
  ): Promise<{ id: string; rate: string }> => {
    const key = await limitKey(engine, checkText(keyId, id), keyRate(rate));
    await audit.changed('key.limited', { key: id, account: key.accountId, rate });
    return { id, rate };
  },
  'console.open': async (
    { engine, console: access, node }: OperationContext,
    { account, ...options }: { account: string } & ConsoleOptions,
  ): Promise<ConsoleAddress> => {
    if (access === undefined)
      throw new OperationError(
        'No server with a console runs on this data folder. Start one with: npx mapwright serve (without --no-console)',
      );
    const name = checkText(accountName, account);
    const { path, expires, person } = await access.people.signIn(name, options);
    // A user who signs in sees the account.
    await engine.journal.durable(engine.state.lsn);
    // A node of a cluster does not listen itself.
    const own = access.urls();
    const urls = own.length === 0 && node !== undefined ? [node] : own;
    return { account: name, person, expires, path, urls: urls.map((url) => url + path) };
  },
  'accounts.create': async (context: OperationContext, { name }: { name: string }): Promise<Account> => {
    const { engine, audit, registry } = context;
    checkKeyName('An account name', name);
    const { account, isNew } = await withNames(context, async () => {
      if (engine.state.accountNamed(name) === undefined) await registry.reserveName(name);
      return await createAccount(engine, name);
    });
    if (isNew) await audit.changed('account.created', { account: account.id, name });
    return account;
  },
  'accounts.list': async ({ engine, rateLimit }: OperationContext, _: object): Promise<AccountShown[]> => {
    const accounts = await listAccounts(engine);
    // Waits until everything in the list is durable: accounts, their contents, and their keys.
    await engine.journal.durable(engine.state.lsn);
    return accounts.map((account) => {
      const inForce = rateLimit === undefined ? undefined : limitsInForce(account.limits, rateLimit, engine.quotas);
      return { ...account, inForce };
    });
  },
  /** At most {@link failingMax}. */
  'failing-sources.list': async ({ engine, live }: OperationContext, _: object): Promise<FailingOfAccount[]> => {
    const listed: FailingOfAccount[] = [];
    for (const { id, name: account } of [...engine.state.accounts.values()]) {
      const failing = await failingSources({ engine, live }, id);
      const { projects } = engine.state.accounts.get(id) ?? {};
      const nameOf = (projectId: string) => String(projects?.get(projectId)?.value['name'] ?? '');
      listed.push(...failing.map((each) => ({ account, project: nameOf(each.project_id), ...each })));
    }
    return listed.slice(0, failingMax);
  },
  'accounts.rename': async (
    context: OperationContext,
    { name, newName }: { name: string; newName: string },
  ): Promise<Account> => {
    const { engine, audit, registry } = context;
    checkText(accountName, name);
    checkKeyName('An account name', newName);
    const account = await withNames(context, async () => {
      refuseRename(engine, name, newName);
      await registry.reserveName(newName).catch((error: unknown) => {
        throw error instanceof NameElsewhereError ? nameTaken(newName) : error;
      });
      const renamed = await renameAccount(engine, name, newName);
      await registry.free([name]);
      return renamed;
    });
    await audit.changed('account.renamed', { account: account.id, from: name, to: account.name });
    return account;
  },
  'accounts.limit': async (
    { engine, audit }: OperationContext,
    { name, ...options }: { name: string } & LimitOptions,
  ): Promise<LimitedAccount> => {
    const set = limitTerms(options);
    await prepareLimits(engine, checkText(accountName, name), set);
    const account = await limitAccount(engine, name, set);
    await audit.changed('account.limited', { account: account.id, ...set });
    return account;
  },
  'accounts.delete': async (context: OperationContext, { name }: { name: string }): Promise<DeletedAccount> => {
    const { engine, audit, lastUse, registry } = context;
    checkText(accountName, name);
    const deleted = await withNames(context, async () => {
      const accountId = engine.state.accountNamed(name)?.id;
      const keyIds = [...engine.state.keys.values()].filter((key) => key.accountId === accountId).map(({ id }) => id);
      const mapNames = [...engine.state.names.of(accountId ?? '').keys()];
      const deleted = await deleteAccount(engine, name);
      await registry.free([name], keyIds);
      await registry.freeMapNames(mapNames);
      return deleted;
    });
    lastUse.prune(engine.state);
    const { id, projects, keys } = deleted;
    await audit.changed('account.deleted', { account: id, name, projects, keys });
    return deleted;
  },
  snapshot: async (
    context: OperationContext,
    { shard }: { shard?: number },
  ): Promise<{ report: SnapshotReport | undefined; lsn: number }> => {
    refuseOtherShard(context, shard);
    const { engine } = context;
    const report = await engine.snapshot();
    return { report, lsn: engine.snapshots.snapshotLsn };
  },
  /** @param target absolute path of a folder or a file */
  backup: async (
    context: OperationContext,
    { target, shard }: { target: string; shard?: number },
    onProgress?: OnProgress,
  ): Promise<BackupReport & { readonly node?: string }> => {
    refuseOtherShard(context, shard);
    const { backups, node } = context;
    const report = await backups.write(target, onProgress);
    return { ...report, ...(node === undefined ? {} : { node }) };
  },
};

export type Operations = typeof operations;
export type AdminVerb = keyof Operations;
