import t from 'tap';
import { compiledAfter, pathOf, Router } from '../../src/http/router.ts';
import fc from '../support/fast-check.ts';
import { type ApiRequest, admin, type Endpoint, serve } from './harness.ts';

function endpoint(method: Endpoint<string>['method'], path: string, extra: Partial<Endpoint<string>> = {}): Endpoint<string> {
  const handle = (request: ApiRequest<unknown>) => ({ kind: 'json', status: 200, json: JSON.stringify(request.params) });
  return { method, path, prefixes: admin, handle, ...extra } as Endpoint<string>;
}

const endpoints = [
  endpoint('GET', '/projects'),
  endpoint('POST', '/projects'),
  endpoint('GET', '/projects/:project_id'),
  endpoint('DELETE', '/projects/:project_id'),
  endpoint('PATCH', '/projects/:project_id/artboards/:artboard_id'),
  endpoint('GET', '/healthz', { public: true, prefixes: [''] }),
];
for (const [state, uses] of Object.entries({ 'not compiled': 0, compiled: compiledAfter })) {
  const router = new Router(endpoints);
  for (let i = 0; i < uses; i++) router.find('/v1/projects');

  t.test(`${state}: both prefixes lead to the same endpoint, with decoded parameters`, async (t) => {
    for (const prefix of admin) {
      const match = router.find(`${prefix}/projects/a%20b%2Fc%25/artboards/%C3%BC?limit=1&x=%41#`.slice(0, -1));
      t.strictSame({ ...match?.params }, { project_id: 'a b/c%', artboard_id: 'ü' });
      t.equal(match?.query, 'limit=1&x=%41', 'the query is as it was sent');
      t.equal(match?.table.endpoints.get('PATCH'), endpoints[4]);
    }
  });

  t.test(`${state}: every path has its table of methods`, async (t) => {
    const table = router.find('/v1/projects')?.table;
    t.equal(table?.allow, 'GET, HEAD, POST');
    t.equal(table?.endpoints.get('HEAD'), endpoints[0]);
    t.equal(table?.public, false);
    t.equal(router.find('/v1/projects/1')?.table.allow, 'GET, HEAD, DELETE');
    t.equal(router.find('/v1/projects/1/artboards/2')?.table.endpoints.get('HEAD'), undefined);
    t.equal(router.find('/healthz?x')?.table.public, true);
  });

  t.test(`${state}: every other path is unknown`, async (t) => {
    const unknown = [
      '',
      '*',
      '/',
      '/v1',
      '/v1/',
      '/projects',
      '/api/projects',
      '/api/v2/projects',
      '/v1/healthz',
      '/v1/projects/',
      '/v1//projects',
      '//v1/projects',
      '/v1/projects/?limit=1',
      '/v1/projects//artboards/1',
      '/v1/projects/1/artboards/',
      '/v1/projects/1/artboards',
      '/v1/projects/1/',
      '/V1/projects',
      '/v1/Projects',
      '/v1/projects#x',
      '/v1/projects/x#y',
      '/v1/projects%2F1',
      '/v1/projects;a=1',
      '/v1/./projects',
      '/v1/x/../projects',
      'http://host',
      'http://host/projects',
      'ftp://host/v1/projects',
      'http:///v1/projects',
      '*v1/projects',
      'xv1/projects',
      'v1/projects',
    ];
    for (const url of unknown) t.equal(router.find(url), undefined, url);
  });

  t.test(`${state}: a parameter that cannot be decoded is used as it is, and a long one is accepted`, async (t) => {
    for (const name of ['%', '%ZZ', '%ff', '%C3%28', 'a%2', '%E0%80%80']) {
      t.equal(router.find(`/v1/projects/${name}?q=%25`)?.params['project_id'], name);
      t.equal(router.find(`/v1/projects/${name}?q=%25`)?.query, 'q=%25');
    }
    const long = 'x'.repeat(8000);
    t.equal(router.find(`/v1/projects/${long}`)?.params['project_id'], long);
    t.equal(router.find('/v1/projects/__proto__')?.params['project_id'], '__proto__');
    t.equal(router.find('/v1/%ZZ'), undefined);
  });

  t.test(`${state}: an absolute target is routed by its path`, async (t) => {
    t.equal(router.find('http://example.org/v1/projects/7?limit=2')?.params['project_id'], '7');
    t.equal(router.find('HTTPS://example.org:80/api/v1/projects?limit=2')?.query, 'limit=2');
    t.equal(pathOf('http://example.org/v1/projects?x=/y'), '/v1/projects');
    t.equal(pathOf('http://example.org?x=/y'), '/');
    t.equal(pathOf('/v1/projects?x=http://y/'), '/v1/projects');
    t.equal(pathOf('*'), '/');
  });
}

t.test('endpoints with the same method and path are refused at the start', async (t) => {
  t.throws(() => new Router([endpoint('GET', '/a'), endpoint('GET', '/a')]), /GET .*\/a is declared twice/);
  t.throws(() => new Router([endpoint('GET', '/a/:x'), endpoint('POST', '/a/:y')]), /already declared/);
});

t.test('no request target gives a 5xx', async (t) => {
  const { ask, logged } = await serve(t, endpoints);
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      'v1',
      'api',
      'projects',
      'artboards',
      '%',
      '%2F',
      '%00',
      '%ff',
      '..',
      ':',
      '*',
      '?',
      '&',
      '=',
      '#',
      ';',
      '(',
      '\\',
    ),
    fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
  );
  const target = fc.array(piece, { maxLength: 12 }).map((pieces) => `/v1/projects${pieces.join('')}`);
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND');
  await fc.assert(
    fc.asyncProperty(target, method, async (path, method) => {
      const { status } = await ask(path, { method });
      return [200, 400, 404, 405].includes(status);
    }),
    { numRuns: 300 },
  );
  t.strictSame(logged, []);
});
