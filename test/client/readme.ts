/** The programs that the README shows of the client. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project.ts';

export function readmePrograms(): string[] {
  const readme = fs.readFileSync(path.join(projectRoot(import.meta.dirname), 'README.md'), 'utf8');
  const [, rest = ''] = readme.split('\n## The typed client\n');
  const [section = ''] = rest.split('\n## ');
  return Array.from(section.matchAll(/\n\n```ts\n([\s\S]*?)```/g), ([, program = '']) => program);
}
