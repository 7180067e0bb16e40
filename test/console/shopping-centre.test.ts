// tier: all
/** The map of a shopping centre by mouse, by keyboard alone, and at 390 pixels by touch: each with at most 90 actions. */
import type { Locator } from 'playwright-core';
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { pointOf } from './console-page.ts';
import { colours, type Hands, MapMaker, makeMap, type Point, rooms, type Spot } from './shopping-centre.ts';

t.setTimeout(600_000);

/** A mouse, and keys where they are quicker. */
function mouseHands(maker: MapMaker): Hands {
  const { page, opened } = maker;
  const clickMap = async ([x, y]: Point, what: string) => {
    const at = await pointOf(opened, x, y);
    await maker.act(what, () => page.mouse.click(at.x, at.y));
  };
  const fill = async (colour: string) => {
    await maker.act('click Fill', () => opened.field('Fill').click({ clickCount: 3 }));
    await maker.type(colour);
  };
  const choose = async (label: string, option: string) => {
    await maker.act(`open ${label}`, () => opened.field(label).focus());
    await maker.act(`choose ${option}`, () => opened.field(label).selectOption({ label: option }));
  };
  return {
    start: (plan) => maker.drop(plan, '.cards-screen'),
    async nameProject(name) {
      await maker.click('the title', page.locator('button.title'));
      await maker.focused('field-name');
      await maker.type(name);
    },
    addFloor: (plan) => maker.drop(plan, '.map-pane'),
    async drawRooms(at) {
      await maker.click('the rectangle tool', page.getByRole('button', { name: 'Draw a rectangle (R)' }));
      for (const [n, room] of rooms.entries()) {
        await maker.drag(room, 'mouse');
        await maker.objects(n + 1);
        if (n === 0) await fill(colours[at] as string);
        if (n === 3) await fill(colours[1 - at] as string);
      }
    },
    async nameRooms(names) {
      await maker.press('Control+a');
      await page.locator('.inspector h2').filter({ hasText: '5 objects selected' }).waitFor();
      await maker.press('Enter');
      await maker.focused('name-pattern');
      await maker.type(names.join(', '));
      await maker.press('Enter');
    },
    async placeSpots(spots) {
      await maker.click('the spot tool', page.getByRole('button', { name: 'Add spots (S)' }));
      for (const [n, spot] of spots.entries()) {
        await clickMap(spot.at, 'click a place');
        await maker.objects(6 + n);
        await maker.press('Enter');
        await maker.focused('field-name');
        await maker.type(spot.name);
        if (spot.popup === '') continue;
        await maker.click('Add a popup', page.getByRole('button', { name: 'Add a popup' }));
        await maker.focused('field-content');
        await maker.type(spot.popup);
        const button = page.locator('.picture-field .file-button').first();
        await maker.choose('photo', () => maker.click('Choose a picture', button));
        await maker.hasPhoto();
      }
    },
    async showFloor(plan) {
      await maker.click(plan, page.locator('.artboard-row').filter({ hasText: plan }));
    },
    async link(spot, plan) {
      // The last spot of the upper floor is still selected.
      if (spot === 'Stairs up') await maker.click(spot, opened.row(spot));
      await choose('When clicked', 'Show another artboard');
      await choose('Artboard to show', plan);
    },
    async publish() {
      await maker.click('Publish', page.getByRole('button', { name: 'Publish', exact: true }));
      await maker.click('Publish in the panel', page.locator('.panel').getByRole('button', { name: 'Publish', exact: true }));
    },
  };
}

