/** A server behind a proxy: links lead back to it, and its audit log names the refused client. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { startForRequests, startMapwright } from '../support/mapwright.ts';

const publicUrl = 'https://maps.example.com/some/maps/';

/** The address of the next page. */
const nextOf = (link: unknown): string => /^<(.*)>; rel="next"$/.exec(String(link))?.[1] ?? '';

async function withPages(t: Test) {
  const mapwright = await startForRequests(t, { publicUrl });
  const { id } = (await mapwright.post('/projects', {})).shown;
  for (const title of ['a', 'b', 'c']) await mapwright.post(`/projects/${id}/popups`, { title, attachedTo: 'nothing' });
  return { mapwright, id };
}

t.test('links of pages work whether or not the proxy removes the path', async (t) => {
  const { mapwright, id } = await withPages(t);
  for (const asked of ['/api/v1', '/v1', '/some/maps/api/v1', '/some/maps/v1']) {
    const titles: unknown[] = [];
    const base = asked.startsWith('/some/maps') ? asked : `/some/maps${asked}`;
    for (let next = `${asked}/projects/${id}/popups?limit=1&fields=title`; next !== ''; ) {
      const { list, headers } = await mapwright.ask('GET', next);
      titles.push(...list.map(({ title }) => title));
      next = nextOf(headers['link']);
      if (next === '') break;
      t.ok(next.startsWith(`${base}/projects/${id}/popups?`), next);
      // As a proxy that takes the path off would pass it on.
      if (asked === '/v1') next = next.slice('/some/maps'.length);
    }
    t.strictSame(titles, ['a', 'b', 'c'], asked);
  }
});

t.test('dangling references are listed with public paths that lead to them', async (t) => {
  const { mapwright, id } = await withPages(t);
  for (const asked of ['/api/v1', '/some/maps/api/v1']) {
    const problems = (await mapwright.ask('GET', `${asked}/projects/${id}/problems`)).json as { resource: { path: string } }[];
    t.equal(problems.length, 3);
    for (const { resource } of problems) {
      t.ok(resource.path.startsWith(`/some/maps/api/v1/projects/${id}/popups/`), resource.path);
      t.equal((await mapwright.ask('GET', resource.path)).status, 200);
    }
  }
});

t.test('the OpenAPI description names the public address of the server', async (t) => {
  const mapwright = await startForRequests(t, { publicUrl });
  const { servers, paths } = (await mapwright.ask('GET', '/some/maps/openapi.json', { key: '' })).json as {
    servers: unknown;
    paths: Record<string, { servers?: unknown }>;
  };
  const at = 'https://maps.example.com/some/maps';
  t.strictSame(servers, [{ url: `${at}/api/v1` }, { url: `${at}/v1` }]);
  t.strictSame(paths['/readyz']?.servers, [{ url: at }]);
});

t.test('without a public URL, links have the path of the request', async (t) => {
  const mapwright = await startForRequests(t);
  for (const name of ['a', 'b']) await mapwright.post('/projects', { name });
  t.match(nextOf((await mapwright.get('/projects?limit=1')).headers['link']), /^\/v1\/projects\?limit=1&cursor=/);
  const { servers } = (await mapwright.ask('GET', '/openapi.json', { key: '' })).json as { servers: unknown };
  t.strictSame(servers, [{ url: '/api/v1' }, { url: '/v1' }]);
  t.equal((await mapwright.ask('GET', '/maps/v1/projects')).status, 404);
});

t.test('the audit log has the client address of a trusted proxy, or else of the connection', async (t) => {
  const refused = async (trustProxy: string | undefined) => {
    const mapwright = await startMapwright(t, trustProxy === undefined ? {} : { trustProxy });
    const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1', 'x-request-id': 'r-1' };
    await mapwright.get('/projects', { key: 'wrong', headers });
    const reader = await mapwright.server.createKey('ann', { readOnly: true });
    await mapwright.post('/projects', {}, { key: reader.key, headers });
    await mapwright.close();
    const lines = fs.readFileSync(path.join(mapwright.data, 'audit.log'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line)).flatMap(({ event, address }) => (event === 'key.refused' ? [address] : []));
  };
  t.strictSame(await refused('loopback'), ['192.0.2.1', '192.0.2.1']);
  t.strictSame(await refused('10.0.0.0/8'), ['127.0.0.1', '127.0.0.1']);
  t.strictSame(await refused(undefined), ['127.0.0.1', '127.0.0.1']);
});
