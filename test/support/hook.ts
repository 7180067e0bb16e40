/** Code that a server runs before its own, in its main thread and in every other: how a fault gets in where no system call leads. */
import fs from 'node:fs';
import path from 'node:path';
import type { RunOptions } from './process.ts';

/**
 * What to run a server with, so that a module is loaded into all of its threads. Its threads are started without what NODE_OPTIONS says: in the
 * main thread, the module has every `Worker` that is made load it.
 *
 * @param folder where the module is to be
 * @param code of the module
 * @param nodeOptions further options of Node
 */
export function hooked(folder: string, name: string, code: string, ...nodeOptions: readonly string[]): RunOptions {
  const [hook, main] = [path.join(folder, `${name}.mjs`), path.join(folder, `${name}-main.mjs`)];
  fs.writeFileSync(hook, code);
  fs.writeFileSync(
    main,
    `import ${JSON.stringify(hook)};
import { createRequire, syncBuiltinESMExports } from 'node:module';
const threads = createRequire(import.meta.url)('node:worker_threads');
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(file, { execArgv = [], ...options } = {}) {
    super(file, { ...options, execArgv: [...execArgv, ${JSON.stringify(`--import=${hook}`)}] });
  }
};
syncBuiltinESMExports();
`,
  );
  return { env: { NODE_OPTIONS: [`--import=${main}`, ...nodeOptions].join(' ') } };
}
