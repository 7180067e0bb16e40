// tier: all
/** The cards of projects in a browser: new, search, duplicate, delete, download, import, examples. */
import fs from 'node:fs';
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

t.test('the cards create, duplicate, search, download, import and delete projects', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page, mapwright } = opened;
  await page.getByRole('button', { name: 'New project' }).click();
  await page.locator('.map canvas').waitFor();
  await opened.type('Name', 'Museum');
  await opened.waitUntilSaved();
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.locator('.card-name', { hasText: 'Museum' }).first().waitFor();
  await page.getByRole('button', { name: 'More for Museum' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.locator('.card-name', { hasText: 'Museum (2)' }).waitFor();
  await page.getByLabel('Search projects').fill('(2)');
  t.equal(await page.locator('.card').count(), 1);
  await page.getByLabel('Search projects').fill('zoo');
  await page.getByText('No project matches “zoo”').waitFor();
  await page.getByLabel('Search projects').fill('');

  await page.getByRole('button', { name: 'More for Museum (2)' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.equal(await page.locator('.card').count(), 2, 'Escape deletes nothing');
  await page.getByRole('button', { name: 'More for Museum (2)' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted Museum (2)').waitFor();
  t.strictSame(
    (await mapwright.get('/projects?fields=name')).list.map(({ name }) => name),
    ['Museum'],
  );

  await page.locator('.card').getByText('Created ').waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More for Museum' }).click();
  await page.getByRole('menuitem', { name: 'Download' }).click();
  const download = await downloading;
  t.equal(download.suggestedFilename(), 'Museum.mapwright.json');
  const exported = fs.readFileSync(await download.path());
  await page.locator('.file-button input').setInputFiles({ name: 'copy.json', mimeType: 'application/json', buffer: exported });
  await page.locator('.map canvas').waitFor();
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Museum');
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.getByRole('button', { name: 'New project' }).waitFor();
  await page
    .locator('.file-button input')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await page.getByRole('alert').filter({ hasText: /file/ }).waitFor();
  t.equal((await mapwright.get('/projects')).list.length, 2);
  t.strictSame(opened.complaints, []);
});

t.test('the console loads the same examples as the command, with their references', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page, mapwright } = opened;
  await page.getByRole('button', { name: 'An example' }).click();
  await page.getByRole('button', { name: 'Load all five' }).click();
  await page.locator('.card', { hasText: 'Examples' }).getByText('5 projects').click();
  await page.locator('.card-name', { hasText: 'Office' }).waitFor();
  t.equal(await page.locator('.card').count(), 5);
  const projects = (await mapwright.get('/projects?fields=name')).list;
  t.equal(projects.length, 5);
  for (const { id, name } of projects) t.strictSame((await mapwright.get(`/projects/${id}/problems`)).list, [], String(name));
  const office = projects.find(({ name }) => name === 'Examples/Office')?.id;
  const text = (await mapwright.get(`/projects/${office}`)).text;
  t.notMatch(
    text,
    /"(?:object|artboard|variable|data_source):/,
    'no reference by name is left, in conditions and settings either',
  );
  t.notMatch(text, /00000000-0000-7000/, 'nor one of the file');
});
