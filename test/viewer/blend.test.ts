// tier: normal
/** Every blend mode follows its formula, pixel by pixel, at opacity 1 and 0.5. */
import t from 'tap';
import { blendModes } from '../../src/lib/draw/blend-modes.ts';
import { contract } from '../api/contract.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { openDrawing } from './drawing-page.ts';
import { artboard, box } from './samples.ts';

t.setTimeout(300_000);

type Rgb = readonly [number, number, number];

const clamped = (value: number): number => Math.max(0, Math.min(1, value));
const burn = (b: number, s: number): number => (b >= 1 ? 1 : s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s));
const dodge = (b: number, s: number): number => (b <= 0 ? 0 : s >= 1 ? 1 : Math.min(1, b / (1 - s)));
const hardLight = (b: number, s: number): number => (s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1));
const softLight = (b: number, s: number): number => {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b);
  const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b);
  return b + (2 * s - 1) * (d - b);
};
const normal = (_: number, s: number): number => s;
const add = (b: number, s: number): number => Math.min(1, b + s);

/** By channel: backdrop, source. Written here from the definitions, not from the composite operations. */
const separable: Readonly<Record<string, (b: number, s: number) => number>> = {
  inherit: normal,
  none: normal,
  normal,
  'normal-npm': normal,
  add,
  'add-npm': add,
  'linear-dodge': add,
  multiply: (b, s) => b * s,
  screen: (b, s) => b + s - b * s,
  'screen-npm': (b, s) => b + s - b * s,
  darken: Math.min,
  min: Math.min,
  lighten: Math.max,
  max: Math.max,
  'color-dodge': dodge,
  'color-burn': burn,
  'hard-light': hardLight,
  'soft-light': softLight,
  overlay: (b, s) => hardLight(s, b),
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
  'linear-burn': (b, s) => Math.max(0, b + s - 1),
  'linear-light': (b, s) => clamped(b + 2 * s - 1),
  'pin-light': (b, s) => (s <= 0.5 ? Math.min(b, 2 * s) : Math.max(b, 2 * s - 1)),
  'vivid-light': (b, s) => (s <= 0.5 ? burn(b, 2 * s) : dodge(b, 2 * s - 1)),
  subtract: (b, s) => Math.max(0, b - s),
  divide: (b, s) => (b <= 0 ? 0 : s <= 0 ? 1 : Math.min(1, b / s)),
  'hard-mix': (b, s) => (b + s >= 1 - 1e-9 ? 1 : 0),
  negation: (b, s) => 1 - Math.abs(1 - b - s),
};

const luminosityOf = ([r, g, b]: Rgb): number => 0.3 * r + 0.59 * g + 0.11 * b;
const saturationOf = (c: Rgb): number => Math.max(...c) - Math.min(...c);

/** W3C Compositing, 9.2. */
function withLuminosity(c: Rgb, wanted: number): Rgb {
  const by = wanted - luminosityOf(c);
  const moved = c.map((channel) => channel + by) as [number, number, number];
  const l = luminosityOf(moved);
  const [least, most] = [Math.min(...moved), Math.max(...moved)];
  const low = least < 0 ? moved.map((channel) => l + ((channel - l) * l) / (l - least)) : moved;
  return (most > 1 ? low.map((channel) => l + ((channel - l) * (1 - l)) / (most - l)) : low) as unknown as Rgb;
}

function withSaturation(c: Rgb, wanted: number): Rgb {
  const [least, range] = [Math.min(...c), saturationOf(c)];
  return c.map((channel) => (range === 0 ? 0 : ((channel - least) * wanted) / range)) as unknown as Rgb;
}

const whole: Readonly<Record<string, (b: Rgb, s: Rgb) => Rgb>> = {
  saturation: (b, s) => withLuminosity(withSaturation(b, saturationOf(s)), luminosityOf(b)),
  color: (b, s) => withLuminosity(s, luminosityOf(b)),
  luminosity: (b, s) => withLuminosity(b, luminosityOf(s)),
};

/** Red, green, blue and alpha, from 0 to 255. */
function expected(mode: string, backdrop: Rgb, source: Rgb, opacity: number): number[] {
  if (mode === 'erase') return [...(opacity === 1 ? ([0, 0, 0] as const) : backdrop), 1 - opacity].map((value) => value * 255);
  const channel = separable[mode];
  const blended =
    channel === undefined ? whole[mode]?.(backdrop, source) : backdrop.map((b, at) => channel(b, source[at] as number));
  if (blended === undefined) throw new Error(`no formula for ${mode}`);
  return [...backdrop.map((b, at) => (1 - opacity) * b + opacity * (blended[at] as number)), 1].map((value) => value * 255);
}

