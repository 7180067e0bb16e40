/** Threads that die, and memory that runs out. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Finished, RunOptions } from '../../support/process.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { Hook } from '../machine/hook.ts';
import { World } from '../world.ts';

/** Dies in the thread and in the way that the orders name, at a file operation: `snapshot heap`. */
const dying = `import { isMainThread } from 'node:worker_threads';
if (!isMainThread) {
  let role = '';
  const ways = {
    exit: () => process.exit(0),
    throw: () => { throw new Error('made up'); },
    heap: () => { for (const all = []; ; ) all.push(new Array(10_000).fill(all.length)); },
  };
  const maybe = () => {
    const [thread, way] = orders().split(' ');
    if (thread === role && role !== '') ways[way]();
  };
  const { openSync, fdatasyncSync } = fs;
  fs.openSync = (file, ...rest) => {
    if ((rest[0] & fs.constants.O_RDWR) !== 0 && String(file).endsWith('.segment')) role = 'flusher';
    const made = rest[0] === 'wx+' ? String(file) : '';
    if (made.endsWith('.snapshot.tmp')) role = 'snapshot';
    else if (made.includes('/blobs/')) role = 'blobs';
    else if (made !== '') role = 'spare';
    return openSync(file, ...rest);
  };
  fs.fdatasyncSync = (fd) => {
    maybe();
    fdatasyncSync(fd);
  };
}
`;
const ways = ['exit', 'throw', 'heap'] as const;
/** Of every thread, in MiB: enough for a server, and soon used up. */
const heapMib = 128;
/** Less of it, to be outgrown. */
const smallHeapMib = 64;

async function dyingWorld(scene: Scene): Promise<{ hook: Hook; world: World }> {
  const hook = new Hook(scene, 'dying', dying, `--max-old-space-size=${heapMib}`);
  return { hook, world: await World.begin(scene, hook.options) };
}

/** Takes memory that no budget knows of, in the way that the orders name: of the heap, or beside it. */
const leaking = `import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  const all = [];
  setInterval(() => {
    const what = orders();
    if (what === 'heap') for (;;) all.push(new Array(10_000).fill(all.length));
    if (what === 'buffers') all.push(Buffer.alloc(4 * 1024 * 1024, 1));
  }, 5).unref();
}
`;

/** Leaks beside what the clients write, until the server is gone; then all of it must be there. */
async function leak(world: World, hook: Hook, what: 'heap' | 'buffers'): Promise<Finished> {
  hook.order(what);
  const finished = await world.ended();
  hook.order('');
  await world.restart({});
  world.scene.note(`${world.workload.acknowledged} writes acknowledged`);
  return finished;
}

/** Starts a server that may use so much memory, whatever for. */
function underMemoryLimit(scene: Scene, mib: number): RunOptions {
  const group = path.join('/sys/fs/cgroup', path.basename(scene.folder));
  fs.mkdirSync(group);
  scene.teardown(() => spawnSync('rmdir', [group]));
  fs.writeFileSync(path.join(group, 'memory.max'), String(mib * 1024 * 1024));
  const swap = path.join(group, 'memory.swap.max');
  if (fs.existsSync(swap)) fs.writeFileSync(swap, '0');
  return { under: ['sh', '-c', `echo $$ > ${path.join(group, 'cgroup.procs')}; exec "$@"`, 'sh'] };
}

export const threads: readonly Fault[] = [
  {
    name: 'flusher-dies',
    does: 'ends the thread that writes the log: by an exit, an exception, or a full heap',
    holds: 'the process exits with 1, and a restart has every acknowledged write',
    needs: [],
    rounds: { short: 3, long: 30 },
    async run(scene) {
      const { hook, world } = await dyingWorld(scene);
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(50);
        hook.order(`flusher ${ways[round % ways.length]}`);
        const { code, signal, stderr } = await world.ended();
        hook.order('');
        hold(code === 1, `the process exits with 1, not ${code ?? signal}:\n${stderr}`);
        hold(/the journal has failed/.test(stderr), `it says why:\n${stderr}`);
        await world.restart(hook.options);
      }
      await world.finish();
    },
  },
  {
    name: 'snapshot-thread-dies',
    does: 'ends the thread that makes snapshots, in the same ways',
    holds: 'only the snapshot fails, and the next one succeeds',
    needs: [],
    rounds: { short: 3, long: 30 },
    async run(scene) {
      const { hook, world } = await dyingWorld(scene);
      await world.write(50);
      for (let round = 0; round < scene.rounds; round++) {
        hook.order(`snapshot ${ways[round % ways.length]}`);
        const failures = () => world.server.stderr.split('cannot write a snapshot; nothing is lost').length;
        const before = failures();
        const failed = await world.snapshot().then(
          () => false,
          () => true,
        );
        hold(failed, 'the snapshot fails');
        hold(failures() > before, 'the log has it');
        hook.order('');
        await world.workload.more(50);
        await world.snapshot();
        await world.workload.more(50);
      }
      await world.finish();
    },
  },
  {
    name: 'spare-dies',
    does: 'ends the thread that makes the next segment, in the same ways',
    holds: 'writes are refused when the segment is full, and resume by themselves',
    needs: [],
    rounds: { short: 1, long: 15 },
    async run(scene) {
      const { hook, world } = await dyingWorld(scene);
      for (let round = 0; round < scene.rounds; round++) {
        const way = ways[(round + scene.random(ways.length)) % ways.length];
        world.workload.start(world.server);
        hook.order(`spare ${way}`);
        const { workload } = world;
        const refused = workload.refused(507);
        await world.until('writes are refused', () => workload.refused(507) > refused + 20);
        hook.order('');
        await workload.more(100);
        await world.kill();
        await world.restart(hook.options);
      }
      await world.finish();
    },
  },
  {
    name: 'out-of-memory',
    does: 'leaks until the heap is full, which no budget prevents, and V8 aborts the process',
    holds: 'a restart with more memory has every acknowledged write',
    needs: [],
    rounds: { short: 1, long: 5 },
    async run(scene) {
      const hook = new Hook(scene, 'leaking', leaking, `--max-old-space-size=${smallHeapMib}`);
      const world = await World.begin(scene, hook.options);
      for (let round = 0; round < scene.rounds; round++) {
        if (round > 0) {
          await world.kill();
          await world.start(hook.options);
        }
        await world.write(20);
        const { code, signal } = await leak(world, hook, 'heap');
        hold(signal === 'SIGABRT' || code === 134, `V8 aborts the process, it does not end with ${code ?? signal}`);
      }
      await world.finish();
    },
  },
  {
    name: 'memory-limit',
    does: 'leaks until the server outgrows a control group, and the kernel kills it',
    holds: 'a restart without the limit has every acknowledged write',
    needs: ['root', 'memory cgroup'],
    rounds: { short: 1, long: 3 },
    async run(scene) {
      const hook = new Hook(scene, 'leaking', leaking);
      const world = await World.begin(scene, { ...hook.options, ...underMemoryLimit(scene, 200) });
      await world.write(20);
      const { signal } = await leak(world, hook, 'buffers');
      hold(signal === 'SIGKILL', `the kernel kills the process, it does not end with ${signal}`);
      await world.finish();
    },
  },
];
