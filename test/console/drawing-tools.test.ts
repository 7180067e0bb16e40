// tier: all
/** Lines, holes and texts in a browser, by mouse, keys and touch; and that the artboard is beside the tools. */
import t, { type Test } from 'tap';
import { coveredBy } from '../../src/web/console/map/room-for-tools.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { type ConsoleOptions, ConsolePage, clickAt, drag, pointOf, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

const phone: ConsoleOptions = { width: 390, height: 780, options: { hasTouch: true } };

async function openSample(t: Test, looks: ConsoleOptions = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, artboard, poly } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
  const at = `/projects/${project}/artboards/${artboard}/objects`;
  const stored = async () => {
    await opened.waitUntilSaved();
    return (await mapwright.get(at)).list;
  };
  const room = async () => (await stored()).find(({ id }) => id === poly);
  return { opened, page: opened.page, stored, room };
}

/** Draws with a tool at corners of the artboard, and ends it. */
type Draw = (opened: ConsolePage, tool: 'l' | 'h', corners: readonly (readonly [number, number])[]) => Promise<void>;

const titles = { l: 'Draw a line (L)', h: 'Cut a hole (H)' };
const ways: Readonly<Record<string, { readonly looks: ConsoleOptions; readonly draw: Draw }>> = {
  mouse: {
    looks: { width: 1400, height: 800 },
    async draw(opened, tool, corners) {
      await opened.page.getByRole('button', { name: titles[tool] }).click();
      await opened.page.keyboard.down('Control');
      for (const corner of corners) await clickAt(opened, ...corner);
      await clickAt(opened, ...(corners.at(-1) ?? [0, 0]));
      await opened.page.keyboard.up('Control');
    },
  },
  keys: {
    looks: { width: 1400, height: 800 },
    async draw(opened, tool, corners) {
      await opened.press(tool);
      // One text has all places.
      const text = corners.flat().join(', ');
      await opened.page.keyboard.type(text.slice(0, 1));
      await opened.page.locator('#typed-place:focus').waitFor();
      await opened.page.keyboard.type(text.slice(1));
      await opened.page.keyboard.press('Enter');
      await opened.page.keyboard.press('Enter');
    },
  },
  touch: {
    looks: phone,
    async draw(opened, tool, corners) {
      await opened.page.getByRole('button', { name: titles[tool] }).tap();
      for (const [x, y] of corners) {
        const at = await pointOf(opened, x, y);
        await opened.page.touchscreen.tap(at.x, at.y);
      }
      await opened.page.getByRole('button', { name: 'Done' }).tap();
    },
  },
};

for (const [by, { looks, draw }] of Object.entries(ways)) {
  t.test(`a line is drawn by ${by}, visible, and stays open`, { skip }, async (t) => {
    const { opened, stored } = await openSample(t, looks);
    await draw(opened, 'l', [
      [350, 450],
      [500, 500],
      [600, 420],
    ]);
    await opened.row('(no name)').waitFor({ state: 'attached' });
    const line = (await stored()).at(-1) as unknown as { readonly coords: unknown[]; readonly [member: string]: unknown };
    t.match(line, { type: 'poly', closed: false, name: '', stroke_color: '#3b82f6', stroke_width: 4, stroke_opacity: 1 });
    t.equal(line.coords.length, 3);
    if (by !== 'touch') t.equal(await opened.field('Outline').inputValue(), '#3b82f6', 'its colour begins the form');
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    t.strictSame(opened.complaints, []);
  });

  t.test(`a hole is cut by ${by}, and undone in one step`, { skip }, async (t) => {
    const { opened, page, room } = await openSample(t, looks);
    await opened.press('Home', 'Tab');
    await page.locator('.inspector h2', { hasText: 'Room' }).waitFor({ state: 'attached' });
    await draw(opened, 'h', [
      [140, 130],
      [210, 130],
      [210, 170],
      [140, 170],
    ]);
    await page.getByText('The hole is cut.').waitFor({ state: 'attached' });
    t.match(await room(), { coords: { length: 4 }, holes: [{ length: 4 }] });
    t.strictSame(await opened.violations(), []);
    await page.getByRole('button', { name: 'Undo' }).click();
    await opened.waitUntilSaved();
    t.equal((await room())?.['holes'], undefined);
    t.strictSame(opened.complaints, []);
  });
}

