#!/usr/bin/env node
/** Entry point of the `mapwright` command: loads the program, with the compiled code of an earlier run if there is one. */
import { fileURLToPath } from 'node:url';
import { requireCached } from './code-cache.ts';
import { commandOutlines } from './command-outlines.ts';
import { checkDescriptors } from './descriptor-check.ts';

if (checkDescriptors()) {
  const [first = ''] = process.argv.slice(2);
  // Each command runs other parts of the program.
  const use = Object.hasOwn(commandOutlines, first) ? first : 'help';
  const file = fileURLToPath(new URL('./main.js', import.meta.url));
  void (requireCached(file, use) as typeof import('./main.ts')).main();
}
