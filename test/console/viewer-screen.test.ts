// tier: normal
/** What somebody who may only look gets: the map as visitors see it, with the state of the draft, and no control that writes. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

for (const looks of [{ width: 1400 }, { width: 390, dark: true }])
  t.test(`a viewer sees the map as visitors do, and the state of the draft: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const { project } = await sampleProject(mapwright);
    const opened = await ConsolePage.open(t, { mapwright, readOnly: true, ...looks });
    const { page } = opened;
    await page.locator('.card a').click();
    const frame = page.frameLocator('iframe[title="Map of Sample"]');
    await frame.locator('mapwright-map canvas').first().waitFor();
    await page.getByText('This is the draft. The map is not published.').waitFor();
    t.equal(await page.locator('iframe').getAttribute('sandbox'), 'allow-scripts');
    t.equal(await page.locator('input, select, textarea').count(), 0, 'no form');
    t.equal(await opened.fits(), true);
    t.strictSame(await opened.violations(), []);
    await mapwright.ask('PUT', `/v1/projects/${project}/publication`);
    await page.getByText(/^Visitors see it like this, since /).waitFor();
    await mapwright.patch(`/projects/${project}`, { name: 'Renamed' });
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByText(/^This is the draft. It was changed since /).waitFor();
    await until('the frame follows', async () => {
      const name = page.frames()[1]?.evaluate("document.querySelector('mapwright-map').map?.name");
      return (await name?.catch(() => '')) === 'Renamed';
    });
    t.strictSame(opened.complaints, []);
  });

t.test('a viewer reads the history, and looks inside and back, by keyboard', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  await mapwright.post(`/projects/${project}/versions`, { name: 'First' });
  const opened = await ConsolePage.open(t, { mapwright, readOnly: true });
  const { page } = opened;
  await page.evaluate(`location.hash = '#/p/${project}'`);
  await page.getByRole('button', { name: 'History' }).press('Enter');
  const history = page.getByRole('dialog', { name: 'History' });
  await history.getByRole('heading', { name: 'First' }).waitFor();
  t.equal(await history.getByRole('button', { name: 'Restore' }).count(), 0);
  t.equal(await history.getByRole('button', { name: 'Keep this state' }).count(), 0);
  await history.getByRole('button', { name: 'Look at First' }).press('Enter');
  const past = page.getByText('Nothing can be changed here.');
  await past.waitFor();
  await page.keyboard.press('Escape');
  // The history opens again after the version is gone: a key in between closes nothing.
  await history.getByRole('button', { name: 'Look at First' }).waitFor();
  await page.keyboard.press('Escape');
  await history.waitFor({ state: 'hidden' });
  await page.getByTitle('Map of Sample').waitFor();
  await page.getByRole('button', { name: 'Look inside' }).press('Enter');
  await page.locator('.map canvas').waitFor();
  await page.getByRole('button', { name: 'As visitors see it' }).press('Enter');
  await page.getByTitle('Map of Sample').waitFor();
  t.strictSame(opened.complaints, []);
});
