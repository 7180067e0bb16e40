// tier: all
/**
 * Each tool of the editor at work, as `docs/console.md` shows it.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { ToolName } from '../../src/web/console/tools/tool-names.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { startForRequests } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { ConsolePage, clickAt, pointOf } from './console-page.ts';

t.setTimeout(600_000);

const pictures = path.join(projectRoot(import.meta.dirname), 'docs', 'images', 'tools');
const pictureBytesMax = 40_000;

type Corner = readonly [x: number, y: number];

interface Drawn {
  readonly name: string;
  readonly type?: 'poly';
  readonly color: string;
  readonly coords?: readonly { readonly x: number; readonly y: number }[];
  readonly [member: string]: unknown;
}

const room = (name: string, color: string, ...corners: readonly Corner[]): Drawn => ({
  ...{ name, type: 'poly', color, stroke_width: 1, stroke_color: '#ffffff' },
  coords: corners.map(([x, y]) => ({ x, y })),
});
const box = (name: string, color: string, [left, top]: Corner, [right, bottom]: Corner): Drawn =>
  room(name, color, [left, top], [right, top], [right, bottom], [left, bottom]);

const [blue, green, amber] = ['#3b82f6', '#22c55e', '#f59e0b'];
const left = box('Toys', blue, [120, 140], [380, 420]);
const right = box('Music', green, [380, 140], [680, 420]);

/** The name of each tool's picture: the compiler asks for that of a new tool. */
const pictureOf: Readonly<Record<ToolName, string>> = {
  ...{ select: 'select', spot: 'spot', text: 'text', line: 'line', poly: 'polygon' },
  ...{ rectangle: 'rectangle', circle: 'circle', hole: 'hole', split: 'split' },
};

interface Show {
  /** Name of the picture. */
  readonly name: string;
  readonly objects: readonly Drawn[];
  /** Ends in the state that is shown. */
  use(opened: ConsolePage): Promise<void>;
}

/** Presses at a point and holds, on the way to another one. */
async function holdAt(opened: ConsolePage, from: Corner, to: Corner): Promise<void> {
  const { mouse } = opened.page;
  const [a, b] = [await pointOf(opened, ...from), await pointOf(opened, ...to)];
  await mouse.move(a.x, a.y);
  await mouse.down();
  await mouse.move(b.x, b.y, { steps: 6 });
}

async function select(opened: ConsolePage, ...names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries()) await opened.row(name).click(at === 0 ? {} : { modifiers: ['Control'] });
}

/** Opens "Arrange", which is closed in a new form, and presses one of its buttons. */
async function arrange(opened: ConsolePage, button: string): Promise<void> {
  await opened.page.locator('summary', { hasText: 'Arrange' }).click();
  await opened.page.getByRole('button', { name: button, exact: true }).click();
  await opened.waitUntilSaved();
}

