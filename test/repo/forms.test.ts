// process: own
/** The forms of the console are those of the schemas as they are. */
import fs from 'node:fs';
import t from 'tap';
import { formsFile, formsText } from './form-descriptions.ts';

t.test('they are committed as they are', async (t) => {
  t.equal(fs.readFileSync(formsFile, 'utf8'), formsText(), 'if not: npm run forms');
});
