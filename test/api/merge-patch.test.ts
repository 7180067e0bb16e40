// tier: normal
/** `application/merge-patch+json` on every resource and in batches (RFC 7396). */
import t from 'tap';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { contract, resourceNames } from './contract.ts';
import { makeWorld } from './world.ts';

const mapwright = await startForRequests(t);
const headers = { 'content-type': 'application/merge-patch+json' };
const merge = (at: string, body: unknown, more: Record<string, string> = {}) =>
  mapwright.patch(at, body, { headers: { ...headers, ...more } });

t.test('the settings of a project are merged as RFC 7396 says', async (t) => {
  // Its appendix: target, patch, result. Members of settings are open, so each is tried as one.
  const rows: [target: object, patch: object, result: object][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'foo' }, { b: { c: null } }, { a: 'foo', b: {} }],
  ];
  const { id } = (await mapwright.post('/projects', {})).shown;
  for (const [target, patch, result] of rows) {
    await mapwright.patch(`/projects/${id}`, { settings: target });
    const { shown } = await merge(`/projects/${id}`, { settings: patch });
    t.strictSame(shown['settings'], result, JSON.stringify([target, patch]));
    t.equal(JSON.stringify((await mapwright.get(`/projects/${id}`)).shown['settings']), JSON.stringify(result), 'it is stored');
  }
  await mapwright.patch(`/projects/${id}`, { settings: { a: { b: 1 } } });
  t.strictSame(
    (await mapwright.patch(`/projects/${id}`, { settings: { c: 1 } })).shown['settings'],
    { c: 1 },
    'a PATCH replaces',
  );
});

async function answerTo(at: string, body: unknown) {
  const answer = await merge(at, body);
  const { status, text } = answer;
  return { status, text, pointers: status === 400 ? answer.pointers : [] };
}

t.test('an open structure that is absent while it has its default is merged with the default', async (t) => {
  const world = await makeWorld(mapwright);
  const action = await world.make('Action');
  const at = `${world.at('Action')}/${action.id}`;
  t.strictSame((await merge(at, { style_icon: {} })).shown, action, 'nothing is changed');
  const { shown } = await merge(at, { style_icon: { type: 'custom' } });
  t.strictSame(shown['style_icon'], { name: 'icon', type: 'custom' });
});

t.test('null sets each member to its default, and is refused for a required or read-only one', async (t) => {
  const world = await makeWorld(mapwright);
  for (const name of resourceNames) {
    const members = contract[name];
    const fresh = name === 'Project' ? (await mapwright.post('/projects', {})).shown : await world.make(name);
    const at = name === 'Project' ? `/projects/${fresh.id}` : `${world.at(name)}/${fresh.id}`;
    for (const [member, { kind, fallback, readOnly, of, words }] of Object.entries(members)) {
      const { status, pointers, text } = await answerTo(at, { [member]: null });
      const isRequired = of === undefined && fallback === undefined;
      if (readOnly === true || isRequired) {
        t.match({ status, pointers }, { status: 400, pointers: [`/${member}`] }, `${name}.${member}`);
        continue;
      }
      t.equal(status, 200, `${name}.${member}: ${text.slice(0, 200)}`);
      const others: Readonly<Record<string, unknown>> = {
        ...{ string: 'other', number: 7, boolean: fallback !== true, words: words?.find((word) => word !== fallback) },
      };
      const other = others[kind];
      if (other === undefined) continue;
      t.equal((await merge(at, { [member]: other })).shown[member], other, `${name}.${member}, another value`);
      t.same((await merge(at, { [member]: null })).shown[member] ?? fallback, fallback, `${name}.${member}, removed`);
    }
    t.strictSame({ ...(await mapwright.get(at)).shown, id: '' }, { ...fresh, id: '' }, `${name} is as before`);
  }
});

t.test('the result is checked, and only then written', async (t) => {
  const { id } = (await mapwright.post('/projects', { settings: { labels: 'all', theme: 'dark' } })).shown;
  const at = `/projects/${id}`;
  const before = (await mapwright.get(at)).text;
  const wrong: [body: unknown, pointer: string][] = [
    [{ settings: { labels: 'some' } }, '/settings/labels'],
    [{ settings: { max_bounds: { south: 1 } } }, '/settings/max_bounds/west'],
    [{ settings: 5 }, '/settings'],
    [{ nome: 'x' }, '/nome'],
    [{ nome: null }, '/nome'],
    [{ artboards: 5 }, '/artboards'],
  ];
  for (const [body, pointer] of wrong) {
    const { status, pointers } = await merge(at, body);
    t.equal(status, 400, JSON.stringify(body));
    t.ok(pointers.includes(pointer), `${pointer} in ${pointers}`);
  }
  t.match((await merge(at, { setings: null })).problem.detail, /"settings"/, 'a misspelt name has a suggestion');
  t.equal((await merge(at, '[]')).status, 400);
  t.equal((await merge(at, { settings: { labels: null } }, { 'if-match': '"other"' })).status, 412);
  t.equal((await mapwright.get(at)).text, before);
  const same = await merge(at, { settings: { labels: 'all' } });
  t.equal(same.headers.etag, (await mapwright.get(at)).headers.etag, 'a patch without effect changes no version');
  t.equal((await merge(`/projects/none`, { name: null })).status, 404);
  t.equal((await mapwright.post(at.replace(/\/[^/]+$/, ''), {}, { headers })).status, 415, 'only of PATCH');
});

