/** A server with its data, its clients, and what they know: what every fault is done to. */
import path from 'node:path';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { type Finished, type RunOptions, run, type Served, serve } from '../support/process.ts';
import { until } from '../support/until.ts';
import { Workload } from '../support/workload.ts';
import { hold, type Scene } from './fault.ts';

/** Small segments and snapshots: there is always a rotation or a snapshot near. */
export const smallFlags = ['--segment-mb', '1', '--snapshot-mb', '1'];

export interface WorldOptions extends RunOptions {
  /** The data folder; `data` in the scene's folder. */
  readonly data?: string;
  readonly flags?: readonly string[];
}

export class World {
  readonly scene: Scene;
  readonly data: string;
  readonly flags: readonly string[];
  server: Served;
  readonly workload: Workload;

  private constructor(scene: Scene, data: string, flags: readonly string[], server: Served, workload: Workload) {
    this.scene = scene;
    this.data = data;
    this.flags = flags;
    this.server = server;
    this.workload = workload;
  }

  /** A server on a new folder, and clients that do not write yet. */
  static async begin(scene: Scene, options: WorldOptions = {}): Promise<World> {
    const { data = path.join(scene.folder, 'data'), flags = smallFlags } = options;
    scene.keep(data);
    const server = await serve(scene, data, flags, undefined, options);
    return new World(scene, data, flags, server, await Workload.on(server, scene.random));
  }

  get pid(): number {
    return this.server.child.pid as number;
  }

  /** Has the clients write until `count` more writes are acknowledged; they go on. */
  async write(count: number): Promise<void> {
    this.workload.start(this.server);
    await this.workload.more(count);
  }

  /** Waits until something is so, as long as the server lives. */
  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    let over: Finished | undefined;
    void this.server.ended.then((finished) => {
      over = finished;
    });
    await until(what, () => {
      if (over !== undefined) throw new Error(`the server ended (${over.code ?? over.signal}) before ${what}:\n${over.stderr}`);
      return isSo();
    });
  }

  /** Waits for the end of a server that cannot go on, and of its clients. */
  async ended(): Promise<Finished> {
    const finished = await this.server.ended;
    await this.workload.ended();
    return finished;
  }

  async kill(): Promise<void> {
    await this.server.end('SIGKILL');
    await this.workload.ended();
  }

  /** A server on what is there. */
  async start(options?: RunOptions): Promise<void> {
    this.server = await serve(this.scene, this.data, this.flags, this.server.key, options);
  }

  /** Everything acknowledged is there exactly, everything else whole or not at all, nothing that was read is gone. */
  async compare(): Promise<void> {
    const problems = await this.workload.compare(this.server);
    hold(problems.length === 0, problems.join('\n'));
  }

  /** Starts a server on what is there and compares. */
  async restart(options?: RunOptions): Promise<void> {
    await this.start(options);
    await this.compare();
  }

  /** Makes a snapshot; rejects when that fails. */
  async snapshot(): Promise<void> {
    await askServer(this.data, 'snapshot', {});
  }

  /** Clients paused, everything is compared once more; the server ends at a signal, and `verify` finds the folder sound. */
  async finish(): Promise<void> {
    await this.workload.pause();
    await this.compare();
    const { code, signal, stderr } = await this.server.end('SIGTERM');
    hold(code === 0, `after SIGTERM, the server exits with 0, not ${code ?? signal}:\n${stderr}`);
    await this.verify();
    await this.restart();
    await this.server.end('SIGTERM');
  }

  /** The folder is sound while no server runs. */
  async verify(): Promise<void> {
    const { code, stdout, stderr } = await run(['verify', '--data', this.data]);
    hold(code === 0 && stdout.includes('Sound'), `verify finds the folder sound:\n${stdout}${stderr}`);
  }
}
