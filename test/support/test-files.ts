/**
 * The test files, with what the first line of each declares. The runner reads it without running the file:
 *
 *     // tier: all, process: own
 *
 * - `tier: normal`: not in `npm run test:short`. The file explores states, histories or chance with code that other tests run too, or
 *   shows what does not depend on the version of Node.
 * - `tier: all`: only in `npm run test:all`. The file repeats another one in a second way, measures, or takes minutes.
 * - `process: own`: shares its process with no other file, since it changes the process (environment, signals, globals) or measures it.
 * - `process: first`: has its own process, which starts before the others, since it takes the longest.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type Tier, tiers } from './tier.ts';

const ending = '.test.ts';
const processes = ['shared', 'own', 'first'] as const;
/** Bytes of a file that hold its first line. */
const headBytes = 120;

export interface TestFile {
  /** Its path below `test`, without its ending, such as `api/lists`. */
  readonly name: string;
  /** The shortest tier that runs it. */
  readonly tier: Tier;
  readonly process: (typeof processes)[number];
}

/** The declaration in the first line of a file, if it is one. Throws when it has other words than those above. */
export function declared(name: string, text: string): TestFile {
  const file = { name, tier: 'short', process: 'shared' } as { -readonly [K in keyof TestFile]: TestFile[K] };
  const [line = ''] = text.split('\n');
  if (!/^\/\/ (tier|process):/.test(line)) return file;
  for (const part of line.slice('// '.length).split(', ')) {
    const [key, value] = part.split(': ');
    const tier = tiers.find((one) => key === 'tier' && one === value);
    const process = processes.find((one) => key === 'process' && one === value);
    if (tier === undefined && process === undefined)
      throw new Error(
        `test/${name}${ending}, line 1: "${part}" is unknown. Write tier: normal, tier: all, process: own or process: first, separated by commas.`,
      );
    if (tier !== undefined) file.tier = tier;
    if (process !== undefined) file.process = process;
  }
  return file;
}

function headOf(file: string): string {
  const fd = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes));
  } finally {
    fs.closeSync(fd);
  }
}

/** Every test file in the folder `test`, sorted by name. */
export function testFiles(folder: string): TestFile[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => declared(file.slice(0, -ending.length).split(path.sep).join('/'), headOf(path.join(folder, file))));
}
