/**
 * Bundles the command and its worker threads into `dist/bin`, as CommonJS: V8 can store the compiled code of a script, but not that of a
 * module (src/cli/code-cache.ts). Few files also start faster than the 500 modules of `dist/src`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { external, mapOwnSources, short, writeLicences } from './bundled-packages.mjs';

const root = path.join(import.meta.dirname, '..');
const outdir = 'dist/bin';

/** Files that only name an export of `shared-workers.js`. */
const stubs = {
  'backup-worker': 'backupWorker',
  'blob-worker': 'blobWorker',
  'evaluate-worker': 'evaluateWorker',
  'feed-worker': 'feedWorker',
  'import-worker': 'importWorker',
  'page-content-worker': 'pageContentWorker',
  'recognize-worker': 'recognizeWorker',
  'snapshot-run-worker': 'snapshotRunWorker',
};

/** The converter of files is a script of its own: only imports load it. */
const converter = {
  name: 'converter',
  setup({ onResolve }) {
    onResolve({ filter: /\/web\/convert\/converter\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './converter.js', external: true },
    );
  },
};

/** So is the protocol of agents, with its SDK. */
const protocol = {
  name: 'protocol',
  setup({ onResolve }) {
    onResolve({ filter: /\/protocol\.ts$/ }, ({ kind, importer }) =>
      kind !== 'entry-point' && /[/\\]mcp[/\\]/.test(importer) ? { path: './mcp.js', external: true } : undefined,
    );
  },
};

/** The SDK of the protocol has a large checker of JSON schemas for what it could ask a client; it asks nothing. */
const smallChecker = {
  name: 'small-checker',
  setup({ onResolve, onLoad }) {
    const shims = '@modelcontextprotocol/server/_shims';
    onResolve({ filter: new RegExp(`^${shims}$`) }, () => ({ path: shims, namespace: 'small-checker' }));
    onLoad({ filter: /./, namespace: 'small-checker' }, () => ({
      contents: `
        export { default as process } from 'node:process';
        export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
      `,
      resolveDir: root,
    }));
  },
};

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    mapwright: 'src/cli/bundle-entry.ts',
    main: 'src/cli/main.ts',
    'flusher-worker': 'src/storage/wal/write/flusher-worker.ts',
    'segment-worker': 'src/storage/wal/write/segment-worker.ts',
    'shared-workers': 'src/cli/shared-workers.ts',
    converter: 'src/web/convert/converter.ts',
    // piscina starts its threads with this file, which it looks for beside itself.
    worker: 'node_modules/piscina/dist/worker.js',
  },
  outdir,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  external,
  // Other versions create an Intl.Segmenter when they load, which takes 20 ms.
  alias: { 'string-width': './node_modules/string-width/index.js' },
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  // The cached script cannot import modules itself.
  supported: { 'dynamic-import': false },
  plugins: [converter, protocol],
  ...short,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
mapOwnSources(metafile);

/** Nearly all of it is the SDK, so it has no map, and names are short. */
const { metafile: ofProtocol } = await build({
  absWorkingDir: root,
  entryPoints: { mcp: 'src/mcp/protocol.ts' },
  outdir,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  lineLimit: 200,
  plugins: [smallChecker],
  metafile: true,
  logLevel: 'warning',
});
writeLicences(outdir, [metafile, ofProtocol]);

const made = new Set([
  'package.json',
  'licences.txt',
  ...[metafile, ofProtocol].flatMap(({ outputs }) => Object.keys(outputs).map((file) => path.basename(file))),
]);
for (const [name, exported] of Object.entries(stubs)) {
  const file = `${name}.js`;
  const text = `exports.__esModule = true;\nexports.default = require('./shared-workers.js').${exported};\n`;
  fs.writeFileSync(path.join(root, outdir, file), text);
  made.add(file);
}
fs.writeFileSync(path.join(root, outdir, 'package.json'), '{"type":"commonjs"}\n');
for (const name of fs.readdirSync(path.join(root, outdir))) {
  if (!made.has(name)) fs.rmSync(path.join(root, outdir, name), { recursive: true });
}

// The command itself, as npm would link it.
fs.chmodSync(path.join(root, outdir, 'mapwright.js'), 0o755);
const link = path.join(root, 'node_modules/.bin/mapwright');
fs.rmSync(link, { force: true });
fs.symlinkSync('../../dist/bin/mapwright.js', link);
