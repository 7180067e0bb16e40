/** Addresses of files in texts and in HTML, and their replacement. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { parseFragment } from 'parse5';
import t from 'tap';
import { newSlug } from '../../src/model/publication.ts';
import { fileAddress, filePath, fileReferencesIn, replaceFileReferences } from '../../src/model/references/file-references.ts';
import fc from '../support/fast-check.ts';

const [slug, other, third] = [newSlug(0), newSlug(3), newSlug(35)];
const address = `/f/${slug}/plan.png`;
const publicUrl = 'https://maps.example.com/base';

t.test('an address of a file is the path alone, or below the public URL', async (t) => {
  t.match(fileAddress(address), { slug, name: 'plan.png' });
  t.match(fileAddress(address, publicUrl), { slug, name: 'plan.png' });
  for (const url of [publicUrl, `${publicUrl}/`]) t.match(fileAddress(publicUrl + address, url), { slug, name: 'plan.png' });
  for (const name of ['Plan 1.png', 'Gr\u00fcn.svg', '100%.png', 'a&b?c#d.png', '"\'<>', '..'])
    t.match(fileAddress(filePath(slug, name)), { slug, name }, name);
  t.match(fileAddress(`/f/${slug}/Gr\u00fcn.png`), { slug, name: 'Gr\u00fcn.png' });
});

t.test('other texts are no addresses of files', async (t) => {
  const texts = [
    '',
    '/',
    '/f',
    '/f/',
    `/f/${slug}`,
    `/f/${slug}/`,
    `/f/${slug}/a/b`,
    `/f/${slug}x/a`,
    `/f/${slug.slice(1)}/a`,
    `/F/${slug}/a`,
    `/f/${slug.toUpperCase()}!/a`,
    `f/${slug}/a`,
    `//f/${slug}/a`,
    ` ${address}`,
    `${address} `,
    `${address}?a=1`,
    `${address}#a`,
    `/f/${slug}/a b`,
    `/f/${slug}/a\\b`,
    `/f/${slug}/%`,
    `/f/${slug}/%ff`,
    `/p/${slug}/a`,
    `https://other.example.com${address}`,
    `${publicUrl}x${address}`,
    `see ${address}`,
    'data:image/png;base64,AAAA',
  ];
  for (const text of texts) t.equal(fileAddress(text, publicUrl), undefined, JSON.stringify(text));
  t.equal(fileAddress(publicUrl + address), undefined, 'without a public URL only the path');
});

/** The slugs of references, and whether the place of each is its value. */
const slugsIn = (html: string): string[] => fileReferencesIn(html, publicUrl).map((found) => found.slug);

