/**
 * Power cuts on a real ext4: what was not synced is gone. A killed process alone never shows a missing sync, because the kernel still
 * writes what it left in the page cache.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { askServer } from '../../../src/server/admin/control-socket.ts';
import { ask } from '../../support/client.ts';
import { Command, serve } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { PowerDisk } from '../machine/disks.ts';
import { World } from '../world.ts';

const needs = ['root', 'ext4', 'perl'] as const;
const diskMib = 96;

/** Stops a process as it is, takes the power, and ends what is left of the process. */
export async function cutUnder(command: Command, disk: PowerDisk): Promise<void> {
  const pid = command.child.pid as number;
  command.child.kill('SIGSTOP');
  // Nothing may be answered after the cut that was not decided before it.
  await until('every thread stands still', () => command.child.exitCode !== null || isStopped(pid));
  disk.cut();
  await command.end('SIGKILL');
}

function isStopped(pid: number): boolean {
  return fs
    .readdirSync(`/proc/${pid}/task`)
    .every((thread) => /\) [TZ]/.test(fs.readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));
}

async function onDisk(scene: Scene, options?: string, flags?: readonly string[]): Promise<{ disk: PowerDisk; world: World }> {
  const disk = new PowerDisk(scene, 'disk', diskMib, options);
  const data = path.join(disk.folder, 'data');
  return { disk, world: await World.begin(scene, { data, ...(flags === undefined ? {} : { flags }) }) };
}

/** Cuts among writes, during snapshots and in recoveries. */
async function cuts(scene: Scene, options?: string): Promise<void> {
  const { disk, world } = await onDisk(scene, options);
  const done = { amongWrites: 0, inSnapshots: 0, inRecovery: 0 };
  const began = performance.now();
  await world.server.end('SIGTERM');
  await world.start();
  const startMs = performance.now() - began;
  for (let round = 0; round < scene.rounds; ) {
    await world.write(1 + scene.random(400));
    let isMakingSnapshot = false;
    if (round % 2 === 1) {
      isMakingSnapshot = true;
      const snapshot = world.snapshot().then(
        () => {
          isMakingSnapshot = false;
        },
        () => undefined,
      );
      await Promise.race([snapshot, setTimeout(scene.random(150))]);
    }
    await cutUnder(world.server, disk);
    await world.workload.ended();
    await disk.back();
    done[isMakingSnapshot ? 'inSnapshots' : 'amongWrites']++;
    round++;
    if (round % 3 === 2 && round < scene.rounds) {
      const restarting = new Command(['serve', '--data', world.data, '--port', '0', ...world.flags]);
      await setTimeout(startMs * (0.3 + scene.random(70) / 100));
      await cutUnder(restarting, disk);
      await disk.back();
      done.inRecovery++;
      round++;
    }
    await world.restart();
  }
  await world.finish();
  const { acknowledged } = world.workload;
  scene.note(
    `${acknowledged} acknowledged; cuts: ${Object.entries(done)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')}`,
  );
}

