/** What to do about a damaged data folder. */
import { CorruptError } from '../lib/errors.ts';
import { shellWord } from './words.ts';

/** A data folder that was refused because of damage; nothing was changed. */
export class DamagedFolderError extends Error {
  readonly damage: CorruptError;

  constructor(damage: CorruptError, folder: string) {
    super(
      `${damage.message}. Look at it with: npx mapwright inspect ${shellWord(damage.file)}\n` +
        `Nothing was changed. See all damage with: npx mapwright verify --data ${shellWord(folder)}; then restore a backup, or save what can be proved: npx mapwright repair --data ${shellWord(folder)} --to NEWDIR`,
    );
    this.damage = damage;
  }
}

/** Opens a data folder; a refusal says what to do next. */
export async function orAdvice<T>(folder: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof CorruptError ? new DamagedFolderError(error, folder) : error;
  }
}
