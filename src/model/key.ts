/**
 * API keys: `mw_`, a public identifier of 12 characters, 256 random bits, and a checksum; 64 characters in total: letters, digits, `_`
 * and `-`. The checksum distinguishes typing errors from guesses, and secret scanners can find leaked keys. Only the SHA-256 is stored.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'mw_';
const idLength = 12;
const secretBytes = 32;
const checksumLength = 6;
/** Length of a key, in characters. */
const keyLength = prefix.length + idLength + Math.ceil((secretBytes * 4) / 3) + checksumLength;

const shape = new RegExp(`^${prefix}[a-z2-7]{${idLength}}[A-Za-z0-9_-]{${keyLength - prefix.length - idLength}}$`);

export interface NewKey {
  /** Public: identifies the key in lists and in the log. */
  readonly id: string;
  /** The key itself: shown once, never stored. */
  readonly text: string;
  readonly digest: string;
}

export function newKey(): NewKey {
  // 12 characters of 5 bits each: one per random byte, without bias, since 32 divides 256.
  const id = [...randomBytes(idLength)].map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('');
  const body = prefix + id + newSecret();
  const text = body + checksum(body);
  return { id, text, digest: digestOf(text) };
}

/** 256 random bits: 43 letters, digits, `_` and `-`. */
export const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** The public identifier in a well-formed key; `undefined` for anything else. */
export function keyId(text: string): string | undefined {
  if (!shape.test(text) || checksum(text.slice(0, -checksumLength)) !== text.slice(-checksumLength)) return undefined;
  return text.slice(prefix.length, prefix.length + idLength);
}

/** SHA-256, 64 hex digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function digestsEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function checksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64url');
}
