/** Clocks that jump, forth and back, under a server and between two. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ask } from '../../support/client.ts';
import type { RunOptions } from '../../support/process.ts';
import { type Fault, hold, type Scene } from '../fault.ts';
import { Hook } from '../machine/hook.ts';
import { World } from '../world.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Milliseconds before or after the true time. */
const jumps = [0, -2 * hour, 400 * day, -3 * day, 400 * day + 1, 0];
/** How far a timestamp may be from the clock: the server was asked, and answered, in between. */
const slackMs = 60_000;

/** A clock of this program's own making, for all that is written in JavaScript. */
const jumping = `
const { Date: True } = globalThis;
const now = () => True.now() + Number(orders());
globalThis.Date = class Date extends True {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
`;

interface Clock {
  readonly options: RunOptions;
  set(offsetMs: number): void;
}

/** The C library's own clock, of the whole process. */
function faketime(scene: Scene): Clock {
  const file = path.join(scene.folder, 'faketime');
  const set = (offsetMs: number) => fs.writeFileSync(file, `${offsetMs < 0 ? '' : '+'}${offsetMs / 1000}`);
  set(0);
  const env = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  return { set, options: { env, under: ['faketime', '-f', '+0'] } };
}

async function jump(scene: Scene, clock: Clock): Promise<void> {
  const world = await World.begin(scene, clock.options);
  const made: string[] = [];
  for (let round = 0; round < scene.rounds; round++) {
    for (const offsetMs of jumps) {
      clock.set(offsetMs);
      world.workload.start(world.server);
      for (let i = 0; i < 5; i++) {
        const { status, json } = await ask(world.server, 'POST', '/v1/projects', { name: `at ${offsetMs}` });
        hold(status === 200, `a write is taken (status ${status})`);
        const wrong = Math.abs(Date.parse(json.created) - (Date.now() + offsetMs));
        hold(wrong < slackMs, `the timestamp ${json.created} follows the clock, which is ${offsetMs} ms off`);
        hold(json.id > (made.at(-1) ?? ''), `the identifier ${json.id} is greater than ${made.at(-1)}, made before it`);
        made.push(json.id);
      }
      await setTimeout(scene.random(100));
      if (scene.random(2) === 0) await world.snapshot();
      await world.workload.pause();
      await world.compare();
      await pages(world, made);
      // Every other jump is also a restart's.
      if (made.length % 2 === 0) {
        clock.set(jumps[scene.random(jumps.length)] as number);
        await world.kill();
        await world.restart(clock.options);
      }
    }
  }
  clock.set(0);
  await world.finish();
  scene.note(`${made.length} identifiers in order, ${world.workload.acknowledged} acknowledged`);
}

/** A page at a time, with others writing in between, the list has each member once and in its order. */
async function pages(world: World, made: readonly string[]): Promise<void> {
  const seen: string[] = [];
  for (let next: string | undefined = '/v1/projects?limit=7&fields=name'; next !== undefined; ) {
    const { json, headers } = await ask(world.server, 'GET', next);
    seen.push(...(json as { id: string }[]).map(({ id }) => id));
    const link = /<([^>]*)>; *rel="?next/.exec(String(headers['link'] ?? ''))?.[1];
    next = link?.replace(/^https?:\/\/[^/]*/, '');
  }
  hold(new Set(seen).size === seen.length, 'no member is on two pages');
  const own = seen.filter((id) => made.includes(id));
  hold(own.join() === made.join(), `the pages have all ${made.length} members in their order, not ${own.length}`);
}

export const clocks: readonly Fault[] = [
  {
    name: 'clock',
    does: 'sets the clock back two hours, forward 400 days and back, during a server and between two',
    holds: 'timestamps follow the clock; identifiers stay unique and in order, pages stay complete, nothing is lost',
    needs: [],
    rounds: { short: 1, long: 20 },
    run(scene) {
      const hook = new Hook(scene, 'clock', jumping);
      return jump(scene, { options: hook.options, set: (offsetMs) => hook.order(String(offsetMs)) });
    },
  },
  {
    name: 'clock-of-the-library',
    does: 'sets the clock in the same way by libfaketime, for the whole process',
    holds: 'timestamps follow the clock; identifiers stay unique and in order, pages stay complete, nothing is lost',
    needs: ['faketime'],
    rounds: { short: 1, long: 20 },
    run: (scene) => jump(scene, faketime(scene)),
  },
];
