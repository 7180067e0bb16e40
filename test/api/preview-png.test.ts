// tier: normal
/** The preview of an artboard as PNG: the pixels that a browser makes of the SVG, in steps of a bounded size. */
import { crc32, inflateSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { type Drawing, drawingOf, type Shape } from '../../src/api/preview/drawn-artboard.ts';
import { paintedRows, previewPng } from '../../src/api/preview/preview-png.ts';
import { previewSvg } from '../../src/api/preview/preview-svg.ts';
import { affordable } from '../../src/api/preview/raster/affordable.ts';
import type { Artboard } from '../../src/model/resources/artboard.ts';
import type { MapObject } from '../../src/model/resources/object.ts';
import { artboards, objects as objectResource } from '../../src/model/resources.ts';
import { Page, skipWithoutBrowser } from '../support/browser.ts';
import { exampleText } from '../support/examples.ts';
import { startForRequests } from '../support/mapwright.ts';
import { sampled } from '../support/tier.ts';

const artboard = (body: object = {}) => artboards.create('a', {}, body as never) as unknown as Artboard;
const object = (body: object) => objectResource.create('o', {}, { type: 'spot', ...body } as never) as unknown as MapObject;
const modes = (objectResource.fields.find(({ name }) => name === 'blend_mode')?.words ?? []).map(String);

function finish<T>(work: Generator<void, T>): { result: T; steps: number } {
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done === true) return { result: step.value, steps };
  }
}

/** A drawing of an artboard of 320 x 240, so that its pixels are those of the picture. */
const drawn = (objects: readonly MapObject[], body: object = {}, width = 320): Drawing =>
  finish(drawingOf(artboard({ width: 320, height: 240, bg_color: '#ffffff', ...body }), objects, width)).result;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly bytes: Uint8Array;
}

/** Decodes what this PNG may be: eight bits for each of red, green and blue, all rows with the filter "none" or "up". */
function decode(png: Buffer): Picture {
  if (png.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const end = at + 8 + length;
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) throw new Error(`wrong checksum at ${at}`);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  const [head, data, end] = chunks;
  if (chunks.length !== 3 || head?.type !== 'IHDR' || data?.type !== 'IDAT' || end?.type !== 'IEND')
    throw new Error('other chunks');
  if (head.data.toString('hex', 8) !== '0802000000') throw new Error('another format');
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  return { width, height, bytes: unfiltered(inflateSync(data.data), width, height) };
}

function unfiltered(rows: Buffer, width: number, height: number): Uint8Array {
  const stride = 3 * width;
  if (rows.length !== height * (1 + stride)) throw new Error(`${rows.length} bytes`);
  const bytes = new Uint8Array(height * stride);
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (1 + stride)];
    if (filter !== 0 && filter !== 2) throw new Error(`filter ${filter}`);
    for (let i = 0; i < stride; i++) {
      const above = filter === 2 && row > 0 ? (bytes[(row - 1) * stride + i] as number) : 0;
      bytes[row * stride + i] = above + (rows[row * (1 + stride) + 1 + i] as number);
    }
  }
  return bytes;
}

const pictureOf = (drawing: Drawing): Picture => {
  const { width, height } = drawing;
  return { width, height, bytes: unfiltered(finish(paintedRows(drawing)).result, width, height) };
};

/** `#rrggbb` of a pixel. */
const pixelAt = ({ width, bytes }: Picture, x: number, y: number): string =>
  `#${Buffer.from(bytes.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)).toString('hex')}`;

const corners = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }));
const square = (x: number, y: number, side: number) => corners(x, y, x + side, y, x + side, y + side, x, y + side);
const poly = (coords: object[], more: object = {}) =>
  object({ type: 'poly', color: '#ff0000', coords, stroke_width: 0, ...more });

