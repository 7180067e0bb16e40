// tier: normal
/** The menu of a map: links to what is shown, the paper, and pictures. */
import fs from 'node:fs';
import t, { type Test } from 'tap';
import { type Looks, Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { coloursBelow, rendered, sizeOf, skipWithoutPdfTools, textsOf } from '../support/pdf.ts';
import { test } from '../support/test.ts';
import { element, inside, isColour, open, popupIs, recordEvents } from './element-page.ts';
import { artboard, box, building, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';
import { city } from './visitor-maps.ts';

t.setTimeout(600_000);

const skipPaper = skip || skipWithoutPdfTools;

const menuButton = inside('[aria-label="Share, print, save"]');
const menu = inside('.menu');
const status = `${inside('.menu p')}.textContent`;
const link = inside('.menu input');
const item = (text: string): string =>
  `[...${menu}.querySelectorAll('button')].find((each) => each.textContent === ${JSON.stringify(text)})`;

interface SceneOptions extends Looks {
  readonly map?: unknown;
  readonly attributes?: string;
  readonly fragment?: string;
  readonly site?: Site;
}

interface Scene {
  readonly page: Page;
  readonly site: Site;
  readonly url: string;
}

const withLegend = (): Record<string, unknown> => ({
  ...building().document,
  settings: {
    legend: [
      { color: '#16a34a', name: 'Rooms' },
      { color: '#94a3b8', name: 'Ways up' },
    ],
  },
});

/** A map whose menu is open, unless an attribute hides it. */
async function openMenu(t: Test, options: SceneOptions = {}): Promise<Scene> {
  const { map = withLegend(), attributes = '', fragment = '', site = await Site.open(t, { tiles: 'none' }), ...looks } = options;
  const url = site.pageWith(map, `menu ${attributes}`);
  const page = await open(t, `${url}${fragment}`, looks);
  await page.value(`${menuButton}.click()`);
  await page.until(`${menu}?.hidden === false`);
  return { page, site, url };
}

/** The paper that *Print* makes. */
async function printed({ page }: Scene): Promise<Buffer> {
  await page.value('globalThis.print = () => { globalThis.isPrinted = true; }');
  await page.value(`${item('Print')}.click()`);
  await page.until('globalThis.isPrinted === true');
  // Without graphics of the background: the visitor's dialog leaves them out, too.
  return await page.page.pdf({ preferCSSPageSize: true, printBackground: false });
}

t.test(
  'Print makes a page with title, map, legend, address and date, and a list with numbers',
  { skip: skipPaper },
  async (t) => {
    const scene = await openMenu(t);
    const { page, url } = scene;
    const pdf = await printed(scene);
    t.strictSame(sizeOf(pdf), { width: 297, height: 210 });
    const [first = '', list = '', ...more] = textsOf(pdf);
    t.equal(more.length, 0);
    for (const text of [
      'Sample',
      'Downstairs',
      'Rooms',
      'Ways up',
      url,
      new Date().toLocaleDateString('en-GB', { dateStyle: 'long' }),
    ])
      t.ok(first.includes(text), `${text} in ${first}`);
    for (const text of ['Share', 'Print', 'Zoom', 'Legend', 'could not']) t.notOk(first.includes(text), text);
    t.match(list, /^Places/);
    for (const [at, name] of ['Hall', 'Kitchen', 'Shop', 'Stairs', 'Wall'].entries())
      t.match(list, new RegExp(`\\b${at + 1}\\s+${name}\\b`));
    const paper = rendered(pdf, 1, 96);
    const legend = coloursBelow(paper, paper.height * 0.9);
    for (const colour of ['22,163,74', '148,163,184']) t.ok((legend.get(colour) ?? 0) > 50, `${colour} in the legend`);
    const map = `document.querySelector('#mapwright-print').shadowRoot.querySelector('.map')`;
    const [width, boxWidth] = (await page.value(`[${map}.firstChild.width, ${map}.clientWidth]`)) as [number, number];
    t.equal(width, Math.round((boxWidth * 200) / 96), '200 dots per inch');
    t.strictSame(page.complaints, []);
  },
);

test.all('a high view is printed upright, with what it shows alone', { skip: skipPaper }, async (t) => {
  const far = spot('Far away', 790, 590, { radius: 5 });
  const near = Array.from({ length: 3 }, (_, n) => spot(`Near ${n}`, 100 + 30 * n, 100, { radius: 5 }));
  const scene = await openMenu(t, {
    map: project([artboard('A', [...near, far])]),
    fragment: '#view=50,50,250,450',
    width: 420,
    height: 900,
  });
  const pdf = await printed(scene);
  t.strictSame(sizeOf(pdf), { width: 210, height: 297 });
  const all = textsOf(pdf).join('');
  t.match(all, /Near 1/);
  t.notMatch(all, /Far away/);
});

t.test('a map on Earth has a scale, its categories and the credit of its tiles on paper', { skip: skipPaper }, async (t) => {
  const site = await Site.open(t);
  const scene = await openMenu(t, { map: city(60), site, width: 1400, height: 900 });
  await scene.page.value(`${inside('.list input[type=checkbox]:checked')}.click()`);
  const pdf = await printed(scene);
  const [first = '', list = ''] = textsOf(pdf);
  t.match(first, /OpenStreetMap contributors/);
  t.notMatch(first, /Essen & Trinken/, 'a category that is switched off');
  t.match(first, /Museum\s+Park/);
  t.notMatch(list, /Food 1/);
  t.match(list, /Museum\s/);
  t.match(list, /Domplatz 11 · Seats: 70/);
});

t.test('the scale on paper is right on Earth', { skip: skipPaper }, async (t) => {
  const ends = [spot('West', 200, 300, { color: '#ff0000' }), spot('East', 600, 300, { color: '#0000ff' })];
  const map = project([artboard('A', ends, { type: 'osm', osm_lat: 60, osm_lng: 10, osm_zoom: 12 })]);
  const scene = await openMenu(t, { map });
  await printed(scene);
  const [label, width, distance] = (await scene.page.value(`(() => {
    const root = document.querySelector('#mapwright-print').shadowRoot;
    const canvas = root.querySelector('canvas');
    const { data } = picture(canvas).getImageData(0, 0, canvas.width, canvas.height);
    const middleOf = (channel) => {
      const found = [];
      for (let at = 0; at < data.length; at += 4)
        if (data[at + channel] === 255 && data[at] + data[at + 1] + data[at + 2] === 255) found.push((at / 4) % canvas.width);
      return (Math.min(...found) + Math.max(...found)) / 2;
    };
    const scale = root.querySelector('.scale');
    return [scale.textContent, scale.getBoundingClientRect().width, (middleOf(2) - middleOf(0)) * (96 / 200)];
  })()`)) as [string, number, number];
  const metres = 400 * (156_543.034 / 2 ** 12) * Math.cos((60 * Math.PI) / 180);
  t.match(label, /^[125]0* km$/);
  const shown = (distance / width) * 1000 * Number.parseInt(label, 10);
  t.ok(Math.abs(shown - metres) < 0.02 * metres, `${shown} and ${metres} metres`);
});

test.all('numbers on paper cover no other number, and the list has what has no room for one', { skip: skipPaper }, async (t) => {
  const heap = Array.from({ length: 60 }, (_, n) =>
    spot(`Stall ${n + 1}`, 400 + (n % 8), 300 + Math.floor(n / 8), { radius: 4 }),
  );
  const scene = await openMenu(t, { map: project([artboard('Market', heap)]) });
  const list = textsOf(await printed(scene))[1] ?? '';
  t.match(list, /\b1\s+Stall 1\b/);
  for (let n = 1; n <= 60; n++) t.match(list, new RegExp(`Stall ${n}\\b`));
  const numbers = await scene.page.value(
    "[...document.querySelector('#mapwright-print').shadowRoot.querySelectorAll('b')].map((each) => each.textContent).filter(Boolean)",
  );
  t.strictSame(
    numbers,
    Array.from({ length: (numbers as string[]).length }, (_, n) => `${n + 1}`),
  );
  t.ok((numbers as string[]).length < 60, 'not all have room');
});

test.all('texts of a map are texts on paper, and nothing of it is left after that', { skip: skipPaper }, async (t) => {
  const name = '<img src=x onerror="globalThis.isHacked = true">';
  const object = spot(name, 400, 300);
  const map = {
    ...project([artboard(name, [object])], [popupAt(object)]),
    name,
    settings: { legend: [{ color: '#2563eb', name }] },
  };
  const scene = await openMenu(t, { map });
  const before = await scene.page.value('document.adoptedStyleSheets.length');
  const texts = textsOf(await printed(scene))
    .join('')
    .replaceAll(/\s+/g, ' ');
  t.ok(texts.split('<img src=x').length - 1 >= 3, texts);
  t.equal(await scene.page.value('globalThis.isHacked'), undefined);
  await scene.page.value("dispatchEvent(new Event('afterprint'))");
  t.equal(await scene.page.value("document.querySelector('#mapwright-print') === null"), false, 'a browser may print late');
  await scene.page.page.mouse.click(100, 100);
  await scene.page.until("document.querySelector('#mapwright-print') === null");
  t.equal(await scene.page.value('document.adoptedStyleSheets.length'), before);
  t.strictSame(scene.page.complaints, []);
});

t.test('Ctrl-P prints what is loaded: the whole map, without buttons', { skip: skipPaper }, async (t) => {
  const { page } = await openMenu(t, { attributes: 'labels="all"', width: 1400, height: 900 });
  const pdf = await page.page.pdf({ printBackground: false });
  const [first = '', ...more] = textsOf(pdf);
  t.equal(more.length, 0);
  for (const text of ['Hall', 'Kitchen', 'Shop', 'Rooms', 'Ways up']) t.ok(first.includes(text), text);
  for (const text of ['Share', 'Downstairs', 'Upstairs']) t.notOk(first.includes(text), text);
  t.ok((coloursBelow(rendered(pdf, 1, 72), 0).get('22,163,74') ?? 0) > 1000, 'the map, and the legend with its colours');
  t.equal(await page.value(`${inside('.frame')}.style.zoom`), '1', 'afterwards, it is as large as before');
});

t.test('a picture of the map is saved in the chosen size', { skip }, async (t) => {
  const { page } = await openMenu(t, { width: 640, height: 480 });
  for (const scale of [1, 4]) {
    await page.page.locator('mapwright-map .menu select').selectOption(String(scale));
    const [download] = await Promise.all([page.page.waitForEvent('download'), page.value(`${item('Save as picture')}.click()`)]);
    t.equal(download.suggestedFilename(), 'sample.png');
    const png = fs.readFileSync(await download.path());
    t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], [640 * scale, 480 * scale]);
    await page.until(`${status} === 'The picture is saved.'`);
  }
});

