// tier: all
/**
 * The office with a library, a history and a comparison, as the documents show them.
 */
import t from 'tap';
import { type Affine, applied } from '../../src/web/console/shapes/affine.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { exampleText } from '../support/examples.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { ConsolePage, keepPictureOf as picture } from './console-page.ts';

t.setTimeout(600_000);

async function importOffice(mapwright: Mapwright) {
  const document = JSON.parse(exampleText('office.json')) as { project: { name: string } };
  document.project.name = 'Office';
  const { id } = (await mapwright.post('/projects/import', document)).shown;
  const floors = (await mapwright.get(`/projects/${id}/artboards`)).list as (Shown & { objects: Shown[] })[];
  return { id, floors };
}

t.test('the cards are as in the documents', { skip }, async (t) => {
  const time = { now: Date.UTC(2026, 5, 1, 8) };
  const mapwright = await startForRequests(t, { tiles: 'none', clock: () => time.now });
  const ids: string[] = [];
  for (const name of ['world-countries', 'us-counties', 'cities', 'office', 'shopping-centre']) {
    const document = JSON.parse(exampleText(`${name}.json`)) as { project: { name: string } };
    document.project.name = document.project.name.replace('Examples/', '');
    time.now += 3_600_000;
    ids.push((await mapwright.post('/projects/import', document)).shown.id);
  }
  await mapwright.post('/projects', { name: 'Campus/Ground floor', artboards: [{}] });
  await mapwright.post('/projects', { name: 'Campus/First floor', artboards: [{}] });
  await mapwright.ask('PUT', `/v1/projects/${ids[0]}/publication`);
  await mapwright.ask('PUT', `/v1/projects/${ids[3]}/publication`);
  await mapwright.patch(`/projects/${ids[3]}`, { name: 'Office, opened in May' });
  const opened = await ConsolePage.open(t, { mapwright, width: 1280, height: 620 });
  await opened.page.locator('.card img').nth(4).waitFor();
  await opened.page.locator('.badge', { hasText: 'changed since' }).waitFor();
  await opened.page.locator('.pick').nth(0).click();
  await opened.page.locator('.pick').nth(1).click();
  await picture(opened, 'cards');
});

t.test('the library, the history and a comparison of the office are as in the documents', { skip }, async (t) => {
  const time = { now: Date.UTC(2026, 5, 1, 8) };
  const mapwright = await startForRequests(t, { tiles: 'none', versions: true, clock: () => time.now });
  const { id, floors } = await importOffice(mapwright);
  const floor = floors[1] as (typeof floors)[0];
  for (const { id: artboard, name } of floors.slice(1)) {
    const { text } = await mapwright.get(`/projects/${id}/artboards/${artboard}/preview.svg?width=900`);
    const headers = { authorization: `Bearer ${mapwright.key}`, 'content-type': 'image/svg+xml' };
    const address = `http://127.0.0.1:${mapwright.port}/v1/projects/${id}/files?name=${encodeURIComponent(`${name}.svg`)}`;
    t.equal((await fetch(address, { method: 'POST', headers, body: text })).status, 200);
  }
  const at = `/projects/${id}`;
  const objects = `${at}/artboards/${floor.id}/objects`;
  const [first, second, third] = floor.objects.filter(({ type }) => type === 'poly') as [Shown, Shown, Shown];
  await mapwright.post(`${at}/versions`, { name: 'Opening of the ground floor' });
  time.now += 26 * 3_600_000;
  await mapwright.patch(`${objects}/${first.id}`, { name: 'Lobby', color: '#f59e0b' });
  time.now += 3 * 3_600_000;
  // The first change after a pause: the server keeps the state before.
  await mapwright.patch(`${objects}/${first.id}`, { name: 'Entrance' });
  await until('the automatic version', async () => (await mapwright.get(`${at}/versions?kind=automatic`)).list.length === 2);
  time.now += 3_600_000;
  await mapwright.post(`${at}/versions`, { name: 'Before the move to the second floor' });
  const { list: kept } = await mapwright.get(`${at}/versions`);
  await mapwright.delete(`${objects}/${second.id}`);
  const coords = (third['coords'] as { x: number; y: number }[]).map(({ x, y }) => ({ x: x + 30, y: y + 24 }));
  await mapwright.patch(`${objects}/${third.id}`, { coords });
  await mapwright.post(objects, { type: 'spot', name: 'Coffee bar', x: 560, y: 420, radius: 22, color: '#7c3aed' });
  // A session ends after 12 hours.
  const opened = await ConsolePage.open(t, { mapwright, project: id, width: 1280, height: 800 });
  const { page, recorded } = opened;
  await page.getByRole('button', { name: 'History' }).click();
  await page.locator('.version-row').nth(2).waitFor();
  await page.locator('.version-row').first().getByText('since the version before').waitFor();
  await page.locator('.version-row').nth(1).getByText('since the version before').waitFor();
  await picture(opened, 'history');

  const version = kept.find(({ name }) => name === 'Before the move to the second floor');
  await page.getByRole('button', { name: 'Compare Before the move' }).click();
  await page.locator('.change-filter').waitFor();
  t.ok(version);
  await page
    .locator('.artboard-row')
    .filter({ hasText: String(floor['name']) })
    .click();
  await page
    .locator('.list-row')
    .filter({ hasText: String(third['name']) })
    .click();
  await page.locator('.changed-members').waitFor();
  await opened.waitUntilStill('');
  await picture(opened, 'comparison');

  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pictures' }).click();
  await page.getByRole('button', { name: 'Move to the library' }).click();
  await page
    .locator('.panel')
    .getByText(/Moved \d+ picture/)
    .waitFor();
  await recorded.until(
    "[...document.querySelectorAll('.library-row img')].slice(0, 4).every((each) => each.complete && each.naturalWidth > 0)",
  );
  await page.locator('.toast.none').waitFor({ state: 'attached' });
  await picture(opened, 'pictures');

  t.strictSame(opened.complaints, []);
});

