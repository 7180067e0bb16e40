// tier: normal
/** Importing files in the console: drop and button, preview, choices, writing, undo and cancel. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import type { Shown } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage } from './console-page.ts';
import { choose, drop, openMore, ready, write } from './import-support.ts';

t.setTimeout(600_000);

/** A CSV as German spreadsheets write it. */
const shops = (count: number, first = 1): string =>
  [
    'Nr;Name;Breitengrad;Längengrad;Umsatz',
    ...Array.from({ length: count }, (_, i) => {
      const n = first + i;
      const decimal = (value: number): string => value.toFixed(4).replace('.', ',');
      return `S${n};Laden ${n};${decimal(52.4 + (n % 10) / 100)};${decimal(13.3 + (n % 7) / 100)};${n * 10}`;
    }),
  ].join('\n');

interface Read {
  readonly artboard: Shown;
  readonly objects: readonly Shown[];
  readonly settings: Record<string, unknown>;
}

/** The only project, with its first artboard. */
async function read({ mapwright }: ConsolePage): Promise<Read> {
  const [project] = (await mapwright.get('/projects')).list as unknown as readonly [Shown];
  const [artboard] = project['artboards'] as [Shown];
  return {
    artboard,
    objects: artboard['objects'] as Shown[],
    settings: project['settings'] as Record<string, unknown>,
  };
}

async function newProject(t: Parameters<typeof ConsolePage.open>[0], looks = {}): Promise<ConsolePage> {
  const opened = await ConsolePage.open(t, looks);
  await opened.page.getByRole('button', { name: 'New project' }).click();
  // A narrow screen shows the form, with the focus on the name.
  if ('width' in looks && looks.width === 390) await opened.page.locator('.panes').getByRole('button', { name: 'Map' }).click();
  await opened.page.locator('.map canvas').waitFor();
  return opened;
}

t.test('a dropped CSV is shown on the map, imported in colours, and taken back by one undo', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page } = opened;
  const before = await opened.picture();
  await drop(opened, '.map-pane', 'Läden.csv', shops(30));
  await ready(opened);
  t.not(await opened.picture(), before, 'the map shows what would be imported');
  t.equal((await read(opened)).objects.length, 0, 'and nothing is written');
  await openMore(opened);
  await choose(opened, 'Colour by', 'Umsatz');
  await page.getByRole('checkbox', { name: /legend/ }).waitFor();
  await page.getByLabel('Popup title').fill('{Name}');
  await page.getByText('The first 20 rows').click();
  await page.getByRole('cell', { name: 'Laden 20', exact: true }).waitFor();
  t.strictSame(await opened.violations(), []);
  await write(opened, 'Import 30 objects');
  const { artboard, objects, settings } = await read(opened);
  t.equal(artboard['type'], 'osm');
  t.ok(Math.abs(Number(artboard['osm_lat']) - 52.445) < 0.001, 'around the data');
  t.equal(objects.length, 30);
  t.equal(new Set(objects.map(({ color }) => color)).size, 5, 'five classes');
  t.equal((settings['legend'] as unknown[]).length, 5);
  t.match(settings['imports'], { [artboard.id]: { color: { column: 'Umsatz', by: 'value' }, popupTitle: '{Name}' } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  const after = await read(opened);
  t.match(after, { objects: [], settings: {}, artboard: { type: 'color', osm_lat: 0 } });
  t.strictSame(
    (await opened.mapwright.get(`/projects/${(await opened.mapwright.get('/projects')).list[0]?.id}/popups`)).list,
    [],
  );
  t.strictSame(opened.complaints, []);
});