test.all('foreign pictures that may not be copied are left out of a saved picture, with a word', { skip }, async (t) => {
  const foreign = await Site.open(t);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>';
  foreign.set('/closed.svg', { type: 'image/svg+xml', headers: { 'Access-Control-Allow-Origin': 'null' }, body: svg });
  foreign.set('/open.svg', { type: 'image/svg+xml', body: svg });
  const iconOf = (name: string) => spot(name, 400, 300, { radius: 40, icon: `${foreign.url}/${name}.svg` });
  const background = (name: string) => artboard('A', [], { type: 'image', image_url: `${foreign.url}/${name}.svg` });
  for (const [map, said] of [
    [project([artboard('A', [iconOf('open')])]), /^The picture is saved\.$/],
    [project([artboard('A', [iconOf('closed')])]), /^The picture is saved\. Some pictures are left out/],
    [project([background('open')]), /^The picture is saved\.$/],
    [project([background('closed')]), /^The picture is saved\. Some pictures are left out/],
  ] as const) {
    const { page } = await openMenu(t, { map, width: 640, height: 480 });
    const [download] = await Promise.all([page.page.waitForEvent('download'), page.value(`${item('Save as picture')}.click()`)]);
    t.ok(fs.readFileSync(await download.path()).length > 0);
    await page.until(`${status}.startsWith('The picture')`);
    t.match(await page.value(status), said);
  }
});

