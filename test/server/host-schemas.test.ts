/** Schemas of a host for the open parts of the API, from either TypeBox or by hand: applied to every body, not to stored values. */
import { Type as Older } from '@sinclair/typebox';
import t, { type Test } from 'tap';
import Type from 'typebox';
import { createServer, type HostSchemas, type ServerOptions } from '../../src/index.ts';
import { recordingLog } from '../support/engine.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';

/** The same schemas by three hands. */
const byHand: Readonly<Record<string, HostSchemas>> = {
  typebox: {
    settings: Type.Object({
      theme: Type.Union([Type.Literal('light'), Type.Literal('dark')]),
      zoom: Type.Optional(Type.Integer()),
    }),
    condition: Type.Object({ variable: Type.String({ minLength: 1 }), equals: Type.Unknown() }, { additionalProperties: false }),
    style: Type.Object({ name: Type.String(), type: Type.Enum(['current-value', 'custom']) }),
    header: Type.Object({ name: Type.String(), value: Type.String() }),
    dataPath: Type.Object({ nodes: Type.Array(Type.Object({ id: Type.String() })) }),
  },
  '@sinclair/typebox': {
    settings: Older.Object({
      theme: Older.Union([Older.Literal('light'), Older.Literal('dark')]),
      zoom: Older.Optional(Older.Integer()),
    }),
    condition: Older.Object(
      { variable: Older.String({ minLength: 1 }), equals: Older.Unknown() },
      { additionalProperties: false },
    ),
    style: Older.Object({ name: Older.String(), type: Older.Unsafe<string>({ enum: ['current-value', 'custom'] }) }),
    header: Older.Object({ name: Older.String(), value: Older.String() }),
    dataPath: Older.Object({ nodes: Older.Array(Older.Object({ id: Older.String() })) }),
  },
  'a hand': {
    settings: {
      type: 'object',
      required: ['theme'],
      properties: { theme: { enum: ['light', 'dark'] }, zoom: { type: 'integer' } },
    },
    condition: {
      type: 'object',
      required: ['variable', 'equals'],
      properties: { variable: { type: 'string', minLength: 1 }, equals: true },
      additionalProperties: false,
    },
    style: { properties: { name: { type: 'string' }, type: { enum: ['current-value', 'custom'] } }, required: ['name', 'type'] },
    header: {
      $ref: '#/$defs/header',
      $defs: { header: { required: ['name', 'value'], additionalProperties: { type: 'string' } } },
    },
    dataPath: {
      type: 'object',
      required: ['nodes'],
      properties: { nodes: { items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } } },
    },
  },
};

const right = {
  settings: { theme: 'dark', zoom: 3, more: [1] },
  actions: [{ conditions: [{ variable: 'v', equals: null }], style_pin: { name: 'pin', type: 'custom', value: 1 } }],
  data_sources: [{ headers: [{ name: 'a', value: 'b' }] }],
  variables: [{ data_path: { nodes: [{ id: 'n' }] } }],
};

const wrong = {
  settings: { theme: 'drak', zoom: 1.5 },
  actions: [
    {},
    {
      conditions: [
        { variable: 'v', equals: 1 },
        { variable: '', equals: 1, more: 2 },
      ],
      style_color: { name: 'color' },
    },
  ],
  data_sources: [{ headers: [{ name: 'a' }] }],
  variables: [{ data_path: { nodes: [{ id: 'n' }, {}] } }],
};

const pointers = [
  '/actions/1/conditions/1/more',
  '/actions/1/conditions/1/variable',
  '/actions/1/style_color/type',
  '/data_sources/0/headers/0/value',
  '/settings/theme',
  '/settings/zoom',
  '/variables/0/data_path/nodes/1/id',
];

const started = (t: Test, schemas: HostSchemas) => startForRequests(t, { schemas });

for (const [hand, schemas] of Object.entries(byHand)) {
  t.test(`host schemas of ${hand} validate creates, updates, batches and imports`, async (t) => {
    const mapwright = await started(t, schemas);
    const { shown } = await mapwright.post('/projects', right);
    t.match(shown, right);
    const at = `/projects/${shown.id}`;
    const refusedAt = async (answer: ReturnType<Mapwright['post']>, below = '') => {
      const { status, pointers: found } = await answer;
      t.equal(status, 400);
      t.strictSame(
        found.map((pointer) => (pointer.startsWith(below) ? pointer.slice(below.length) : `not below: ${pointer}`)).sort(),
        pointers,
      );
    };
    await refusedAt(mapwright.post('/projects', wrong));
    await refusedAt(mapwright.patch(at, wrong));
    await refusedAt(
      mapwright.post(`${at}/batch`, { operations: [{ method: 'PATCH', path: '/', body: wrong }] }),
      '/operations/0/body',
    );
    const document = JSON.parse((await mapwright.get(`${at}/export`)).text);
    await refusedAt(mapwright.post('/projects/import', { ...document, project: { ...document.project, ...wrong } }), '/project');
    t.match(await mapwright.get(at).then(({ json }) => json), right, 'nothing was changed');
    t.equal((await mapwright.post('/projects/import', document)).status, 200);
    t.strictSame((await mapwright.post(`${at}/actions`, { conditions: [{}] })).pointers.sort(), [
      '/conditions/0/equals',
      '/conditions/0/variable',
    ]);
    await t.rejects(mapwright.server.client({ account: 'ann' }).post('/projects', { body: { settings: { theme: 1 } } }), {
      errors: [{ pointer: '/settings/theme' }],
    });
  });
}

