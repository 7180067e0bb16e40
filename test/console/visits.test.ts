// tier: normal
/** Visits of a published map in the console: the chart, its table, and the most opened places. */
import fs from 'node:fs';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

const dayMs = 86_400_000;

/** A published map whose bakery was opened three times over the last days; the clock of the server is right at the end. */
async function world(t: Test, options: object = {}) {
  const time = { behindMs: 0 };
  const mapwright = await startForRequests(t, { tiles: 'none', clock: () => Date.now() - time.behindMs, ...options });
  const objects = ['Bakery', 'Bank', ''].map((name, i) => ({ type: 'spot', name, x: 100 + i * 50, y: 100 }));
  const { id: project } = (await mapwright.post('/projects', { name: 'Mall', artboards: [{ name: 'Floor', objects }] })).shown;
  const floors = (await mapwright.get(`/projects/${project}/artboards`)).list as unknown as { objects: { id: string }[] }[];
  const [bakery, bank, nameless] = (floors[0]?.objects ?? []).map(({ id }) => id);
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${project}/publication`)).shown;
  const beacon = (body: object) => mapwright.ask('POST', `/p/${slug}/seen`, { body, key: '' });
  for (const daysAgo of [40, 2, 1, 0]) {
    time.behindMs = daysAgo * dayMs;
    for (let i = 0; i <= daysAgo; i++) await beacon({ opened: true });
    await beacon({ places: [bakery, ...(daysAgo === 1 ? [bank, nameless] : [])], searches: 1 });
  }
  return { mapwright, project };
}

const openVisits = async (opened: ConsolePage) => {
  await opened.page.getByRole('button', { name: 'Publish', exact: true }).click();
  const section = opened.page.getByRole('region', { name: 'Visits' });
  await section.waitFor();
  return section;
};

for (const looks of [{ width: 1400 }, { width: 390, height: 800, dark: true }])
  t.test(`openings by day, and the most opened places: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const opened = await ConsolePage.open(t, { ...(await world(t)), ...looks });
    const section = await openVisits(opened);
    await section.getByText('The map was opened 6 times; 3 searches found nothing.').waitFor();
    const chart = section.getByRole('img', { name: /Openings of the map on the last 30 days/ });
    t.equal(await chart.locator('rect').count(), 30, 'a bar for each day');
    const heights = await chart.locator('rect').evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    t.strictSame(heights.slice(-3), [120, 80, 40]);
    t.ok(heights.slice(0, -3).every((height) => height === 0));
    t.strictSame(await section.locator('.visited-places li').allTextContents(), [
      'Bakery 3',
      'Bank 1',
      'Without a name, or not in the public map any more 1',
    ]);
    await section.getByText('As a table').click();
    t.equal(await section.locator('tbody tr').count(), 30);
    t.match(await section.locator('tbody tr').nth(1).locator('td').allTextContents(), ['2', '3', '1']);
    t.strictSame(await opened.violations(), []);
    const saved = opened.page.waitForEvent('download');
    await section.getByRole('button', { name: 'Save as CSV' }).click();
    const rows = fs
      .readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    t.ok(
      rows.some((row) => /Bakery/.test(row)),
      rows.slice(0, 3).join(' / '),
    );
    await section.getByText('As a table').click();
    await section.scrollIntoViewIfNeeded();
    await section.getByRole('combobox').selectOption('90');
    await section.getByText('The map was opened 47 times; 4 searches found nothing.').waitFor();
    t.equal(await chart.locator('rect').count(), 0, 'another label');
    t.equal(await section.locator('rect').count(), 90);
    t.strictSame(opened.complaints, []);
  });

t.test('a map without visits, and a server that counts none, say so', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none', counts: false });
  const { id: project } = (await mapwright.post('/projects', { name: 'Mall', artboards: [{ name: 'Floor' }] })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project });
  await opened.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await opened.page.locator('.panel .primary').click();
  const section = opened.page.getByRole('region', { name: 'Visits' });
  await section.getByText('No visits on these days.').waitFor();
  await section.getByText('--no-counts').waitFor();
  t.equal(await section.locator('svg').count(), 0);
});
