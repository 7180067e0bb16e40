/** Disks without room, by bytes and by names, and writes that the kernel cuts short. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { preallocateStepBytes } from '../../../src/storage/wal/write/preallocate.ts';
import { ask } from '../../support/client.ts';
import { Command } from '../../support/process.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { must, smallDisk } from '../machine/disks.ts';
import { Strace } from '../machine/strace.ts';
import { World } from '../world.ts';

const kibibyte = 1024;

/** Takes what is left of a disk; the result gives it back. */
type Fill = (disk: string, scene: Scene) => () => void;

/** All but a part of a step: the next large write is cut short before it fails. */
const byBytes: Fill = (disk, scene) => {
  const file = path.join(disk, 'filler');
  const left = scene.random(200) * kibibyte;
  const fd = fs.openSync(file, 'w');
  const block = Buffer.alloc(4 * kibibyte);
  try {
    for (;;) fs.writeSync(fd, block);
  } catch (error) {
    hold((error as NodeJS.ErrnoException).code === 'ENOSPC', `the disk is full (${String(error)})`);
  }
  fs.ftruncateSync(fd, Math.max(0, fs.fstatSync(fd).size - left));
  fs.closeSync(fd);
  return () => fs.unlinkSync(file);
};

const byNames: Fill = (disk) => {
  const folder = path.join(disk, 'names');
  fs.mkdirSync(folder);
  try {
    for (let i = 0; ; i++) fs.closeSync(fs.openSync(path.join(folder, `${i}`), 'wx'));
  } catch (error) {
    hold((error as NodeJS.ErrnoException).code === 'ENOSPC', `there are no names left (${String(error)})`);
  }
  return () => fs.rmSync(folder, { recursive: true });
};

async function full(scene: Scene, disk: string, fill: Fill): Promise<void> {
  const world = await World.begin(scene, { data: path.join(disk, 'data') });
  for (let round = 0; round < scene.rounds; round++) {
    await world.write(100);
    const empty = fill(disk, scene);
    await untouched(world, await refusing(world));
    // Once more after a kill, and a start that finds no room either.
    world.workload.start(world.server);
    await setTimeout(scene.random(300));
    await world.kill();
    await world.restart();
    world.workload.start(world.server);
    await untouched(world, await refusing(world));
    world.workload.start(world.server);
    empty();
    // Nobody restarts it: writes come back by themselves.
    await world.workload.more(100);
    await world.workload.pause();
    await world.compare();
    await world.snapshot();
  }
  await world.finish();
  scene.note(`${world.workload.acknowledged} acknowledged, ${world.workload.refused(507)} refused with 507`);
}

/** How often a server could delete a part of its log, by what it says: after a snapshot, or because there is no room for another one. */
const freed = ({ stderr }: World['server']): number => stderr.split(/snapshot written|deleting the one before it/).length - 1;

/** Waits until all that had room is written. Returns how often the server had freed itself of its log before. */
async function refusing(world: World): Promise<number> {
  const { workload, server } = world;
  const freedBefore = freed(server);
  const each = () => workload.writers.map(({ refused }) => refused[507]);
  const before = each();
  await world.until('every client is refused', () => each().every((count, i) => count > (before[i] as number) + 3));
  return freedBefore;
}

/**
 * A refusal has changed nothing, reads go on, and a snapshot fails without harm. A write is accepted only where the server has freed itself of its
 * log since, once more than `freedBefore`.
 */
async function untouched(world: World, freedBefore: number): Promise<void> {
  const { workload, server, data } = world;
  await workload.pause();
  await world.compare();
  const { status, json } = await ask(server, 'POST', '/v1/projects', { name: 'x'.repeat(30_000) });
  const isFreed = status === 200 && freed(server) > freedBefore;
  hold(
    isFreed || (status === 507 && json.code === 'insufficient_storage'),
    `a write is refused with 507 and a document, not ${status}`,
  );
  hold((await ask(server, 'GET', '/readyz')).status === 200, 'it is ready: there is much to read');
  const isMade = await world.snapshot().then(
    () => true,
    () => false,
  );
  const left = fs.readdirSync(path.join(data, 'snapshots')).filter((name) => name.endsWith('.tmp'));
  hold(left.length === 0, `a snapshot leaves no temporary file, whether it found room (${isMade}) or not: ${left}`);
  await world.compare();
}

export const fullDisks: readonly Fault[] = [
  {
    name: 'disk-full',
    does: 'fills the disk during writes of eight clients, kills the server, starts it on the full disk, then frees space',
    holds: 'writes get 507 and change nothing, reads go on, writes resume by themselves, a snapshot without room does no harm',
    needs: ['root', 'tmpfs'],
    rounds: { short: 2, long: 20 },
    run: (scene) => full(scene, smallDisk(scene, 'disk', 24), byBytes),
  },
  {
    name: 'disk-full-of-names',
    does: 'exhausts the inodes of the disk in the same way',
    holds: 'writes get 507 and change nothing, reads go on, writes resume by themselves',
    needs: ['root', 'tmpfs'],
    rounds: { short: 1, long: 20 },
    run: (scene) => full(scene, smallDisk(scene, 'disk', 64, 320), byNames),
  },
  {
    name: 'short-write',
    does: 'lowers the limit of the file size of a running server, so that a frame of the journal is written in part',
    holds: 'the process exits with 1, and a restart truncates the part and has every acknowledged write',
    needs: ['prlimit', 'strace'],
    rounds: { short: 2, long: 40 },
    async run(scene) {
      const world = await World.begin(scene);
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(20);
        const strace = await Strace.attach(scene, world.pid, 'pwrite64');
        // Where a frame may begin, and in the middle of a sector that one may cross.
        const bytes = 300 * kibibyte + scene.random(400 * kibibyte);
        must('prlimit', '--pid', String(world.pid), `--fsize=${bytes}`);
        const { code, signal, stderr } = await world.ended();
        hold(code === 1, `the process exits with 1, not ${code ?? signal}:\n${stderr}`);
        hold(/the journal has failed/.test(stderr), `it says why:\n${stderr}`);
        const short = strace.lines.filter(isShort);
        hold(short.length > 0, 'a frame was written in part');
        await world.restart();
      }
      await world.finish();
    },
  },
  {
    name: 'file-size-limit',
    does: 'starts a server that may not create a file as large as a segment',
    holds: 'reads are served, writes get 507, and the folder stays sound',
    needs: ['prlimit'],
    rounds: { short: 1, long: 10 },
    async run(scene) {
      const world = await World.begin(scene);
      const under = ['prlimit', `--fsize=${512 * kibibyte}`];
      const fresh = path.join(scene.folder, 'fresh');
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(100);
        await world.kill();
        await world.restart({ under });
        const { status } = await ask(world.server, 'POST', '/v1/projects', {});
        hold(status === 507, `a write is refused with 507, not ${status}`);
        await world.compare();
        await world.kill();
        await world.restart();
        const first = await new Command(['serve', '--data', fresh, '--port', '0', ...world.flags], { under }).ended;
        hold(first.code === 1, `a new folder cannot be made: exit 1, not ${first.code}`);
        hold(/file too large/i.test(first.stderr), `it says why:\n${first.stderr}`);
      }
      await world.finish();
    },
  },
];

/** Whether a line of the trace is of a frame that was written in part; a spare is made in larger steps. */
function isShort(line: string): boolean {
  const [, asked, done] = /, (\d+), \d+\) += (\d+)/.exec(line) ?? [];
  return asked !== undefined && Number(asked) < preallocateStepBytes && Number(done) < Number(asked);
}
