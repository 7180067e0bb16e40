// tier: normal
/** What visitors of a map see and reach, by mouse, touch and keyboard. */

import { gzipSync } from 'node:zlib';
import t from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { colourAt, element, inside, isColour, keep, open, placeOf, popupIs, pressed, recordEvents } from './element-page.ts';
import { artboard, box, building, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

const listed = `[...${element}.shadowRoot.querySelectorAll('.list li')].map(({ textContent }) => textContent)`;

test.all('an object that has no name and does nothing is part of the picture', { skip }, async (t) => {
  const hover = { hover_color: '#ff0000', hover_opacity: 1 };
  const [wall, desk] = [box('Untitled Object', 100, 100, 100, 100, hover), box('  ', 300, 100, 100, 100, hover)];
  const [room, lift] = [
    box('Untitled Object', 500, 100, 100, 100, hover),
    box('Untitled Object', 100, 300, 100, 100, {
      ...hover,
      click_action: 'change-artboard',
      click_action_artboard_id: 'upper',
    }),
  ];
  const bare = spot('Untitled Object', 600, 400, hover);
  const map = project(
    [
      artboard('Downstairs', [wall, desk, room, lift, bare]),
      artboard('Upstairs', [], { id: 'upper' }),
      artboard('Untitled Artboard', []),
    ],
    [popupAt(room, { title: 'Library' }), popupAt(bare, { title: '' })],
  );
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, 'list'));
  t.strictSame(await page.value(listed), ['Library', 'Upstairs', 'Place 5']);
  t.equal(await page.value(`${inside('.artboards')}.lastChild.textContent`), 'Part 3');
  const look = `[${inside('.label')}.hidden, getComputedStyle(${inside('.canvas')}).cursor]`;
  await page.page.mouse.move(...(await placeOf(page, 550, 150)));
  await page.until(await isColour(page, 550, 150, '255,0,0'));
  t.strictSame(await page.value(look), [true, 'pointer'], 'the room does something, and has no name to show');
  for (const x of [150, 350]) {
    await page.page.mouse.move(...(await placeOf(page, x, 150)));
    await page.until(`getComputedStyle(${inside('.canvas')}).cursor === 'grab'`);
    await page.until(await isColour(page, 550, 150, '22,163,74'));
    t.equal(await page.value(await colourAt(page, x, 150)), '22,163,74', 'without a hover style');
    t.strictSame(await page.value(look), [true, 'grab']);
    await page.page.mouse.move(...(await placeOf(page, 550, 150)));
    await page.until(await isColour(page, 550, 150, '255,0,0'));
  }
  await page.page.mouse.click(...(await placeOf(page, 600, 400)));
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.className`), 'unseen', 'a popup of an object without a name has no heading');
  await page.page.keyboard.press('Escape');
  const ringed = `(() => {
    const { data } = picture(${inside('canvas')}).getImageData(0, 0, ${inside('canvas')}.width, ${inside('canvas')}.height);
    for (let at = 0; at < data.length; at += 4) if (data[at] === 29 && data[at + 1] === 78 && data[at + 2] === 216) return true;
    return false;
  })()`;
  await page.until(`!${ringed}`);
  t.equal(await page.value(`${element}.open('${wall['id']}')`), true);
  await page.until(ringed);
  t.notMatch(await page.value(`${element}.shadowRoot.textContent`), /Untitled/);
  t.strictSame(page.complaints, []);
});

t.test('the hover style is that of objects that do something, and a spot keeps its pin in it', { skip }, async (t) => {
  const hover = { hover_color: '#ffffff', hover_opacity: 1, opacity: 1 };
  const named = box('Corridor', 100, 100, 100, 100, hover);
  const desk = spot('Desk', 500, 300, { ...hover, radius: 60, pin: true });
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(project([artboard('Floor', [named, desk])], [popupAt(desk)])));
  await page.until(await isColour(page, 500, 300, '255,255,255'));
  await page.page.mouse.move(...(await placeOf(page, 540, 300)));
  await page.until(await isColour(page, 540, 300, '255,255,255'));
  t.equal(await page.value(await colourAt(page, 500, 300)), '37,99,235', 'the pin in the colour of its spot');
  await page.page.mouse.move(...(await placeOf(page, 150, 150)));
  await page.until(`${inside('.label')}.textContent === 'Corridor' && !${inside('.label')}.hidden`);
  await page.until(await isColour(page, 540, 300, '37,99,235'));
  t.equal(await page.value(await colourAt(page, 150, 150)), '22,163,74', 'only its name');
});

test.all('floors have a switch for the keyboard and an address', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map));
  const hash = (): Promise<unknown> => page.value('location.hash');
  await page.page.locator('mapwright-map .artboards [aria-pressed="true"]').focus();
  await page.page.keyboard.press('ArrowRight');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.textContent`), 'Upstairs');
  t.equal(await page.value(`${pressed}.textContent`), 'Downstairs', 'an arrow moves the focus only');
  await page.page.keyboard.press('Enter');
  t.equal(await page.value(`${pressed}.textContent`), 'Upstairs');
  t.equal(await hash(), '#artboard=Upstairs');
  t.equal(await page.value(`${element}.shadowRoot.querySelectorAll('.artboards [tabindex="0"]').length`), 1, 'one stop of Tab');
  await page.value(`${element}.open('${ids.attic}')`);
  t.equal(await hash(), '#artboard=Upstairs&place=Attic');
  await page.page.keyboard.press('Home');
  await page.page.keyboard.press('Escape');
  await page.value(`${element}.shadowRoot.querySelector('.popup .close').click()`);
  t.equal(await hash(), '#artboard=Upstairs', 'the floor without the popup');
  await page.page.locator('mapwright-map .artboards button').first().click();
  t.equal(await hash(), '', 'the first floor needs no name');
  await page.value("location.hash = 'Upstairs'");
  await page.until(`${pressed}.textContent === 'Upstairs'`);
  const again = await open(t, `${site.url}/p/demo#Upstairs`);
  t.equal(await again.value(`${pressed}.textContent`), 'Upstairs');
  t.equal(await again.value('location.hash'), '#Upstairs', 'a page that is opened keeps its address');
  await again.value(`${element}.setAttribute('switcher', 'off')`);
  t.equal(await again.value(`${inside('.artboards')}.hidden`), true);
  t.strictSame([...page.complaints, ...again.complaints], []);
});