export const powerCuts: readonly Fault[] = [
  {
    name: 'power-cut',
    does: 'cuts the power of an ext4 disk during writes, snapshots, rotations and recoveries',
    holds: 'every acknowledged write is recovered, and no write in part',
    needs,
    rounds: { short: 5, long: 150 },
    run: (scene) => cuts(scene),
  },
  {
    name: 'power-cut-writeback',
    does: 'cuts the power as above with data=writeback, where a file may grow before its bytes are written',
    holds: 'every acknowledged write is recovered, and no write in part',
    needs,
    rounds: { short: 3, long: 50 },
    run: (scene) => cuts(scene, 'data=writeback'),
  },
  {
    name: 'power-cut-control',
    does: 'cuts the power while writes are acknowledged before a sync (--sync never)',
    holds: 'acknowledged writes are lost, which shows that the cut is real and that clients detect losses',
    needs,
    rounds: { short: 1, long: 5 },
    async run(scene) {
      let lost = 0;
      for (let round = 0; round < scene.rounds; round++) {
        const disk = new PowerDisk(scene, `disk-${round}`, diskMib);
        const flags = ['--segment-mb', '4', '--sync', 'never'];
        const world = await World.begin(scene, { data: path.join(disk.folder, 'data'), flags });
        // The folder and the key are on the disk; what comes now is not.
        await world.server.end('SIGTERM');
        await world.start();
        await world.write(200);
        await cutUnder(world.server, disk);
        await world.workload.ended();
        await disk.back();
        await world.start();
        if ((await world.workload.compare(world.server)).length > 0) lost++;
        await world.server.end('SIGKILL');
        await disk.remove();
      }
      hold(lost === scene.rounds, `each of ${scene.rounds} cuts loses acknowledged writes; ${lost} did`);
    },
  },
  {
    name: 'power-cut-first-start',
    does: 'cuts the power while a folder and its first key are created',
    holds: 'the next start succeeds, and a key that was printed is valid',
    needs,
    rounds: { short: 4, long: 60 },
    async run(scene) {
      let shown = 0;
      for (let round = 0; round < scene.rounds; round++) {
        const disk = new PowerDisk(scene, `disk-${round}`, diskMib);
        const data = path.join(disk.folder, 'deep', 'data');
        scene.keep(data);
        const command = new Command(['serve', '--data', data, '--port', '0', '--segment-mb', '1']);
        // One in four is cut as soon as the key is shown, the others at some moment before or after.
        if (round % 4 === 0) await command.printed(/^ {2}mw_\S+$/m);
        else await setTimeout(200 + scene.random(500));
        await cutUnder(command, disk);
        await disk.back();
        const key = /^ {2}(mw_\S+)$/m.exec(command.stdout)?.[1];
        // A key that was logged and not shown is never shown: nothing waits for one.
        const server = await serve(scene, data, ['--segment-mb', '1'], key ?? '');
        if (key !== undefined) {
          shown++;
          const { status } = await ask(server, 'GET', '/v1/projects');
          hold(status === 200, `the key that was shown is good after the cut (status ${status})`);
        }
        await server.end('SIGKILL');
        await disk.remove();
      }
      scene.note(`${shown} of ${scene.rounds} after the key was shown`);
    },
  },
  {
    name: 'power-cut-keys',
    does: 'cuts the power while keys are created and revoked',
    holds: 'a key that was returned is valid, and a key whose revocation was acknowledged is not',
    needs,
    rounds: { short: 2, long: 30 },
    async run(scene) {
      const { disk, world } = await onDisk(scene);
      const good = new Map<string, string>();
      const revoked = new Map<string, string>();
      let unsure = new Set<string>();
      const work = async () => {
        for (;;) {
          try {
            const made = await askServer(world.data, 'keys.create', { account: `account ${scene.random(5)}` });
            good.set(made.id, made.key);
            if (scene.random(2) === 0) continue;
            unsure.add(made.id);
            await askServer(world.data, 'keys.revoke', { id: made.id });
            unsure.delete(made.id);
            good.delete(made.id);
            revoked.set(made.id, made.key);
          } catch {
            return;
          }
        }
      };
      for (let round = 0; round < scene.rounds; round++) {
        unsure = new Set();
        world.workload.start(world.server);
        const workers = Array.from({ length: 4 }, work);
        await until('keys are made', () => good.size > 5 * (round + 1));
        await setTimeout(scene.random(100));
        await cutUnder(world.server, disk);
        await Promise.all([...workers, world.workload.ended()]);
        await disk.back();
        await world.restart();
        const statusOf = async (key: string) => (await ask({ url: world.server.url, key }, 'GET', '/v1/projects')).status;
        for (const [id, key] of good) hold(unsure.has(id) || (await statusOf(key)) === 200, `key ${id} is good`);
        for (const [id, key] of revoked) hold((await statusOf(key)) === 401, `key ${id} is revoked`);
        // What is unsure was found one way or the other, and is so from now on.
        for (const id of unsure) good.delete(id);
      }
      await world.finish();
      scene.note(`${good.size + revoked.size} keys, ${revoked.size} of them revoked`);
    },
  },
];
