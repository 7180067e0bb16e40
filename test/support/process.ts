/** The `mapwright` command as a child process, on folders of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';
import { type Asked, ask, type Json } from './client.ts';
import { tier } from './tier.ts';

/** The command as users run it, in one file, where that was made; otherwise the one compiled beside this, which takes twice as long to start. */
const compiled = path.join(import.meta.dirname, '..', '..');
const bundle = path.join(compiled, 'bin', 'mapwright.js');
export const cli = fs.existsSync(bundle) ? bundle : path.join(compiled, 'src', 'cli', 'mapwright.js');

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A command that is to run this one and become it, such as `prlimit --nofile=40`. */
  readonly under?: readonly string[];
  /** A descriptor that it prints to; by default it is read here. */
  readonly stdout?: number;
  /** The file of the command when it is not the one compiled beside this. */
  readonly file?: string;
}

/** Whether a command line runs until a signal, or ends its process itself, as the parser does after a help text. */
const needsOwnProcess = (args: readonly string[]): boolean =>
  args.length === 0 || ['serve', 'demo'].includes(args[0] ?? '') || args.some((arg) => ['--help', '--version'].includes(arg));

const { PATH = '', HOME = '' } = process.env;
/** The environment that a program needs, without variables for other programs. */
export const surroundings = { PATH, HOME };

/** A folder that goes when the test is over. */
export function temporaryFolder(t: Pick<Test, 'teardown'>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-'));
  t.teardown(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A running command: everything it has printed, and how it ended. */
export class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
  stdout = '';
  stderr = '';
  #look: () => void = () => undefined;

  constructor(args: readonly string[], { env = {}, cwd = os.tmpdir(), under = [], file = cli, stdout }: RunOptions = {}) {
    const [program = '', ...words] = [...under, process.execPath, file, ...args];
    this.child = spawn(program, words, {
      cwd,
      env: { ...surroundings, ...env },
      stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this[name] += text;
        this.#look();
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
        this.#look();
      });
    });
  }

  /** Waits until it has printed something; rejects when it ends first. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      const over = await Promise.race([
        this.ended,
        new Promise<undefined>((resolve) => {
          this.#look = () => resolve(undefined);
        }),
      ]);
      if (over !== undefined && pattern.exec(this.stdout) === null) {
        throw new Error(`ended (${over.code ?? over.signal}) before it printed ${pattern}:\n${this.stdout}${this.stderr}`);
      }
    }
  }

  async end(signal: NodeJS.Signals): Promise<Finished> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Runs a command to its end: in this process, or in a process of its own in `npm run test:all`, and where it needs one. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { env = {}, cwd = os.tmpdir(), under, file, stdout } = options;
  const needsProcess =
    'NODE_OPTIONS' in env || under !== undefined || file !== undefined || stdout !== undefined || needsOwnProcess(args);
  if (tier === 'all' || needsProcess) return runAlone(args, options);
  const { runHere } = await import('./command-here.ts');
  return { ...(await runHere(args, { ...surroundings, ...env }, cwd)), signal: null };
}

/** Runs a command to its end in a process of its own, as a shell does. */
export function runAlone(args: readonly string[], options?: RunOptions): Promise<Finished> {
  return new Command(args, options).ended;
}

export interface Served extends Command {
  readonly url: string;
  /** The key of a first start; the one handed in otherwise. */
  readonly key: string;
}

/** Starts a server on a folder and waits until it listens. Killed, if need be, when the test is over. */
export async function serve(
  t: Pick<Test, 'teardown'>,
  folder: string,
  flags: readonly string[] = [],
  key?: string,
  options?: RunOptions,
): Promise<Served> {
  const command = new Command(['serve', '--data', folder, '--port', '0', ...flags], options);
  t.teardown(() => command.end('SIGKILL'));
  const url = (await command.printed(/^Listening on (http:\S+),/m))[1] as string;
  const shown = key ?? ((await command.printed(/^ {2}(mw_\S+)$/m))[1] as string);
  return Object.assign(command, { url, key: shown });
}

/** One request to a served API that must succeed; its JSON. */
export async function must(server: Asked, method: string, route: string, body?: unknown): Promise<Json> {
  const { status, json, text } = await ask(server, method, `/v1${route}`, body);
  if (status !== 200 && status !== 204) throw new Error(`${method} ${route}: ${status} ${text}`);
  return json;
}