t.test('the dialog that aligns a new plan of the office is as in the documents', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { id, floors } = await importOffice(mapwright);
  const floor = floors[1] as (typeof floors)[0];
  const [width, height] = [Number(floor['width']), Number(floor['height'])];
  const at = `/projects/${id}/artboards/${floor.id}`;
  const walls = floor.objects.flatMap(({ coords }) => {
    const corners = ((coords ?? []) as { x: number; y: number }[]).map(({ x, y }) => `${x},${y}`);
    return corners.length === 0
      ? []
      : [`<polygon points="${corners.join(' ')}" fill="#eef2f6" stroke="#334155" stroke-width="6"/>`];
  });
  const planOf = (transform: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="${transform}">${walls.join('')}</g></svg>`;
  const plan = planOf('scale(1)');
  await mapwright.patch(at, { type: 'image', image_url: `data:image/svg+xml,${encodeURIComponent(plan)}` });
  const [angle, scale] = [(-9 * Math.PI) / 180, 0.82];
  const movement: Affine = {
    a: scale * Math.cos(angle),
    b: scale * Math.sin(angle),
    c: -scale * Math.sin(angle),
    d: scale * Math.cos(angle),
    e: 0.06 * width,
    f: 0.22 * height,
  };
  const { a, b, c, d, e, f } = movement;
  const turned = planOf(`matrix(${[a, b, c, d, e, f].join(' ')})`);
  const opened = await ConsolePage.open(t, { mapwright, project: id, width: 1400, height: 840 });
  const { page } = opened;
  await page
    .locator('.artboard-row')
    .filter({ hasText: String(floor['name']) })
    .click();
  const file = { name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(turned) };
  await page.locator('.picture-field input[type=file]').setInputFiles(file);
  await page.getByLabel('Align the new plan with three points').check();
  const stage = page.locator('.point-stage').nth(1);
  await stage.locator('img').evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
  const box = (await stage.boundingBox()) as { x: number; y: number; width: number; height: number };
  for (const [n, share] of [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.5, 0.8],
  ].entries()) {
    const [x = 0, y = 0] = share;
    const to = applied(movement, { x: x * width, y: y * height });
    await page.getByRole('button', { name: `Point ${n + 1} on the new plan` }).hover();
    await page.mouse.down();
    await page.mouse.move(box.x + (to.x / width) * box.width, box.y + (to.y / height) * box.height, { steps: 3 });
    await page.mouse.up();
  }
  await picture(opened, 'replace', 'dialog');
  t.strictSame(opened.complaints, []);
});
