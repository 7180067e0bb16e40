/** A cluster on one machine: a primary with a synchronous standby, and two nodes. Everything but the load shares the core of the servers. */
import path from 'node:path';
import { startPostgres } from '../../test/cluster/support/postgres.ts';
import { freePort } from '../../test/support/ports.ts';
import { output, removeFolder, start, temporaryFolder } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';
import type { Api } from './api.ts';
import { startPeer } from './peers.ts';

export interface Cluster {
  /** The API of the node that owns the data. */
  readonly owner: Api;
  /** The API of a node that forwards to it. */
  readonly forwarding: Api;
  stop(): Promise<void>;
}

/** A synchronous pair of databases, and what ends it. */
async function startPair(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const ends: (() => unknown)[] = [];
  const { urls } = await startPostgres({ teardown: (end: () => unknown) => void ends.push(end) } as never);
  const stop = async (): Promise<void> => {
    for (const end of ends.reverse()) await end();
  };
  return { url: urls, stop };
}

/** @param program folder of the compiled program */
export async function startCluster(program: string): Promise<Cluster> {
  const pair = await startPair();
  const cli = path.join(program, 'bin', 'mapwright.js');
  await output([process.execPath, cli, 'cluster', 'init', '--cluster', pair.url]);
  const ends: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.reverse()) await end();
    await pair.stop();
  };
  try {
    const startNode = async () => {
      const data = temporaryFolder();
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const flags = ['--data', data, '--port', String(port), '--cluster', pair.url, '--advertise', url];
      const { process: running } = await start(
        onServerCore([process.execPath, cli, 'serve', ...flags]),
        /^Listening on (http:\S+)/m,
      );
      ends.push(async () => {
        await running.stop();
        removeFolder(data);
      });
      return { running, url: `${url}/api/v1` };
    };
    const owner = await startNode();
    const [key] = await owner.running.until(/\bmw_[\w-]+/);
    const follower = await startNode();
    const nothing = () => Promise.resolve();
    return {
      owner: { name: 'owner', url: owner.url, key, stop: nothing },
      forwarding: { name: 'forwarding node', url: follower.url, key, stop: nothing },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Fastify on a synchronous pair of its own. */
export async function startFastifyOnPair(): Promise<Api> {
  const pair = await startPair();
  try {
    const peer = await startPeer('postgres', pair.url);
    const stop = async (): Promise<void> => {
      await peer.stop();
      await pair.stop();
    };
    return { ...peer, name: 'Fastify + synchronous PostgreSQL pair', stop };
  } catch (error) {
    await pair.stop();
    throw error;
  }
}