test.all('a file that is dropped while the former one is refused takes its place', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page } = opened;
  for (const place of ['.map-pane', '.import-panel']) {
    await drop(opened, '.map-pane', 'broken.geojson', '{');
    await page.locator('.import-panel [role=alert]').waitFor();
    await drop(opened, place, 'shops.csv', shops(3));
    await page.getByRole('heading', { name: /shops\.csv/ }).waitFor();
    await ready(opened);
    await page.locator('.import-panel').getByRole('button', { name: 'Cancel' }).first().click();
    await page.locator('.import-panel').waitFor({ state: 'detached' });
  }
  await drop(opened, '.map-pane', 'shops.csv', shops(3));
  await ready(opened);
  await drop(opened, '.import-panel', 'others.csv', shops(4));
  t.match(await page.locator('#import-title').textContent(), /shops/, 'a file that can be imported stays');
  t.strictSame(opened.complaints, []);
});

test.all(
  'a second import updates objects by their key, and deletes the missing ones if the user says so',
  { skip },
  async (t) => {
    const opened = await newProject(t);
    const { page } = opened;
    await drop(opened, '.map-pane', 'shops.csv', shops(12));
    await ready(opened);
    await choose(opened, 'Key', 'Nr');
    await openMore(opened);
    await page.getByLabel('Popup title').fill('{Name}');
    await write(opened, 'Import 12 objects');
    const first = await read(opened);
    await page.locator('.list-actions input').setInputFiles({
      name: 'shops.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(shops(10, 6).replace('Laden 6;', 'Laden VI;')),
    });
    await ready(opened);
    t.equal(await page.getByRole('combobox', { name: 'Key', exact: true }).inputValue(), '0', 'the mapping is offered again');
    await page.getByText('5 objects with a key are no longer in the file').waitFor();
    await page.getByLabel('Delete them with their popups').check();
    await write(opened, 'Import 3 objects, update 7, delete 5');
    const second = await read(opened);
    t.strictSame(
      second.objects.map(({ key }) => key),
      Array.from({ length: 10 }, (_, i) => `S${6 + i}`),
    );
    const idOf = ({ objects }: Read, key: string) => objects.find((object) => object['key'] === key)?.id;
    t.equal(idOf(second, 'S6'), idOf(first, 'S6'), 'the same object');
    t.equal(second.objects[0]?.['name'], 'Laden VI');
    const popups = (await opened.mapwright.get(`/projects/${(await opened.mapwright.get('/projects')).list[0]?.id}/popups`)).list;
    t.equal(popups.length, 10, 'popups are updated and deleted with their objects');
    t.match(
      popups.map(({ title }) => title),
      ['Laden VI'],
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await opened.waitUntilSaved();
    const undone = await read(opened);
    t.strictSame(undone.objects.map(({ key }) => key).sort(), first.objects.map(({ key }) => key).sort());
    t.equal(undone.objects.find(({ key }) => key === 'S6')?.['name'], 'Laden 6');
    t.strictSame(opened.complaints, []);
  },
);

test.all('a cancelled import leaves nothing, and can be repeated', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page } = opened;
  let count = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/batch', async (route) => {
    // The place of the artboard, two batches of objects, and then the settings.
    if (++count === 3) await held;
    await route.continue();
  });
  await drop(opened, '.map-pane', 'shops.csv', shops(2500));
  await ready(opened);
  await page.getByRole('button', { name: 'Import 2,500 objects' }).click();
  await page.getByText(/^Written: 1,001 of 2,502$/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  release();
  await ready(opened);
  t.match(await read(opened), { objects: [], artboard: { type: 'color' } });
  t.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true, 'it is no step of the history');
  await write(opened, 'Import 2,500 objects');
  t.equal((await read(opened)).objects.length, 2500);
  t.strictSame(opened.complaints, []);
});

test.all('swapped axes are offered to be swapped, and columns without names to be chosen', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page } = opened;
  const places = Array.from({ length: 20 }, (_, i) => [100 + i, 10 + i / 2]);
  const features = places.map(([lng = 0, lat = 0], i) => ({
    type: 'Feature',
    properties: { name: `Place ${i}` },
    geometry: { type: 'Point', coordinates: [lat, lng] },
  }));
  await drop(opened, '.map-pane', 'swapped.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  await page.getByRole('button', { name: 'Swap latitude and longitude' }).click();
  await page.getByRole('button', { name: /are swapped/ }).waitFor();
  await write(opened, 'Import 20 objects');
  t.equal((await read(opened)).objects.length, 20);
  const rows = ['shop,north south,west east,rank', 'A,52.5,13.4,1', 'B,52.6,13.5,2'].join('\n');
  await drop(opened, '.map-pane', 'unnamed.csv', rows.replaceAll('52.', '9052.').replaceAll('13.', '713.'));
  await page.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.import-panel').waitFor({ state: 'detached' });
  t.strictSame(opened.complaints, []);
});

