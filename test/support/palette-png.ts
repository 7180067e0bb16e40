/** Pictures of screens with at most 256 colours: a third of the bytes, and the same to the eye. */
import zlib from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const coloursMax = 256;
/** The most frequent colours stay as they are, such as those of areas. */
const exactMax = 160;

type Rgb = readonly [red: number, green: number, blue: number];

/** A PNG of the same picture with a palette. @param png as browsers write it: 8 bits per channel, not interlaced */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = paletteOf(counts);
  const indexOf = new Map([...counts.keys()].map((pixel) => [pixel, nearest(palette, rgbOf(pixel))]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x] as number) as number;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', zlib.deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  crc.writeUInt32BE(zlib.crc32(named));
  return Buffer.concat([length, named, crc]);
}

/** The pixels as 0xrrggbb, line by line. */
function decode(png: Buffer): { readonly width: number; readonly height: number; readonly pixels: Uint32Array } {
  const parts: Buffer[] = [];
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const [width, height, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  const channels = type === 6 ? 4 : 3;
  const raw = zlib.inflateSync(Buffer.concat(parts));
  const size = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = Buffer.alloc(size);
  for (let y = 0; y < height; y++) {
    const start = y * (size + 1);
    const line = Buffer.from(raw.subarray(start + 1, start + 1 + size));
    restore(line, above, raw[start] as number, channels);
    for (let x = 0; x < width; x++) pixels[y * width + x] = line.readUIntBE(x * channels, 3);
    above = line;
  }
  return { width, height, pixels };
}

/** Undoes the filter of a line (PNG, 9.2). */
function restore(line: Buffer, above: Buffer, filter: number, channels: number): void {
  for (let i = 0; i < line.length; i++) {
    const a = line[i - channels] ?? 0;
    const b = above[i] as number;
    const c = i < channels ? 0 : (above[i - channels] as number);
    const predicted = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
    line[i] = (line[i] as number) + predicted;
  }
}

function paeth(a: number, b: number, c: number): number {
  const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (da <= db && da <= dc) return a;
  return db <= dc ? b : c;
}

const rgbOf = (pixel: number): Rgb => [pixel >> 16, (pixel >> 8) & 255, pixel & 255];

/** The most frequent colours, and the means of groups of the others (median cut). */
function paletteOf(counts: ReadonlyMap<number, number>): Rgb[] {
  const byCount = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([pixel, count]) => ({ rgb: rgbOf(pixel), count }));
  const exact = byCount.slice(0, counts.size <= coloursMax ? coloursMax : exactMax).map(({ rgb }) => rgb);
  const groups = [byCount.slice(exact.length)].filter((group) => group.length > 0);
  while (groups.length > 0 && groups.length < coloursMax - exact.length) {
    const widest = groups.map((group, at) => ({ at, ...extentOf(group) })).sort((a, b) => b.extent - a.extent)[0];
    const group = groups[widest?.at ?? 0];
    if (widest === undefined || group === undefined || widest.extent === 0) break;
    group.sort((a, b) => a.rgb[widest.channel] - b.rgb[widest.channel]);
    groups.push(group.splice(group.length >> 1));
  }
  return [...exact, ...groups.map(meanOf)];
}

type Counted = { readonly rgb: Rgb; readonly count: number };

function extentOf(group: readonly Counted[]): { readonly channel: 0 | 1 | 2; readonly extent: number } {
  const extents = ([0, 1, 2] as const).map((channel) => {
    let [low, high] = [255, 0];
    for (const { rgb } of group) [low, high] = [Math.min(low, rgb[channel]), Math.max(high, rgb[channel])];
    return { channel, extent: high - low };
  });
  return extents.reduce((most, each) => (each.extent > most.extent ? each : most));
}

function meanOf(group: readonly Counted[]): Rgb {
  const all = group.reduce((sum, { count }) => sum + count, 0);
  const mean = (channel: 0 | 1 | 2) => Math.round(group.reduce((sum, { rgb, count }) => sum + rgb[channel] * count, 0) / all);
  return [mean(0), mean(1), mean(2)];
}

function nearest(palette: readonly Rgb[], [red, green, blue]: Rgb): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [at, [r, g, b]] of palette.entries()) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}
