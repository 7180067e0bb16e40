/**
 * Runs faults, singly and in pairs, under clients that ask all nodes, also one that is stopped. Every answer becomes a history, and each must be
 * linearizable: nothing acknowledged is lost, nothing read is stale. A change without an answer may be made until the faults are over.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Clients } from '../../linearizability/clients.ts';
import { clientsOf, projectBody } from '../../linearizability/project-clients.ts';
import { Chance } from '../../support/random.ts';
import type { FaultWorld } from './fault-world.ts';
import { type ClusterFault, clusterFaults } from './faults.ts';

export interface FaultReport {
  /** Names of the faults that were done together, in the order of the rounds. */
  readonly done: string[][];
  faults: number;
  operations: number;
  unanswered: number;
  /** Milliseconds until every node wrote again, by round. */
  readonly recoveryMs: number[];
}

export interface FaultRunOptions {
  readonly seed: number;
  /** Faults, of which a third comes in pairs. */
  readonly faults: number;
  /** Part of the name of each fault. */
  readonly only?: string | undefined;
  readonly note?: (text: string) => void;
}

interface History {
  readonly ask: Ask;
  readonly clients: Clients;
}

const collections = 6;
const clientsEach = 2;
/** Operations of each client before, during and after the faults. */
const operations = { before: 2, during: 7, after: 3 };
/** Milliseconds in which what is on its way arrives, or never. */
const quietMs = 1_000;

/** Throws with the faults and the seed of the round if something does not hold. */
export async function runFaults(world: FaultWorld, options: FaultRunOptions): Promise<FaultReport> {
  const { seed, faults, only, note } = options;
  const report: FaultReport = { done: [], faults: 0, operations: 0, unanswered: 0, recoveryMs: [] };
  const candidates = clusterFaults.filter(({ name }) => only === undefined || name.includes(only));
  if (candidates.length === 0) throw new Error(`There is no fault whose name has "${only}".`);
  const order = new Chance(seed);
  let queue: ClusterFault[] = [];
  for (let round = 0; report.faults < faults; round++) {
    const random = new Chance(seed + round);
    if (queue.length === 0) queue = order.shuffled(candidates);
    const chosen = [queue.shift() as ClusterFault];
    const second = random.pick(clusterFaults.filter(({ of }) => of === 'node' || chosen[0]?.of === 'node'));
    // Every fifth round has two: a third of the faults.
    if (only === undefined && report.faults + 1 < faults && random.once(5)) chosen.push(second);
    const names = chosen.map(({ name }) => name);
    const began = performance.now();
    try {
      await runRound(world, random, chosen, report);
    } catch (error) {
      throw new Error(`round ${round} (seed ${seed}, ${names.join(' with ')}): ${(error as Error).stack}`);
    }
    report.done.push(names);
    report.faults += chosen.length;
    note?.(
      `${names.join(' with ')}: ${((performance.now() - began) / 1000).toFixed(1)} s, writes ${Math.round(report.recoveryMs.at(-1) ?? 0)} ms after it`,
    );
  }
  return report;
}

async function runRound(world: FaultWorld, random: Chance, faults: readonly ClusterFault[], report: FaultReport): Promise<void> {
  const histories = await Promise.all(
    Array.from({ length: collections }, (_, n) => {
      const key = world.keys[n % world.keys.length];
      const ask: Ask = (method, path, body) => ({
        heard: world.ask(random.pick(world.nodes), method, path, body, key),
        abandon: () => undefined,
      });
      return begin(ask, random);
    }),
  );
  const work = (count: number, pauseMs: number) =>
    Promise.all(
      histories.flatMap(({ clients, ask }) =>
        Array.from({ length: clientsEach }, async (_, client) => {
          for (let left = count; left > 0; left--) {
            await clients.ask(client, ask);
            await sleep(random.below(pauseMs));
          }
        }),
      ),
    );
  await work(operations.before, 10);
  const during = work(operations.during, 700);
  await Promise.all(
    faults.map(async (fault, i) => {
      if (i > 0) await sleep(random.below(1_500));
      await fault.run(world, random);
    }),
  );
  report.recoveryMs.push(await world.recovered());
  await during;
  await sleep(quietMs);
  for (const { clients } of histories) clients.crash();
  await work(operations.after, 10);
  for (const { clients } of histories) {
    report.operations += clients.history.length;
    report.unanswered += clients.history.filter(({ output }) => output === undefined).length;
    const fault = clients.fault();
    if (fault !== undefined) throw new Error(fault);
  }
}

async function begin(ask: Ask, random: Chance): Promise<History> {
  const heard = await ask('POST', '/projects', projectBody).heard;
  if (heard?.status !== 200) throw new Error(`a sound cluster does not answer: ${heard?.status} ${heard?.text}`);
  return { ask, clients: clientsOf(JSON.parse(heard.text), random) };
}