t.test('the search is a button until it is used, and no control covers the plan', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  site.publish('demo', map);
  const covered = `(() => {
    const canvas = ${inside('canvas')};
    const { left, top } = canvas.getBoundingClientRect();
    const box = ${inside('.controls')}.getBoundingClientRect();
    const pixels = picture(canvas).getImageData(box.left - left, box.top - top, box.width, box.height).data;
    return pixels.some((value, at) => at % 4 === 3 && value > 0);
  })()`;
  for (const dir of ['ltr', 'rtl']) {
    site.setPage('/', `<div dir="${dir}"><mapwright-map src="/p/demo" search></mapwright-map></div>`);
    site.set('/page.css', { type: 'text/css', body: 'body{margin:0}mapwright-map{height:100vh;max-height:none}' });
    for (const [width, height] of [
      [1400, 900],
      [840, 700],
      [500, 500],
    ] as const) {
      const page = await open(t, `${site.url}/`, { width, height });
      const button = page.page.locator('mapwright-map .controls [aria-expanded]');
      t.equal(await page.value(`${inside('.view')}.clientWidth`), width, 'the map has the whole width');
      t.equal(await page.value(`${inside('.list input')}.hidden`), true);
      t.equal(await page.value(covered), false, `${dir}, ${width} pixels`);
      await button.click();
      t.equal(await page.value(`${element}.shadowRoot.activeElement.type`), 'search');
      await page.page.keyboard.press('Escape');
      t.equal(await page.value(`${inside('.view')}.clientWidth`), width);
      await page.value(`${element}.setAttribute('list', '')`);
      t.strictSame(
        await page.value(`[${inside('.list input')}.hidden, ${inside('.controls [aria-expanded]')}.hidden]`),
        [false, true],
        'with a list, the field is always there',
      );
      await page.page.close();
    }
  }
});

