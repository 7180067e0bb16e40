/** Deletes what was compiled from files that are gone: compiling again leaves it. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project.ts';

const root = projectRoot(import.meta.dirname);
const compiled = path.join(import.meta.dirname, '..', '..');
const outputs = /\.(js|js\.map|d\.ts|d\.ts\.map)$/;

for (const folder of ['.ci', 'src', 'test', 'bench']) {
  for (const name of fs.readdirSync(path.join(compiled, folder), { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    const source = path.join(root, file.replace(outputs, ''));
    if (outputs.test(file) && !fs.existsSync(`${source}.ts`) && !fs.existsSync(`${source}.js`))
      fs.rmSync(path.join(compiled, file));
  }
}
