/**
 * Identifiers: UUIDv7 (RFC 9562), ascending in creation order, even if the clock steps back or the process restarts.
 * 42 to 74 of their bits are random, from a cryptographic source.
 */
import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

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

/** Random bytes in one identifier, and per call of the random source: a call for 4 KiB costs little more than one for 16 bytes. */
const idBytes = 16;
const drawnBytes = 4096;

/** The greatest time that an identifier can contain: 48 bits of milliseconds. */
const timeMax = 2 ** 48 - 1;

/** @param now the clock, Unix time in milliseconds; a fraction or an invalid time does not affect the order */
export function idSource(now: () => number = Date.now): IdSource {
  let newest = 0;
  let sequence = 0;
  const drawn = Buffer.alloc(drawnBytes);
  let used = drawnBytes;
  const random = (): Uint8Array => {
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
      return v7({ msecs: newest, seq: sequence, random: random() });
    },
    seen(id) {
      const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
      // One above the time in the identifier: its sequence is unknown.
      if (time >= newest) {
        newest = time + 1;
        sequence = 0;
      }
    },
  };
}

function whole(time: number): number {
  return time >= 0 && time <= timeMax ? Math.floor(time) : 0;
}