test.all('a picture that the browser cannot make is no silence', { skip }, async (t) => {
  const { page } = await openMenu(t);
  await page.value('HTMLCanvasElement.prototype.toBlob = (done) => done(null)');
  await page.value(`${item('Save as picture')}.click()`);
  await page.until(`${status}.startsWith('The map could not be drawn')`);
  t.equal(await page.value(`${item('Save as picture')}.disabled`), false);
});

t.test('the link to a view shows the same part, artboard and filter', { skip }, async (t) => {
  const ring = Array.from({ length: 4 }, (_, n) => box(`Room ${n}`, 100 + 150 * n, 250, 100, 100, { color: `#00${n}0ff` }));
  const map = project([artboard('A', [spot('Else', 400, 300)]), artboard('B', ring)]);
  const fragment = '#artboard=B&view=200,150,600,450';
  const scene = await openMenu(t, { map, fragment, options: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const { page, url } = scene;
  await page.value(`${item('Share this view')}.click()`);
  await page.until(`${status} === 'The link is copied.'`);
  const shared = String(await page.value('navigator.clipboard.readText()'));
  t.equal(await page.value(`${link}.value`), shared);
  t.match(shared, new RegExp(`^${url}#artboard=B&view=[\\d.-]+(,[\\d.-]+){3}$`));
  const [left = 0, top = 0, right = 0, bottom = 0] = (shared.split('view=')[1] ?? '').split(',').map(Number);
  t.ok(left > 50 && right < 750 && top > 50 && bottom < 550 && left < 400 && right > 400, shared);
  for (const looks of [{}, { width: 390, height: 844 }]) {
    const other = await open(t, shared, looks);
    t.equal(await other.value(`${element}.shownArtboard.name`), 'B');
    await other.value(`${inside('[aria-label="Share, print, save"]')}.click()`);
    await other.until(`${menu}?.hidden === false`);
    await other.value(`${item('Share this view')}.click()`);
    await other.until(`${link}.value !== ''`);
    const again = String(await other.value(`${link}.value`));
    const [l = 0, u = 0, r = 0, d = 0] = (again.split('view=')[1] ?? '').split(',').map(Number);
    t.ok(l <= left + 1 && u <= top + 1 && r >= right - 1 && d >= bottom - 1, `${again} contains ${shared}`);
    const grown = Math.min((r - l) / (right - left), (d - u) / (bottom - top));
    t.ok(grown < 1.15, `by ${grown} at most`);
  }
});

test.all('an address with a view that is no box shows everything', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none' });
  const url = site.pageWith(building().document, 'menu');
  for (const view of ['1,2,3', 'a,b,c,d', '5,5,1,1', '1e999,0,2,3', '0,0,0,0', ',,,', '1,2,3,4,5']) {
    const page = await open(t, `${url}#view=${view}`);
    await page.until(await isColour(page, 200, 200, '22,163,74'));
    t.strictSame(page.complaints, [], view);
  }
  t.pass('all were left out');
});

t.test('the link to a place opens it', { skip }, async (t) => {
  const scene = await openMenu(t);
  const { page } = scene;
  t.equal(await page.value(`${item('Share “Kitchen”')} === undefined`), true, 'no place is open');
  await page.value(`${element}.open('Kitchen')`);
  await page.value(`${menuButton}.click()`);
  await page.value(`${menuButton}.click()`);
  await page.value(`${item('Share “Kitchen”')}.click()`);
  await page.until(`${link}.hidden === false`);
  const shared = String(await page.value(`${link}.value`));
  t.equal(shared, `${scene.url}#place=Kitchen`);
  const other = await open(t, shared);
  await other.until(popupIs(true));
  t.match(await other.value(`${inside('.popup h2')}.textContent`), /Kitchen/);
});

test.all('a map on the page of another site shares its own page, or the place on this one', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none' });
  site.publish('demo', building().document);
  for (const [attributes, start] of [
    ['menu', `${site.url}/p/demo#artboard=Downstairs&view=`],
    ['menu permalink', `${site.url}/page?x=1#artboard=Downstairs&view=`],
  ] as const) {
    site.setPage('/page', `<mapwright-map src="/p/demo" ${attributes}></mapwright-map>`);
    const page = await open(t, `${site.url}/page?x=1`);
    await page.value(`${menuButton}.click()`);
    await page.until(`${menu}?.hidden === false`);
    await page.value(`${item('Share this view')}.click()`);
    await page.until(`${link}.hidden === false`);
    t.ok(String(await page.value(`${link}.value`)).startsWith(start), `${await page.value(`${link}.value`)}`);
  }
});

