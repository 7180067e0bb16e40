/** Forgets the oldest automatic version of an account that has as many versions as it may have, when the server must keep another one. */
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { QuotaError } from '../../lib/errors.ts';
import { sliceElements } from '../../model/bodies/check-body.ts';
import type { ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import { versionsAt } from './held-content.ts';

/** How often room is made for one version: other versions may be kept meanwhile. */
const attempts = 4;

/**
 * Does work that keeps a version that nobody asked for. If the account has too many versions, its oldest automatic one goes, and the work is
 * done again. Rejects with the QuotaError if it has none, and as the work does.
 */
export async function withRoom<T>(engine: Engine, accountId: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof QuotaError) || error.quota !== 'versions' || attempt === attempts) throw error;
      if (!(await forgetOldest(engine, accountId))) throw error;
    }
  }
}

/** `false` if the account has no automatic version. */
async function forgetOldest(engine: Engine, accountId: string): Promise<boolean> {
  const oldest = await runCooperatively(oldestAutomatic(engine, accountId));
  if (oldest === undefined) return false;
  const target = { kind: 'member', path: versionsAt(oldest), id: oldest.id } as const;
  await engine.writer.execute({ action: 'delete', target }, () => undefined);
  return true;
}

interface Found extends ProjectName {
  readonly id: string;
  readonly created: string;
}

function* oldestAutomatic({ state }: Engine, accountId: string): Generator<void, Found | undefined> {
  let oldest: Found | undefined;
  let count = 0;
  for (const project of state.accounts.get(accountId)?.projects.after('') ?? []) {
    for (const { value } of project.collection('versions', '')?.capture() ?? []) {
      const created = value['created'] as string;
      if (value['kind'] === 'automatic' && (oldest === undefined || created < oldest.created))
        oldest = { accountId, projectId: project.id, id: value.id, created };
      if (++count % sliceElements === 0) yield;
    }
    if (++count % sliceElements === 0) yield;
  }
  return oldest;
}
