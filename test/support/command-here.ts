/**
 * The `mapwright` command in this process. Another process takes half a second of processor time to load the program, more than most
 * commands. The asynchronous context of the command separates its output from that of the tests.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { executeCommandLine } from '../../src/cli/main.ts';

/** Whole pieces, since one may end within a character. */
interface Printed {
  readonly stdout: Buffer[];
  readonly stderr: Buffer[];
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

const current = new AsyncLocalStorage<Printed>();

for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]): boolean => {
    const printed = current.getStore();
    if (printed === undefined) return write(...args);
    const [chunk] = args;
    printed[name].push(Buffer.from(chunk as string | Uint8Array<ArrayBuffer>));
    const done = args.at(-1);
    if (typeof done === 'function') setImmediate(done as () => void);
    return true;
  };
}

/** Environment, folder and exit code are those of the process: one command at a time. */
let before: Promise<unknown> = Promise.resolve();

/** Runs a command line to its end, without a terminal. */
export function runHere(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Ended> {
  const ended = before.then(() => execute(args, env, cwd));
  before = ended.catch(() => undefined);
  return ended;
}

async function execute(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Ended> {
  const printed: Printed = { stdout: [], stderr: [] };
  const { exitCode } = process;
  const formerEnv = { ...process.env };
  const [formerFolder, formerTty] = [process.cwd(), process.stderr.isTTY];
  setEnvironment(env);
  process.chdir(cwd);
  process.exitCode = undefined;
  process.stderr.isTTY = false;
  try {
    await current.run(printed, () => executeCommandLine(args));
    const [stdout, stderr] = [printed.stdout, printed.stderr].map((pieces) => Buffer.concat(pieces).toString()) as [
      string,
      string,
    ];
    return { stdout, stderr, code: Number(process.exitCode ?? 0) };
  } finally {
    setEnvironment(formerEnv);
    process.chdir(formerFolder);
    process.exitCode = exitCode;
    process.stderr.isTTY = formerTty;
  }
}

/** Libraries hold the object itself, so its members are replaced. */
function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}
