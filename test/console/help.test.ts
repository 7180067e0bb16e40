// tier: normal
/** Help in the console: the tour, the guide, and the keys, at two widths. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

for (const width of [1400, 390])
  t.test(`the tour has six steps, goes back, and can be ended, ${width} px wide`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const { project } = await sampleProject(mapwright);
    const opened = await ConsolePage.open(t, { mapwright, project, width, height: 900 });
    const { page } = opened;
    const help = page.getByRole('dialog', { name: 'Help' });
    const tour = page.locator('.tour');
    const begin = async () => {
      await opened.press('?');
      await help.getByRole('button', { name: 'Take the tour' }).click();
      await tour.getByText('1 of 6').waitFor();
    };
    await opened.press('?');
    t.strictSame(await opened.violations(), []);
    t.match(await help.getByRole('link', { name: 'Read the guide' }).getAttribute('href'), /\/docs\/guide$/);
    await page.keyboard.press('Escape');
    await begin();
    for (let step = 1; step <= 6; step++) {
      await tour.getByText(`${step} of 6`).waitFor();
      const marked = page.locator('.toured');
      await marked.waitFor();
      t.equal(await marked.count(), 1);
      t.strictSame(await opened.violations(), [], `step ${step}`);
      t.equal(await opened.fits(), true);
      await tour.getByRole('button', { name: step < 6 ? 'Next' : 'Done' }).click();
    }
    await tour.waitFor({ state: 'detached' });
    t.equal(await page.locator('.toured').count(), 0);
    await begin();
    await page.keyboard.press('ArrowRight');
    await tour.getByText('2 of 6').waitFor();
    await page.keyboard.press('ArrowLeft');
    await tour.getByText('1 of 6').waitFor();
    await page.keyboard.press('Escape');
    await tour.waitFor({ state: 'detached' });
    t.strictSame(opened.complaints, []);
  });
