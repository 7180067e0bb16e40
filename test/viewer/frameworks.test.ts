// tier: normal
/**
 * `mapwright/viewer` in other programs: those of docs/viewer.md are checked for types, built with two bundlers, and opened with a map of a server. React
 * is built with esbuild, and Vue with Vite, with which most programs of Vue are built.
 */
import fs from 'node:fs';
import path from 'node:path';
import vue from '@vitejs/plugin-vue';
import { build as bundle } from 'esbuild';
import t, { type Test } from 'tap';
import { build as buildWithVite } from 'vite';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { blocksOf, sectionOf } from '../support/documents.ts';
import { startMapwright } from '../support/mapwright.ts';
import { element, inside, recordEvents } from './element-page.ts';
import { complaintsOf, programFolder, runNode } from './framework-programs.ts';
import { policy, Site } from './site.ts';

t.setTimeout(300_000);

const shown = 'https://maps.example';
const slug = '/p/SLUG';
const exampleOf = (language: string, url = shown + slug): string => {
  const [example = ''] = blocksOf('docs/viewer.md', 'In other programs', language);
  t.ok(example.includes(shown + slug));
  return example.replace(shown + slug, url).replace(shown, new URL(url).origin);
};

const reactPackages = ['react', 'react-dom', '@types/react'];
const isElement = (tag: string): boolean => tag === 'mapwright-map';

/** Publishes a map on a server: a floor, and a part of a city with outlines below its tiles. Resolves with the address of the map. */
async function publish(t: Test): Promise<string> {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const artboards = [
    { name: 'Floor', objects: [{ type: 'spot', name: 'Hall', x: 400, y: 300 }] },
    { name: 'City', type: 'osm', osm_lat: 48, osm_lng: 16, osm_zoom: 12 },
  ];
  const { id } = (await mapwright.post('/projects', { name: 'Map', artboards })).shown;
  const [{ objects = [] } = {}] = (await mapwright.ask('GET', `/v1/projects/${id}`)).shown['artboards'] as [
    { objects?: { id: string }[] },
  ];
  await mapwright.post(`/projects/${id}/popups`, { title: 'The hall', attachedTo: objects[0]?.id });
  const { url } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
  return new URL(String(url), `http://127.0.0.1:${mapwright.port}`).href;
}

const scriptsOf = (folder: string): string[] =>
  fs.readdirSync(path.join(folder, 'out'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));

/** A site with the files of a build, and a page with its first script. */
async function siteOf(t: Test, folder: string, script: string): Promise<Site> {
  const site = await Site.open(t);
  for (const name of scriptsOf(folder))
    site.set(`/${name}`, { type: 'text/javascript', body: fs.readFileSync(path.join(folder, 'out', name)) });
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A program</title><link rel="icon" href="data:,">`;
  site.set('/', {
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy },
    body: `${head}<div id="app"></div><script type="module" src="/${script}"></script>`,
  });
  return site;
}

/** Opens a program, and uses its map: each part of the viewer that it needs comes from the build, and the program gets the click. */
async function useMap(t: Test, folder: string): Promise<void> {
  const site = await siteOf(t, folder, 'main.js');
  const page = await Page.open(t, `${site.url}/`, { prepare: recordEvents });
  await page.until("events.some(([name]) => name === 'ready')");
  await page.until(`${inside('canvas')} !== null && ${inside('.places li button')} !== null`);
  t.equal(await page.value(`${element}.hasAttribute('list')`), true);
  await page.value(`${inside('.places li button')}.click()`);
  await page.until("document.querySelector('p').textContent === 'Hall'");
  await page.until(`${inside('.popup')}.textContent.includes('The hall')`);
  await page.value(`${element}.show('City')`);
  const outlines = scriptsOf(folder).find((name) => /\barcs"?:/.test(fs.readFileSync(path.join(folder, 'out', name), 'utf8')));
  await page.until(`performance.getEntriesByType('resource').some(({ name }) => name === '${site.url}/${outlines}')`);
  t.strictSame(
    page.asked.filter((each) => /viewer(?:\.js|\/)/.test(each)),
    [],
    'nothing of the server but the map',
  );
  t.strictSame(page.complaints, []);
}

t.test('a program of React is built with esbuild, and its handler gets the click', { skip }, async (t) => {
  const files = {
    'city-map.tsx': exampleOf('tsx', await publish(t)),
    'main.js': `import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CityMap } from './city-map.tsx';
