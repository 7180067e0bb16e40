/** System calls that fail or take their time, in a process that runs already. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Scene } from '../fault.ts';

export class Strace {
  readonly #file: string;
  readonly #stop: () => Promise<void>;

  private constructor(file: string, stop: () => Promise<void>) {
    this.#file = file;
    this.#stop = stop;
  }

  /**
   * Lays itself upon all threads of a process, those to come included.
   *
   * @param calls the calls that it looks at: `fdatasync`
   * @param inject what becomes of them: `fdatasync:error=EIO:when=3`, counted in each thread by itself; nothing when it is left out
   */
  static async attach(scene: Scene, pid: number, calls: string, inject?: string): Promise<Strace> {
    const file = path.join(scene.folder, `strace-${Date.now()}-${pid}`);
    const tampering = inject === undefined ? [] : ['-e', `inject=${inject}`];
    const child = spawn('strace', ['-f', '-p', String(pid), '-o', file, '-e', `trace=${calls}`, ...tampering], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    const stop = async () => {
      child.kill('SIGINT');
      await ended;
    };
    scene.teardown(stop);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    while (!said.includes(' attached')) {
      const over = await Promise.race([ended, once(child.stderr, 'data')]);
      if (child.exitCode !== null) throw new Error(`strace ended with ${over[0]}: ${said}`);
    }
    return new Strace(file, stop);
  }

  /** The trace so far, a line for each call: one that another thread interrupted is put together. */
  get lines(): string[] {
    const unfinished = new Map<string, string>();
    return fs
      .readFileSync(this.#file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const thread = line.split(' ', 1)[0] ?? '';
        const begun = /^(.*) <unfinished \.\.\.>$/.exec(line)?.[1];
        if (begun !== undefined) {
          unfinished.set(thread, begun);
          return [];
        }
        return [line.replace(/^\d+ +<\.\.\. \w+ resumed>/, () => unfinished.get(thread) ?? '')];
      });
  }

  /** How often it tampered. */
  get injected(): number {
    return this.lines.filter((line) => /\((INJECTED|DELAYED)\)/.test(line)).length;
  }

  /** Lets go of the process, which goes on. */
  detach(): Promise<void> {
    return this.#stop();
  }
}
