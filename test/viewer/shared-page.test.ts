// tier: normal
/** The page of a published map on a real server, as people who get its link see it. */
import t, { type Test } from 'tap';
import { violations } from '../support/axe.ts';
import { type Looks, Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { exampleText } from '../support/examples.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { skipWithoutPdfTools, textsOf } from '../support/pdf.ts';
import { test } from '../support/test.ts';
import { element, inside, recordEvents } from './element-page.ts';

t.setTimeout(600_000);

const origin = 'https://maps.example';
const menu = inside('.menu');
const header = { title: 'Lindenhof', accent: '#0f766e', links: [{ label: 'Imprint', url: 'https://lindenhof.example/imprint' }] };

interface Project {
  readonly settings: { readonly public_map: object };
}

/** Publishes the shopping centre, with a header, at `/p/lindenhof`. Returns the path with the slug. */
async function publish(mapwright: Mapwright): Promise<string> {
  const { id } = (await mapwright.ask('POST', '/v1/projects/import', { body: JSON.parse(exampleText('shopping-centre.json')) }))
    .shown;
  const { settings } = (await mapwright.ask('GET', `/v1/projects/${id}`, {})).shown as unknown as Project;
  const body = { settings: { ...settings, public_map: { ...settings.public_map, header } } };
  await mapwright.ask('PATCH', `/v1/projects/${id}`, { body });
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: { name: 'lindenhof' } })).shown;
  return `/p/${slug}`;
}

/** Opens the page of the map, as at its public address. */
async function openPage(t: Test, mapwright: Mapwright, path: string, looks: Looks = {}): Promise<Page> {
  const page = await Page.open(t, `http://127.0.0.1:${mapwright.port}${path}`, { prepare: recordEvents, ...looks });
  await page.until("events.some(([name]) => name === 'ready')");
  await page.until(`${inside('.places')} !== null`);
  return page;
}

t.test(
  'the page is accessible (axe), whole and asks no other host, in light and dark, on a phone, with its menu',
  { skip },
  async (t) => {
    const mapwright = await startMapwright(t, { tiles: 'none', publicUrl: origin });
    await publish(mapwright);
    for (const looks of [
      { width: 1400, height: 900 },
      { width: 1400, height: 900, dark: true },
      { width: 390, height: 844 },
    ]) {
      const page = await openPage(t, mapwright, '/p/lindenhof', looks);
      t.strictSame(await violations(page), [], JSON.stringify(looks));
      await page.page.getByRole('button', { name: 'Share, print, save' }).click();
      await page.until(`${menu}?.hidden === false`);
      t.strictSame(await violations(page), [], `${JSON.stringify(looks)} with the menu`);
      t.equal(await page.value('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is wider than the page');
      t.strictSame(
        page.asked.filter((each) => !each.includes(`//127.0.0.1:${mapwright.port}/`)),
        [],
      );
      t.strictSame(page.complaints, []);
      t.equal(await page.page.title(), 'Shopping centre');
    }
  },
);

test.all('places, walls and links work at the readable address, too', { skip }, async (t) => {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const slugPath = await publish(mapwright);
  for (const path of [slugPath, '/p/lindenhof']) {
    const page = await openPage(t, mapwright, path);
    const name = String(await page.value(`${element}.shownArtboard.objects.find(({ category }) => category !== '').name`));
    await page.value(`${element}.open(${JSON.stringify(name)})`);
    await page.until(`location.hash === '#place=' + encodeURIComponent(${JSON.stringify(name)})`);
    const other = await openPage(t, mapwright, `${path}#place=${encodeURIComponent(name)}`);
    await other.until(`${inside('.details h2')}?.textContent === ${JSON.stringify(name)}`);
    const wall = await Page.open(t, `http://127.0.0.1:${mapwright.port}${path}?display`, { prepare: recordEvents });
    await wall.until(`${inside('.wall-bar')} !== null`);
  }
});

t.test('without JavaScript, the page has the places', { skip }, async (t) => {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const path = await publish(mapwright);
  const page = await Page.open(t, `http://127.0.0.1:${mapwright.port}${path}`, { options: { javaScriptEnabled: false } });
  const places = page.page.locator('main');
  t.equal(await places.isVisible(), true);
  const text = String(await places.textContent());
  for (const part of ['Thirty shops on two floors', 'Fashion', 'Food and drink']) t.ok(text.includes(part), part);
  t.equal(await page.page.locator('mapwright-map').isVisible(), false);
});

test.all(
  'the page of the shopping centre is printed with its categories and shops',
  { skip: skip || skipWithoutPdfTools },
  async (t) => {
    const mapwright = await startMapwright(t, { tiles: 'none', publicUrl: origin });
    await publish(mapwright);
    const page = await openPage(t, mapwright, '/p/lindenhof', { width: 1400, height: 900 });
    await page.page.getByRole('button', { name: 'Share, print, save' }).click();
    await page.until(`${menu}?.hidden === false`);
    await page.value('globalThis.print = () => { globalThis.isPrinted = true; }');
    await page.page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.until('globalThis.isPrinted === true');
    const pdf = await page.page.pdf({ preferCSSPageSize: true, printBackground: false });
    const [first = '', list = ''] = textsOf(pdf);
    for (const part of ['Shopping centre', 'Fashion', 'Food and drink', '/p/lindenhof']) t.ok(first.includes(part), part);
    t.match(list, /Fashion/);
    t.notMatch(first, /Imprint|Search|could not/, 'nothing of the page around the map');
  },
);
