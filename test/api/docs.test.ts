/** The reference page: that all of the description is on it, that it needs nothing from elsewhere, and that it is served like the rest. */
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import t from 'tap';
import { pageOf } from '../../src/api/openapi/docs/page.ts';
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import type { JsonObject } from '../../src/api/openapi/openapi-schemas.ts';
import { problemKinds } from '../../src/http/problem.ts';
import { compats } from '../../src/model/resource.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { startForRequests, startMapwright } from '../support/mapwright.ts';

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** What a browser makes of the text of an element. */
const read = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const articleOf = (page: string, id: string): string => {
  const from = page.indexOf(`id="operation-${id}"`);
  return from === -1 ? '' : page.slice(from, page.indexOf('</article>', from));
};

for (const compat of compats) {
  t.test(`${compat}: every operation, parameter, example, refusal and schema is there`, async (t) => {
    const mapwright = await startForRequests(t, { compat });
    const { status, text: page, headers } = await mapwright.ask('GET', '/docs', { key: '' });
    t.equal(status, 200);
    t.equal(headers['content-type'], 'text/html; charset=utf-8');
    const { paths, components } = openapiOf({ compat, version: '1.0.0' }) as Record<string, JsonObject>;
    const missing: string[] = [];
    let operations = 0;
    for (const [path, item] of Object.entries(paths as Record<string, Record<string, JsonObject>>)) {
      for (const [method, operation] of Object.entries(item)) {
        if (typeof operation['operationId'] !== 'string') continue;
        operations++;
        const article = articleOf(page, operation['operationId']);
        const has = (words: string) => {
          if (!read(article).includes(words) && !article.includes(words)) missing.push(`${method} ${path}: ${words}`);
        };
        for (const words of [`data-method="${method.toUpperCase()}"`, `data-path="${path}"`, operation['summary'] as string])
          has(words);
        for (const parameter of (operation['parameters'] ?? []) as JsonObject[])
          has(`data-name="${parameter['name'] ?? nameOf(components, parameter)}"`);
        for (const code of Object.keys(operation['responses'] as JsonObject)) has(`>${code}<`);
        const { example } = contentOf(operation['requestBody'] as JsonObject | undefined);
        if (example !== undefined) has(JSON.stringify(example, null, 2).replaceAll("'", "'\\''"));
      }
    }
    t.equal(operations, new Set(all(page, /id="operation-(\w+)"/g)).size, 'and no others');
    for (const [title, schema] of Object.entries(components?.['schemas'] as Record<string, JsonObject>)) {
      const from = page.indexOf(`id="schema-${title}"`);
      const article = page.slice(from, page.indexOf('</article>', from));
      for (const member of Object.keys((schema['properties'] ?? {}) as JsonObject))
        if (from === -1 || !article.includes(`<code>${member}</code>`)) missing.push(`${title}.${member}`);
    }
    for (const code of Object.keys(problemKinds)) {
      if (code !== 'method_not_allowed' && !page.includes(`<code>${code}</code>`)) missing.push(code);
    }
    t.strictSame(missing, []);
  });
}

function nameOf(components: JsonObject | undefined, { $ref }: JsonObject): string {
  const parameters = components?.['parameters'] as Record<string, JsonObject>;
  return parameters[String($ref).split('/').at(-1) as string]?.['name'] as string;
}

const contentOf = (body: JsonObject | undefined): JsonObject =>
  ((body?.['content'] as JsonObject | undefined)?.['application/json'] as JsonObject | undefined) ?? {};

/** Headers of a page that no other origin may take in, or open as a window of its own. */
const isolated = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

