// tier: normal
/** The table of all objects: in a browser, at two widths; and its rows and pasted cells. */
import t from 'tap';
import type { Resource } from '../../src/web/console/kinds/resource-kinds.ts';
import { pastedCells } from '../../src/web/console/table/pasted-cells.ts';
import { type Column, rowsOf } from '../../src/web/console/table/rows.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

t.test('rows are sorted as people expect, and those without a value are last', async (t) => {
  const column = (key: string): Column => ({
    key,
    label: key,
    isPrivate: false,
    textOf: (object) => String(object[key] ?? ''),
    changes: () => ({}),
  });
  const columns = [column('name'), column('seats')];
  const objects: Resource[] = [
    { id: '1', name: 'Room 10', seats: 8 },
    { id: '2', name: 'room 9', seats: 12 },
    { id: '3', name: '', seats: -3 },
    { id: '4', name: 'Äpfel' },
  ];
  const sorted = (key: string, isDescending: boolean, query = '') =>
    rowsOf(objects, columns, { query, sorting: { key, isDescending } }).join('');
  t.equal(sorted('name', false), '4213');
  t.equal(sorted('name', true), '1243');
  t.equal(sorted('seats', false), '3124');
  t.equal(sorted('seats', true), '2134');
  t.equal(sorted('name', false, ' ROOM '), '21');
  t.equal(rowsOf(objects, columns, { query: '-3', sorting: undefined }).join(''), '3');
});

t.test('cells of a spreadsheet are read with their quotes, tabs and lines', async (t) => {
  t.equal(pastedCells('one cell'), undefined);
  t.strictSame(pastedCells('a\tb\r\nc\td\r\n'), [
    ['a', 'b'],
    ['c', 'd'],
  ]);
  t.strictSame(pastedCells('"two\nlines"\t"say ""hi"""\tc\n'), [['two\nlines', 'say "hi"', 'c']]);
  t.strictSame(pastedCells('a\n\nb\n'), [['a'], [''], ['b']]);
});

const count = 5000;
const objects = Array.from({ length: count }, (_, n) => ({
  type: 'spot',
  name: `Place ${n + 1}`,
  x: (n % 100) * 8,
  y: Math.floor(n / 100) * 10,
  radius: 3,
  category: n % 2 === 0 ? 'Even' : 'Odd',
  properties: { Seats: n, Note: n === 7 ? 'window' : '' },
}));

for (const width of [1400, 390])
  t.test(`${count} objects are sorted, filtered, edited and pasted, ${width} px wide`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const settings = { public_map: { fields: [{ name: 'Seats', kind: 'number' }] } };
    const { id } = (await mapwright.post('/projects', { name: 'Hall', settings, artboards: [{ name: 'Ground', objects }] }))
      .shown;
    const opened = await ConsolePage.open(t, { mapwright, project: id, width, height: 900 });
    const { page } = opened;
    const stored = async (name: string) => {
      const { artboards } = (await mapwright.get(`/projects/${id}`)).shown as unknown as {
        artboards: { objects: Record<string, unknown>[] }[];
      };
      return artboards[0]?.objects.find((each) => each['name'] === name);
    };
    if (width === 390) await page.locator('.panes').getByRole('button', { name: 'List' }).click();
    await page.getByRole('link', { name: 'Table of all objects' }).click();
    const panel = page.getByRole('dialog', { name: 'Table' });
    const cell = (name: string) =>
      panel.getByRole('textbox', { name, exact: true }).or(panel.getByRole('combobox', { name, exact: true }));
    await cell('Name of Place 1').waitFor();
    t.strictSame(await panel.getByRole('columnheader').allTextContents(), [
      'Name',
      'Category',
      'Seats',
      'Noteprivate',
      'On the map',
    ]);
    t.ok((await panel.locator('tbody tr').count()) < 60, 'only the rows in view are rendered');
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);

    await panel.getByRole('button', { name: 'Seats' }).click();
    await panel.getByRole('button', { name: 'Seats' }).click();
    await cell('Name of Place 5000').waitFor();
    await panel.getByRole('searchbox', { name: 'Filter objects' }).fill('window');
    await cell('Note of Place 8').fill('door');
    await cell('Note of Place 8').press('Enter');
    await cell('Seats of Place 8').fill('70');
    await cell('Category of Place 8').fill('Best');
    await cell('Category of Place 8').press('Tab');
    await opened.waitUntilSaved();
    t.match(await stored('Place 8'), { category: 'Best', properties: { Seats: 70, Note: 'door' } });
    t.equal(await cell('Note of Place 8').count(), 1, 'a row stays although the filter would hide it now');

    // Two rows of a spreadsheet, from a cell on; a third column has no place.
    await panel.getByRole('searchbox', { name: 'Filter objects' }).fill('Place 499');
    await panel.getByRole('button', { name: 'Name' }).click();
    await cell('Seats of Place 4990').focus();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', '1\\tfirst\\tleft out\\n2\\tsecond\\tleft out');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await opened.waitUntilSaved();
    t.match(
      [await stored('Place 4990'), await stored('Place 4991')],
      [{ properties: { Seats: 1, Note: 'first' } }, { properties: { Seats: 2, Note: 'second' } }],
    );
    await panel.getByRole('button', { name: 'Undo' }).click();
    await opened.waitUntilSaved();
    t.match(await stored('Place 4991'), { properties: { Seats: 4990, Note: '' } }, 'one step for all cells');

    await cell('Name of Place 4990').press('ArrowDown');
    t.equal(await opened.recorded.value('document.activeElement.value'), 'Place 4991');
    await panel.getByRole('button', { name: 'Show Place 4991 on the map' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.locator('.inspector h2').filter({ hasText: 'Place 4991' }).waitFor({ state: 'attached' });
    t.strictSame(opened.complaints, []);
  });
