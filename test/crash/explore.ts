/**
 * Runs a workload once, then recovers from every state that a crash may leave at any moment of it.
 *
 *     the workload's stream of events
 *       at each moment   a power cut    every remains of the disk (remains.ts): recover, recover again, judge
 *                          of these, some of each shape: a restart, recorded; at each moment of it a power cut again: judge
 *                        a kill         a restart on the page cache as it is, recorded; at each moment of it a power cut: judge
 *
 * A state counts once in a workload, by the names and bytes of all its files, however often it comes up; it is judged each time, since
 * what was promised grows. Every counted state was recovered from: those of the workload by recovering, settling and recovering again,
 * those that are left in a restart by recovering, which is the second time already. States of different workloads differ, since each
 * has a lineage of its own in every segment header; only the few from before the first header could be the same.
 *
 * When there are more restarts than may be tried, a seeded choice of them is; when a moment has more states than may be tried, each
 * file's and each folder's remains are, and a seeded choice of the products. Reports count both.
 */
import { CorruptError } from '../../src/lib/errors.ts';
import { Disk } from '../disk/disk.ts';
import { Chance } from '../support/random.ts';
import { type Clock, determined, seedOf } from './chance.ts';
import { Examiner, type Known } from './examine.ts';
import { Library } from './library.ts';
import { Enumerator, type Depth as RemainsDepth } from './remains.ts';
import { judge, type Rule, rules, Violation } from './rules.ts';
import type { Workload } from './workload.ts';
import { type Ledger, World } from './world.ts';

export interface Depth extends RemainsDepth {
  /** How many restarts may be crashed in, one in the other. */
  readonly restarts: number;
  /** Restarts that are recorded for states of one shape. */
  readonly perShape: number;
  /** No further restart is tried once a workload has this many states, */
  readonly workloadMax: number;
  /** and this many of them in restarts. */
  readonly restartsMin: number;
  /** The same for a state within a restart. */
  readonly within: RemainsDepth;
}

export interface Failure {
  readonly rule: Rule;
  readonly promise: string;
  readonly found: string;
  /** Which state: replays with `--state`. */
  readonly state: string;
  readonly what: string;
}

export interface Report {
  readonly workload: string;
  /** Different states recovered from, and those of them that were first met in a restart. */
  readonly states: number;
  readonly inRestarts: number;
  readonly restarts: number;
  /** Restarts that were not tried, for want of time. */
  readonly untried: number;
  /** Moments in the workload and in its restarts. */
  readonly moments: number;
  /** Moments with so many states that only a part was tried. */
  readonly sampled: number;
  readonly ms: number;
  readonly failure: Failure | undefined;
}

/** A restart to be tried: the disk it finds, and what was promised before. */
interface Restart {
  /** How the states in it are named. */
  readonly prefix: string;
  readonly disk: () => Disk;
  readonly ledger: Ledger;
}

class Explorer {
  readonly #workload: Workload;
  readonly #depth: Depth;
  readonly #known = new Map<string, Known>();
  readonly #queue: Restart[] = [];
  readonly #shapes = new Map<string, number>();
  readonly #enumerators: readonly Enumerator[];
  readonly #only: string | undefined;
  readonly #examiner: Examiner;
  #inRestarts = 0;
  #restarts = 0;
  #untried = 0;
  #moments = 0;
  failure: Failure | undefined;

  constructor(workload: Workload, depth: Depth, only: string | undefined) {
    this.#workload = workload;
    this.#depth = depth;
    this.#only = only;
    const library = new Library();
    this.#examiner = new Examiner(library, workload.setting);
    this.#enumerators = [new Enumerator(depth, library), new Enumerator(depth.within, library)];
  }

  get counts() {
    const sampled = this.#enumerators.reduce((sum, enumerator) => sum + enumerator.sampled, 0);
    return {
      states: this.#known.size,
      inRestarts: this.#inRestarts,
      restarts: this.#restarts,
      untried: this.#untried,
      moments: this.#moments,
      sampled,
    };
  }

