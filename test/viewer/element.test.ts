// tier: normal
/** `<mapwright-map>` on pages with the policy of a published map. */

import t from 'tap';
import { violations } from '../support/axe.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';
import { element, inside, isColour, open, partsAsked, placeOf, popupIs, pressed, recordEvents } from './element-page.ts';
import { artboard, box, building, popupAt, project, spot } from './samples.ts';
import { policy, Site } from './site.ts';

t.setTimeout(300_000);

t.test('a map on a page causes no warning and no unexpected request', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const version = site.publish('demo', map);
  const page = await open(t, site.pageWith(map));
  t.match(await page.value('events.map(([name]) => name)'), ['artboard', 'ready']);
  t.match(await page.value("events.find(([name]) => name === 'ready')[1]"), { version: 1, map });
  t.equal(await page.value('document.title'), map['name'], 'the page of the map has its name');

  await page.page.mouse.click(...(await placeOf(page, 200, 200)));
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Hall');
  t.equal(await page.value(`${inside('.popup .content')}.innerHTML`), '<p>Room for <b>80</b>.</p>');
  t.match(
    await page.value(`(({ href, textContent, target }) => ({ href, textContent, target }))(${inside('.popup .action a')})`),
    {
      href: 'https://rooms.example/hall',
      textContent: 'Book',
      target: '',
    },
  );
  t.equal(await page.value('location.hash'), '#place=Hall', 'the address leads to the object');
  await page.page.mouse.click(...(await placeOf(page, 700, 100)));
  await page.until(popupIs(false));
  t.equal(await page.value('location.hash'), '');

  await page.page.mouse.click(...(await placeOf(page, 500, 200)));
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Kitchen', 'the name where there is no title');
  await page.page.keyboard.press('Escape');
  await page.until(popupIs(false));

  await page.page.mouse.click(...(await placeOf(page, 400, 450)));
  await page.until(`${pressed}.textContent === 'Upstairs'`);
  t.match(await page.value('events.at(-1)'), ['artboard', { artboard: { name: 'Upstairs' } }]);
  await page.page.mouse.wheel(0, 100);
  t.strictSame(page.complaints, []);
  const parts = partsAsked(page);
  t.strictSame(
    page.asked,
    [...['/p/demo', '/page.css', '/viewer.js', '/p/demo/map.json', version].map((path) => `GET ${site.url}${path}`), ...parts],
    'the parts come last',
  );
  t.equal(parts.length, 2);
});

test.all('an object under the pointer has its hover style, its name and a cursor', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  const at = await placeOf(page, 500, 200);
  await page.until(await isColour(page, 500, 200, '37,99,235'));
  await page.page.mouse.move(...at);
  await page.until(`!${inside('.label')}.hidden && ${inside('.label')}.textContent === 'Kitchen'`);
  t.equal(await page.value(`getComputedStyle(${inside('.canvas')}).cursor`), 'pointer');
  await page.until(await isColour(page, 500, 200, '255,0,0'));
  await page.page.mouse.move(...(await placeOf(page, 35, 300)));
  await page.until(`${inside('.label')}.textContent === 'Wall'`);
  t.equal(await page.value(`getComputedStyle(${inside('.canvas')}).cursor`), 'grab', 'a wall does nothing');
  await page.until(await isColour(page, 500, 200, '37,99,235'));
});

t.test('every interactive object is a button for Tab, Enter and Esc', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  const focused = (): Promise<unknown> => page.value(`${element}.shadowRoot.activeElement?.textContent ?? null`);
  const names: unknown[] = [];
  for (let at = 0; at < 4; at++) {
    await page.page.keyboard.press('Tab');
    names.push(await focused());
  }
  t.strictSame(names, ['Hall', 'Kitchen', 'Stairs', 'Shop'], 'a wall is not among them');
  t.equal(await page.value(`${inside('.label')}.textContent`), 'Shop', 'the name of the focused object is on the map');
  const ring = await page.value(`(() => {
    const canvases = [...${element}.shadowRoot.querySelectorAll('canvas')];
    const canvas = canvases[0];
    const [x, y] = ${JSON.stringify(await placeOf(page, 650, 450))};
    const { left, top, width } = canvas.getBoundingClientRect();
    const line = picture(canvas).getImageData(x - left, y - top, 60, 1).data;
    return Array.from({ length: 60 }, (_, at) => [...line.slice(at * 4, at * 4 + 3)].join()).includes('29,78,216');
  })()`);
  t.equal(ring, true, 'the focus is drawn on the map');
  await page.page.keyboard.press('Shift+Tab');
  await page.page.keyboard.press('Shift+Tab');
  await page.page.keyboard.press('Enter');
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Kitchen');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.className`), 'popup', 'the focus is in the popup');
  await page.page.keyboard.press('Escape');
  await page.until(popupIs(false));
  t.equal(await focused(), 'Kitchen', 'and goes back');
  await page.page.keyboard.press('ArrowDown');
  t.equal(await focused(), 'Stairs');
  await page.page.keyboard.press('Enter');
  await page.until(`${pressed}.textContent === 'Upstairs'`);
  t.strictSame(page.complaints, []);
});

