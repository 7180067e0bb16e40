/** Stores the map of a publication as a blob, and compresses the rules of a live map. */

import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { BlobTooLargeError, RecordTooLargeError } from '../../lib/errors.ts';
import { mebibyte } from '../../lib/option-declaration.ts';
import { publicationBytesMax, publicationJsonBytesMax, rulesBytesMax, rulesJsonBytesMax } from '../../model/publication.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import type { Engine } from '../engine.ts';
import { compressText } from '../files/compress-text.ts';
import type { StoredFiles } from '../files/stored-files.ts';

/** The map, or its rules, are too large to be public. The message says which limit they exceed. */
export class MapTooLargeError extends RecordTooLargeError {
  /** What makes it smaller. */
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

interface SizeLimits {
  readonly what: string;
  readonly advice: string;
  /** After compression, in bytes. */
  readonly bytesMax: number;
  /** Before compression, in bytes. */
  readonly jsonBytesMax: number;
}

const mapLimits: SizeLimits = {
  what: 'map',
  advice:
    'Make texts and pictures smaller, use addresses of pictures instead of "data:", or write files: npx mapwright publish PROJECT --out FOLDER',
  bytesMax: publicationBytesMax,
  jsonBytesMax: publicationJsonBytesMax,
};
const rulesLimits: SizeLimits = {
  what: 'set of data sources, variables, actions, and keys and properties that actions match by',
  advice: 'Delete those that the map does not need, or publish it as a still map, with "refresh": 0.',
  bytesMax: rulesBytesMax,
  jsonBytesMax: rulesJsonBytesMax,
};

/** A map that is durable and held. */
export interface StoredMap {
  readonly blob: StoredBlob;
  /** SHA-256 of the JSON, 64 hex digits. */
  readonly digest: string;
  /** Length of the JSON, in bytes. */
  readonly jsonBytes: number;
}

/** Stores a map. Rejects with {@link MapTooLargeError}, and as {@link AccountUploads.begin} does; nothing refers to it then. */
export async function storeMap({ uploads }: StoredFiles, accountId: string, json: Iterable<string | Buffer>): Promise<StoredMap> {
  const upload = await uploads.begin(accountId, { bytesMax: publicationBytesMax });
  const hash = createHash('sha256');
  const text = countedUpTo(mapLimits);
  try {
    await compressText(json, {
      encoder: createGzip(),
      take: (bytes) => upload.write(bytes),
      onText(piece) {
        hash.update(piece);
        text.add(piece);
      },
    });
    const blob = await upload.finish();
    return { blob, digest: hash.digest('hex'), jsonBytes: text.bytes };
  } catch (error) {
    await upload.abort();
    throw error instanceof BlobTooLargeError ? tooLarge(mapLimits) : error;
  }
}

/** Stores bytes that belong to a map. Rejects as {@link AccountUploads.begin} does; nothing refers to them then. */
export async function storeBeside({ uploads }: StoredFiles, accountId: string, bytes: Uint8Array): Promise<StoredBlob> {
  const upload = await uploads.begin(accountId, { bytesMax: bytes.byteLength });
  try {
    await upload.write(bytes);
    return await upload.finish();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/** Compresses rules. Reserves memory for them, which the caller must release. Rejects with {@link MapTooLargeError}. */
export async function compressRules({ memory }: Engine, json: Iterable<string | Buffer>): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const text = countedUpTo(rulesLimits);
  try {
    await compressText(json, {
      encoder: createGzip(),
      take(part) {
        if (bytes + part.byteLength > rulesLimits.bytesMax) throw tooLarge(rulesLimits);
        memory.hold(part.byteLength);
        bytes += part.byteLength;
        parts.push(part);
      },
      onText: (piece) => text.add(piece),
    });
  } catch (error) {
    memory.release(bytes);
    throw error;
  }
  return Buffer.concat(parts, bytes);
}

const tooLarge = ({ what, advice, bytesMax }: SizeLimits) =>
  new MapTooLargeError(`The compressed ${what} has more than ${bytesMax / mebibyte} MiB`, advice);

/** Counts the bytes of a text, up to its limit. */
function countedUpTo({ what, advice, jsonBytesMax }: SizeLimits) {
  return {
    bytes: 0,
    add({ byteLength }: Buffer): void {
      this.bytes += byteLength;
      if (this.bytes > jsonBytesMax)
        throw new MapTooLargeError(`The ${what} has more than ${jsonBytesMax / mebibyte} MiB before compression`, advice);
    },
  };
}
