/**
 * Situations from which random walks start: a process owns the shard, something goes wrong at a moment that matters, and another process
 * may take over. Walks from the beginning reach these rarely. Each piece is left out at times, and other steps happen in between.
 */
import type { Chance } from '../support/random.ts';
import { type Action, actionsOf, type Mistakes, newWorld, type World } from './world.ts';

/** Patterns of the names of actions, in order. */
type Script = readonly RegExp[];

const through = (kind: string, channel: string): RegExp => new RegExp(`\\(${kind} of ${channel}\\) goes through`);
/** A connection sends, and the statement arrives. */
const starts = (kind: string, channel: string): Script => [
  new RegExp(`^${channel[0]} sends on ${channel.slice(2)}`),
  new RegExp(`\\(${kind} of ${channel}\\) runs`),
];
const asked = (kind: string, channel: string): Script => [starts(kind, channel)[0] as RegExp, through(kind, channel)];

const observed = asked('observe', 'B.log');
/** After its claim, B opens the shard, holds the lease and acknowledges a batch. */
const opened: Script = [
  ...[...asked('settle', 'B.log'), ...asked('load', 'B.log'), /^B connects log/, ...asked('check', 'B.log')],
  ...[/^B connects lease/, ...asked('check', 'B.lease'), ...asked('renew', 'B.lease')],
  ...[/^B writes/, ...asked('append', 'B.log'), /^B reads/, /^B answers/],
];
const waits: readonly Script[] = [[], [], [/^1 ms/], [/^1 ms/, /^1 ms/], [/^4 ms/], [/^4 ms/, /^1 ms/, /^1 ms/]];
const takeOver = (wait: Script): Script => [
  /^B connects log/,
  ...observed,
  ...wait,
  ...observed,
  ...asked('claim', 'B.log'),
  ...opened,
];
const settled: Script = [/^A connects log/, ...asked('check', 'A.log'), ...asked('settle', 'A.log'), ...asked('check', 'A.log')];

/** What may stop a commit, or its answer. */
const troubles: readonly RegExp[] = [
  ...[
    /is cancelled/,
    /^A loses its connection log/,
    /the standbys are removed/,
    /the primary restarts/,
    /the standby is promoted/,
  ],
];
const disasters: readonly RegExp[] = [/the standby is promoted/, /the database is restored/, /the primary restarts/];
const heard: Script = [/followed by its SELECT/, /of A\.log\) is answered/];
const read: Script = [/^A reads/, /^A answers/];

/** A piece of a situation, and how often it is a part: always, or once in so many times. */
function piecesOf(chance: Chance): readonly (readonly [times: number, script: Script])[] {
  const trouble = (): Script => [chance.pick(troubles), ...heard];
  const write: Script = [/^A writes/, ...asked('append', 'A.log')];
  const doubtful: Script = [/^A writes/, ...starts('append', 'A.log'), /\(append of A\.log\) commits/, ...trouble()];
  const checked: Script = [/^A connects log/, ...asked('check', 'A.log')];
  return [
    [3, [/the database is copied/, ...write]],
    [2, write],
    [3, [...starts('renew', 'A.lease'), chance.pick([...troubles, /the standby receives/])]],
    [2, doubtful],
    [
      3,
      [
        ...doubtful,
        ...checked,
        ...starts('settle', 'A.log'),
        ...trouble(),
        ...asked('check', 'A.log'),
        /the standby is promoted/,
      ],
    ],
    [3, [...doubtful, ...checked, /the standby is promoted/]],
    // A renewal that is not replicated, while another process watches.
    [
      4,
      [
        /^B connects log/,
        ...observed,
        /^4 ms/,
        ...starts('renew', 'A.lease'),
        chance.pick(troubles),
        /SELECT/,
        /A\.lease\) is answered/,
      ],
    ],
    [8, [/^1 ms/, /the standby is promoted/]],
    // A renewal between the last look of a claimer and its claim.
    [
      6,
      [
        /^B connects log/,
        ...observed,
        /^4 ms/,
        /^1 ms/,
        ...observed,
        /^B sends on log/,
        ...asked('renew', 'A.lease'),
        through('claim', 'B.log'),
        ...opened,
      ],
    ],
    [3, settled],
    [3, [...checked, ...starts('settle', 'A.log'), ...trouble()]],
    [
      4,
      [/^A releases/, ...chance.pick([asked('release', 'A.lease'), [...starts('release', 'A.lease'), /the standby receives/]])],
    ],
    [2, settled],
    [2, [/^A reads/]],
    [3, [chance.pick(disasters)]],
    [4, [...settled, /^A connects lease/, ...asked('check', 'A.lease'), ...asked('renew', 'A.lease')]],
    [2, [/^B connects log/, ...observed]],
    [3, [chance.pick([/^A is suspended/, /wall clock of A is set back/])]],
    [
      4,
      [
        /^B connects log/,
        ...observed,
        ...chance.pick(waits),
        ...observed,
        ...starts('claim', 'B.log'),
        chance.pick([...troubles, /^B loses/]),
        /followed by/,
        /B\.log\) is answered/,
      ],
    ],
    [3, [/SELECT/, /\(renew of A\.lease\) is answered/]],
    [4, [chance.pick(disasters)]],
    [1.2, takeOver(chance.pick(waits))],
    [3, [/SELECT/, /\(renew of A\.lease\) is answered/]],
    [1.5, [...read, ...read]],
  ];
}

/** Brings a world whose first process is owner into a situation. Returns false if a step broke a rule. */
export function situate(
  world: World,
  chance: Chance,
  mistakes: Mistakes | undefined,
  step: (action: Action) => boolean,
): boolean {
  for (const [times, script] of piecesOf(chance)) {
    if (chance.next() * times >= 1) continue;
    for (const pattern of script) {
      const actions = actionsOf(world, mistakes);
      const action = chance.once(25) ? chance.pick(actions) : actions.find(({ name }) => pattern.test(name));
      if (action !== undefined && !step(action)) return false;
    }
  }
  return true;
}

/** A world whose first process owns the shard, holds the lease and has acknowledged nothing. */
export function ownedWorld(faults: number): World {
  const world = newWorld(faults);
  for (;;) {
    if (world.members[0]?.owner?.lease.renewedAt !== undefined) return world;
    const action = actionsOf(world).find(({ name }) => /^A (connects|sends)|\(.* of A\..*goes through/.test(name));
    if (action === undefined) throw new Error('the first process cannot become owner');
    action.run();
  }
}
