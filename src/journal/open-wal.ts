/**
 * Opening the log is three steps, so that the caller can choose a snapshot in between:
 *
 *     recoverWal   reads the folder above a snapshot, hands over the records, changes nothing; throws when it must refuse
 *     settleWal    makes the tail sound on disk
 *     openWal      starts the threads
 */
import type { Tail } from './settle.ts';
import { Wal } from './wal.ts';
import type { WalOptions } from './wal-options.ts';

/** Starts the log where settling left it. Resolves once a spare is there, or once it is plain that the disk has no room for one, or does not answer. */
export async function openWal(tail: Tail, options: WalOptions): Promise<Wal> {
  const wal = new Wal(tail, options);
  await wal.whenReady();
  return wal;
}
