/**
 * Identifiers: UUIDv7 (RFC 9562), in the order in which they were made, also when the clock steps back or the process restarts.
 * 42 to 74 of their bits are random and from a cryptographic source.
 */
import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

export interface IdSource {
  /** A new identifier, greater (as a string) than every one made or {@link IdSource.seen} before. */
  next(): string;
  /** Tells the source of an identifier made by an earlier process. */
  seen(id: string): void;
}

/** Characters of an identifier. */
export const idLength = 36;

/** Whether a text has the form of an identifier of ours. */
export function isUuid(text: string): boolean {
  return text.length === idLength && uuid.test(text);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Bytes of chance in one identifier, and those that are drawn at a time: one call for 4 KiB costs little more than one for 16 bytes. */
const idBytes = 16;
const drawnBytes = 4096;

/** The largest time that an identifier holds: 48 bits of milliseconds. */
const timeMax = 2 ** 48 - 1;

/** @param now the clock, in milliseconds since 1970; a fraction, or what is no time at all, does not disturb the order */
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
        // Half of the range stays free to count up in.
        sequence = randomInt(0x8000_0000);
      } else if (++sequence > 0xffff_ffff) {
        newest++;
        sequence = 0;
      }
      return v7({ msecs: newest, seq: sequence, random: random() });
    },
    seen(id) {
      const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
      // One further than the time itself: the sequence within it is not known any more.
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
