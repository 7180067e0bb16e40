// tier: all
/** The size of the converter in a page, against docs/import.md. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import t from 'tap';
import { documentText } from '../support/documents.ts';
import { projectRoot } from '../support/project.ts';

t.test('the bundled converter is as small as docs/import.md says', async (t) => {
  const { outputFiles } = await build({
    absWorkingDir: projectRoot(import.meta.dirname),
    entryPoints: ['src/web/convert/converter.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  const zipped = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  const kilobytes = Number(/at most (\d+) kB, minified and gzipped/.exec(documentText('docs/import.md'))?.[1]);
  t.comment(`${zipped} bytes`);
  t.ok(zipped <= kilobytes * 1000, `${zipped} of ${kilobytes} kB`);
});
