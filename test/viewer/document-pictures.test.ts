// tier: all
/** Pictures of the examples for visitors, and the reference of the API, as README and docs show them: `npm run pictures`. */
import t, { type Test } from 'tap';
import { simulateOffice } from '../../src/lib/simulate-office.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { exampleText } from '../support/examples.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { element, inside, open } from './element-page.ts';
import { Site } from './site.ts';

t.setTimeout(600_000);

interface Published {
  readonly id: string;
  readonly address: string;
}

/** An example on a server, with its page. */
async function published(mapwright: Mapwright, example: string, body: object = {}): Promise<Published> {
  const { id } = (await mapwright.post('/projects/import', exampleText(example))).shown;
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body })).shown;
  return { id, address: `http://127.0.0.1:${mapwright.port}/p/${slug}` };
}

/** Waits until the names on every map of the page have been in the same places for twenty frames. */
const still = `new Promise((resolve) => {
  let [before, frames] = ['', 0];
  const look = () => {
    const names = [...document.querySelectorAll('mapwright-map')].flatMap((map) => [...map.shadowRoot.querySelectorAll('.name')]);
    const now = JSON.stringify(names.map((each) => [each.textContent, each.getBoundingClientRect()]));
    frames = now === before ? frames + 1 : 0;
    before = now;
    if (frames === 20) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Both pictures on one: the phone in front of the desktop. */
async function beside(t: Test, desktop: Buffer, phone: Buffer): Promise<Buffer> {
  const { page } = await Page.open(t, 'about:blank', { width: 1280, height: 740 });
  const address = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`;
  await page.setContent(`<style>
      body { margin: 0; position: relative; height: 740px; background: #fff }
      img { position: absolute; display: block; border: 1px solid #cbd5e1; border-radius: 12px }
      .desktop { left: 0; top: 0; width: 1130px }
      .phone { right: 4px; bottom: 8px; width: 296px; border: 6px solid #1e293b; border-radius: 30px; box-shadow: 0 8px 30px #0f172a55 }
    </style><img class="desktop" src="${address(desktop)}"><img class="phone" src="${address(phone)}">`);
  await page.waitForLoadState();
  return page.screenshot();
}

t.test('the shopping centre on a desktop and on a phone, with a shop that was chosen', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { address } = await published(mapwright, 'shopping-centre.json');
  const desktop = await open(t, address, { width: 1280, height: 820 });
  t.equal(await desktop.value('document.title'), 'Shopping centre', 'without the folder of examples');
  await desktop.value(still);
  const phone = await open(t, address, { width: 390, height: 760, options: { hasTouch: true } });
  await phone.value(`${element}.open('Meridian')`);
  await phone.until(`${inside('.details')}?.textContent.includes('Meridian') === true`);
  await phone.value(still);
  await keepPicture('shopping-centre', async () => beside(t, await desktop.page.screenshot(), await phone.page.screenshot()));
  t.strictSame([...desktop.complaints, ...phone.complaints], []);
});

/** The page of another site: a museum, a guild or a company with a map in it. */
const hostPage = (map: string): string => `
  <style>
    html, body { height: auto } body { margin: 0; background: #fbf7f0; color: #241c19; font: 17px/1.5 Georgia, serif }
    header { display: flex; align-items: center; gap: 22px; padding: 18px 160px; background: #7c2d1f; color: #fff; font-size: 15px }
    header strong { flex: 1; font-size: 22px } section { padding: 22px 160px } h1 { margin: 0 0 12px; font-size: 34px; font-weight: 400 }
    section p { margin: 0 0 18px } mapwright-map { height: 500px; border: 1px solid #e2d6c4; border-radius: 10px; overflow: hidden;
    --mapwright-accent: #7c2d1f; --mapwright-font: Georgia, serif; --mapwright-background: #f3ebdf }
  </style>
  <header><strong>Cartographers’ Guild</strong><span>Programme</span><span>Members</span><span>Visit</span></header>
  <section><h1>Find your way</h1><p>The house has three floors. Choose a room to see how many seats it has, and to book it.</p>${map}</section>`;

