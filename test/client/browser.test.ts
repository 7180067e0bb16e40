/** The client without Node: bundled for a page, in a context with the globals of the web only. */
import path from 'node:path';
import vm from 'node:vm';
import t from 'tap';
import type { Client } from '../../src/web/client/client.ts';
import { startForRequests } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';
import { browserBundle } from './bundle.ts';
import { compiled } from './compile.ts';
import { refusalOf } from './support.ts';

/** What the client may use of a page over plain HTTP, where `crypto` has no `randomUUID`. */
const web = {
  ...{ fetch, Request, Response, Headers, FormData, URL, URLSearchParams, AbortController, ReadableStream },
  ...{ TextDecoder, TextEncoder, Uint8Array, setTimeout, clearTimeout },
  crypto: { getRandomValues: crypto.getRandomValues.bind(crypto) },
  location: {},
};

/** The client in a page, in which something else was run before. */
async function inPage(before = ''): Promise<(options: object) => Client> {
  const { text } = await browserBundle('iife');
  const context = vm.createContext({ ...web });
  vm.runInContext(`${before};${text};globalThis.createClient = mapwright.createClient`, context);
  return context['createClient'] as (options: object) => Client;
}

t.test('the bundled client reads, writes, lists and follows changes in a page', async (t) => {
  const mapwright = await startForRequests(t, { cors: ['*'] });
  const createClient = await inPage();
  const client = createClient({ baseUrl: `http://127.0.0.1:${mapwright.port}`, key: mapwright.key });
  const { data, response } = await client.POST('/projects', { body: { name: 'from a page' } });
  const project = data?.id ?? '';
  const feed = client.changes({ project, after: response.headers.get('etag') });
  await client.update('/projects/{project_id}', { params: { path: { project_id: project } } }, ({ name }) => ({
    name: `${name}!`,
  }));
  t.match(await feed.next(), { value: { events: [{ name: 'project.updated', resource: { name: 'from a page!' } }] } });
  await feed.return();
  const names: string[] = [];
  for await (const { name } of client.each('/projects')) names.push(name);
  t.strictSame(names, ['from a page!']);
  t.match(await client.GET('/projects/{project_id}', { params: { path: { project_id: 'none' } } }), {
    error: { code: 'not_found' },
  });
});

t.test('a failed fetch in a page is reported with the hint about CORS', async (t) => {
  const createClient = await inPage("globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))");
  t.match(await refusalOf(createClient({ baseUrl: 'http://maps.test', retry: false }).get('/projects')), {
    message:
      'GET http://maps.test/api/v1/projects: no response (Failed to fetch). Check that the server is running. For pages of other origins it needs --cors.',
  });
});

t.test('the client compiles with the types of a page, without those of Node', async (t) => {
  const entry = path.join(projectRoot(import.meta.dirname), 'src/web/client/client.ts');
  const program = `import { createClient } from '${entry}';\nexport const client = createClient({ baseUrl: '/' });\n`;
  const other = "import process from 'node:process';\nexport const { env } = process;\n";
  const page = { types: [], lib: ['es2023', 'dom', 'dom.iterable'] };
  const found = await compiled(temporaryFolder(t), { 'page.ts': program, 'other.ts': other }, page);
  t.strictSame(found, ['other.ts:1'], 'and those of Node are not there');
});
