/** The client's types are those of the description of the API as it is. */
import fs from 'node:fs';
import t from 'tap';
import { compats, typesFile, typesText } from './client-types.ts';

for (const compat of compats) {
  t.test(`${compat}: they are committed as they are`, async (t) => {
    t.equal(fs.readFileSync(typesFile(compat), 'utf8'), typesText(compat), 'if not: npm run client');
  });
}