createRoot(document.getElementById('app')).render(createElement(StrictMode, null, createElement(CityMap)));
`,
  };
  const folder = programFolder(t, files, reactPackages);
  await bundle({
    ...{ absWorkingDir: folder, entryPoints: ['main.js'], outdir: 'out', bundle: true, splitting: true, format: 'esm' },
    ...{ jsx: 'automatic', define: { 'process.env.NODE_ENV': '"production"' }, logLevel: 'error' },
  });
  await useMap(t, folder);
});

t.test('a program of Vue is built with Vite, and its handler gets the click', { skip }, async (t) => {
  const files = {
    'CityMap.vue': exampleOf('vue', await publish(t)),
    'main.js': `import { createApp } from 'vue';
import CityMap from './CityMap.vue';
createApp(CityMap).mount('#app');
`,
  };
  const folder = programFolder(t, files, ['vue']);
  await buildWithVite({
    ...{
      root: folder,
      configFile: false,
      logLevel: 'error',
      plugins: [vue({ template: { compilerOptions: { isCustomElement: isElement } } })],
    },
    build: { outDir: 'out', rolldownOptions: { input: path.join(folder, 'main.js'), output: { entryFileNames: 'main.js' } } },
  });
  await useMap(t, folder);
});

t.test('a page without a framework takes the element from the server', { skip }, async (t) => {
  const url = await publish(t);
  const site = await Site.open(t);
  site.set('/', {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><link rel="icon" href="data:,">${exampleOf('html', url)}`,
  });
  const page = await Page.open(t, `${site.url}/`, { prepare: recordEvents });
  await page.until(`${inside('.places li button')} !== null`);
  await page.value(`${inside('.places li button')}.click()`);
  await page.until("document.querySelector('p').textContent === 'Hall'");
  t.strictSame(page.complaints, []);
});

t.test('attributes, methods and tiles in React, Preact and Vue', { skip }, async (t) => {
  const render = `
const attributes = (refresh, list, search) => ({ refresh, list, search, gestures: 'greedy', menu: 'off' });
const first = attributes(60, false, true);
const second = attributes(undefined, true, false);
`;
  const main = `import 'mapwright/viewer';
import * as preact from 'preact';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import * as vue from 'vue';
${render}
const [inReact, inPreact, inVue] = ['react', 'preact', 'vue'].map((id) => document.body.appendChild(Object.assign(document.createElement('div'), { id })));
const root = createRoot(inReact);
const shown = vue.shallowRef(first);
vue.createApp({ render: () => vue.h('mapwright-map', shown.value) }).mount(inVue);
globalThis.render = async (members) => {
  flushSync(() => root.render(createElement('mapwright-map', members)));
  preact.render(preact.h('mapwright-map', members), inPreact);
  shown.value = members;
  await vue.nextTick();
};
globalThis.states = { first, second };
`;
  const folder = programFolder(t, { 'main.js': main }, ['react', 'react-dom', 'preact', 'vue']);
  await bundle({
    ...{ absWorkingDir: folder, entryPoints: ['main.js'], outdir: 'out', bundle: true, splitting: true, format: 'esm' },
    ...{
      define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
      logLevel: 'error',
    },
  });
  const site = await siteOf(t, folder, 'main.js');
  const page = await Page.open(t, `${site.url}/`, {
    prepare: async (page) => {
      await recordEvents(page);
      await page.route('https://tile.openstreetmap.org/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' }),
      );
    },
  });
  await page.until('globalThis.render !== undefined');
  const attributes = `['react', 'preact', 'vue'].map((id) => {
    const map = document.getElementById(id).firstElementChild;
    return [typeof map.refresh, ...map.getAttributeNames().sort().map((name) => name + '=' + map.getAttribute(name).replace('true', ''))].join(' ');
  })`;
  for (const [state, expected] of Object.entries({
    first: 'function gestures=greedy menu=off refresh=60 search=',
    second: 'function gestures=greedy list= menu=off',
  })) {
    await page.value(`render(states.${state})`);
    t.strictSame(await page.value(attributes), [expected, expected, expected], state);
  }
  const artboard = { type: 'osm', osm_lat: 48, osm_lng: 16, osm_zoom: 12 };
  await page.value(
    `document.querySelector('#react mapwright-map').map = { name: 'Map', artboards: [${JSON.stringify(artboard)}] }`,
  );
  await page.until(
    "performance.getEntriesByType('resource').some(({ name }) => name.startsWith('https://tile.openstreetmap.org/'))",
  );
  t.strictSame(page.complaints, []);
});