t.test('phones get the sheet of their system', { skip }, async (t) => {
  const scene = await openMenu(t, { width: 390, height: 844, options: { hasTouch: true, isMobile: true } });
  const { page, url } = scene;
  await page.value('navigator.share = async (given) => { globalThis.shared = given; }');
  await page.value(`${item('Share this view')}.click()`);
  await page.until('globalThis.shared !== undefined');
  const shared = (await page.value('globalThis.shared')) as { title: string; url: string };
  t.ok(shared.url.startsWith(`${url}#artboard=Downstairs&view=`));
  t.equal(shared.title, 'Sample');
  t.equal(await page.value(`${link}.hidden`), true);
});

test.all('without a clipboard the link can be copied by hand', { skip }, async (t) => {
  const { page } = await openMenu(t);
  await page.value("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.value(`${item('Share this view')}.click()`);
  await page.until(`${status} === 'Copy this link:'`);
  t.equal(await page.value(`${element}.shadowRoot.activeElement === ${link}`), true);
  t.equal(await page.value(`${link}.selectionEnd === ${link}.value.length`), true);
});

t.test('the menu is for the keyboard, too', { skip }, async (t) => {
  const { page } = await openMenu(t);
  t.equal(await page.value(`${menuButton}.getAttribute('aria-expanded')`), 'true');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.textContent`), 'Share this view');
  await page.page.keyboard.press('Tab');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.textContent`), 'Print');
  await page.page.keyboard.press('Escape');
  t.equal(await page.value(`${menu}.hidden`), true);
  t.equal(await page.value(`${element}.shadowRoot.activeElement === ${menuButton}`), true);
  await page.page.keyboard.press('Enter');
  await page.until(`${menu}.hidden === false`);
  await page.page.mouse.click(600, 300);
  await page.until(`${menu}.hidden === true`);
});

