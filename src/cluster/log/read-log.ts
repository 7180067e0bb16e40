/** Reads the log of a shard as commands do: all of it, verified row by row. */
import { partsOf } from '../database/bulk-store.ts';
import type { Connection } from '../database/database-connection.ts';
import { type LogBoundary, type LogRow, rowsAfter } from '../database/log-rows.ts';
import { chainAfter, digestOf, recordsOf } from './batches.ts';

export interface ReadRow extends LogRow {
  /** The records, packed; empty if they cannot be read. */
  readonly records: Buffer;
  /** What is wrong with it; empty if nothing is. */
  readonly problems: readonly string[];
}

/**
 * Reads the rows of a shard after a row, in order, and verifies each against the one before it.
 *
 * @param before the row that they continue
 */
export async function* readRows(connection: Connection, shard: number, before: LogBoundary): AsyncGenerator<ReadRow> {
  let previous: LogBoundary = before;
  for (;;) {
    const rows = await rowsAfter(connection, shard, previous.lastLsn);
    if (rows.length === 0) return;
    for (const row of rows) {
      yield { ...row, ...(await verified(connection, previous, row)) };
      previous = row;
    }
  }
}

async function verified(
  connection: Connection,
  before: LogBoundary,
  row: LogRow,
): Promise<Pick<ReadRow, 'records' | 'problems'>> {
  const { firstLsn, lastLsn, deposit, payload, chain } = row;
  const problems: string[] = [];
  if (firstLsn > before.lastLsn + 1) problems.push(`records ${before.lastLsn + 1} to ${firstLsn - 1} are missing before it`);
  if (firstLsn <= before.lastLsn) problems.push(`it begins with record ${firstLsn}, which the row before it holds as well`);
  if (chainAfter(before.chain, payload) !== chain)
    problems.push('its chain does not follow from the row before it and its payload');
  const records = deposit === undefined ? payload : await partsOf(connection, deposit);
  if (deposit !== undefined && !digestOf(records).equals(payload)) {
    problems.push(`its deposit ${deposit} has ${records.byteLength} bytes with another SHA-256 than the payload states`);
    return { records: Buffer.alloc(0), problems };
  }
  const wanted = lastLsn - firstLsn + 1;
  const found = countRecords(records);
  if (found !== wanted) problems.push(`it holds ${found ?? 'incomplete'} records instead of ${wanted}`);
  return { records, problems };
}

/** The number of records in a payload; `undefined` if it is cut off. */
function countRecords(payload: Buffer): number | undefined {
  try {
    let count = 0;
    for (const _ of recordsOf(payload)) count++;
    return count;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
