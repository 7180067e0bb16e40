// tier: all
/**
 * Pictures of examples, compared with those in `pictures/`: canvases only, without text. `UPDATE_PICTURES=1` writes them again; check them
 * before you commit them.
 */
import fs from 'node:fs';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { exampleBody } from '../support/examples.ts';
import { projectRoot } from '../support/project.ts';
import { openDrawing } from './drawing-page.ts';
import { artboard, box, spot } from './samples.ts';

t.setTimeout(300_000);

const root = projectRoot(import.meta.dirname);
const folder = path.join(root, 'test', 'viewer', 'pictures');
const [width, height] = [480, 320];

/** The share of pixels that may differ: edges, from one version of a browser to another. */
const differingMax = 0.001;

type Artboard = Readonly<Record<string, unknown>> & { readonly name: string };

const exampleOf = (file: string, name: string): Artboard => {
  const { artboards } = exampleBody<{ artboards: Artboard[] }>(file);
  const found = artboards.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${file} has no artboard ${name}`);
  return found;
};

const modes = ['multiply', 'screen', 'overlay', 'erase', 'subtract', 'vivid-light', 'negation', 'add'];
const blended = artboard(
  'blended',
  [
    box('stripe', 0, 60, 480, 60, { color: '#f59e0b' }),
    box('other stripe', 0, 180, 480, 80, { color: '#0ea5e9', opacity: 0.6, stroke_width: 4, stroke_color: '#7c3aed' }),
    ...modes.map((blend_mode, at) =>
      spot(blend_mode, 40 + at * 57, 150, {
        blend_mode,
        radius: 40,
        color: '#d94a8c',
        opacity: 0.8,
        stroke_width: 6,
        stroke_opacity: 0.5,
        pin: true,
      }),
    ),
  ],
  { width, height, bg_color: '#f8fafc' },
);

const scenes: Readonly<Record<string, { artboard: unknown; act?: string }>> = {
  office: { artboard: exampleOf('office.json', 'Ground floor') },
  site: { artboard: exampleOf('office.json', 'Site') },
  world: { artboard: exampleOf('world-countries.json', 'World') },
  blended: { artboard: blended },
  marked: {
    artboard: artboard(
      'marked',
      [spot('a', 150, 150, { id: 'a', radius: 60 }), box('b', 260, 60, 160, 200, { id: 'b', hover_color: '#dc2626' })],
      {
        width,
        height,
        bg_color: '#ffffff',
      },
    ),
    act: "drawing.focus('a'); drawing.hover('b')",
  },
};

t.test('the canvases of the examples equal the committed pictures', { skip }, async (t) => {
  const page = await openDrawing(t, width, height, "{ tiles: 'none' }");
  for (const [name, { artboard: shown, act = '' }] of Object.entries(scenes)) {
    await page.value(`(async () => { await show(${JSON.stringify(shown)}); drawing.fit(false); ${act}; await drawn(); })()`);
    const file = path.join(folder, `${name}.png`);
    if (process.env['UPDATE_PICTURES'] === '1') {
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(
        file,
        Buffer.from(String(await page.value("copy().canvas.toDataURL('image/png').split(',')[1]")), 'base64'),
      );
    }
    const [found, wanted] = (await page.value(
      `Promise.all([copy(), loaded('${fs.readFileSync(file).toString('base64')}')].map(bytes))`,
    )) as string[];
    const differing = pixelmatch(
      new Uint8ClampedArray(Buffer.from(found as string, 'base64')),
      new Uint8ClampedArray(Buffer.from(wanted as string, 'base64')),
      undefined,
      width,
      height,
      { threshold: 0.1 },
    );
    t.ok(differing <= differingMax * width * height, `${name}: ${differing} pixels differ`);
  }
  t.strictSame(page.complaints, []);
});