  async run(): Promise<void> {
    const { name, setting, run } = this.#workload;
    const world = await this.#record(name, '', (clock) => new World(clock, setting), run);
    this.#walk(world, '', 0);
    for (let level = 1; level <= this.#depth.restarts; level++) {
      // Spread over the whole workload, should there be more of them than may be tried.
      const queue = new Chance(level).shuffled(this.#queue.splice(0));
      for (const restart of queue) await this.#restart(restart, level);
      this.#untried += queue.length;
    }
  }

  /** Runs a world to its end. A violation in it is one of the workload itself. */
  async #record(seed: string, id: string, make: (clock: Clock) => World, run: (world: World) => Promise<void>): Promise<World> {
    return determined(seedOf(seed), async (clock) => {
      const world = make(clock);
      try {
        await run(world);
      } catch (error) {
        this.#fail(violationOf(error as Error), id, 'no crash but those that lead here');
      }
      return world;
    });
  }

  /** Every moment of a recorded stream: after each operation, with all that was answered before the next. */
  #walk({ events, start, promised }: World, prefix: string, level: number): void {
    let disk = start.copy();
    let ledger = promised;
    for (const [at, event] of events.entries()) {
      if (this.failure !== undefined) return;
      if (event.kind === 'operation') disk.apply(event.operation);
      if (event.kind === 'ledger') ledger = event.ledger;
      if (event.kind === 'power') disk = Disk.holding(event.contents);
      const next = events[at + 1];
      if (next?.kind === 'ledger') continue;
      this.#moments++;
      this.#moment(disk, ledger, `${prefix}${at}`, level);
    }
  }

  #moment(disk: Disk, ledger: Ledger, at: string, level: number): void {
    let number = 0;
    const before = this.#known.size;
    for (const remains of (this.#enumerators[Math.min(level, 1)] as Enumerator).remains(disk)) {
      const id = `${at}.${number++}`;
      if (this.#only !== undefined && !this.#only.startsWith(id)) continue;
      let known = this.#known.get(remains.key);
      if (known === undefined) {
        let shape = '';
        if (level < this.#depth.restarts) ({ known, shape } = this.#examiner.settle(remains.contents(), ledger));
        else known = this.#examiner.recover(remains.contents(), ledger);
        this.#known.set(remains.key, known);
        if (level < this.#depth.restarts && !(known instanceof Violation)) {
          const count = this.#shapes.get(`${level} ${shape}`) ?? 0;
          this.#shapes.set(`${level} ${shape}`, count + 1);
          if (count < this.#depth.perShape) {
            // Recovery may take nothing back that it found, however often it starts again.
            const { lsn, lineage } = known;
            const promised = { ...ledger, history: ledger.history.slice(0, lsn + 1), acknowledged: lsn, written: 0, lineage };
            this.#queue.push({ prefix: `${id}/`, disk: () => Disk.holding(remains.contents()), ledger: promised });
          }
        }
      }
      const violation = known instanceof Violation ? known : judge(known, ledger, remains.cached);
      if (violation !== undefined) {
        this.#fail(violation, id, remains.what());
        return;
      }
    }
    if (level > 0) this.#inRestarts += this.#known.size - before;
    if (level >= this.#depth.restarts) return;
    if ([...disk.inodes.values()].some(({ unsynced }) => unsynced.length > 0)) {
      const copy = disk.copy();
      this.#queue.push({ prefix: `${at}.killed/`, disk: () => copy.copy(), ledger });
    }
  }

  /** A restart and a write after it, recorded, and crashed in. */
  async #restart({ prefix, disk, ledger }: Restart, level: number): Promise<void> {
    const { workloadMax, restartsMin } = this.#depth;
    const enough = this.#known.size >= workloadMax && this.#inRestarts >= restartsMin;
    if (this.failure !== undefined || enough) return;
    if (this.#only !== undefined && !this.#only.startsWith(prefix)) return;
    this.#restarts++;
    this.#untried--;
    const world = await this.#record(
      this.#workload.name + prefix,
      prefix,
      (clock) => new World(clock, this.#workload.setting, disk(), ledger),
      async (world) => {
        await world.open();
        await world.createKey('after');
        await world.kill();
      },
    );
    this.#walk(world, prefix, level);
  }

  #fail({ rule, message }: Violation, state: string, what: string): void {
    this.failure ??= { rule, promise: rules[rule], found: message, state, what };
  }
}

function violationOf(error: Error): Violation {
  if (error instanceof Violation) return error;
  return error instanceof CorruptError
    ? new Violation('recovers', error.message)
    : new Violation('goes on', error.stack ?? error.message);
}

export async function explore(workload: Workload, depth: Depth, only?: string): Promise<Report> {
  const started = performance.now();
  const explorer = new Explorer(workload, depth, only);
  await explorer.run();
  return { workload: workload.name, ...explorer.counts, ms: Math.round(performance.now() - started), failure: explorer.failure };
}
