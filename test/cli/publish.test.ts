// tier: normal
/** `mapwright publish` and `unpublish`, run as commands against real servers. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { tileSourcesOf } from '../../src/api/pages/map-tiles.ts';
import { viewerParts } from '../../src/api/pages/viewer-endpoint.ts';
import type { ServerOptions } from '../../src/index.ts';
import { loadedFrom } from '../../src/web/viewer/element/loading/file-address.ts';
import { png } from '../api/pictures.ts';
import { must, run, temporaryFolder } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';

const flagsFor = ({ url, key }: Pick<ServedHere, 'url' | 'key'>): string[] => ['--url', url, '--key', key];

async function world(t: Test, options: Partial<ServerOptions> = {}) {
  const server = await serveHere(t, options);
  const project = await must(server, 'POST', '/projects', {
    ...{ name: 'Harbour', settings: { token: 'secret' } },
    artboards: [{ objects: [{ type: 'spot' }] }],
  });
  return { server, id: project.id as string, project };
}

t.test('publish makes a project public, repeats it, and unpublish withdraws it', async (t) => {
  const { server, id } = await world(t);
  const { code, stdout, stderr } = await run(['publish', id, ...flagsFor(server)]);
  t.equal(code, 0, stderr);
  const [, address = ''] = /^ {2}(http:\S+)$/m.exec(stdout) ?? [];
  t.match(address, new RegExp(`^${server.url}/p/[0-9a-z]{27}$`));
  t.match(stdout, /^Version 1 is public \(\d+ B, published 20/);
  t.match(stdout, `<script type="module" src="${server.url}/viewer.js"></script>`);
  t.match(stdout, `<mapwright-map src="${address}"></mapwright-map>`);
  t.match(stdout, 'Only this machine can open that address.');
  t.match(stdout, `npx mapwright unpublish ${id}`);
  t.equal((await fetch(address)).status, 200);
  const again = await run(['publish', id, '--json', '--origins', 'https://a.example,https://b.example', ...flagsFor(server)]);
  t.match(JSON.parse(again.stdout), { url: address, version: 1, origins: ['https://a.example', 'https://b.example'] });
  const wrong = await run(['publish', id, '--origins', 'a.example', ...flagsFor(server)]);
  t.match(wrong, { code: 1, stderr: /"a\.example" is not an origin/ });
  t.match(await run(['unpublish', id, ...flagsFor(server)]), { code: 0, stdout: /private again/ });
  t.equal((await fetch(address)).status, 404);
  t.match(await run(['unpublish', id, ...flagsFor(server)]), {
    code: 1,
    stderr: /404: This project is not public\. [^\n]*publishes it\.\n$/,
  });
  t.match(await run(['unpublish', 'nothing', ...flagsFor(server)]), {
    code: 1,
    stderr: /does not exist.*List your projects with: curl/,
  });
});

t.test('publish gives a map a readable address', async (t) => {
  const { server, id } = await world(t);
  const { code, stdout, stderr } = await run(['publish', id, '--name', 'harbour', ...flagsFor(server)]);
  t.equal(code, 0, stderr);
  t.match(stdout, new RegExp(`^ {2}${server.url}/p/harbour$`, 'm'));
  t.match(stdout, `<mapwright-map src="${server.url}/p/harbour"></mapwright-map>`);
  const other = await must(server, 'POST', '/projects', { name: 'Other' });
  const taken = await run(['publish', String(other.id), '--name', 'harbour', ...flagsFor(server)]);
  t.match(taken, { code: 1, stderr: /409: This name is taken: nothing was changed\. Choose another one\./ });
  const wrong = await run(['publish', id, '--name', 'Harbour', ...flagsFor(server)]);
  t.match(wrong, { code: 1, stderr: /must have 3 to 26 of a to z, 0 to 9 and -/ });
  t.match(await run(['publish', id, '--name', 'harbour', '--out', 'site', ...flagsFor(server)]), {
    code: 2,
    stderr: /--name needs a server/,
  });
  const none = await run(['publish', id, '--name', '-', '--json', ...flagsFor(server)]);
  t.match(JSON.parse(none.stdout), { name: '' });
});

t.test('publish prints the public URL, and fails if publishing is disabled', async (t) => {
  const { server, id } = await world(t, { publicUrl: 'https://maps.example/maps' });
  const { stdout } = await run(['publish', id, ...flagsFor(server)]);
  t.match(stdout, /^ {2}https:\/\/maps\.example\/maps\/p\/[0-9a-z]{27}$/m);
  t.match(stdout, 'src="https://maps.example/maps/viewer.js"');
  t.notMatch(stdout, 'Only this machine');
  const off = await world(t, { publish: false });
  t.match(await run(['publish', off.id, ...flagsFor(off.server)]), { code: 1, stderr: /--no-publish/ });
});

t.test('publish --out writes a static site without publishing on the server', async (t) => {
  const { server, id, project } = await world(t);
  const folder = path.join(temporaryFolder(t), 'site');
  const { code, stdout, stderr } = await run(['publish', id, '--out', folder, ...flagsFor(server)]);
  t.equal(code, 0, stderr);
  t.match(stdout, `Wrote ${folder}`);
  const pointer = JSON.parse(fs.readFileSync(path.join(folder, 'map.json'), 'utf8'));
  const text = fs.readFileSync(path.join(folder, pointer.map), 'utf8');
  const map = `${createHash('sha256').update(text).digest('hex')}.json`;
  t.strictSame(pointer, { version: 1, map, tiles: tileSourcesOf() }, 'with the map tiles of the server');
  const { id: shown, created, name, artboards, popups } = project;
  t.strictSame(JSON.parse(text), { id: shown, created, name, artboards, popups });
  const page = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
  t.match(page, '<script type="module" src="viewer.js">');
  const parts = fs.readdirSync(path.join(folder, 'viewer'));
  t.strictSame(parts, [...viewerParts().keys()].sort(), 'all parts of the viewer');
  for (const part of parts) t.equal(fs.statSync(path.join(folder, 'viewer', part)).mode & 0o444, 0o444, `${part} can be read`);
  t.match(page, '<mapwright-map src="." lang="" gestures="greedy" search menu permalink="page" role="main">');
  t.match(page, /Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;self&#39;/);
  for (const file of fs.readdirSync(folder))
    t.equal(fs.statSync(path.join(folder, file)).mode & 0o444, 0o444, `${file} can be read`);
  t.notOk(fs.readdirSync(folder).some((file) => /partial|tmp/.test(file)));
  const max_bounds = { south: 52, west: 13, north: 53, east: 14 };
  await must(server, 'PATCH', `/projects/${id}`, { settings: { token: 'secret', max_bounds } });
  await run(['publish', id, '--out', folder, ...flagsFor(server)]);
  const second = JSON.parse(fs.readFileSync(path.join(folder, 'map.json'), 'utf8'));
  t.strictSame(JSON.parse(fs.readFileSync(path.join(folder, second.map), 'utf8')), {
    ...{ id: shown, created, name, artboards, popups },
    settings: { max_bounds },
  });
  await must(server, 'PATCH', `/projects/${id}`, { settings: {} });
  const { status } = await fetch(`${server.url}/v1/projects/${id}/publication`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  t.equal(status, 404, 'nothing became public on the server');
  t.equal((await run(['publish', id, '--out', folder, ...flagsFor(server)])).code, 0, 'and again into the same folder');
  const versionNow = () => JSON.parse(fs.readFileSync(path.join(folder, 'map.json'), 'utf8')).version;
  t.equal(versionNow(), 3, 'the map as before is a new version');
  await run(['publish', id, '--out', folder, ...flagsFor(server)]);
  t.equal(versionNow(), 3, 'the same map is no new version');
  await must(server, 'PATCH', `/projects/${id}`, { name: 'changed' });
  await run(['publish', id, '--out', folder, ...flagsFor(server)]);
  t.equal(versionNow(), 4);
  t.match(await run(['publish', id, '--out', folder, '--origins', '*', ...flagsFor(server)]), { code: 2 });
});

async function uploaded({ server, id }: { server: ServedHere; id: string }, name: string, rest: string) {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'image/png' };
  const body = new Uint8Array(png(3, 2, rest));
  const response = await fetch(`${server.url}/v1/projects/${id}/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers,
    body,
  });
  return { ...((await response.json()) as { id: string; url: string }), body };
}

t.test('publish --out copies the files that the map shows to the paths that it names', async (t) => {
  const { server, id } = await world(t);
  const upload = (name: string, rest: string) => uploaded({ server, id }, name, rest);
  const [plan, photo, quoted, unused, mentioned] = [
    await upload('a plan.png', 'plan'),
    await upload('photo.png', 'photo'),
    await upload('a & b "c".png', 'quoted'),
    await upload('no.png', 'no'),
    await upload('text.png', 'text'),
  ];
  // As a person writes it: only what ends the value is an entity.
  const asWritten = quoted.url.replaceAll('%26', '&amp;').replaceAll('%22', '&quot;');
  await must(server, 'POST', `/projects/${id}/artboards`, { image_url: plan.url });
  await must(server, 'POST', `/projects/${id}/popups`, {
    content: `<p title="${mentioned.url}"><img src="${photo.url}"><img src="${asWritten}">`,
  });
  await must(server, 'PATCH', `/projects/${id}/files/${photo.id}`, { name: 'renamed.png' });
  const folder = path.join(temporaryFolder(t), 'site');
  const { code, stdout, stderr } = await run(['publish', id, '--out', folder, '--json', ...flagsFor(server)]);
  t.equal(code, 0, stderr);
  t.match(JSON.parse(stdout), { files: 3 });
  for (const { url, body } of [plan, photo, quoted]) {
    const file = path.join(folder, decodeURIComponent(url));
    t.ok(fs.readFileSync(file).equals(body), url);
    t.equal(fs.statSync(file).mode & 0o444, 0o444);
  }
  for (const { url } of [unused, mentioned]) t.notOk(fs.existsSync(path.join(folder, decodeURIComponent(url))), url);
});

t.test('publish --out copies pictures whose address begins with the public URL, and the viewer loads the copies', async (t) => {
  const publicUrl = 'https://maps.example/maps';
  const { server, id } = await world(t, { publicUrl: `${publicUrl}/` });
  const [plan, photo] = [
    await uploaded({ server, id }, 'plan.png', 'plan'),
    await uploaded({ server, id }, 'photo.png', 'photo'),
  ];
  await must(server, 'POST', `/projects/${id}/artboards`, { image_url: publicUrl + plan.url });
  await must(server, 'POST', `/projects/${id}/popups`, { content: `<img src="${publicUrl}${photo.url}">` });
  const folder = path.join(temporaryFolder(t), 'site');
  const { code, stdout, stderr } = await run(['publish', id, '--out', folder, '--json', ...flagsFor(server)]);
  t.equal(code, 0, stderr);
  t.match(JSON.parse(stdout), { files: 2 });
  for (const { url, body } of [plan, photo]) t.ok(fs.readFileSync(path.join(folder, url)).equals(body), url);

  const { files: copiedFrom } = JSON.parse(fs.readFileSync(path.join(folder, 'map.json'), 'utf8'));
  const filesBase = { url: 'https://site.example/a', copiedFrom };
  t.equal(loadedFrom(publicUrl + plan.url, filesBase), `https://site.example/a${plan.url}`);
  t.equal(loadedFrom(` ${plan.url}`, filesBase), `https://site.example/a${plan.url}`);
  for (const other of [`${publicUrl}2${plan.url}`, 'https://other.example/f/a/b', ''])
    t.equal(loadedFrom(other, filesBase), other);
});

t.test('publish --out keeps a foreign page and the mode of an existing folder', async (t) => {
  const { server, id } = await world(t);
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  const page = path.join(folder, 'index.html');
  fs.writeFileSync(page, '<h1>My home page</h1>');
  const refused = await run(['publish', id, '--out', folder, ...flagsFor(server)]);
  t.match(refused, { code: 2, stderr: `${page} is not a page that this command has written` });
  t.strictSame(fs.readdirSync(folder), ['index.html']);
  t.equal(fs.readFileSync(page, 'utf8'), '<h1>My home page</h1>');
  fs.rmSync(page);
  t.equal((await run(['publish', id, '--out', folder, ...flagsFor(server)])).code, 0);
  t.equal(fs.statSync(folder).mode & 0o777, 0o700);
});

t.test('publish --out --live writes the present evaluation, without identifiers of items', async (t) => {
  const { server, id } = await world(t);
  const at = `/projects/${id}`;
  const artboard = ((await must(server, 'GET', `${at}/artboards`)) as unknown as { id: string }[])[0]?.id;
  const source = (await must(server, 'POST', `${at}/data-sources`, { name: 'Visitors' })).id;
  const each = { type: 'iterator', data_source_id: source, data_path: { nodes: [], node_id: '' } };
  const iterator = (await must(server, 'POST', `${at}/variables`, { name: 'Each', ...each })).id;
  const place = {
    type: 'primitive-from-iterator',
    iterator_id: iterator,
    data_path: { nodes: [{ id: 'a', key: 'x' }], node_id: 'a' },
  };
  const x = (await must(server, 'POST', `${at}/variables`, { name: 'x', ...place })).id;
  await must(server, 'POST', `${at}/actions`, {
    ...{ type: 'create-spots', create_object_target_artboard_id: artboard, create_object_name: 'Visitor' },
    ...{ create_spot_x_source_type: 'variable', create_spot_x_variable_id: x, create_spot_y_custom_value: '1' },
  });
  const response = `${server.url}/api/v1${at}/data-sources/${source}/response`;
  const headers = { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' };
  await fetch(response, { method: 'PUT', headers, body: '[{"id":"badge-17","x":5}]' });
  const site = path.join(temporaryFolder(t), 'site');
  const { code, stderr } = await run(['publish', id, '--out', site, '--live', '--refresh', '30', ...flagsFor(server)]);
  t.equal(code, 0, stderr);
  const read = (name: string) => fs.readFileSync(path.join(site, name), 'utf8');
  t.match(JSON.parse(read('map.json')), { version: 1, live: 'live.json', refresh: 30 });
  t.match(JSON.parse(read('live.json')), {
    version: 1,
    created: [{ object: { id: /^live-[0-9a-f]{32}$/, name: 'Visitor', x: 5 } }],
  });
  const written = JSON.parse(read('live.json'));
  t.strictSame([written.sources, written.since], ['stale', written.at], 'a file does not stay fresh');
  t.notMatch(read('live.json'), 'badge-17');
  const stateOfFile = async () => {
    t.match(await run(['publish', id, '--out', site, '--live', ...flagsFor(server)]), { code: 0 });
    const { sources, since } = JSON.parse(read('live.json'));
    return { sources, since };
  };
  await fetch(response, { method: 'DELETE', headers });
  t.strictSame(await stateOfFile(), { sources: 'failed', since: undefined }, 'there is no response');
  await fetch(response, { method: 'PUT', headers, body: '"Out of order"' });
  t.match(await stateOfFile(), { sources: 'failed' }, 'an error in place of the data');
  await fetch(response, { method: 'PUT', headers, body: '[]' });
  const { body_at } = (await (await fetch(response, { headers })).json()) as { body_at: string };
  await must(server, 'POST', `${at}/data-sources`, { name: 'Not read', url: 'http://127.0.0.1:1/' });
  t.match(await stateOfFile(), { sources: 'stale' }, 'only the data sources that variables read count');
  await must(server, 'PATCH', `${at}/data-sources/${source}`, { url: 'http://127.0.0.1:1/' });
  await fetch(response, { method: 'POST', headers });
  t.strictSame(await stateOfFile(), { sources: 'stale', since: body_at }, 'the newest fetch failed');
  t.match(await run(['publish', id, '--live', ...flagsFor(server)]), { code: 2, stderr: /--live needs --out/ });
  t.match(await run(['publish', id, '--out', site, '--refresh', '30', ...flagsFor(server)]), { code: 2, stderr: /--live/ });
  t.match(await run(['publish', id, '--refresh', '3', ...flagsFor(server)]), { code: 2, stderr: /5 to 86400/ });
  const live = await run(['publish', id, '--refresh', '10', ...flagsFor(server)]);
  t.match(live, { code: 0, stdout: /It is live: its data is evaluated every 10 s/ });
});
