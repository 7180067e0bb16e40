/**
 * Writes `mapwright/viewer` into `dist/viewer`: a module that imports the scripts of `dist/pages`, which the package then has once, and its declarations.
 */
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const source = 'src/web/viewer';
const outdir = 'dist/viewer';
const tsconfig = `${source}/tsconfig.json`;

/**
 * @param scripts addresses in `dist/pages`, by the sources that they take the place of
 */
export async function writeViewerModule(root, scripts) {
  const inPages = {
    name: 'in-pages',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path: specifier, resolveDir }) => {
        const script = scripts[path.relative(root, path.join(resolveDir, specifier)).split(path.sep).join('/')];
        return script === undefined ? undefined : { path: path.posix.join('../pages', script), external: true };
      });
    },
  };
  fs.rmSync(path.join(root, outdir), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
    entryPoints: { viewer: `${source}/module/module.ts` },
    chunkNames: 'part-[hash]',
    outdir,
    tsconfig,
    plugins: [inPages],
  });
  const types = await rollup({
    input: path.join(root, source, 'module/module.ts'),
    plugins: [dts({ tsconfig: path.join(root, tsconfig) })],
    onwarn({ message }) {
      throw new Error(message);
    },
  });
  await types.write({
    file: path.join(root, outdir, 'viewer.d.ts'),
    banner: '/// <reference path="./frameworks.d.ts" />',
  });
  fs.copyFileSync(path.join(root, source, 'module/frameworks.d.ts'), path.join(root, outdir, 'frameworks.d.ts'));
}