const backdrops = ['#000000', '#ffffff', '#808080', '#ff0000', '#336699', '#e6b84d', '#1f9e4a', '#c0c0c0'];
const sources = ['#000000', '#ffffff', '#808080', '#00ff00', '#d94a8c', '#2a5db0', '#7f7f00', '#f0e0d0'];
const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Rgb;
const cell = 10;

/** Of 255: each operation of a chain rounds, and the browser computes with eight bits. */
const tolerance = 4;

t.test('the table of blend modes has every mode of the API', (t) => {
  t.strictSame(Object.keys(blendModes).sort(), [...(contract.Object['blend_mode']?.words ?? [])].sort());
  t.strictSame(Object.keys(blendModes).sort(), [...Object.keys(separable), ...Object.keys(whole), 'erase'].sort());
  t.end();
});

t.test('each blend mode draws the colours of its formula', { skip }, async (t) => {
  const size = cell * backdrops.length;
  const page = await openDrawing(t, size, size);
  const columns = backdrops.map((color, at) => box(`b${at}`, at * cell, 0, cell, size, { color }));
  const points = sources.flatMap((_, row) =>
    backdrops.map((_, column) => [column * cell + cell / 2, row * cell + cell / 2] as const),
  );
  for (const mode of Object.keys(blendModes)) {
    for (const opacity of [1, 0.5]) {
      const rows = sources.map((color, at) => box(`s${at}`, 0, at * cell, size, cell, { color, opacity, blend_mode: mode }));
      const shown = artboard(`${mode} ${opacity}`, [...columns, ...rows], { width: size, height: size });
      await page.value(`show(${JSON.stringify(shown)})`);
      const found = (await page.value(`pixels(${JSON.stringify(points)})`)) as number[][];
      const wrong = points.flatMap((_, at) => {
        const [backdrop, source] = [
          backdrops[at % backdrops.length] as string,
          sources[Math.floor(at / backdrops.length)] as string,
        ];
        const wanted = expected(mode, rgbOf(backdrop), rgbOf(source), opacity);
        const [pixel = []] = found.slice(at, at + 1);
        const isWrong = wanted.some((value, channel) => Math.abs(value - (pixel[channel] ?? -99)) > tolerance);
        return isWrong ? [`${backdrop} below ${source}: ${pixel}, not ${wanted.map(Math.round)}`] : [];
      });
      t.strictSame(wrong, [], `${mode} at ${opacity}`);
    }
  }
  t.strictSame(page.complaints, []);
});

test.all('spots, outlines and soft edges blend like boxes', { skip }, async (t) => {
  const page = await openDrawing(t, 100, 100);
  const spot = { id: 's', type: 'spot', x: 50, y: 50, radius: 30, pin: false, color: '#404040', blend_mode: 'subtract' };
  const line = { stroke_color: '#202020', stroke_width: 10, stroke_opacity: 0.5 };
  await page.value(
    `show(${JSON.stringify(artboard('spot', [{ ...spot, ...line }], { width: 100, height: 100, bg_color: '#c0c0c0' }))})`,
  );
  const [inside = [], outline = [], outside = []] = (await page.value('pixels([[50, 50], [83, 50], [95, 95]])')) as number[][];
  t.strictSame(inside, [0x80, 0x80, 0x80, 255]);
  t.ok(Math.abs((outline[0] as number) - (0xc0 - 0x10)) <= 1, `${outline}`);
  t.strictSame(outside, [0xc0, 0xc0, 0xc0, 255], 'the box around it is as before');
});

test.all('a blended colour above nothing is drawn unchanged', { skip }, async (t) => {
  const page = await openDrawing(t, 100, 100);
  const hole = box('hole', 0, 0, 50, 100, { blend_mode: 'erase' });
  const over = box('over', 0, 0, 100, 50, { blend_mode: 'negation', color: '#ff0000' });
  await page.value(`show(${JSON.stringify(artboard('hole', [hole, over], { width: 100, height: 100, bg_color: '#ffffff' }))})`);
  t.strictSame(await page.value('pixels([[25, 75], [25, 25], [75, 25]])'), [
    [0, 0, 0, 0],
    [255, 0, 0, 255],
    [0, 255, 255, 255],
  ]);
});
