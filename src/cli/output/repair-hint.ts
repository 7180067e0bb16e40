/** Adds advice to errors about a damaged data folder. */
import { CorruptError } from '../../lib/errors.ts';
import { shellWord } from './format-values.ts';

/** A damaged data folder was not opened, and nothing was changed. */
export class DamagedFolderError extends Error {
  readonly damage: CorruptError;

  constructor(damage: CorruptError, folder: string) {
    super(
      `${damage.message}.\n` +
        `Nothing was changed. List all damage with: npx mapwright verify --data ${shellWord(folder)}. Then restore a backup, or recover what can be proved: npx mapwright repair --data ${shellWord(folder)} --to NEWDIR`,
    );
    this.damage = damage;
  }
}

/** Passes on a promise that opens a data folder; rejects with {@link DamagedFolderError} if the folder is damaged. */
export async function withRepairHint<T>(folder: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof CorruptError ? new DamagedFolderError(error, folder) : error;
  }
}
