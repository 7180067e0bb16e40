/** The client as a page gets it: one file, of the web alone. */
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);

/** @param format `esm`, or `iife`: then it stands in the global `mapwright` */
export async function browserBundle(format: 'esm' | 'iife'): Promise<{ text: string; bytes: Uint8Array; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(root, 'src/web/client/client.ts')],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format,
    ...(format === 'iife' ? { globalName: 'mapwright' } : {}),
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild made nothing');
  return { text: file.text, bytes: file.contents, inputs: Object.keys(metafile.inputs) };
}
