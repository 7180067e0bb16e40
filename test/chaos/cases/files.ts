/** Kills and power cuts during uploads of files, versions, restores and deletions. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createServer } from '../../../src/index.ts';
import { askServer } from '../../../src/server/admin/control-socket.ts';
import { isDigest } from '../../../src/storage/blobs/blob-path.ts';
import { type Served, serve } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { FileClient } from '../file-client.ts';
import { PowerDisk } from '../machine/disks.ts';
import { smallFlags } from '../world.ts';
import { cutUnder } from './power-cuts.ts';

const clientCount = 3;
const hourMs = 60 * 60 * 1000;
/** After the start of a server, what nothing needs has been found by then. */
const foundMs = 3000;

interface Ending {
  readonly data: string;
  /** Ends the server at this moment; the data is what a machine finds afterwards. */
  end(server: Served): Promise<void>;
}

/** Ends servers at random moments, a third of the times while a snapshot is made. */
async function endRepeatedly(scene: Scene, { data, end }: Ending): Promise<void> {
  scene.keep(data);
  let server = await serve(scene, data, smallFlags);
  const clients: FileClient[] = [];
  for (let i = 0; i < clientCount; i++) clients.push(await FileClient.on(server, scene.random));
  const acknowledged = (): number => clients.reduce((sum, client) => sum + client.acknowledged, 0);
  for (let round = 0; round < scene.rounds; round++) {
    const running = server;
    let isOver = false;
    const working = clients.map((client) => client.work(running, () => isOver));
    const before = acknowledged();
    await until('requests are acknowledged', () => acknowledged() >= before + 2 * clientCount);
    await setTimeout(scene.random(400));
    if (round % 3 === 0) void askServer(data, 'snapshot', {}).catch(() => undefined);
    await setTimeout(scene.random(60));
    await end(server);
    isOver = true;
    await Promise.all(working);
    server = await serve(scene, data, smallFlags, server.key);
    for (const client of clients) await client.compare(server);
  }
  await server.end('SIGTERM');
  const { blobs, garbage } = await garbageIn(data, server.key, clients);
  hold(garbage.length === 0, `${garbage.length} of ${blobs} blobs are garbage: ${garbage.join(', ')}`);
  scene.note(`${acknowledged()} acknowledged, 0 lost, 0 wrong; ${blobs} blobs, no garbage after two snapshots`);
}

/** Makes two snapshots, a day apart, and compares what is on the disk with what is needed. */
async function garbageIn(
  data: string,
  key: string,
  clients: readonly FileClient[],
): Promise<{ blobs: number; garbage: string[] }> {
  let now = Date.now();
  const log = { info() {}, warn() {}, error() {} };
  const server = await createServer({ data, segmentBytes: 1024 * 1024, snapshotPauseMs: 0, clock: () => now, log });
  try {
    const { port } = await server.listen(0);
    const asked = { url: `http://127.0.0.1:${port}`, key };
    // The day for which it is kept begins then.
    await setTimeout(foundMs);
    for (let i = 0; i < 2; i++) {
      // A record, so that there is something new.
      await server.createKey(`day ${i}`);
      await server.snapshot();
      now += 25 * hourMs;
    }
    const needed = new Set<string>();
    for (const client of clients) {
      await client.compare(asked);
      for (const digest of await client.digests(asked)) needed.add(digest);
    }
    let present: string[] = [];
    const garbage = (): string[] => present.filter((name) => !needed.has(name));
    // A snapshot does not wait for the deletions that follow it.
    await until('what nothing needs is deleted', () => {
      present = blobsIn(data);
      return garbage().length === 0;
    }).catch(() => undefined);
    for (const digest of needed) hold(present.includes(digest), `the blob ${digest} is there`);
    return { blobs: present.length, garbage: garbage() };
  } finally {
    await server.close();
  }
}

function blobsIn(data: string): string[] {
  const entries = fs.readdirSync(path.join(data, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.map(({ name }) => name).filter(isDigest);
}

export const files: readonly Fault[] = [
  {
    name: 'file-kill',
    does: 'sends SIGKILL repeatedly during uploads, versions, restores, deletions and snapshots',
    holds: 'every acknowledged file and version is there with its bytes, and two snapshots later there is no garbage',
    needs: [],
    rounds: { short: 5, long: 200 },
    run: (scene) =>
      endRepeatedly(scene, {
        data: path.join(scene.folder, 'data'),
        end: async (server) => void (await server.end('SIGKILL')),
      }),
  },
  {
    name: 'file-power-cut',
    does: 'cuts the power of an ext4 disk during uploads, versions, restores, deletions and snapshots',
    holds: 'every acknowledged file and version is there with its bytes, and two snapshots later there is no garbage',
    needs: ['root', 'ext4', 'perl'],
    rounds: { short: 3, long: 100 },
    run: async (scene) => {
      const disk = new PowerDisk(scene, 'disk', 256);
      await endRepeatedly(scene, {
        data: path.join(disk.folder, 'data'),
        end: async (server) => {
          await cutUnder(server, disk);
          await disk.back();
        },
      });
    },
  },
];