t.test('a preview as PNG has a tag, a policy and the requested width', async (t) => {
  const mapwright = await startForRequests(t);
  const objects = [{ type: 'spot', x: 400, y: 300, radius: 100, color: '#ff0000' }];
  const { id } = (await mapwright.post('/projects', { artboards: [{ bg_color: '#0000ff', objects }] })).shown;
  const board = (await mapwright.get(`/projects/${id}/artboards`)).list[0]?.id as string;
  const at = `/projects/${id}/artboards/${board}/preview.png`;
  const ask = (route: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${mapwright.port}/v1${route}`, { headers: { authorization: `Bearer ${mapwright.key}`, ...headers } });
  const answer = await ask(at);
  t.match(Object.fromEntries(answer.headers), {
    'content-type': /^image\/png$/,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  });
  t.equal(answer.headers.get('content-encoding'), null, 'it is not compressed again');
  const picture = decode(Buffer.from(await answer.arrayBuffer()));
  t.match(picture, { width: 320, height: 240 });
  t.equal(pixelAt(picture, 160, 120), '#ff0000');
  t.equal(pixelAt(picture, 2, 2), '#0000ff');
  const tag = String(answer.headers.get('etag'));
  t.equal((await ask(at, { 'if-none-match': tag })).status, 304);
  const head = await mapwright.ask('HEAD', `/v1${at}`);
  t.equal(head.headers.etag, tag);
  const wide = await ask(`${at}?width=640`);
  t.match(decode(Buffer.from(await wide.arrayBuffer())), { width: 640, height: 480 });
  t.not(wide.headers.get('etag'), tag, 'another width has another tag');
  const spots = `/projects/${id}/artboards/${board}/objects`;
  await mapwright.patch(`${spots}/${(await mapwright.get(spots)).list[0]?.id}`, { color: '#00ff00' });
  const changed = await ask(at, { 'if-none-match': tag });
  t.equal(pixelAt(decode(Buffer.from(await changed.arrayBuffer())), 160, 120), '#00ff00', 'a changed object');
  for (const width of ['0', '15', '1025', '1e2', '']) t.equal((await ask(`${at}?width=${width}`)).status, 400, `width=${width}`);
  t.equal((await ask(at.replace(board, board.replace(/^./, 'f')))).status, 404);
  t.equal((await mapwright.get(at, { key: await mapwright.newKey('bob') })).status, 404, 'of another account');
  t.equal((await mapwright.get(at, { key: '' })).status, 401);
});

t.test('pixels are where their shapes are', async (t) => {
  const at = (objects: MapObject[], x: number, y: number) => pixelAt(pictureOf(drawn(objects)), x, y);
  const circle = [object({ x: 100, y: 100, radius: 50, color: '#ff0000', stroke_width: 0 })];
  t.equal(at(circle, 100, 51), '#ff0000');
  t.equal(at(circle, 100, 48), '#ffffff');
  t.equal(at(circle, 140, 140), '#ffffff', 'no corner');
  const holed = [poly(square(10, 10, 100), { holes: [square(40, 40, 40)] })];
  t.equal(at(holed, 39, 60), '#ff0000');
  t.equal(at(holed, 40, 60), '#ffffff', 'the hole');
  t.equal(at(holed, 80, 60), '#ff0000');
  t.equal(at(holed, 110, 60), '#ffffff');
  const twice = [poly([...square(10, 10, 100), ...square(10, 10, 100), { x: 10, y: 10 }])];
  t.equal(at(twice, 50, 50), '#ff0000', 'an outline that winds around twice is inside');
  const line = [poly(corners(20, 50, 120, 50), { closed: false, stroke_width: 10, stroke_color: '#008000' })];
  t.strictSame(
    [at(line, 20, 45), at(line, 19, 50), at(line, 119, 54), at(line, 120, 50), at(line, 60, 55)],
    ['#008000', '#ffffff', '#008000', '#ffffff', '#ffffff'],
    'a line of 10 pixels with butt caps',
  );
  const mitered = [poly(corners(50, 150, 50, 50, 150, 50), { closed: false, stroke_width: 20, stroke_color: '#008000' })];
  t.strictSame([at(mitered, 40, 40), at(mitered, 39, 50), at(mitered, 61, 61)], ['#008000', '#ffffff', '#ffffff'], 'a miter');
  const half = [poly(square(10, 10, 50), { opacity: 0.5 }), poly(square(200.5, 10, 50), { color: '#000000' })];
  t.equal(at(half, 30, 30), '#ff8080', 'half of red on white');
  t.match(at(half, 200, 30), /^#(7f7f7f|808080)$/, 'half of a pixel');
  t.equal(at([poly(square(0, 0, 320), { blend_mode: 'multiply', color: '#808080' })], 5, 5), '#808080');
  t.equal(at([poly(square(0, 0, 320), { blend_mode: 'erase' })], 5, 5), '#ffffff');
  t.equal(pixelAt(pictureOf(drawn([], { bg_color: '#123456' })), 319, 239), '#123456');
  const png = decode(await previewPng('ann', drawn(holed)));
  t.strictSame(png, pictureOf(drawn(holed)), 'the file has these pixels');
});

/** Pixels of an SVG in a browser. */
async function browserPixels(page: Page, svg: string): Promise<Uint8Array> {
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const base64 = await page.value(`(async () => {
    const image = new Image();
    image.src = '${address}';
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const blob = new Blob([data.filter((_, i) => i % 4 !== 3)]);
    const reader = new FileReader();
    await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(blob); });
    return reader.result.split(',')[1];
  })()`);
  return Buffer.from(String(base64), 'base64');
}

/** Channels may differ by this much at the edge of a shape. */
const levelsMax = 24;

/** Compares a drawing with what a browser makes of its SVG. @param most mean difference of a channel, and percent of pixels beyond {@link levelsMax} */
async function compare(t: Test, page: Page, name: string, drawing: Drawing, most: { mean: number; percent: number }) {
  const ours = pictureOf(drawing).bytes;
  const theirs = await browserPixels(page, finish(previewSvg(drawing)).result);
  t.equal(theirs.length, ours.length, name);
  let [sum, far] = [0, 0];
  for (let at = 0; at < ours.length; at += 3) {
    const levels = [0, 1, 2].map((i) => Math.abs((ours[at + i] as number) - (theirs[at + i] as number)));
    sum += levels.reduce((a, b) => a + b, 0);
    if (Math.max(...levels) > levelsMax) far++;
  }
  const [mean, percent] = [sum / ours.length, (far / ours.length) * 300];
  t.ok(mean <= most.mean && percent <= most.percent, `${name}: mean ${mean.toFixed(3)}, ${percent.toFixed(3)} % differ`);
}

/** A page in which pictures are drawn. */
const blank = (t: Test) => Page.open(t, 'about:blank');

t.test('every blend mode has the pixels of a browser', { skip: skipWithoutBrowser }, async (t) => {
  const page = await blank(t);
  const below = [
    poly(corners(0, 0, 200, 32, 120, 224), { color: '#204060' }),
    object({ x: 208, y: 120, radius: 68, color: '#c03080', opacity: 0.7, stroke_width: 0 }),
  ];
  const looks: Record<string, object> = {
    flat: {},
    translucent: { opacity: 0.6 },
    'with a stroke': { stroke_width: 12, stroke_color: '#40a010' },
    'with both translucent': { opacity: 0.5, stroke_width: 12, stroke_color: '#40a010', stroke_opacity: 0.6 },
  };
  const cases = Object.entries(looks).flatMap(([name, look]) => modes.map((blend_mode) => ({ name, look, blend_mode })));
  for (const { name, look, blend_mode } of sampled(cases, 40)) {
    const shape = poly(corners(36, 24, 280, 80, 240, 220, 44, 160), { color: '#d09050', blend_mode, ...look });
    const drawing = drawn([...below, shape], { bg_color: '#e0c8a0' });
    await compare(t, page, `${blend_mode} ${name}`, drawing, { mean: 0.5, percent: 0.2 });
  }
});

t.test('strokes of any width have the pixels of a browser', { skip: skipWithoutBrowser }, async (t) => {
  const page = await blank(t);
  for (const stroke_width of [0.1, 0.5, 1, 2, 5, 20, 60]) {
    const look = { stroke_width, stroke_color: '#a01010', stroke_opacity: 0.8, color: '#204060', opacity: 0.5 };
    const ring = (count: number, x: (i: number) => number, y: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => ({ x: x(i), y: y(i) }));
    const star = ring(7, (i) => 160 + 104 * Math.cos(i * 2.7), (i) => 120 + 104 * Math.sin(i * 2.7)); // biome-ignore format: one line
    const jagged = ring(60, (i) => 8 + 5 * i, (i) => 120 + 104 * Math.sin(i * 1.7)); // biome-ignore format: one line
    const spiral = ring(600, (i) => 160 + (i / 5) * Math.cos(i / 20), (i) => 120 + (i / 5) * Math.sin(i / 20)); // biome-ignore format: one line
    const shapes: Record<string, MapObject> = {
      circle: object({ x: 160, y: 120, radius: 24, ...look }),
      star: poly(star, look),
      'star with a hole': poly(star, { ...look, holes: [square(140, 100, 40)] }),
      'jagged line': poly(jagged, { ...look, closed: false }),
      spiral: poly(spiral, { ...look, closed: false }),
    };
    for (const [name, shape] of Object.entries(shapes))
      await compare(t, page, `${name}, ${stroke_width} pixels`, drawn([shape]), { mean: 1.5, percent: 1.5 });
  }
});

t.test('examples have the pixels of a browser', { skip: skipWithoutBrowser }, async (t) => {
  const page = await blank(t);
  const files = ['office.json', 'shopping-centre.json', 'us-counties.json', 'cities.json', 'world-countries.json'];
  for (const file of sampled(files, 3)) {
    const { project } = JSON.parse(exampleText(file)) as { project: { artboards: { id: string; objects: object[] }[] } };
    for (const [i, { id: _, objects, ...body }] of project.artboards.entries()) {
      const drawing = drawn(objects.map(object), body, 480);
      await compare(t, page, `${file}, artboard ${i}`, drawing, { mean: 2, percent: 1 });
    }
  }
});

t.test('a browser decodes the PNG', { skip: skipWithoutBrowser }, async (t) => {
  const page = await blank(t);
  const drawing = drawn([object({ x: 100, y: 100, radius: 50, color: '#ff000080' })], {}, 321);
  const png = await previewPng('ann', drawing);
  const same = await page.value(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    return image.width + ' x ' + image.height;
  })()`);
  t.equal(same, '321 x 241');
});

