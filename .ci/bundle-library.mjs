/**
 * Bundles the exports of the package into `dist/lib`: a few modules instead of the 500 of `dist/src`, and one declaration file for each
 * entry. The library starts the worker threads of the command, in `dist/bin`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { external, mapOwnSources, short, writeLicences } from './bundled-packages.mjs';

const root = path.join(import.meta.dirname, '..');
const outdir = path.join(root, 'dist/lib');

/** Entries for Node and for browsers. */
const portable = { client: 'web/client/client', schemas: 'model/schemas/schemas', geo: 'lib/geo/geo' };
const server = { index: 'index' };

const below = (folder, ending, entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(root, folder, file + ending)]));

const common = {
  absWorkingDir: root,
  outdir,
  chunkNames: 'part-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'node20.19',
  ...short,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
};

/** `maps.client()` is the client of `mapwright/client`, with the same error classes. */
const oneClient = {
  name: 'one-client',
  setup({ onResolve }) {
    onResolve({ filter: /\/web\/client\/client\.ts$/ }, () => ({ path: './client.js', external: true }));
  },
};

/** What only agents use is one script for the command and the library. */
const oneProtocol = {
  name: 'one-protocol',
  setup({ onResolve }) {
    onResolve({ filter: /\/protocol\.ts$/ }, ({ importer }) =>
      /[/\\]mcp[/\\]/.test(importer) ? { path: '../bin/mcp.js', external: true } : undefined,
    );
  },
};

fs.rmSync(outdir, { recursive: true, force: true });
const inBrowsers = await build({
  ...common,
  entryPoints: below('src', '.ts', portable),
  platform: 'neutral',
  mainFields: ['module', 'main'],
});
const inNode = await build({
  ...common,
  entryPoints: below('src', '.ts', server),
  platform: 'node',
  external,
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "import { __dirname, importMetaUrl, require } from './place.js';" },
  plugins: [oneClient, oneProtocol],
});
for (const { metafile } of [inBrowsers, inNode]) mapOwnSources(metafile);
writeLicences('dist/lib', [inBrowsers.metafile, inNode.metafile]);
fs.copyFileSync(path.join(import.meta.dirname, 'library-place.mjs'), path.join(outdir, 'place.js'));

const types = await rollup({
  input: below('dist/src', '.d.ts', { ...server, ...portable }),
  external: /^node:/,
  plugins: [dts({ sourcemap: true })],
  onwarn({ message }) {
    throw new Error(message);
  },
});
await types.write({ dir: outdir, entryFileNames: '[name].d.ts', chunkFileNames: 'resources.d.ts', sourcemap: true });
