/** A disk that stops answering: syncs of the log block in the kernel, where nothing but the disk ends them, until the test lets them go on. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hooked } from './hook.ts';
import type { RunOptions } from './process.ts';

export interface StallableDisk {
  /** What a server is run with that has this disk. */
  readonly run: RunOptions;
  /** Gives it to the servers of this process that are made from now on. */
  here(): Promise<void>;
  /** From now on syncs do not return. */
  stall(): void;
  /** Those that wait return, and so do all that come. */
  answer(): void;
}

/** Reads that may be released at once: more than there are threads. */
const releases = 64;

export function stallableDisk(folder: string): StallableDisk {
  const [pipe, stalled] = [path.join(folder, 'pipe'), path.join(folder, 'stalled')];
  execFileSync('mkfifo', [pipe]);
  // Keeps what was written for those that come too late to be there when it is.
  const held = fs.openSync(pipe, 'r+');
  const run = hooked(
    folder,
    'stall',
    `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { fdatasyncSync, existsSync, openSync, readSync, closeSync } = fs;
fs.fdatasyncSync = (fd) => {
  if (existsSync(${JSON.stringify(stalled)})) {
    const pipe = openSync(${JSON.stringify(pipe)}, 'r+');
    readSync(pipe, Buffer.alloc(1));
    closeSync(pipe);
  }
  return fdatasyncSync(fd);
};
syncBuiltinESMExports();
`,
  );
  return {
    run,
    here: async () => void (await import(path.join(folder, 'stall-main.mjs'))),
    stall: () => fs.writeFileSync(stalled, ''),
    answer() {
      fs.rmSync(stalled, { force: true });
      fs.writeSync(held, Buffer.alloc(releases));
    },
  };
}
