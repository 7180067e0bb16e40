/** The client's types are those of the description of the API as it is. */
import fs from 'node:fs';
import t from 'tap';
import { typesFile, typesText } from './client-types.ts';

t.test('they are committed as they are', async (t) => {
  t.equal(fs.readFileSync(typesFile, 'utf8'), typesText(), 'if not: npm run client');
});
