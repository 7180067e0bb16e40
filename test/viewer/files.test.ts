// tier: normal
/** Files of a project on its published map: their paths are below the address of the server, on pages of any origin. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { FilesWorld } from '../api/files-world.ts';
import { svg } from '../api/pictures.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { element, inside, open, popupIs } from './element-page.ts';

t.setTimeout(300_000);

/** A published map with a background and a popup that show files; its own page, and one of another origin. */
async function openMap(t: Test, base: string) {
  const mapwright = await startForRequests(t, base === '' ? {} : { publicUrl: base });
  const { id } = (await mapwright.post('/projects', {})).shown;
  const world = new FilesWorld(mapwright, id);
  const urls: string[] = [];
  for (const name of ['ground', 'image', 'content'])
    urls.push(String((await world.uploaded(svg(`<title>${name}</title>`), `${name}.svg`))['url']));
  const [ground = '', image = '', content = ''] = urls;
  const objects = [{ type: 'spot', name: 'spot', x: 100, y: 100 }];
  const made = await mapwright.patch(`/projects/${id}`, { artboards: [{ type: 'image', image_url: ground, objects }] });
  const [
    {
      objects: [spot],
    },
  ] = made.shown['artboards'] as [{ objects: [{ id: string }] }];
  const html = `<a href="${content}">file</a><img src=" ${content}"><img src="/elsewhere.png"><a href="/elsewhere">page</a>`;
  await mapwright.post(`/projects/${id}/popups`, { attachedTo: spot.id, image, content: html });
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
  const root = `http://127.0.0.1:${mapwright.port}${base}`;
  const text = `<!doctype html><title>Map</title><style>mapwright-map{display:block;height:600px}</style><script type="module" src="${root}/viewer.js"></script><mapwright-map src="${root}/p/${slug}"></mapwright-map>`;
  const other = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end(text));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    other.closeAllConnections();
    other.close();
  });
  const foreign = `http://localhost:${(other.address() as AddressInfo).port}`;
  return { root, spot: spot.id, urls, origins: [new URL(root).origin, foreign], pages: [`${root}/p/${slug}`, `${foreign}/`] };
}

for (const base of ['', '/base']) {
  t.test(
    `files of a map are loaded from its server, on pages of two origins; the server is at "${base}/"`,
    { skip },
    async (t) => {
      const { root, spot, urls, origins, pages } = await openMap(t, base);
      const [ground, image, content] = urls.map((url) => root + url);
      for (const [i, address] of pages.entries()) {
        const page = await open(t, address);
        await page.until(`performance.getEntriesByType('resource').some(({ name }) => name === ${JSON.stringify(ground)})`);
        await page.value(`${element}.open(${JSON.stringify(spot)})`);
        await page.until(popupIs(true));
        const parts = `${inside('.popup')}.querySelectorAll`;
        t.strictSame(
          await page.value(`[...${parts}('img')].map(({ src }) => src).sort()`),
          [image, content, `${origins[i]}/elsewhere.png`].sort(),
        );
        t.strictSame(await page.value(`[...${parts}('a')].map(({ href }) => href)`), [content, `${origins[i]}/elsewhere`]);
        await page.until(`[...${parts}('img')].filter(({ naturalWidth }) => naturalWidth > 0).length === 2`);
      }
    },
  );
}
