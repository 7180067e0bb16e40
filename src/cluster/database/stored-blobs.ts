/** The rows of `mw_blob`: the bytes of files, by their SHA-256, in rows of 1 MiB. A blob without bytes has one empty row. */
import type { Token } from '../protocol/terms.ts';
import type { Connection, Written } from './database-connection.ts';
import { rowBytesMax, tokenSql } from './tables.ts';

/** The number of rows of a blob. */
export const blobRowCount = (bytes: number): number => Math.max(1, Math.ceil(bytes / rowBytesMax));

/** What is there of a blob. */
export interface FoundBlob extends Record<string, unknown> {
  /** 64 hex digits. */
  readonly digest: string;
  readonly rows: number;
  /** Bytes of all rows. */
  readonly bytes: number;
}

const foundColumns = 'digest, count(*)::int AS rows, sum(octet_length(bytes))::bigint AS bytes';

/** The blobs of a shard, as its owner writes them: each statement carries its token, and changes nothing without it. */
export class BlobRows {
  readonly #connection: Connection;
  readonly #mine: readonly [shard: number, epoch: number, owner: string];

  constructor(connection: Connection, shard: number, { epoch, owner }: Token) {
    this.#connection = connection;
    this.#mine = [shard, epoch, owner];
  }

  /** Stores a row, or replaces it. @param put random, the same for all rows of one attempt */
  async store(digest: string, n: number, put: string, bytes: Uint8Array): Promise<void> {
    await this.#connection.query(
      `WITH ${tokenSql} INSERT INTO mw_blob (shard, digest, n, put, bytes) SELECT $1, $4, $5, $6, $7 FROM mine
        ON CONFLICT (shard, digest, n) DO UPDATE SET put = excluded.put, bytes = excluded.bytes`,
      [...this.#mine, digest, n, put, bytes],
    );
  }

  /** Writes once more to the first row, if all rows of the attempt are there: the answer then proves that all of them are replicated. */
  async confirm(digest: string, rows: number, put: string): Promise<Written<never>['answer']> {
    const { answer } = await this.#connection.write(
      `WITH ${tokenSql} UPDATE mw_blob b SET put = b.put FROM mine WHERE b.shard = $1 AND b.digest = $4 AND b.n = 0
        AND (SELECT count(*) FROM mw_blob WHERE shard = $1 AND digest = $4 AND put = $5) = $6`,
      [...this.#mine, digest, put, rows],
    );
    return answer;
  }

  /** Deletes rows as they were found, not those that were stored since. @param puts of the rows, with their digests */
  async delete(puts: readonly BlobPut[]): Promise<Written<never>['answer']> {
    const { answer } = await this.#connection.write(
      `WITH ${tokenSql} DELETE FROM mw_blob b USING mine, unnest($4::text[], $5::uuid[]) AS found (digest, put)
        WHERE b.shard = $1 AND b.digest = found.digest AND b.put = found.put`,
      [...this.#mine, puts.map(({ digest }) => digest), puts.map(({ put }) => put)],
    );
    return answer;
  }
}

/** Stores a row of a blob of a shard that has no owner yet. */
export async function putFirstBlobRow(
  connection: Connection,
  shard: number,
  digest: string,
  n: number,
  put: string,
  bytes: Uint8Array,
): Promise<void> {
  const text = 'INSERT INTO mw_blob (shard, digest, n, put, bytes) VALUES ($1, $2, $3, $4, $5)';
  await connection.query(text, [shard, digest, n, put, bytes]);
}

/** One attempt to store a blob. */
interface BlobPut extends Record<string, unknown> {
  readonly digest: string;
  readonly put: string;
}

/** The attempts that stored the rows of some blobs. */
export async function blobPuts(connection: Connection, shard: number, digests: readonly string[]): Promise<BlobPut[]> {
  return await connection.query('SELECT DISTINCT digest, put FROM mw_blob WHERE shard = $1 AND digest = ANY ($2)', [
    shard,
    digests,
  ]);
}

/** The blobs of a shard whose digests begin with a prefix, in order. Their bytes are not read. */
export async function foundBlobs(connection: Connection, shard: number, prefix: string): Promise<FoundBlob[]> {
  // No hex digit comes after 'g'.
  const text = `SELECT ${foundColumns} FROM mw_blob WHERE shard = $1 AND digest >= $2 AND digest < $2 || 'g' GROUP BY digest ORDER BY digest`;
  return await connection.query<FoundBlob>(text, [shard, prefix]);
}

/** The rows of a blob, in order, up to the first that is missing. */
export async function* blobPieces(connection: Connection, shard: number, digest: string): AsyncGenerator<Buffer> {
  const text = 'SELECT bytes FROM mw_blob WHERE shard = $1 AND digest = $2 AND n = $3';
  for (let n = 0; ; n++) {
    const [row] = await connection.query<{ bytes: Buffer }>(text, [shard, digest, n]);
    if (row === undefined) return;
    yield row.bytes;
  }
}