t.test('numbers of any size make a picture', (t) => {
  const numbers = [0, -0, 1, -1, 0.1, 1e-300, 1e9, -1e9, 1e300, Number.MAX_VALUE, -Number.MAX_VALUE];
  for (const a of numbers)
    for (const b of numbers) {
      const shapes = [
        object({ x: a, y: b, radius: a, stroke_width: b, opacity: a, stroke_opacity: b, blend_mode: 'color' }),
        object({ x: 9e4, y: -9e4, radius: 1e5, stroke_width: b }),
        poly(corners(a, b, b, a, 0, 0), { stroke_width: a }),
        poly(corners(a, b, b, a, 0, 0, a, b), { stroke_width: b, closed: false }),
      ];
      for (const body of [{ width: a, height: b }, {}]) {
        const { width, height, bytes } = pictureOf(drawn(shapes, body, 32));
        if (!(width <= 32 && height <= 64 && bytes.length === 3 * width * height)) t.fail(`${a} and ${b}: ${width} x ${height}`);
      }
    }
  for (const count of [0, 1, 2]) {
    const points = Array.from({ length: count }, (_, i) => ({ x: i * 10, y: 5 }));
    for (const closed of [true, false]) pictureOf(drawn([poly(points, { closed, stroke_width: 3 })]));
  }
  t.pass('none fails');
  t.end();
});

