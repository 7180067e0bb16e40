/** Pixels as PNG (ISO 15948): eight bits for each of red, green and blue. */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflated = promisify(deflate);

/** Pixels between two pauses. */
const stepPixels = 100_000;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The filter "up": a row of areas is mostly the same as the one above it, and what is left are zeros. */
const filterUp = 2;

/**
 * The filtered rows of a picture, which the PNG has compressed. Yields between steps of a bounded size.
 *
 * @param pixels red, green and blue from the lowest bits on, rows from top to bottom
 */
export function* filteredRows(pixels: Uint32Array, width: number): Generator<void, Buffer> {
  const height = pixels.length / width;
  const rows = Buffer.alloc(height * (1 + 3 * width));
  let to = 0;
  for (let row = 0, step = 0; row < height; row++) {
    rows[to++] = filterUp;
    for (let at = row * width; at < (row + 1) * width; at++) {
      const pixel = pixels[at] as number;
      const above = row === 0 ? 0 : (pixels[at - width] as number);
      rows[to++] = pixel - above;
      rows[to++] = (pixel >>> 8) - (above >>> 8);
      rows[to++] = (pixel >>> 16) - (above >>> 16);
    }
    step += width;
    if (step < stepPixels) continue;
    step = 0;
    yield;
  }
  return rows;
}

/** The file of filtered rows, which it compresses in another thread. */
export async function encodePng(rows: Buffer, width: number, height: number): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Bits for each channel, and red, green and blue as its channels.
  head.set([8, 2], 8);
  const data = await deflated(rows);
  return Buffer.concat([signature, ...chunk('IHDR', head), ...chunk('IDAT', data), ...chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer[] {
  const name = Buffer.from(type, 'latin1');
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(data, crc32(name)));
  return [length, name, data, checksum];
}
