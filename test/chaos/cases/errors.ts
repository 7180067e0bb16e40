/** Errors of the disk, handed to the server by a tracer in place of what the kernel says. */
import fs from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../src/lib/files/files.ts';
import { listSegments } from '../../../src/storage/wal/format/segment.ts';
import { readSegment } from '../../../src/storage/wal/read/read-segment.ts';
import { ask } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { PowerDisk } from '../machine/disks.ts';
import { Strace } from '../machine/strace.ts';
import { smallFlags, World } from '../world.ts';

/**
 * Has one call of each of the server's threads fail; the flusher's makes the process end. The power is cut right after, so that what
 * counts is what had reached the disk, and not what the page cache remembers.
 *
 * @param latest the call that fails is one of so many
 */
async function failing(scene: Scene, call: string, error: string, latest: number): Promise<void> {
  const disk = new PowerDisk(scene, 'disk', 96);
  const world = await World.begin(scene, { data: path.join(disk.folder, 'data') });
  for (let round = 0; round < scene.rounds; round++) {
    await world.write(20);
    const inject = `${call}:error=${error}:when=${1 + scene.random(latest)}`;
    const strace = await Strace.attach(scene, world.pid, call, inject);
    const { code, signal, stderr } = await world.ended();
    hold(code === 1, `after ${inject} the process exits with 1, not ${code ?? signal}:\n${stderr}`);
    hold(/the journal has failed.*nothing is acknowledged any more/.test(stderr), `it says why:\n${stderr}`);
    hold(strace.injected > 0, 'the call was made to fail');
    disk.cut();
    await disk.back();
    await world.restart();
  }
  await world.finish();
  scene.note(`${world.workload.acknowledged} acknowledged`);
}

const needs = ['root', 'ext4', 'perl', 'strace'] as const;
const holds = 'the process exits with 1 without another acknowledgement, and a restart has every acknowledged write';

export const errors: readonly Fault[] = [
  {
    name: 'failed-sync',
    does: 'makes one fdatasync of the journal fail with EIO; later ones would succeed',
    holds,
    needs,
    rounds: { short: 3, long: 60 },
    run: (scene) => failing(scene, 'fdatasync', 'EIO', 40),
  },
  {
    name: 'failed-write',
    does: 'makes one write of the journal fail with EIO',
    holds,
    needs,
    rounds: { short: 2, long: 40 },
    run: (scene) => failing(scene, 'pwrite64', 'EIO', 40),
  },
  {
    name: 'failed-folder-sync',
    does: 'makes the folder sync of a rotation fail',
    holds,
    needs,
    rounds: { short: 2, long: 40 },
    run: (scene) => failing(scene, 'fsync', 'EIO', 1),
  },
  {
    name: 'failed-rename',
    does: 'makes the rename of a rotation fail',
    holds,
    needs,
    rounds: { short: 1, long: 20 },
    run: (scene) => failing(scene, 'rename', 'EIO', 1),
  },
  {
    name: 'failed-snapshot',
    does: 'removes only the disk of the snapshots during a snapshot, and returns it',
    holds: 'requests go on, the failures are reported, and a later snapshot succeeds by itself',
    needs: ['root', 'ext4', 'perl'],
    rounds: { short: 1, long: 4 },
    async run(scene) {
      const disk = new PowerDisk(scene, 'disk', 64);
      const data = path.join(scene.folder, 'data');
      // The snapshots have a disk of their own, which is what many give them, and the journal is not on it.
      fs.mkdirSync(data, { mode: 0o700 });
      fs.symlinkSync(disk.folder, path.join(data, 'snapshots'));
      const world = await World.begin(scene, { data });
      const snapshots = () => fs.readdirSync(path.join(data, 'snapshots')).filter((name) => name.endsWith('.snapshot'));
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(300);
        await world.snapshot();
        const before = snapshots();
        disk.cut();
        const failed = await world.snapshot().then(
          () => false,
          () => true,
        );
        hold(failed, 'a snapshot without a disk fails');
        await world.workload.more(200);
        hold(/cannot write a snapshot; nothing is lost/.test(world.server.stderr), 'the log has it');
        await disk.back();
        // Nobody asks for this one.
        await until('a later snapshot', () => snapshots().some((name) => !before.includes(name)), 90_000);
        await world.workload.more(100);
        await world.kill();
        await world.restart();
      }
      await world.finish();
      scene.note(`${world.workload.acknowledged} acknowledged`);
    },
  },
  {
    name: 'slow-disk',
    does: 'delays every fdatasync by a second, and sends more writes than may wait',
    holds: 'batches grow, excess writes get 503 with Retry-After, other requests are answered, nothing is lost',
    needs: ['strace'],
    rounds: { short: 1, long: 5 },
    async run(scene) {
      const world = await World.begin(scene);
      for (let round = 0; round < scene.rounds; round++) await slow(world);
      await world.finish();
    },
  },
  {
    name: 'stalled-disk',
    does: 'freezes the file system during writes of one or eight clients; thaws it, or stops the server first',
    holds:
      'the event loop goes on, /readyz is 503, no request waits longer than --write-timeout, writes resume; the server stops in time; no acknowledged write is lost',
    needs: ['root', 'ext4', 'fsfreeze'],
    rounds: { short: 4, long: 40 },
    async run(scene) {
      const disk = new PowerDisk(scene, 'disk', 96);
      const flags = [...smallFlags, '--write-timeout', '2'];
      const world = await World.begin(scene, { data: path.join(disk.folder, 'data'), flags });
      for (let round = 0; round < scene.rounds; round++) {
        // Alone, or among eight, and either stopped or thawed: all four of them.
        await stalled(world, disk, { isAlone: round % 2 === 0, isStopped: round % 4 >= 2 });
      }
      await world.finish();
      scene.note(`${world.workload.acknowledged} acknowledged`);
    },
  },
];