test.all('the search goes to objects of all floors, opened with a button on the map', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, 'search gestures="greedy"'), { width: 900, height: 640 });
  const focused = (): Promise<unknown> => page.value(`${element}.shadowRoot.activeElement?.textContent ?? null`);
  t.equal(await page.value(`${inside('.list')}.classList.contains('quiet')`), true);
  const button = page.page.locator('mapwright-map .controls [aria-expanded]');
  await button.focus();
  await page.page.keyboard.press('Enter');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.type`), 'search');
  await page.page.keyboard.type('ÄTTIC');
  t.strictSame(await page.value(listed), ['Attic · Upstairs']);
  await page.page.keyboard.press('ArrowDown');
  t.equal(await focused(), 'Attic · Upstairs');
  await keep(page, 'viewer-search');
  await page.page.keyboard.press('Enter');
  await page.until(popupIs(true));
  t.equal(await page.value(`${pressed}.textContent`), 'Upstairs');
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Attic');
  await page.page.keyboard.press('Escape');
  t.equal(await focused(), 'Attic', 'the focus is back in the results, which name no other floor now');
  await page.page.locator('mapwright-map input').fill('coffee');
  t.strictSame(await page.value(listed), ['Kitchen · Downstairs'], 'by the text of its popup');
  await page.page.locator('mapwright-map input').fill('wall');
  await page.page.keyboard.press('Enter');
  t.equal(await page.value(`${pressed}.textContent`), 'Downstairs', 'an object without a popup is shown, too');
  t.equal(await page.value(`${inside('.live')}.textContent`), 'Wall');
  await page.page.keyboard.press('Escape');
  t.equal(await page.value(`${inside('.list')}.classList.contains('quiet')`), true);
  t.equal(await page.value(`${element}.shadowRoot.activeElement.getAttribute('aria-expanded')`), 'false');
  t.strictSame(page.complaints, []);
});

/** A picture of a size, in one colour, with as many bytes as given. */
const picture = (width: number, height: number, colour: string, bytes = 0) => ({
  type: 'image/svg+xml',
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/><!--${'-x'.repeat(bytes / 2)}--></svg>`,
});

test.all('in a small frame the text of a popup comes before its picture', { skip }, async (t) => {
  const cinema = spot('Cinema', 400, 300);
  const popup = popupAt(cinema, { image: '/cinema.svg', content: 'Open <b>daily</b>\n10–22\n\n3 < 5 halls' });
  const site = await Site.open(t);
  site.set('/cinema.svg', picture(900, 900, '#7c3aed'));
  const url = site.pageWith(project([artboard('Ground', [cinema])], [popup]));
  const shown = `(() => {
    const [picture, content, frame] = ['.popup .picture', '.popup .content', '.view'].map((selector) => ${element}.shadowRoot.querySelector(selector).getBoundingClientRect());
    return { isBelow: picture.top >= content.bottom, share: picture.height / frame.height };
  })()`;
  for (const [width, height, isBelow] of [
    [1000, 700, false],
    [390, 700, true],
    [700, 360, true],
  ] as const) {
    const page = await open(t, url, { width, height });
    await page.value(`${element}.open('${cinema['id']}')`);
    await page.until(`${inside('.popup .picture')}.naturalWidth > 0`);
    const { isBelow: is, share } = (await page.value(shown)) as { isBelow: boolean; share: number };
    t.equal(is, isBelow, `${width} × ${height}`);
    t.ok(share > 0.1 && share <= 0.401, `${share} of the height`);
    t.equal(
      await page.value(`${inside('.popup .content')}.innerText`),
      'Open daily\n10–22\n\n3 < 5 halls',
      'with its line breaks',
    );
    await page.until(`(() => {
      const [card, frame] = ['.popup', '.view'].map((selector) => ${element}.shadowRoot.querySelector(selector).getBoundingClientRect());
      return card.top >= frame.top && card.bottom <= frame.bottom;
    })()`);
    t.strictSame(page.complaints, []);
  }
});

test.all('pictures of popups load when they are opened, so that a plan is there without them', { skip }, async (t) => {
  const rooms = Array.from({ length: 50 }, (_, at) => spot(`Room ${at}`, 100 + (at % 10) * 60, 100 + Math.floor(at / 10) * 80));
  const popups = rooms.map((room, at) =>
    popupAt(room, { image: `/rooms/${at}.svg`, content: `<p>View</p><img src="SITE/rooms/inside-${at}.svg">` }),
  );
  const site = await Site.open(t);
  const { body: script = '' } = site.find('/viewer.js', undefined as never);
  site.set('/viewer.js', { type: 'text/javascript', headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(script) });
  site.set('/plan.svg', picture(800, 600, '#fef3c7', 300_000));
  for (const [at, popup] of popups.entries()) {
    site.set(`/rooms/${at}.svg`, picture(400, 300, '#7c3aed', 1_000_000));
    site.set(`/rooms/inside-${at}.svg`, picture(400, 300, '#0891b2', 1_000_000));
    popup['content'] = String(popup['content']).replace('SITE', site.url);
  }
  const url = site.pageWith(project([artboard('Plan', rooms, { type: 'image', image_url: '/plan.svg' })], popups), 'list');
  const prepare = async (page: Page['page']): Promise<void> => {
    await recordEvents(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    // 10 Mbit/s
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 20, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 },
    });
  };
  const page = await open(t, url, { prepare });
  const seen = `${inside('canvas')} !== null && (() => {
    const { width, height } = ${inside('canvas')};
    return picture(${inside('canvas')}).getImageData(width / 2, height - 56, 1, 1).data.join() === '254,243,199,255';
  })()`;
  await page.until(seen);
  t.comment(`the plan is drawn after ${Math.round(Number(await page.value('performance.now()')))} ms at 10 Mbit/s`);
  const asked = (): string[] => site.requested.filter((path) => path.startsWith('/rooms/'));
  t.strictSame(asked(), [], 'no picture of 100 was requested');
  await page.value(`${element}.open('${rooms[7]?.['id']}')`);
  await page.until(`${inside('.popup .picture')}.naturalWidth > 0 && ${inside('.popup .content img')}.naturalWidth > 0`);
  t.strictSame(asked().sort(), ['/rooms/7.svg', '/rooms/inside-7.svg']);
  t.strictSame(page.complaints, []);
});

