/**
 * Bundles the web pages into `dist/pages`: `viewer.js` and the parts that it loads later, and the folders `console` and `docs`. Each script contains
 * the licences of the packages in it: they must go along with each copy, and people copy a script alone.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { iconsIn } from './bundle-icons.mjs';
import { apache, licenceOf, packagesIn } from './bundled-packages.mjs';
import { writeGuide } from './guide.mjs';
import { licenceOfWords, wordsIn } from './icon-words.mjs';
import { outlinesScript } from './outlines.mjs';
import { writeViewerModule } from './viewer-module.mjs';

const root = path.join(import.meta.dirname, '..');
const outdir = 'dist/pages';

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

/** The lines of each paragraph as one: licences differ in their line breaks, and scripts are smaller without them. */
const unwrapped = (licence) => licence.replaceAll(/(\S)\n[ \t]*(?=[A-Za-z("])/g, '$1 ');

/** Bundles and writes, each script with the licences of what is in it, and others. Resolves with what esbuild says about the scripts. */
async function bundle(options, ...others) {
  const { outputFiles, metafile } = await build(options);
  fs.mkdirSync(path.join(root, options.outdir), { recursive: true });
  for (const { path: file, text } of outputFiles) {
    const { inputs } = metafile.outputs[path.relative(root, file).split(path.sep).join('/')];
    const licences = packagesIn(inputs).map(licenceOf).map(unwrapped);
    const own = 'mapwright (Apache-2.0)';
    const all = [...licences, ...others];
    // A part of the console that contains this project alone is useless alone: its entry has the name of the project.
    const isPart = all.length === 0 && /^(?:part|convert)-/.test(path.basename(file));
    const notice =
      all.length === 0 ? ` ${own} ` : `\nThis script contains:\n\n${[`${own}: ${apache}`, ...all].join('\n\n---\n\n')}\n`;
    fs.writeFileSync(file, isPart ? text : `${text.trimEnd()}\n/*!${notice.replaceAll('*/', '* /')}*/\n`);
  }
  return metafile.outputs;
}

// The parts of the viewer: each by itself, without imports, since a script that the viewer shared with them would be a second file before its first
// picture. The viewer gets their names, which contain their digests.
const viewer = { ...script, tsconfig: 'src/web/viewer/tsconfig.json' };
const element = 'src/web/viewer/element';
const parts = Object.fromEntries(
  ['panel', 'details', 'wall', 'outlines', 'share', 'visits'].map((part) => [part, `${element}/${part}/${part}-part.ts`]),
);
// The outlines are data, in a script so that policies need no other source for it; a part and the console draw them.
const outlines = outlinesScript(root);
const outlinesName = `outlines-${createHash('sha256').update(outlines).digest('hex').slice(0, 8).toUpperCase()}.js`;
const namesOutlines = { outlinesName: JSON.stringify(outlinesName) };
const viewerFolder = path.join(outdir, 'viewer');
const bundled = await bundle({
  ...viewer,
  define: namesOutlines,
  entryPoints: parts,
  entryNames: 'part-[hash]',
  outdir: viewerFolder,
});
fs.writeFileSync(path.join(root, viewerFolder, outlinesName), outlines);
const nameOf = (entry) => path.basename(Object.keys(bundled).find((file) => bundled[file].entryPoint === entry));
const places = Object.fromEntries(Object.entries(parts).map(([part, entry]) => [part, `./viewer/${nameOf(entry)}`]));
await bundle({
  ...viewer,
  entryPoints: ['src/web/viewer/viewer.ts'],
  outdir,
  define: { viewerParts: JSON.stringify(places) },
});
// The same scripts as a module for programs.
await writeViewerModule(root, {
  'src/web/viewer/viewer.ts': 'viewer.js',
  'src/web/viewer/module/outlines-data.ts': `viewer/${outlinesName}`,
  ...Object.fromEntries(Object.entries(parts).map(([part, entry]) => [entry, places[part]])),
});

// The console: its script in parts, of which the map is loaded later, its style sheet, and the page.
const consoleFolder = path.join(outdir, 'console');
await bundle({
  ...script,
  define: namesOutlines,
  entryPoints: { console: 'src/web/console/console.tsx' },
  outdir: consoleFolder,
  chunkNames: 'part-[hash]',
  splitting: true,
  tsconfig: 'src/web/console/tsconfig.json',
});
// The converter, which the console loads as a module and as a worker when a file is opened. Its readers are parts, loaded for a file of their format.
await bundle({
  ...script,
  entryPoints: { convert: 'src/web/console/import/converter-script.ts' },
  outdir: consoleFolder,
  chunkNames: 'convert-[hash]',
  splitting: true,
  tsconfig: 'src/web/console/tsconfig.json',
});
await bundle({ ...common, entryPoints: { console: 'src/web/console/style/console.css' }, outdir: consoleFolder });
fs.copyFileSync(path.join(root, 'src/web/console/index.html'), path.join(root, consoleFolder, 'index.html'));

// The icons of Maki and Temaki, which are in the public domain: the console loads them for a map that has one, the server for one that it publishes.
const icons = iconsIn(root);
fs.writeFileSync(path.join(root, consoleFolder, 'icons.json'), JSON.stringify(icons));
// And the words by which the console finds them.
fs.writeFileSync(path.join(root, consoleFolder, 'icon-words.json'), JSON.stringify(wordsIn(root, Object.keys(icons))));
fs.writeFileSync(path.join(root, consoleFolder, 'icon-words.txt'), licenceOfWords());

// The popup editor and the preview of the console: pages in frames without an origin, so their scripts are no modules, for which they would need
// CORS. The viewer, which the preview shows, has it.
for (const [name, folder] of [
  ['popup', 'popup'],
  ['preview', 'map-preview'],
]) {
  const source = `src/web/console/${folder}`;
  const frame = path.join(outdir, name);
  await bundle({
    ...script,
    format: 'iife',
    entryPoints: { [name]: `${source}/${name}-page.ts` },
    outdir: frame,
    tsconfig: 'src/web/console/tsconfig.json',
  });
  await bundle({ ...common, entryPoints: { [name]: `${source}/${name}.css` }, outdir: frame });
  fs.copyFileSync(path.join(root, source, `${name}.html`), path.join(root, frame, 'index.html'));
}

// The API reference, and the licences of the packages that Swagger UI contains.
const docs = 'src/api/pages/docs';
const docsFolder = path.join(outdir, 'docs');
const inSwagger = 'node_modules/swagger-ui-dist/swagger-ui-es-bundle.js.LICENSE.txt';
await bundle(
  { ...script, entryPoints: [`${docs}/docs.js`], outdir: docsFolder },
  fs.readFileSync(path.join(root, inSwagger), 'utf8').trim(),
);
await bundle({ ...common, entryPoints: [`${docs}/docs.css`], outdir: docsFolder });
fs.copyFileSync(path.join(root, docs, 'index.html'), path.join(root, docsFolder, 'index.html'));

// The guide: pages of some documents, with their pictures.
const guideFolder = path.join(outdir, 'guide');
const { repository } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
writeGuide(root, path.join(root, guideFolder), repository.url.replace(/^git\+|\.git$/g, ''));
await bundle({ ...common, entryPoints: ['src/api/pages/guide/guide.css'], outdir: guideFolder });
