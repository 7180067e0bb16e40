// tier: all
/** Many objects at once in a browser: selecting them, one form for all, names by pattern. */
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { type ConsoleOptions, ConsolePage, drag } from './console-page.ts';
import { room } from './tool-support.ts';

t.setTimeout(600_000);

/** A floor with ten rooms in two rows, without names, and a spot. */
async function openFloor(t: Test, looks: Pick<ConsoleOptions, 'width' | 'height'> = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const rooms = Array.from({ length: 10 }, (_, n) => {
    const [x, y] = [50 + 140 * (n % 5), n < 5 ? 50 : 350];
    return { type: 'poly', name: '', color: n < 5 ? '#ff0000' : '#00ff00', ...room(x, y, x + 120, y + 200) };
  });
  const objects = [...rooms, { type: 'spot', name: 'Door', x: 400, y: 300, radius: 15 }];
  const made = (await mapwright.post('/projects', { name: 'Centre', artboards: [{ name: 'Ground', objects }] })).shown;
  const [artboard] = made['artboards'] as [{ id: string }];
  const opened = await ConsolePage.open(t, { mapwright, project: made.id, ...looks });
  const stored = async () => (await mapwright.get(`/projects/${made.id}/artboards/${artboard.id}/objects`)).list;
  return { opened, page: opened.page, stored };
}

const undone = async ({ page }: ConsolePage) => {
  await page.locator('.map').focus();
  await page.keyboard.press('Control+z');
};

t.test('rooms in a rectangle get their names and their colour in one step each', { skip }, async (t) => {
  const { opened, page, stored } = await openFloor(t);
  await drag(opened, [780, 270], [40, 30]);
  await page.locator('.inspector h2').filter({ hasText: '5 objects selected' }).waitFor();
  await page.locator('summary').filter({ hasText: 'Names' }).click();
  await page.getByLabel('Pattern').fill('Room {nn}');
  await page.getByLabel('First number').fill('8');
  await page.getByText('Room 08, Room 09, …').waitFor();
  await page.getByRole('button', { name: 'Name all' }).click();
  await opened.row('Room 12').waitFor();
  await opened.waitUntilSaved();
  t.strictSame(
    (await stored()).slice(0, 6).map(({ name }) => name),
    ['Room 08', 'Room 09', 'Room 10', 'Room 11', 'Room 12', ''],
  );
  await page.keyboard.press('Control+a');
  await opened.press('Control+a');
  await page.locator('.inspector h2').filter({ hasText: '11 objects selected' }).waitFor();
  t.equal(await opened.field('Fill').inputValue(), '', 'the colours differ');
  t.equal(await opened.field('Fill').getAttribute('placeholder'), 'several');
  t.strictSame(await opened.violations(), []);
  const before = opened.recorded.asked.length;
  await opened.type('Fill', '#0000ff');
  await opened.recorded.until("document.querySelector('#field-color').value === '#0000ff'");
  await opened.waitUntilSaved();
  t.strictSame([...new Set((await stored()).map(({ color }) => color))], ['#0000ff']);
  t.equal(opened.recorded.asked.slice(before).filter((asked) => asked.startsWith('POST')).length, 1, 'one batch');
  await undone(opened);
  await opened.waitUntilSaved();
  await opened.recorded.until('document.querySelectorAll(\'.list-row path[fill="#0000ff"]\').length === 0');
  await opened.waitUntilSaved();
  t.strictSame((await stored()).map(({ color }) => color).slice(4, 6), ['#ff0000', '#00ff00'], 'one step takes all of it back');
  t.strictSame(opened.complaints, []);
});

t.test('ranges, single rows and objects that are alike are selected, also by keys', { skip }, async (t) => {
  const { page } = await openFloor(t);
  const heading = page.locator('.inspector h2');
  await page.locator('.list-row').nth(1).click();
  await page
    .locator('.list-row')
    .nth(4)
    .click({ modifiers: ['Shift'] });
  await heading.filter({ hasText: '4 objects selected' }).waitFor();
  await page
    .locator('.list-row')
    .nth(2)
    .click({ modifiers: ['Control'] });
  await heading.filter({ hasText: '3 objects selected' }).waitFor();
  await page.locator('.list-row').nth(0).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await heading.filter({ hasText: '3 objects selected' }).waitFor();
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Select, copy, paste' }).press('Enter');
    await page.getByRole('menuitem', { name }).press('Enter');
  };
  await choose('All with this fill');
  await heading.filter({ hasText: '5 objects selected' }).waitFor();
  await choose('All without a name');
  await heading.filter({ hasText: '10 objects selected' }).waitFor();
  await choose('All objects of the artboard');
  await heading.filter({ hasText: '11 objects selected' }).waitFor();
});

t.test('on a phone, taps add to the selection, and one form changes all', { skip }, async (t) => {
  const { opened, page, stored } = await openFloor(t, { width: 390, height: 780 });
  await page.getByRole('button', { name: 'Select several' }).click();
  for (const [x, y] of [
    [100, 150],
    [240, 150],
  ] as const)
    await drag(opened, [x, y], [x, y]);
  await page.getByRole('button', { name: 'Form' }).click();
  await page.locator('.inspector h2').filter({ hasText: '2 objects selected' }).waitFor();
  t.equal(await opened.fits(), true);
  t.strictSame(await opened.violations(), []);
  await opened.field('Shape').selectOption('Spot');
  await opened.waitUntilSaved();
  t.match(await stored(), [{ type: 'spot', x: 110, y: 150 }, { type: 'spot', x: 250, y: 150 }, { type: 'poly' }]);
});