test.all('the button is there only where a page wants it, and not on walls', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none' });
  for (const [attributes, isThere] of [
    ['menu', true],
    ['', false],
    ['menu="off"', false],
    ['menu display', false],
  ] as const) {
    const page = await Page.open(t, site.pageWith(building().document, attributes), { prepare: recordEvents });
    await page.until("events.some(([name]) => name === 'ready')");
    const shown = await page.value(
      `(() => { const { hidden, offsetWidth } = ${menuButton}; return !hidden && offsetWidth > 0; })()`,
    );
    t.equal(shown, isThere, attributes);
  }
});

t.test('paper does not depend on the styles of the page around the map', { skip: skipPaper }, async (t) => {
  const css = `
    @media print { body * { visibility: hidden } body > * { display: none !important } }
    body { contain: strict; columns: 3; opacity: 0.5; zoom: 0.5 } body::before { content: ""; display: block; height: 3000px }
    div { display: flex; position: absolute; height: 100%; overflow: hidden } body > div { width: 400px; margin: 100px; transform: rotate(20deg) }`;
  const site = await Site.open(t, { tiles: 'none', policy: '' });
  site.set('/page.css', { type: 'text/css', body: `html,body,main,mapwright-map{margin:0;height:600px}${css}` });
  const scene = await openMenu(t, { site });
  const [first = '', list = '', ...more] = textsOf(await printed(scene));
  t.equal(more.length, 0);
  t.match(first, /Sample/);
  t.match(list, /1\s+Hall/);
});