t.test('an office floor on a page of another site', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { address } = await published(mapwright, 'office.json');
  const site = await Site.open(t, { policy: '' });
  const map = `<mapwright-map src="${address}" panel="off" artboard="First floor" object="Waldseemüller"></mapwright-map>`;
  site.setPage('/', hostPage(map), { title: 'Cartographers’ Guild' });
  const page = await open(t, `${site.url}/`, { width: 1280, height: 780 });
  await page.until(`${inside('.popup')}.hidden === false`);
  await page.value(still);
  await keepPicture('viewer-page', () => page.page.screenshot());
  t.strictSame(page.complaints, []);
});

/** Gives the data sources of an office what its sensors say at a second. */
async function push(mapwright: Mapwright, id: string, seconds: number): Promise<void> {
  const responses = simulateOffice(seconds) as Readonly<Record<string, object>>;
  for (const { id: source, name } of (await mapwright.get(`/projects/${id}/data-sources`)).list) {
    const body = responses[String(name)] as object;
    await mapwright.ask('PUT', `/v1/projects/${id}/data-sources/${source}/response`, { body });
  }
}

async function openLive(t: Test, mapwright: Mapwright): Promise<Page> {
  const offices: Published[] = [];
  // A full house, and an evacuation.
  for (const second of [58, 86]) {
    const office = await published(mapwright, 'office.json', { refresh: 3600 });
    await push(mapwright, office.id, second);
    offices.push(office);
  }
  const site = await Site.open(t, { policy: '' });
  const maps = offices.map(
    ({ address }) => `<mapwright-map src="${address}" panel="off" artboard="Ground floor"></mapwright-map>`,
  );
  const style =
    'main { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; background: #fff } mapwright-map { height: 100vh; --mapwright-background: #f6f8fa }';
  site.setPage('/', `<style>${style}</style>${maps.join('')}`);
  return open(t, `${site.url}/`, { width: 1280, height: 500 });
}

t.test('an office that follows its data, and its evacuation', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const page = await openLive(t, mapwright);
  const names = (at: number) =>
    `(document.querySelectorAll('mapwright-map')[${at}].shownArtboard?.objects ?? []).map(({ name }) => name)`;
  await page.until(`${names(0)}.includes('Ada') && ${names(1)}.includes('Way to safety')`);
  await page.value(`${element}.open('Ada')`);
  await page.until(`${inside('.popup')}.hidden === false`);
  await page.value(still);
  await keepPicture('live-office', () => page.page.screenshot());
  t.strictSame(page.complaints, []);
});

t.test('the ground floor of an office on a wall', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { id, address } = await published(mapwright, 'office.json', { refresh: 3600 });
  await push(mapwright, id, 58);
  const page = await Page.open(t, `${address}?display=1&display-seconds=0#artboard=Ground%20floor`, {
    ...{ width: 1920, height: 1080, options: { timezoneId: 'UTC' } },
    prepare: (page) => page.clock.setFixedTime('2026-05-04T09:27:00Z'),
  });
  await page.until(`${inside('.wall-state')}?.textContent === 'Data current, 09:27'`);
  await page.value(still);
  await keepPicture('viewer-wall', () => page.page.screenshot());
  t.strictSame(page.complaints, []);
});

t.test('an operation of the reference', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const { page, complaints } = await Page.open(t, `http://127.0.0.1:${mapwright.port}/docs`, { width: 1280, height: 900 });
  await page.locator('[id="operations-tag-Artboards"] button').first().click();
  const operation = page.locator('.opblock', { hasText: 'Create an artboard' });
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('textarea').waitFor();
  await operation.evaluate((each) => (each as unknown as { scrollIntoView(): void }).scrollIntoView());
  await keepPicture('api-reference', () => page.screenshot());
  t.strictSame(complaints, []);
});
