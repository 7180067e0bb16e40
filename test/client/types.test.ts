/** Types of the client: the programs of docs/client.md compile, and mistakes in them do not. */
import t from 'tap';
import { temporaryFolder } from '../support/process.ts';
import { compiled } from './compile.ts';
import { clientPrograms } from './programs.ts';

const [program = '', feed = '', schemas = ''] = clientPrograms();

t.test('the programs of docs/client.md compile, and the first is short', async (t) => {
  const programs = { 'program.ts': program, 'feed.ts': feed, 'schemas.ts': schemas };
  t.strictSame(await compiled(temporaryFolder(t), programs), []);
  t.ok(
    program
      .trim()
      .split('\n')
      .filter((line) => line !== '').length <= 24,
    'some 20 lines',
  );
});

/** A mistake: the right text of the program, and the wrong one. */
type Slip = readonly [right: string, wrong: string];

const slips: Readonly<Record<string, Slip>> = {
  'a member of a body': ["{ name: 'City walk' }", "{ nmae: 'City walk' }"],
  'a member of a body, beside right ones': ['osm_lat: 48.208', 'osm_lattitude: 48.208'],
  'a member of an answer': ['attachedTo: spot.id', 'attachedTo: spot.uuid'],
  'a word of an enum': ["type: 'osm'", "type: 'openstreetmap'"],
  'another word of an enum': ["type: 'spot'", "type: 'polygon'"],
  'a type': ['x: 400', "x: '400'"],
  'a path': ["maps.post('/projects/{project_id}/popups'", "maps.post('/projects/{project_id}/popup'"],
  'a path that has no such method': ["maps.post('/projects/{project_id}/popups'", "maps.post('/projects/{project_id}/problems'"],
  'a parameter of the path': ['params: { path: { project_id, artboard_id } }', 'params: { path: { project_id } }'],
  'the name of one': ["{ path: { project_id: 'gone' } }", "{ path: { project: 'gone' } } as const"],
  'a parameter of a query': ["query: { fields: 'name' }", "query: { field: 'name' }"],
  'a member that is asked for': ["query: { fields: 'name' }", "query: { fields: 'nmae' }"],
  'a member that was not asked for': ['{ id, name } of', '{ id, thumb: name } of'],
  'an option of the client': ['key: process', 'apiKey: process'],
  'a member that is changed': ['({ name }) => ({ name:', '({ name }) => ({ names:'],
  'a member that a change depends on': ['({ name }) => ({ name:', '({ nam: name }) => ({ name:'],
  'the code of a problem': ["'not_found'", "'notfound'"],
  'a member of a problem': ['error.detail', 'error.details'],
};

t.test('a mistake in a program is a type error in its own line', async (t) => {
  const files = Object.entries(slips).map(([what, [right, wrong]], at) => {
    const text = program.replace(right, wrong);
    t.not(text, program, what);
    // Where a call is laid out over some lines, the one with the slip counts; of what is missing, the one that should have it.
    const line = text.split('\n').findIndex((one) => one.includes(wrong)) + 1;
    return { name: `slip-${at}.ts`, text, line, what };
  });
  const found = await compiled(temporaryFolder(t), Object.fromEntries(files.map(({ name, text }) => [name, text])));
  for (const { name, line, what } of files) {
    const use = what === 'the name of one' ? line + 1 : line;
    t.strictSame(
      found.filter((place) => place.startsWith(`${name}:`)),
      [`${name}:${use}`],
      what,
    );
  }
});

t.test('the types of events, optional members and responses accept right uses and refuse wrong ones', async (t) => {
  const head = `import { type Action, createClient, type MapObject } from 'mapwright/client';
const maps = createClient({ baseUrl: '' });
const project_id = '';
const params = { path: { project_id } };
`;
  const right = `for await (const { events } of maps.changes()) for (const event of events) {
  if (event.name === 'object.deleted') event.artboard_id.trim();
  if (event.name === 'artboard.reordered') event.ids.length;
  if (event.kind === 'project') event.name satisfies 'project.created' | 'project.updated' | 'project.deleted';
}
const made: Action = await maps.post('/projects/{project_id}/actions', { params, body: { type: 'modify-popup' } });
export const place: (object: MapObject) => number = ({ x }) => x + (made.popup_id ?? '').length;
const { data } = await maps.GET('/projects/{project_id}/export', { params, parseAs: 'text' });
data?.trim();
const renamed = await maps.patch('/projects/{project_id}', { params: { ...params, query: { fields: 'name' } }, body: { name: 'x' } });
const { url } = await maps.put('/projects/{project_id}/publication', { params: { ...params, query: { fields: 'url,version' } } });
[renamed.id, renamed.name, url].join();
await maps.update('/projects/{project_id}', { params }, ({ artboards }) => ({ artboards: [...artboards, { objects: [{ type: 'spot' }] }] }));
await maps.update('/projects/{project_id}', { params }, async ({ name }) => (name === '' ? { name: 'x' } : undefined));
`;
  const wrong = [
    "for await (const { events } of maps.changes()) events[0]?.name === 'popup.renamed';",
    "for await (const { events } of maps.changes()) for (const event of events) if (event.name === 'popup.created') event.resource.titel;",
    "await maps.post('/projects/{project_id}/actions', { params, body: { type: 'modify-popups' } });",
    "await maps.get('/events');",
    "await maps.get('/healthz');",
    "await maps.pages('/projects/{project_id}/problems', { params }).next();",
    "await maps.update('/projects/{project_id}', { params }, async () => ({ nmae: 'x', name: 'y' }));",
    "await maps.post('/projects/{project_id}/popups', { parms: {}, params, body: {} });",
    "await maps.get('/projects/{project_id}', { params, body: {} });",
    "(await maps.GET('/projects')).data[0];",
    "(await maps.post('/projects', { params: { query: { fields: 'name' } }, body: {} })).artboards;",
    "(await maps.put('/projects/{project_id}/publication', { params: { ...params, query: { fields: 'url' } } })).slug;",
    "await maps.PUT('/projects/{project_id}/publication', { params: { ...params, query: { fields: 'id' } } });",
  ];
  const found = await compiled(temporaryFolder(t), { 'right.ts': head + right, 'wrong.ts': `${head}${wrong.join('\n')}\n` });
  t.strictSame(
    found.filter((place) => place.startsWith('right')),
    [],
  );
  for (const [at, line] of wrong.entries()) t.ok(found.includes(`wrong.ts:${at + 5}`), line);
});
