/** The guide of a server: every page, link and picture of it is there, and it needs no script. */
import t from 'tap';
import { startForRequests } from '../support/mapwright.ts';

/** Bytes of all pictures together: they are in the package. */
const picturesMax = 725_000;

t.test('the guide leads to its pages, chapters and pictures, and to nothing that is missing', async (t) => {
  const { port } = await startForRequests(t);
  const root = `http://127.0.0.1:${port}/docs/guide`;
  const pages = new Map<string, string>();
  const pictures = new Map<string, number>();
  const load = async (address: string): Promise<void> => {
    if (pages.has(address)) return;
    const response = await fetch(address);
    t.equal(response.status, 200, address);
    t.match(response.headers.get('content-security-policy'), /default-src 'none'/);
    const html = await response.text();
    pages.set(address, html);
    t.notMatch(html, /<script/);
    for (const [, source = ''] of html.matchAll(/<img src="([^"]+)" alt="[^"]+"/g)) {
      const picture = new URL(source, address).href;
      const found = await fetch(picture);
      t.match(found.headers.get('content-type'), /^image\//, picture);
      pictures.set(picture, (await found.arrayBuffer()).byteLength);
    }
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const to = new URL(href, address);
      if (to.href.startsWith(root) && to.pathname.endsWith('.html')) await load(to.href.split('#')[0] as string);
    }
  };
  await load(root);
  t.strictSame(
    [...pages.keys()].map((address) => address.slice(root.length)),
    ['', '/console.html', '/import.html', '/live-data.html', '/viewer.html'],
  );
  for (const [address, html] of pages)
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(href, address);
      const page = pages.get(origin + pathname);
      if (hash !== '' && page !== undefined) t.match(page, `id="${decodeURIComponent(hash.slice(1))}"`, `${address}: ${href}`);
      else t.ok(page !== undefined || /^https:|\/docs$|:8070/.test(origin === new URL(root).origin ? pathname : href), href);
    }
  const bytes = [...pictures.values()].reduce((sum, each) => sum + each, 0);
  t.ok(pictures.size > 20, `${pictures.size} pictures`);
  t.ok(bytes <= picturesMax, `${bytes} bytes`);
});

t.test('a server without the console and the reference has no guide', async (t) => {
  const { port } = await startForRequests(t, { console: false, docs: false });
  t.equal((await fetch(`http://127.0.0.1:${port}/docs/guide`)).status, 404);
});
