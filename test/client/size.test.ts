/** The size of the client in a page, against docs/client.md. */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { documentText } from '../support/documents.ts';
import { browserBundle } from './bundle.ts';

t.test('the bundled client is as small as docs/client.md says', async (t) => {
  const { bytes, inputs } = await browserBundle('esm');
  const zipped = gzipSync(bytes, { level: 9 }).length;
  t.comment(`${bytes.length} bytes minified, ${zipped} of them gzipped`);
  const bytesMax =
    Number(/it is less than (\d+(?:\.\d)?) KB, minified and gzipped/.exec(documentText('docs/client.md'))?.[1]) * 1000;
  t.ok(zipped <= bytesMax, `${zipped} of ${bytesMax}`);
  t.ok(zipped > bytesMax * 0.8, 'docs/client.md could say less');
  t.ok(inputs.length > 5);
  t.same(
    inputs.filter((file) => !/^(src\/web\/client\/|node_modules\/openapi-fetch\/)/.test(file)),
    [],
    'and has nothing else in it',
  );
});
