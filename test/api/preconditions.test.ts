/** Every operation whose description declares `If-Match` or `If-None-Match` applies it. */
import t from 'tap';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A public project with one of everything; identifiers by path parameter. */
async function world(mapwright: Mapwright): Promise<Readonly<Record<string, string>>> {
  const { shown } = await mapwright.post('/projects', { artboards: [{ type: 'osm', objects: [{ type: 'spot' }] }] });
  const at = `/projects/${shown.id}`;
  const [artboard] = (await mapwright.get(`${at}/artboards`)).list;
  const [object] = (await mapwright.get(`${at}/artboards/${artboard?.id}/objects`)).list;
  const made = async (path: string, body: object): Promise<string> => (await mapwright.post(at + path, body)).shown.id;
  const ids: Record<string, string> = {
    ...{ project_id: shown.id, artboard_id: String(artboard?.id), object_id: String(object?.id) },
    popup_id: await made('/popups', {}),
    data_source_id: await made('/data-sources', {}),
    variable_id: await made('/variables', { type: 'primitive' }),
    action_id: await made('/actions', { type: 'modify-object' }),
    file_id: (
      await mapwright.ask('POST', `/v1${at}/files?name=a.png`, { body: picture, headers: { 'content-type': 'image/png' } })
    ).shown.id,
  };
  ids['version_id'] = await made('/versions', { name: 'first' });
  await mapwright.ask('PUT', `/v1${at}/publication`, { body: {} });
  return ids;
}

t.test('a declared precondition that does not hold is a 412, and changes nothing', async (t) => {
  const mapwright = await startForRequests(t);
  const ids = await world(mapwright);
  const at = `/projects/${ids['project_id']}`;
  const state = async (): Promise<string> => {
    const paths = ['/projects', at, `${at}/files`, `${at}/versions`, '/publications'];
    return (await Promise.all(paths.map(async (path) => (await mapwright.get(path)).text))).join('\n');
  };
  const before = await state();
  t.ok(before.includes('"first"') && before.includes('"slug"'), 'a version and a publication exist');
  const failing = [
    ...operations
      .filter(({ takesIfMatch }) => takesIfMatch)
      .map((operation) => ({ operation, headers: { 'if-match': '"other"' } })),
    ...operations
      .filter(({ takesIfNoneMatch, method }) => takesIfNoneMatch && method !== 'GET')
      .map((operation) => ({ operation, headers: { 'if-none-match': '*' } })),
  ];
  t.ok(failing.length > 80, `${failing.length} preconditions`);
  for (const { operation, headers } of failing) {
    const { method, path, body } = operation;
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? name);
    const { status, problem } = await mapwright.ask(method, `/v1${filled}`, {
      headers,
      ...(method !== 'GET' && method !== 'DELETE' && { body: body?.example ?? {} }),
    });
    t.equal(status, 412, `${method} ${path} with ${JSON.stringify(headers)}: ${problem.detail ?? ''}`);
  }
  t.equal(await state(), before);
});

t.test('the tag of the list of versions allows to add a version and to delete all, until the list changes', async (t) => {
  const mapwright = await startForRequests(t);
  const { project_id } = await world(mapwright);
  const list = `/projects/${project_id}/versions`;
  const tag = async (): Promise<string> => String((await mapwright.get(list)).headers.etag);
  const match = (etag: string) => ({ headers: { 'if-match': etag } });
  const first = await tag();
  t.equal((await mapwright.post(list, { name: 'second' }, match(first))).status, 200);
  t.equal((await mapwright.post(list, { name: 'third' }, match(first))).status, 412);
  t.equal((await mapwright.delete(list, match(first))).status, 412);
  t.equal((await mapwright.get(list)).list.length, 2);
  const second = await tag();
  const together = await Promise.all(['a', 'b'].map((name) => mapwright.post(list, { name }, match(second))));
  t.strictSame(together.map(({ status }) => status).sort(), [200, 412], 'of two at the same time, one');
  t.equal((await mapwright.delete(list, match(await tag()))).status, 204);
  t.strictSame((await mapwright.get(list)).list, []);
  t.equal((await mapwright.delete(list, match('*'))).status, 204, 'an empty list has a version, too');
});
