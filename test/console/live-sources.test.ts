// tier: normal
/** Forms of data sources and variables in a browser: responses, paths, filters, expressions, problems, and what the forms do not know. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { type ConsoleOptions, ConsolePage } from './console-page.ts';
import { liveSample, push } from './live-support.ts';

t.setTimeout(600_000);

const rooms = [
  { name: 'Hall', people: 12, open: true },
  { name: 'Lab', people: 3, open: false },
];

/** A data source on this machine: what it was asked, and what it answers. */
class Source {
  readonly asked: { readonly method: string; readonly headers: http.IncomingHttpHeaders; readonly body: string }[] = [];
  answer: { readonly status: number; readonly body: string } = { status: 200, body: JSON.stringify({ taken: 20, rooms }) };
  readonly #server = http.createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    this.asked.push({ method: request.method ?? '', headers: request.headers, body });
    response.writeHead(this.answer.status, { 'Content-Type': 'application/json' }).end(this.answer.body);
  });

  static async start(t: Test): Promise<Source> {
    const source = new Source();
    await new Promise<void>((resolve) => source.#server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => new Promise((resolve) => source.#server.close(resolve).closeAllConnections()));
    return source;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}

async function openSource(t: Test, members: object = {}, options: ConsoleOptions = {}) {
  const source = await Source.start(t);
  const mapwright = await startForRequests(t, { tiles: 'none', dataHosts: source.host });
  const { id: project } = (await mapwright.post('/projects', { name: 'Rooms' })).shown;
  const url = `http://${source.host}/rooms`;
  const { id } = (await mapwright.post(`/projects/${project}/data-sources`, { name: 'Sensors', url, ...members })).shown;
  const opened = await openList(t, mapwright, project, 'data_source', 'Sensors', options);
  const variables = async (): Promise<Shown[]> => (await mapwright.get(`/projects/${project}/variables`)).list;
  const stored = async (): Promise<Shown> => {
    await opened.waitUntilSaved();
    return (await mapwright.get(`/projects/${project}/data-sources/${id}`)).shown;
  };
  return { source, mapwright, project, id, opened, page: opened.page, variables, stored };
}

/** Opens the form of a resource. */
async function openList(
  t: Test,
  mapwright: Mapwright,
  project: string,
  list: string,
  name: string,
  options: ConsoleOptions = {},
) {
  const opened = await ConsolePage.open(t, { mapwright, project, ...options });
  await choose(opened, list, name);
  return opened;
}

async function choose(opened: ConsolePage, list: string, name: string): Promise<void> {
  const { page } = opened;
  const isNarrow = (page.viewportSize()?.width ?? 0) < 760;
  if (isNarrow) await page.locator('.panes').getByRole('button', { name: 'List' }).click();
  await opened.showList(list);
  await page
    .locator('.list-row')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .click();
  if (isNarrow) await page.locator('.panes').getByRole('button', { name: 'Form' }).click();
  await page.locator('.inspector h2').filter({ hasText: name }).waitFor();
}

const treeItem = ({ page }: ConsolePage, text: RegExp) => page.getByRole('treeitem').filter({ hasText: text });

t.test('a data source is tried with its unsaved headers, and a click on a value makes a variable', { skip }, async (t) => {
  const { source, opened, page, id, variables, stored } = await openSource(t, {
    headers: [{ name: 'X-Old', value: '1', note: 'kept' }],
  });
  await page.getByLabel('Value in row 1').fill('2');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('Status 200').waitFor();
  t.match(source.asked.at(-1), { method: 'GET', headers: { 'x-old': '2' } });
  t.strictSame((await stored())['headers'], [{ name: 'X-Old', value: '2', note: 'kept' }]);
  await treeItem(opened, /^taken\s*20/).click();
  await page.locator('.inspector h2').filter({ hasText: 'taken' }).waitFor();
  await page.getByText('Value now 20').waitFor();
  await choose(opened, 'data_source', 'Sensors');
  await treeItem(opened, /^rooms\s*2 items/).click();
  await page.getByText('Value now 2 items').waitFor();
  await opened.waitUntilSaved();
  const [taken, list] = (await variables()) as [Shown, Shown];
  t.match(taken, {
    name: 'taken',
    type: 'primitive',
    data_source_id: id,
    data_path: { nodes: [{ key: 'taken' }], node_id: 'n0' },
  });
  t.match(list, { name: 'rooms', type: 'iterator', data_source_id: id, data_path: { nodes: [{ key: 'rooms' }], node_id: 'n0' } });
  t.strictSame(opened.complaints, []);
});

for (const looks of [{ width: 1400 }, { width: 390, dark: true }]) {
  test.all(`a new data source is tried as soon as its address is typed: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const source = await Source.start(t);
    const mapwright = await startForRequests(t, { tiles: 'none', dataHosts: source.host });
    const { id: project } = (await mapwright.post('/projects', { name: 'Rooms' })).shown;
    const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
    const { page } = opened;
    if (looks.width === 390) await page.locator('.panes').getByRole('button', { name: 'List' }).click();
    await opened.showList('data_source');
    await page.getByRole('button', { name: 'Add a data source' }).click();
    const attempt = page.getByRole('button', { name: 'Try' });
    await opened.field('Address').waitFor();
    t.equal(await attempt.count(), 0, 'there is no address');
    await opened.field('Address').fill('http://elsewhere');
    await attempt.waitFor();
    await opened.field('Address').press('Escape');
    await attempt.waitFor({ state: 'detached' });
    await opened.field('Address').pressSequentially(`http://${source.host}/rooms`);
    await attempt.click();
    await page.getByText('Status 200').waitFor();
    await treeItem(opened, /^taken\s*20/).waitFor();
    t.equal(source.asked.length, 1);
    await opened.waitUntilSaved();
    t.match((await mapwright.get(`/projects/${project}/data-sources`)).list, [{ url: `http://${source.host}/rooms` }]);
    t.equal(await opened.fits(), true);
    t.strictSame(await opened.violations(), []);
    t.strictSame(opened.complaints, []);
  });
}

