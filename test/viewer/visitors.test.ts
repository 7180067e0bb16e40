// tier: normal
/** What visitors of a map see and reach, by mouse, touch and keyboard. */

import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { element, inside, keep, open, placeOf, popupIs, pressed } from './element-page.ts';
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
  const colourAt = async (x: number, y: number): Promise<string> => {
    const at = await placeOf(page, x, y);
    return `(() => {
      const { left, top } = ${inside('canvas')}.getBoundingClientRect();
      return picture(${inside('canvas')}).getImageData(${at[0]} - left, ${at[1]} - top, 1, 1).data.join();
    })()`;
  };
  await page.page.mouse.move(...(await placeOf(page, 550, 150)));
  await page.until(`${await colourAt(550, 150)} === '255,0,0,255'`);
  t.strictSame(await page.value(look), [true, 'pointer'], 'the room does something, and has no name to show');
  for (const x of [150, 350]) {
    await page.page.mouse.move(...(await placeOf(page, x, 150)));
    await page.until(`getComputedStyle(${inside('.canvas')}).cursor === 'grab'`);
    await page.until(`${await colourAt(550, 150)} === '22,163,74,255'`);
    t.equal(await page.value(await colourAt(x, 150)), '22,163,74,255', 'without a hover style');
    t.strictSame(await page.value(look), [true, 'grab']);
    await page.page.mouse.move(...(await placeOf(page, 550, 150)));
    await page.until(`${await colourAt(550, 150)} === '255,0,0,255'`);
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
  t.equal(await hash(), '#artboard-Upstairs');
  t.equal(await page.value(`${element}.shadowRoot.querySelectorAll('.artboards [tabindex="0"]').length`), 1, 'one stop of Tab');
  await page.value(`${element}.open('${ids.attic}')`);
  t.equal(await hash(), `#${ids.attic}`);
  await page.page.keyboard.press('Home');
  await page.page.keyboard.press('Escape');
  await page.value(`${element}.shadowRoot.querySelector('.popup .close').click()`);
  t.equal(await hash(), '#artboard-Upstairs', 'the floor without the popup');
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

test.all('the search goes to objects of all floors, opened with a button on the map', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, 'search="button" gestures="greedy"'), { width: 900, height: 640 });
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
