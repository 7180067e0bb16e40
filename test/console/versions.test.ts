// tier: normal
/** Versions of a project in a browser: the history, looking at a version, comparing, restoring, copying. */
import t, { type Test } from 'tap';
import { type Looks, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

async function open(t: Test, looks: Looks & { readonly readOnly?: boolean } = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await sampleProject(mapwright);
  const at = `/projects/${sample.project}`;
  const objects = `${at}/artboards/${sample.artboard}/objects`;
  const opened = await ConsolePage.open(t, { mapwright, project: sample.project, ...looks });
  return { ...sample, mapwright, opened, page: opened.page, at, objects };
}

test.all('the editor still follows a project of which a version was kept', { skip }, async (t) => {
  const { opened, mapwright, at, objects, spot } = await open(t);
  await mapwright.post(`${at}/versions`, { name: 'Before' });
  await mapwright.patch(`${objects}/${spot}`, { name: 'Fountain' });
  await opened.row('Fountain').waitFor();
  t.strictSame(opened.complaints, []);
});

type Opened = Awaited<ReturnType<typeof open>>;

/** Keeps a version, and then changes, creates and deletes an object. */
async function withChanges({ mapwright, at, objects, spot, poly }: Opened, name = 'Before the summer'): Promise<Shown> {
  const version = (await mapwright.post(`${at}/versions`, { name })).shown;
  await mapwright.patch(`${objects}/${spot}`, { name: 'Fountain', x: 500, color: '#15803d' });
  await mapwright.delete(`${objects}/${poly}`);
  await mapwright.post(objects, { type: 'spot', name: 'Kiosk', x: 650, y: 150 });
  return version;
}

const project = async ({ mapwright, at }: Opened): Promise<Shown> => (await mapwright.get(at)).shown;

/** The projects of the account by name. */
const names = async ({ mapwright }: Opened): Promise<unknown[]> =>
  (await mapwright.get('/projects')).list.map(({ name }) => name);

test.all('versions are kept, renamed and deleted by keyboard alone', { skip }, async (t) => {
  const opened = await open(t);
  const { page, mapwright, at } = opened;
  const { keyboard } = page;
  const menuIsOpen = () => opened.opened.recorded.until("document.activeElement.getAttribute('role') === 'menuitem'");
  await page.getByRole('button', { name: 'History' }).focus();
  await keyboard.press('Enter');
  await page.getByText('No state is kept yet').waitFor();
  await page.getByLabel('Name of the present state').focus();
  await keyboard.type('Before the summer');
  await keyboard.press('Enter');
  await page.getByText('Kept “Before the summer”').waitFor();
  await page.locator('.version-row').getByText('by owner · 1 artboard, 2 objects').waitFor();
  await page.getByRole('button', { name: 'More for Before the summer' }).focus();
  await keyboard.press('Enter');
  await menuIsOpen();
  for (const key of ['ArrowDown', 'Enter']) await keyboard.press(key);
  await page.locator('.version-row input').waitFor();
  await keyboard.type('Spring');
  await keyboard.press('Enter');
  await page.locator('.version-row h4').getByText('Spring').waitFor();
  t.match((await mapwright.get(`${at}/versions`)).list, [{ name: 'Spring', kind: 'named' }]);
  await opened.opened.recorded.until("document.activeElement.getAttribute('aria-label') === 'More for Spring'");
  await keyboard.press('Enter');
  await menuIsOpen();
  for (const key of ['End', 'Enter']) await keyboard.press(key);
  await page.getByText('The version cannot be brought back').waitFor();
  for (const key of ['Tab', 'Enter']) await keyboard.press(key);
  await page.getByText('Deleted “Spring”').waitFor();
  t.strictSame((await mapwright.get(`${at}/versions`)).list, []);
  await keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  t.strictSame(opened.opened.complaints, []);
});

test.all('an open history shows what others keep, and how much changed', { skip }, async (t) => {
  const opened = await open(t);
  const { page, mapwright, at } = opened;
  await page.getByRole('button', { name: 'History' }).click();
  await withChanges(opened);
  await mapwright.post(`${at}/versions`, {});
  const newest = page.locator('.version-row').first();
  await newest.getByText('1 created, 1 changed, 1 deleted since the version before').waitFor();
  await newest.locator('h4').getByText('Kept').waitFor();
  await page.locator('.version-row').last().getByText('The first version').waitFor();
});

test.all('a version is read-only, and Esc leads back to it in the history', { skip }, async (t) => {
  const opened = await open(t);
  const { page, recorded } = { page: opened.page, recorded: opened.opened.recorded };
  await withChanges(opened);
  const before = await project(opened);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Look at Before the summer' }).click();
  await page.locator('.version-screen .map canvas').waitFor();
  await page.getByText('Nothing can be changed here').waitFor();
  await recorded.until("document.activeElement.tagName === 'H1'");
  await page.locator('.list-row').filter({ hasText: 'Room' }).click();
  await page.locator('.inspector h2').getByText('Room').waitFor();
  t.equal(
    await page.evaluate(
      "[...document.querySelectorAll('.resource-form input, .resource-form textarea, .resource-form select')].every((each) => each.readOnly || each.disabled)",
    ),
    true,
  );
  t.equal(await page.locator('.version-screen [aria-label=Tools], .version-screen .danger-text').count(), 0);
  await opened.opened.press('Delete', 'ArrowRight', 's', 'Control+z', 'Control+d', 'p');
  await page.keyboard.press('Escape');
  await recorded.until("document.querySelector('.inspector h2').textContent === 'Sample'");
  await page.keyboard.press('Escape');
  await recorded.until("document.activeElement.getAttribute('aria-label') === 'Look at Before the summer'");
  await page.goBack();
  await page.getByText('Nothing can be changed here').waitFor();
  await page.goForward();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  t.strictSame(await project(opened), before);
  t.strictSame(opened.opened.complaints, []);
});

test.all('a comparison lists and marks what was created, changed and deleted', { skip }, async (t) => {
  const opened = await open(t);
  const { page, mapwright, at } = opened;
  const { id } = await withChanges(opened);
  await mapwright.patch(at, { settings: { legend: [] } });
  await page.evaluate(`location.hash = '#/p/${opened.project}/v/${id}/changes'`);
  await page.locator('.change-filter').waitFor();
  await page.locator('.map canvas').waitFor();
  await opened.opened.waitUntilStill('');
  const rows = page.locator('.list-row');
  t.strictSame((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).sort(), [
    '+ Created: Kiosk object',
    '~ Changed: Fountain object',
    '~ Changed: Sample project',
    '− Deleted: Room object',
  ]);
  for (const [kind, left] of [
    ['1 created', 3],
    ['1 deleted', 2],
  ] as const) {
    const marked = await opened.opened.picture();
    await page.getByRole('button', { name: kind }).click();
    await opened.opened.waitUntilStill(marked);
    t.equal(await rows.count(), left, `without ${kind} the list is shorter, and the map has fewer marks`);
  }
  await rows.filter({ hasText: 'Fountain' }).click();
  const texts = (await page.locator('.changed-members > div').allInnerTexts()).map((text) => text.split('\n').join(' '));
  t.strictSame(texts, ['Name Before Spot Now Fountain', 'X Before 400 Now 500', 'Fill Before #dc2626 Now #15803d']);
  await mapwright.patch(`${opened.objects}/${opened.spot}`, { name: 'Well' });
  await page.getByRole('button', { name: 'Compare again' }).click();
  await rows.filter({ hasText: 'Well' }).waitFor();
  t.strictSame(opened.opened.complaints, []);
});

test.all('a restore asks, is announced, and begins a new list of steps', { skip }, async (t) => {
  const opened = await open(t);
  const { page, mapwright, at } = opened;
  const before = await project(opened);
  await mapwright.post(`${at}/versions`, { name: 'First' });
  const other = await ConsolePage.open(t, { mapwright, project: opened.project });
  await opened.opened.row('Room').click();
  await opened.opened.type('Name', 'Hall');
  await opened.opened.waitUntilSaved();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Delete Hall' }).click();
  await opened.opened.row('Hall').waitFor({ state: 'detached' });
  await opened.opened.waitUntilSaved();
  await other.row('Spot').waitFor();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'More for First' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByText('The present state becomes a version first').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.version-row').first().waitFor();
  t.equal((await mapwright.get(opened.objects)).list.length, 1, 'nothing was restored');
  await page.getByRole('button', { name: 'More for First' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.locator('dialog').last().getByRole('button', { name: 'Restore', exact: true }).click();
  await page.locator('.toast').getByText('Restored “First”. The state before is in the history.').waitFor();
  for (const shown of [opened.opened, other]) await shown.row('Room').waitFor();
  t.strictSame((await project(opened))['artboards'], before['artboards']);
  for (const name of ['Undo', 'Redo']) t.equal(await page.getByRole('button', { name }).isDisabled(), true);
  await page.getByRole('button', { name: 'History' }).click();
  await page.locator('.version-row').getByText('Before the restore of First').waitFor();
  t.strictSame([...opened.opened.complaints, ...other.complaints], []);
});

test.all('a restore that the server refuses, or that would lose changes, says so', { skip }, async (t) => {
  const opened = await open(t);
  const { page, mapwright, objects } = opened;
  const { id } = await withChanges(opened);
  for (const each of (await mapwright.get(objects)).list) await mapwright.delete(`${objects}/${each.id}`);
  await mapwright.server.setLimits('ann', { members: 1 });
  await page.evaluate(`location.hash = '#/p/${opened.project}/v/${id}'`);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.locator('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.locator('dialog').getByRole('alert').getByText('Quota exceeded').waitFor();
  t.strictSame((await mapwright.get(objects)).list, []);
  await page.getByRole('button', { name: 'Cancel' }).click();
  t.match(opened.opened.complaints, [/status of 403/]);
});

test.all('a version becomes a new project', { skip }, async (t) => {
  const opened = await open(t);
  const { page } = opened;
  await withChanges(opened);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'More for Before the summer' }).click();
  await page.getByRole('menuitem', { name: 'Copy as a new project' }).click();
  await page.getByRole('link', { name: 'Open it' }).click();
  await opened.opened.row('Room').waitFor();
  t.strictSame((await names(opened)).sort(), ['Sample', 'Sample (Before the summer)']);
  t.strictSame(opened.opened.complaints, []);
});

test.all('a history of many versions comes by pages; failures can be repeated', { skip }, async (t) => {
  const opened = await open(t);
  const { page, mapwright, at } = opened;
  for (let n = 1; n <= 130; n++) await mapwright.post(`${at}/versions`, { name: `State ${n}` });
  let isRefused = true;
  await page.route('**/versions?*', (route) =>
    isRefused ? route.fulfill({ status: 500, json: { code: 'internal_error', detail: 'A file is damaged.' } }) : route.continue(),
  );
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('alert').getByText('A file is damaged.').waitFor();
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.version-row').nth(99).waitFor();
  t.equal(await page.locator('.version-row').count(), 100);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.locator('.version-row').nth(129).waitFor();
  t.equal(await page.locator('.version-row').last().locator('h4').textContent(), 'State 1');
  t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  await mapwright.post(`${at}/versions`, { name: 'Newest' });
  await page.locator('.version-row').getByText('Newest').waitFor();
  t.equal(await page.locator('.version-row').count(), 131, 'what was loaded stays loaded');
  await page.evaluate(`location.hash = '#/p/${opened.project}/v/none'`);
  await page.getByText('This version does not exist').waitFor();
  await page.getByRole('button', { name: 'Back to the history' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
});

test.all('with a key for reading, versions can be looked at and compared only', { skip }, async (t) => {
  const opened = await open(t, { readOnly: true });
  const { page } = opened;
  await withChanges(opened);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Compare Before the summer with the project as it is' }).waitFor();
  t.equal(await page.locator('.version-row .menu, .keep-form').count(), 0);
  await page.getByRole('button', { name: 'Look at Before the summer' }).click();
  await page.getByText('Nothing can be changed here').waitFor();
  t.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0);
});

for (const looks of [{ width: 390 }, { width: 1400 }, { dark: true }])
  test.all(`history and comparison are accessible and fit: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const opened = await open(t, looks);
    const { page } = opened;
    const check = async (screen: string) => {
      t.strictSame(await opened.opened.violations(), [], screen);
      t.equal(await opened.opened.fits(), true, `${screen} fits`);
    };
    await withChanges(opened, 'A version with a name that is as long as people make them when they are in a hurry');
    await page.getByRole('button', { name: 'History' }).click();
    await page.locator('.version-row').waitFor();
    await check('history');
    await page.getByRole('button', { name: 'More for A version' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await check('renaming');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Look at' }).click();
    await page.locator('.version-screen .map canvas').waitFor();
    await check('version');
    await page.getByRole('button', { name: 'Compared with now' }).click();
    await page.locator('.change-filter').waitFor({ state: 'attached' });
    await check('comparison');
    if ('width' in looks && looks.width === 390) await page.locator('.panes').getByRole('button', { name: 'List' }).click();
    await page.locator('.list-row').filter({ hasText: 'Fountain' }).click();
    await check('list of changes');
    if ('width' in looks && looks.width === 390) await page.locator('.panes').getByRole('button', { name: 'Form' }).click();
    await page.locator('.changed-members').waitFor();
    await check('before and now');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await check('question');
  });