t.test('the module does nothing where there is no DOM, and frameworks render the element there', async (t) => {
  const files = {
    'plain.js': `const before = Reflect.ownKeys(globalThis).length;
const { MapwrightMapElement } = await import('mapwright/viewer');
console.log(typeof MapwrightMapElement, Reflect.ownKeys(globalThis).length - before, typeof document, typeof customElements);
`,
    'city-map.tsx': exampleOf('tsx', 'https://maps.example/p/x'),
    'server.js': `import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { CityMap } from './city-map.tsx';
console.log(renderToString(createElement(CityMap)));
`,
  };
  const folder = programFolder(t, files, reactPackages);
  t.strictSame(await runNode(folder, ['plain.js']), { code: 0, output: 'function 0 undefined undefined\n' });
  await bundle({
    ...{
      absWorkingDir: folder,
      entryPoints: ['server.js'],
      outfile: 'server.cjs',
      bundle: true,
      platform: 'node',
      format: 'cjs',
    },
    ...{ jsx: 'automatic', logLevel: 'error' },
  });
  t.strictSame(await runNode(folder, ['server.cjs']), {
    code: 0,
    output: '<mapwright-map src="https://maps.example/p/x" list=""></mapwright-map><p></p>\n',
  });
});

const uses = `import 'mapwright/viewer';
import type { MapwrightMapElement } from 'mapwright/viewer';
export const map: MapwrightMapElement = document.createElement('mapwright-map');
map.fallbackTile = async (address) => address.trim();
map.addEventListener('mapwright-ready', ({ detail }) => detail.version?.toFixed());
document.addEventListener('mapwright-problem', ({ detail }) => detail.problem satisfies string);
export const isNew: Promise<boolean> = map.refresh();
// @ts-expect-error There is no such method.
map.close();
// @ts-expect-error The event has no such detail.
map.addEventListener('mapwright-click', ({ detail }) => detail.objects);
`;
const jsx = `import 'mapwright/viewer';
export const all = (
  <mapwright-map src="/p" artboard="a" object="b" list search={false} refresh={60} live="off" gestures="greedy" labels="auto" cluster="off"
    legend="off" panel="off" permalink switcher="off" display="dark" display-seconds={20} lang="de" menu="off" class="a" map={{}}
    fallbackTile={async (address) => address} onmapwright-live={({ detail }) => detail.state === 'stale'} onClick={() => undefined} />
);
// @ts-expect-error There is no such attribute.
export const attribute = <mapwright-map lst />;
// @ts-expect-error Names are written with other words.
export const value = <mapwright-map labels="some" />;
// @ts-expect-error The event has no such detail.
export const detail = <mapwright-map onmapwright-click={(event) => event.detail.objects} />;
`;

t.test('every attribute of docs/viewer.md has a type', (t) => {
  const documented = Array.from(
    sectionOf('docs/viewer.md', 'Attributes').matchAll(/^\| `([\w-]+)` \|/gm),
    ([, name = '']) => name,
  );
  t.ok(documented.length > 15);
  for (const name of documented) t.match(jsx, new RegExp(` ${name}[ =\n]`), name);
  t.end();
});

t.test('types of the DOM need no framework', async (t) => {
  const folder = programFolder(t, { 'uses.ts': uses });
  t.equal(await complaintsOf(folder, ['uses.ts']), '');
  t.equal(await complaintsOf(folder, ['uses.ts'], { module: 'nodenext', moduleResolution: 'nodenext' }), '');
});

t.test('types of React, and of Preact', async (t) => {
  const files = { 'city-map.tsx': exampleOf('tsx'), 'all.tsx': jsx.replace(' class=', ' className='), 'uses.ts': uses };
  const inReact = programFolder(t, files, reactPackages);
  t.equal(await complaintsOf(inReact, Object.keys(files), { jsx: 'react-jsx' }), '');
  const program = exampleOf('tsx').replace("'react'", "'preact/hooks'");
  const inPreact = programFolder(t, { 'city-map.tsx': program, 'all.tsx': jsx }, ['preact']);
  t.equal(await complaintsOf(inPreact, ['city-map.tsx', 'all.tsx'], { jsx: 'react-jsx', jsxImportSource: 'preact' }), '');
});

t.test('types of Vue', async (t) => {
  const all = `<script setup lang="ts">
import 'mapwright/viewer';
import type { MapwrightMapElement } from 'mapwright/viewer';
import { useTemplateRef } from 'vue';
const map = useTemplateRef<MapwrightMapElement>('map');
</script>
<template>
  <button @click="map?.fit()">All</button>
  <mapwright-map ref="map" src="/p" list :search="false" :refresh="60" labels="auto" display="dark" class="a" menu
    @mapwright-live="({ detail }) => detail.state === 'stale'" @click="() => undefined" />
  <!-- @vue-expect-error There is no such attribute. -->
  <mapwright-map lst />
  <!-- @vue-expect-error Names are written with other words. -->
  <mapwright-map labels="some" />
  <!-- @vue-expect-error The event has no such detail. -->
  <mapwright-map @mapwright-click="(event) => event.detail.objects" />
</template>
`;
  const folder = programFolder(t, { 'CityMap.vue': exampleOf('vue'), 'All.vue': all }, ['vue']);
  t.equal(await complaintsOf(folder, ['CityMap.vue', 'All.vue'], { skipLibCheck: true }), '');
});
