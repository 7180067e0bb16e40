/** Every kind of write of a person names the person in its events. */
import t from 'tap';
import { png } from '../api/pictures.ts';
import { follow } from '../support/follower.ts';
import { startForRequests } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';
import { type Answered, ask, type SignedIn, signIn } from '../support/signed-in.ts';

/** They change no project, so there is no event. */
const withoutRecord = ['evaluateProject', 'fetchDataSourceResponse', 'pushDataSourceResponse', 'forgetDataSourceResponse'];

/** A write, by the identifier of its endpoint; some have several forms. */
type Write = readonly [operation: string, write: () => Promise<Answered>];

async function* writesOf(kim: SignedIn): AsyncGenerator<Write> {
  let last: Answered | undefined;
  const write = (operation: string, method: string, target: string, body?: unknown): Write => [
    operation,
    async () => {
      last = await kim.ask(method, target, body);
      return last;
    },
  ];
  const idOfLast = (): string => last?.json.id;
  yield write('createProject', 'POST', '/v1/projects', { name: 'Map' });
  const project = `/v1/projects/${idOfLast()}`;
  yield write('createProject', 'POST', '/v1/projects', { name: 'Large', popups: [{}, {}, {}] });
  yield write('updateProject', 'PATCH', project, { name: 'Plan' });
  yield write('createArtboard', 'POST', `${project}/artboards`, { name: 'Ground' });
  const artboard = `${project}/artboards/${idOfLast()}`;
  yield write('updateArtboard', 'PATCH', artboard, { name: 'Floor' });
  const members = [
    ['Object', `${artboard}/objects`, { type: 'spot' }],
    ['Popup', `${project}/popups`, {}],
    ['DataSource', `${project}/data-sources`, {}],
    ['Variable', `${project}/variables`, {}],
    ['Action', `${project}/actions`, {}],
  ] as const;
  for (const [title, path, body] of members) {
    yield write(`create${title}`, 'POST', path, body);
    const one = `${path}/${idOfLast()}`;
    yield write(`update${title}`, 'PATCH', one, {
      name: 'Another',
      ...(title === 'Popup' ? { name: undefined, title: 'T' } : {}),
    });
    yield write(`delete${title}`, 'DELETE', one);
  }
  yield [
    'createFile',
    async () => {
      const headers = { ...kim.headers, 'content-type': 'image/png' };
      last = await ask(kim.origin, 'POST', `${project}/files?name=a.png`, { headers, body: png(3, 2) });
      return last;
    },
  ];
  const file = `${project}/files/${idOfLast()}`;
  yield write('updateFile', 'PATCH', file, { name: 'b.png' });
  yield write('deleteFile', 'DELETE', file);
  const popup = { method: 'POST', path: '/popups', body: { title: 'Reception' } };
  yield write('batch', 'POST', `${project}/batch`, { operations: [popup] });
  yield write('batch', 'POST', `${project}/batch`, { operations: [popup, popup, popup] });
  yield write('createVersion', 'POST', `${project}/versions`, { name: 'Kept' });
  const version = idOfLast();
  yield write('updateVersion', 'PATCH', `${project}/versions/${version}`, { name: 'Keep' });
  yield write('updateProject', 'PATCH', project, { name: 'Later' });
  yield write('restoreVersion', 'POST', `${project}/versions/${version}/restore`);
  yield write('duplicateProject', 'POST', `${project}/duplicate`, { name: 'Copy' });
  yield write('duplicateProject', 'POST', `${project}/duplicate`, { version });
  yield write('deleteVersion', 'DELETE', `${project}/versions/${version}`);
  yield write('deleteVersions', 'DELETE', `${project}/versions`);
  const document = { format: 'mapwright-project', version: 1, project: { name: 'Office', popups: [{ title: 'Reception' }] } };
  yield write('importProject', 'POST', '/v1/projects/import', document);
  yield write('publishProject', 'PUT', `${project}/publication`, { name: 'lindenhof' });
  yield write('publishProject', 'PUT', `${project}/publication`, { refresh: 60 });
  yield [
    'putPublicationPicture',
    () => {
      const headers = { ...kim.headers, 'content-type': 'image/png' };
      return ask(kim.origin, 'PUT', `${project}/publication/picture`, { headers, body: png(1200, 630) });
    },
  ];
  yield write('unpublishProject', 'DELETE', `${project}/publication`);
  yield write('deleteArtboard', 'DELETE', artboard);
  yield write('deleteProject', 'DELETE', project);
}

t.test('every kind of write names the person in each of its events', async (t) => {
  const mapwright = await startForRequests(t);
  const owner = await signIn(mapwright);
  const kim = await owner.invite({ name: 'Kim', role: 'editor' });
  const feed = await (await follow(mapwright, '/events', { session: owner.headers })).begun();
  const seen = new Set<string>(withoutRecord);
  for await (const [operation, write] of writesOf(kim)) {
    seen.add(operation);
    const { status, json } = await write();
    if (!t.ok(status < 300, `${operation}: ${status} ${status < 300 ? '' : JSON.stringify(json)}`)) return;
    const { events } = await feed.next();
    t.ok(events.length > 0, `${operation}: ${events.map(({ name }) => name)}`);
    for (const { name, data } of events) t.equal(data.by, kim.id, `${operation}: ${name}`);
  }
  const writes = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  t.strictSame([...seen].toSorted(), writes.toSorted(), 'every write of the API is here');
  feed.res.destroy();
});

t.test('a repeated import or copy with a key is stored with its person', async (t) => {
  const mapwright = await startForRequests(t);
  const owner = await signIn(mapwright);
  const kim = await owner.invite({ name: 'Kim', role: 'editor' });
  const { id } = (await kim.ask('POST', '/v1/projects', { name: 'Map' })).json;
  const feed = await (await follow(mapwright, '/events', { session: owner.headers })).begun();
  const headers = { ...kim.headers, 'idempotency-key': 'once' };
  const copy = () => ask(kim.origin, 'POST', `/v1/projects/${id}/duplicate`, { headers });
  const [first, again] = [await copy(), await copy()];
  t.equal(first.json.id, again.json.id);
  for (const { data } of (await feed.next()).events) t.equal(data.by, kim.id);
  feed.res.destroy();
});
