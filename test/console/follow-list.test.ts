// tier: normal
/**
 * Objects follow a list, made by mouse: from the address of a service with 60 rooms and 200 desks to a published map. Counted are actions, as in
 * `shopping-centre.ts`.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { ConsolePage, keepPictureOf } from './console-page.ts';

t.setTimeout(600_000);

/** From the address to the published map. */
const actionsMax = 30;

const room = (n: number) => ({ key: `R${n}`, taken: n % 9, seats: 8, note: n % 2 === 0 ? 'quiet' : 'loud' });
const desk = (n: number) => ({ id: n, state: n % 3 === 0 ? 'taken' : 'free' });
const answer = {
  at: '2026-11-30T09:00:00Z',
  rooms: Array.from({ length: 60 }, (_, n) => room(n + 1)),
  desks: Array.from({ length: 200 }, (_, n) => desk(n + 1)),
};

/** A service on this machine with rooms and desks. */
async function service(t: Test, given: object = answer): Promise<string> {
  const server = http.createServer((_, response) => void response.end(JSON.stringify(given)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** 57 rooms that have a key of the service and three that have another one, and 200 desks with a number as property. */
async function office(mapwright: Mapwright): Promise<string> {
  const grid = (n: number, columns: number, size: number) => ({
    x: (n % columns) * size + 8,
    y: Math.floor(n / columns) * size + 8,
  });
  const rooms = Array.from({ length: 60 }, (_, n) => {
    const { x, y } = grid(n, 12, 100);
    const corners = [
      [x, y],
      [x + 84, y],
      [x + 84, y + 84],
      [x, y + 84],
    ] as const;
    const name = `Room ${n + 1}`;
    return { type: 'poly', name, key: n < 57 ? `R${n + 1}` : '', coords: corners.map(([cx, cy]) => ({ x: cx, y: cy })) };
  });
  const desks = Array.from({ length: 200 }, (_, n) => {
    const { x, y } = grid(n, 25, 48);
    return { type: 'spot', name: `Desk ${n + 1}`, x, y: y + 520, radius: 12, properties: { number: n + 1 } };
  });
  const artboards = [{ name: 'Floor', width: 1200, height: 900, objects: [...rooms, ...desks] }];
  return (await mapwright.post('/projects', { name: 'Office', artboards })).shown.id;
}

const followIn = ({ page }: ConsolePage, text: RegExp) =>
  page.locator('.json-row').filter({ hasText: text }).getByText('Follow this list');

const sections = ({ page }: ConsolePage) => ({
  panel: page.getByRole('dialog'),
  of: (title: string) => page.getByRole('dialog').getByRole('group', { name: title, exact: true }),
});

/** Opens the form of the data source "Sensors", and lets the server ask it. */
async function openSensors(t: Test, mapwright: Mapwright, project: string): Promise<ConsolePage> {
  const opened = await ConsolePage.open(t, { mapwright, project });
  await opened.showList('data_source');
  await opened.page.locator('.list-row').filter({ hasText: 'Sensors' }).click();
  await opened.page.getByRole('button', { name: 'Try' }).click();
  return opened;
}

async function named(mapwright: Mapwright, project: string, collection: string): Promise<Map<string, Shown>> {
  const { list } = await mapwright.get(`/projects/${project}/${collection}`);
  return new Map(list.map((each) => [String(each['name']), each]));
}

t.test('from an address to a published map in at most 30 actions', { skip }, async (t) => {
  const host = await service(t);
  const mapwright = await startForRequests(t, { tiles: 'none', dataHosts: host });
  const project = await office(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  const { panel, of } = sections(opened);
  const done: string[] = [];
  const act = async (what: string, how: () => Promise<unknown>): Promise<void> => {
    done.push(what);
    await how();
  };
  await act('show the data', () => opened.showList('data_source'));
  await act('add a data source', () => page.getByRole('button', { name: 'Add a data source' }).click());
  await act('type the address', () => page.locator('#field-url').fill(`http://${host}/office.json`));
  await act('try it', () => page.getByRole('button', { name: 'Try' }).click());
  await page.getByText('Status 200').waitFor();
  await act('follow the rooms', () => followIn(opened, /^rooms\s*60 items/).click());
  await panel.getByText('57 of 60 rows have an object. 3 rows have none.').waitFor();
  await act('open the rows', () => panel.getByText('Rows without an object').click());
  // Rooms without a key are no objects without a row: they are offered all the same.
  for (const n of [58, 59, 60])
    await act(`choose room ${n}`, () => panel.getByLabel(`Object of R${n}`).selectOption({ label: `Room ${n}` }));
  await panel.getByText('60 of 60 rows have an object.').waitFor();
  await act('colour by taken', () => of('Colour').getByLabel('Colour by').selectOption('taken'));
  await act('in steps', () => of('Colour').getByLabel('Scale').selectOption('steps'));
  await act('type a text', () => of('Text on the object').getByRole('textbox').fill('{taken}/{seats}'));
  await page.getByText('The object of the first row shows: 1/8').waitFor();
  await act('title of the popup', () => of('Popup').getByLabel('Title').selectOption('key'));
  await act('note in the popup', () => of('Popup').getByRole('checkbox', { name: 'note' }).check());
  // The picture has all of the panel.
  const size = page.viewportSize() ?? { width: 1400, height: 900 };
  await page.setViewportSize({ ...size, height: 1500 });
  await keepPictureOf(opened, 'follow-list', '.panel');
  await page.setViewportSize(size);
  await act('save', () => panel.getByRole('button', { name: 'Follow this list' }).click());
  await panel.waitFor({ state: 'detached' });
  await page.getByText('Lists that the map follows').waitFor();
  await act('follow the desks', () => followIn(opened, /^desks\s*200 items/).click());
  await panel.getByText('200 of 200 rows have an object.').waitFor();
  await act('colour by state', () => of('Colour').getByLabel('Colour by').selectOption('state'));
  await act('objects without a row', () => of('Objects without a row').getByRole('combobox').selectOption('colour'));
  await act('save', () => panel.getByRole('button', { name: 'Follow this list' }).click());
  await panel.waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  await act('publish', () => page.getByRole('button', { name: 'Publish', exact: true }).click());
  await act('make it public', () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Publish/ })
      .click(),
  );
  let slug = '';
  await until('the map is public', async () => {
    slug = String(((await mapwright.ask('GET', `/v1/projects/${project}/publication`)).json as Partial<Shown>)['slug'] ?? '');
    return slug !== '';
  });
  t.ok(done.length <= actionsMax, `${done.length} actions: ${done.join(', ')}`);
  t.comment(`${done.length} actions`);

  const read = async () => (await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/live.json`)).json();
  await until('the map follows', async () => Object.keys(((await read()) as { objects: object }).objects).length === 260);
  const live = (await read()) as { objects: Record<string, Shown>; created_popups: unknown[] };
  const objects = new Map<string, string>();
  const { artboards } = (await mapwright.get(`/projects/${project}`)).shown as unknown as { artboards: { objects: Shown[] }[] };
  for (const each of artboards[0]?.objects ?? []) objects.set(String(each['name']), each.id);
  t.match(live.objects[objects.get('Room 8') as string], { label_text: '8/8', color: '#dc2626' });
  t.match(live.objects[objects.get('Room 58') as string], { label_text: '4/8' }, 'a room that was given its row');
  t.not(live.objects[objects.get('Desk 3') as string]?.['color'], live.objects[objects.get('Desk 4') as string]?.['color']);
  t.equal(live.created_popups.length, 60);
  const variables = await named(mapwright, project, 'variables');
  const actions = await named(mapwright, project, 'actions');
  t.strictSame([variables.size, actions.size], [10, 3], `${[...variables.keys()]}; ${[...actions.keys()]}`);
  const { settings } = (await mapwright.get(`/projects/${project}`)).shown as unknown as { settings: Shown };
  t.match(settings, {
    labels: 'auto',
    legend: [
      { name: 'below 3' },
      { name: '3 to 6' },
      { name: '6 and more' },
      { name: 'free' },
      { name: 'taken' },
      { name: 'No data' },
    ],
  });
  t.strictSame(opened.complaints, []);
});

t.test('a list opens again on what it made, and ends with everything that only it used', { skip }, async (t) => {
  const host = await service(t, { rooms: [room(1), room(2), { key: 'X' }] });
  const mapwright = await startForRequests(t, { tiles: 'none', dataHosts: host });
  const project = await office(mapwright);
  await mapwright.post(`/projects/${project}/data-sources`, { name: 'Sensors', url: `http://${host}/` });
  const opened = await openSensors(t, mapwright, project);
  const { page } = opened;
  const { panel, of } = sections(opened);
  await followIn(opened, /^rooms\s*3 items/).click();
  await of('Colour').getByLabel('Colour by').selectOption('taken');
  await of('Text on the object').getByRole('button', { name: 'seats' }).click();
  await of('Popup').getByRole('checkbox', { name: 'note' }).check();
  await panel.getByRole('button', { name: 'Follow this list' }).click();
  await panel.waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  const before = [await named(mapwright, project, 'variables'), await named(mapwright, project, 'actions')];

  await page.getByRole('button', { name: 'Change what follows rooms' }).click();
  t.equal(await of('Colour').getByLabel('Colour by').inputValue(), 'taken');
  t.equal(await of('Colour').getByLabel('Scale').inputValue(), 'range');
  t.equal(await of('Text on the object').getByRole('textbox').inputValue(), '{seats}');
  t.equal(await of('Popup').getByRole('checkbox', { name: 'note' }).isChecked(), true);
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.strictSame(
    [await named(mapwright, project, 'variables'), await named(mapwright, project, 'actions')],
    before,
    'nothing changes',
  );

  await page.getByRole('button', { name: 'Change what follows rooms' }).click();
  await of('Colour').getByLabel('Scale').selectOption('steps');
  await of('Popup').getByRole('checkbox', { name: 'note' }).uncheck();
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  const actions = await named(mapwright, project, 'actions');
  t.strictSame([...actions.keys()], ['rooms'], 'the action of the popups is gone');
  t.match((await named(mapwright, project, 'variables')).get('rooms: colour'), {
    type: 'expression',
    expression: /^number\(\{taken\}\) >= /,
  });

  await page.getByRole('button', { name: 'Follow rooms no more' }).click();
  await page.getByText('Lists that the map follows').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.strictSame([(await named(mapwright, project, 'variables')).size, (await named(mapwright, project, 'actions')).size], [0, 0]);
  await opened.page.keyboard.press('Control+z');
  await until('one step is taken back', async () => (await named(mapwright, project, 'actions')).size === 1);
  await opened.waitUntilSaved();
  t.strictSame(opened.complaints, []);
});

t.test('what the panel does not know stays when the rest of a list is changed', { skip }, async (t) => {
  const host = await service(t, { rooms: [room(1), room(2)] });
  const mapwright = await startForRequests(t, { tiles: 'none', dataHosts: host });
  const project = await office(mapwright);
  const at = `/projects/${project}`;
  const make = async (path: string, body: object): Promise<string> => (await mapwright.post(`${at}${path}`, body)).shown.id;
  const node = (key: string) => ({ nodes: [{ id: 'n', key }], node_id: 'n' });
  const source = await make('/data-sources', { name: 'Sensors', url: `http://${host}/` });
  const iterator_id = await make('/variables', {
    name: 'Rooms',
    type: 'iterator',
    data_source_id: source,
    data_path: node('rooms'),
  });
  const column = (name: string) =>
    make('/variables', { name, type: 'primitive-from-iterator', iterator_id, data_path: node(name) });
  const key = await column('key');
  const taken = await column('taken');
  await mapwright.patch(at, { settings: { labels: 'all', legend: [{ color: '#000000', name: 'Wall' }], own: { any: 1 } } });
  const match = { match_variable_id: key, conditions: [{ variable_id: taken, operator: 'greater-than', value: 0 }] };
  const half = { name: 'opacity', type: 'custom', value: 0.5 };
  await make('/actions', {
    ...{ name: 'By use', type: 'modify-objects', ...match, style_opacity: half },
    otherwise: { style_opacity: half },
  });
  await make('/actions', {
    name: 'Details',
    type: 'modify-popup',
    ...match,
    popup_title: 'Room {key}',
    popup_content: '<i>{taken}</i>',
  });
  await make('/actions', { name: 'Other', type: 'modify-objects', style_label_text: { type: 'custom', value: '{key}' } });
  const opened = await openSensors(t, mapwright, project);
  const { page } = opened;
  const { panel, of } = sections(opened);
  await page.getByRole('button', { name: 'Change what follows rooms' }).click();
  await of('Popup').getByText('The text of the popup was changed elsewhere, and stays.').waitFor();
  await of('Colour').getByLabel('Colour by').selectOption('taken');
  await of('Colour').getByLabel('Scale').selectOption('steps');
  await of('Objects without a row').getByRole('combobox').selectOption('colour');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  const actions = await named(mapwright, project, 'actions');
  t.match(actions.get('By use'), {
    ...{ conditions: match.conditions, style_opacity: half, style_color: { type: 'variable' } },
    otherwise: { style_opacity: half, style_color: { type: 'custom', value: '#9ca3af' } },
  });
  t.match(actions.get('Details'), { popup_title: 'Room {key}', popup_content: '<i>{taken}</i>', conditions: match.conditions });
  const settings = async () => (await mapwright.get(at)).shown['settings'] as Shown & { legend: { name: string }[] };
  const { legend, ...others } = await settings();
  t.strictSame(
    legend.map(({ name }) => name),
    ['Wall', 'below 1', '1 to 2', '2 and more', 'No data'],
  );
  t.strictSame(others, { labels: 'all', own: { any: 1 } });
  const change = page.getByRole('button', { name: 'Change what follows rooms' });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await opened.waitUntilSaved();
  t.notMatch((await named(mapwright, project, 'actions')).get('By use'), { style_color: { type: 'variable' } });
  t.ok(await change.isVisible(), 'the data source with the list stays selected');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await opened.waitUntilSaved();

  await change.click();
  await of('Text on the object').getByRole('textbox').fill('{taken}');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Drop the changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  t.equal(await of('Text on the object').getByRole('textbox').inputValue(), '{taken}');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Drop the changes' }).click();
  await panel.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Follow rooms no more' }).click();
  await until('the actions are gone', async () => (await named(mapwright, project, 'actions')).size === 1);
  await opened.waitUntilSaved();
  t.strictSame([...(await named(mapwright, project, 'variables')).keys()].sort(), ['Rooms', 'key'], 'another text names the key');
  t.strictSame((await settings()).legend, [{ color: '#000000', name: 'Wall' }]);
  t.strictSame(opened.complaints, []);
});
