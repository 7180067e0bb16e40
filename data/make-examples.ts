/**
 * `npm run examples`: makes the projects in data/examples from the data of installed packages. The same packages make the same
 * bytes, so that a test can compare.
 */
import fs from 'node:fs';
import path from 'node:path';
import { cities } from './cities.ts';
import { type Example, thousands, toText } from './example.ts';
import { office } from './office.ts';
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

Four projects to try things on, three of them made of public data; each file is the body of a \`POST /api/v1/projects\`. \`mapwright demo\` loads them into a running server;
\`npm run examples\` makes them again, byte for byte, from \`data/*.ts\` (this page too).

| file | size | artboards | objects | popups | variables | actions | source | licence |
|---|--:|--:|--:|--:|--:|--:|---|---|
${rows.join('\n')}

Outlines are simplified and rounded to a tenth of a pixel; they are pictures, not surveys, and no statement about who owns what.
Coordinates are pixels from the top left corner of the artboard. On an artboard of type \`osm\` that corner follows from its centre
(\`osm_lat\`, \`osm_lng\`), its size and its zoom: the world is 256 · 2^zoom pixels wide (Web Mercator).

## References

Identifiers are made by the server, so a file cannot hold one. Where one belongs, it names the member instead:

| text | stands for the identifier of |
|---|---|
| \`artboard:Counties\` | the first artboard with that name |
| \`object:France\` | the first object with that name, artboard by artboard |
| \`data_source:Occupancy\` | the first data source with that name |
| \`variable:Heat\` | the first variable with that name |

Such a text counts as a reference in a member called \`attachedTo\` or ending in \`_id\`, however deep it lies (conditions and styles
included). For the server it is an ordinary string. The loader sends the file as it is, reads the identifiers from the answer,
and puts them in with one \`PATCH\`: every collection that holds a reference is sent whole, as members of \`id\` and the members
that change, so that nothing else does.
`;
}

/** Name to text of everything in data/examples. */
export function makeExamples(): Map<string, string> {
  const examples = [world(), usCounties(), cities(), office()].map((example) => ({ ...example, text: toText(example.project) }));
  return new Map([...examples.map(({ file, text }) => [file, text] as const), ['README.md', readme(examples)]]);
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  const folder = path.join(import.meta.dirname, 'examples');
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of makeExamples()) {
    fs.writeFileSync(path.join(folder, name), text);
    console.log(`${name}: ${thousands(Buffer.byteLength(text))} bytes`);
  }
}