t.test('what cannot be drawn, named, scaled or made as large says why', { skip }, async (t) => {
  const { opened, page, stored } = await openFloor(t);
  await page.getByRole('button', { name: 'Draw a rectangle (R)' }).click();
  await opened.press('-');
  const places = page.locator('#typed-place');
  await opened.recorded.until("document.activeElement.id === 'typed-place'");
  t.equal(await places.inputValue(), '-', 'a negative place begins with a minus');
  await places.fill('-10, 50 90, 50');
  await places.press('Enter');
  await page.getByText('Nothing is drawn: all corners are on one line.').waitFor();
  t.equal((await stored()).length, 11);
  await opened.press('v', 'Control+a');
  await page.locator('summary').filter({ hasText: 'Names' }).click();
  await page.getByLabel('Pattern').fill('Room {n}');
  for (const start of ['1.5', '1e308', '']) {
    await page.getByLabel('First number').fill(start);
    await page.getByText('Use a whole number of up to 15 digits').waitFor();
    await page.getByLabel('First number').fill('1');
    await page.getByText('Use a whole number of up to 15 digits').waitFor({ state: 'detached' });
  }
  await page.getByLabel('Pattern').fill('A,,C');
  await page.getByRole('button', { name: 'Name all' }).click();
  await opened.waitUntilSaved();
  t.strictSame(
    (await stored()).slice(0, 3).map(({ name }) => name),
    ['A', '', 'C'],
  );
  await page.locator('summary').filter({ hasText: 'Arrange' }).click();
  for (const percent of ['0', '-100', '100000']) {
    await page.locator('#scale-to').fill(percent);
    await page.getByText('Use 0.01 to 10,000.').waitFor();
    await page.locator('#scale-to').fill('100');
    await page.getByText('Use 0.01 to 10,000.').waitFor({ state: 'detached' });
  }
  await page.locator('#turn-by').fill('1e30');
  await page.getByText('Use -360 to 360.').waitFor();
  t.strictSame(await opened.violations(), []);
  t.strictSame(opened.complaints, []);
});

t.test('the size of a flat polygon is not taken', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const flat = { type: 'poly', name: 'Flat', coords: [10, 50, 90].map((x) => ({ x, y: 20 })) };
  const objects = [flat, { type: 'poly', name: 'Room', ...room(100, 100, 200, 200) }];
  const made = (await mapwright.post('/projects', { artboards: [{ objects }] })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: made.id });
  const { page } = opened;
  await opened.press('Control+a');
  await page.locator('summary').filter({ hasText: 'Arrange' }).click();
  await page.getByRole('button', { name: 'Same size as the first selected one' }).click();
  await page.getByText('The first selected one has no width or no height').waitFor();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`/projects/${made.id}`)).shown['artboards'], [{ objects }]);
});

t.test('a drawn room is split, joined, turned and gets the look of another', { skip }, async (t) => {
  const { opened, page, stored } = await openFloor(t);
  const heading = page.locator('.inspector h2');
  await page.getByRole('button', { name: 'Draw a rectangle (R)' }).click();
  await drag(opened, [200, 275], [360, 325]);
  await opened.row('(no name)').nth(10).waitFor();
  await opened.waitUntilSaved();
  t.match((await stored()).at(-1), { type: 'poly', stroke_color: '#ffffff', stroke_width: 1, pin: false });
  // Corners of the map's pixels are not those of the artboard: what matters is that both halves are as large.
  await page.getByRole('button', { name: 'Split polygons (X)' }).click();
  await drag(opened, [280, 262], [280, 338]);
  await heading.filter({ hasText: '2 objects selected' }).waitFor();
  await opened.waitUntilSaved();
  t.equal((await stored()).length, 13);
  await page.locator('summary').filter({ hasText: 'Arrange' }).click();
  t.strictSame(await opened.violations(), []);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await heading.filter({ hasText: '(no name)' }).waitFor();
  await opened.waitUntilSaved();
  t.equal((await stored()).length, 12);
  t.match((await stored()).at(-1), { coords: { length: 4 } });
  await page.locator('.list-row').nth(0).click();
  await page.keyboard.press('Control+Alt+c');
  await opened.row('(no name)').last().click();
  await page.keyboard.press('Control+Alt+v');
  await opened.recorded.until("document.querySelector('#field-color').value === '#ff0000'");
  await opened.waitUntilSaved();
  t.match((await stored()).at(-1), { color: '#ff0000', stroke_width: 0 });
  await page.locator('summary').filter({ hasText: 'Arrange' }).click();
  await page.getByRole('button', { name: 'Turn by (degrees): apply' }).click();
  await opened.recorded.until("Number(document.querySelector('.corners input').value) > 290");
  await page.keyboard.press('Control+z');
  await opened.recorded.until("Number(document.querySelector('.corners input').value) < 290");
  await opened.row('Door').click();
  await page.getByRole('button', { name: '#00ff00' }).first().click();
  await opened.waitUntilSaved();
  t.match((await stored()).at(-2), { name: 'Door', color: '#00ff00' }, 'a colour of the project');
  t.strictSame(opened.complaints, []);
});
