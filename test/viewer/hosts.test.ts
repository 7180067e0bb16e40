// tier: normal
/** `<mapwright-map>` in pages of others: what they do to it before, while and after it loads, and what their styles and networks do. */

import t from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { element, inside, open, popupIs, pressed, recordEvents } from './element-page.ts';
import { building } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

const ready = "events.filter(([name]) => name === 'ready').length";

t.test('a document that the page gives before the script is loaded is shown', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  site.set('/page.js', {
    type: 'text/javascript',
    body: `document.querySelector('mapwright-map').map = ${JSON.stringify(map)};`,
  });
  site.setPage('/', '<mapwright-map></mapwright-map><script src="/page.js"></script>');
  const page = await open(t, `${site.url}/`);
  t.match(await page.value('events.at(-1)'), ['ready', { map, version: undefined }]);
  t.equal(await page.value(`${pressed}.textContent`), 'Downstairs');
  t.strictSame(page.complaints, []);
});

t.test('a map that was offline loads when the browser is online again', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  site.publish('demo', map);
  const { body = '' } = site.find('/p/demo/map.json', undefined as never);
  const name = JSON.parse(String(body)).map as string;
  const content = site.find(`/p/demo/${name}`, undefined as never);
  site.set(`/p/demo/${name}`, { status: 503 });
  site.setPage('/', '<mapwright-map src="/p/demo"></mapwright-map>');
  const page = await open(t, `${site.url}/`);
  t.match(await page.value('events.at(-1)'), ['problem', { problem: 'network' }]);
  t.equal(await page.value(`${inside('.message button')}.textContent`), 'Try again');
  site.set(`/p/demo/${name}`, content);
  await page.value("dispatchEvent(new Event('online'))");
  await page.until(`${ready} === 1`);
  t.equal(await page.value(`${inside('.message')}.hidden`), true);
  await page.value("dispatchEvent(new Event('online'))");
  t.equal(site.countOf('/p/demo/map.json'), 2, 'once');
});

t.test('a map survives that its page moves and removes it while it loads', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  site.publish('demo', map);
  site.setPage('/', '<div></div><div></div>');
  site.set('/page.css', { type: 'text/css', body: 'mapwright-map{height:300px}' });
  const page = await Page.open(t, `${site.url}/`, { prepare: recordEvents });
  await page.until("customElements.get('mapwright-map') !== undefined");
  await page.value(`(async () => {
    const [one, two] = document.querySelectorAll('div');
    const map = Object.assign(document.createElement('mapwright-map'), { id: 'moved' });
    map.setAttribute('src', '/p/demo');
    for (let at = 0; at < 8; at++) {
      (at % 2 === 0 ? one : two).append(map);
      await new Promise((resolve) => setTimeout(resolve, at));
      if (at % 3 === 0) map.remove();
    }
    two.append(map);
  })()`);
  await page.until(`${ready} > 0`);
  await page.until(`${inside('canvas')} !== null`);
  t.equal(await page.value(`${element}.open('${ids.hall}')`), true);
  await page.until(popupIs(true));
  site.publish('other', { ...map, name: 'Other' }, 5);
  await page.value(`(events.splice(0), ${element}.setAttribute('src', '/p/other'), ${element}.setAttribute('src', '/p/demo'))`);
  await page.until(`${ready} > 0 && ${pressed}?.textContent === 'Downstairs'`);
  t.strictSame(
    await page.value("events.filter(([name]) => name === 'ready').map(([, { version }]) => version)"),
    [1],
    'an address that was replaced does not count',
  );
  t.strictSame(page.complaints, []);
});

t.test('attributes change while the map is shown, each of its own map', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const legend = [{ color: '#16a34a', name: 'Rooms' }];
  site.publish('demo', { ...map, settings: { labels: 'none', legend } });
  site.setPage('/', '<mapwright-map src="/p/demo"></mapwright-map>'.repeat(2));
  const page = await open(t, `${site.url}/`);
  await page.until(`${ready} === 2`);
  const shown = `[...document.querySelectorAll('mapwright-map')].map(({ shadowRoot: root }) => [
    root.querySelectorAll('.name').length > 0, root.querySelector('.artboards').hidden, root.querySelector('.legend').hidden,
    root.querySelector('.controls [aria-expanded]').hidden,
  ].join())`;
  const plain = 'false,false,false,true';
  t.strictSame(await page.value(shown), [plain, plain]);
  const set = (attributes: Record<string, string>): string =>
    `Object.entries(${JSON.stringify(attributes)}).forEach(([name, value]) => ${element}.setAttribute(name, value))`;
  await page.value(set({ labels: 'all', switcher: 'off', legend: 'off', search: '', cluster: 'off', gestures: 'greedy' }));
  await page.until(`${shown}.join(' ') === 'true,true,true,false ${plain}'`);
  await page.value(
    `for (const name of ['labels', 'switcher', 'legend', 'search', 'cluster', 'gestures']) ${element}.removeAttribute(name)`,
  );
  await page.until(`${shown}.join(' ') === '${plain} ${plain}'`);
  t.strictSame(page.complaints, []);
});

test.all(
  'the texts of a map do not look like those around it, and a legend opens in a tab that is shown later',
  { skip },
  async (t) => {
    const { document: map } = building();
    const site = await Site.open(t);
    site.publish('demo', { ...map, settings: { legend: [{ color: '#16a34a', name: 'Rooms' }] } });
    site.set('/page.css', {
      type: 'text/css',
      body: 'section{text-transform:uppercase;letter-spacing:9px;white-space:nowrap;text-indent:3em;word-spacing:9px}.later{display:none}',
    });
    site.setPage('/', '<section class="later"><mapwright-map src="/p/demo"></mapwright-map></section>');
    const page = await open(t, `${site.url}/`);
    await page.until(`${ready} === 1`);
    await page.value("document.querySelector('section').className = ''");
    await page.until(`${inside('.legend')}.open`);
    const style = `(({ textTransform, letterSpacing, whiteSpace, textIndent, wordSpacing }) =>
    [textTransform, letterSpacing, whiteSpace, textIndent, wordSpacing].join())(getComputedStyle(${inside('.artboards button')}))`;
    t.equal(await page.value(style), 'none,normal,nowrap,0px,0px');
    t.strictSame(page.complaints, []);
  },
);
