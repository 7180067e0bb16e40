/**
 * The panel of a map of 10,000 places with five fields, in the element as it is published: from a visitor's change until the frame that shows it, in
 * the panel and on the map.
 */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { rowOfOurs, said } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import type { Context, Row } from '../row.ts';

const [width, height] = [1280, 800];
const sizes = { full: { places: 10_000, changes: 12 }, tiny: { places: 300, changes: 2 } };
/** Goal of an answer, in milliseconds. */
const answerMs = 50;

/** In the page: each function makes the change of a number. */
const changes = {
  'a category toggled': `() => root.querySelector('.categories input').click()`,
  'a yes/no toggled': `() => root.querySelector('.filters input[type=checkbox]').click()`,
  'a letter in a filter': `(at) => type(root.querySelector('.range input'), '1'.repeat(1 + (at % 2)))`,
  'a letter in the search': `(at) => type(root.querySelector('.places > input'), 'place 1'.slice(0, 1 + (at % 7)))`,
};

/** Rows of the panel; none of a program that has no panel. */
export async function panelRows({ program, rounds, tiny, say }: Context, running: Browser): Promise<Row[]> {
  const folder = path.join(program, 'pages');
  if (!fs.existsSync(path.join(folder, 'viewer'))) return [];
  const { places, changes: count } = tiny ? sizes.tiny : sizes.full;
  const document = map(places);
  const server = http.createServer((req, res) => answer(folder, document, req.url ?? '', res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const firsts: number[] = [];
  const medians = Object.keys(changes).map((): number[] => []);
  try {
    for (let round = 0; round < rounds; round++) {
      const page = await running.newPage({ viewport: { width, height }, deviceScaleFactor: 1 });
      try {
        const problems: string[] = [];
        page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
        page.on('pageerror', ({ message }) => problems.push(message));
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await page.waitForSelector('mapwright-map .categories input', { timeout: 10_000 }).catch((error: Error) => {
          throw new Error(`the panel does not appear: ${error.message}\n${problems.join('\n')}`);
        });
        for (const [at, act] of Object.values(changes).entries()) {
          const durations = (await page.evaluate(inPage(act, count))) as number[];
          medians[at]?.push(median(durations));
          if (at === 0) firsts.push(durations[0] as number);
        }
      } finally {
        await page.close();
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const name = `viewer, ${places.toLocaleString('en-US')} places with five fields`;
  const rows = Object.keys(changes).map((what, at) =>
    rowOfOurs(`${name}: ${what}`, 'ms', medians[at] as number[], `median of ${count}, until the next frame`, {
      atMost: answerMs,
    }),
  );
  rows.push(rowOfOurs(`${name}: the first toggle of a page`, 'ms', firsts, 'before the browser has compiled the functions'));
  for (const row of rows) say(said(row));
  return rows;
}

function answer(folder: string, document: string, url: string, res: http.ServerResponse): void {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname === '/p/map.json') res.end(JSON.stringify({ version: 1, map: 'places.json' }));
  else if (pathname === '/p/places.json') res.end(document);
  else if (pathname.endsWith('.js'))
    res.setHeader('Content-Type', 'text/javascript').end(fs.readFileSync(path.join(folder, ...pathname.split('/'))));
  else
    res
      .setHeader('Content-Type', 'text/html')
      .end(
        `<!doctype html><title>Bench</title><link rel="icon" href="data:,"><style>body{margin:0}mapwright-map{height:${height}px}</style>` +
          '<mapwright-map search src="/p"></mapwright-map><script type="module" src="/viewer.js"></script>',
      );
}

/** A published map: spots all over a plain artboard, in ten categories. */
function map(count: number): string {
  const objects = Array.from({ length: count }, (_, at) => ({
    ...{ id: `place-${at}`, name: `Place ${at}`, type: 'spot', radius: 6, category: `Category ${at % 10}` },
    ...{ x: (at * 7919) % width, y: (at * 104_729) % height, color: `hsl(${(at % 10) * 36} 70% 50%)` },
    properties: {
      ...{ street: `Street ${at % 97}`, seats: at % 100, open: at % 3 === 0 },
      ...{ kind: ['a', 'b', 'c'][at % 3], since: `20${10 + (at % 15)}-01-15` },
    },
  }));
  const field = (name: string, kind: string, ...show: string[]) => ({ name, label: name, kind, show });
  const fields = [
    field('street', 'text', 'popup', 'list', 'search'),
    field('seats', 'number', 'popup', 'filter'),
    field('open', 'yes-no', 'popup', 'filter'),
    field('kind', 'choice', 'popup', 'filter'),
    field('since', 'date', 'popup', 'filter'),
  ];
  const categories = Array.from({ length: 10 }, (_, at) => ({ name: `Category ${at}`, color: '#1d4ed8' }));
  return JSON.stringify({
    ...{ id: 'map', name: 'Places', settings: { public_map: { categories, fields } }, popups: [] },
    artboards: [{ id: 'plan', name: 'Plan', type: 'color', bg_color: '#ffffff', width, height, objects }],
  });
}

/** Gives the milliseconds of each change. */
const inPage = (act: string, count: number): string => `(async () => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const shown = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  }));
  const { shadowRoot: root } = document.querySelector('mapwright-map');
  root.querySelector('.filters').open = true;
  const type = (input, text) => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
  };
  const act = ${act};
  const durations = [];
  for (let at = 0; at < ${count}; at++) {
    await pause(300);
    const began = performance.now();
    act(at);
    await shown();
    durations.push(performance.now() - began);
  }
  return durations;
})()`;
