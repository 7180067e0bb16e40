/**
 * The viewer in a browser without a GPU, at 1280 × 800: the first picture of a document that is in memory, frames while the map is dragged and
 * zoomed, the search for the object under the pointer, live results, popups with long content, and the panel. The page itself makes the events,
 * so that no other process takes part.
 */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { removeFolder, temporaryFolder } from '../lib/child.ts';
import { onAllCores } from '../lib/pin.ts';
import { root } from '../lib/root.ts';
import { rowOfOurs, said } from '../lib/rows.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import { editorRows } from './editor.ts';
import { panelRows } from './panel.ts';

const [width, height] = [1280, 800];
const sizes = { full: { few: 10_000, many: 100_000, frames: 60 }, tiny: { few: 50, many: 100, frames: 3 } };

interface Scene {
  readonly name: string;
  readonly artboard: unknown;
  readonly goals: { readonly first?: number; readonly frames?: number; readonly hover?: number };
  readonly note: string;
}

/** Measured in the page. */
interface Measured {
  readonly first: number;
  readonly frames: readonly number[];
  readonly hover: readonly number[];
}

const browser = process.env['BROWSER'] ?? '';

export const viewerPages: Bench = {
  name: 'pages',
  about:
    'draws counties, 10,000 and 100,000 spots in a browser without a GPU: first picture, frames, hover, filters; turns of the editor',
  missing: async () => (browser === '' ? 'BROWSER names no browser' : undefined),
  async run(context) {
    const script = await bundle(path.dirname(context.program));
    const server = http.createServer(({ url }, res) => {
      if (url === '/script.js') res.setHeader('Content-Type', 'text/javascript').end(script);
      else res.setHeader('Content-Type', 'text/html').end(page);
    });
    const folder = temporaryFolder();
    let running: Browser | undefined;
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      running = await chromium.launch({
        executablePath: onAllCoresIn(folder),
        args: ['--disable-gpu', '--disable-dev-shm-usage'],
        chromiumSandbox: false,
      });
      const rows: Row[] = [];
      for (const scene of scenes(context))
        rows.push(...(await measure(context, scene, running, (server.address() as AddressInfo).port)));
      rows.push(...(await measureLive(context, running, (server.address() as AddressInfo).port)));
      rows.push(...(await measurePopups(context, running, (server.address() as AddressInfo).port)));
      rows.push(...(await panelRows(context, running)));
      rows.push(...(await editorRows(context, running)));
      return rows;
    } finally {
      await running?.close();
      server.closeAllConnections();
      server.close();
      removeFolder(folder);
    }
  },
};

/** A program that starts the browser on all cores: this process is on one, and so would be what it starts. */
function onAllCoresIn(folder: string): string {
  const file = path.join(folder, 'browser.sh');
  const words = onAllCores([browser]).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  fs.writeFileSync(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o700 });
  return file;
}

const page = `<!doctype html><title>Bench</title><link rel="icon" href="data:,">
<style>body{margin:0}#target{width:${width}px;height:${height}px}</style><div id="target"></div><script src="/script.js"></script>`;

/** What the measurements use of the viewer. */
const used = [
  ...['Drawing', 'readArtboard', 'readMap', 'readPopup', 'readLive', 'withLive'],
  ...['mapInteractions', 'PopupCard', 'textsFor', 'elementSheet'],
];

