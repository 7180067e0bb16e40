/** `npm run generate`: writes the committed files that are derived from the program, and says which have changed. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project.ts';
import { generatedFiles } from './generated.ts';

const root = projectRoot(import.meta.dirname);
for (const [name, textOf] of Object.entries(generatedFiles)) {
  const [file, text] = [path.join(root, name), textOf()];
  const isSame = fs.readFileSync(file, 'utf8') === text;
  if (!isSame) fs.writeFileSync(file, text);
  console.log(`${isSame ? 'unchanged' : 'written  '}  ${name}`);
}
