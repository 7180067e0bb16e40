/** Requests as calls without HTTP: so that whatever is tested of the one can be tested of the other, by the same tests. */
import { etagOf, type MapwrightServer, RefusedError, type Resources } from '../../src/index.ts';

/** A request of a test. */
export interface DirectAsk {
  readonly method: string;
  /** Path and query, prefix included. */
  readonly target: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
}

/** What it is answered with. */
export interface DirectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: any resource, at any place; the types are tested in test/server/local-api.test.ts
type AnyResources = Resources<any, { readonly id: string }, unknown, unknown>;

const collections = {
  artboards: 'artboards',
  objects: 'objects',
  popups: 'popups',
  'data-sources': 'dataSources',
  variables: 'variables',
  actions: 'actions',
} as const;

const paths = /^\/(?:api\/)?v1\/projects(?:\/([^/]+)(?:\/(?:artboards\/([^/]+)\/(objects)|([a-z-]+))(?:\/([^/]+))?)?)?$/;
const listParameters = ['fields', 'sort'];

/** Carries out a request as a call; `undefined` where there is none for it, and it has to be sent. */
export async function askDirectly(server: MapwrightServer, ask: DirectAsk): Promise<DirectAnswer | undefined> {
  const { method, target, headers, key } = ask;
  const called = ['if-match', 'idempotency-key'];
  if (Object.keys(headers).some((name) => !called.includes(name))) return undefined;
  const body = typeof ask.body === 'string' ? parsed(ask.body) : ask.body;
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const account = (await server.keys()).find(({ id, state }) => state === 'valid' && key.startsWith(`mw_${id}`))?.account;
  if (account === undefined || Buffer.isBuffer(body)) return undefined;
  if (method === 'GET' ? searchParams.has('limit') || searchParams.has('cursor') : searchParams.size > 0) return undefined;
  const call = callOf(server, account, method, pathname, searchParams, body, {
    ...(headers['if-match'] === undefined ? {} : { ifMatch: headers['if-match'] }),
    ...(headers['idempotency-key'] === undefined ? {} : { idempotencyKey: headers['idempotency-key'] }),
  });
  if (call === undefined) return undefined;
  try {
    const value = await call();
    if (value === undefined) return { status: 204, headers: {}, text: '' };
    const etag = etagOf(value as object);
    return { status: 200, headers: etag === undefined ? {} : { etag }, text: JSON.stringify(value) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const { status, code, errors, message, index } = error;
    return { status, headers: {}, text: JSON.stringify({ status, code, detail: message, index, errors }) };
  }
}

function callOf(
  server: MapwrightServer,
  account: string,
  method: string,
  path: string,
  query: URLSearchParams,
  body: unknown,
  options: object,
): (() => Promise<unknown>) | undefined {
  const { projects } = server;
  if (path.endsWith('/projects/import')) {
    return method === 'POST' ? () => projects.import(account, JSON.stringify(body), options) : undefined;
  }
  const [all, project = '', artboard = '', objects, segment, id] = paths.exec(path) ?? [];
  if (all === undefined) return undefined;
  const collection = collections[(objects ?? segment) as keyof typeof collections];
  if (collection === undefined && segment !== undefined) {
    if (id !== undefined) return undefined;
    const key = `${method} ${segment}`;
    if (key === 'GET export') return () => projects.export(account, project);
    if (key === 'GET publication') return () => projects.publication(account, project);
    if (key === 'PUT publication') return () => projects.publish(account, project, (body ?? {}) as object, options);
    if (key === 'DELETE publication') return () => projects.unpublish(account, project, options);
    if (key === 'POST duplicate') return () => projects.duplicate(account, project, body as object, options);
    if (key === 'POST batch') {
      const { operations } = body as { operations: never[] };
      return async () => ({ results: await projects.batch(account, project, operations, options) });
    }
    return undefined;
  }
  const resources: AnyResources = collection === undefined ? projects : server[collection];
  const where = collection === undefined ? account : { account, project, artboard };
  const one = collection === undefined ? project : id;
  if (method === 'GET') {
    if (one !== undefined && one !== '') return query.size > 0 ? undefined : () => resources.get(where, one);
    const filter = Object.fromEntries([...query].filter(([name]) => !listParameters.includes(name)));
    const fields = query.get('fields')?.split(',') as ['id'] | undefined;
    const sort = query.get('sort')?.split(',') as ['id'] | undefined;
    return () => resources.list(where, { filter, ...(fields && { fields }), ...(sort && { sort }) });
  }
  if (method === 'POST') return one === undefined || one === '' ? () => resources.create(where, body, options) : undefined;
  if (one === undefined || one === '') return undefined;
  if (method === 'PATCH') return () => resources.update(where, one, body, options);
  return method === 'DELETE' ? () => resources.delete(where, one, options) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