t.test('an error of a host schema says what is wrong at which pointer', async (t) => {
  const mapwright = await started(t, byHand['typebox'] as HostSchemas);
  const { problem } = await mapwright.post('/projects', wrong);
  const said = Object.fromEntries((problem.errors ?? []).map(({ pointer, detail }) => [pointer, detail]));
  t.equal(said['/settings/theme'], 'must be one of "light", "dark"');
  t.equal(said['/settings/zoom'], 'must be integer');
  t.equal(said['/actions/1/conditions/1/more'], 'is not allowed here');
  t.equal(said['/data_sources/0/headers/0/value'], 'is required');
  t.equal(said['/actions/1/conditions/1/variable'], 'must not have fewer than 1 characters');
});

t.test('a 400 lists errors of the API and of the host schemas together', async (t) => {
  const mapwright = await started(t, byHand['typebox'] as HostSchemas);
  const body = { nmae: 'x', settings: { theme: 'x' }, actions: [{ conditions: 7, style_pin: [] }, { conditions: ['x'] }] };
  t.strictSame((await mapwright.post('/projects', body)).pointers.sort(), [
    '/actions/0/conditions',
    '/actions/0/style_pin',
    '/actions/1/conditions/0',
    '/nmae',
    '/settings/theme',
  ]);
});

t.test('host schemas do not apply to members that a request leaves out or to stored values', async (t) => {
  const mapwright = await startMapwright(t);
  const old = (await mapwright.post('/projects', { settings: { theme: 7 }, actions: [{ conditions: [{ x: 1 }] }] })).shown;
  const at = `/projects/${old.id}`;
  await mapwright.restart({ schemas: byHand['typebox'] as HostSchemas });
  t.strictSame((await mapwright.get(at)).shown, old, 'it stays readable');
  t.equal((await mapwright.patch(at, { name: 'new' })).status, 200, 'and the rest of it can be changed');
  t.equal((await mapwright.post(`${at}/duplicate`, {})).status, 200);
  t.equal((await mapwright.patch(at, { settings: { theme: 7 } })).status, 400, 'but it is not written again');
  const plain = (await mapwright.post('/projects', { actions: [{}], variables: [{}] })).shown;
  t.strictSame(plain['settings'], {}, 'a default is never judged');
  t.equal((await mapwright.patch(`/projects/${plain.id}`, plain)).status, 200, 'also where it is written back');
  const { text } = await mapwright.get(`/projects/${plain.id}/export`);
  t.equal((await mapwright.post('/projects/import', text)).status, 200, 'or imported');
});

t.test('a very long value that fails a host schema gives a single error', async (t) => {
  const mapwright = await started(t, { settings: Type.Object({ list: Type.Array(Type.Number()) }) });
  const { problem } = await mapwright.post('/projects', { settings: { list: Array(40_000).fill('x') } });
  t.strictSame(problem.errors, [{ pointer: '/settings', detail: "does not match this server's schema for it" }]);
  const short = await mapwright.post('/projects', { settings: { list: Array(1000).fill('x') } });
  t.equal(short.pointers.length, 100, 'and of what is not, a hundred');
});

