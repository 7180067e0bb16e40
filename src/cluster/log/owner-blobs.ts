/**
 * The blobs of an owner: their bytes are in the database before the record that refers to them is appended.
 *
 *     rows with a new `put`, each with the token -> one more write, if all of them are there -> acknowledged: all are replicated
 *
 * The rows are sent without waiting for a judgement of each answer. The last write comes after them in the log of the database, so its
 * acknowledgement covers them. After anything else than an acknowledgement, all of it is done again.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { BlobDamagedError, BusyError } from '../../lib/errors.ts';
import type { BlobOrigin } from '../../storage/blobs/blob-origin.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import type { Connection } from '../database/database-connection.ts';
import { BlobRows, blobPieces, blobPuts, blobRowCount, foundBlobs } from '../database/stored-blobs.ts';
import { outcomeOf } from '../protocol/terms.ts';
import { pauseFor } from './clock.ts';
import type { OwnerSession } from './owner-session.ts';

/** Limits of the pause before another attempt, in milliseconds. */
const pauseMs = { min: 20, max: 1_000 };

export class OwnerBlobs implements BlobOrigin {
  readonly #session: Pick<OwnerSession, 'shard' | 'token' | 'timeline' | 'ended'>;
  readonly #bulk: Pick<BulkStore, 'connection'>;

  constructor(session: Pick<OwnerSession, 'shard' | 'token' | 'timeline' | 'ended'>, bulk: Pick<BulkStore, 'connection'>) {
    this.#session = session;
    this.#bulk = bulk;
  }

  async put(blob: BlobName, pieces: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    // First, so that wrong bytes replace no right ones.
    const { digest, checksums } = await summaryOf(pieces());
    if (digest !== blob.digest) throw this.#damagedCache(blob);
    for (let failures = 0; ; failures++) {
      if (this.#session.ended !== undefined) throw this.#session.ended;
      signal.throwIfAborted();
      if (await this.#attempt(blob, this.#unchanged(blob, pieces(), checksums), signal)) return;
      await delay(pauseFor(failures, pauseMs), undefined, { signal });
    }
  }

  /** Whether the blob is stored for certain. Rejects only for a fault of the pieces. */
  async #attempt({ digest, bytes }: BlobName, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<boolean> {
    const { shard, token } = this.#session;
    const put = randomUUID();
    let connection: Connection;
    try {
      connection = await this.#bulk.connection();
    } catch {
      return false;
    }
    const rows = new BlobRows(connection, shard, token);
    let n = 0;
    const store = async (piece: Uint8Array): Promise<void> => await rows.store(digest, n++, put, piece);
    for await (const piece of bytes === 0 ? [new Uint8Array(0)] : pieces) {
      if (signal.aborted || !(await succeeds(store(piece)))) return false;
    }
    const answer = await rows.confirm(digest, blobRowCount(bytes), put).catch(() => undefined);
    return answer !== undefined && outcomeOf(answer, this.#session.timeline) === 'acknowledged';
  }

  /** The pieces; throws before one that is not as it was. The cache may be damaged while an attempt waits for the database. */
  async *#unchanged(blob: BlobName, pieces: AsyncIterable<Uint8Array>, checksums: readonly number[]): AsyncGenerator<Uint8Array> {
    let n = 0;
    for await (const piece of pieces) {
      if (crc32(piece) !== checksums[n++]) throw this.#damagedCache(blob);
      yield piece;
    }
  }

  async *get(digest: string): AsyncGenerator<Uint8Array> {
    const connection = await this.#answering();
    try {
      yield* blobPieces(connection, this.#session.shard, digest);
    } catch (error) {
      throw noAnswer(error);
    }
  }

  async has({ digest, bytes }: BlobName): Promise<boolean> {
    const [found] = await foundBlobs(await this.#answering(), this.#session.shard, digest);
    return found?.bytes === bytes && found.rows === blobRowCount(bytes);
  }

  async list(prefix: string): Promise<{ readonly digests: Uint8Array; readonly bytes: Float64Array }> {
    const found = await foundBlobs(await this.#answering(), this.#session.shard, prefix);
    return {
      digests: Buffer.from(found.map(({ digest }) => digest).join(''), 'hex'),
      bytes: Float64Array.from(found, ({ bytes }) => bytes),
    };
  }

  async delete(digests: readonly string[]): Promise<readonly string[]> {
    const { shard, token, timeline } = this.#session;
    const connection = await this.#answering();
    const found = await blobPuts(connection, shard, digests);
    if (found.length > 0) {
      const answer = await new BlobRows(connection, shard, token).delete(found);
      if (outcomeOf(answer, timeline) !== 'acknowledged') {
        const kept = new Set(found.map(({ digest }) => digest));
        return digests.filter((digest) => !kept.has(digest));
      }
    }
    return digests;
  }

  describe(digest: string): string {
    return `${digest} in the table mw_blob, shard ${this.#session.shard}`;
  }

  #damagedCache({ digest }: BlobName): BlobDamagedError {
    return new BlobDamagedError(digest, this.describe(digest), 'the bytes in the cache have another digest');
  }

  /** A connection. Rejects with {@link BusyError} if the database is away. */
  async #answering(): Promise<Connection> {
    try {
      return await this.#bulk.connection();
    } catch (error) {
      throw noAnswer(error);
    }
  }
}

const noAnswer = (error: unknown): BusyError =>
  new BusyError(`the database of the cluster does not respond: ${(error as Error).message}`);

/** Whether work on the database succeeds. It fails if the database is away, full, or a standby. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** The digest of all pieces, and a checksum of each. */
async function summaryOf(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ readonly digest: string; readonly checksums: readonly number[] }> {
  const hash = createHash('sha256');
  const checksums: number[] = [];
  for await (const piece of pieces) {
    hash.update(piece);
    checksums.push(crc32(piece));
  }
  return { digest: hash.digest('hex'), checksums };
}