t.test('it needs nothing from elsewhere, and may do nothing else', async (t) => {
  const mapwright = await startForRequests(t);
  const { text: page, headers } = await mapwright.ask('GET', '/docs', { key: '' });
  t.match(headers, isolated);
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.slice(0, directive.indexOf(' ')), directive.slice(directive.indexOf(' ') + 1)]),
  );
  const [style = '', ...styles] = all(page, /<style>([\s\S]*?)<\/style>/g);
  const [script = '', ...scripts] = all(page, /<script>([\s\S]*?)<\/script>/g);
  t.strictSame([...styles, ...scripts], []);
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  t.strictSame(policy, {
    'default-src': "'none'",
    'script-src': hash(script),
    'style-src': hash(style),
    'connect-src': "'self'",
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
  t.doesNotThrow(() => new vm.Script(script), 'the script is one');
  const markup = page.replace(style, '').replace(script, '');
  t.strictSame(all(markup, /\s(on\w+|style|src)=/g), [], 'nothing that the policy would refuse');
  t.notMatch(`${style}${script}`, /@import|url\(|https?:|innerHTML|eval\(/);
  const links = new Set(all(markup, /href="([^"#][^"]*)"/g).map((href) => href.replace(/^data:.*/, 'data:')));
  t.strictSame([...links].sort(), ['data:', 'https://www.rfc-editor.org/rfc/rfc9457', 'openapi.json']);
});

t.test('every link within it leads somewhere', async (t) => {
  const page = pageOf({ document: openapiOf({ compat: 'latest', version: '1.0.0' }), style: '', script: '' });
  const ids = all(page, /\sid="([^"]+)"/g);
  t.equal(new Set(ids).size, ids.length, 'no name twice');
  t.strictSame(
    all(page, /href="#([^"]+)"/g).filter((id) => !ids.includes(id)),
    [],
  );
});

t.test('what is described is text, whatever it is', async (t) => {
  const hostile = '</code><script>alert(1)</script>" onload="x';
  const document = openapiOf({ compat: 'contract', version: hostile, publicUrl: `https://maps.example/${hostile}` });
  (document['tags'] as JsonObject[]).push({
    name: 'Projects',
    description: `\`${hostile}\` [${hostile}](https://a.example/) [a](javascript:x)`,
  });
  const page = pageOf({ document, style: '', script: '' });
  t.notMatch(page, /alert\(1\)<\/script>|" onload=|href="javascript/);
  t.match(page, '<code>&lt;/code&gt;&lt;script&gt;');
});

t.test('it is served like the rest', async (t) => {
  const mapwright = await startMapwright(t);
  const ask = (method: string, headers: Record<string, string> = {}, path = '/docs') =>
    mapwright.ask(method, path, { key: '', headers });
  const { headers, text } = await ask('GET');
  const etag = String(headers.etag);
  t.match(etag, /^"[\w-]{43}"$/);
  t.match(headers, { vary: 'Accept-Encoding', 'cache-control': 'public, no-cache', 'x-content-type-options': 'nosniff' });

  const confirmed = await ask('GET', { 'if-none-match': etag });
  t.match(confirmed, { status: 304, text: '', headers: { etag, 'cache-control': 'public, no-cache' } });
  t.equal((await ask('GET', { 'if-none-match': '"another"' })).status, 200);
  t.match(await ask('GET', { 'if-match': '"another"' }), { status: 412 });
  t.match(await ask('HEAD'), { status: 200, text: '', headers: { etag, 'content-length': `${Buffer.byteLength(text)}` } });
  t.match(await ask('POST'), { status: 405, headers: { allow: 'GET, HEAD' } });
  t.equal((await fetch(`http://127.0.0.1:${mapwright.port}/docs?theme=dark`)).status, 200, 'whatever somebody adds');
  for (const path of ['/docs/', '/docs/page.js', '/Docs', '/api/v1/docs'])
    t.equal((await ask('GET', {}, path)).status, 404, path);

  for (const coding of ['br', 'gzip']) {
    for (let i = 0; i < 3; i++) {
      const coded = await fetchDescribed(`http://127.0.0.1:${mapwright.port}/docs`, { headers: { 'accept-encoding': coding } });
      t.equal(coded.headers.get('content-encoding'), coding);
      t.equal(coded.headers.get('etag'), etag.replace(/"$/, `-${coding}"`));
      t.equal(await coded.text(), text, 'the same page, also from what is kept');
    }
  }

  await mapwright.restart();
  t.equal((await ask('GET')).headers.etag, etag, 'the same page has the same tag');
  await mapwright.restart({ compat: 'latest' });
  t.not((await ask('GET')).headers.etag, etag, 'and another page another');
});

t.test('it can be left out', async (t) => {
  const mapwright = await startForRequests(t, { docs: false });
  t.match(await mapwright.ask('GET', '/docs', { key: '' }), { status: 404 });
  t.match(await mapwright.ask('GET', '/openapi.json', { key: '' }), { status: 200 });
});