t.test('references are found in src and href of tags, in every form of attribute', async (t) => {
  const forms = [
    `<img src="${address}">`,
    `<img src='${address}'>`,
    `<img src=${address}>`,
    `<img src=${address} alt=x>`,
    `<img alt="a>b" SRC = "${address}"/>`,
    `<IMG\n\tsrc\r\n=\n"${address}"\n>`,
    `<a href="${publicUrl}${address}">plan</a>`,
    `<img src=" ${address}\n">`,
    `<img src="&#47;f/${slug}/plan.png">`,
    `<img src="/f/${slug}/a&amp;b.png">`,
    `<p>\u{1f5fa}</p>\r\n<img src="${address}">`,
    `<x-y src="${address}">`,
    `<!-- a --!><img src="${address}">`,
    `<!-><img src="${address}">`,
    `<a b="<img src='x'>" href="${address}">`,
    `<style>a</style><img src="${address}">`,
  ];
  for (const html of forms) {
    t.strictSame(slugsIn(html), [slug], html);
    for (const { start, end } of fileReferencesIn(html, publicUrl))
      t.match(html.slice(start, end), /^\s*(?:https:.*)?(?:\/|&#47;)f\/.*\.png\s*$/);
  }
  t.strictSame(slugsIn(`<a href="${address}"><img src="/f/${other}/b"></a><img src="/f/${third}/c">`), [slug, other, third]);
});

t.test('texts that are no attribute of a tag are no references', async (t) => {
  const texts = [
    address,
    `<p>${address}</p>`,
    `<p title="${address}">`,
    `<img data-src="${address}">`,
    `<img srcset="${address}">`,
    `<!-- <img src="${address}"> -->`,
    `<textarea><img src="${address}"></textarea>`,
    `<title><img src="${address}"></title>`,
    `<style><img src="${address}"></style>`,
    `<script>"<img src='${address}'>"</script>`,
    `<iframe><img src="${address}"></iframe>`,
    `<img src="${address}`,
    `<img src="${address}"`,
    `</img src="${address}">`,
    `<img src="see ${address}">`,
    `<img src="x" src="${address}">`,
    `<img alt="src=${address}">`,
    `&lt;img src="${address}">`,
    `< img src="${address}">`,
    '<img src>',
    '<img src=>',
    '<img src="">',
  ];
  for (const html of texts) t.strictSame(slugsIn(html), [], html);
});

t.test('replacing touches only the value', async (t) => {
  const html = `<p>${address}<IMG  SRC = '${address}' alt="${address}"><a href=/f/${other}/b>\r\n&amp;</a><!-- <img src="${address}"> -->`;
  t.equal(
    replaceFileReferences(html, (each) => (each === slug ? `/f/${third}/c` : undefined)),
    html.replace(`'${address}'`, `'/f/${third}/c'`),
  );
  t.equal(
    replaceFileReferences(html, (each) => (each === other ? '/f/a b"\'&<>=`' : undefined)),
    html.replace(`=/f/${other}/b`, '=/f/a&#32;b&#34;&#39;&#38;&#60;&#62;&#61;&#96;'),
    'characters that end a value are escaped',
  );
  t.equal(
    replaceFileReferences(`<img src="${publicUrl}${address}">`, () => '/new', publicUrl),
    `<img src="${publicUrl}/new">`,
  );
});

/** Tokens that make up broken HTML as well as correct. */
const tokens = fc.oneof(
  fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    ' ',
    '/',
    '\n',
    '\r\n',
    '\0',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&',
    '&amp;',
    '&#',
    '\u{1f5fa}',
    '\ud800',
  ),
  fc.constantFrom(
    '<img',
    ' src=',
    ' href="',
    '<a',
    '</a>',
    '<style>',
    '</style>',
    '<script>',
    '</script>',
    '<textarea>',
    '<svg>',
    '<plaintext>',
  ),
  fc.constantFrom(address, `/f/${other}/b&amp;c`, `${publicUrl}/f/${third}/d`, `"${address}"`, `'${address}'`, ` ${address} `),
  fc.string({ maxLength: 5 }),
);
const html = fc.array(tokens, { maxLength: 40 }).map((parts) => parts.join(''));

t.test('replacing nothing, or each address by itself, returns the same text', async () => {
  fc.assert(
    fc.property(html, (text) => {
      const same = replaceFileReferences(text, () => undefined, publicUrl) === text;
      let [again, at] = ['', 0];
      for (const { start, end } of fileReferencesIn(text, publicUrl)) {
        again += text.slice(at, start) + text.slice(start, end);
        at = end;
      }
      return same && again + text.slice(at) === text;
    }),
    { numRuns: 2000 },
  );
});

t.test('a place is the value of its reference, and a replacement is found there', async () => {
  fc.assert(
    fc.property(html, (text) => {
      const found = fileReferencesIn(text, publicUrl);
      const replaced = fileReferencesIn(
        replaceFileReferences(text, (old) => filePath(old === slug ? other : slug, 'new "&<>.png'), publicUrl),
        publicUrl,
      );
      return (
        found.every(({ start, end, slug: its }) => start < end && text.slice(start, end).includes(its)) &&
        replaced.length === found.length &&
        replaced.every((each, i) => each.name === 'new "&<>.png' && each.slug === (found[i]?.slug === slug ? other : slug))
      );
    }),
    { numRuns: 2000 },
  );
});

type Node = { attrs?: { name: string; value: string }[]; childNodes?: Node[]; content?: Node };

/** References in the tree that a browser makes. */
function inTree(node: Node): string[] {
  const own = (node.attrs ?? [])
    .filter(({ name }) => name === 'src' || name === 'href')
    .flatMap(({ value }) => fileAddress(value.trim(), publicUrl)?.slug ?? []);
  return [...own, ...[...(node.childNodes ?? []), ...(node.content === undefined ? [] : [node.content])].flatMap(inTree)];
}

t.test('every reference in the tree of a browser is found', async () => {
  fc.assert(
    fc.property(
      html.filter((text) => !/<svg|<plaintext|<!\[CDATA/i.test(text)),
      (text) => {
        const found = new Set(slugsIn(text));
        return inTree(parseFragment(text) as Node).every((each) => found.has(each));
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('a megabyte of the beginnings of tags is read in one pass', async (t) => {
  const million = 1_000_000;
  for (const part of [
    '<',
    '<a',
    '<a ',
    '<a src=',
    '<a src="',
    "<a src='/f/",
    '<!--',
    '</',
    '&',
    '<a &',
    '<a src="&',
    '<![CDATA[',
    '<a a=1 b ',
    '"',
    '<script>',
    '<textarea>',
  ])
    t.strictSame(slugsIn(`${part.repeat(million / part.length)}&`), []);
  const many = `<img src="${address}">`.repeat(10_000);
  t.equal(slugsIn(many).length, 10_000);
  t.equal(
    replaceFileReferences(many, () => '/x'),
    '<img src="/x">'.repeat(10_000),
  );
  const wide = `<img ${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(' ')} src="${address}">`;
  t.strictSame(slugsIn(wide), [slug]);
});

t.test('attributes without addresses take no memory, however many one tag has', async (t) => {
  const names = Array.from({ length: 400_000 }, (_, i) => `a${i}=/f/`).join(' ');
  const scan = `const { workerData, parentPort } = require('node:worker_threads');
    import(workerData.module).then(({ fileReferencesIn }) => parentPort.postMessage(fileReferencesIn(workerData.html)));`;
  const module = new URL('../../src/model/references/file-references.js', import.meta.url).href;
  const workerData = { module, html: `<img ${names} src="${address}">` };
  const worker = new Worker(scan, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 48 } });
  // Both from the start: a worker that ends says so right after its last message.
  const [[found]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  t.match(found, [{ slug }]);
});
