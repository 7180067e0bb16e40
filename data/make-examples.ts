/**
 * `npm run examples`: makes the projects in data/examples from the data of installed packages. The same packages make the same
 * bytes, so that a test can compare.
 */
import fs from 'node:fs';
import path from 'node:path';
import { cities } from './cities.ts';
import { type Example, thousands, toText } from './example.ts';
import { importFiles, importFilesReadme } from './import-files.ts';
import { office } from './office.ts';
import { shoppingCentre } from './shopping-centre/shopping-centre.ts';
import { usCounties } from './us-counties.ts';
import { world } from './world.ts';

function readme(examples: readonly (Example & { text: string })[]): string {
  const rows = examples.map(({ file, project, text, source, licence }) => {
    const objects = project.artboards.reduce((sum, artboard) => sum + artboard.objects.length, 0);
    const size = `${thousands(Math.round(Buffer.byteLength(text) / 1024))} KiB`;
    const counts = [
      thousands(objects),
      thousands(project.popups.length),
      String(project.variables.length),
      String(project.actions.length),
    ];
    return `| [\`${file}\`](${file}) | ${[size, String(project.artboards.length), ...counts, source, licence].join(' | ')} |`;
  });
  return `# Examples

Five example projects, three of them made from public data. Each file is an [exported
project](../../docs/api.md#export-and-import): the body of a \`POST /api/v1/projects/import\`. \`mapwright demo\` imports
them into a running server. \`npm run examples\` generates them, and this page, from \`data/*.ts\`; the result is the same
byte for byte.

| file | size | artboards | objects | popups | variables | actions | source | licence |
|---|--:|--:|--:|--:|--:|--:|---|---|
${rows.join('\n')}

Outlines are simplified and rounded to a tenth of a pixel. They are illustrations: do not use them for measurements or
as a statement about borders. Coordinates are pixels from the top left corner of the artboard. On an artboard of type
\`osm\`, that corner results from the centre (\`osm_lat\`, \`osm_lng\`), the size and the zoom: the world is 256 · 2^zoom
pixels wide (Web Mercator).

${importFilesReadme}`;
}

/** Name to text of everything in data/examples. */
export function makeExamples(): Map<string, string> {
  const examples = [shoppingCentre(), office(), cities(), world(), usCounties()].map((example) => ({
    ...example,
    text: toText(example.project),
  }));
  return new Map([...examples.map(({ file, text }) => [file, text] as const), ...importFiles(), ['README.md', readme(examples)]]);
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  const folder = path.join(import.meta.dirname, 'examples');
  fs.mkdirSync(path.join(folder, 'files'), { recursive: true });
  for (const [name, text] of makeExamples()) {
    fs.writeFileSync(path.join(folder, name), text);
    console.log(`${name}: ${thousands(Buffer.byteLength(text))} bytes`);
  }
}
