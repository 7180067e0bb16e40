// tier: all
/**
 * A shopping centre that visitors can filter, made by mouse, on a phone, and by keyboard alone: two floors with twelve rooms and six spots, each
 * with a name, a category, an icon, and details with a picture, a text and a button. Counted are actions, as in `shopping-centre.ts`.
 */
import type { Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import type { Shown } from '../support/mapwright.ts';
import { pointOf } from './console-page.ts';
import { type Box, MapMaker, type Point } from './shopping-centre.ts';

t.setTimeout(600_000);

/** By keyboard, each press of Tab is an action. */
const actionsMax = { mouse: 110, finger: 110, keys: 170 } as const;
/** Presses of Tab to one control at most. */
const tabsMax = 60;

const boxes: readonly Box[] = [60, 300, 540].flatMap((left): Box[] => [
  [left, 60, left + 200, 240],
  [left, 360, left + 200, 540],
]);
const points: readonly Point[] = [
  [160, 300],
  [400, 300],
  [640, 300],
];
const categories = ['Food', 'Fashion', 'Service'] as const;
const icons = { Food: 'restaurant', Fashion: 'shoe', Service: 'information' } as const;

/** The cells of a spreadsheet about both floors, in the order in which they are drawn. */
const rows = Array.from({ length: 18 }, (_, n) => [
  `Shop ${n + 1}`,
  categories[n % 3] as string,
  `All about shop ${n + 1}`,
  `https://www.example.com/${n + 1}.jpg`,
  `https://www.example.com/${n + 1}`,
]);

type By = 'mouse' | 'finger' | 'keys';

/** Does what one does with a control: a click, a tap, or Tab until it has the focus, and then Enter. */
function useOf(maker: MapMaker, by: By) {
  const { page } = maker;
  const isFocused = (control: Locator) => control.evaluate((element) => element.matches(':focus'));
  return async (what: string, control: Locator): Promise<void> => {
    if (by !== 'keys') {
      await maker.act(what, () => (by === 'mouse' ? control.click() : control.tap()));
      return;
    }
    await control.waitFor();
    for (let presses = 0; !(await isFocused(control)); presses++) {
      if (presses === tabsMax) throw new Error(`Tab does not lead to ${what}`);
      await maker.press('Tab');
    }
    if ((await control.evaluate(({ tagName }) => tagName)) !== 'INPUT') await maker.act(what, () => page.keyboard.press('Enter'));
  };
}

async function paste(maker: MapMaker, cells: readonly (readonly string[])[]): Promise<void> {
  const text = JSON.stringify(cells.map((row) => row.join('\t')).join('\n'));
  // A page that is not of https has no clipboard for scripts: the event is that of Ctrl V.
  await maker.act('paste', () =>
    maker.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', ${text});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`),
  );
}

async function drawFloor(maker: MapMaker, by: By): Promise<void> {
  const { page, opened } = maker;
  const use = useOf(maker, by);
  const onMap = () => opened.recorded.until("document.activeElement?.classList.contains('map') === true");
  if (by === 'keys') {
    for (const [tool, places] of [
      ['r', boxes],
      ['s', points],
    ] as const) {
      await onMap();
      await maker.press(tool);
      const text = places.join(', ');
      await maker.act(`type ${text}`, async () => {
        await page.keyboard.press(text[0] as string);
        await maker.focused('typed-place');
        await page.keyboard.type(text.slice(1));
      });
      await maker.press('Enter');
      await maker.objects(tool === 'r' ? boxes.length : boxes.length + points.length);
    }
    return;
  }
  await use('the rectangle tool', page.getByRole('button', { name: 'Draw a rectangle (R)' }));
  for (const [n, box] of boxes.entries()) {
    await maker.drag(box, by);
    await maker.objects(n + 1);
  }
  await use('the spot tool', page.getByRole('button', { name: 'Add spots (S)' }));
  for (const [n, point] of points.entries()) {
    const { x, y } = await pointOf(opened, ...point);
    await maker.act('a place', () => (by === 'mouse' ? page.mouse.click(x, y) : page.touchscreen.tap(x, y)));
    await maker.objects(boxes.length + n + 1);
  }
}

async function fillTable(maker: MapMaker, by: By): Promise<void> {
  const { page, opened } = maker;
  const use = useOf(maker, by);
  if (by === 'keys') {
    await maker.press('Shift+F6');
    await opened.recorded.until("document.activeElement?.closest('.left') != null");
  }
  await use('the table', page.getByRole('link', { name: 'Table of all objects' }));
  const table = page.getByRole('dialog', { name: 'Table' });
  await use('the field for a column', table.getByRole('textbox', { name: 'Name of a new column' }));
  for (const column of ['About', 'Photo', 'Website']) {
    await maker.type(column);
    await maker.press('Enter');
    await table.getByRole('columnheader', { name: column }).waitFor();
  }
  await use('the first cell', table.getByRole('textbox', { name: 'Name of (no name)' }).first());
  await paste(maker, rows);
  await table.getByRole('textbox', { name: 'Name of Shop 18' }).waitFor();
  await opened.waitUntilSaved();
  await maker.press('Escape');
  await table.waitFor({ state: 'detached' });
}

async function chooseSettings(maker: MapMaker, by: By): Promise<void> {
  const { page, opened } = maker;
  const use = useOf(maker, by);
  await use('Map settings', page.getByRole('button', { name: 'Map settings' }));
  const panel = page.getByRole('dialog', { name: 'Map settings' });
  const dialog = page.getByRole('dialog', { name: 'Choose an icon' });
  for (const [at, category] of categories.entries()) {
    const colour = panel.getByRole('textbox', { name: `Colour of ${category}`, exact: true });
    await use(`the colour of ${category}`, colour);
    await colour.selectText();
    await maker.type(['#ea580c', '#2563eb', '#16a34a'][at] as string);
    await use(`the icon of ${category}`, panel.getByRole('button', { name: `Icon of ${category}` }));
    await dialog.getByRole('searchbox').waitFor();
    await opened.recorded.until("document.activeElement?.type === 'search'");
    await maker.type(icons[category]);
    await use('the icon', dialog.getByRole('button', { name: icons[category], exact: true }).first());
    await dialog.waitFor({ state: 'detached' });
    await opened.waitUntilSaved();
  }
  for (const name of ['About', 'Photo', 'Website']) {
    await use(`make ${name} public`, panel.getByRole('button', { name: `Make it public: ${name}` }));
    await opened.waitUntilSaved();
  }
  await maker.press('Escape');
  await panel.waitFor({ state: 'detached' });
}

async function checkPublic(t: Test, maker: MapMaker): Promise<void> {
  const { mapwright, page } = maker;
  await page.getByText(/^Version 1, published/).waitFor();
  const [project] = (await mapwright.get('/projects')).list as [Shown];
  const { slug } = (await mapwright.get(`/projects/${project.id}/publication`)).shown as unknown as { slug: string };
  const root = `http://127.0.0.1:${mapwright.port}/p/${slug}`;
  const { map: digest } = (await (await fetch(`${root}/map.json`)).json()) as { map: string };
  const map = (await (await fetch(`${root}/${digest}`)).json()) as {
    artboards: { objects: Shown[] }[];
    settings: { public_map: { fields: { name: string; kind: string }[]; categories: { name: string }[] } };
  };
  const objects = map.artboards.flatMap(({ objects: found }) => found);
  t.strictSame(
    objects.map(({ name, category, properties }) => {
      const { About, Photo, Website } = properties as Record<string, unknown>;
      return [name, category, About, Photo, Website];
    }),
    rows,
  );
  t.ok(
    objects.every(({ category, icon }) => icon === `maki:${icons[category as keyof typeof icons]}`),
    'each has the icon of its category',
  );
  t.equal(new Set(objects.map(({ color }) => color)).size, 3);
  t.strictSame(
    map.settings.public_map.fields.map(({ name, kind }) => [name, kind ?? 'text']),
    [
      ['About', 'text'],
      ['Photo', 'picture'],
      ['Website', 'link'],
    ],
  );
}

const looks = {
  mouse: { width: 1400, height: 900 },
  finger: { width: 390, height: 844, options: { hasTouch: true, isMobile: true } },
  keys: { width: 1400, height: 900 },
} as const;

for (const by of ['mouse', 'finger', 'keys'] as const)
  t.test(`a shopping centre for visitors by ${by}`, { skip }, async (t) => {
    const maker = await MapMaker.open(t, looks[by]);
    const { page, opened } = maker;
    const use = useOf(maker, by);
    const pane = async (name: string) => {
      if (by === 'finger') await use(name, page.locator('.panes').getByText(name));
    };
    if (by === 'mouse') await maker.drop('Ground floor', '.cards-screen');
    else {
      await page.locator('.start').first().waitFor();
      if (by === 'finger') await maker.choose('Ground floor', () => use('A plan', page.locator('.start').first()));
      else {
        await maker.press('Tab');
        await maker.press('Tab');
        await maker.choose('Ground floor', () => maker.press('Space'));
      }
    }
    await maker.floor('Ground floor');
    await drawFloor(maker, by);
    if (by === 'mouse') await maker.drop('Upper floor', '.map-pane');
    else {
      await pane('List');
      if (by === 'keys') await maker.press('Shift+F6');
      const button = page.locator('.artboards .file-button');
      await maker.choose('Upper floor', () => (by === 'keys' ? maker.press('Space') : use('a picture', button)));
    }
    await maker.floor('Upper floor');
    await drawFloor(maker, by);
    await pane('List');
    await fillTable(maker, by);
    await chooseSettings(maker, by);
    await use('Publish', page.getByRole('button', { name: 'Publish', exact: true }));
    await use('Publish in the panel', page.locator('.panel').getByRole('button', { name: 'Publish', exact: true }));
    await checkPublic(t, maker);
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    t.strictSame(opened.complaints, []);
    t.comment(`by ${by}: ${maker.done.length} actions`);
    if (process.env['SHOW_ACTIONS'] === '1') t.comment(maker.done.join('\n'));
    t.ok(maker.done.length <= actionsMax[by], `${maker.done.length} actions`);
  });