async function stalled(
  world: World,
  disk: PowerDisk,
  { isAlone, isStopped }: { readonly isAlone: boolean; readonly isStopped: boolean },
): Promise<void> {
  await world.write(100);
  if (isAlone) await world.workload.pause();
  disk.freeze();
  try {
    const { server, workload, pid } = world;
    const lone = isAlone ? ask(server, 'POST', '/v1/projects', { name: 'lone' }) : undefined;
    hold((await ask(server, 'GET', '/healthz')).status === 200, 'the event loop turns');
    await world.until('it is not ready', async () => (await ask(server, 'GET', '/readyz')).json.status === 'stalled');
    const { status, text } = await ask(server, 'POST', '/v1/projects', { name: 'refused' });
    hold(status === 503 && text.includes('storage_stalled'), `a new write is refused, not ${status} ${text}`);
    if (lone !== undefined) hold((await lone).status === 503, 'a write that waits is answered');
    if (isStopped) {
      server.child.kill('SIGTERM');
      // A process of which a thread waits in the kernel is not gone before that thread is: all of the others are.
      await until('the server ends', () => !fs.existsSync(`/proc/${pid}/fd/0`), 30_000);
    }
    for (const writer of workload.writers) writer.stop();
    await workload.ended();
  } finally {
    disk.thaw();
  }
  if (isStopped) {
    const { signal } = await world.ended();
    hold(signal === 'SIGKILL', `it killed itself, and did not end by ${signal}`);
    await world.restart();
    return;
  }
  await world.until('it is ready', async () => (await ask(world.server, 'GET', '/readyz')).status === 200);
  // Writes of unknown outcome became durable or not: the clients read before they go on.
  await world.compare();
  await world.write(50);
  await world.kill();
  await world.restart();
}

const largeText = 'x'.repeat(60_000);
const largeCount = 64;

async function slow(world: World): Promise<void> {
  await world.write(50);
  const strace = await Strace.attach(world.scene, world.pid, 'fdatasync', 'fdatasync:delay_exit=1000000');
  await until('a sync is slow', () => strace.injected > 0);
  const order: string[] = [];
  const create = async (name: string) => {
    const answer = await ask(world.server, 'POST', '/v1/projects', { name });
    order.push('write');
    return answer;
  };
  const creating = Array.from({ length: largeCount }, (_, i) => create(`large ${i} ${largeText}`));
  hold((await ask(world.server, 'GET', '/healthz')).status === 200, 'it says that it lives');
  order.push('health');
  const answers = await Promise.all(creating);
  const made = answers.filter(({ status }) => status === 200);
  const busy = answers.filter(({ status, headers }) => status === 503 && headers['retry-after'] !== undefined);
  hold(made.length > 0 && busy.length > 0, `some of ${largeCount} large writes are taken, some are refused with Retry-After`);
  hold(made.length + busy.length === largeCount, 'there is no other answer');
  hold(order.indexOf('health') < order.lastIndexOf('write'), 'other requests do not wait for the disk');
  await strace.detach();
  const { records } = largestBatch(world.data);
  hold(records >= 8, `what waits for a sync shares the next; the largest batch has ${records} records`);
  await world.kill();
  await world.restart();
  for (const { json } of made) {
    const { status } = await ask(world.server, 'GET', `/v1/projects/${json.id}`);
    hold(status === 200, `the large project ${json.id} is there`);
  }
  world.scene.note(`${made.length} large writes taken, ${busy.length} refused for now, ${records} records in the largest batch`);
}

function largestBatch(data: string): { records: number } {
  const segments = listSegments(nodeFiles, path.join(data, 'journal')).map((file) => readSegment(nodeFiles, file));
  const frames = segments.flatMap((segment) => segment.frames.filter(({ type }) => type === 'batch'));
  return { records: Math.max(...frames.map(({ count }) => count)) };
}
