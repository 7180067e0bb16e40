// tier: all
/** What the editor says and does so that nothing is lost or done by surprise: deletions, copies, equal names, names on the map, click actions. */
import t, { type Test } from 'tap';
import { type Looks, skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage, pointOf, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

async function open(t: Test) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await sampleProject(mapwright);
  const at = `/projects/${sample.project}`;
  const objects = `${at}/artboards/${sample.artboard}/objects`;
  const start = async (looks: Looks = {}) => {
    const opened = await ConsolePage.open(t, { mapwright, project: sample.project, ...looks });
    return { opened, page: opened.page };
  };
  return { ...sample, mapwright, at, objects, start };
}

/** 8 × 6 pixels. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEUlEQVR4nGOwbvqGFTEMpAQAxA9RkQE5O6UAAAAASUVORK5CYII=';

const selectedRows = "document.querySelectorAll('.list-row[aria-selected=true]').length";

t.test('after a deletion nothing is selected, and the next key goes on at its place', { skip }, async (t) => {
  const { mapwright, objects, start } = await open(t);
  for (const name of ['Third', 'Fourth']) await mapwright.post(objects, { type: 'spot', name, x: 600, y: 300 });
  const { opened, page } = await start();
  await opened.row('Room').click();
  await opened.press('Delete');
  await opened.row('Room').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await opened.recorded.value(selectedRows), 0);
  await page.keyboard.press('Delete');
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(objects)).list.length, 3, 'a second Delete deletes nothing');
  await page.keyboard.press('Tab');
  await opened.recorded.until("document.querySelector('.list-row[aria-selected=true]')?.textContent === 'Third'");
  await page.locator('.virtual-list').focus();
  await page.keyboard.press('Delete');
  await opened.row('Third').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await opened.recorded.value(selectedRows), 0);
  await page.keyboard.press('ArrowUp');
  await opened.recorded.until("document.querySelector('.list-row[aria-selected=true]')?.textContent === 'Spot'");
  t.strictSame(opened.complaints, []);
});

t.test('a deleted artboard says how many objects went with it, and comes back', { skip }, async (t) => {
  const { mapwright, at, start } = await open(t);
  await mapwright.post(`${at}/artboards`, { name: 'Attic' });
  const { opened, page } = await start();
  await page.locator('.artboard-row').filter({ hasText: 'Floor' }).click();
  await page.getByRole('button', { name: 'Delete Floor' }).click();
  await page.locator('.toast').filter({ hasText: 'Deleted Floor with 2 objects.' }).waitFor();
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.locator('.artboard-row').filter({ hasText: 'Floor' }).waitFor();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`${at}/artboards`)).list, [{ objects: [{}, {}] }, { name: 'Attic' }]);
  // Another step ends the offer: it would be the one that is taken back.
  await page.getByRole('button', { name: 'Delete Floor' }).click();
  await page.getByRole('button', { name: 'Bring it back' }).waitFor();
  await page.getByRole('button', { name: 'Add an artboard', exact: true }).click();
  await page.getByRole('button', { name: 'Bring it back' }).waitFor({ state: 'detached' });
  t.strictSame(opened.complaints, []);
});

t.test('Duplicate leads to the name of the copy, and the form of another object begins at its top', { skip }, async (t) => {
  const { start } = await open(t);
  const { opened, page } = await start();
  await opened.row('Spot').click();
  await page.locator('.inspector').getByRole('button', { name: 'Duplicate' }).click();
  await opened.recorded.until(
    "document.querySelectorAll('.list-row').length === 3 && document.activeElement.id === 'field-name'",
  );
  const top = () => opened.recorded.value("document.querySelector('.right').scrollTop");
  const toEnd = "(() => { const right = document.querySelector('.right'); right.scrollTo(0, 9999); return right.scrollTop; })()";
  const end = Number(await opened.recorded.value(toEnd));
  t.ok(end > 50, 'the form can be scrolled');
  await opened.press('ArrowRight');
  await opened.waitUntilSaved();
  t.equal(await top(), end, 'it stays where it is after a change of the same object');
  await opened.row('Room').click();
  await page.locator('.inspector h2').filter({ hasText: 'Room' }).waitFor();
  t.equal(await top(), 0);
  t.strictSame(opened.complaints, []);
});

t.test('a click action that hides the popup, or leads nowhere, is doubted', { skip }, async (t) => {
  const { mapwright, at, objects, spot, start } = await open(t);
  const other = (await mapwright.post(`${at}/artboards`, { name: 'Attic' })).shown.id;
  await mapwright.post(`${at}/popups`, { name: 'Hello', attachedTo: spot });
  const { opened, page } = await start();
  await opened.row('Spot').click();
  await opened.field('When clicked').selectOption('change-artboard');
  await page.getByText('Nothing is chosen: a click does nothing').waitFor();
  t.equal(await page.getByText('Visitors do not see this popup').count(), 0, 'then the popup opens');
  await opened.field('Artboard to show').selectOption(other);
  await page.getByText('Visitors do not see this popup: a click on the object shows another artboard.').waitFor();
  t.strictSame(await opened.violations(), []);
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(`${objects}/${spot}`)).shown['click_action_artboard_id'], other);
  await page.locator('.object-popups').getByRole('button', { name: 'Hello' }).click();
  await page.locator('.kind').filter({ hasText: 'popup' }).waitFor();
  await page.getByText('Visitors do not see this popup').waitFor();
  t.strictSame(opened.complaints, []);
});

t.test('popups with equal names are followed by object and artboard', { skip }, async (t) => {
  const { mapwright, at, spot, poly, start } = await open(t);
  for (const attachedTo of [spot, poly]) await mapwright.post(`${at}/popups`, { name: 'Desk', attachedTo });
  await mapwright.post(`${at}/popups`, { name: 'Only', attachedTo: spot });
  const { opened, page } = await start();
  await opened.showList('popup');
  await opened.row('Only').waitFor();
  t.strictSame(await page.locator('.list-row').allTextContents(), ['Desk Spot, Floor', 'Desk Room, Floor', 'Only']);
});

t.test(
  'names are on the map of the editor as they are published, and a button or N shows and hides them',
  { skip },
  async (t) => {
    const { start } = await open(t);
    const { opened, page } = await start();
    const names = page.locator('.map-names .name');
    const button = page.getByRole('button', { name: 'Names of objects (N)' });
    t.equal(await button.getAttribute('aria-pressed'), 'false');
    await opened.press('n');
    await names.filter({ hasText: 'Room' }).waitFor();
    t.strictSame((await names.allTextContents()).sort(), ['Room', 'Spot']);
    t.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.hover();
    const ground = (selector: string) => `getComputedStyle(document.querySelector('.tools ${selector}')).backgroundColor`;
    await opened.recorded.until(`${ground('button:hover')} === ${ground('[aria-pressed="true"]:not(:hover)')}`);
    t.pass('its icon is visible');
    await button.click();
    await names.first().waitFor({ state: 'detached' });
    const published = await open(t);
    await published.mapwright.patch(published.at, { settings: { labels: 'all' } });
    const other = await published.start();
    await other.page.locator('.map-names .name').filter({ hasText: 'Spot' }).waitFor();
    await other.opened.row('Spot').click();
    await other.opened.type('Name', 'Fountain');
    await other.page.locator('.map-names .name').filter({ hasText: 'Fountain' }).waitFor();
    t.strictSame(await other.opened.violations(), []);
    t.strictSame([...opened.complaints, ...other.opened.complaints], []);
  },
);

t.test('what is no colour, and several colours, are shown as a hatch', { skip }, async (t) => {
  const { mapwright, objects, poly, start } = await open(t);
  await mapwright.patch(`${objects}/${poly}`, { color: 'no colour' });
  const { opened, page } = await start();
  await opened.row('Room').click();
  const picker = page.locator('.field.colour input[type=color]').first();
  t.equal(await picker.getAttribute('class'), 'unknown');
  t.equal(await opened.row('Room').locator('.swatch.unknown').count(), 1);
  await opened.row('Spot').click();
  await page.locator('.inspector h2').filter({ hasText: 'Spot' }).waitFor();
  t.equal(await picker.getAttribute('class'), '');
  await opened.press('Control+a');
  await page.locator('.several-form, .resource-form').first().waitFor();
  await page.getByText('2 objects selected').first().waitFor();
  await page.locator('.field.colour input.unknown').first().waitFor();
});

t.test('a picture names the artboard that nobody has named', { skip }, async (t) => {
  const { mapwright, at, artboard, objects, start } = await open(t);
  for (const { id } of (await mapwright.get(objects)).list) await mapwright.delete(`${objects}/${id}`);
  await mapwright.patch(`${at}/artboards/${artboard}`, { name: 'Untitled Artboard' });
  const { opened, page } = await start();
  await page
    .locator('.artboards input[type=file]')
    .setInputFiles({ name: 'Ground floor.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await page.locator('.artboard-row').filter({ hasText: 'Ground floor' }).waitFor();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`${at}/artboards`)).list, [{ id: artboard, name: 'Ground floor', type: 'image' }]);
  await page.locator('.artboard-row').click();
  await page.locator('.picture-field img.thumb').waitFor();
  t.equal(await opened.recorded.value("document.querySelector('.thumb').naturalWidth"), 8, 'its field shows it');
  t.strictSame(opened.complaints, []);
});

t.test('objects that visitors cannot see are problems, each a link to its field', { skip }, async (t) => {
  const { mapwright, objects, spot, poly, start } = await open(t);
  await mapwright.patch(`${objects}/${spot}`, { radius: -5 });
  const coords = [0, 100, 50].map((x, n) => ({ x: x - 500, y: 100 * n }));
  await mapwright.patch(`${objects}/${poly}`, { coords });
  const { opened, page } = await start();
  await opened.showList('problems');
  const rows = page.locator('.problems li');
  await rows.filter({ hasText: 'Its radius is -5: the map does not show it.' }).waitFor();
  await rows.filter({ hasText: 'It is outside of its artboard' }).waitFor();
  t.equal(await rows.count(), 2);
  await rows.filter({ hasText: 'radius' }).getByRole('button').click();
  await opened.recorded.until("document.activeElement.id === 'field-radius'");
  await opened.type('Radius', '5');
  await rows.filter({ hasText: 'radius' }).waitFor({ state: 'detached' });
  t.strictSame(opened.complaints, []);
});

t.test('links that lead to no place of the map are problems, each a link to its field', { skip }, async (t) => {
  const { mapwright, at, objects, spot, poly, start } = await open(t);
  await mapwright.patch(`${objects}/${spot}`, { click_action: 'follow-link', click_action_url: '#Lift' });
  await mapwright.patch(`${objects}/${poly}`, { click_action: 'no-action', click_action_url: '#unused' });
  const links = '<a href="#Room">a</a> <a href="#Stairs">b</a> <a title="c" href=cafe>c</a> <a href="{Link}">d</a>';
  const content = `${links} <a href="/menu">e</a> <a href="https://maps.example/#x">f</a> <img src="cafe">`;
  await mapwright.post(`${at}/popups`, { name: 'Fountain', attachedTo: poly, content, buttonText: 'More', buttonLink: '#Exit' });
  const { opened, page } = await start();
  await opened.showList('problems');
  const rows = page.locator('.problems li');
  const row = (name: string, link: string) => rows.filter({ hasText: name }).filter({ hasText: `: ${link}: ` });
  await row('Spot', '#Lift').waitFor();
  for (const link of ['#Stairs', 'cafe', '#Exit']) await row('Fountain', link).waitFor();
  t.equal(await rows.count(), 4);
  t.equal(await page.getByText('Nothing to repair').count(), 0);
  t.strictSame(await opened.violations(), []);
  await row('Fountain', '#Stairs').getByRole('button').click();
  await opened.recorded.until("document.activeElement.id === 'field-content'");
  await opened.type('Content', '<a href="#Spot">b</a>');
  await row('Fountain', '#Exit').getByRole('button').click();
  await opened.recorded.until("document.activeElement.id === 'field-buttonLink'");
  await page.keyboard.press('Control+A');
  await page.keyboard.type('room');
  await page.keyboard.press('Enter');
  await row('Spot', '#Lift').getByRole('button').click();
  await opened.recorded.until("document.activeElement.id === 'field-click_action_url'");
  await page.keyboard.press('Control+A');
  await page.keyboard.type('ROOM');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing to repair').waitFor();
  t.strictSame(opened.complaints, []);
});

t.test('a chosen corner moves by 1, with Shift by 10, as the selection does', { skip }, async (t) => {
  const { mapwright, objects, poly, start } = await open(t);
  const { opened } = await start();
  await opened.row('Room').click();
  await opened.press('.', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Enter');
  await opened.waitUntilSaved();
  const corners = (await mapwright.get(`${objects}/${poly}`)).shown['coords'] as { x: number; y: number }[];
  const moved = corners.filter(({ x, y }) => ![100, 250].includes(x) || ![100, 200].includes(y));
  t.equal(moved.length, 1);
  t.ok([111, 261].includes(Number(moved[0]?.x)) && [110, 210].includes(Number(moved[0]?.y)), JSON.stringify(moved));
});

t.test('a marked blend mode is shown on the object before it is chosen, by pointer and by keys', { skip }, async (t) => {
  const { mapwright, objects, poly, start } = await open(t);
  const { opened, page } = await start();
  await opened.row('Room').click();
  const blend = page.getByRole('combobox', { name: 'Blend mode' });
  await blend.click();
  const before = await opened.picture();
  const groups = await page
    .locator('.blend [role=group]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  t.equal(groups.length, 4);
  await page.getByRole('option', { name: 'Screen', exact: true }).hover();
  await opened.waitUntilStill(before);
  const screened = await opened.picture();
  t.not(screened, before);
  await page.keyboard.press('Escape');
  await opened.recorded.until(`document.querySelector('.map canvas').toDataURL() === ${JSON.stringify(before)}`);
  t.equal((await mapwright.get(`${objects}/${poly}`)).shown['blend_mode'], 'normal', 'nothing is stored');
  await blend.focus();
  for (const _ of ['Normal', 'Multiply', 'Screen']) await page.keyboard.press('ArrowDown');
  await opened.recorded.until(`document.querySelector('.map canvas').toDataURL() === ${JSON.stringify(screened)}`);
  await page.keyboard.press('Enter');
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(`${objects}/${poly}`)).shown['blend_mode'], 'screen');
  t.strictSame(opened.complaints, []);
});

t.test('at 390 px, rows are reordered by a long press, and a corner is dragged by touch', { skip }, async (t) => {
  const { mapwright, objects, poly, start } = await open(t);
  for (const name of ['Third', 'Fourth']) await mapwright.post(objects, { type: 'spot', name, x: 600, y: 300 });
  const { opened, page } = await start({ width: 390, height: 780, options: { hasTouch: true } });
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints });
  const names = async () => (await mapwright.get(objects)).list.map(({ name }) => name);
  await page.locator('.panes').getByText('List').tap();
  const middle = async (name: string) => {
    const { x, y, height } = (await opened.row(name).boundingBox()) as { x: number; y: number; height: number };
    return { x: x + 60, y: y + height / 2 };
  };
  const [from, to] = [await middle('Spot'), await middle('Fourth')];
  await send('touchStart', from);
  await page.locator('.list-row.held').waitFor();
  for (const share of [0.3, 0.6, 1]) await send('touchMove', { x: from.x, y: from.y + (to.y - 12 - from.y) * share });
  await page.locator('.drop-line').waitFor();
  await send('touchEnd');
  await opened.waitUntilSaved();
  t.strictSame(await names(), ['Room', 'Third', 'Spot', 'Fourth']);
  // A short drag scrolls, and moves nothing.
  await send('touchStart', to);
  for (const by of [20, 40, 80]) await send('touchMove', { x: to.x, y: to.y - by });
  await send('touchEnd');
  t.strictSame(await names(), ['Room', 'Third', 'Spot', 'Fourth']);
  await opened.row('Room').tap();
  await page.locator('.panes').getByText('Map').tap();
  const [corner, target] = [await pointOf(opened, 250, 200), await pointOf(opened, 320, 260)];
  await send('touchStart', corner);
  for (const share of [0.3, 0.6, 1])
    await send('touchMove', { x: corner.x + (target.x - corner.x) * share, y: corner.y + (target.y - corner.y) * share });
  await send('touchEnd');
  await opened.waitUntilSaved();
  const corners = (await mapwright.get(`${objects}/${poly}`)).shown['coords'] as { x: number; y: number }[];
  t.ok(
    corners.some(({ x, y }) => Math.hypot(x - 320, y - 260) < 8),
    JSON.stringify(corners),
  );
  t.strictSame(opened.complaints, []);
});
