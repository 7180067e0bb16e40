/** Keeps the state of a project that was published, so that there is a way back to what visitors saw. */
import { QuotaError } from '../../lib/errors.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import { deleteExpired } from './delete-expired.ts';
import { type Captured, storeCaptured } from './versions.ts';

/**
 * Keeps a captured state as a version of `kind` `published`, durably. An account whose versions are all named ones, as many as it may have,
 * publishes without one. Rejects as {@link Writer.execute} does.
 *
 * @param by public part of the key that published it
 */
export async function keepPublished(engine: Engine, stored: StoredFiles, captured: Captured, by: string): Promise<void> {
  const making = { show: () => undefined };
  try {
    await storeCaptured(engine, stored, captured.accountId, () => captured, { name: '', kind: 'published', by }, making);
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
  }
  await deleteExpired(engine, captured, engine.writer.context().now);
}
