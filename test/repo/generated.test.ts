// process: own
/** The committed documents that are derived from declarations equal what the program makes now. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { documents } from '../../.ci/generate/documents.ts';
import { projectRoot } from '../support/project.ts';

for (const [name, textOf] of Object.entries(documents)) {
  t.test(`the committed ${name} is what the program makes`, async (t) => {
    const committed = fs.readFileSync(path.join(projectRoot(import.meta.dirname), name), 'utf8');
    t.ok(committed === textOf(committed), 'if not: npm run generate');
  });
}
