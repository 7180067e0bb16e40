/** The committed types of the client equal those of the OpenAPI description. */
import fs from 'node:fs';
import t from 'tap';
import { typesFile, typesText } from './client-types.ts';

t.test('the committed client types equal the generated ones', async (t) => {
  t.equal(fs.readFileSync(typesFile, 'utf8'), typesText(), 'if not: npm run client');
});