t.test('a huge shape fills the picture and nothing else', (t) => {
  const filled = (shape: MapObject) => {
    const { bytes } = pictureOf(drawn([shape]));
    return bytes.every((byte, i) => byte === (i % 3 === 0 ? 255 : 0));
  };
  t.ok(filled(object({ x: -40_000, y: 30_000, radius: 90_000, color: '#ff0000', stroke_width: 0 })), 'a circle');
  t.ok(filled(poly(square(-50_000, -50_000, 99_000))), 'a square');
  t.ok(filled(poly(corners(-90_000, 120, 90_000, 120), { closed: false, stroke_color: '#ff0000', stroke_width: 90_000 })));
  const outside = pictureOf(drawn([poly(square(400, -50_000, 50_000)), poly(square(-90_000, 0, 80_000))])).bytes;
  t.ok(
    outside.every((byte) => byte === 255),
    'what is outside leaves no trace',
  );
  t.end();
});

/** As much as a picture can have: 1024 x 2048 pixels. */
const tall = { width: 1000, height: 2000 };

t.test('the work of a picture is bounded, and is done in short steps', (t) => {
  const full = square(-10, -10, 2100);
  const translucent = Array.from({ length: 2_000 }, (_, i) => poly(full, { color: `rgba(${i % 256}, 9, 99, 0.1)` }));
  const large = drawn(translucent, tall, 1024);
  const kept = affordable(large);
  t.ok(kept.length > 100 && kept.length < 300, `${kept.length} shapes, each on all of the largest picture`);
  t.strictSame(kept, large.shapes.slice(0, kept.length), 'of one size, the lower ones are drawn, in their order');
  const all = finish(paintedRows(large));
  t.ok(all.steps > 1_000 && all.steps < 10_000, `${all.steps} steps of some 100,000 pixels`);
  const small = drawn([...translucent.slice(0, 1_000), poly(square(10, 10, 5))], tall, 1024);
  t.ok(affordable(small).includes(small.shapes.at(-1) as Shape), 'a small one has room where a large one has none');
  const stroked = Array.from({ length: 2_000 }, () => poly(full, { stroke_width: 2 }));
  t.equal(affordable(drawn(stroked)).length, 2_000);
  const usual = finish(paintedRows(drawn(translucent, {}, 320)));
  t.ok(usual.steps > 500, `${usual.steps} steps: 2,000 shapes on all of a picture of the usual size are drawn`);
  const flat = Array.from({ length: 59_000 }, (_, i) => ({ x: i % 2 === 0 ? 0 : 320, y: i % 2 === 0 ? 100.3 : 100.5 }));
  const zigzag = finish(paintedRows(drawn([poly(flat, { stroke_width: 3 })], {}, 1024)));
  t.ok(zigzag.steps > 300, `${zigzag.steps} steps: 59,000 edges that all cross one row`);
  t.end();
});

t.test('other requests are answered while a large picture is drawn', async (t) => {
  const mapwright = await startForRequests(t);
  const coords = square(-10, -10, 2100);
  const objects = Array.from({ length: 500 }, (_, i) => ({ type: 'poly', coords, color: `rgba(${i % 256}, 9, 99, 0.1)` }));
  const { id } = (await mapwright.post('/projects', { artboards: [{ ...tall, objects }] })).shown;
  const board = (await mapwright.get(`/projects/${id}/artboards`)).list[0]?.id;
  let isDrawn = false;
  const drawing = mapwright.get(`/projects/${id}/artboards/${board}/preview.png?width=1024`).then((answer) => {
    isDrawn = true;
    return answer.status;
  });
  let answered = 0;
  while (!isDrawn) {
    t.equal((await mapwright.get(`/projects/${id}`)).status, 200);
    if (!isDrawn) answered++;
  }
  t.equal(await drawing, 200);
  t.ok(answered >= 5, `${answered} requests`);
});