const shows: readonly Show[] = [
  {
    ...{ name: 'select', objects: [left, right] },
    use: (opened) => holdAt(opened, [90, 90], [740, 500]),
  },
  {
    ...{ name: 'spot', objects: [left, right] },
    async use(opened) {
      await opened.press('s');
      for (const [x, y] of [
        [250, 280],
        [530, 280],
        [380, 500],
      ] as const)
        await clickAt(opened, x, y);
    },
  },
  {
    ...{ name: 'polygon', objects: [left] },
    async use(opened) {
      await opened.press('p');
      for (const [x, y] of [
        [440, 140],
        [700, 140],
        [700, 300],
        [580, 300],
        [580, 420],
      ] as const)
        await clickAt(opened, x, y);
      const to = await pointOf(opened, 450, 430);
      await opened.page.mouse.move(to.x, to.y, { steps: 3 });
    },
  },
  {
    ...{ name: 'rectangle', objects: [left] },
    async use(opened) {
      await opened.press('r');
      await holdAt(opened, [382, 142], [660, 418]);
    },
  },
  {
    ...{ name: 'circle', objects: [left] },
    async use(opened) {
      await opened.press('c');
      await holdAt(opened, [530, 290], [640, 340]);
    },
  },
  {
    ...{ name: 'text', objects: [left, right] },
    async use(opened) {
      await opened.press('t');
      await clickAt(opened, 250, 280);
      await opened.page.keyboard.type('Ground floor');
    },
  },
  {
    ...{ name: 'line', objects: [left] },
    async use(opened) {
      await opened.press('l');
      for (const [x, y] of [
        [440, 140],
        [560, 260],
        [480, 360],
      ] as const)
        await clickAt(opened, x, y);
      const to = await pointOf(opened, 700, 430);
      await opened.page.mouse.move(to.x, to.y, { steps: 3 });
    },
  },
  {
    ...{ name: 'hole', objects: [box('Hall', blue, [120, 140], [680, 420])] },
    async use(opened) {
      await select(opened, 'Hall');
      await opened.press('h');
      for (const [x, y] of [
        [320, 210],
        [520, 210],
        [520, 350],
      ] as const)
        await clickAt(opened, x, y);
      const to = await pointOf(opened, 320, 350);
      await opened.page.mouse.move(to.x, to.y, { steps: 3 });
    },
  },
  {
    ...{ name: 'split', objects: [box('Hall', blue, [120, 140], [680, 420])] },
    async use(opened) {
      await opened.press('x');
      await clickAt(opened, 320, 90);
      const to = await pointOf(opened, 480, 470);
      await opened.page.mouse.move(to.x, to.y, { steps: 3 });
    },
  },
  {
    ...{ name: 'join', objects: [left, box('Games', blue, [380, 240], [680, 420])] },
    async use(opened) {
      await select(opened, 'Toys', 'Games');
      await arrange(opened, 'Join');
    },
  },
  {
    ...{
      name: 'straighten',
      objects: [room('Crooked', amber, [150, 160], [620, 120], [660, 400], [400, 420], [390, 320], [140, 340])],
    },
    async use(opened) {
      await select(opened, 'Crooked');
      await arrange(opened, 'Straighten to right angles');
    },
  },
  {
    ...{ name: 'corners', objects: [room('Music', green, [200, 140], [600, 140], [600, 420], [200, 420])] },
    async use(opened) {
      await select(opened, 'Music');
      await holdAt(opened, [400, 140], [460, 60]);
    },
  },
  {
    ...{ name: 'cursor', objects: [left] },
    async use(opened) {
      const times = (key: string, count: number) => Array.from({ length: count }, () => key);
      await opened.press('r', ...times('ArrowRight', 4), ...times('ArrowUp', 16), 'Enter');
      await opened.press(...times('ArrowRight', 20), ...times('ArrowDown', 24));
    },
  },
  {
    ...{
      name: 'looks',
      objects: [{ ...left, stroke_width: 8, stroke_color: '#1e3a8a' }, box('Music', '#d1d5db', [420, 140], [680, 420])],
    },
    async use(opened) {
      await select(opened, 'Toys');
      await opened.press('Control+Alt+c');
      await select(opened, 'Music');
      await opened.press('Control+Alt+v');
      await opened.waitUntilSaved();
    },
  },
];

async function shoot(opened: ConsolePage, { name, objects, use }: Show): Promise<void> {
  const { mapwright, page } = opened;
  const artboards = [{ name: 'Floor', width: 800, height: 600, objects }];
  const { id } = (await mapwright.post('/projects', { name, artboards })).shown;
  await opened.edit(id);
  await opened.row(objects[0]?.name ?? '').waitFor();
  await use(opened);
  await opened.waitUntilStill('');
  await keepPicture(`tools/${name}`, () => page.locator('.middle').screenshot(), pictureBytesMax);
  await page.mouse.up();
}

t.test('every tool has a picture, and docs/console.md shows it', async (t) => {
  const document = fs.readFileSync(path.join(pictures, '..', '..', 'console.md'), 'utf8');
  for (const name of Object.values(pictureOf)) {
    t.ok(
      shows.some((show) => show.name === name),
      `${name} is taken`,
    );
    t.ok(document.includes(`images/tools/${name}.webp`), `${name} is shown`);
  }
});

t.test('each tool at work is as in the documents', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const opened = await ConsolePage.open(t, { mapwright, width: 1060, height: 560 });
  for (const show of shows) await t.test(show.name, () => shoot(opened, show));
  t.strictSame(opened.complaints, []);
});
