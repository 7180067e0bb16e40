/**
 * Where the library is, copied into `dist/lib`. Its modules see `dist/bin` as their folder, because the scripts of the worker threads are
 * there, and CommonJS packages in them need `require`.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { url } = import.meta;
// Bundlers replace import.meta.url by the address of their own file, or by nothing.
const program = url?.startsWith('file:') ? new URL('../bin/mapwright.js', url) : undefined;
if (program === undefined || !fs.existsSync(program)) {
  const place = url === undefined ? 'a CommonJS script' : url;
  throw new Error(
    `A bundler has copied mapwright into ${place}, where its worker threads and pages are missing. ` +
      'Keep the package external and install it beside the bundle: `--external:mapwright` (esbuild), ' +
      "`external: ['mapwright']` (Rollup, Rolldown), `externals: { mapwright: 'module mapwright' }` (webpack), " +
      "`serverExternalPackages: ['mapwright']` (Next.js), `ssr: { external: ['mapwright'] }` (Vite).",
  );
}

export const importMetaUrl = program.href;
export const __dirname = fileURLToPath(new URL('.', program));
export const require = createRequire(program);
