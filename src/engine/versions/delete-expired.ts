/** Deletes the versions of a project that the rule of retention.ts does not keep. */
import type { ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import { versionsAt } from './held-content.ts';
import { type Aged, expired } from './retention.ts';

/** Rejects as {@link Writer.execute} does. @param now Unix time in milliseconds */
export async function deleteExpired(
  { state, writer }: Engine,
  { accountId, projectId }: ProjectName,
  now: number,
): Promise<void> {
  const project = state.accounts.get(accountId)?.projects.get(projectId);
  const all = Array.from(project?.collection('versions', '')?.capture() ?? [], ({ value }) => value as unknown as Aged);
  const path = versionsAt({ accountId, projectId });
  for (const id of expired(all, now))
    await writer.execute({ action: 'delete', target: { kind: 'member', path, id } }, () => undefined);
}