t.test('what patches make has the limits of a body, so that it can be sent back and imported', async (t) => {
  const { id } = (await mapwright.post('/projects', {})).shown;
  const at = `/projects/${id}`;
  const members = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));
  t.equal((await merge(at, { settings: members('a', 15_000) })).status, 200);
  const more = await merge(at, { settings: members('b', 15_000) });
  t.match({ status: more.status, pointers: more.pointers }, { status: 400, pointers: ['/settings'] });
  const large = 'x'.repeat(3 * 1024 * 1024);
  t.equal((await merge(at, { settings: null })).status, 200);
  t.equal((await merge(at, { settings: { a: large } })).status, 200);
  const larger = await merge(at, { settings: { b: large } });
  t.match({ status: larger.status, pointers: larger.pointers }, { status: 400, pointers: ['/settings'] });
  t.match(larger.problem.detail, /would have \d+ bytes with this patch, and may have 5242880 \(--body-mb\)/);
  const { settings } = (await mapwright.get(at)).shown;
  t.equal((await mapwright.patch(at, { settings })).status, 200, 'it can be sent back');
});

t.test('two editors who change other settings at the same time keep both changes', async (t) => {
  const { id } = (await mapwright.post('/projects', {})).shown;
  await Promise.all(Array.from({ length: 20 }, (_, i) => merge(`/projects/${id}`, { settings: { [`editor_${i}`]: i } })));
  const settings = (await mapwright.get(`/projects/${id}`)).shown['settings'];
  t.strictSame(
    Object.values(settings as object).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i),
  );
});

t.test('in a batch, each patch sees what the operations before it have done', async (t) => {
  const { id } = (await mapwright.post('/projects', { settings: { a: 1 } })).shown;
  const batch = (operations: unknown[], query = '') => mapwright.post(`/projects/${id}/batch${query}`, { operations });
  const made = await batch([
    { method: 'PATCH', path: '/', body: { settings: { b: { c: 1 } } }, merge: true },
    { method: 'PATCH', path: '/', body: { settings: { b: { d: 2 }, a: null } }, merge: true },
    { method: 'POST', path: '/popups', body: { title: 'Kiosk' }, as: 'kiosk' },
    { method: 'PATCH', path: '/popups/{kiosk}', body: { title: null, attachedTo: '{kiosk}' }, merge: true },
  ]);
  const bodies = (made.shown as unknown as { results: { body: Shown }[] }).results.map(({ body }) => body);
  t.strictSame(bodies[1]?.['settings'], { b: { c: 1, d: 2 } });
  const popup = bodies[3] as Shown;
  t.equal(popup['title'], '');
  t.equal(popup['attachedTo'], popup.id, 'names of results in a patch');
  const before = (await mapwright.get(`/projects/${id}`)).text;
  const refused: [operations: unknown[], query: string, pointer: string][] = [
    [[{ method: 'POST', path: '/popups', body: {}, merge: true }], '', '/operations/0/merge'],
    [[{ method: 'DELETE', path: `/popups/${popup.id}`, merge: true }], '', '/operations/0/merge'],
    [[{ method: 'PATCH', path: '/', body: { id: null }, merge: true }], '', '/operations/0/body/id'],
    [
      [{ method: 'PATCH', path: '/', body: { settings: { labels: 'no' } }, merge: true }],
      '',
      '/operations/0/body/settings/labels',
    ],
    [
      [{ method: 'PATCH', path: `/popups/${popup.id}`, body: { attachedTo: 'gone' }, merge: true }],
      '?strict=true',
      '/operations/0/body/attachedTo',
    ],
  ];
  for (const [operations, query, pointer] of refused) {
    const answer = await batch(operations, query);
    t.match({ status: answer.status, pointers: answer.pointers }, { status: 400, pointers: [pointer] }, pointer);
  }
  t.equal((await mapwright.get(`/projects/${id}`)).text, before);
});

t.test('strict, kept places and the places of objects work with a patch', async (t) => {
  const world = await makeWorld(mapwright);
  const popup = await world.make('Popup');
  const strict = await merge(`${world.at('Popup')}/${popup.id}?strict=true`, { attachedTo: 'gone', title: null });
  t.match({ status: strict.status, pointers: strict.pointers }, { status: 400, pointers: ['/attachedTo'] });
  const artboard = await world.make('Artboard', { type: 'osm', osm_lat: 52.5, osm_lng: 13.4, osm_zoom: 12 });
  const objects = `/projects/${world.projectId}/artboards/${artboard.id}/objects`;
  const spot = (await mapwright.post(objects, { type: 'spot', lat: 52.51, lng: 13.41 })).shown;
  await merge(`${world.at('Artboard')}/${artboard.id}?keep_places=true`, { osm_zoom: 13, name: null });
  const moved = (await mapwright.get(`${objects}/${spot.id}?places=true`)).shown;
  t.ok(Math.abs((moved['lat'] as number) - 52.51) < 1e-9, 'it stays where it is on Earth');
  t.not(moved['x'], spot['x']);
  t.match((await merge(`${objects}/${spot.id}`, { lat: 52.5, lng: 13.4, name: null })).shown, { x: 400, y: 300 });
  t.strictSame((await merge(`${objects}/${spot.id}`, { lat: null })).pointers, ['/lat'], 'a place is not stored');
});
