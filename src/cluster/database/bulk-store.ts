/**
 * Large contents in the database, in rows of 1 MiB: parts of large records, and files of snapshots. Its connection is separate, so that no append
 * and no renewal waits behind them. A part or file that is not complete is never referred to.
 */
import { Connection } from './database-connection.ts';
import type { DatabaseUrl } from './database-url.ts';
import type { StoredFile } from './log-rows.ts';
import { type Durability, rowBytesMax } from './tables.ts';

export class BulkStore {
  readonly #url: DatabaseUrl;
  readonly #durability: Durability;
  #connection: Promise<Connection> | undefined;
  #isClosed = false;

  constructor(url: DatabaseUrl, durability: Durability) {
    this.#url = url;
    this.#durability = durability;
  }

  /**
   * Stores the parts of a large record, unless they are there, and returns the number of rows. Rejects if the database is away; nothing refers to
   * what it stored.
   */
  async putParts(shard: number, deposit: string, ...pieces: readonly Uint8Array[]): Promise<number> {
    const connection = await this.connection();
    let n = 0;
    for (const bytes of rowsOf(pieces)) {
      await connection.query('INSERT INTO mw_part (deposit, n, bytes, shard) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
        ...[deposit, n, bytes, shard],
      ]);
      n++;
    }
    return n;
  }

  /** The parts of a large record, joined. */
  async parts(deposit: string): Promise<Buffer> {
    return partsOf(await this.connection(), deposit);
  }

  async removeParts(deposit: string): Promise<void> {
    const connection = await this.connection();
    await connection.query('DELETE FROM mw_part WHERE deposit = $1', [deposit]);
  }

  /** The open connection, or a new one. */
  async connection(): Promise<Connection> {
    const before = this.#connection;
    const open = await before?.catch(() => undefined);
    if (open?.isOpen === true) return open;
    // The first of several callers opens it for all.
    if (this.#connection === before || this.#connection === undefined)
      this.#connection = Connection.open(this.#url, 'bulk', this.#durability);
    const connection = await this.#connection;
    if (this.#isClosed) connection.close();
    return connection;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    connection?.close();
  }
}

/** The parts of a large record, joined. */
export async function partsOf(connection: Connection, deposit: string): Promise<Buffer> {
  const rows = await connection.query<{ bytes: Buffer }>('SELECT bytes FROM mw_part WHERE deposit = $1 ORDER BY n', [deposit]);
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** The rows of a file, in order, up to the first that is missing. */
export async function* fileRows(connection: Connection, shard: number, digest: string): AsyncGenerator<Buffer> {
  const text = 'SELECT bytes FROM mw_file WHERE shard = $1 AND digest = $2 AND n = $3';
  for (let n = 0; ; n++) {
    const [row] = await connection.query<{ bytes: Buffer }>(text, [shard, digest, n]);
    if (row === undefined) return;
    yield row.bytes;
  }
}

/** Whether a file is stored completely. Its last row is written last. */
export async function hasFile(connection: Connection, shard: number, { digest, bytes }: StoredFile): Promise<boolean> {
  const text = 'SELECT count(*)::int AS n FROM mw_file WHERE shard = $1 AND digest = $2';
  const [row] = await connection.query<{ n: number }>(text, [shard, digest]);
  return row?.n === Math.ceil(bytes / rowBytesMax);
}

/** Stores one row of a file, unless it is there. */
export async function putFileRow(
  connection: Connection,
  shard: number,
  digest: string,
  n: number,
  bytes: Uint8Array,
): Promise<void> {
  await connection.query('INSERT INTO mw_file (shard, digest, n, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
    ...[shard, digest, n, bytes],
  ]);
}

/** Copies pieces into rows of at most 1 MiB. */
function* rowsOf(pieces: readonly Uint8Array[]): Generator<Buffer> {
  let row: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; ) {
      const part = Buffer.from(piece.subarray(at, at + rowBytesMax - bytes));
      row.push(part);
      bytes += part.byteLength;
      at += part.byteLength;
      if (bytes < rowBytesMax) continue;
      yield Buffer.concat(row);
      row = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(row);
}
