/** The declarations in the first lines of test files. */
import t from 'tap';
import { declared } from '../support/test-files.ts';

t.test('the first line of a test file declares its tier and its process', async (t) => {
  const name = 'api/lists';
  t.strictSame(declared(name, '/** Lists. */\n// tier: all'), { name, tier: 'short', process: 'shared' });
  t.strictSame(declared(name, '// tier: all, process: own\n'), { name, tier: 'all', process: 'own' });
  t.strictSame(declared(name, '// process: first\n'), { name, tier: 'short', process: 'first' });
  for (const wrong of ['// tier: long', '// tier: all process: own', '// tier: all, proces: own', '// process:'])
    t.throws(
      () => declared(name, wrong),
      { message: /^test\/api\/lists\.test\.ts, line 1: ".*" is unknown\. Write tier: / },
      wrong,
    );
});
