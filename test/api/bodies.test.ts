// tier: normal
/** What a body may be: every rule about its bytes, its values, its members and its size, and open structures that stay as they were. */
import t, { type Test } from 'tap';
import { type Answer, startMapwright } from '../support/mapwright.ts';
import { resourcesOfDocument } from '../support/resources.ts';
import type { ResourceName } from './contract.ts';
import { leastOf } from './samples.ts';
import { makeWorld } from './world.ts';

const mapwright = await startMapwright(t);
const world = await makeWorld(mapwright);
const at = `/projects/${world.projectId}`;

/** Invalid bodies of POST and PATCH: each is refused with pointers to its faults, and changes nothing. */
async function refused(t: Test, target: string, body: string | Buffer, pointers?: string[]): Promise<Answer[]> {
  const before = await world.bytes();
  const records = mapwright.lastRecord();
  const collection = target.startsWith(`${at}/`) ? target.slice(0, target.lastIndexOf('/')) : '/projects';
  const answers = [await mapwright.patch(target, body), await mapwright.post(collection, body)];
  const faults: string[] = [];
  for (const answer of answers) {
    const { status, code, title, detail, type, request_id } = answer.problem;
    const head = [answer.status, status, answer.headers['content-type']].join();
    if (head !== '400,400,application/problem+json') faults.push(`${head}: ${answer.text.slice(0, 200)}`);
    for (const text of [code, title, detail, type]) if (typeof text !== 'string' || text === '') faults.push('an empty word');
    if (request_id !== answer.headers['x-request-id']) faults.push('another request_id');
    if (/\.[tj]s\b|node_modules|\bat \w+ \(|\/src\//.test(answer.text)) faults.push(`something from inside: ${answer.text}`);
    if (/\p{Surrogate}/u.test([detail, ...(answer.problem.errors ?? []).flatMap((error) => Object.values(error))].join()))
      faults.push('an answer that is not valid Unicode');
    const found = [...answer.pointers].sort().join();
    if (pointers !== undefined && found !== [...pointers].sort().join()) faults.push(`pointers ${found}`);
  }
  if ((await world.bytes()) !== before) faults.push('something changed');
  if (mapwright.lastRecord() !== records) faults.push('a record');
  t.strictSame(faults, [], body.toString().slice(0, 60));
  return answers;
}

t.test('max_bounds, legend and labels of the settings are checked with a pointer; other settings are free', async (t) => {
  const bounds = { south: 52, west: 13, north: 53, east: 14 };
  const refusals: readonly (readonly [object, string])[] = [
    [{ max_bounds: null }, '/settings/max_bounds'],
    [{ max_bounds: { ...bounds, south: 54 } }, '/settings/max_bounds'],
    [{ max_bounds: { ...bounds, west: 14 } }, '/settings/max_bounds'],
    [{ max_bounds: { ...bounds, north: 91 } }, '/settings/max_bounds/north'],
    [{ max_bounds: { ...bounds, east: 181 } }, '/settings/max_bounds/east'],
    [{ max_bounds: { south: 52, west: 13, north: 53 } }, '/settings/max_bounds/east'],
    [{ max_bounds: { ...bounds, up: 1 } }, '/settings/max_bounds/up'],
    [{ legend: {} }, '/settings/legend'],
    [{ legend: [{ color: '#fff', name: 1 }] }, '/settings/legend/0/name'],
    [{ legend: [{ color: '#fff' }] }, '/settings/legend/0/name'],
    [{ labels: 'some' }, '/settings/labels'],
    [{ labels: null }, '/settings/labels'],
  ];
  for (const [settings, pointer] of refusals) await refused(t, at, JSON.stringify({ settings }), [pointer]);
  const settings = { max_bounds: { ...bounds, west: 170, east: -170 }, legend: [], labels: 'auto', bounds: null, maxBounds: [1] };
  t.strictSame((await mapwright.patch(at, { settings })).shown['settings'], settings);
});

t.test('an unknown member is refused with an escaped pointer and a suggestion', async (t) => {
  await refused(t, at, '{"a/b":1,"c~d":2,"~1":3,"":4," ":5}', ['/a~1b', '/c~0d', '/~01', '/', '/ ']);
  await refused(t, at, '{"artboards":[{"x/y":1,"objects":[{"type":"spot","~":1}]}]}', [
    '/artboards/0/x~1y',
    '/artboards/0/objects/0/~0',
  ]);
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'])
    await refused(t, at, `{"${name}":1}`, [`/${name}`]);

  const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const resource of resourcesOfDocument) {
    const collection = resource.title === 'Project' ? '/projects' : world.at(resource.title as ResourceName);
    const silent: string[] = [];
    for (const name of resource.writable) {
      const spellings = [camel(name), snake(name), name.toUpperCase(), `${name}s`, name.slice(0, -1)];
      for (const wrong of spellings.filter((each) => each.length > 3 && !resource.members.includes(each))) {
        const { detail, errors = [] } = (await mapwright.post(collection, { ...leastOf(resource), [wrong]: 1 })).problem;
        const [fault] = errors;
        if (fault?.pointer !== `/${wrong}` || !detail.includes(wrong)) silent.push(`${wrong} is not named`);
        if ([camel(name), snake(name)].includes(wrong) && !fault?.detail.includes(`"${name}"`))
          silent.push(`${wrong} is not ${name}`);
      }
    }
    t.strictSame(silent, [], `${resource.title}: what was meant is said`);
  }
});

t.test('a refusal lists all faults of a body, up to 100', async (t) => {
  const body = '{"name":5,"nonsense":1,"settings":{"a":1e999},"artboards":[{"width":"5","objects":[{"x":"1"},5]},7],"popups":{}}';
  const pointers = [
    '/name',
    '/nonsense',
    '/settings/a',
    '/artboards/0/width',
    '/artboards/0/objects/0/x',
    '/artboards/0/objects/0/type',
  ];
  await refused(t, at, body, [...pointers, '/artboards/0/objects/1', '/artboards/1', '/popups']);
  const unknown = JSON.stringify(Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`m${i}`, i])));
  const wrong = JSON.stringify({ popups: Array.from({ length: 250 }, () => ({ maxWidth: '5', name: 5 })) });
  const infinite = `{"settings":{"a":[${Array.from({ length: 250 }, () => '1e999').join()}]},"name":5}`;
  const vertices = JSON.stringify({
    artboards: [{ objects: [{ type: 'poly', coords: Array.from({ length: 5000 }, () => ({ x: '1' })) }] }],
  });
  for (const many of [unknown, wrong, infinite, vertices]) {
    for (const answer of await refused(t, at, many)) {
      t.equal(answer.problem.errors?.length, 100, 'a hundred are listed');
      t.equal(new Set(answer.pointers).size, 100, 'all different');
      t.ok(answer.text.length < 40_000);
    }
  }
  for (const answer of await refused(t, at, '{"name":5,"thumb":6}', ['/name', '/thumb'])) {
    t.match(answer.problem.detail, '/name', 'readable on its own');
  }
});

