// tier: normal
/** Editing in a browser: forms, map, keys, undo and redo, pictures. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, clickAt, drag, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

async function open(t: Test, prepare: (page: Page) => Promise<void> = async () => undefined) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project: sample.project, prepare });
  const objects = `/projects/${sample.project}/artboards/${sample.artboard}/objects`;
  const stored = async (id: string): Promise<Shown> => (await mapwright.get(`${objects}/${id}`)).shown;
  return { ...sample, mapwright, opened, page: opened.page, objects, stored };
}

t.test('a changed field is saved in one request and can be undone', { skip }, async (t) => {
  const { opened, page, stored, spot } = await open(t);
  await opened.row('Spot').click();
  await opened.type('Name', 'Fountain');
  await opened.row('Fountain').waitFor();
  await opened.waitUntilSaved();
  t.equal((await stored(spot))['name'], 'Fountain');
  const writes = opened.recorded.asked.filter((asked) => !asked.startsWith('GET') && asked.includes('/projects/'));
  t.match(writes, [/\/batch$/], 'one request');
  t.equal(writes.length, 1);
  await opened.type('Fill', '#00ff00');
  await opened.waitUntilSaved();
  await opened.field('Pin').uncheck();
  await opened.waitUntilSaved();
  t.match(await stored(spot), { color: '#00ff00', pin: false });
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await opened.row('Spot').waitFor();
  await opened.waitUntilSaved();
  t.match(await stored(spot), { name: 'Spot', color: '#dc2626', pin: true });
  t.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true, 'there is nothing more to undo');
  for (let n = 0; n < 3; n++) await page.getByRole('button', { name: 'Redo' }).click();
  await opened.row('Fountain').waitFor();
  await opened.waitUntilSaved();
  t.match(await stored(spot), { name: 'Fountain', color: '#00ff00', pin: false });
  t.strictSame(opened.complaints, []);
});

test.all('refused input stays in its field with the reason', { skip }, async (t) => {
  const { opened, page, mapwright, project } = await open(t);
  const popup = (await mapwright.post(`/projects/${project}/variables`, { name: 'Numbers' })).shown;
  await opened.showList('variable');
  await opened.row('Numbers').click();
  const json = page.locator('#field-data_path-json');
  await page.getByRole('button', { name: 'Path as JSON' }).click();
  await json.fill('{"nodes": 1}');
  await json.press('Tab');
  await page.locator('.field.invalid .problem').waitFor();
  t.match(await page.locator('.field.invalid .problem').textContent(), /must be/);
  t.match(await page.locator('.save-state').textContent(), /Not saved/);
  t.match(await json.inputValue(), /"nodes": 1/, 'the input is still there');
  t.equal((await mapwright.get(`/projects/${project}/variables/${popup.id}`)).shown['data_path'] instanceof Object, true);
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await opened.waitUntilSaved();
  await json.fill('{nonsense');
  await json.press('Tab');
  await page.getByText('This is not JSON yet').waitFor();
});

test.all('spots and polygons can be drawn, dragged, reshaped, deleted and restored', { skip }, async (t) => {
  const { opened, page, mapwright, objects, stored, project, spot, poly } = await open(t);
  const list = async (): Promise<Shown[]> => (await mapwright.get(objects)).list;
  await drag(opened, [400, 300], [500, 350]);
  t.match(await stored(spot), { x: 400, y: 300 }, 'a drag moves only what is selected');
  await clickAt(opened, 400, 300);
  await page.locator('.inspector h2').filter({ hasText: 'Spot' }).waitFor();
  await drag(opened, [400, 300], [500, 350]);
  await opened.waitUntilSaved();
  const moved = await stored(spot);
  t.ok(Math.abs(Number(moved['x']) - 500) < 3 && Math.abs(Number(moved['y']) - 350) < 3, `${moved['x']}, ${moved['y']}`);
  t.equal(moved['radius'], 20);
  await opened.press('ArrowRight', 'Shift+ArrowDown');
  await opened.waitUntilSaved();
  const nudged = await stored(spot);
  t.ok(
    Math.abs(Number(nudged['x']) - Number(moved['x']) - 1) < 0.02 &&
      Math.abs(Number(nudged['y']) - Number(moved['y']) - 10) < 0.02,
  );

  await opened.press('s');
  await clickAt(opened, 600, 500);
  await opened.row('(no name)').waitFor();
  await opened.waitUntilSaved();
  const added = (await list()).at(-1) as Shown;
  t.match(added, { type: 'spot' });
  t.ok(Math.abs(Number(added['x']) - 600) < 3, `${added['x']}`);

  await opened.press('p');
  for (const [x, y] of [
    [550, 60],
    [700, 60],
    [700, 160],
  ] as const) {
    await clickAt(opened, x, y);
  }
  await opened.press('Enter', 'v');
  await opened.recorded.until("document.querySelectorAll('.list-row').length === 4");
  await opened.waitUntilSaved();
  t.match((await list()).at(-1), { type: 'poly', coords: [{}, {}, {}] });

  await opened.row('Room').click();
  await drag(opened, [250, 200], [300, 260]);
  await opened.waitUntilSaved();
  const [, , corner] = (await stored(poly))['coords'] as { x: number; y: number }[];
  t.ok(corner !== undefined && Math.abs(corner.x - 300) < 3 && Math.abs(corner.y - 260) < 3, JSON.stringify(corner));

  await page.getByRole('button', { name: 'Add a popup' }).click();
  await page.locator('.kind').filter({ hasText: 'popup' }).waitFor();
  await opened.type('Content', 'Hello');
  await opened.waitUntilSaved();
  await opened.showList('object');
  await opened.row('Room').click();
  await opened.press('Delete');
  await opened.row('Room').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.strictSame((await mapwright.get(`/projects/${project}/popups`)).list, [], 'its popup goes with it');
  await page.keyboard.press('Control+z');
  await opened.row('Room').waitFor();
  await opened.waitUntilSaved();
  const names = (await list()).map(({ name }) => name);
  t.strictSame(names, ['Spot', 'Room', '', ''], 'it is back in its place');
  const room = (await list()).find(({ name }) => name === 'Room') as Shown;
  t.equal(room.id, poly, 'with its identifier');
  t.match(
    (await mapwright.get(`/projects/${project}/popups`)).list,
    [{ content: 'Hello', attachedTo: room.id }],
    'with its popup',
  );
  await opened.press('Control+a', 'Control+d');
  await opened.recorded.until("document.querySelectorAll('.list-row').length === 8");
  await opened.press('Delete');
  await opened.recorded.until("document.querySelectorAll('.list-row').length === 4");
  await opened.row('Spot').click();
  await opened.press(']');
  await opened.recorded.until("document.querySelector('.list-row').textContent.includes('Room')");
  await opened.waitUntilSaved();
  t.strictSame((await list()).map(({ name }) => name).slice(0, 2), ['Room', 'Spot']);
  t.strictSame(opened.complaints, []);
});

test.all('an undo removes the notice of its action, and a refused deletion deletes nothing', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  // Without the timer that removes a notice.
  const noTimer = '{ const { setTimeout: real } = window; window.setTimeout = (f, ms) => (ms === 5000 ? 0 : real(f, ms)); }';
  const prepare = async (page: Page) => void (await page.addInitScript(noTimer));
  const opened = await ConsolePage.open(t, { mapwright, project, prepare });
  const { page } = opened;
  const toast = page.locator('.toast');
  await opened.press('Control+a', 'Delete');
  await toast.filter({ hasText: 'Deleted 2 objects.' }).waitFor();
  await page.keyboard.press('Control+z');
  await opened.row('Room').waitFor();
  await opened.recorded.until("document.querySelector('.toast').textContent === ''");
  const problem = { status: 403, code: 'quota_exceeded', title: 'Quota exceeded', detail: 'Not today.' };
  const answer = { status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) };
  await page.route('**/batch', (route) => route.fulfill(answer));
  await opened.row('Room').click();
  await opened.press('Delete');
  await toast.filter({ hasText: 'Not today.' }).waitFor();
  t.equal(await page.locator('.list-row').count(), 2);
  t.equal(await page.locator('.inspector h2').textContent(), 'Room', 'it is still selected');
});

