/** What can be asked of an open data folder beside the API: by a command through the control socket, or by a command that opened it. */
import type { Engine } from '../engine/engine.ts';
import { type CreatedKey, createKey, type ListedKey, listKeys, revokeKey } from '../engine/keys.ts';
import type { FoldReport } from '../snapshot/fold.ts';

export interface OperationContext {
  readonly engine: Engine;
  /** Called in the turn in which a key stops working. */
  forgetKeys(): void;
}

/** Names of accounts: what fits on a line and in a list. */
const accountName = /^[^\p{C}]{1,100}$/u;

export const operations = {
  'keys.create': async ({ engine }: OperationContext, { account }: { account: string }): Promise<CreatedKey> => {
    if (!accountName.test(account) || account.trim() !== account) {
      throw new Error('An account name is 1 to 100 printable characters without a space at either end.');
    }
    return createKey(engine, account);
  },
  'keys.list': async ({ engine }: OperationContext, _: object): Promise<ListedKey[]> => {
    await engine.journal.durable(engine.state.keysVersion);
    return listKeys(engine.state);
  },
  'keys.revoke': async ({ engine, forgetKeys }: OperationContext, { id }: { id: string }): Promise<{ id: string }> => {
    const revoking = revokeKey(engine, id);
    forgetKeys();
    if (!(await revoking)) throw new Error(`There is no key "${id}". See: npx mapwright keys list`);
    return { id };
  },
  snapshot: async ({ engine }: OperationContext, _: object): Promise<{ report: FoldReport | undefined; lsn: number }> => {
    const report = await engine.snapshot();
    return { report, lsn: engine.folding.snapshotLsn };
  },
};

export type Operations = typeof operations;
export type Verb = keyof Operations;
