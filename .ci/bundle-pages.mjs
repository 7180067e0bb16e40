/**
 * Bundles the web pages into `dist/pages`: `viewer.js` as one module without dependencies, and the folder `console`. Each script contains the
 * licences of the packages in it: they must go along with each copy, and people copy a script alone.
 */
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '..');
const outdir = 'dist/pages';

/** The text of a package's licence, with its name. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const head = `${name} ${version} (${license})`;
  // This project's own licence, at the root of its package and on apache.org.
  if (/Apache-2\.0/.test(license)) return `${head}: https://www.apache.org/licenses/LICENSE-2.0`;
  const file = fs.readdirSync(path.join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${folder} has no licence file`);
  return `${head}\n\n${fs.readFileSync(path.join(root, folder, file), 'utf8').trim()}`;
}

fs.rmSync(path.join(root, outdir), { recursive: true, force: true });

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
};
const script = { ...common, format: 'esm', platform: 'browser', target: 'es2022' };

/** Bundles and writes, each script with the licences of what is in it. */
async function bundle(options) {
  const { outputFiles, metafile } = await build(options);
  fs.mkdirSync(path.join(root, options.outdir), { recursive: true });
  for (const { path: file, text } of outputFiles) {
    const { inputs } = metafile.outputs[path.relative(root, file).split(path.sep).join('/')];
    const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const folders = new Set(
      used.map(([name]) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]).filter((each) => each !== undefined),
    );
    const licences = [...folders].sort().map(licenceOf);
    const notice = ['mapwright (Apache-2.0): https://www.apache.org/licenses/LICENSE-2.0', ...licences].join('\n\n---\n\n');
    fs.writeFileSync(file, `${text.trimEnd()}\n/*!\nThis script contains:\n\n${notice.replaceAll('*/', '* /')}\n*/\n`);
  }
}

await bundle({ ...script, entryPoints: ['src/viewer/viewer.ts'], outdir, tsconfig: 'src/viewer/tsconfig.json' });

// The console: its script in parts, of which the map is loaded later, its style sheet, and the page.
const consoleFolder = path.join(outdir, 'console');
await bundle({
  ...script,
  entryPoints: { console: 'src/console/console.tsx' },
  outdir: consoleFolder,
  chunkNames: 'part-[hash]',
  splitting: true,
  tsconfig: 'src/console/tsconfig.json',
});
await bundle({ ...common, entryPoints: { console: 'src/console/style/console.css' }, outdir: consoleFolder });
fs.copyFileSync(path.join(root, 'src/console/index.html'), path.join(root, consoleFolder, 'index.html'));
