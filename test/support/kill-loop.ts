/**
 * A server that is killed repeatedly at random moments: during writes, during a snapshot, and while it recovers from the
 * kill before.
 */
import { setTimeout } from 'node:timers/promises';
import type { Test } from 'tap';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { Command, serve } from './process.ts';
import type { Random } from './random.ts';
import { Workload } from './workload.ts';

export interface Killed {
  readonly amongWrites: number;
  readonly inSnapshots: number;
  readonly inRecovery: number;
  /** Completed snapshots. */
  readonly snapshots: number;
  readonly acknowledged: number;
}

const flags = ['--segment-mb', '1', '--snapshot-mb', '1'];

/**
 * Throws when anything that was acknowledged or shown is gone, or anything is half there.
 *
 * @param kills how many; more, up to `killsMax`, until every kind of moment was hit and a snapshot was finished
 */
export async function killLoop(
  t: Pick<Test, 'teardown'>,
  folder: string,
  kills: number,
  random: Random,
  killsMax = kills,
): Promise<Killed> {
  const began = performance.now();
  let server = await serve(t, folder, flags);
  const startMs = performance.now() - began;
  const workload = await Workload.on(server, random);
  const done = { amongWrites: 0, inSnapshots: 0, inRecovery: 0, snapshots: 0 };
  const compare = async () => {
    const problems = await workload.compare(server);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  let killed = 0;
  const goesOn = (): boolean => killed < kills || (killed < killsMax && Object.values(done).includes(0));
  while (goesOn()) {
    workload.start(server);
    await setTimeout(20 + random(250));
    let isWriting = false;
    if (random(2) === 0) {
      isWriting = true;
      const snapshot = askServer(folder, 'snapshot', {}).then(
        ({ report }) => {
          if (report !== undefined) done.snapshots++;
          isWriting = false;
        },
        () => undefined,
      );
      // Killed at some point of it, or soon after its end.
      await Promise.race(random(3) === 0 ? [snapshot] : [snapshot, setTimeout(random(700))]);
    }
    await server.end('SIGKILL');
    done[isWriting ? 'inSnapshots' : 'amongWrites']++;
    killed++;
    await workload.ended();

    while (goesOn() && random(3) === 0) {
      const restarting = new Command(['serve', '--data', folder, '--port', '0', ...flags]);
      // The program itself takes a good part of a start to load.
      await setTimeout(startMs * (0.3 + random(70) / 100));
      await restarting.end('SIGKILL');
      done.inRecovery++;
      killed++;
    }
    server = await serve(t, folder, flags, server.key);
    await compare();
  }
  const { code, stderr } = await server.end('SIGTERM');
  if (code !== 0) throw new Error(`after SIGTERM it exited with ${code}:\n${stderr}`);
  return { ...done, acknowledged: workload.acknowledged };
}
