// process: own
/** The committed files that are derived from the program equal what it makes now. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.ts';
import { generatedFiles } from './generated.ts';

for (const [name, textOf] of Object.entries(generatedFiles)) {
  t.test(`the committed ${name} is what the program makes`, async (t) => {
    const committed = fs.readFileSync(path.join(projectRoot(import.meta.dirname), name), 'utf8');
    t.ok(committed === textOf(), 'if not: npm run generate');
  });
}
