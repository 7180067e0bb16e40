// tier: short
/**
 * The location is removed from pictures before they are uploaded. The pictures in `located/` were written by libvips, with GPS data in EXIF and
 * in XMP, and other metadata.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { withoutLocation } from '../../src/web/console/files/erase-location.ts';
import { projectRoot } from '../support/project.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const folder = path.join(projectRoot(import.meta.dirname), 'test', 'console', 'located');
const located = (type: string): Bytes => new Uint8Array(fs.readFileSync(path.join(folder, `located.${type}`)));
const has = (bytes: Bytes, text: string): boolean => Buffer.from(bytes).includes(text, 0, 'latin1');

/** The three numbers of a latitude, as EXIF has them: 48/1, 12/1, 3000/100. */
function latitude(isLittle: boolean): string {
  const bytes = Buffer.alloc(24);
  for (const [at, value] of [48, 1, 12, 1, 3000, 100].entries()) {
    if (isLittle) bytes.writeUInt32LE(value, 4 * at);
    else bytes.writeUInt32BE(value, 4 * at);
  }
  return bytes.toString('latin1');
}

const isLocated = (bytes: Bytes): boolean =>
  has(bytes, 'GPSLatitude') || has(bytes, latitude(true)) || has(bytes, latitude(false));

for (const type of ['jpeg', 'png', 'webp', 'avif'])
  t.test(`the location of a ${type} is removed, and nothing else`, async (t) => {
    const before = located(type);
    const copy = before.slice();
    t.equal(isLocated(before), true);
    const after = withoutLocation(before) as Bytes;
    t.equal(isLocated(after), false);
    t.ok(has(after, 'Camera') && has(after, 'Lens'), 'other metadata stays');
    t.strictSame(before, copy, 'the given bytes stay');
    t.equal(withoutLocation(after), undefined, 'nothing is left to be removed');
    // What comes last in these files is the picture; WebP and AVIF keep the place of each byte.
    const scan = type === 'jpeg' ? Buffer.from(before).indexOf('ffda', 'hex') : Buffer.from(before).indexOf('IDAT');
    if (scan !== -1) t.ok(Buffer.from(after).includes(Buffer.from(before.subarray(scan))), 'the pixels are the same bytes');
    else t.equal(after.length, before.length);
  });

t.test('broken pictures are left as they are, or lose their location, and nothing throws', async (t) => {
  for (const type of ['jpeg', 'png', 'webp', 'avif']) {
    const bytes = located(type);
    for (let length = 0; length < bytes.length; length += 7) withoutLocation(bytes.slice(0, length));
    for (let at = 0; at < Math.min(bytes.length, 900); at++) {
      const broken = bytes.slice();
      broken[at] = 0xff;
      withoutLocation(broken);
    }
  }
  t.equal(withoutLocation(new TextEncoder().encode('<svg/>')), undefined);
});
