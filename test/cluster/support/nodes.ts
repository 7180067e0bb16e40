/**
 * Nodes of a cluster as processes: `mapwright serve --cluster`, each on a data folder and a port that stay the same when it is started again.
 *
 *     const [a, b] = await startNodes(t, { cluster: url, count: 2 });
 *     await a.kill();
 *     await a.start();
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../support/ports.ts';
import { Command, type Finished, type RunOptions } from '../../support/process.ts';
import { watchedFolder } from '../../support/watched-folder.ts';

export interface NodeOptions {
  /** Of the databases: one for all nodes, or one for each, such as those of proxies. */
  readonly cluster: string | readonly string[];
  readonly count?: number;
  /**
   * Host of the address that the nodes give to each other, 127.0.0.1 by default. With 127.0.0.2 a proxy can listen there, on the port of a
   * node: `startProxy(t, node.port, { host: '127.0.0.2', port: node.port })`.
   */
  readonly advertiseHost?: string;
  readonly flags?: readonly string[];
  readonly run?: RunOptions;
}

export class ClusterNode {
  readonly #flags: readonly string[];
  readonly #run: RunOptions;
  #command: Command | undefined;
  #earlier = '';
  readonly port: number;
  readonly folder: string;

  /** @param folder working directory; the data is in `data` below it */
  constructor(folder: string, port: number, flags: readonly string[], run: RunOptions) {
    this.folder = folder;
    this.port = port;
    this.#flags = flags;
    this.#run = run;
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The running process. */
  get command(): Command {
    if (this.#command === undefined) throw new Error(`the node on port ${this.port} does not run`);
    return this.#command;
  }

  get isRunning(): boolean {
    return this.#command !== undefined;
  }

  /** What all of its processes have printed to both streams. */
  get output(): string {
    return this.#earlier + (this.#command === undefined ? '' : this.#command.stdout + this.#command.stderr);
  }

  /** The first key of a new cluster, which its first owner prints. Rejects when the process ends before. */
  async firstKey(): Promise<string> {
    return (await this.command.printed(/^ {2}(mw_\S+)$/m))[1] as string;
  }

  /** Starts it without waiting for anything that it prints. */
  spawn(): Command {
    if (this.isRunning) throw new Error(`the node on port ${this.port} runs already`);
    const args = ['serve', '--data', this.data, '--port', String(this.port), ...this.#flags];
    // The folder ends what works in it.
    const command = new Command(args, { ...this.#run, cwd: this.folder });
    this.#command = command;
    void command.ended.then(({ stdout, stderr }) => {
      this.#earlier += stdout + stderr;
      if (this.#command === command) this.#command = undefined;
    });
    return command;
  }

  /** Starts it and waits until it listens. It may still be without an owner. */
  async start(): Promise<void> {
    await this.spawn().printed(/^Listening on http:\S+/m);
  }

  /** Ends it in good order. */
  stop(): Promise<Finished> {
    return this.command.end('SIGTERM');
  }

  kill(): Promise<Finished> {
    return this.command.end('SIGKILL');
  }

  /** Stops it where it is: its connections stay open, and nothing answers. */
  pause(): void {
    this.command.child.kill('SIGSTOP');
  }

  resume(): void {
    this.command.child.kill('SIGCONT');
  }

  /** Asks until the node answers with this status. A connection that is refused counts as no answer. */
  async answers(route: string, status: number, waitMs = 20): Promise<void> {
    for (;;) {
      const found = await fetch(this.url + route).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => undefined,
      );
      if (found === status) return;
      if (!this.isRunning)
        throw new Error(`the node on port ${this.port} ended before ${route} answered ${status}:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Nodes that live until the test is over, or this process; none of them is started yet. */
export async function makeNodes(t: Pick<Test, 'teardown'>, options: NodeOptions): Promise<ClusterNode[]> {
  const { cluster, count = 1, advertiseHost = '127.0.0.1', flags = [], run = {} } = options;
  const scratch = watchedFolder();
  t.teardown(() => scratch.remove());
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const folder = path.join(scratch.path, `node-${at}`);
      fs.mkdirSync(folder);
      const port = await freePort();
      const url = typeof cluster === 'string' ? cluster : cluster[at % cluster.length];
      if (url === undefined) throw new Error('a node needs the URL of a database');
      return new ClusterNode(folder, port, ['--cluster', url, '--advertise', `http://${advertiseHost}:${port}`, ...flags], run);
    }),
  );
}

/** Makes nodes, and starts them one after another: the first of a new cluster owns it. */
export async function startNodes(t: Pick<Test, 'teardown'>, options: NodeOptions): Promise<ClusterNode[]> {
  const nodes = await makeNodes(t, options);
  for (const node of nodes) await node.start();
  return nodes;
}
