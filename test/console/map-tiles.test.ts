// tier: normal
/** Map tiles in the console: outlines below them, the credit of their source, and the choice of an artboard. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(300_000);

const grey = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="#808080"/></svg>';
const night = 'https://night.example/{z}/{x}/{y}.svg';
const map = { name: 'Sahara', type: 'osm', osm_lat: 28, osm_lng: 3, osm_zoom: 5 };

interface Made {
  readonly id: string;
  readonly artboards: readonly [{ readonly id: string }];
}

async function showForm({ page }: ConsolePage, project: string, artboard: string): Promise<void> {
  await page.evaluate(`location.hash = '#/p/${project}/r/${artboard}'`);
  await page.reload();
  await page.getByLabel('Latitude').waitFor();
}

/** An expression: the colour in the middle of the map, as `red,green,blue`. */
const middle = `(() => {
  const from = document.querySelector('.map canvas');
  const canvas = Object.assign(document.createElement('canvas'), { width: from.width, height: from.height });
  const context = canvas.getContext('2d');
  context.drawImage(from, 0, 0);
  return [...context.getImageData(from.width / 2, from.height / 2, 1, 1).data].slice(0, 3).join();
})()`;

for (const dark of [false, true])
  t.test(`without tiles an artboard on a map has outlines, ${dark ? 'dark' : 'light'}`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const made = await mapwright.post('/projects', { name: 'Map', artboards: [map] });
    const { id, artboards } = made.shown as unknown as Made;
    const opened = await ConsolePage.open(t, { mapwright, project: id, dark });
    await opened.recorded.until(`${middle} === '${dark ? '38,50,60' : '247,246,242'}'`);
    t.equal(await opened.page.locator('.credit').count(), 0);
    await showForm(opened, id, artboards[0].id);
    t.equal(await opened.page.getByLabel('Map tiles').count(), 0, 'there is no choice');
    const { origin } = new URL(opened.page.url());
    t.strictSame(
      opened.recorded.asked.filter((each) => !each.includes(origin)),
      [],
    );
    t.strictSame(opened.complaints, []);
  });

t.test('the form of an artboard offers the tiles that the server lists', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: `none||Night=${night}|© [Night](https://night.example/c)||Plain=none` });
  const made = await mapwright.post('/projects', { name: 'Map', artboards: [{ ...map, tiles: 'Gone' }] });
  const { id, artboards } = made.shown as unknown as Made;
  const prepare = async (page: ConsolePage['page']): Promise<void> => {
    await page.route('https://night.example/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: grey, headers: { 'Access-Control-Allow-Origin': '*' } }),
    );
  };
  const opened = await ConsolePage.open(t, { mapwright, project: id, prepare });
  const { page } = opened;
  await opened.recorded.until(`${middle} === '247,246,242'`);
  await showForm(opened, id, artboards[0].id);
  const field = page.getByLabel('Map tiles');
  t.strictSame(await field.locator('option').allTextContents(), [
    'As the server says',
    'Gone (this server does not list it)',
    'Night',
    'Plain',
  ]);
  t.equal(await field.inputValue(), 'Gone');
  await field.selectOption('Night');
  await opened.waitUntilSaved();
  await page.locator('.credit', { hasText: '© Night' }).waitFor();
  await opened.recorded.until("performance.getEntriesByType('resource').some(({ name }) => name.includes('night.example/'))");
  t.equal(await page.locator('.credit a').getAttribute('href'), 'https://night.example/c');
  const stored = async () =>
    (await mapwright.get(`/projects/${id}/artboards/${artboards[0].id}`)).shown as unknown as { readonly tiles?: string };
  t.equal((await stored()).tiles, 'Night');
  t.equal(await field.locator('option').count(), 3);
  t.strictSame(await opened.violations(), []);
  await field.selectOption('');
  await opened.waitUntilSaved();
  await page.locator('.credit').waitFor({ state: 'detached' });
  t.equal('tiles' in (await stored()), false);
  t.strictSame(opened.complaints, []);
});
