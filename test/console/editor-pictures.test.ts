// tier: all
/** The editor with examples, as README and docs/console.md show it: `npm run pictures`. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { exampleText } from '../support/examples.ts';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { ConsolePage, keepPictureOf, pointOf } from './console-page.ts';

t.setTimeout(600_000);

const size = { width: 1280, height: 800 } as const;

/** The editor of an example, at one of its artboards. */
async function openExample(t: Test, file: string, artboard: string): Promise<ConsolePage & { readonly project: string }> {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const document = JSON.parse(exampleText(file)) as { project: { name: string } };
  document.project.name = document.project.name.replace('Examples/', '');
  const { id } = (await mapwright.post('/projects/import', document)).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: id, isAdvanced: false, ...size });
  await opened.page.locator('.artboard-row').filter({ hasText: artboard }).click();
  await opened.press('0');
  return Object.assign(opened, { project: id });
}

/** Waits until nothing moves and no notice is shown. */
async function settle(opened: ConsolePage): Promise<void> {
  await opened.waitUntilStill('');
  await opened.page.locator('.toast.none').waitFor({ state: 'attached' });
}

t.test('the ways to start', { skip }, async (t) => {
  const opened = await ConsolePage.open(t, { ...size, height: 620 });
  await opened.page.getByRole('heading', { name: 'Make your first map' }).waitFor();
  await keepPictureOf(opened, 'starts');
});

t.test('a shop of the shopping centre and its form', { skip }, async (t) => {
  const opened = await openExample(t, 'shopping-centre.json', 'Upper floor');
  await opened.row('Kindred').click();
  await opened.field('Name').waitFor();
  await settle(opened);
  await keepPictureOf(opened, 'editor');
  t.strictSame(opened.complaints, []);
});

t.test('several rooms of the office with handles', { skip }, async (t) => {
  const opened = await openExample(t, 'office.json', 'First floor');
  for (const [at, name] of ['Mercator', 'Ortelius', 'Waldseemüller'].entries())
    await opened
      .row(name)
      .first()
      .click(at === 0 ? {} : { modifiers: ['Control'] });
  await settle(opened);
  await keepPictureOf(opened, 'arrange');
  t.strictSame(opened.complaints, []);
});

t.test('a room that snaps to others', { skip }, async (t) => {
  const room = (name: string, color: string, x: number, y: number, width: number, height: number) => ({
    ...{ name, type: 'poly', color, opacity: 0.5, stroke_color: color, stroke_width: 2 },
    coords: [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ],
  });
  const objects = [
    room('Library', '#3b82f6', 60, 60, 240, 200),
    room('Studio', '#22c55e', 340, 60, 400, 140),
    room('Archive', '#f59e0b', 60, 300, 240, 220),
    room('Workshop', '#8b5cf6', 420, 330, 200, 140),
  ];
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const artboards = [{ name: 'Ground floor', width: 800, height: 600, objects }];
  const { id } = (await mapwright.post('/projects', { name: 'Library', artboards })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: id, isAdvanced: false, ...size });
  await opened.row('Workshop').click();
  const { mouse } = opened.page;
  const [from, to] = [await pointOf(opened, 520, 400), await pointOf(opened, 442, 372)];
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(to.x, to.y, { steps: 8 });
  await opened.waitUntilStill('');
  await keepPictureOf(opened, 'snapping');
  await mouse.up();
  t.strictSame(opened.complaints, []);
});

t.test('an office that is live, and a visitor in it', { skip }, async (t) => {
  const opened = await openExample(t, 'office.json', 'Ground floor');
  const { page } = opened;
  await page.getByRole('button', { name: 'Simulate data' }).click();
  // Its row is far down, among the created ones.
  await page.getByLabel('Search objects').fill('Ada');
  await opened.row('Ada').first().click();
  // People come one after the other.
  await page.locator('.live-effects', { hasText: /[2-9]\d created/ }).waitFor();
  await opened.waitUntilStill('');
  await keepPictureOf(opened, 'live');
  t.strictSame(opened.complaints, []);
});

t.test('a decision between two names of a room', { skip }, async (t) => {
  const opened = await openExample(t, 'office.json', 'Ground floor');
  const { page, mapwright } = opened;
  const floors = (await mapwright.get(`/projects/${opened.project}/artboards`)).list as (Shown & { objects: Shown[] })[];
  const floor = floors[1] as (typeof floors)[0];
  const reception = floor.objects.find(({ name }) => name === 'Reception') as Shown;
  await opened.row('Reception').first().click();
  await opened.field('Name').fill('Reception desk');
  await mapwright.patch(`/projects/${opened.project}/artboards/${floor.id}/objects/${reception.id}`, { name: 'Front desk' });
  await opened.row('Front desk').waitFor();
  await opened.field('Name').press('Tab');
  await page.getByText('Needs your decision').waitFor();
  await page.getByRole('button', { name: 'Decide' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use theirs' }).waitFor();
  await page.locator('.toast.none').waitFor({ state: 'attached' });
  await keepPictureOf(opened, 'conflict');
  t.strictSame(opened.complaints, []);
});

t.test('the panel of an import', { skip }, async (t) => {
  const opened = await ConsolePage.open(t, size);
  const { page } = opened;
  const file = path.join(projectRoot(import.meta.dirname), 'data', 'examples', 'files', 'filialen.csv');
  const start = page.locator('label.start', { hasText: 'Places from a file' });
  await start.locator('input').setInputFiles({ name: 'filialen.csv', mimeType: 'text/csv', buffer: fs.readFileSync(file) });
  await page.getByRole('button', { name: 'Import 200 objects', exact: true }).waitFor();
  await page.locator('.map canvas').waitFor();
  await opened.waitUntilStill('');
  await keepPictureOf(opened, 'import');
  t.strictSame(opened.complaints, []);
});