test.all('latitude and longitude can be any columns that the user chooses', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page } = opened;
  await drop(opened, '.map-pane', 'shops.csv', 'shop;up;rank;across\nBakery;52,5;1;13,4\nFlorist;52,6;2;13,5');
  const problem = page.locator('.import-panel').getByRole('alert');
  await problem.filter({ hasText: 'latitude' }).waitFor();
  const button = page.locator('.import-foot button.primary');
  t.equal(await button.isDisabled(), true);
  await choose(opened, 'Latitude', 'up');
  await problem.filter({ hasText: 'longitude' }).waitFor();
  t.strictSame(await opened.violations(), []);
  await choose(opened, 'Longitude', 'across');
  await write(opened, 'Import 2 objects');
  const { artboard, objects, settings } = await read(opened);
  t.match(settings['imports'], { [artboard.id]: { latitude: 'up', longitude: 'across' } });
  const [project] = (await opened.mapwright.get('/projects?fields=name')).list;
  const { list } = await opened.mapwright.get(`/projects/${project?.id}/artboards/${artboard.id}/objects?places=true`);
  t.strictSame(
    list.map(({ lat, lng }) => [Number(lat).toFixed(6), Number(lng).toFixed(6)]),
    [
      ['52.500000', '13.400000'],
      ['52.600000', '13.500000'],
    ],
  );
  t.equal(objects.length, 2);
  t.strictSame(opened.complaints, []);
});

const plan =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect id="Kitchen" x="20" y="20" width="100" height="80" fill="#dc2626"/><text x="30" y="200">Entrance</text></svg>';

test.all('an empty artboard gets the size of an SVG, and what remains of it as background', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page } = opened;
  await drop(opened, '.cards-screen', 'plan.svg', plan);
  await ready(opened);
  t.equal(await page.getByRole('radio', { name: 'The artboard gets the size of the picture' }).isChecked(), true);
  await page.getByRole('radio', { name: 'Fit the data into the artboard' }).check();
  await ready(opened);
  const background = page.getByRole('checkbox', { name: 'Use the rest of the picture as the background' });
  t.equal(await background.count(), 0, 'a background of another size would not fit the objects');
  await page.getByRole('radio', { name: 'The artboard gets the size of the picture' }).check();
  await ready(opened);
  t.equal(await background.isChecked(), true);
  await write(opened, 'Import 1 object');
  const { artboard, objects } = await read(opened);
  t.match(artboard, { type: 'image', width: 400, height: 300, image_url: /^data:image\// });
  t.match(objects, [{ coords: [{ x: 20, y: 20 }, {}, {}, {}] }]);
  const rest = await opened.recorded.value(`new Promise((resolve) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [400, 300];
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 400, 300);
      const isDrawn = (x, y, width, height) => context.getImageData(x, y, width, height).data.some((value, i) => i % 4 < 3 && value < 128 && context.getImageData(x, y, width, height).data[i - (i % 4) + 3] > 128);
      resolve([isDrawn(30, 185, 60, 20), isDrawn(25, 25, 90, 70)]);
    };
    image.src = ${JSON.stringify(artboard['image_url'])};
  })`);
  t.strictSame(rest, [true, false], 'the text is in the background, the object is not');
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.match(await read(opened), { objects: [], artboard: { type: 'color', width: 1200, height: 800, image_url: '' } });
  t.strictSame(opened.complaints, []);
});

