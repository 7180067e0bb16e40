// process: own
/** The committed forms of the console equal those of the schemas. */
import fs from 'node:fs';
import t from 'tap';
import { formsFile, formsText } from './form-descriptions.ts';

t.test('the committed forms equal the generated ones', async (t) => {
  t.equal(fs.readFileSync(formsFile, 'utf8'), formsText(), 'if not: npm run forms');
});
