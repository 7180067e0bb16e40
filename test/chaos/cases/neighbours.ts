/** Others at the same folder: a second server, a command that reads all of it. */
import fs from 'node:fs';
import path from 'node:path';
import { ask } from '../../support/client.ts';
import { Command, run } from '../../support/process.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { mount } from '../machine/disks.ts';
import { World } from '../world.ts';

const inUse = /in use by (a )?process/;

function serving(scene: Scene, data: string, flags: readonly string[]): Command {
  const command = new Command(['serve', '--data', data, '--port', '0', ...flags]);
  scene.teardown(() => command.end('SIGKILL'));
  return command;
}

/** A server that must not get in. */
async function refused(scene: Scene, data: string, flags: readonly string[]): Promise<void> {
  const { code, stderr } = await serving(scene, data, flags).ended;
  hold(
    code === 1 && inUse.test(stderr),
    `a second server exits with 1 and names the process that has the folder, not ${code}:\n${stderr}`,
  );
}

export const neighbours: readonly Fault[] = [
  {
    name: 'two-servers',
    does: 'starts two servers at the same time on one folder with two names, also right after a kill',
    holds: 'exactly one opens the folder, the other names its process, and nothing is lost',
    needs: [],
    rounds: { short: 4, long: 40 },
    async run(scene) {
      const world = await World.begin(scene);
      const link = path.join(scene.folder, 'link');
      fs.symlinkSync(world.data, link);
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(20);
        await world.kill();
        const both = [world.data, link].map((data) => serving(scene, data, world.flags));
        const came = await Promise.all(
          both.map((command) =>
            command.printed(/^Listening on (\S+),/m).then(
              ([, url = '']) => url,
              () => undefined,
            ),
          ),
        );
        hold(came.filter((url) => url !== undefined).length === 1, `one of two servers gets in, not ${came}`);
        const loser = both[came.indexOf(undefined)] as Command;
        const { code, stderr } = await loser.ended;
        hold(code === 1 && inUse.test(stderr), `the other exits with 1 and says who has the folder, not ${code}:\n${stderr}`);
        const url = came.find((url) => url !== undefined) as string;
        const winner = both[came.indexOf(url)] as Command;
        world.server = Object.assign(winner, { url, key: world.server.key });
        await world.compare();
      }
      await world.finish();
    },
  },
  {
    name: 'second-server',
    does: 'starts more servers on the folder of a writing one: by a link, with the file lock deleted or replaced',
    holds: 'none opens the folder, and the first server goes on',
    needs: [],
    rounds: { short: 1, long: 20 },
    async run(scene) {
      const world = await World.begin(scene);
      const link = path.join(scene.folder, 'link');
      fs.symlinkSync(world.data, link);
      const lock = path.join(world.data, 'lock');
      await world.write(10);
      for (let round = 0; round < scene.rounds; round++) {
        await refused(scene, link, world.flags);
        fs.rmSync(lock);
        await Promise.all([refused(scene, world.data, world.flags), refused(scene, link, world.flags)]);
        fs.writeFileSync(`${lock}.new`, '');
        fs.renameSync(`${lock}.new`, lock);
        await refused(scene, world.data, world.flags);
        await world.workload.more(200);
      }
      await world.finish();
    },
  },
  {
    name: 'folder-replaced',
    does: 'replaces the folder of a server under load with another data folder',
    holds: 'the server exits with 1 and names both folders, nothing is lost, and the other folder stays sound',
    needs: [],
    rounds: { short: 3, long: 40 },
    async run(scene) {
      const world = await World.begin(scene);
      const [other, moved] = ['other', 'moved'].map((name) => path.join(scene.folder, name)) as [string, string];
      await world.write(50);
      await world.kill();
      fs.cpSync(world.data, other, { recursive: true, filter: (file) => !file.endsWith('.sock') });
      await world.restart();
      for (let round = 0; round < scene.rounds; round++) {
        await world.write(50 + scene.random(200));
        fs.renameSync(world.data, moved);
        fs.renameSync(other, world.data);
        const { code, stderr } = await world.ended();
        hold(
          code === 1 && stderr.includes(`now ${moved}`),
          `the server exits with 1 and says where its folder is, not ${code}:\n${stderr}`,
        );
        await world.verify();
        fs.renameSync(world.data, other);
        fs.renameSync(moved, world.data);
        await world.restart();
      }
      await world.finish();
      scene.note(`${world.workload.acknowledged} acknowledged`);
    },
  },
  {
    name: 'second-server-by-mount',
    does: 'starts a second server on the same folder mounted elsewhere',
    holds: 'the second server does not open the folder',
    needs: ['root', 'bind'],
    rounds: { short: 1, long: 5 },
    async run(scene) {
      const world = await World.begin(scene);
      const elsewhere = path.join(scene.folder, 'elsewhere');
      mount(scene, elsewhere, '--bind', world.data);
      await world.write(10);
      for (let round = 0; round < scene.rounds; round++) await refused(scene, elsewhere, world.flags);
      await world.finish();
    },
  },
  {
    name: 'verify-beside',
    does: 'verifies the whole folder repeatedly while a server writes and makes snapshots under heavy load',
    holds: 'the server goes on, and no verification finds damage',
    needs: [],
    rounds: { short: 2, long: 200 },
    async run(scene) {
      const world = await World.begin(scene);
      const { server, workload } = world;
      await world.write(100);
      let writing = true;
      // Segments fill up fast, and a thread for snapshots comes and goes with each.
      const heavy = Array.from({ length: 8 }, async () => {
        while (writing) await ask(server, 'POST', '/v1/projects', { name: 'x'.repeat(40_000) });
      });
      const snapshots = (async () => {
        while (writing) await world.snapshot();
      })();
      const reading = (async () => {
        for (let round = 0; round < scene.rounds; round++) {
          const read = await Promise.all([run(['verify', '--data', world.data]), run(['verify', '--data', world.data])]);
          for (const { code, stdout, stderr } of read) hold(code === 0, `verify finds nothing:\n${stdout}${stderr}`);
        }
      })();
      try {
        await Promise.race([
          reading,
          server.ended.then(({ code, stderr }) => hold(false, `the server lives; it ended with ${code}:\n${stderr}`)),
        ]);
      } finally {
        writing = false;
        await Promise.allSettled([...heavy, snapshots, reading]);
      }
      await workload.more(20);
      await world.finish();
      scene.note(`${workload.acknowledged} acknowledged`);
    },
  },
];