t.test(
  'a hole that cannot be is refused for everyone to see; holes are removed by corners and by a button',
  { skip },
  async (t) => {
    const { opened, page, room } = await openSample(t);
    await opened.press('h');
    await clickAt(opened, 600, 500);
    await page.locator('.toast', { hasText: 'Select the polygon that gets the hole' }).waitFor();
    await clickAt(opened, 120, 120);
    await page.locator('.inspector h2', { hasText: 'Room' }).waitFor();
    await clickAt(opened, 600, 500);
    await page.locator('.toast', { hasText: 'The hole must be within the selected polygon.' }).waitFor();
    await clickAt(opened, 200, 120);
    await clickAt(opened, 160, 180);
    await opened.press('Enter');
    await page.getByText('The hole is cut.').waitFor({ state: 'attached' });
    t.match(await room(), { holes: [{ length: 3 }] });
    await opened.press('v', ',', 'Delete');
    await page.getByText('The hole is removed.').waitFor({ state: 'attached' });
    t.equal((await room())?.['holes'], undefined);
    await page.getByRole('button', { name: 'Undo' }).click();
    await opened.waitUntilSaved();
    await page.locator('summary', { hasText: 'Arrange' }).click();
    await page.getByRole('button', { name: 'Remove holes' }).click();
    await page.getByRole('button', { name: 'Remove holes' }).waitFor({ state: 'detached' });
    t.equal((await room())?.['holes'], undefined);
  },
);

t.test('a text is typed where it will be, selected by a click on it, and moved', { skip }, async (t) => {
  const { opened, page, stored } = await openSample(t, { width: 1400, height: 800 });
  await opened.press('t');
  await clickAt(opened, 500.4, 150);
  await page.keyboard.press('Enter');
  t.equal((await stored()).length, 2, 'without a text there is no object');
  await clickAt(opened, 500.4, 150);
  await page.keyboard.type('Ground floor');
  const field = await page.getByLabel('Text', { exact: true }).boundingBox();
  const wanted = await pointOf(opened, 500, 150);
  t.ok(field !== null && Math.hypot(field.x + field.width / 2 - wanted.x, field.y + field.height / 2 - wanted.y) < 3);
  t.strictSame(await opened.violations(), []);
  await page.keyboard.press('Enter');
  await page.locator('.map-names .marked', { hasText: 'Ground floor' }).waitFor();
  const text = { type: 'spot', name: 'Ground floor', label: 'always', label_size: 16, pin: false, opacity: 0, hover_opacity: 0 };
  t.match((await stored()).at(-1), { ...text, x: 500, y: 150 });
  // Arrows and Enter begin one, too, and leaving the field writes it.
  await opened.press('ArrowDown', 'Enter');
  await page.keyboard.type('Here');
  await clickAt(opened, 600, 450);
  await opened.row('Here').waitFor();
  await page.keyboard.press('Escape');
  await opened.press('v', 'Escape');
  // Next to the place itself, on its letters.
  await clickAt(opened, 540, 150);
  await page.locator('.inspector h2', { hasText: 'Ground floor' }).waitFor();
  await drag(opened, [540, 150], [540, 250]);
  t.match(
    (await stored()).find(({ name }) => name === 'Ground floor'),
    { x: 500, y: 250 },
  );
  t.equal(await opened.field('Size of the name').inputValue(), '16', 'its size begins the form');
  t.strictSame(opened.complaints, []);
});

t.test('a text is typed on a phone', { skip }, async (t) => {
  const { opened, page, stored } = await openSample(t, phone);
  await page.getByRole('button', { name: 'Write a text (T)' }).tap();
  const at = await pointOf(opened, 700, 450);
  await page.touchscreen.tap(at.x, at.y);
  await page.keyboard.type('Exit');
  t.equal(await opened.fits(), true);
  t.strictSame(await opened.violations(), []);
  await page.keyboard.press('Enter');
  await page.locator('.map-names .name', { hasText: 'Exit' }).waitFor();
  t.match((await stored()).at(-1), { name: 'Exit', label: 'always' });
});