test.all('the preview of an outline shows what is below it', { skip }, async (t) => {
  const opened = await newProject(t);
  const room = '<rect x="20" y="20" width="360" height="260" fill="none" stroke="#000"/>';
  await drop(opened, '.map-pane', 'room.svg', `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">${room}</svg>`);
  await ready(opened);
  await opened.waitUntilStill('');
  const middle = await opened.recorded.value(`(() => {
    const canvas = document.querySelector('.map canvas');
    return [...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
  })()`);
  t.strictSame(middle, [255, 255, 255, 255]);
});

test.all(
  'an SVG without its rest sizes the artboard only, also if the name of the file does not say what it is',
  { skip },
  async (t) => {
    const opened = await newProject(t);
    await drop(opened, '.map-pane', 'plan.txt', plan);
    await ready(opened);
    await opened.page.getByRole('checkbox', { name: 'Use the rest of the picture as the background' }).uncheck();
    await write(opened, 'Import 1 object');
    t.match((await read(opened)).artboard, { type: 'color', width: 400, height: 300, image_url: '' });
    t.strictSame(opened.complaints, []);
  },
);

test.all('a refusal by the server names the row, leaves nothing, and the import can be repeated', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page, mapwright } = opened;
  const { artboard } = await read(opened);
  const [project] = (await mapwright.get('/projects?fields=name')).list;
  let count = 0;
  await page.route('**/batch', async (route) => {
    // Before the batch of objects, after the one of the artboard: another client creates an object with a key of the file.
    if (++count === 2) {
      const body = { type: 'spot', name: 'Of another client', key: 'S3', x: 1, y: 1 };
      await mapwright.post(`/projects/${project?.id}/artboards/${artboard.id}/objects`, body);
    }
    await route.continue();
  });
  await drop(opened, '.map-pane', 'shops.csv', shops(5));
  await ready(opened);
  await choose(opened, 'Key', 'Nr');
  await ready(opened);
  await page.getByRole('button', { name: 'Import 5 objects' }).click();
  await page.getByRole('alert').filter({ hasText: 'nothing was imported. In row 4: ' }).waitFor();
  t.match(await page.getByRole('alert').first().textContent(), /Of another client/, 'and the object that has the key');
  const refused = await read(opened);
  t.match(refused, { artboard: { type: 'color' } });
  t.strictSame(
    refused.objects.map(({ name }) => name),
    ['Of another client'],
  );
  await write(opened, 'Import 4 objects, update 1');
  t.equal((await read(opened)).objects.length, 5);
});

test.all('a file on the list of projects starts a project, and an unreadable one is refused', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page, mapwright } = opened;
  await drop(opened, '.cards-screen', 'broken.geojson', '{"type":"FeatureCollection","features":[{');
  await page.getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor();
  t.strictSame((await mapwright.get('/projects')).list, []);
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><title>Plan</title><rect id="Kitchen" x="20" y="20" width="100" height="80" fill="#dc2626"/></svg>';
  await drop(opened, '.cards-screen', 'plan.svg', drawing);
  await ready(opened);
  await page.keyboard.press('Escape');
  await page.locator('.cards-screen').waitFor();
  t.strictSame((await mapwright.get('/projects')).list, [], 'a cancelled import leaves no project');
  await drop(opened, '.cards-screen', 'plan.svg', drawing);
  await write(opened, 'Import 1 object');
  const { objects, artboard } = await read(opened);
  t.match(objects, [{ type: 'poly', name: 'Kitchen', color: '#dc2626' }]);
  t.equal(artboard['name'], 'plan');
  t.strictSame(opened.complaints, []);
});

