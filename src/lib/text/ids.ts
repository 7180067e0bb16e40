/**
 * Identifiers: UUIDv7 (RFC 9562), ascending in creation order, even if the clock steps back or the process restarts.
 * 42 to 74 of their bits are random, from a cryptographic source.
 */
import { randomFillSync, randomInt } from 'node:crypto';

interface IdSource {
  /** A new identifier, greater (as a string) than every one returned or {@link IdSource.seen} before. */
  next(): string;
  /** Records an identifier of an earlier process: later ones will be greater. */
  seen(id: string): void;
}

/** Length of an identifier, in characters. */
export const idLength = 36;

/** Whether a text is a well-formed identifier. */
export function isUuid(text: string): boolean {
  return text.length === idLength && uuid.test(text);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const uuidv7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The time in a UUIDv7 in lower case, in milliseconds since 1970; `undefined` for any other text. */
export const idTime = (text: string): number | undefined => (uuidv7.test(text) ? timeIn(text) : undefined);

const timeIn = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Bytes of an identifier, and of random bytes per call: a call for 4 KiB costs little more than one for 16 bytes. */
export const idBytes = 16;
const drawnBytes = 4096;

/** The greatest time that an identifier can contain: 48 bits of milliseconds. */
const timeMax = 2 ** 48 - 1;

/** @param now the clock, Unix time in milliseconds; a fraction or an invalid time does not affect the order */
export function idSource(now: () => number = Date.now): IdSource {
  let newest = 0;
  let sequence = 0;
  const drawn = Buffer.alloc(drawnBytes);
  let used = drawnBytes;
  const randomId = (): Buffer => {
    if (used === drawnBytes) {
      randomFillSync(drawn);
      used = 0;
    }
    used += idBytes;
    return drawn.subarray(used - idBytes, used);
  };
  return {
    next() {
      const time = whole(now());
      if (time > newest) {
        newest = time;
        // Keeps half of the range free for counting up.
        sequence = randomInt(0x8000_0000);
      } else if (++sequence > 0xffff_ffff) {
        newest++;
        sequence = 0;
      }
      return uuidOf(randomId(), newest, sequence);
    },
    seen(id) {
      const time = timeIn(id);
      // One above the time in the identifier: its sequence is unknown.
      if (time >= newest) {
        newest = time + 1;
        sequence = 0;
      }
    },
  };
}

/**
 * A UUIDv7 of 16 random bytes: replaces all but the last 42 bits by the time, the version 7, the variant 2 and the sequence.
 *
 * @param time 48 bits, in milliseconds
 * @param sequence 32 bits
 */
function uuidOf(bytes: Buffer, time: number, sequence: number): string {
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(0x7000 | (sequence >>> 20), 6);
  bytes.writeUInt16BE(0x8000 | ((sequence >>> 6) & 0x3fff), 8);
  bytes.writeUInt8(((sequence << 2) & 0xfc) | (bytes.readUInt8(10) & 0x03), 10);
  return uuidFrom(bytes);
}

/** An identifier in 16 bytes; several that follow each other, each in 16. */
export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The identifier in 16 bytes. */
export function uuidFrom(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function whole(time: number): number {
  return time >= 0 && time <= timeMax ? Math.floor(time) : 0;
}