/** Two floors whose objects have popups with links; the room on the upper one is at its lower edge. */
function floors() {
  const links = '<p><a href="#Archive">Archive</a> <a href="#Lobby">Lobby</a></p>';
  const [lobby, archive, desk] = [
    box('Lobby', 40, 20, 300, 120),
    box('Archive', 400, 460, 300, 120),
    box('Desk', 400, 460, 300, 120),
  ];
  const more = [{ content: links + '<p>Line</p>'.repeat(30) }, { content: links, image: photo }];
  return project(
    [artboard('Ground floor', [lobby, desk]), artboard('Upper floor', [archive])],
    [popupAt(lobby, more[0]), popupAt(archive, more[0]), popupAt(desk, more[1])],
  );
}

const photo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="teal"/></svg>',
)}`;

/** Whether the name of an object is above its popup, in the view. */
const isAbovePopup = (name: string): string => `(() => {
  const written = [...${element}.shadowRoot.querySelectorAll('.name')].find(({ textContent }) => textContent === '${name}');
  const { top, bottom } = written?.getBoundingClientRect() ?? { top: -1, bottom: 0 };
  const sheet = ${inside('.popup')}.getBoundingClientRect();
  return top > 0 && bottom + 20 < sheet.top && sheet.height > 250;
})()`;

t.test('a search that takes height from the map closes when a result or a link is followed', { skip }, async (t) => {
  const site = await Site.open(t);
  const address = site.pageWith(floors(), 'labels="auto" search');
  const isListed = `${inside('.frame')}.classList.contains('listed')`;
  for (const [width, stays] of [
    [390, false],
    [1000, true],
  ] as const) {
    const page = await open(t, address, { width, height: 780 });
    const search = async (): Promise<void> => {
      if ((await page.value(isListed)) !== true) await page.value(`${inside('.controls button:last-child')}.click()`);
      await page.until(isListed);
    };
    await search();
    await page.page.locator('mapwright-map .list input').fill('lobby');
    await page.page.keyboard.press('Enter');
    await page.until(popupIs(true));
    t.equal(await page.value(isListed), stays, 'after a result');
    if (!stays) await page.until(isAbovePopup('Lobby'));
    await search();
    await page.value(`${inside('.popup .content a')}.click()`);
    await page.until(`${pressed}.textContent === 'Upper floor'`);
    t.equal(await page.value(isListed), stays, 'after a link');
    if (!stays) await page.until(isAbovePopup('Archive'));
    t.strictSame(page.complaints, []);
  }
});

t.test('the object that a link opens is above its popup on a phone', { skip }, async (t) => {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(floors(), 'labels="auto"'), { width: 390, height: 780 });
  t.equal(await page.value(`${element}.open('Lobby')`), true);
  await page.until(isAbovePopup('Lobby'));
  await page.value(`${inside('.popup .content a')}.click()`);
  await page.until(`${pressed}.textContent === 'Upper floor' && ${isAbovePopup('Archive')}`);
  await page.value(`${element}.open('Lobby')`);
  await page.until(isAbovePopup('Lobby'));
  t.equal(await page.value(`${element}.open('Desk')`), true);
  await page.until(`${inside('.popup .picture')}.naturalWidth > 0 && ${isAbovePopup('Desk')}`);
  t.strictSame(page.complaints, []);
});