test.all('a large file is converted in a worker, with the keyboard alone, on a phone', { skip }, async (t) => {
  const opened = await newProject(t, { width: 390 });
  const { page, recorded } = opened;
  await page.getByRole('button', { name: 'List' }).click();
  await page.locator('.list-actions input').setInputFiles({
    name: 'large.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(shops(4000).replaceAll(';Laden', `;${'long '.repeat(50)}`)),
  });
  await ready(opened);
  t.equal(page.workers().length, 1);
  t.strictSame(await opened.violations(), []);
  t.equal(await opened.fits(), true);
  t.equal(await recorded.value('document.activeElement.id'), 'import-title');
  await page.keyboard.press('Shift+Tab');
  // The last control of the panel comes before its heading when the focus goes backwards around the page.
  const button = page.getByRole('button', { name: 'Import 4,000 objects' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('.import-panel').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal((await read(opened)).objects.length, 4000);
  t.equal(page.workers().length, 0, 'the worker has ended');
  t.strictSame(opened.complaints, []);
});

test.all('objects of a map keep their places when the artboard moves, also when that is undone', { skip }, async (t) => {
  const opened = await newProject(t);
  await drop(opened, '.map-pane', 'shops.csv', shops(5));
  await write(opened, 'Import 5 objects');
  const { artboard } = await read(opened);
  const [project] = (await opened.mapwright.get('/projects?fields=name')).list;
  const places = async () =>
    (await opened.mapwright.get(`/projects/${project?.id}/artboards/${artboard.id}/objects?places=true`)).list.map(
      ({ lat, lng }) => `${Number(lat).toFixed(6)} ${Number(lng).toFixed(6)}`,
    );
  const before = await places();
  await opened.page.locator('.artboard-row').click();
  await opened.type('Latitude', '52.6');
  await opened.page.getByText('5 objects moved on the artboard').waitFor();
  await opened.waitUntilSaved();
  t.equal((await read(opened)).artboard['osm_lat'], 52.6);
  t.strictSame(await places(), before);
  await opened.page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.not((await read(opened)).artboard['osm_lat'], 52.6);
  t.strictSame(await places(), before);
  t.strictSame(opened.complaints, []);
});

test.all('an import adds its colours to a legend, and replaces the legend only if the user says so', { skip }, async (t) => {
  const opened = await newProject(t);
  const { page, mapwright } = opened;
  const [project] = (await mapwright.get('/projects')).list as unknown as readonly [Shown];
  const own = { color: '#111111', name: 'Lift' };
  await mapwright.patch(`/projects/${project.id}`, { settings: { legend: [own] } });
  const legend = async () => (await read(opened)).settings['legend'] as readonly (typeof own)[];
  const importInColours = async () => {
    await drop(opened, '.map-pane', 'shops.csv', shops(8));
    await ready(opened);
    await openMore(opened);
    await choose(opened, 'Colour by', 'Umsatz');
    await page.getByRole('group', { name: 'Legend of the map' }).waitFor();
  };
  await importInColours();
  t.ok(await page.getByRole('radio', { name: 'Add these colours after the 1 entry that it has' }).isChecked());
  t.strictSame(await opened.violations(), []);
  await write(opened, 'Import 8 objects');
  const added = await legend();
  t.strictSame(added[0], own, 'nothing is lost');
  t.equal(added.length, 6);
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.strictSame(await legend(), [own]);
  await importInColours();
  await page.getByRole('radio', { name: 'Replace it: 1 entry is deleted' }).check();
  await write(opened, 'Import 8 objects');
  t.strictSame(await legend(), added.slice(1));
  t.strictSame(opened.complaints, []);
});

test.all(
  'a floor plan offers the columns that its message asks for, and says afterwards what is left out',
  { skip },
  async (t) => {
    const opened = await newProject(t);
    const { page } = opened;
    await drop(opened, '.map-pane', 'desks.csv', 'desk;from left;from top;note\nA;100;50;a\nB;300;200;b\nC;none;60;c');
    const problem = page.locator('.import-panel').getByRole('alert');
    await problem.filter({ hasText: 'latitude and longitude, or x and y' }).waitFor();
    await choose(opened, 'X in pixels', 'from left');
    await choose(opened, 'Y in pixels', 'from top');
    await write(opened, 'Import 2 objects');
    t.strictSame(
      (await read(opened)).objects.map(({ x, y }) => [x, y]),
      [
        [100, 50],
        [300, 200],
      ],
    );
    await page.locator('.toast').filter({ hasText: 'Imported: 2 new.' }).waitFor();
    t.match(await page.locator('.toast').textContent(), /1 row or element is left out row 4: /);
    t.strictSame(opened.complaints, []);
  },
);