/** Bundles the viewer of a checkout. @param tree its folder: another commit may have its exports in other files */
async function bundle(tree: string): Promise<string> {
  const folder = path.join(tree, 'src/web/viewer');
  const sources = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = sources.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')] as const);
  const exportOf = (name: string): string => {
    const declared = new RegExp(`^export (?:class|const|function) ${name}\\b`, 'm');
    const file = texts.find(([, text]) => declared.test(text))?.[0];
    if (file === undefined) throw new Error(`no file of ${folder} exports ${name}`);
    return `export { ${name} } from './${file.split(path.sep).join('/')}';`;
  };
  const { outputFiles } = await build({
    absWorkingDir: tree,
    stdin: { contents: used.map(exportOf).join('\n'), resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'viewer',
    platform: 'browser',
    target: 'es2022',
    tsconfig: path.join(folder, 'tsconfig.json'),
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

function scenes({ tiny }: Context): Scene[] {
  const { few, many } = tiny ? sizes.tiny : sizes.full;
  const { project: counties } = JSON.parse(fs.readFileSync(path.join(root, 'data', 'examples', 'us-counties.json'), 'utf8')) as {
    project: { artboards: { type: string; objects?: { coords?: unknown[] }[] }[] };
  };
  const artboard = counties.artboards.reduce((most, each) =>
    (each.objects?.length ?? 0) > (most.objects?.length ?? 0) ? each : most,
  );
  const objects = (artboard.objects ?? []).slice(0, tiny ? few : undefined);
  const corners = objects.reduce((sum, { coords }) => sum + (coords?.length ?? 0), 0);
  return [
    {
      name: 'counties',
      artboard: { ...artboard, type: 'color', objects },
      goals: { first: 400, frames: 50, hover: 8 },
      note: `${objects.length.toLocaleString('en-US')} polygons, ${corners.toLocaleString('en-US')} corners`,
    },
    {
      name: '10,000 spots',
      artboard: spots(few),
      goals: { first: 600, frames: 70, hover: 8 },
      note: 'radius 6 px, with outline',
    },
    {
      name: '100,000 spots',
      artboard: spots(many),
      goals: {},
      note: 'radius 3 px; drawn into an image that moves with the view',
    },
  ];
}

/** Spots all over the artboard, in an order that is the same each time. */
function spots(count: number): unknown {
  const objects = Array.from({ length: count }, (_, at) => ({
    id: `spot-${at}`,
    name: `Spot ${at}`,
    type: 'spot',
    x: (at * 7919) % width,
    y: (at * 104_729) % height,
    radius: count > sizes.full.few ? 3 : 6,
    pin: false,
    color: `hsl(${(at * 37) % 360} 70% 50%)`,
    stroke_width: 1,
  }));
  return { id: 'spots', name: 'Spots', type: 'color', width, height, objects };
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function measure({ rounds, tiny, say }: Context, scene: Scene, running: Browser, port: number): Promise<Row[]> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await running.newContext({ viewport: { width, height }, deviceScaleFactor: 1 });
    try {
      const tab = await context.newPage();
      await tab.goto(`http://127.0.0.1:${port}/`);
      await tab.evaluate(`globalThis.artboard = ${JSON.stringify(scene.artboard)}`);
      all.push((await tab.evaluate(inPage(tiny ? sizes.tiny.frames : sizes.full.frames))) as Measured);
    } finally {
      await context.close();
    }
  }
  const row = (what: string, values: readonly number[], most: number | undefined, note: string): Row => {
    const goal: Goal | undefined = most === undefined ? undefined : { atMost: most };
    return rowOfOurs(`viewer, ${scene.name}: ${what}`, 'ms', values, note, goal);
  };
  const rows = [
    row(
      'first picture',
      all.map(({ first }) => first),
      scene.goals.first,
      scene.note,
    ),
    row(
      'frame p95 while moving',
      all.map(({ frames }) => percentile(frames, 0.95)),
      scene.goals.frames,
      'a display has a frame every 16.7 ms',
    ),
    row(
      'hover p95',
      all.map(({ hover }) => percentile(hover, 0.95)),
      scene.goals.hover,
      'the search for the object under the pointer',
    ),
  ];
  for (const each of rows) say(said(each));
  return rows;
}

/** Measured in the page, in milliseconds. */
interface MeasuredLive {
  /** From the text of a result until the page can go on, and the picture is drawn. */
  readonly created: number;
  readonly changed: number;
  readonly same: number;
  /** Of all frames of the fades. */
  readonly frames: readonly number[];
}

async function measureLive({ rounds, tiny, say }: Context, running: Browser, port: number): Promise<Row[]> {
  const count = tiny ? sizes.tiny.few : sizes.full.few;
  const all: MeasuredLive[] = [];
  for (let round = 0; round < rounds; round++) {
    const tab = await running.newPage({ viewport: { width, height }, deviceScaleFactor: 1 });
    try {
      await tab.goto(`http://127.0.0.1:${port}/`);
      await tab.evaluate(`globalThis.artboard = ${JSON.stringify(spots(count))}`);
      all.push((await tab.evaluate(applyLive)) as MeasuredLive);
    } finally {
      await tab.close();
    }
  }
  const name = `viewer, ${count.toLocaleString('en-US')} created objects`;
  const rows = [
    rowOfOurs(
      `${name}: applied and drawn`,
      'ms',
      all.map(({ created }) => created),
      'from the text of a live result',
      { atMost: 600 },
    ),
    rowOfOurs(
      `${name}: all changed and moved`,
      'ms',
      all.map(({ changed }) => changed),
      'colour and place',
      { atMost: 600 },
    ),
    rowOfOurs(
      `${name}: nothing changed`,
      'ms',
      all.map(({ same }) => same),
      'another text of the same objects',
    ),
    rowOfOurs(
      `${name}: frame p95 while fading`,
      'ms',
      all.map(({ frames }) => percentile(frames, 0.95)),
      'the former picture fades out above the map',
      { atMost: 50 },
    ),
  ];
  for (const each of rows) say(said(each));
  return rows;
}

/** Runs in the page, and gives {@link MeasuredLive}. */
const applyLive = `(async () => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const { objects, ...artboard } = globalThis.artboard;
  const still = viewer.readMap({ artboards: [{ ...artboard, objects: [] }] });
  const drawing = new viewer.Drawing(document.querySelector('#target'), { tiles: 'none' });
  const drawn = () => new Promise((resolve) => drawing.map.once('rendercomplete', resolve));
  const first = drawn();
  drawing.show(still.artboards[0]);
  await first;
  const result = (change) =>
    JSON.stringify({ version: 1, created: objects.map((object, at) => ({ artboard_id: artboard.id, object: { ...object, ...change(object, at) }, popup: null })) });
  const frames = [];
  const measure = async (text, differs) => {
    await nextFrame();
    const started = performance.now();
    const ended = drawn();
    const isDrawn = drawing.update(viewer.withLive(still, viewer.readLive(JSON.parse(text))).artboards[0]);
    if (isDrawn !== differs) throw new Error('the objects differ where they should not, or the reverse');
    if (differs) await ended;
    const duration = performance.now() - started;
    for (let before = await nextFrame(); drawing.map.getViewport().querySelector('.fade') !== null; ) {
      const now = await nextFrame();
      frames.push(now - before);
      before = now;
    }
    return duration;
  };
  const created = await measure(result(() => ({})), true);
  const moved = result(({ x, y }, at) => ({ x: (x + 40) % ${width}, y: (y + 40) % ${height}, color: 'hsl(' + ((at * 41) % 360) + ' 70% 50%)' }));
  const changed = await measure(moved, true);
  const same = await measure(moved, false);
  return { created, changed, same, frames };
})()`;

/** Content of 200 kB. */
const popups = {
  words: 'hello world ',
  Thai: 'สวัสดี',
  'tags that are not closed': '<a',
  elements: '<b>x</b>',
};

async function measurePopups({ rounds, tiny, say }: Context, running: Browser, port: number): Promise<Row[]> {
  const rows: Row[] = [];
  const tab = await running.newPage({ viewport: { width, height }, deviceScaleFactor: 1 });
  try {
    await tab.goto(`http://127.0.0.1:${port}/`);
    for (const [name, text] of Object.entries(popups)) {
      const content = text.repeat((tiny ? 2000 : 200_000) / text.length);
      const values: number[] = [];
      for (let round = 0; round < rounds; round++) values.push((await tab.evaluate(openPopup(content))) as number);
      rows.push(rowOfOurs(`viewer, popup of 200 kB, ${name}: opened`, 'ms', values, 'sanitized and laid out', { atMost: 200 }));
    }
  } finally {
    await tab.close();
  }
  for (const each of rows) say(said(each));
  return rows;
}

/** Runs in the page, and gives milliseconds. */
const openPopup = (content: string): string => `(() => {
  const host = document.createElement('div');
  host.style.cssText = 'position:fixed;inset:0';
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [viewer.elementSheet()];
  const card = new viewer.PopupCard({ onClose() {} });
  root.append(card.element);
  const popup = viewer.readPopup({ content: ${JSON.stringify(content)} });
  const started = performance.now();
  card.show(popup, 'Popup', viewer.textsFor(['en']));
  const laidOut = card.element.offsetHeight > 0 ? performance.now() - started : Number.NaN;
  host.remove();
  return laidOut;
})()`;

/** Runs in the page, and gives {@link Measured}. */
const inPage = (frames: number): string => `(async () => {
  const target = document.querySelector('#target');
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const gestures = { isCooperative: () => false, animates: () => true };
  const document_ = viewer.readArtboard(globalThis.artboard);
  await nextFrame();
  const started = performance.now();
  const drawing = new viewer.Drawing(target, { tiles: 'none', interactions: viewer.mapInteractions(gestures), animates: () => false });
  const drawn = new Promise((resolve) => drawing.map.once('rendercomplete', resolve));
  drawing.show(document_);
  await drawn;
  const first = performance.now() - started;
  const viewport = drawing.map.getViewport();
  const fire = (type, x, y, more = {}) => viewport.dispatchEvent(new (type === 'wheel' ? WheelEvent : PointerEvent)(type, {
    clientX: x, clientY: y, bubbles: true, cancelable: true, composed: true, isPrimary: true, pointerId: 1, pointerType: 'mouse', buttons: 1, ...more,
  }));
  const deltas = [];
  const during = async (act) => {
    let before = await nextFrame();
    for (let at = 0; at < ${frames}; at++) {
      act(at);
      const now = await nextFrame();
      deltas.push(now - before);
      before = now;
    }
  };
  fire('pointerdown', 640, 400);
  const drag = (x, y) => document.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, pointerId: 1, pointerType: 'mouse', buttons: 1, bubbles: true }));
  await during((at) => drag(640 + 3 * at, 400 + 2 * at));
  document.dispatchEvent(new PointerEvent('pointerup', { clientX: 900, clientY: 560, pointerId: 1, pointerType: 'mouse', button: 0, bubbles: true }));
  await during((at) => fire('wheel', 640, 400, { deltaY: at % 20 < 10 ? -40 : 40, deltaMode: 0 }));
  drawing.fit(false);
  drawing.map.renderSync();
  const hover = [];
  for (let at = 0; at < 200; at++) {
    const began = performance.now();
    drawing.objectAt([(at * 97) % ${width}, (at * 61) % ${height}]);
    hover.push(performance.now() - began);
  }
  return { first, frames: deltas, hover };
})()`;
