/** Processes of a bench: started, waited for until they are ready, and gone when the bench is, however it ends. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

const running = new Set<ChildProcess>();
const folders = new Set<string>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed with {@link removeFolder}, or else when this process ends. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-bench-'));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

let cacheFolder: string | undefined;

/**
 * The environment that a child needs: no hooks of a test runner, no options of other programs. Caches are those of this run: how fast a
 * program starts depends on the run that compiled its code, and on what that run did.
 */
function environment(): Readonly<Record<string, string>> {
  cacheFolder ??= temporaryFolder();
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', XDG_CACHE_HOME: cacheFolder, LC_ALL: 'C' };
}

export interface StartOptions {
  readonly cwd?: string;
  /** Written to its standard input, which is then closed; by default there is none. */
  readonly input?: string;
  /** Added to the little that it is given of this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A process that runs until it is stopped. */
export class Running {
  readonly pid: number;
  /** All that it has printed, on either stream. */
  printed = '';
  readonly #child: ChildProcess;
  readonly #command: string;
  #ended = false;

  constructor(command: readonly string[], { cwd = os.tmpdir(), input, env = {} }: StartOptions) {
    const [program = '', ...args] = command;
    this.#command = path.basename(program);
    this.#child = spawn(program, args, {
      cwd,
      env: { ...environment(), ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.pid = this.#child.pid ?? 0;
    running.add(this.#child);
    this.#child.once('close', () => {
      this.#ended = true;
      running.delete(this.#child);
    });
    for (const stream of [this.#child.stdout, this.#child.stderr] as Readable[]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.printed += text;
      });
    }
    this.#child.stdin?.on('error', () => undefined).end(input); // one that ended early says so itself
  }

  /** Waits until it has printed something like that. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.printed);
        if (match !== null) resolve(match);
      };
      this.#child.stdout?.on('data', look);
      this.#child.stderr?.on('data', look);
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) =>
        reject(new Error(`${this.#command} ended (${code ?? signal}) before it printed ${pattern}:\n${this.printed}`)),
      );
      look();
    });
  }

  /** Asks it to end and waits until it has. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ended) {
        resolve();
        return;
      }
      this.#child.once('close', () => resolve());
      this.#child.kill(signal);
    });
  }
}

/** Starts a process and waits until it has printed `ready`. */
export async function start(
  command: readonly string[],
  ready: RegExp,
  options: StartOptions = {},
): Promise<{ process: Running; match: RegExpExecArray }> {
  const process = new Running(command, options);
  return { process, match: await process.until(ready) };
}

/** Runs a process to its end; what it printed on its standard output. Rejects when it failed, with what it said. */
export function output(command: readonly string[], { cwd = os.tmpdir(), input, env = {} }: StartOptions = {}): Promise<string> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...environment(), ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    running.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      if (code === 0) resolve(stdout);
      else reject(new Error(`${command.slice(0, 4).join(' ')} failed (${code ?? signal}):\n${stderr}${stdout}`));
    });
    child.stdin.on('error', () => undefined).end(input); // one that ended early says so itself
  });
}

/** Whether a program is installed. */
export const installed = (program: string): boolean => spawnSync('which', [program]).status === 0;
