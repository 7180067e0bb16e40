// tier: normal
/** Names, groups and the legend above a map. */

import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { Chance } from '../support/random.ts';
import { test } from '../support/test.ts';
import { element, inside, keep, open, placeOf, popupIs } from './element-page.ts';
import { artboard, box, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

const written = `[...${element}.shadowRoot.querySelectorAll('.name')].map(({ textContent }) => textContent).sort()`;
const groups = `[...${element}.shadowRoot.querySelectorAll('.group')]`;
const settled = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))';
/** Until the names have been in the same places for ten frames. */
const still = `new Promise((resolve) => {
  let before = '';
  let frames = 0;
  const look = () => {
    const now = JSON.stringify([...${element}.shadowRoot.querySelectorAll('.name')].map((each) => each.getBoundingClientRect()));
    frames = now === before ? frames + 1 : 0;
    before = now;
    if (frames === 10) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** A floor of shops, with lifts and a cash machine. */
function shops() {
  const look = { stroke_color: '#ffffff', stroke_width: 2 };
  const names = ['Bakery', 'Books and stationery', 'Café Zoë', 'Shoes', 'Pharmacy', 'Toys', 'Opticians', 'Flowers'];
  const colours = ['#fde68a', '#bfdbfe', '#fde68a', '#bfdbfe', '#bbf7d0', '#bfdbfe', '#bbf7d0', '#bfdbfe'];
  const rooms = names.map((name, at) =>
    box(name, 40 + (at % 4) * 180, at < 4 ? 40 : 380, 180, 180, { ...look, color: colours[at], opacity: 1 }),
  );
  const closet = box('Electrical installations', 40, 240, 30, 120, { color: '#cbd5e1', ...look });
  const spots = [spot('Lift', 400, 300), spot('Information', 250, 300), spot('Cash', 560, 300)];
  const settings = {
    labels: 'auto',
    legend: [
      { color: '#fde68a', name: 'Food and drink' },
      { color: '#bfdbfe', name: 'Shops' },
      { color: '#bbf7d0', name: 'Health' },
    ],
  };
  const objects = [...rooms, closet, ...spots];
  return {
    ...project(
      [artboard('Ground floor', objects)],
      objects.map((object) => popupAt(object)),
    ),
    settings,
  };
}

t.test('the colours of the legend look like the objects that have them', { skip }, async (t) => {
  const objects = [
    box('Shop', 40, 40, 300, 200, { color: '#ff0000', opacity: 0.6 }),
    box('Store', 40, 300, 300, 200, { color: 'rgb(255, 0, 0)', opacity: 0.6 }),
    box('Lift', 400, 40, 100, 100, { color: '#00ff0080', opacity: 0.5 }),
    box('Clear', 400, 300, 100, 100, { color: '#0000ff', opacity: 0.2 }),
    box('Dense', 600, 300, 100, 100, { color: '#0000ff', opacity: 1 }),
  ];
  const legend = ['#ff0000', '#0f0', '#0000ff', '#00ffff'].map((color) => ({ color, name: color }));
  const site = await Site.open(t);
  const map = { ...project([artboard('Floor', objects, { bg_color: '#ffeedd' })]), settings: { legend } };
  const page = await open(t, site.pageWith(map));
  const looks = `[...${element}.shadowRoot.querySelectorAll('.swatch')].map((swatch) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(swatch);
    return [backgroundColor, /gradient\\((rgb.*?\\))/.exec(backgroundImage)[1]].join(' ');
  })`;
  t.strictSame(await page.value(looks), [
    'rgb(255, 238, 221) rgba(255, 0, 0, 0.6)',
    'rgb(255, 238, 221) rgba(0, 255, 0, 0.25)',
    'rgb(255, 238, 221) rgb(0, 0, 255)',
    'rgb(255, 255, 255) rgb(0, 255, 255)',
  ]);
  t.strictSame(page.complaints, []);
});

test.all('names are written in polygons and next to spots, and the legend says what the colours mean', { skip }, async (t) => {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(shops()), { width: 1000, height: 760 });
  await page.until(`${written}.length === 11`);
  t.notOk(((await page.value(written)) as string[]).includes('Electrical installations'), 'it does not fit');
  const sizes = `[...${element}.shadowRoot.querySelectorAll('.name')].map((each) => getComputedStyle(each).fontSize + each.offsetHeight).sort().join()`;
  const before = await page.value(sizes);
  t.equal(await page.value(`${inside('.legend')}.open`), true);
  t.equal(await page.value(`${inside('.legend ul')}.innerText`), 'Food and drink\nShops\nHealth');
  await keep(page, 'viewer-names');
  const covered = `(() => {
    const boxes = [...${element}.shadowRoot.querySelectorAll('.name')].map((each) => each.getBoundingClientRect());
    return boxes.some((a) => boxes.some((b) => a !== b && a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top));
  })()`;
  for (let step = 0; step < 4; step++) {
    t.equal(await page.value(covered), false, 'no name covers another one');
    await page.value(`${inside('.controls button:nth-child(2)')}.click()`);
    await page.value(still);
  }
  t.ok(Number(await page.value(`${written}.length`)) < 11, 'fewer names on a smaller map');
  await page.value(`${element}.fit()`);
  await page.until(`${written}.length === 11`);
  t.equal(await page.value(sizes), before, 'in the same size');
  await page.value(`${element}.setAttribute('labels', 'all')`);
  await page.until(`${written}.length === 12`);
  await page.value(`${element}.setAttribute('labels', 'none')`);
  await page.until(`${written}.length === 0`);
  await page.value(`${element}.setAttribute('legend', 'off')`);
  t.equal(await page.value(`${inside('.legend')}.hidden`), true);
  const phone = await open(t, `${site.url}/p/demo`, { width: 390, height: 700, options: { hasTouch: true } });
  await phone.until(`${written}.length > 4`);
  t.equal(await phone.value(`${inside('.legend')}.open`), false, 'closed on a phone');
  await phone.page.touchscreen.tap(40, 672);
  await phone.until(`${inside('.legend')}.open`);
  t.strictSame([...page.complaints, ...phone.complaints], []);
});

t.test('no name is cut off at the edge of a phone', { skip }, async (t) => {
  const room = box('Meeting room', 440, 200, 360, 160);
  const edges = [spot('Information desk', 20, 100), spot('Toilets', 780, 100), spot('Cloakroom', 20, 580)];
  const site = await Site.open(t);
  const map = project([artboard('Ground floor', [room, ...edges])]);
  const page = await open(t, site.pageWith(map, 'labels="auto"'), { width: 390, height: 780 });
  const boxes = `[...${element}.shadowRoot.querySelectorAll('.name')].map((each) => each.getBoundingClientRect())`;
  const cut = `${boxes}.filter(({ left, right, top, bottom }) => left < 0 || right > 390 || top < 0 || bottom > 780).length`;
  await page.until(`${written}.length === 4`);
  t.equal(await page.value(cut), 0);
  await page.value(`${element}.open('${edges[0]?.['id']}')`);
  await page.value(still);
  for (const [labels, steps] of [
    ['auto', 3],
    ['all', 1],
  ] as const) {
    await page.value(`${element}.setAttribute('labels', '${labels}')`);
    for (let step = 0; step < steps; step++) {
      await page.value(`${inside('.controls button')}.click()`);
      await page.value(still);
      t.equal(await page.value(cut), 0, `${labels}, step ${step}`);
    }
  }
  t.strictSame(page.complaints, []);
});

test.all('names follow live data', { skip }, async (t) => {
  const map = shops();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  await page.until(`${written}.length === 11`);
  const [first] = ((map as Record<string, unknown>)['artboards'] as { objects: { id: string }[] }[])[0]?.objects ?? [];
  await page.value(`${element}.applyLive({ version: 1, objects: { '${first?.id}': { name: 'Closed' } } })`);
  await page.until(`${written}.includes('Closed') && !${written}.includes('Bakery')`);
});

/** Spots in three heaps. */
function crowd(count: number) {
  const chance = new Chance(1);
  const spots = Array.from({ length: count }, (_, at) => {
    const [x = 0, y = 0] =
      [
        [200, 200],
        [600, 250],
        [400, 500],
      ][at % 3] ?? [];
    const around = () => (chance.next() + chance.next() + chance.next() - 1.5) * 180;
    return spot(`Tree ${at}`, Math.round(x + around()), Math.round(y + around()), {
      radius: 4,
      id: `tree-${at}`,
      color: '#15803d',
    });
  });
  return {
    spots,
    map: project(
      [artboard('Park', spots, { bg_color: '#ecfccb' })],
      spots.map((each) => popupAt(each)),
    ),
  };
}

t.test('a group covers neither the chosen spot nor a name', { skip }, async (t) => {
  const crowded = Array.from({ length: 210 }, (_, at) =>
    spot(`Tree ${at}`, 300 + (at % 15), 300 + Math.floor(at / 15), { radius: 3 }),
  );
  const lake = box('A lake with a name', 200, 250, 220, 100, { color: '#38bdf8', label: 'always' });
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(project([artboard('Park', [lake, ...crowded])])), { width: 900, height: 700 });
  const bubbles = `${groups}.filter(({ style }) => style.visibility !== 'hidden')`;
  await page.until(`${bubbles}.length === 1 && ${written}.length === 1`);
  await page.value(still);
  t.equal(
    await page.value(`(() => {
      const [group, name] = [${groups}[0], ${inside('.name')}].map((each) => each.getBoundingClientRect());
      return name.bottom <= group.top || name.top >= group.bottom || name.right <= group.left || name.left >= group.right;
    })()`),
    true,
  );
  await page.value(`${element}.open('Tree 100')`);
  await page.until(`${bubbles}.length === 0`);
  await page.page.keyboard.press('Escape');
  await page.value(`${inside('.canvas')}.focus()`);
  await page.page.keyboard.press('Escape');
  await page.until(`${bubbles}.length === 1`);
  t.strictSame(page.complaints, []);
});

test.all('many spots are groups until the visitor zooms in', { skip }, async (t) => {
  const { map } = crowd(3000);
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, 'list'), { width: 1100 });
  await page.until(`${groups}.length > 10`);
  await keep(page, 'viewer-groups');
  const total = `${element}.shadowRoot.querySelector('.list li').getAttribute('aria-setsize')`;
  t.equal(await page.value(total), '3000', 'all spots are in the list');
  const texts = (): Promise<unknown> => page.value(`${groups}.map(({ textContent, style }) => textContent + style.transform)`);
  const before = (await texts()) as string[];
  await page.value(
    `${element}.applyLive({ version: 1, objects: { 'tree-0': { x: 10, y: 10 }, 'tree-1': { color: '#ff0000' } } })`,
  );
  await page.value(settled);
  t.strictSame(await texts(), before, 'live data does not regroup');
  const place = (await page.value(`(() => {
    const { left, top } = ${groups}.sort((a, b) => b.textContent - a.textContent)[0].getBoundingClientRect();
    return [left + 18, top + 18];
  })()`)) as [number, number];
  await page.page.mouse.move(...place);
  await page.until(`getComputedStyle(${inside('.canvas')}).cursor === 'pointer'`);
  t.equal(await page.value(`${inside('.label')}.hidden`), true);
  await page.page.mouse.click(...place);
  await page.until(
    `${groups}.map(({ textContent, style }) => textContent + style.transform).join() !== ${JSON.stringify(before.join())}`,
  );
  t.equal(await page.value(popupIs(false)), true, 'a click zooms');
  await page.value(`${element}.open('tree-2')`);
  t.equal(await page.value(popupIs(true)), true);
  await page.value(`${element}.setAttribute('cluster', 'off')`);
  t.equal(await page.value(`${groups}.length`), 0);
  await page.value(`${element}.fit(), ${element}.removeAttribute('cluster')`);
  await page.until(`${groups}.length > 10`);
  t.strictSame(page.complaints, []);
});

t.test('a group that no zoom separates opens its spots one after the other', { skip }, async (t) => {
  const spots = Array.from({ length: 600 }, (_, at) => spot(`Tree ${at}`, 400, 300, { radius: 4, id: `tree-${at}` }));
  const popups = spots.slice(0, 3).map((each, at) => popupAt(each, { title: `Popup ${at}` }));
  const site = await Site.open(t);
  const looks = { options: { reducedMotion: 'reduce' as const } };
  const page = await open(t, site.pageWith(project([artboard('Park', spots)], popups)), looks);
  await page.until(`${groups}.length === 1`);
  const titles: unknown[] = [];
  const click = async () => {
    const [x, y] = (await page.value(`(() => {
      const { left, top } = ${groups}[0].getBoundingClientRect();
      return [left + 18, top + 18];
    })()`)) as [number, number];
    await page.page.mouse.click(x, y);
    await page.value(settled);
  };
  // Zooms in until the first popup is open.
  for (let clicks = 0; clicks < 20 && (await page.value(popupIs(false))); clicks++) await click();
  for (let clicks = 0; clicks < 4; clicks++) {
    titles.push(await page.value(`${inside('.popup h2')}.textContent`));
    await click();
  }
  t.strictSame(titles, ['Popup 0', 'Popup 1', 'Popup 2', 'Popup 0']);
  t.strictSame(page.complaints, []);
});

t.test('a name of 20,000 characters has a few lines', { skip }, async (t) => {
  const names = ['very long '.repeat(2000), `${'x'.repeat(71)}\u{1f333}${'y'.repeat(20_000)}`];
  const spots = names.map((name, at) => spot(name, 400, 200 + 200 * at));
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(project([artboard('Park', spots)]), 'labels="all"'));
  await page.until(`${written}.length === 2`);
  t.strictSame(
    ((await page.value(written)) as string[]).toSorted(),
    [`${'very long '.repeat(8).slice(0, 72).trimEnd()}…`, `${'x'.repeat(71)}…`].toSorted(),
  );
  t.ok(Number(await page.value(`${inside('.name')}.offsetHeight`)) < 120);
});

t.test('a map that begins with cluster="off" shows each spot by itself', { skip }, async (t) => {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(crowd(600).map, 'cluster="off"'));
  await page.until(`${element}.shownArtboard?.name === 'Park'`);
  await page.value(settled);
  t.equal(await page.value(`${groups}.length`), 0);
  await page.value(`${element}.removeAttribute('cluster')`);
  await page.until(`${groups}.length > 0`);
  t.strictSame(page.complaints, []);
});

test.all('a map with fewer than 200 spots in view has no groups', { skip }, async (t) => {
  const { map } = crowd(199);
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  await page.value(settled);
  t.equal(await page.value(`${groups}.length`), 0);
  await page.page.mouse.click(...(await placeOf(page, 0, 0)));
  t.strictSame(page.complaints, []);
});