/** Keys alone: each press counts. */
function keyHands(maker: MapMaker): Hands {
  const { page, opened } = maker;
  const { recorded } = opened;
  const onMap = () => recorded.until("document.activeElement?.classList.contains('map') === true");
  const inList = () => recorded.until("document.activeElement?.closest('.left') != null");
  const presses = async (...keys: readonly string[]) => {
    for (const key of keys) await maker.press(key);
  };
  /** Types places for the tool in use. */
  const places = async (text: string) => {
    await onMap();
    await maker.act(`type ${text}`, async () => {
      await page.keyboard.press(text[0] as string);
      await maker.focused('typed-place');
      await page.keyboard.type(text.slice(1));
    });
    await maker.press('Enter');
    await onMap();
  };
  const selected = (text: string) => page.locator('.inspector h2').filter({ hasText: text }).waitFor();
  const names = async (list: readonly string[]) => {
    await selected(`${list.length} objects selected`);
    await maker.press('Enter');
    await maker.focused('name-pattern');
    await maker.type(list.join(', '));
    await maker.press('Enter');
    await onMap();
  };
  const fill = async (colour: string) => {
    await maker.press('f');
    await maker.focused('field-color');
    await maker.type(colour);
    await maker.press('Enter');
    await onMap();
  };
  const popup = async (spot: Spot) => {
    await selected(spot.name);
    await maker.press('a');
    await maker.focused('field-content');
    await maker.type(spot.popup);
    await presses('Shift+Tab', 'Shift+Tab');
    await maker.choose('photo', () => maker.press('Space'));
    await maker.hasPhoto();
    await maker.press('Shift+F6');
    await onMap();
  };
  return {
    async start(plan) {
      await page.locator('.start').first().waitFor();
      await presses('Tab', 'Tab');
      await maker.choose(plan, () => maker.press('Space'));
    },
    async nameProject(name) {
      await onMap();
      await maker.press('F6');
      await maker.focused('field-name');
      await maker.type(name);
      await maker.press('Enter');
    },
    async addFloor(plan) {
      await maker.press('Shift+F6');
      await inList();
      await maker.choose(plan, () => maker.press('Space'));
    },
    async drawRooms(at) {
      await onMap();
      if (at === 1) {
        await maker.press('Control+v');
        return;
      }
      await maker.press('r');
      await places(rooms.slice(0, 3).join(', '));
      await maker.objects(3);
      await fill(colours[0]);
      await places(rooms.slice(3).join(', '));
      await maker.objects(5);
      await fill(colours[1]);
    },
    async nameRooms(list) {
      const isFirst = !(await opened.page.locator('.inspector h2').filter({ hasText: '5 objects selected' }).isVisible());
      if (isFirst) await maker.press('Control+a');
      await names(list);
      // The rooms of the next floor are the same.
      if (isFirst) await maker.press('Control+c');
    },
    async placeSpots(spots) {
      await maker.press('s');
      await places(spots.map(({ at }) => at.join()).join(', '));
      await maker.objects(5 + spots.length);
      await names(spots.map(({ name }) => name));
      for (const [n, spot] of spots.toReversed().entries()) {
        await maker.press(n === 0 ? 'End' : 'Shift+Tab');
        if (spot.popup !== '') await popup(spot);
      }
    },
    async showFloor() {
      await maker.press('Shift+F6');
      await onMap();
      await maker.press('PageUp');
    },
    async link(spot, plan) {
      await maker.press('End');
      await selected(spot);
      await maker.press('k');
      await maker.focused('field-click_action');
      await maker.type('Show');
      await opened.field('Artboard to show').waitFor();
      await maker.press('Tab');
      await maker.type(plan);
    },
    async publish() {
      await maker.press('F6');
      await inList();
      await presses('Shift+Tab', 'Shift+Tab', 'Enter');
      await recorded.until("document.activeElement?.matches('.panel .primary') === true");
      await maker.press('Enter');
    },
  };
}