t.test('the menu works in a map inside of another shadow tree', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none', policy: '' });
  site.publish('demo', building().document);
  site.setPage(
    '/nested',
    '<div id="outer"></div><script>outer.attachShadow({ mode: "open" }).innerHTML = "<mapwright-map src=/p/demo menu></mapwright-map>"</script>',
  );
  const page = await Page.open(t, `${site.url}/nested`, { prepare: recordEvents });
  await page.until("events.some(([name]) => name === 'ready')");
  await page.page.getByRole('button', { name: 'Share, print, save' }).click();
  await page.page.getByRole('button', { name: 'Share this view' }).click();
  await page.page.getByRole('textbox', { name: 'Link' }).waitFor();
});

t.test('a picture keeps the focus, and two maps of a page are printed one after the other', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none' });
  site.publish('demo', building().document);
  site.setPage(
    '/two',
    '<mapwright-map src="/p/demo" menu></mapwright-map><mapwright-map src="/p/demo" menu artboard="Upstairs"></mapwright-map>',
  );
  const page = await Page.open(t, `${site.url}/two`, { prepare: recordEvents });
  await page.until("events.filter(([name]) => name === 'ready').length === 2");
  await page.value(`(() => {
    globalThis.sheets = [];
    globalThis.print = () => {
      const { shadowRoot } = document.querySelector('#mapwright-print');
      sheets.push([shadowRoot.querySelector('header p').textContent, shadowRoot.querySelectorAll('canvas').length].join());
    };
    for (const map of document.querySelectorAll('mapwright-map')) map.shadowRoot.querySelector('[aria-label="Share, print, save"]').click();
  })()`);
  await page.until(
    "[...document.querySelectorAll('mapwright-map')].every(({ shadowRoot }) => shadowRoot.querySelector('.menu') !== null)",
  );
  await page.value(`(() => {
    for (const { shadowRoot } of document.querySelectorAll('mapwright-map')) {
      const button = [...shadowRoot.querySelectorAll('.menu button')].find((each) => each.textContent === 'Print');
      button.focus();
      button.click();
    }
  })()`);
  await page.until('sheets.length === 2');
  t.strictSame(await page.value('sheets'), ['Downstairs,1', 'Upstairs,1']);
  t.equal(await page.value('document.activeElement.shadowRoot.activeElement.textContent'), 'Print');
  await page.page.keyboard.press('Escape');
  t.equal(await page.value("document.activeElement.shadowRoot.querySelector('.menu').hidden"), true);
});

t.test('a link to a view with very long names can be read again', { skip }, async (t) => {
  const categories = Array.from({ length: 150 }, (_, n) => ({ name: `A category with quite a long name, number ${n}` }));
  const objects = categories.map(({ name }, n) => spot(`Place ${n}`, 100 + 4 * n, 300, { radius: 3, category: name }));
  const map = { ...project([artboard('A', objects)]), settings: { public_map: { categories } } };
  const { page } = await openMenu(t, { map });
  await page.value(`${inside('.list input[type=checkbox]')}.click()`);
  await page.value(
    `[...${element}.shadowRoot.querySelectorAll('.list button')].find((each) => each.textContent === 'Only').click()`,
  );
  await page.value(`${item('Share this view')}.click()`);
  await page.until(`${link}.hidden === false`);
  const shared = String(await page.value(`${link}.value`));
  t.ok(shared.length < 4096, `${shared.length} characters`);
  t.match(shared, /#artboard=artboard-A&view=/);
});
