// tier: normal
/** What is made of a version: a copy as a new project, and the bytes of files that are deleted since. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { type Answer, type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';

/** An SVG, whose bytes differ by color. */
const picture = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="${color}"/></svg>`;

const image = { 'content-type': 'image/svg+xml' };

async function upload(mapwright: Mapwright, at: string, name: string): Promise<Shown & { readonly url: string }> {
  const { shown } = await mapwright.ask('POST', `/v1${at}/files?name=${name}.svg`, { body: picture(name), headers: image });
  return shown as Shown & { readonly url: string };
}

/** A project with two pictures, of which a version is kept; then one picture, which objects show, is deleted. */
async function world(t: Test, options: Partial<ServerOptions> = {}) {
  const mapwright = await startMapwright(t, options);
  const { shown } = await mapwright.post('/projects', { name: 'Office', artboards: [{ objects: [{ type: 'spot' }] }] });
  const at = `/projects/${shown.id}`;
  const [red, blue] = [await upload(mapwright, at, 'red'), await upload(mapwright, at, 'blue')];
  const [board] = shown['artboards'] as [Shown & { objects: [Shown] }];
  await mapwright.patch(`${at}/artboards/${board.id}`, { image_url: red.url });
  await mapwright.post(`${at}/popups`, { title: 'Reception', content: `<img src="${blue.url}">` });
  const { shown: version } = await mapwright.post(`${at}/versions`, { name: 'first' });
  const before = (await mapwright.get(at)).shown;
  await mapwright.delete(`${at}/files/${red.id}`);
  await mapwright.delete(`${at}/artboards/${board.id}`);
  const copy = (body: object): Promise<Answer> => mapwright.post(`${at}/duplicate`, body);
  const bytes = (file: Shown, headers = {}, key = mapwright.key): Promise<Answer> =>
    mapwright.ask('GET', `/v1${at}/versions/${version.id}/files/${file.id}`, { headers, key });
  return { mapwright, at, red, blue, version, before, copy, bytes };
}

/** Deletes the blob with these bytes. */
function damage({ data }: Mapwright, content: string): void {
  const folder = path.join(data, 'blobs');
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (fs.statSync(file).isFile() && fs.readFileSync(file, 'utf8') === content) fs.rmSync(file);
  }
}

/** The project without what a copy has of its own. */
const withoutIds = (shown: Shown): string =>
  JSON.stringify(shown, (name, value) => (/^(id|created|updated)$/.test(name) ? undefined : value)).replaceAll(
    /\/f\/[^/"]+/g,
    '/f/slug',
  );

t.test('a copy of a version is a project as it was, with addresses of its own', async (t) => {
  const { mapwright, at, red, version, before, copy } = await world(t);
  const now = (await mapwright.get(at)).text;
  const answer = await copy({ version: version.id, name: 'Copy' });
  const { shown } = answer;
  t.equal(withoutIds({ ...shown, name: 'Office' }), withoutIds(before));
  t.equal(shown['name'], 'Copy');
  const files = (await mapwright.get(`/projects/${shown.id}/files`)).list;
  t.strictSame(
    files.map(({ name }) => name),
    ['red.svg', 'blue.svg'],
  );
  const [board] = shown['artboards'] as [Shown];
  t.equal(board['image_url'], files[0]?.['url'], 'references are those of the copy');
  t.not(board['image_url'], red.url);
  const served = await fetch(`http://127.0.0.1:${mapwright.port}${board['image_url']}`);
  t.equal(await served.text(), picture('red'), 'a file that is deleted in the original');
  t.equal((await mapwright.get(at)).text, now, 'the original is unchanged');
  await mapwright.crash();
  t.equal((await mapwright.get(`/projects/${shown.id}`)).text, answer.text);
  t.equal((await copy({})).shown['name'], 'Office');
});

t.test('a copy of no version, of the version of another project, or against a condition is refused', async (t) => {
  const { mapwright, at, version, copy } = await world(t);
  const { shown: other } = await mapwright.post('/projects', { name: 'Other' });
  const answer = await mapwright.post(`/projects/${other.id}/duplicate`, { version: version.id });
  t.equal(answer.status, 400);
  t.strictSame(answer.problem.errors, [{ pointer: '/version', detail: 'is not the id of a version of this project' }]);
  t.strictSame((await copy({ version: 5, color: 'red' })).pointers.sort(), ['/color', '/version']);
  const tag = { headers: { 'if-match': '"0-0"' }, body: { version: version.id } };
  t.equal((await mapwright.ask('POST', `/v1${at}/duplicate`, tag)).status, 412);
  t.equal((await mapwright.get('/projects')).list.length, 2);
});

t.test('a copy of a version that breaks a quota changes nothing', async (t) => {
  const { mapwright, version, copy } = await world(t, { quotas: { members: 8 } });
  t.equal((await copy({})).status, 200, 'the present state has fewer members');
  t.equal((await copy({ version: version.id })).status, 403);
  t.equal((await mapwright.get('/projects')).list.length, 2);
});

t.test('the bytes of a file of a version need a key, and no page runs them', async (t) => {
  const { mapwright, at, red, blue, version, bytes } = await world(t);
  t.equal((await fetch(`http://127.0.0.1:${mapwright.port}${red.url}`)).status, 404, 'it is public no more');
  const { status, text, headers } = await bytes(red);
  t.strictSame([status, text], [200, picture('red')]);
  t.equal((await bytes(blue)).text, picture('blue'));
  t.match(headers, {
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  });
  t.match(headers['cache-control'], /private|no-store/);
  t.match((await bytes(red, { range: 'bytes=0-3' })).text, /^<svg$/);
  t.equal((await bytes(red, { 'if-none-match': headers['etag'] })).status, 304);
  t.equal((await bytes(red, {}, '')).status, 401);
  t.equal((await bytes(red, {}, await mapwright.newKey('bob'))).status, 404);
  t.equal((await bytes({ id: version.id })).status, 404, 'no file of the version');
  const later = await upload(mapwright, at, 'green');
  t.equal((await bytes(later)).status, 404, 'a file that came later');
});

t.test('a restore or a copy without the bytes of a file says which, and changes nothing', async (t) => {
  const { mapwright, at, red, version, copy, bytes } = await world(t);
  damage(mapwright, picture('red'));
  const before = (await mapwright.get(at)).text;
  const restored = await mapwright.post(`${at}/versions/${version.id}/restore`, {});
  for (const { problem } of [restored, await copy({ version: version.id })])
    t.match(problem, { status: 500, detail: /^1 of the version's files .* missing .*: red\.svg\. .*Nothing was changed\.$/ });
  t.equal((await bytes(red)).status, 500);
  t.equal((await mapwright.get(at)).text, before);
  t.equal((await mapwright.get(`${at}/versions`)).list.length, 1, 'no state before is kept');
  t.equal((await mapwright.get('/projects')).list.length, 1);
  await upload(mapwright, at, 'red');
  t.equal((await mapwright.post(`${at}/versions/${version.id}/restore`, {})).status, 200, 'the same bytes, stored again');
});
