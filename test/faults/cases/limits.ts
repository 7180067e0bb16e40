/** Descriptors that run out. */
import net from 'node:net';
import { ask } from '../../support/client.ts';
import { Command } from '../../support/process.ts';
import { type Fault, hold, until } from '../fault.ts';
import { World } from '../world.ts';

/** Node itself needs some twenty before it runs anything. */
const fewest = 24;
const most = 300;
/** The server leaves two hundred of them to its files. */
const loaded = 260;

export const limits: readonly Fault[] = [
  {
    name: 'few-descriptors',
    does: 'starts a server that may have a few descriptors only',
    holds: 'it serves, or says what is short and exits with 1; nothing is damaged either way',
    needs: ['prlimit'],
    rounds: { short: 1, long: 3 },
    async run(scene) {
      const world = await World.begin(scene);
      const ends = { served: 0, refused: 0 };
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(100);
        await world.kill();
        for (let descriptors = fewest; descriptors <= most; descriptors += 40 + scene.random(40)) {
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
          hold(/raise the limit first/.test(stderr), `with ${descriptors} descriptors it says what is short:\n${stderr}`);
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
    holds: 'those that are connected go on, and others come in once there is room',
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
        // Rotations and folds open files meanwhile.
        await world.workload.more(500);
        await world.workload.pause();
        for (const socket of sockets) socket.destroy();
        // It takes a moment until it has noticed that they are gone.
        await until('another connection is let in', () => isReady(world));
        await world.compare();
        await world.fold();
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