test.all('a reference is chosen from a short list or searched in a long one', { skip }, async (t) => {
  const { opened, page, mapwright, project, artboard, objects } = await open(t);
  const { id } = (await mapwright.post(`/projects/${project}/popups`, { name: 'Hi' })).shown;
  await opened.showList('popup');
  await opened.row('Hi').click();
  await opened.field('Attached to').selectOption({ label: 'Room' });
  await opened.waitUntilSaved();
  const many = Array.from({ length: 120 }, (_, n) => ({ type: 'spot', name: `Desk ${n}` }));
  await mapwright.patch(`/projects/${project}/artboards/${artboard}`, {
    objects: [...(await mapwright.get(objects)).list, ...many],
  });
  // A list until the event of the change arrives.
  await page.locator('input#field-attachedTo').fill('desk 11');
  await page.getByRole('option', { name: 'Desk 117' }).waitFor();
  t.strictSame(await opened.violations(), []);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await opened.waitUntilSaved();
  await opened.recorded.until("document.querySelector('#field-attachedTo').value.startsWith('Desk')");
  const desk = (await mapwright.get(objects)).list.find(({ name }) => name === 'Desk 110');
  t.equal((await mapwright.get(`/projects/${project}/popups/${id}`)).shown['attachedTo'], desk?.id, 'the second match');
});

