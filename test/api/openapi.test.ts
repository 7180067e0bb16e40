/** The OpenAPI description: it is valid and true, and the checks of responses against it find differences. */
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { type Description, description, type Exchange } from '../support/described.ts';
import { exampleFiles, exampleText } from '../support/examples.ts';
import { startForRequests } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';

type JsonObject = Description['document'];

const { document } = description();
const paths = document['paths'] as Record<string, JsonObject>;

t.test('GET /openapi.json answers without a key', async (t) => {
  const mapwright = await startForRequests(t);
  const answer = await mapwright.ask('GET', '/openapi.json', { key: '' });
  t.equal(answer.status, 200);
  const { info, ...served } = answer.json as JsonObject;
  t.match((info as JsonObject)['version'], /^\d+\.\d+\.\d+/);
  const { info: own, ...others } = JSON.parse(JSON.stringify(document)) as JsonObject;
  t.strictSame(served, others);
  t.strictSame({ ...(info as JsonObject), version: '' }, { ...(own as JsonObject), version: '' });
});

t.test('each operation has a unique operationId', async (t) => {
  t.equal(new Set(operations.map(({ id }) => id)).size, operations.length);
  for (const { id, summary } of operations) t.match(summary, /^[A-Z]/, id);
});

t.test('every schema, member and parameter has a description', async (t) => {
  const components = document['components'] as JsonObject;
  const nameless: string[] = [];
  const look = (at: string, of: JsonObject) => {
    if (of['$ref'] === undefined && typeof of['description'] !== 'string') nameless.push(at);
  };
  for (const [title, schema] of Object.entries(components['schemas'] as Record<string, JsonObject>)) {
    look(title, schema);
    for (const [name, member] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>))
      look(`${title}.${name}`, member);
  }
  for (const [path, item] of Object.entries(paths as Record<string, Record<string, JsonObject>>)) {
    for (const { parameters = [] } of Object.values(item))
      for (const parameter of parameters as JsonObject[]) look(`${path}?${parameter['name']}`, parameter);
  }
  t.strictSame(nameless, []);
});

t.test('every example is a valid body, and a response with all members', (t) => {
  let checked = 0;
  for (const { id, method, path, body } of operations) {
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as unknown as {
      responses: Record<string, Content>;
    };
    const shown = exampleIn(operation.responses['200']);
    // The test below sends the others.
    if (shown === undefined && operation.responses['204'] === undefined) continue;
    const exchange = {
      ...{ method, target: `/v1${path}` },
      ...(shown === undefined ? { status: 204, text: '' } : { status: 200, text: JSON.stringify(shown) }),
      body: body && (body.isJson ? JSON.stringify(body.example) : 'bytes'),
      headers: { 'content-type': 'application/json', 'x-request-id': 'a', etag: '"a"' },
    };
    t.equal(description().faultIn(exchange), undefined, id);
    if (shown !== undefined) checked++;
  }
  t.ok(checked > 40, `${checked} responses`);
  t.end();
});

t.test('the examples of the description are accepted and answered as described', async (t) => {
  const mapwright = await startForRequests(t);
  const { shown: project } = await mapwright.post('/projects', {});
  const { shown: artboard } = await mapwright.post(`/projects/${project.id}/artboards`, {});
  let sent = 0;
  for (const [path, item] of Object.entries(paths)) {
    const operation = item['post'] as { requestBody?: Content; responses: Record<string, Content> } | undefined;
    const body = exampleIn(operation?.requestBody);
    if (body === undefined) continue;
    const at = path.replace('{project_id}', project.id).replace('{artboard_id}', artboard.id);
    const { shown } = await mapwright.post(at, body);
    sent++;
    const wanted = exampleIn(operation?.responses['200']) as JsonObject | undefined;
    if (wanted === undefined) continue;
    t.strictSame(Object.keys(shown), Object.keys(wanted), `${path}: the members of the answer`);
    const { id: _, user_id, created, key_label, bytes, counts, ...rest } = wanted;
    t.match(shown, rest, path);
  }
  t.equal(sent, 12, 'one of each resource, a version, a batch, a copy, an import, an evaluation');
});