t.test('the methods and attributes of the element select artboards, objects and language', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, `artboard="Upstairs" object="${ids.kitchen}" lang="de"`));
  await page.until(popupIs(true));
  t.equal(await page.value(`${pressed}.textContent`), 'Downstairs', 'an object shows its artboard');
  t.equal(await page.value(`${inside('.popup .close')}.title`), 'Schließen');
  t.equal(await page.value(`${element}.show('Upstairs')`), true);
  t.equal(await page.value(popupIs(false)), true);
  t.equal(await page.value(`${element}.show('nowhere')`), false);
  t.equal(await page.value(`${element}.open('nothing')`), false);
  t.equal(await page.value(`${element}.open('${ids.hall}')`), true);
  t.equal(await page.value(`${pressed}.textContent`), 'Downstairs');
  await page.value(`${element}.setAttribute('artboard', 'Upstairs')`);
  t.equal(await page.value(`${pressed}.textContent`), 'Upstairs');
  await page.value(`${element}.fit()`);
  await page.value(`${element}.setAttribute('lang', 'en')`);
  t.equal(await page.value(`${inside('.controls button')}.title`), 'Zoom in');
  await page.value(`location.hash = '${ids.attic}'`);
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Attic');
  t.equal(await page.value(`${element}.refresh()`), false, 'nothing has changed');
  t.strictSame(page.complaints, []);
});

test.all('a new src removes the former map immediately', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, 'list'));
  t.equal(await page.value(`${pressed}.textContent`), 'Downstairs');
  site.publish('second', map);
  await page.value(`${element}.setAttribute('artboard', 'Upstairs'), ${element}.show('Downstairs'), events.splice(0)`);
  await page.value(`${element}.setAttribute('src', '/p/second')`);
  await page.until("events.some(([name]) => name === 'ready')");
  t.equal(await page.value(`${pressed}.textContent`), 'Upstairs', 'the attribute names the first artboard of the new map');
  await page.value(`${element}.setAttribute('src', '/p/none')`);
  await page.until("events.some(([name]) => name === 'problem')");
  t.match(await page.value(`${inside('.message')}.textContent`), /no published map/);
  const left = `[${element}.map === undefined, ${element}.shownArtboard === undefined, ${inside('canvas')} === null, ${inside('.artboards')}.hidden, ${inside('.rows li')} === null]`;
  t.strictSame(await page.value(left), [true, true, true, true, true]);
});

test.all('a click event can be cancelled, and otherwise its link is followed', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  site.set('/shop.html', { type: 'text/html', body: '<title>Shop</title>' });
  const page = await open(t, site.pageWith(map));
  await page.value("addEventListener('mapwright-click', (event) => event.preventDefault(), { once: true })");
  const shop = await placeOf(page, 650, 450);
  await page.page.mouse.click(...shop);
  await page.until("events.at(-1)[0] === 'click'");
  t.match(await page.value('events.at(-1)[1]'), { object: { id: ids.shop, name: 'Shop' } });
  t.equal(new URL(page.page.url()).pathname, '/p/demo');
  await page.page.mouse.click(...shop);
  await page.page.waitForURL(`${site.url}/shop.html`);
});

