// tier: normal
/** Links of a map to its own floors and objects, `#NAME`: on the page of the map, and within another page. */

import t, { type Test } from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { element, inside, open, placeOf, popupIs, pressed } from './element-page.ts';
import { artboard, box, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

/** Two floors. The popup of the desk leads everywhere; the stairs and the sign lead by a click. */
function floors() {
  const desk = spot('Desk', 200, 200);
  const cafe = spot('Café & bar', 400, 300);
  const stairs = box('Floor 2', 500, 100, 200, 200, { click_action: 'follow-link', click_action_url: '#Floor 2' });
  const sign = box('Sign', 500, 400, 200, 150, {
    click_action: 'follow-link',
    click_action_url: `#${cafe['id']}`,
    open_link_in_new_tab: true,
  });
  const content =
    '<p><a href="#Floor 2">up</a> <a href="#Caf%C3%A9%20&amp;%20bar">coffee</a> <a href=" #Sign">sign</a> ' +
    `<a href="#${cafe['id']}">by id</a> <a href="#contact">contact</a> <a href="https://away.example/#Floor 2">away</a></p>`;
  const popups = [
    popupAt(desk, { content, buttonText: 'Go up', buttonLink: '#Floor 2', openLinkInNewTab: true }),
    popupAt(cafe, { title: 'Coffee', buttonText: 'Back', buttonLink: '#Floor 1' }),
  ];
  const map = project([artboard('Floor 1', [desk, stairs, sign]), artboard('Floor 2', [cafe])], popups);
  return { map, desk: String(desk['id']), cafe: String(cafe['id']) };
}

const link = (text: string): string =>
  `[...${element}.shadowRoot.querySelectorAll('.popup a')].find(({ textContent }) => textContent === '${text}')`;

async function openDesk(page: Page, desk: string): Promise<void> {
  await page.value(`(${element}.show('Floor 1'), ${element}.open('${desk}'))`);
  await page.until(popupIs(true));
}

/** A page of another site with the map in it. */
async function host(t: Test, content = '<mapwright-map src="/p/demo"></mapwright-map><p id="contact">Contact</p>') {
  const made = floors();
  const site = await Site.open(t);
  site.publish('demo', made.map);
  site.setPage('/', content);
  return { ...made, page: await open(t, `${site.url}/?a=1`), address: `${site.url}/?a=1` };
}

t.test('links of a popup lead to floors and objects of an embedded map, and not to its page', { skip }, async (t) => {
  const { page, address, desk } = await host(t);
  const entries = await page.value('history.length');
  await openDesk(page, desk);
  await page.value(`${link('up')}.focus()`);
  await page.page.keyboard.press('Enter');
  await page.until(`${pressed}.textContent === 'Floor 2'`);
  t.equal(await page.value(popupIs(false)), true);
  t.equal(await page.value(`${element}.shadowRoot.activeElement?.className.includes('canvas')`), true, 'the focus stays');
  t.equal(await page.value(`${inside('.live')}.textContent`), 'Floor 2', 'screen readers hear it');

  for (const text of ['coffee', 'by id']) {
    await openDesk(page, desk);
    await page.page.locator('mapwright-map .popup a', { hasText: text }).click();
    await page.until(`${inside('.popup h2')}?.textContent === 'Coffee'`);
    t.equal(await page.value(`${pressed}.textContent`), 'Floor 2', text);
    t.equal(await page.value(`${element}.shadowRoot.activeElement?.className`), 'popup', 'the new popup has the focus');
  }
  await page.page.locator('mapwright-map .popup .action a').click();
  await page.until(`${pressed}.textContent === 'Floor 1'`);

  await openDesk(page, desk);
  await page.page.locator('mapwright-map .popup .action a').click();
  await page.until(`${pressed}.textContent === 'Floor 2'`);
  t.equal(page.page.context().pages().length, 1, 'in no new tab, whatever its button says');

  await openDesk(page, desk);
  await page.value(`${link('sign')}.click()`);
  await page.until(popupIs(false));
  t.equal(await page.value(`${pressed}.textContent`), 'Floor 1', 'an object without a popup');
  t.equal(page.page.url(), address);
  t.equal(await page.value('history.length'), entries);
  t.strictSame(page.complaints, []);
});

t.test('a click on an object follows its link within an embedded map', { skip }, async (t) => {
  const { page, address } = await host(t);
  await page.page.mouse.click(...(await placeOf(page, 600, 200)));
  await page.until(`${pressed}.textContent === 'Floor 2'`);
  t.equal(await page.value(`${inside('.live')}.textContent`), 'Floor 2', 'the floor, not the object of the same name');
  await page.value(`${element}.show('Floor 1')`);
  await page.page.mouse.click(...(await placeOf(page, 600, 475)));
  await page.until(`${inside('.popup h2')}?.textContent === 'Coffee'`);
  t.equal(page.page.url(), address);
  t.equal(page.page.context().pages().length, 1);
});

t.test('a fragment that names nothing of the map belongs to the page', { skip }, async (t) => {
  const { page, address, desk } = await host(t);
  await openDesk(page, desk);
  await page.page.locator('mapwright-map .popup a', { hasText: 'contact' }).click();
  await page.until("location.hash === '#contact'");
  t.equal(page.page.url(), `${address}#contact`);
  t.equal(page.page.context().pages().length, 1, 'in the same tab');
  t.equal(await page.value(popupIs(true)), true);
  t.equal(await page.value(`${link('away')}.target`), '_blank');
  const prevented = `(() => {
    addEventListener('click', (event) => { globalThis.left = !event.defaultPrevented; event.preventDefault(); }, { once: true });
    ${link('up')}.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, ctrlKey: true }));
    return left;
  })()`;
  t.equal(await page.value(prevented), true, 'a click for a new tab is left to the browser');
  t.equal(await page.value(`${pressed}.textContent`), 'Floor 1');
});

test.all('each of two maps on a page follows its own links', { skip }, async (t) => {
  const both = '<mapwright-map src="/p/demo"></mapwright-map>'.repeat(2);
  const { page, address, desk } = await host(t, both);
  await page.until("events.filter(([name]) => name === 'ready').length === 2");
  const shown = "[...document.querySelectorAll('mapwright-map')].map((map) => map.shownArtboard.name)";
  const second = "document.querySelectorAll('mapwright-map')[1]";
  await page.value(`${second}.open('${desk}')`);
  await page.value(`${second}.shadowRoot.querySelector('.popup a').click()`);
  t.strictSame(await page.value(shown), ['Floor 1', 'Floor 2']);
  t.equal(page.page.url(), address);
});

t.test('the page of the map has floors and objects in its address, by name too, and goes back', { skip }, async (t) => {
  const { map, desk } = floors();
  const site = await Site.open(t);
  const address = site.pageWith(map);
  const page = await open(t, `${address}#Caf%C3%A9 & bar`);
  await page.until(`${inside('.popup h2')}?.textContent === 'Coffee'`);
  await page.value(`location.hash = 'Floor 1'`);
  await page.until(`${pressed}.textContent === 'Floor 1'`);
  t.equal(await page.value(popupIs(false)), true);
  await openDesk(page, desk);
  t.equal(page.page.url(), `${address}#place=Desk`);
  await page.page.locator('mapwright-map .popup a', { hasText: 'coffee' }).click();
  await page.until("location.hash === '#artboard=Floor%202&place=Caf%C3%A9%20%26%20bar'");
  await page.page.goBack();
  await page.until(`${inside('.popup h2')}?.textContent === 'Desk'`);
  t.equal(await page.value(`${pressed}.textContent`), 'Floor 1');
  t.strictSame(page.complaints, []);
});