t.test('a look of lines follows their stroke, and is not that of polygons', { skip }, async (t) => {
  const { opened, page, stored } = await openSample(t);
  const { draw } = ways['keys'] as { readonly draw: Draw };
  const corners = [
    [300, 450],
    [500, 500],
  ] as const;
  await draw(opened, 'l', corners);
  await opened.row('(no name)').waitFor();
  await opened.type('Outline', '#ff0000');
  await opened.waitUntilSaved();
  t.match((await stored()).at(-1), { stroke_color: '#ff0000', hover_stroke_color: '#ff5555' });
  await opened.press('l');
  await page.keyboard.type('3');
  await page.locator('#typed-place:focus').waitFor();
  await page.keyboard.type('00, 500, 500, 550');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await opened.recorded.until("document.querySelectorAll('.list-row').length === 4");
  t.match((await stored()).at(-1), { stroke_color: '#ff0000', stroke_width: 4 });
  await opened.press('r');
  await page.keyboard.type('6');
  await page.locator('#typed-place:focus').waitFor();
  await page.keyboard.type('00, 400, 700, 500');
  await page.keyboard.press('Enter');
  await opened.recorded.until("document.querySelectorAll('.list-row').length === 5");
  t.match((await stored()).at(-1), { color: '#ff0000', stroke_color: '#ffffff', stroke_width: 1 });
});

t.test('the space that tools cover: columns at the sides, rows above and below', async (t) => {
  const size = { width: 400, height: 600 };
  const column = { left: 12, top: 12, right: 54, bottom: 400 };
  const zoom = { left: 346, top: 12, right: 388, bottom: 174 };
  const row = { left: 90, top: 500, right: 310, bottom: 580 };
  t.strictSame(coveredBy([], size), [0, 0, 0, 0]);
  t.strictSame(coveredBy([column, zoom], size), [0, 54, 0, 54]);
  t.strictSame(coveredBy([row, zoom], size), [0, 54, 100, 0]);
  t.strictSame(coveredBy([{ left: 90, top: 10, right: 310, bottom: 40 }], size), [40, 0, 0, 0]);
});

for (const looks of [{ width: 1400, height: 800 }, { width: 1000, height: 480 }, phone])
  t.test(`no corner of a fitted artboard is below a tool, ${looks.width} pixels wide`, { skip }, async (t) => {
    const { opened, page } = await openSample(t, looks);
    for (const [x, y] of [
      [1, 1],
      [799, 1],
      [799, 599],
      [1, 599],
      [1, 300],
      [799, 300],
      [400, 599],
    ] as const) {
      const at = await pointOf(opened, x, y);
      const hit = `document.elementFromPoint(${at.x}, ${at.y})`;
      t.equal(await page.evaluate(`${hit} instanceof HTMLCanvasElement`), true, `${x}, ${y}`);
    }
    const [tools, map] = [await page.locator('.tools').first().boundingBox(), await page.locator('.map').boundingBox()];
    t.ok(tools !== null && map !== null && tools.x >= map.x && tools.x + tools.width <= map.x + map.width, 'all tools are there');
    t.ok(tools !== null && map !== null && tools.y + tools.height <= map.y + map.height);
  });

t.test('the middle button moves the map, and what X11 pastes then is refused; a key pastes', { skip }, async (t) => {
  const { opened, page } = await openSample(t);
  await opened.press('Home', 'Control+c');
  const paste = `(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'any text of another program');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('.map').dispatchEvent(event);
    return event.defaultPrevented;
  })()`;
  const notice = page.locator('.toast', { hasText: 'There is nothing to paste' });
  const before = await opened.picture();
  const at = await pointOf(opened, 400, 300);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down({ button: 'middle' });
  await page.mouse.move(at.x + 60, at.y + 40, { steps: 3 });
  await page.mouse.up({ button: 'middle' });
  t.equal(await page.evaluate(paste), true);
  await opened.waitUntilStill(before);
  t.equal(await notice.count(), 0);
  await page.keyboard.press('Shift');
  await page.evaluate(paste);
  await notice.waitFor();
});