test.all('every keyboard shortcut of the map works', { skip }, async (t) => {
  const { opened, page, mapwright, objects } = await open(t);
  const pressed = (name: string) => page.getByRole('button', { name }).getAttribute('aria-pressed');
  const selected = () => opened.recorded.value("document.querySelector('.list-row[aria-selected=true]')?.textContent ?? ''");
  const changes = async (...keys: string[]) => {
    const before = await opened.picture();
    await opened.press(...keys);
    await opened.waitUntilStill(before);
    t.not(await opened.picture(), before, keys.join(' '));
  };
  await opened.press('s');
  t.equal(await pressed('Add spots (S)'), 'true');
  await opened.press('Enter');
  await opened.recorded.until("document.activeElement.id === 'field-name'");
  t.equal((await mapwright.get(objects)).list.length, 2, 'Enter on a spot edits it');
  await opened.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Shift+ArrowRight', 'Enter');
  await opened.row('(no name)').waitFor();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(objects)).list.at(-1), { x: 401, y: 330 }, 'at the cursor');
  await opened.press('P');
  t.equal(await pressed('Draw a polygon (P)'), 'true');
  await opened.press('Escape');
  t.equal(await pressed('Select and move (V)'), 'true', 'Escape leaves the tool');
  await opened.press('p', 'v');
  t.equal(await pressed('Select and move (V)'), 'true');
  await opened.press('Home');
  t.equal(await selected(), 'Spot');
  await opened.press('Tab');
  t.equal(await selected(), 'Room');
  await opened.press('Shift+Tab');
  t.equal(await selected(), 'Spot');
  await opened.press('Escape');
  t.equal(await selected(), '');
  await page.keyboard.press('Tab');
  t.equal(await opened.recorded.value("document.activeElement.closest('.map') === null"), true, 'Tab leaves the map');
  await changes('+');
  await changes('ArrowRight');
  await changes('-');
  await changes('0');
  await opened.press('Home', 'Control+c', 'Control+v');
  await opened.recorded.until("document.querySelectorAll('.list-row').length === 4");
  await opened.waitUntilSaved();
  t.match((await mapwright.get(objects)).list.at(-1), { name: 'Spot', x: 420, y: 320 }, 'a copy beside its original');
  await opened.press('[');
  await opened.recorded.until("document.querySelectorAll('.list-row')[2].textContent === 'Spot'");
  await opened.press('Enter');
  await opened.recorded.until("document.activeElement.id === 'field-name'");
  await opened.press('/');
  await opened.recorded.until("document.activeElement.id === 'list-search'");
  await opened.press('?');
  await page.getByRole('dialog').getByText('Keyboard shortcuts').waitFor();
});

test.all('members and choices beyond the contract can be edited', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, spot, poly } = await sampleProject(mapwright);
  const { id } = (await mapwright.post(`/projects/${project}/actions`, { name: 'Colour' })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  await opened.row('Spot').click();
  await opened.field('Reacts to the pointer').uncheck();
  await opened.waitUntilSaved();
  await opened.showList('action');
  await opened.row('Colour').click();
  await opened.field('Effect').selectOption('modify-objects');
  for (const name of ['Spot', 'Room']) {
    await page.getByRole('combobox', { name: 'Objects' }).fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await opened.waitUntilSaved();
  }
  t.strictSame(await opened.violations(), []);
  t.match((await mapwright.get(`/projects/${project}/actions/${id}`)).shown, {
    type: 'modify-objects',
    object_ids: [spot, poly],
  });
});

test.all('artboards can be moved in their list', { skip }, async (t) => {
  const { opened, page, mapwright, project } = await open(t);
  await mapwright.post(`/projects/${project}/artboards`, { name: 'Second' });
  await page.locator('.artboard-row').filter({ hasText: 'Second' }).click();
  await page.getByRole('button', { name: 'Move up in the list' }).click();
  await opened.recorded.until("document.querySelector('.artboard-row').textContent.includes('Second')");
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`/projects/${project}/artboards`)).list, [
    { name: 'Second' },
    { name: 'Floor', objects: [{}, {}] },
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.recorded.until("document.querySelector('.artboard-row').textContent.includes('Floor')");
});

test.all('a listed problem leads to its field', { skip }, async (t) => {
  const { opened, page, mapwright, project } = await open(t);
  await opened.showList('problems');
  await page.getByText('Nothing to repair').waitFor();
  const popups = (await mapwright.get(`/projects/${project}/popups`)).list.length;
  // Another user creates one.
  await mapwright.post(`/projects/${project}/popups`, { name: 'Lost', attachedTo: 'nothing' });
  await opened
    .listTab('popup')
    .filter({ hasText: `(${popups + 1})` })
    .waitFor();
  await page.locator('.problems button').filter({ hasText: 'Lost' }).click();
  await page.locator('.inspector h2').filter({ hasText: 'Lost' }).waitFor();
  t.equal(await opened.recorded.value('document.activeElement.id'), 'field-attachedTo');
  await page.locator('#field-content-hint').filter({ hasText: 'HTML or text' }).waitFor();
  const hints = await page.locator('.inspector .hint').allTextContents();
  t.notMatch(hints.join('\n'), /Identifier|follow-link/, 'no words of the API');
  await opened.field('Attached to').selectOption({ label: 'Spot' });
  await page.getByText('Nothing to repair').waitFor();
});
