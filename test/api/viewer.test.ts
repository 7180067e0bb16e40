/** `GET /viewer.js` and its parts: for pages of every origin, compressed, within their size budgets, with the tiles of the server. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import t from 'tap';
import { fetchDescribed } from '../support/fetch.ts';
import { startForRequests } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';

const pages = path.join(projectRoot(import.meta.dirname), 'dist', 'pages');
const script = fs.readFileSync(path.join(pages, 'viewer.js'), 'utf8');
const parts = fs
  .readdirSync(path.join(pages, 'viewer'))
  .filter((name) => name.endsWith('.js'))
  .map((name): [string, Buffer] => [name, fs.readFileSync(path.join(pages, 'viewer', name))]);

/** Bytes, compressed with gzip: of what loads before the first picture, and of all parts together. */
const gzippedMax = { script: 150_000, parts: 90_000, outlines: 60_000 };
const isOutlines = ([name]: readonly [string, Buffer]): boolean => name.startsWith('outlines-');
const gzippedBytes = (content: string | Buffer): number => gzipSync(content, { level: constants.Z_BEST_COMPRESSION }).length;

t.test('/viewer.js is served without a key to every origin, with a tag', async (t) => {
  for (const options of [{}, { cors: ['https://editor.example'] }, { cors: ['*'] }]) {
    const { port } = await startForRequests(t, options);
    const response = await fetchDescribed(`http://127.0.0.1:${port}/viewer.js`, { headers: { origin: 'https://page.example' } });
    t.equal(response.status, 200);
    t.equal(await response.text(), script);
    const { headers } = response;
    t.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
    t.equal(headers.get('access-control-allow-origin'), '*', 'once, whatever --cors says');
    t.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    t.equal(headers.get('cache-control'), 'public, max-age=300');
    const digest = createHash('sha256').update(script).digest('base64url');
    t.match(headers.get('etag'), new RegExp(`^"${digest}(-br|-gzip)?"$`));
    const again = await fetchDescribed(`http://127.0.0.1:${port}/viewer.js?v=2`, { headers: { 'if-none-match': `"${digest}"` } });
    t.equal(again.status, 304);
    t.equal(again.headers.get('access-control-allow-origin'), '*');
  }
});

t.test('/viewer.js is also served below the path of the public URL', async (t) => {
  const { port } = await startForRequests(t, { publicUrl: 'https://example.com/maps' });
  for (const at of ['/viewer.js', '/maps/viewer.js']) t.equal((await fetch(`http://127.0.0.1:${port}${at}`)).status, 200, at);
});

t.test('the parts of the viewer are immutable, for every origin, and no other files', async (t) => {
  const { port } = await startForRequests(t, { publicUrl: 'https://example.com/maps' });
  t.equal(parts.length, 7);
  t.equal(parts.filter(isOutlines).length, 1);
  for (const [name, content] of parts) {
    t.match(name, /^(?:part|outlines)-[A-Z0-9]{8}\.js$/);
    for (const below of ['', '/maps']) {
      const ask = below === '' ? fetchDescribed : fetch;
      const response = await ask(`http://127.0.0.1:${port}${below}/viewer/${name}`);
      t.equal(response.status, 200);
      t.equal(await response.text(), content.toString());
      t.match(Object.fromEntries(response.headers), {
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
  }
  for (const name of ['part-ABCDEFGH.js', '..%2Fviewer.js', 'constructor', '__proto__', '']) {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/viewer/${name}`);
    t.equal(status, 404, name);
    t.notMatch(headers.get('cache-control') ?? '', /immutable/, 'a part that is gone may come back');
  }
});

t.test('the viewer script and its parts stay within their size budgets', (t) => {
  const size = gzippedBytes(script);
  t.ok(size <= gzippedMax.script, `${size} of ${gzippedMax.script} bytes`);
  const sizeOf = (some: [string, Buffer][]): number => some.reduce((sum, [, part]) => sum + gzippedBytes(part), 0);
  const others = sizeOf(parts.filter((part) => !isOutlines(part)));
  t.ok(others <= gzippedMax.parts, `${others} of ${gzippedMax.parts} bytes`);
  const outlines = sizeOf(parts.filter(isOutlines));
  t.ok(outlines <= gzippedMax.outlines, `${outlines} of ${gzippedMax.outlines} bytes`);
  t.end();
});

t.test('the viewer script and its parts contain the licences of their packages', (t) => {
  for (const text of ['ol 10.', 'THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"', 'rbush 4.', 'quickselect 3.'])
    t.ok(script.includes(text), text);
  for (const text of ['dompurify 3.', 'world-atlas 2.'])
    t.ok(
      parts.some(([, part]) => part.includes(text)),
      text,
    );
  t.end();
});

t.test('the viewer script loads its parts and no other script; one of them loads the outlines, and they load none', (t) => {
  t.notMatch(script, /^import\b|;import[{"*]|\bimportScripts\b/, 'no static imports');
  t.equal(script.match(/\bimport\s*\(/g)?.length, 1, 'one place imports the parts');
  const [outlines = ''] = parts.find(isOutlines) ?? [];
  const imports = /\bimport\s*\(|^import\b|;import[{"*]|\bimportScripts\b/;
  for (const part of parts) {
    const [name, content] = part;
    const loadsOutlines = content.includes(`"${outlines}"`);
    t.equal(script.includes(`"./viewer/${name}"`), !isOutlines(part), name);
    t.equal(imports.test(content.toString()), loadsOutlines, name);
    if (loadsOutlines) t.equal(content.toString().match(/\bimport\b(?!\.meta)/g)?.length, 1, name);
  }
  t.equal(parts.filter(([, content]) => content.includes(`"${outlines}"`)).length, 1);
  t.end();
});

t.test('the viewer script has the sources of tiles of the server', async (t) => {
  const [before = '', after = '', ...more] = script.split('mapwright:tile-sources');
  t.strictSame(more, [], 'the script has one place for them');
  const url = 'https://tiles.example/{z}/{x}/{-y}.png?key=a&b=$&';
  const attribution = `It's "A" </script> \\`;
  for (const [tiles, sources] of [
    ['none', [{ url: 'none', attribution: '' }]],
    [
      `${url}|${attribution}||Night=none`,
      [
        { url, attribution },
        { name: 'Night', url: 'none', attribution: '' },
      ],
    ],
  ] as const) {
    const { port } = await startForRequests(t, { tiles });
    const served = await (await fetch(`http://127.0.0.1:${port}/viewer.js`)).text();
    t.ok(served.startsWith(before) && served.endsWith(after), tiles);
    const encoded = served.slice(before.length, served.length - after.length);
    t.notMatch(encoded, /["'`<\\\n]/, 'they end no string');
    t.strictSame(JSON.parse(decodeURIComponent(encoded)), sources, tiles);
  }
});
