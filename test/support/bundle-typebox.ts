/**
 * Puts TypeBox into `dist/node_modules` as a few files, where the compiled program finds it before the installed one. It is 680 files, and
 * loading them took half of the start of each process of the tests, and of most worker threads.
 */
import fs from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from './project.ts';

const compiled = path.join(import.meta.dirname, '..', '..');
const bundled = path.join(compiled, 'node_modules', 'typebox');
const installed = path.join(projectRoot(compiled), 'node_modules', 'typebox');

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

const manifestOf = (folder: string) => JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

const { version, exports } = manifestOf(installed);
if (!fs.existsSync(bundled) || manifestOf(bundled).version !== version) {
  fs.rmSync(bundled, { recursive: true, force: true });
  const entries = Object.keys(exports).map((name) => ({
    name,
    from: path.posix.join('typebox', name),
    out: path.posix.join('.', name, 'index'),
  }));
  buildSync({
    entryPoints: entries.map(({ from, out }) => ({ in: from, out })),
    outdir: bundled,
    absWorkingDir: projectRoot(compiled),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const files = Object.fromEntries(entries.map(({ name, out }) => [name, `./${out}.js`]));
  fs.writeFileSync(
    path.join(bundled, 'package.json'),
    JSON.stringify({ name: 'typebox', version, type: 'module', exports: files }),
  );
}