const question = ({ page }: ConsolePage) => page.getByRole('dialog');

for (const looks of [{ width: 1400 }, { width: 390, dark: true }]) {
  test.all(`a value of a row is found by the row, not by its position: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const { source, opened, page, mapwright, project, id, variables } = await openSource(t, {}, looks);
    await page.getByRole('button', { name: 'Try' }).click();
    await treeItem(opened, /^people\s*3/).click();
    await question(opened).getByText('The row whose “name” is "Lab", in any order of the list.').waitFor();
    t.strictSame(await opened.violations(), []);
    t.equal(await opened.fits(), true);
    await question(opened).getByRole('button', { name: 'This row' }).click();
    await page.locator('.inspector h2').filter({ hasText: 'people Lab' }).waitFor();
    await page.getByText('Value now 3').waitFor();
    await opened.waitUntilSaved();
    t.match(await variables(), [
      {
        ...{ name: 'people Lab', type: 'primitive' },
        data_path: {
          nodes: [{ key: 'rooms' }, { key: 'people', parent: 'n0' }],
          node_id: 'n1',
          filters: [{ key: 'name', operator: 'equals', value: 'Lab' }],
        },
      },
    ]);
    source.answer = {
      status: 200,
      body: JSON.stringify({ taken: 1, rooms: [{ name: 'Lab', people: 9 }, ...rooms.slice(0, 1)] }),
    };
    await mapwright.ask('POST', `/v1/projects/${project}/data-sources/${id}/response`);
    await page.getByText('Value now 9').waitFor();
    t.strictSame(opened.complaints, []);
  });
}

test.all('a value of all rows uses the iterator of the list, which is made once', { skip }, async (t) => {
  const { opened, page, id, variables } = await openSource(t);
  await page.getByRole('button', { name: 'Try' }).click();
  for (const [column, values] of [
    ['people', '12, 3'],
    ['open', 'true, false'],
  ] as const) {
    await treeItem(opened, new RegExp(`^${column}`))
      .first()
      .click();
    await question(opened).getByText('One value per row, 2 now').waitFor();
    await question(opened).getByRole('button', { name: 'All rows' }).click();
    await page.locator('.inspector h2').filter({ hasText: column }).waitFor();
    await page.getByText(`Value now 2 items: ${values}`).waitFor();
    await opened.waitUntilSaved();
    await choose(opened, 'data_source', 'Sensors');
  }
  const [list, ...each] = await variables();
  t.match(list, { name: 'rooms', type: 'iterator', data_source_id: id, data_path: { nodes: [{ key: 'rooms' }], filters: [] } });
  t.match(
    each.map(({ name, type, iterator_id }) => [name, type, iterator_id]),
    ['people', 'open'].map((name) => [name, 'primitive-from-iterator', list?.id]),
  );
  await treeItem(opened, /^people/)
    .first()
    .click();
  await page.keyboard.press('Escape');
  await question(opened).waitFor({ state: 'detached' });
  t.equal((await variables()).length, 3, 'an answer that is not given makes nothing');
  for (const count of [2, 0]) {
    await page.getByRole('button', { name: 'Undo' }).click();
    await opened.waitUntilSaved();
    t.equal((await variables()).length, count, 'the iterator is made in one step with its first variable');
  }
  t.strictSame(opened.complaints, []);
});

test.all('a row that no column identifies is chosen by its position, which is said', { skip }, async (t) => {
  const { source, opened, page, variables } = await openSource(t);
  source.answer = { status: 200, body: '[{"kind":"a","free":1},{"kind":"a","free":2}]' };
  await page.getByRole('button', { name: 'Try' }).click();
  await treeItem(opened, /^free\s*2/).click();
  await question(opened).locator('.warning-text').filter({ hasText: 'Row 2 of the list' }).waitFor();
  await question(opened).getByRole('button', { name: 'This row' }).click();
  await page.getByText('Value now 2').waitFor();
  await opened.waitUntilSaved();
  t.match(await variables(), [{ data_path: { nodes: [{ key: '1' }, { key: 'free' }], filters: [] } }]);
});

test.all('the tree of a response is used with keys alone', { skip }, async (t) => {
  const { opened, page, variables } = await openSource(t);
  await page.getByRole('button', { name: 'Try' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tree').waitFor();
  t.strictSame(await opened.violations(), []);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  t.equal(await page.getByRole('treeitem').count(), 1, 'the root is closed');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key);
  await question(opened).getByRole('button', { name: 'This row' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.inspector h2').filter({ hasText: 'name Hall' }).waitFor();
  t.match(await variables(), [{ data_path: { nodes: [{ key: 'rooms' }, { key: 'name' }], filters: [{ value: 'Hall' }] } }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.waitUntilSaved();
  t.same(await variables(), []);
});

test.all('a data source that fails says what is wrong and what to do, and keeps the last good response', { skip }, async (t) => {
  const { source, opened, page } = await openSource(t);
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('Status 200').waitFor();
  source.answer = { status: 500, body: '<h1>Broken</h1>' };
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('Status 500').waitFor();
  t.match(await page.locator('.response-status .problem').textContent(), /500/);
  await treeItem(opened, /^taken\s*20/).waitFor();
  await opened.type('Address', 'http://169.254.169.254/latest');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('No answer').waitFor();
  t.match(await page.locator('.response-status .problem').textContent(), /169\.254\.169\.254/);
  t.match(await page.locator('.response-status .problem').textContent(), /--data-hosts/, 'what to do');
  t.strictSame(opened.complaints, []);
});

test.all('a body is in the form only for methods that send one, and is sent', { skip }, async (t) => {
  const { source, opened, page, stored } = await openSource(t, { body: '{"building":1}' });
  t.equal(await opened.field('Body').count(), 0);
  await opened.field('Method').selectOption('POST');
  t.equal(await opened.field('Body').inputValue(), '{"building":1}', 'it was kept');
  await opened.field('Body').fill('{"building":2}');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('Status 200').waitFor();
  t.match(source.asked.at(-1), { method: 'POST', body: '{"building":2}' });
  t.match(await stored(), { method: 'POST', body: '{"building":2}' });
});

test.all('headers of another form are edited as JSON', { skip }, async (t) => {
  const { page, stored } = await openSource(t, { headers: [{ name: ['a'], value: 'b' }] });
  await page.getByText('The form does not know all of this value').waitFor();
  const json = page.locator('.resource-form textarea.code');
  await json.fill('[{"name":"A","value":"b","more":{"c":1}}]');
  await json.press('Tab');
  await page.getByLabel('Name in row 1').fill('B');
  await page.getByLabel('Name in row 1').press('Tab');
  t.strictSame((await stored())['headers'], [{ name: 'B', value: 'b', more: { c: 1 } }]);
  await page.getByRole('button', { name: 'Add a row' }).click();
  await page.getByRole('button', { name: 'Remove row 1' }).click();
  t.strictSame((await stored())['headers'], [{ name: '', value: '' }]);
});

test.all('a response of a data source without address is entered by hand', { skip }, async (t) => {
  const { opened, page, mapwright, project, id } = await openSource(t, { url: '' });
  t.equal(await page.getByRole('button', { name: 'Try' }).count(), 0);
  await page.getByLabel('A response by hand').fill('{"taken": 5,');
  await page.getByRole('button', { name: 'Use this response' }).click();
  await page.getByText('This is not JSON yet').waitFor();
  await page.getByLabel('A response by hand').fill('{"taken": 5, "__proto__x": [1]}');
  await page.getByRole('button', { name: 'Use this response' }).click();
  await page.getByText('Sent by a client').waitFor();
  await treeItem(opened, /^taken\s*5/).waitFor();
  t.match((await mapwright.get(`/projects/${project}/data-sources/${id}/response`)).shown, { pushed: true, body: { taken: 5 } });
  t.strictSame(await opened.violations(), []);
  t.strictSame(opened.complaints, []);
});

test.all('a viewer sees the newest response, and can neither fetch nor make a variable', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await liveSample(mapwright);
  await push(mapwright, sample, { taken: 20, guests: [] });
  const opened = await openList(t, mapwright, sample.project, 'data_source', 'Sensors', { readOnly: true });
  const { page } = opened;
  await page.getByRole('button', { name: 'Show the newest response' }).click();
  await treeItem(opened, /^taken\s*20/).click();
  t.equal(await page.getByRole('button', { name: 'Use this response' }).count(), 0);
  t.equal(await page.locator('.inspector h2').textContent(), 'Sensors', 'a click makes no variable');
  await choose(opened, 'variable', 'Share');
  await page.getByText('Value now 40').waitFor();
  t.strictSame(opened.complaints, []);
});

async function openVariable(t: Test, name: string, change: object = {}, options: ConsoleOptions = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const sample = await liveSample(mapwright);
  await push(mapwright, sample, {
    taken: 20,
    guests: [
      { name: 'Ann', floor: 1, at: { x: 1, y: 2 } },
      { name: 'Bo', floor: 2, at: { x: 3, y: 4 } },
    ],
  });
  const id = sample.variables[name as keyof typeof sample.variables];
  const path = `/projects/${sample.project}/variables/${id}`;
  if (Object.keys(change).length > 0) await mapwright.patch(path, change);
  const opened = await openList(t, mapwright, sample.project, 'variable', name, options);
  const stored = async (): Promise<Shown> => {
    await opened.waitUntilSaved();
    return (await mapwright.get(path)).shown;
  };
  return { ...sample, mapwright, opened, page: opened.page, stored };
}

const openPath = {
  nodes: [
    { id: 'a', key: 'guests', colour: 'red' },
    { id: 'b', key: '1', parent: 'a' },
    { id: 'c', key: 'floor', parent: 'b' },
  ],
  node_id: 'c',
  filters: [{ key: 'floor', operator: 'greater-than', value: 0, note: 'kept' }],
  collapsed_nodes: ['a'],
  zoom: 3,
};

test.all('a path is chosen in the newest response, and members that the form does not know are kept', { skip }, async (t) => {
  const { opened, page, stored } = await openVariable(t, 'Taken', { data_path: openPath });
  await page.getByText('Value now 2').waitFor();
  await page.getByText('guests › 1 › floor').waitFor();
  await page.getByRole('button', { name: 'Choose in the response' }).press('Enter');
  await page
    .getByRole('treeitem', { selected: true })
    .filter({ hasText: /^floor\s*2/ })
    .waitFor();
  t.strictSame(await opened.violations(), []);
  await page.getByRole('tree').press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByText('guests › 1 › name').waitFor();
  await page.getByText('Value now Bo').waitFor();
  t.equal(await opened.recorded.value('document.activeElement.textContent'), 'Choose in the response', 'the focus is back');
  t.strictSame((await stored())['data_path'], {
    ...openPath,
    nodes: [...openPath.nodes, { id: 'n0', key: 'name', parent: 'b' }],
    node_id: 'n0',
  });
  await page.getByRole('button', { name: 'Path as JSON' }).click();
  t.match(JSON.parse(await page.locator('.resource-form textarea.code').inputValue()), { zoom: 3 });
  t.strictSame(opened.complaints, []);
});

test.all('filters are rows, and members of a filter that the form does not know are kept', { skip }, async (t) => {
  const { page, stored } = await openVariable(t, 'Each guest', {
    data_path: { ...openPath, node_id: 'a' },
  });
  await page.getByText('Value now 2 items').waitFor();
  await page.getByLabel('Value of filter 1').fill('1');
  await page.getByLabel('Value of filter 1').press('Tab');
  await page.getByText('Value now 1 item:').waitFor();
  await page.getByLabel('Operator of filter 1').selectOption('is-empty');
  t.equal(await page.getByLabel('Value of filter 1').count(), 0, 'it compares with nothing');
  t.strictSame(((await stored())['data_path'] as Shown)['filters'], [
    { key: 'floor', operator: 'is-empty', value: 1, note: 'kept' },
  ]);
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Key of filter 2').fill('name');
  await page.getByLabel('Value of filter 2').fill('Ann');
  await page.getByLabel('Value of filter 2').press('Tab');
  await page.getByRole('button', { name: 'Remove row 1' }).click();
  await page.getByText('Value now 1 item:').waitFor();
  t.strictSame(((await stored())['data_path'] as Shown)['filters'], [{ key: 'name', operator: 'equals', value: 'Ann' }]);
});

test.all('a value of each item is chosen in the first item of its iterator', { skip }, async (t) => {
  const { opened, page, stored } = await openVariable(t, 'Guest');
  await page.getByText('Value now 2 items: "Ann", "Bo"').waitFor();
  await page.getByRole('button', { name: 'Choose in the response' }).click();
  await treeItem(opened, /^x\s*1/).click();
  await page.getByText('Value now 2 items: 1, 3').waitFor();
  t.match((await stored())['data_path'], { nodes: [{ key: 'name' }, { key: 'at' }, { key: 'x' }], node_id: 'n2' });
});

t.test('an expression shows its result while it is typed, completes names, and says what is wrong', { skip }, async (t) => {
  const { opened, page, stored } = await openVariable(t, 'Share');
  await page.getByText('Value now 40').waitFor();
  const field = opened.field('Expression');
  await field.fill('{Taken} * 3');
  await page.getByText('= 60').waitFor();
  t.equal((await opened.page.locator('.present .value').textContent()) ?? '', '40', 'it is not saved yet');
  await field.fill('{Taken} * (3');
  await page.locator('.typed-result .warning-text').waitFor();
  t.match(await field.getAttribute('aria-invalid'), 'true');
  await field.fill('{Taken} * ) 3');
  await page.locator('.place mark').getByText(')', { exact: true }).waitFor();
  await field.fill('');
  await field.pressSequentially('1 + {ta');
  const names = page.getByRole('listbox', { name: 'Variables for Expression' });
  await names.waitFor();
  t.strictSame(await opened.violations(), []);
  t.strictSame(await names.getByRole('option').allTextContents(), ['Taken']);
  await page.keyboard.press('Enter');
  t.equal(await field.inputValue(), '1 + {Taken}');
  await page.keyboard.type(' * 2 + {');
  t.strictSame(await names.getByRole('option').allTextContents(), ['Taken', 'Heat', 'Each guest', 'Guest']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  t.equal(await names.count(), 0);
  t.equal(await field.inputValue(), '1 + {Taken} * 2 + {', 'the text stays');
  await field.fill('1 + {Taken} * 2');
  await page.getByText('= 41').waitFor();
  await field.press('Tab');
  await page.getByText('Value now 41').waitFor();
  t.equal((await stored())['expression'], '1 + {Taken} * 2');
  await field.fill('{Nobody}');
  await page.locator('.typed-result').getByText('Nobody').waitFor();
  await field.press('Escape');
  t.equal(await field.inputValue(), '1 + {Taken} * 2');
  t.strictSame(opened.complaints, []);
});

test.all('an expression of items shows the result for each, with names in a text, too', { skip }, async (t) => {
  const { opened, page } = await openVariable(t, 'Share');
  await opened.field('Expression').fill('upper({Guest})');
  await page.getByText('= 2 items: "ANN", "BO"').waitFor();
  await page.keyboard.press('Escape');
  await opened.field('Source of the value').selectOption('custom');
  await opened.field('Value').pressSequentially('{{x}} and {gue');
  await page.getByRole('listbox', { name: 'Variables for Value' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('= 2 items: "{x}} and Ann", "{x}} and Bo"').waitFor();
});

test.all('a palette shows its gradient, smooth and in steps', { skip }, async (t) => {
  const { opened, page } = await openVariable(t, 'Heat');
  const fills = () =>
    opened.recorded.value("[...document.querySelectorAll('.gradient rect')].map((rect) => rect.getAttribute('fill'))");
  await page.locator('.gradient').waitFor();
  t.equal(new Set((await fills()) as string[]).size > 50, true);
  await opened.field('Blend neighbouring colours').uncheck();
  await opened.recorded.until(
    "new Set([...document.querySelectorAll('.gradient rect')].map((rect) => rect.getAttribute('fill'))).size === 2",
  );
  t.strictSame([...new Set((await fills()) as string[])], ['#00ff00', '#ff0000']);
  await page.getByLabel('Colour 1', { exact: true }).fill('nonsense');
  await page.getByLabel('Colour 1', { exact: true }).press('Tab');
  await page.locator('.field.colours .warning-text:not(:empty)').waitFor();
  t.equal(await page.locator('.gradient').count(), 0, 'no colour, no gradient');
});

test.all('problems of the evaluation are in the list of problems and lead to their field', { skip }, async (t) => {
  const { opened, page } = await openVariable(t, 'Share', { expression: '{Taken} / {Gone}' });
  await page.locator('.field.expression .warning-text').filter({ hasText: 'Gone' }).waitFor();
  await opened.showList('problems');
  const problem = page.locator('.problems button').filter({ hasText: 'Gone' });
  await problem.waitFor();
  t.strictSame(await opened.violations(), []);
  await choose(opened, 'variable', 'Taken');
  await opened.showList('problems');
  await problem.click();
  await page.locator('.inspector h2').filter({ hasText: 'Share' }).waitFor();
  await opened.recorded.until("document.activeElement.id === 'field-expression'");
  await opened.field('Expression').fill('{Taken} / 2');
  await opened.field('Expression').press('Tab');
  await problem.waitFor({ state: 'detached' });
  t.strictSame(opened.complaints, []);
});

for (const looks of [{ width: 1400 }, { width: 390 }, { width: 1400, dark: true }]) {
  test.all(`forms of data sources and variables are accessible and fit: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const { opened, page } = await openVariable(t, 'Taken', { data_path: openPath }, looks);
    const check = async (screen: string) => {
      t.strictSame(await opened.violations(), [], screen);
      t.equal(await opened.fits(), true, `${screen} fits`);
    };
    await page.getByText('Value now 2').waitFor();
    await page.getByRole('button', { name: 'Choose in the response' }).click();
    await page.getByRole('tree').waitFor();
    await check('tree of a path');
    for (const name of ['Share', 'Heat', 'Each guest', 'Guest']) {
      await choose(opened, 'variable', name);
      await page.locator('.present .value').waitFor();
      await check(name);
    }
    await choose(opened, 'data_source', 'Sensors');
    await page.getByRole('tree').waitFor();
    await check('data source');
    t.strictSame(opened.complaints, []);
  });
}
