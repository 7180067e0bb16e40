/** What the client costs a page, in bytes: as the README says, and no more than that. */
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { projectRoot } from '../support/project.ts';
import { browserBundle } from './bundle.ts';

t.test('it is as small as the README says', async (t) => {
  const { bytes, inputs } = await browserBundle('esm');
  const zipped = gzipSync(bytes, { level: 9 }).length;
  t.comment(`${bytes.length} bytes minified, ${zipped} of them gzipped`);
  const readme = fs.readFileSync(path.join(projectRoot(import.meta.dirname), 'README.md'), 'utf8');
  const bytesMax = Number(/it is less than (\d+(?:\.\d)?) KB, minified and gzipped/.exec(readme)?.[1]) * 1000;
  t.ok(zipped <= bytesMax, `${zipped} of ${bytesMax}`);
  t.ok(zipped > bytesMax * 0.8, 'the README could say less');
  t.ok(inputs.length > 5);
  t.same(
    inputs.filter((file) => !/^(src\/client\/|node_modules\/openapi-fetch\/)/.test(file)),
    [],
    'and has nothing else in it',
  );
});