t.test('an invalid host schema is refused at the start with the reason', async (t) => {
  const transform = Older.Transform(Older.String())
    .Decode((text) => new Date(text))
    .Encode((date) => date.toISOString());
  const codec = Type.Codec(Type.String())
    .Decode((text) => new Date(text))
    .Encode((date) => date.toISOString());
  const node = { type: 'object', properties: {} as Record<string, unknown> };
  node.properties['below'] = node;
  const refused: [unknown, RegExp][] = [
    [{ setings: { type: 'object' } }, /"schemas" of createServer has no member "setings"; did you mean "settings"\?/],
    [{ other: { type: 'object' } }, /its members are settings, condition, style, header, dataPath/],
    [{ settings: 'object' }, /the schema "settings" of createServer must be a JSON Schema/],
    [{ settings: null }, /must be a JSON Schema/],
    [{ settings: {} }, /must be a JSON Schema/],
    [{ settings: { parse: () => 1 } }, /must be a JSON Schema/],
    [{ settings: { type: 'objct' } }, /is not a valid JSON Schema: at "\/type" it must be/],
    [{ settings: { properties: 'x' } }, /is not a valid JSON Schema: at "\/properties"/],
    [{ settings: { $defs: { a: { type: 'nope' } }, type: 'object' } }, /is not a valid JSON Schema: at "\/definitions\/a\/type"/],
    [{ settings: { properties: { a: { pattern: '(' } } } }, /is not a valid JSON Schema: at "\/properties\/a\/pattern"/],
    [{ settings: Older.Object({ at: Older.Date() }) }, /is not a valid JSON Schema: at "\/properties\/at\/type"/],
    [{ settings: Older.Object({ at: Older.Undefined() }) }, /is not a valid JSON Schema/],
    [{ settings: Older.Object({ at: transform }) }, /contains a Transform, which is not JSON Schema/],
    [{ settings: Type.Object({ at: codec }) }, /contains a Codec/],
    [
      {
        settings: Type.Object({
          at: Type.Refine(
            Type.String(),
            () => false,
            () => 'no',
          ),
        }),
      },
      /contains a Refine/,
    ],
    [{ settings: { type: 'object', default: () => 1 } }, /contains a function/],
    [
      { settings: { properties: { constructor: { type: 'string' } } } },
      /has a member "constructor", which every JavaScript object/,
    ],
    [{ settings: { properties: { a: { properties: { toString: {} } } } } }, /has a member "toString"/],
    [{ settings: node }, /contains a circle/],
    [{ settings: { $ref: '#/$defs/none' } }, /refers to "#\/\$defs\/none", which it does not contain/],
    [{ settings: { properties: { a: { $ref: 'https://example.com/a' } } } }, /refers to "https:/],
    [{ settings: { $ref: '#' } }, /circular reference to "#"/],
    [{ settings: { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } } }, /circular reference/],
    [
      { settings: { properties: { a: { anyOf: [{ type: 'null' }, { not: { $ref: '#/properties/a' } }] } } } },
      /circular reference/,
    ],
    [{ settings: { $id: 'own', type: 'object', if: { $ref: 'own' } } }, /circular reference to "own"/],
  ];
  for (const [schemas, message] of refused) {
    const options = { inMemory: true, log: recordingLog().log, schemas } as const;
    await t.rejects(createServer(options as unknown as ServerOptions), { name: 'TypeError', message }, String(message));
  }
});

t.test('recursive host schemas validate nested values', async (t) => {
  const recursive: Record<string, HostSchemas> = {
    older: { dataPath: Older.Recursive((self) => Older.Object({ nodes: Older.Array(self) })) },
    newer: { dataPath: Type.Cyclic({ Node: Type.Object({ nodes: Type.Array(Type.Ref('Node')) }) }, 'Node') },
    hand: { dataPath: { type: 'object', required: ['nodes'], properties: { nodes: { items: { $ref: '#' } } } } },
    between: {
      dataPath: {
        allOf: [{ required: ['nodes'] }],
        else: { properties: { nodes: { items: { $ref: '#' } } } },
        if: false,
      },
    },
  };
  for (const [name, schemas] of Object.entries(recursive)) {
    const server = await createServer({ inMemory: true, log: recordingLog().log, schemas });
    t.teardown(() => server.close());
    await server.createAccount('ann');
    const client = server.client({ account: 'ann' });
    const { id: project_id } = await client.post('/projects', { body: {} });
    const create = (data_path: { readonly nodes: unknown[] }) =>
      client.post('/projects/{project_id}/variables', { params: { path: { project_id } }, body: { data_path } });
    await create({ nodes: [{ nodes: [] }] });
    const wrong = create({ nodes: [{ nodes: [{}] }] });
    await t.rejects(wrong, { errors: [{ pointer: '/data_path/nodes/0/nodes/0/nodes', detail: 'is required' }] }, name);
    const nested = (depth: number): { nodes: [] } => ({ nodes: depth === 0 ? [] : ([nested(depth - 1)] as unknown as []) });
    t.ok(await create(nested(30)), `${name}, as deep as bodies go`);
    await t.rejects(create(nested(500)), { message: /nested too deeply/ }, `${name}, deeper`);
  }
});

t.test('a deep value that fails a recursive host schema gives a single error in bounded time', async (t) => {
  const tree = {
    $ref: '#/$defs/condition',
    $defs: {
      condition: {
        anyOf: [
          { required: ['op', 'of'], properties: { op: { const: 'not' }, of: { $ref: '#/$defs/condition' } } },
          { required: ['op', 'of'], properties: { op: { const: 'all' }, of: { $ref: '#/$defs/condition' } } },
          { required: ['op', 'value'], properties: { op: { const: 'is' }, value: { type: 'number' } } },
        ],
      },
    },
  };
  const mapwright = await started(t, { condition: tree });
  const { id } = (await mapwright.post('/projects', {})).shown;
  const nested = (depth: number, value: unknown): object =>
    depth === 0 ? { op: 'is', value } : { op: 'not', of: nested(depth - 1, value) };
  const post = (depth: number, value: unknown) =>
    mapwright.post(`/projects/${id}/actions`, { conditions: [nested(depth, value)] });
  t.equal((await post(50, 7)).status, 200);
  const { problem } = await post(50, 'no number');
  t.strictSame(problem.errors, [{ pointer: '/conditions/0', detail: "does not match this server's schema for it" }]);
  t.ok((await post(2, 'no number')).pointers.includes('/conditions/0/of/of/value'), 'a small value gets its exact pointer');
});