test.all('the list of objects is visible and can be searched', { skip }, async (t) => {
  const rooms = Array.from({ length: 100_000 }, (_, at) =>
    spot(at === 77_777 ? 'Café' : `Room ${at}`, at % 800, (at * 7) % 600, { radius: 1 }),
  );
  const map = project(
    [artboard('Many', rooms)],
    rooms.map((room) => popupAt(room)),
  );
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, 'list search'));
  const rows = `[...${element}.shadowRoot.querySelectorAll('.list li')]`;
  t.ok(Number(await page.value(`${rows}.length`)) < 100, 'only visible rows are in the document');
  await page.page.locator('mapwright-map input').fill('cafe');
  await page.until(`${rows}.length === 1`);
  t.equal(await page.value(`${inside('.count')}.textContent`), '1 of 100000');
  await page.page.locator('mapwright-map .list li button').click();
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Café');
  await page.page.locator('mapwright-map input').fill('');
  await page.page.locator('mapwright-map .list li button').first().focus();
  await page.page.keyboard.press('End');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.textContent`), 'Room 99999');
  t.strictSame(page.complaints, []);
});

test.all('the wheel scrolls the page unless the gestures are greedy', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  site.publish('demo', map);
  for (const gestures of ['cooperative', 'greedy']) {
    site.setPage(
      '/',
      `<p>Above</p><mapwright-map src="/p/demo" gestures="${gestures}"></mapwright-map><p class="long">Below</p>`,
    );
    site.set('/page.css', { type: 'text/css', body: 'mapwright-map{height:500px}.long{height:3000px}' });
    const page = await open(t, `${site.url}/`);
    const scale = `${inside('canvas')}.toDataURL()`;
    const before = await page.value(scale);
    await page.page.mouse.move(640, 250);
    await page.page.mouse.wheel(0, 300);
    if (gestures === 'cooperative') {
      await page.until('scrollY > 0');
      await page.until(`${inside('.hint')}.classList.contains('shown')`);
      t.match(await page.value(`${inside('.hint')}.textContent`), /^Hold (Ctrl|⌘) and scroll to zoom$/);
      t.equal(await page.value(scale), before);
      await page.value('scrollTo(0, 0)');
      await page.page.keyboard.down('Control');
      await page.page.mouse.wheel(0, -600);
      await page.page.keyboard.up('Control');
    }
    await page.until(`${scale} !== ${JSON.stringify(before)}`);
    t.equal(await page.value('scrollY'), 0, gestures);
    t.equal(await page.value('document.title'), 'A map', 'another page keeps its title');
    t.equal(
      await page.value(`getComputedStyle(${inside('.canvas')}).touchAction`),
      gestures === 'greedy' ? 'none' : 'pan-x pan-y',
    );
  }
});

test.all('a refresh draws the new version and keeps popup and view', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  await page.value(`${element}.open('${ids.hall}')`);
  const [first = {}] = map['artboards'] as Record<string, unknown>[];
  const changed = {
    ...map,
    artboards: [{ ...first, objects: [...(first['objects'] as unknown[]), box('Annex', 600, 40, 100, 100)] }],
  };
  site.publish('demo', changed, 2);
  t.equal(await page.value(`${element}.refresh()`), true);
  t.match(await page.value('events.at(-1)'), ['ready', { version: 2 }]);
  t.equal(await page.value(popupIs(true)), true);
  t.equal(await page.value(`${inside('.artboards')}.hidden`), true);
  site.publish('demo', { ...changed, artboards: [artboard('Other', [])] }, 3);
  t.equal(await page.value(`${element}.refresh()`), true);
  t.equal(await page.value(popupIs(false)), true, 'an object that is gone has no popup');
  t.strictSame(page.complaints, []);
});

test.all('the map refreshes itself at most every ten seconds', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const prepare = async (page: Page['page']): Promise<void> => {
    await recordEvents(page);
    await page.clock.install();
  };
  const page = await open(t, site.pageWith(map, 'refresh="1"'), { prepare });
  site.publish('demo', { ...map, name: 'Second' }, 2);
  // The clock of the page also runs by itself: a slow machine has seconds left.
  await page.page.clock.runFor(4_000);
  t.equal(site.countOf('/p/demo/map.json'), 1);
  await page.page.clock.runFor(6_500);
  await page.until("events.filter(([name]) => name === 'ready').length === 2");
  t.match(await page.value('events.at(-1)'), ['ready', { version: 2, map: { name: 'Second' } }]);
});

test.all('a missing version makes the map read map.json again without the cache', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  site.publish('demo', map, 2);
  let asked = 0;
  const current = site.find('/p/demo/map.json', undefined as never).body as string;
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  site.set('/p/demo/map.json', () => {
    asked++;
    return { headers, body: asked === 1 ? JSON.stringify({ version: 1, map: `${'0'.repeat(64)}.json` }) : current };
  });
  site.setPage('/', '<mapwright-map src="/p/demo"></mapwright-map>');
  const page = await open(t, `${site.url}/`);
  t.match(await page.value('events.at(-1)'), ['ready', { version: 2 }]);
  t.equal(asked, 2, 'though the first answer may be used for an hour');
});

t.test(
  'a page that is loaded again shows the new publication, however long its host lets browsers keep map.json',
  { skip },
  async (t) => {
    const { document: map } = building();
    const site = await Site.open(t);
    const publish = (version: number): void => {
      site.publish('demo', { ...map, name: `Edition ${version}` }, version);
      const { body = '' } = site.find('/p/demo/map.json', undefined as never);
      site.set('/p/demo/map.json', { headers: { 'Cache-Control': 'public, max-age=3600' }, body });
    };
    publish(1);
    site.setPage('/', '<mapwright-map src="/p/demo"></mapwright-map>');
    const page = await open(t, `${site.url}/`);
    t.match(await page.value('events.at(-1)'), ['ready', { version: 1 }]);
    publish(2);
    await page.page.goto(`${site.url}/?again`);
    await page.until("events.some(([name]) => name === 'ready')");
    t.match(await page.value('events.at(-1)'), ['ready', { version: 2, map: { name: 'Edition 2' } }]);
  },
);

t.test('a problem is reported, and the map loads once it is solved', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const cases: [string, string, RegExp, () => void][] = [
    ['', 'source', /set the attribute "src"/, () => undefined],
    ['src="/p/none"', 'missing', /no published map/, () => undefined],
    ['src="/p/text"', 'format', /cannot be read/, () => site.set('/p/text/map.json', { body: 'text' })],
    ['src="/p/list"', 'format', /cannot be read/, () => site.set('/p/list/map.json', { body: '[]' })],
    [
      'src="/p/scheme"',
      'format',
      /cannot be read/,
      () => site.set('/p/scheme/map.json', { body: '{"version":1,"map":"data:,{}"}' }),
    ],
    ['src="/p/broken"', 'network', /could not be loaded/, () => site.set('/p/broken/map.json', { status: 500 })],
    ['src="/p/other"', 'format', /cannot be read/, () => site.publish('other', { artboards: 5 })],
    ['src="http://127.0.0.1:9/"', 'network', /could not be loaded/, () => undefined],
  ];
  site.setPage('/', '');
  const page = await Page.open(t, `${site.url}/`, { prepare: recordEvents });
  const reopen = async (attributes: string): Promise<void> => {
    site.setPage('/', `<mapwright-map ${attributes}></mapwright-map>`);
    await page.page.reload();
    await page.until('events.length > 0');
  };
  for (const [attributes, problem, text, prepare] of cases) {
    prepare();
    await reopen(attributes);
    t.match(await page.value('events.at(-1)'), ['problem', { problem, message: /\w/ }], attributes);
    t.match(await page.value(`${inside('.message')}.textContent`), text);
  }
  await reopen('src="/p/late"');
  site.publish('late', map);
  await page.page.locator('mapwright-map .message button').click();
  await page.until("events.at(-1)[0] === 'ready'");
  t.equal(await page.value(`${inside('.message')}.hidden`), true);
});

test.all('a geographic map requests tiles with a Referer and shows the credit', { skip }, async (t) => {
  const map = project([artboard('Vienna', [], { type: 'osm', osm_lat: 48.208, osm_lng: 16.373, osm_zoom: 14 })]);
  const site = await Site.open(t);
  const referrers = new Set<string | undefined>();
  const tile = site.find('/tiles/0/0/0.png', undefined as never);
  for (const y of [5679, 5680, 5681, 5682, 5683]) {
    for (const x of [8933, 8934, 8935, 8936, 8937, 8938, 8939]) {
      site.set(`/tiles/14/${x}/${y}.png`, ({ headers }) => {
        referrers.add(headers.referer);
        return tile;
      });
    }
  }
  const page = await open(t, site.pageWith(map));
  await page.until(`!${inside('.credit')}.hidden`);
  t.equal(await page.value(`${inside('.credit')}.textContent`), '© OpenStreetMap contributors');
  await page.page.waitForLoadState('networkidle');
  t.strictSame([...referrers], [`${site.url}/p/demo`]);
  t.ok(page.asked.every((asked) => asked.startsWith(`GET ${site.url}/`)));
  t.strictSame(page.complaints, []);
});

test.all('a geographic map without tiles shows no credit, and sends no request for one', { skip }, async (t) => {
  const map = project([artboard('Grid', [spot('A', 400, 300)], { type: 'osm', osm_zoom: 3 })]);
  const site = await Site.open(t, { tiles: 'none' });
  const page = await open(t, site.pageWith(map));
  t.equal(await page.value(`${inside('.credit')}.hidden`), true);
  t.notOk(
    page.asked.some((asked) => /tiles|png/.test(asked)),
    `${page.asked}`,
  );
  t.strictSame(page.complaints, []);
});

test.all('a map with missing pictures or tiles reports the problem and stays usable', { skip }, async (t) => {
  const away = spot('Away', 400, 300);
  const picture = { type: 'image', image_url: '/missing.png' };
  const site = await Site.open(t, { tiles: '/missing/{z}/{x}/{y}.png' });
  for (const [more, problem] of [
    [picture, 'image'],
    [{ type: 'osm', osm_zoom: 2 }, 'tiles'],
  ] as const) {
    const map = project([artboard('Plan', [away], more)], [popupAt(away, { image: '/missing.png' })]);
    const page = await open(t, site.pageWith(map, '', problem));
    await page.until("events.some(([name]) => name === 'problem')");
    t.equal(await page.value("events.filter(([name]) => name === 'problem').length"), 1, 'once');
    t.match(await page.value('events.at(-1)[1]'), { problem });
    t.equal(await page.value(`${element}.open('${away['id']}')`), true);
    await page.until(popupIs(true));
    await page.until(`${inside('.popup .picture')} === null`);
  }
});

test.all('the view moves without animation if the user prefers reduced motion', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map), { options: { reducedMotion: 'reduce' } });
  const before = await page.value(`${inside('canvas')}.toDataURL()`);
  await page.value(`${inside('.controls button')}.click()`);
  await page.value('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const after = await page.value(`${inside('canvas')}.toDataURL()`);
  t.not(before, after);
  const pictures = `new Promise((resolve) => {
    const found = new Set();
    const look = (left) => {
      found.add(${inside('canvas')}.toDataURL());
      if (left === 0) resolve([...found]);
      else requestAnimationFrame(() => look(left - 1));
    };
    look(30);
  })`;
  t.strictSame(await page.value(pictures), [after], 'no later frame differs');
});

test.all('fifty maps on one page all draw', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  site.publish('demo', map);
  site.setPage('/', '<mapwright-map src="/p/demo"></mapwright-map>'.repeat(50));
  site.set('/page.css', { type: 'text/css', body: 'mapwright-map{height:200px;width:240px;display:inline-block}' });
  const page = await open(t, `${site.url}/`);
  await page.until("events.filter(([name]) => name === 'ready').length === 50");
  await page.until(`[...document.querySelectorAll('mapwright-map')].every((map) => {
    const canvas = map.shadowRoot.querySelector('canvas');
    return canvas !== null && canvas.width > 0 && picture(canvas).getImageData(120, 120, 1, 1).data[3] === 255;
  })`);
  t.strictSame(page.complaints, []);
});

test.all('a map can be removed and added again, and its script loaded twice', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  await page.value(`{
    const map = ${element};
    map.remove();
    document.querySelector('main').append(map);
  }`);
  await page.until(`${inside('canvas')} !== null`);
  t.equal(await page.value(`${element}.open('${ids.hall}')`), true);
  await page.value("import('/viewer.js?again')");
  t.strictSame(page.complaints, []);
});

test.all('leaving, returning and changing the artboard leave nothing in memory', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  const session = await page.page.context().newCDPSession(page.page);
  const kept = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters');
    return { nodes, listeners };
  };
  const use = (times: number) =>
    page.value(`(async () => {
      const map = ${element};
      const [a, b] = map.map.artboards;
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      for (let n = 0; n < ${times}; n++) {
        const parent = map.parentNode;
        map.remove();
        parent.append(map);
        await frame();
        for (const { id } of [b, a]) {
          map.show(id);
          await frame();
        }
      }
    })()`);
  await use(5);
  const before = await kept();
  await use(40);
  const after = await kept();
  t.ok(after.listeners - before.listeners < 20, `${before.listeners}, then ${after.listeners} listeners`);
  t.ok(after.nodes - before.nodes < 40, `${before.nodes}, then ${after.nodes} nodes`);
});

t.test('hostile identifiers work as names, and styles in content are removed', { skip }, async (t) => {
  const ids = ['__proto__', 'constructor', '\ud800', 'plain'];
  const objects = ids.map((id, at) => spot(`Spot ${at}`, 100 + at * 100, 100, { id }));
  const styled = `<p style="color:red">Red</p><p title='a' STYLE = 'top:0'>and style="kept" in text</p>`;
  const popups = objects.map((object) => popupAt(object, { content: styled }));
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(project([artboard('all', objects)], popups)));
  for (const [at, id] of ids.entries()) {
    t.equal(await page.value(`${element}.open(${JSON.stringify(id)})`), true, id);
    t.equal(await page.value(`${inside('.popup h2')}.textContent`), `Spot ${at}`);
  }
  t.equal(await page.value(`${inside('.popup .content')}.textContent`), 'Redand style="kept" in text');
  t.equal(await page.value(`${inside('.popup [style]')}`), null);
  t.strictSame(page.complaints, [], 'the policy has nothing to complain about');
});

test.all('a map shows a document that the page assigns', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  site.setPage('/', '<mapwright-map></mapwright-map>');
  const page = await open(t, `${site.url}/`);
  await page.value(`${element}.map = ${JSON.stringify(map)}`);
  t.equal(await page.value(`${element}.open('${ids.hall}')`), true);
  t.equal(await page.value(`${inside('.message')}.hidden`), true);
  t.equal(await page.value(`${element}.map.artboards.length`), 2);
  t.equal(await page.value(`(() => { try { ${element}.map = 5; } catch (error) { return error.name; } })()`), 'TypeError');
});

test.all('popups are text on a page that forbids trusted types', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t, { policy: `${policy}; trusted-types 'none'` });
  const page = await open(t, site.pageWith(map));
  await page.value(`${element}.open('${ids.hall}')`);
  t.equal(await page.value(`${inside('.popup .content')}.textContent.replace(/\\s+/g, ' ')`), 'Room for 80 .');
  t.equal(await page.value(`${inside('.popup .content')}.children.length`), 0);
});

test.all('a map without artboards shows a message', { skip }, async (t) => {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(project([])));
  t.match(await page.value('events'), [['ready', { map: { artboards: [] } }]]);
  t.match(await page.value(`${inside('.message')}.textContent`), /nothing to show yet/);
  t.strictSame(page.complaints, []);
});

test.all('the list of twelve or more objects can be skipped by keyboard', { skip }, async (t) => {
  const rooms = Array.from({ length: 12 }, (_, at) => spot(`Room ${at}`, 50 + at * 50, 100));
  const site = await Site.open(t);
  const page = await open(
    t,
    site.pageWith(
      project(
        [artboard('Rooms', rooms)],
        rooms.map((room) => popupAt(room)),
      ),
    ),
  );
  await page.page.keyboard.press('Tab');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.textContent`), 'Skip the list');
  t.ok(Number(await page.value(`${inside('.skip')}.getBoundingClientRect().width`)) > 50, 'the button is visible');
  await page.page.keyboard.press('Enter');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.className`), 'canvas cooperative');
  const before = await page.value(`${inside('canvas')}.toDataURL()`);
  await page.page.keyboard.press('ArrowRight');
  await page.until(`${inside('canvas')}.toDataURL() !== ${JSON.stringify(before)}`);
});

test.all('on a touch screen one finger scrolls the page and two move the map', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map), { width: 390, options: { hasTouch: true } });
  const devtools = await page.page.context().newCDPSession(page.page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]): Promise<unknown> =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const before = await page.value(`${inside('canvas')}.toDataURL()`);
  await touch('touchStart', [200, 300]);
  for (let by = 10; by <= 60; by += 10) await touch('touchMove', [200, 300 - by]);
  await page.until(`${inside('.hint')}.classList.contains('shown')`);
  t.equal(await page.value(`${inside('.hint')}.textContent`), 'Use two fingers to move the map');
  await touch('touchEnd');
  t.equal(await page.value(`${inside('canvas')}.toDataURL()`), before);
  await touch('touchStart', [150, 300], [250, 300]);
  for (let by = 10; by <= 60; by += 10) await touch('touchMove', [150, 300 + by], [250, 300 + by]);
  await touch('touchEnd');
  await page.until(`${inside('canvas')}.toDataURL() !== ${JSON.stringify(before)}`);
});

test.all('the map is accessible (axe) in light, dark and on a phone', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  const url = site.pageWith(map, 'list search');
  site.set('/page.css', {
    type: 'text/css',
    body: ':root{color-scheme:light dark}html,body,main,mapwright-map{margin:0;height:100%}',
  });
  for (const looks of sampled([{}, { dark: true }, { width: 390 }], 1)) {
    const page = await open(t, url, looks);
    await page.value(`${element}.open('${ids.hall}')`);
    await page.until(popupIs(true));
    t.strictSame(await violations(page, 'page-has-heading-one'), [], JSON.stringify(looks));
    t.equal(await page.value('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is wider than the page');
  }
});

test.all('a map with many artboards and links finds them by index', { skip }, async (t) => {
  const count = 300;
  const objects = Array.from({ length: count }, (_, at) =>
    spot(`to ${at}`, (at * 7) % 800, (at * 11) % 600, {
      id: `o${at}`,
      click_action: 'change-artboard',
      click_action_artboard_id: `b${count - 1 - at}`,
    }),
  );
  const others = Array.from({ length: count }, (_, at) => artboard(`other ${at}`, [], { id: `b${at}` }));
  const site = await Site.open(t, { tiles: 'none' });
  const prepare = async (page: Page['page']): Promise<void> => {
    await recordEvents(page);
    await page.addInitScript({
      content: `
        globalThis.looked = 0;
        const { find } = Array.prototype;
        Array.prototype.find = function (test) { return find.call(this, (...each) => (looked++, test(...each))); };`,
    });
  };
  const page = await open(t, site.pageWith(project([artboard('first', objects), ...others]), 'list'), { prepare });
  t.ok(Number(await page.value('looked')) < 10 * count, 'a linear search would look at some ten thousand');
  await page.value(`${element}.shadowRoot.querySelector('.list li:nth-child(2) button').click()`);
  t.equal(await page.value(`${element}.shownArtboard.id`), `b${count - 2}`, 'and the link leads to its artboard');
});

test.all('the first of artboards, objects or popups with equal identifiers is used', { skip }, async (t) => {
  const [first, second] = [spot('first', 100, 100, { id: 'twice' }), spot('second', 300, 300, { id: 'twice' })];
  const site = await Site.open(t, { tiles: 'none' });
  const map = project(
    [artboard('A', [first, second], { id: 'same' }), artboard('B', [spot('other', 1, 1)], { id: 'same' })],
    [popupAt(first, { title: 'one' }), popupAt(first, { title: 'two' })],
  );
  const page = await open(t, site.pageWith(map));
  t.equal(await page.value(`${element}.open('twice')`), true);
  t.match(await page.value(`${inside('.popup h2')}.textContent`), 'one');
  t.equal(await page.value(`${element}.show('same') && ${element}.shownArtboard.name`), 'A');
});

test.all('cut content shows a note in the language of the page, and long content is shown in parts', { skip }, async (t) => {
  const [long, many] = [spot('long', 100, 100), spot('many', 300, 300)];
  const text = 'สวัสดี'.repeat(5000);
  const site = await Site.open(t, { tiles: 'none' });
  const popups = [popupAt(long, { content: `<p><b>${text}</b></p>` }), popupAt(many, { content: '<b>x</b>'.repeat(3000) })];
  for (const [lang, note] of [
    ['en', 'The rest of this text is too long to be shown.'],
    ['de', 'Der Rest dieses Textes ist zu lang und wird nicht gezeigt.'],
  ] as const) {
    const page = await open(t, site.pageWith(project([artboard('A', [long, many])], popups), `lang="${lang}"`));
    await page.value(`${element}.open('${many['id']}')`);
    t.equal(await page.value(`${inside('.popup .cut')}.textContent`), note);
    t.equal(await page.value(`${inside('.popup .content')}.textContent.length`), 2000);
    await page.value(`${element}.open('${long['id']}')`);
    t.equal(await page.value(inside('.popup .cut')), null);
    t.equal(await page.value(`${inside('.popup .content')}.textContent`), text);
    t.ok(
      Number(await page.value(`${element}.shadowRoot.querySelectorAll('.popup .part > p > b').length`)) > 5,
      'each part is bold',
    );
    t.strictSame(page.complaints, []);
  }
});
