/** Descriptors that run out. */
import net from 'node:net';
import { ask } from '../../support/client.ts';
import { Command } from '../../support/process.ts';
import { type Fault, hold } from '../fault.ts';
import { Hook } from '../machine/hook.ts';
import { World } from '../world.ts';

/** Node itself needs some twenty before it runs anything. */
const fewest = 24;
/** What the program asks for. */
const enough = 256;
/** The server leaves two hundred of them to its files. */
const loaded = 260;

/** At a signal, opens files until no more can be opened, and those that others close as well; at the next, lets go of all. */
const greedy = `import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  let taken;
  const take = () => {
    try {
      while (taken !== undefined) taken.push(fs.openSync('/dev/null'));
    } catch {}
  };
  setInterval(take, 5).unref();
  process.on('SIGWINCH', () => {
    for (const fd of taken ?? []) fs.closeSync(fd);
    taken = taken === undefined ? [] : undefined;
    take();
  });
}
`;

export const limits: readonly Fault[] = [
  {
    name: 'few-descriptors',
    does: 'starts a server with a low limit of file descriptors',
    holds: 'the server works, or names the limit and exits with 1; the folder stays sound',
    needs: ['prlimit'],
    rounds: { short: 1, long: 3 },
    async run(scene) {
      const world = await World.begin(scene);
      const ends = { served: 0, refused: 0 };
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(100);
        await world.kill();
        const numbers = Array.from({ length: 3 }, () => fewest + scene.random(enough - fewest));
        for (const descriptors of [...numbers, enough]) {
          const under = ['prlimit', `--nofile=${descriptors}`];
          const command = new Command(['serve', '--data', world.data, '--port', '0', ...world.flags], { under });
          scene.teardown(() => command.end('SIGKILL'));
          const served = await command.printed(/^Listening on/m).then(
            () => true,
            () => false,
          );
          if (served) {
            ends.served++;
            await command.end('SIGKILL');
            continue;
          }
          ends.refused++;
          const { code, signal, stderr } = await command.ended;
          hold(code === 1, `with ${descriptors} descriptors it exits with 1, not ${code ?? signal}:\n${stderr}`);
          hold(/Raise the limit: /.test(stderr), `with ${descriptors} descriptors it says what is short:\n${stderr}`);
        }
        await world.restart();
      }
      await world.finish();
      scene.note(`${ends.served} starts served, ${ends.refused} refused`);
    },
  },
  {
    name: 'many-connections',
    does: 'opens more connections than the process has descriptors, while eight clients write',
    holds: 'open connections go on, and new ones are accepted when descriptors are free',
    needs: ['prlimit'],
    rounds: { short: 1, long: 10 },
    async run(scene) {
      const under = ['prlimit', `--nofile=${loaded}`];
      const world = await World.begin(scene, { under });
      const port = Number(new URL(world.server.url).port);
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(50);
        const sockets = Array.from({ length: 2 * loaded }, () => net.connect(port, '127.0.0.1'));
        for (const socket of sockets) socket.on('error', () => undefined);
        await Promise.all(
          sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
        );
        // Rotations and snapshots open files meanwhile.
        await world.workload.more(500);
        await world.workload.pause();
        for (const socket of sockets) socket.destroy();
        // It takes a moment until it has noticed that they are gone.
        await world.until('another connection is let in', () => isReady(world));
        await world.compare();
        await world.snapshot();
      }
      await world.finish();
    },
  },
  {
    name: 'no-descriptors',
    does: 'takes all file descriptors of a running server, as an embedding program may, and returns them',
    holds: 'the server goes on, admitted requests are written, and writes resume by themselves',
    needs: ['prlimit'],
    rounds: { short: 1, long: 15 },
    async run(scene) {
      const hook = new Hook(scene, 'greedy', greedy);
      const world = await World.begin(scene, { ...hook.options, under: ['prlimit', `--nofile=${loaded}`] });
      const { workload } = world;
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(20);
        world.server.child.kill('SIGWINCH');
        const refused = workload.refused(507);
        await world.until('writes are refused', () => workload.refused(507) > refused + 20);
        world.server.child.kill('SIGWINCH');
        await workload.more(100);
        await world.kill();
        await world.restart({ ...hook.options, under: ['prlimit', `--nofile=${loaded}`] });
      }
      await world.finish();
    },
  },
];

function isReady({ server }: World): Promise<boolean> {
  return ask(server, 'GET', '/readyz').then(
    ({ status }) => status === 200,
    () => false,
  );
}