/** Fingers: taps, drags, the keyboard of the screen. */
function touchHands(maker: MapMaker): Hands {
  const { page, opened } = maker;
  const tap = (what: string, locator: Locator) => maker.act(`tap ${what}`, () => locator.tap());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const go = (pane: 'List' | 'Map' | 'Form') => tap(pane, page.locator('.panes').getByText(pane));
  const tapMap = async ([x, y]: Point, what: string) => {
    const at = await pointOf(opened, x, y);
    await maker.act(what, () => page.touchscreen.tap(at.x, at.y));
  };
  const fill = async (colour: string) => {
    await go('Form');
    await maker.act('tap Fill', () => opened.field('Fill').tap());
    await opened.field('Fill').selectText();
    await maker.type(colour);
    await maker.press('Enter');
  };
  const choose = async (label: string, option: string) => {
    await maker.act(`open ${label}`, () => opened.field(label).focus());
    await maker.act(`choose ${option}`, () => opened.field(label).selectOption({ label: option }));
  };
  const fromMenu = async (item: string) => {
    await tap('the menu of the objects', button('Select, copy, paste'));
    await tap(item, page.getByRole('menuitem', { name: item }));
  };
  return {
    start: (plan) => maker.choose(plan, () => tap('A plan', page.locator('.start').first())),
    async nameProject(name) {
      await tap('the title', page.locator('button.title'));
      await maker.focused('field-name');
      await maker.type(name);
      await maker.press('Enter');
    },
    async addFloor(plan) {
      await go('List');
      await maker.choose(plan, () => tap('the button for a picture', page.locator('.artboards .file-button')));
    },
    async drawRooms(at) {
      if (at === 1) {
        await go('List');
        await fromMenu('Paste objects');
        return;
      }
      await tap('the rectangle tool', button('Draw a rectangle (R)'));
      for (const [n, room] of rooms.entries()) {
        await maker.drag(room, 'finger');
        await maker.objects(n + 1);
        if (n === 0) await fill(colours[0]);
        if (n === 3) await fill(colours[1]);
      }
    },
    async nameRooms(names) {
      const isFirst = names.includes('Bakery');
      if (isFirst) {
        await go('List');
        await fromMenu('All objects of the artboard');
        // The rooms of the next floor are the same.
        await fromMenu('Copy the selected objects');
      }
      await go('Form');
      await page.locator('#name-pattern').waitFor({ state: 'attached' });
      if (!(await page.locator('#name-pattern').isVisible()))
        await tap('Names', page.locator('summary').filter({ hasText: 'Names' }));
      await tap('the names', page.locator('#name-pattern'));
      await page.locator('#name-pattern').selectText();
      await maker.type(names.join(', '));
      await maker.press('Enter');
    },
    async placeSpots(spots) {
      await tap('the spot tool', button('Add spots (S)'));
      for (const [n, spot] of spots.entries()) {
        await tapMap(spot.at, 'tap a place');
        await maker.objects(6 + n);
        await tapMap(spot.at, 'tap the spot');
        await maker.focused('field-name');
        await maker.type(spot.name);
        if (spot.popup !== '') {
          await tap('Add a popup', button('Add a popup'));
          await maker.focused('field-content');
          await maker.type(spot.popup);
          await maker.choose('photo', () => tap('Choose a picture', page.locator('.picture-field .file-button').first()));
          await maker.hasPhoto();
        }
        if (n < spots.length - 1) await go('Map');
      }
    },
    async showFloor(plan) {
      await go('List');
      await tap(plan, page.locator('.artboard-row').filter({ hasText: plan }));
    },
    async link(spot, plan) {
      if (spot === 'Stairs up') {
        await tap(spot, opened.row(spot));
        await go('Form');
      }
      await choose('When clicked', 'Show another artboard');
      await choose('Artboard to show', plan);
    },
    async publish() {
      await tap('Publish', button('Publish'));
      await tap('Publish in the panel', page.locator('.panel').getByRole('button', { name: 'Publish', exact: true }));
    },
  };
}

t.test('the shopping centre by mouse', { skip }, async (t) => {
  const maker = await MapMaker.open(t);
  await makeMap(t, maker, mouseHands(maker), 'by mouse');
});

t.test('the shopping centre by keyboard alone', { skip }, async (t) => {
  const maker = await MapMaker.open(t);
  await makeMap(t, maker, keyHands(maker), 'by keyboard');
});

t.test('the shopping centre by touch on a phone', { skip }, async (t) => {
  const maker = await MapMaker.open(t, { width: 390, height: 844, options: { hasTouch: true, isMobile: true } });
  await makeMap(t, maker, touchHands(maker), 'by touch');
});