t.test('a refusal stays below 100,000 characters for bodies with long names and many faults', async (t) => {
  const long = 'n'.repeat(4_000_000);
  const shown = `${'n'.repeat(256)}\u2026`;
  const bodies: [string, string[] | undefined][] = [
    [`{"settings":{"${long}":[${Array.from({ length: 150 }, () => '1e999').join()}]}}`, undefined],
    [`{"${long}":1}`, [`/${shown}`]],
    [`{"settings":{"${'/'.repeat(300)}":{"__proto__":1}}}`, [`/settings/${'~1'.repeat(256)}\u2026/__proto__`]],
    [`{"settings":{"${'a'.repeat(255)}🗺️":1e999}}`, [`/settings/${'a'.repeat(255)}\u2026`]],
  ];
  for (const [body, pointers] of bodies) {
    for (const answer of await refused(t, at, body, pointers)) {
      t.ok(answer.text.length < 100_000, `${answer.text.length} characters`);
      if (pointers === undefined) t.equal(answer.pointers[99], `/settings/${shown}/99`);
    }
  }
  const deep = `{"settings":${`{"${'d'.repeat(300)}":`.repeat(60)}[${'1e999,'.repeat(150)}0]${'}'.repeat(61)}`;
  for (const answer of await refused(t, at, deep)) t.ok(answer.text.length < 100_000, 'nor does a pointer go down for ever');

  const action = `${world.at('Action')}/${(await world.make('Action')).id}`;
  const variable = `${world.at('Variable')}/${(await world.make('Variable')).id}`;
  const object = `${world.at('Object')}/${(await world.make('Object')).id}`;
  const many = 200_000;
  const elements = (bad: string, good: string) => Array.from({ length: many }, (_, i) => (i < 1500 ? good : bad)).join();
  const wrong: [string, string, string, string, string][] = [
    [action, 'conditions', '5', '{}', 'must be a JSON object, not a number'],
    [variable, 'color_interpolation_colors', '5', '""', 'must be a string, not a number'],
    [object, 'coords', '5', '{"x":0,"y":0}', 'must be a JSON object, not a number'],
  ];
  for (const [target, member, bad, good, detail] of wrong) {
    const required = member === 'coords' ? '"type":"poly",' : '';
    for (const answer of await refused(t, target, `{${required}"${member}":[${elements(bad, good)}]}`)) {
      t.strictSame(
        answer.problem.errors,
        Array.from({ length: 100 }, (_, i) => ({ pointer: `/${member}/${1500 + i}`, detail })),
        member,
      );
    }
  }
  const vertex = `{"x":"1",${Array.from({ length: 19_000 }, (_, i) => `"m${i}":0`).join()}}`;
  for (const answer of await refused(t, object, `{"type":"poly","coords":[${vertex}]}`)) {
    t.equal(answer.problem.errors?.length, 100);
    t.ok(answer.pointers.every((pointer) => pointer.startsWith('/coords/0/')));
  }
  const question = await mapwright.post('/projects', { nam: 1, nmae: 2 });
  t.match(question.problem.detail, /did you mean "name"\? And 1 more, see errors\.$/);
  t.match((await mapwright.post('/projects', { nam: 1 })).problem.detail, /did you mean "name"\?$/);
});

t.test('a PATCH that changes nothing answers with the resource and writes no record', async (t) => {
  for (const resource of resourcesOfDocument) {
    const collection = resource.title === 'Project' ? '/projects' : world.at(resource.title as ResourceName);
    const { text, shown } = await mapwright.post(collection, leastOf(resource));
    const records = mapwright.lastRecord();
    for (const body of ['{}', ' \n{\t}\r\n', text]) {
      const answer = await mapwright.patch(`${collection}/${shown.id}`, body);
      t.strictSame([answer.status, answer.text], [200, text], resource.title);
    }
    t.equal(mapwright.lastRecord(), records, 'no record');
  }
});

t.test('a body with too many bytes or elements is refused with 413 and changes nothing', async (t) => {
  const before = await world.bytes();
  const mib = 1024 * 1024;
  const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
  t.equal((await mapwright.patch(at, padded(5 * mib))).status, 200, '5 MiB are read');
  const wrong = [padded(5 * mib + 1), JSON.stringify({ name: 'x'.repeat(2 * mib) })];
  wrong.push(JSON.stringify({ popups: Array.from({ length: 50_001 }, () => ({})) }));
  wrong.push(
    JSON.stringify({
      artboards: [{ objects: Array.from({ length: 25_000 }, () => 5) }, { objects: Array.from({ length: 25_000 }, () => 5) }],
    }),
  );
  for (const body of wrong) {
    for (const answer of [await mapwright.patch(at, body), await mapwright.post('/projects', body)]) {
      t.match(
        answer,
        { status: 413, problem: { code: 'payload_too_large' } },
        `${body.length} bytes: ${body.slice(0, 40).trim()}`,
      );
    }
  }
  t.equal(await world.bytes(), before, 'nothing changed');
});

t.test('open structures keep their content and order through a restart', async (t) => {
  const deep = JSON.parse(`${'{"a":['.repeat(30)}1${']}'.repeat(30)}`) as object;
  const values: object[] = [
    {},
    { constructor: 1, toJSON: 1, prototype: null, hasOwnProperty: false, toString: [], valueOf: {} },
    { b: 1, a: 2, 'a b': 3, '': 4, é: 5, '\u0000': 6, '~/': 7 },
    { 10: 'ten', 2: 'two', '-1': 'minus', '01': 'one', 4294967295: 'big' },
    { numbers: [1e308, -1e-308, 5e-324, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 0.1, 1e21, 123456789.125] },
    { texts: ['', '\u2028\u2029', '\ufffe\uffff', '\u0000\u001f\u007f', '🗺️', 'x'.repeat(100_000)] },
    { nothing: null, list: [null, [], {}, [[]]], yes: true },
    { id: 'mine', name: 5, $ref: '#', '@type': {} },
    deep,
  ];
  const kept: [string, string][] = [];
  for (const [i, value] of values.entries()) {
    const named = { ...value, name: 'text', type: 'text' };
    const sent: [string, object, string, unknown][] = [
      ['/projects', {}, 'settings', value],
      [world.at('Action'), {}, 'conditions', [value, value]],
      [world.at('Action'), {}, 'style_radius', named],
      [world.at('DataSource'), {}, 'headers', [value]],
      [
        world.at('Variable'),
        {},
        'data_path',
        { nodes: [value], node_id: 'n', filters: [], collapsed_nodes: [value], more: value },
      ],
    ];
    for (const [collection, body, member, open] of sent) {
      const answer = await mapwright.post(collection, { ...body, [member]: open });
      t.equal(JSON.stringify(answer.shown[member]), JSON.stringify(open), `${member}, value ${i}`);
      kept.push([`${collection}/${answer.shown.id}`, answer.text]);
    }
  }
  const { shown } = await mapwright.post(world.at('Variable'), { data_path: { node_id: 'n', toJSON: 1 } });
  t.strictSame(
    shown['data_path'],
    { nodes: [], node_id: 'n', filters: [], collapsed_nodes: [], toJSON: 1 },
    'what is left out of data_path is filled in',
  );
  const reset = await mapwright.patch(`${world.at('Variable')}/${shown.id}`, { data_path: {} });
  t.strictSame(reset.shown['data_path'], { nodes: [], node_id: '', filters: [], collapsed_nodes: [] });
  const bare = await mapwright.post(world.at('Action'), { style_color: {} });
  t.strictSame(bare.shown['style_color'], {}, 'but nothing into a style that was sent');
  for (const again of [() => mapwright.restart(), () => mapwright.server.snapshot(), () => mapwright.crash()]) {
    await again();
    const unlike: string[] = [];
    for (const [address, text] of kept) if ((await mapwright.get(address)).text !== text) unlike.push(address);
    t.strictSame(unlike, []);
  }
});