t.test('the examples of the description are resources of data/examples', (t) => {
  const creates = Object.values(paths).flatMap(({ post }) => {
    const operation = post as { operationId: string; requestBody?: Content; responses: Record<string, Content> } | undefined;
    const body = exampleIn(operation?.requestBody) as Body | undefined;
    if (body === undefined || operation?.operationId.startsWith('create') !== true) return [];
    const { id } = exampleIn(operation.responses['200']) as { id: string };
    return [{ kind: operation.operationId.replace('create', '').toLowerCase(), id, body }];
  });
  t.equal(creates.length, 8, 'one of each resource, and a version');
  const kinds = new Map(creates.map(({ kind, id }) => [id, kind]));
  /** Replaces identifiers, which differ, by the kind of their resource. */
  const unnamed = (value: unknown, kindOf: ReadonlyMap<unknown, string>) =>
    JSON.parse(JSON.stringify(value), (_, text) => (kindOf.has(text) ? `some ${kindOf.get(text)}` : text)) as Body;
  const files = exampleFiles.map((file) => JSON.parse(exampleText(file)).project as Body);
  for (const { kind, body } of creates) {
    // Data sources of the files have no URL: their data are pushed.
    if (kind === 'datasource' || kind === 'version') continue;
    const members = Object.keys(body);
    const isThere = files.some((file) => {
      const all = resourcesIn(file);
      const fileKinds = new Map(all.map(({ id, kind }) => [id, kind]));
      const alike = all.filter(({ value }) => value['name'] === body['name']).map(({ value }) => pick(value, members));
      return alike.some((one) => isDeepStrictEqual(unnamed(one, fileKinds), unnamed(body, kinds)));
    });
    t.ok(isThere, `${kind}: ${JSON.stringify(body)} is in a file`);
  }
  t.end();
});

type Body = Readonly<Record<string, unknown>>;

interface FileResource {
  readonly id: unknown;
  readonly kind: string;
  readonly value: Body;
}

const collections = {
  ...{ artboards: 'artboard', objects: 'object', popups: 'popup' },
  ...{ data_sources: 'datasource', variables: 'variable', actions: 'action' },
};

/** A resource of a file, and all resources in its collections. */
function resourcesIn(value: Body, kind = 'project'): FileResource[] {
  const below = Object.entries(collections).flatMap(([name, of]) =>
    ((value[name] ?? []) as Body[]).flatMap((member) => resourcesIn(member, of)),
  );
  return [{ id: value['id'], kind, value }, ...below];
}

const pick = (one: Body, members: readonly string[]): Body =>
  Object.fromEntries(members.filter((member) => Object.hasOwn(one, member)).map((member) => [member, one[member]]));

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly example?: unknown } };
}

const exampleIn = (of: Content | undefined): unknown => of?.content?.['application/json']?.example;

const problemOf = (code: string, status = 404): string =>
  JSON.stringify({ type: '', title: '', status, detail: '', code, request_id: '' });

t.test('the check against the description finds every kind of difference', async (t) => {
  const create = paths['/projects/{project_id}/popups']?.['post'] as unknown as { responses: Record<string, Content> };
  const popup = exampleIn(create.responses['200']) as JsonObject;
  const headers = { 'content-type': 'application/json', 'x-request-id': 'a', etag: '"a"' };
  const exchange = {
    method: 'POST',
    target: '/v1/projects/a/popups',
    body: '{"title":"a"}',
    status: 200,
    headers,
    text: JSON.stringify(popup),
  };
  t.equal(description().faultIn(exchange), undefined);
  const { title: _, ...less } = popup;
  const wrong: [what: RegExp, change: Partial<Exchange>][] = [
    [/must have required property 'title'/, { text: JSON.stringify(less) }],
    [/must NOT have additional properties/, { text: JSON.stringify({ ...popup, colour: 'red' }) }],
    [/\/maxWidth must be number/, { text: JSON.stringify({ ...popup, maxWidth: '280' }) }],
    [/\/title must be string/, { body: '{"title":5}' }],
    [/must NOT have additional properties/, { body: '{"colour":"red"}' }],
    [/there is no query parameter "strickt"/, { target: '/v1/projects/a/popups?strickt=true' }],
    [/there is no such answer/, { status: 202 }],
    [/there is no such answer/, { status: 418 }],
    [/no content of the type "text\/html"/, { headers: { ...headers, 'content-type': 'text/html' } }],
    [/there is a header ETag/, { headers: { 'content-type': 'application/json', 'x-request-id': 'a' } }],
    [/there is no such operation/, { target: '/v1/projects/a/popup' }],
    [
      /required property 'type'/,
      { status: 404, headers: { ...headers, 'content-type': 'application/problem+json' }, text: '{"code":"gone"}' },
    ],
    [
      /\/code must be equal to one of/,
      { status: 404, headers: { ...headers, 'content-type': 'application/problem+json' }, text: problemOf('conflict') },
    ],
    [/it is JSON/, { text: '' }],
  ];
  for (const [what, change] of wrong) t.match(description().faultIn({ ...exchange, ...change }), what, String(what));
  t.equal(
    description().faultIn({
      ...exchange,
      status: 400,
      body: '{"title":5}',
      headers: { ...headers, 'content-type': 'application/problem+json' },
      text: problemOf('bad_request', 400),
    }),
    undefined,
    'what is refused may be anything',
  );
});
