// tier: normal
/** A plan that is much larger than the screen keeps its lines: its picture is compared with the average of its pixels. */
import { deflateSync } from 'node:zlib';
import t from 'tap';
import { crc32 } from '../../src/web/console/files/crc32.ts';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { Chance } from '../support/random.ts';
import { openDrawing } from './drawing-page.ts';
import { artboard } from './samples.ts';
import { similarity } from './similarity.ts';
import { Site } from './site.ts';

t.setTimeout(600_000);

const [across, down] = [8000, 6000];
const [width, height] = [1200, 700];

/** One byte per pixel, 1 for black: walls of one pixel, and paths that are not straight. */
function plan(): Uint8Array {
  const chance = new Chance(48);
  const pixels = new Uint8Array(across * down);
  const line = (x1: number, y1: number, x2: number, y2: number): void => {
    const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1), 1);
    for (let at = 0; at <= steps; at++) {
      const [x, y] = [Math.round(x1 + ((x2 - x1) * at) / steps), Math.round(y1 + ((y2 - y1) * at) / steps)];
      if (x >= 0 && y >= 0 && x < across && y < down) pixels[y * across + x] = 1;
    }
  };
  for (let room = 0; room < 300; room++) {
    const [x, y] = [chance.below(across), chance.below(down)];
    const [right, bottom] = [x + 100 + chance.below(500), y + 100 + chance.below(400)];
    line(x, y, right, y);
    line(right, y, right, bottom);
    line(right, bottom, x, bottom);
    line(x, bottom, x, y);
  }
  for (let path = 0; path < 50; path++) line(chance.below(across), chance.below(down), chance.below(across), chance.below(down));
  return pixels;
}

/** A black and white PNG. */
function pngOf(pixels: Uint8Array): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(across, 0);
  head.writeUInt32BE(down, 4);
  head[8] = 1;
  const row = across / 8 + 1;
  const rows = Buffer.alloc(row * down);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++)
      if (pixels[y * across + x] === 0)
        rows[y * row + 1 + (x >> 3)] = (rows[y * row + 1 + (x >> 3)] as number) | (128 >> (x & 7));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Each pixel of the screen as the average of what it shows. */
function reference(pixels: Uint8Array, { x: left, y: top, scale }: Place): Float64Array {
  const grey = new Float64Array(width * height);
  const shares = (from: number, to: number, most: number): [number, number][] => {
    const found: [number, number][] = [];
    for (let at = Math.max(0, Math.floor(from)); at < Math.min(most, to); at++)
      found.push([at, Math.min(to, at + 1) - Math.max(from, at)]);
    return found;
  };
  for (let y = 0; y < height; y++) {
    const rows = shares((y - top) / scale, (y + 1 - top) / scale, down);
    for (let x = 0; x < width; x++) {
      let black = 0;
      for (const [column, wide] of shares((x - left) / scale, (x + 1 - left) / scale, across))
        for (const [row, high] of rows) black += (pixels[row * across + column] as number) * wide * high;
      grey[y * width + x] = 255 * (1 - black * scale * scale);
    }
  }
  return grey;
}

/** The grey values of what is on the screen. */
async function shownGrey(page: Page): Promise<Float64Array> {
  const png = (await page.page.screenshot({ clip: { x: 0, y: 0, width, height } })).toString('base64');
  const bytes = Buffer.from((await page.value(`bytes(loaded('${png}'))`)) as string, 'base64');
  return Float64Array.from({ length: width * height }, (_, at) => bytes[4 * at] as number);
}

const drawn = 'new Promise((resolve) => { drawing.map.once("rendercomplete", () => resolve()); drawing.map.render(); })';
const place = `(() => {
  const [x, y] = drawing.map.getPixelFromCoordinate(drawing.toView({ x: 0, y: 0 }));
  const [right] = drawing.map.getPixelFromCoordinate(drawing.toView({ x: ${across}, y: 0 }));
  return { x, y, scale: (right - x) / ${across} };
})()`;

t.test('a plan of 8,000 × 6,000 pixels from another host keeps its lines of one pixel', { skip }, async (t) => {
  const pixels = plan();
  const host = await Site.open(t);
  host.set('/plan.png', { type: 'image/png', headers: { 'Access-Control-Allow-Origin': 'null' }, body: pngOf(pixels) });
  const options = '{ onPreparing: (is) => (globalThis.prepared ??= []).push(is) }';
  const page = await openDrawing(t, width, height, options, { width: 1400, height: 800 });
  const floor = artboard('plan', [], { type: 'image', image_url: `${host.url}/plan.png`, width: across, height: down });
  await page.value(`drawing.show(viewer.readArtboard({ ...${JSON.stringify(floor)}, bg_color: '#ffffff' }))`);
  await page.until('globalThis.prepared?.at(-1) === false');
  await page.value(drawn);
  t.strictSame(await page.value('prepared'), [true, false]);

  const paper = 248;
  const compared = async (name: string) => {
    const at = (await page.value(place)) as Place;
    const wanted = reference(pixels, at);
    const shown = await shownGrey(page);
    // Beside the picture there is paper or nothing; only whole pixels of the picture count.
    for (const [index] of wanted.entries()) {
      const [x, y] = [index % width, Math.floor(index / width)];
      const isInside = x >= at.x && y >= at.y && x + 1 <= at.x + across * at.scale && y + 1 <= at.y + down * at.scale;
      if (!isInside) wanted[index] = shown[index] = paper;
    }
    const value = similarity(wanted, shown, width, height);
    t.ok(value >= 0.98, `${name}: ${value}`);
    const averages = [wanted, shown].map((grey) => grey.reduce((sum, each) => sum + each, 0) / grey.length) as [number, number];
    t.ok(Math.abs(averages[0] - averages[1]) < 0.5, `${name}: as much black: ${averages}`);
  };
  await compared('fitted');
  await page.value(`(drawing.zoomBy(2), ${drawn})`);
  await compared('closer');
  t.strictSame(await page.value('prepared'), [true, false], 'copies are made once');
  t.strictSame(await page.value('problems'), []);
  t.strictSame(page.complaints, []);
});

t.test('an artboard that is left while its picture is prepared has no hint any more', { skip }, async (t) => {
  const host = await Site.open(t);
  host.set('/plan.png', { type: 'image/png', body: pngOf(new Uint8Array(across * down)) });
  const options = '{ onPreparing: (is) => (globalThis.prepared ??= []).push(is) }';
  const page = await openDrawing(t, width, height, options);
  const floor = artboard('plan', [], { type: 'image', image_url: `${host.url}/plan.png`, width: across, height: down });
  await page.value(`drawing.show(viewer.readArtboard(${JSON.stringify(floor)}))`);
  await page.until('globalThis.prepared?.[0] === true');
  await page.value(`drawing.show(viewer.readArtboard(${JSON.stringify(artboard('other', []))}))`);
  await page.until('prepared.at(-1) === false');
  t.strictSame(page.complaints, []);
});
