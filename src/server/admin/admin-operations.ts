/** Admin operations on an open data folder, for commands through the control socket, or in a command that opened the folder. */
import type { BackupReport, BackupRunner } from '../../backup/backup-runner.ts';
import {
  createAccount,
  type DeletedAccount,
  deleteAccount,
  type LimitedAccount,
  type ListedAccount,
  limitAccount,
  listAccounts,
  prepareLimits,
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
  revokeKey,
  rotateKey,
} from '../../engine/keys.ts';
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import type { AccountLimits } from '../../model/account-limits.ts';
import type { Account } from '../../model/change.ts';
import { similarAccount } from '../../model/similar-account.ts';
import type { SnapshotReport } from '../../snapshot/run/snapshot-run.ts';
import { type LimitOptions, limitsInForce, limitTerms } from './account-limit-options.ts';
import type { AuditLog } from './audit-log.ts';
import { checkKeyName, checkText, type KeyOptions, keyRate, keyTerms, type RotateOptions, rotateTerms } from './key-options.ts';
import type { KeyUsage } from './key-usage.ts';

export interface OperationContext {
  readonly engine: Engine;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  readonly backups: Pick<BackupRunner, 'write'>;
  /** The server's default rate limit for accounts, `none` or a rate; `undefined` without a server. */
  readonly rateLimit?: string;
  /** The URL of this node of a cluster, on whose machine a backup is written. */
  readonly node?: string;
  /** Called in the turn in which a key becomes invalid. */
  invalidateKeys(): void;
}

/** A key without its secret, with the hour of its last use (RFC 3339; '' if unknown). */
export interface ListedKeyWithUsage extends EngineKey {
  readonly lastUse: string;
}

/** An account with its effective limits; `undefined` without a server, whose options they depend on. */
interface AccountShown extends ListedAccount {
  readonly inForce: AccountLimits | undefined;
}

/** Names of arguments, for error messages. */
const [keyId, accountName] = ['The id of a key', 'The name of an account'];

const now = ({ engine }: OperationContext): number => engine.writer.context().now;

export const operations = {
  'keys.create': async (
    context: OperationContext,
    { account, ...options }: { account: string } & KeyOptions,
  ): Promise<CreatedKey & { similarAccount?: string }> => {
    const name = checkKeyName('An account name', account);
    const { state } = context.engine;
    const similar = state.accountNamed(name) === undefined ? similarAccount(name, [...state.accounts.values()]) : undefined;
    const created = await createKey(context.engine, name, keyTerms(options, now(context)));
    const { id, account: owner, access, projects, expires, label } = created;
    await context.audit.changed('key.created', { key: id, account: owner.id, access, projects, expires, label });
    return similar === undefined ? created : { ...created, similarAccount: similar };
  },
  'keys.list': async ({ engine, lastUse }: OperationContext, _: object): Promise<ListedKeyWithUsage[]> => {
    const keys = listKeys(engine.state, engine.writer.context().now);
    await engine.journal.durable(engine.state.keysVersion);
    return keys.map((key) => {
      const hour = lastUse.of(key.id);
      // The start of the hour may be before the key was created: show its creation time then.
      return { ...key, lastUse: hour !== '' && hour < key.created ? key.created : hour };
    });
  },
  'keys.rotate': async (context: OperationContext, { id, ...options }: { id: string } & RotateOptions): Promise<RotatedKey> => {
    const { overlapMs, expires } = rotateTerms(options, now(context));
    const rotating = rotateKey(context.engine, checkText(keyId, id), overlapMs, expires);
    context.invalidateKeys();
    const rotated = await rotating;
    const { id: successor, account, expires: successorExpires, replaces } = rotated;
    const fields = { key: id, expires: replaces.expires, account: account.id, successor, successor_expires: successorExpires };
    await context.audit.changed('key.rotated', fields);
    return rotated;
  },
  'keys.revoke': async ({ engine, audit, invalidateKeys }: OperationContext, { id }: { id: string }): Promise<{ id: string }> => {
    const revoking = revokeKey(engine, checkText(keyId, id));
    invalidateKeys();
    const { key, before } = await revoking;
    // Also if it was revoked before: that line may be missing if the process was killed in between.
    await audit.changed('key.revoked', { key: id, account: key.accountId, ...(before ? { again: true } : {}) });
    return { id };
  },
  'keys.limit': async (
    { engine, audit, invalidateKeys }: OperationContext,
    { id, rate }: { id: string; rate: string },
  ): Promise<{ id: string; rate: string }> => {
    const limiting = limitKey(engine, checkText(keyId, id), keyRate(rate));
    invalidateKeys();
    const key = await limiting;
    await audit.changed('key.limited', { key: id, account: key.accountId, rate });
    return { id, rate };
  },
  'accounts.create': async ({ engine, audit }: OperationContext, { name }: { name: string }): Promise<Account> => {
    const { account, isNew } = await createAccount(engine, checkKeyName('An account name', name));
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
  'accounts.rename': async (
    { engine, audit }: OperationContext,
    { name, newName }: { name: string; newName: string },
  ): Promise<Account> => {
    const account = await renameAccount(engine, checkText(accountName, name), checkKeyName('An account name', newName));
    await audit.changed('account.renamed', { account: account.id, from: name, to: account.name });
    return account;
  },
  'accounts.limit': async (
    { engine, audit, invalidateKeys }: OperationContext,
    { name, ...options }: { name: string } & LimitOptions,
  ): Promise<LimitedAccount> => {
    const set = limitTerms(options);
    await prepareLimits(engine, checkText(accountName, name), set);
    const limiting = limitAccount(engine, name, set);
    invalidateKeys();
    const account = await limiting;
    await audit.changed('account.limited', { account: account.id, ...set });
    return account;
  },
  'accounts.delete': async (
    { engine, audit, lastUse, invalidateKeys }: OperationContext,
    { name }: { name: string },
  ): Promise<DeletedAccount> => {
    const deleting = deleteAccount(engine, checkText(accountName, name));
    invalidateKeys();
    const deleted = await deleting;
    lastUse.prune(engine.state.keys);
    const { id, projects, keys } = deleted;
    await audit.changed('account.deleted', { account: id, name, projects, keys });
    return deleted;
  },
  snapshot: async ({ engine }: OperationContext, _: object): Promise<{ report: SnapshotReport | undefined; lsn: number }> => {
    const report = await engine.snapshot();
    return { report, lsn: engine.snapshots.snapshotLsn };
  },
  /** @param target absolute path of a folder or a file */
  backup: async (
    { backups, node }: OperationContext,
    { target }: { target: string },
    onProgress?: OnProgress,
  ): Promise<BackupReport & { readonly node?: string }> => {
    const report = await backups.write(target, onProgress);
    return { ...report, ...(node === undefined ? {} : { node }) };
  },
};

export type Operations = typeof operations;
export type AdminVerb = keyof Operations;
