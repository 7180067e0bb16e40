/** Workloads of batches that choose identifiers, place members and move objects: their records have the operations `place` and `move`. */
import type { Command, Target } from '../../src/engine/command.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { create, remove, update } from '../support/engine.ts';
import { Chance } from '../support/random.ts';
import { torn } from './leave.ts';
import { always, begin, must, never, smallest, type Workload, workload, writes } from './workload.ts';
import { member, type World } from './world.ts';

/** An identifier of a client. */
const idAt = (number: number): string => `019b76da-a800-7000-8000-${String(number).padStart(12, '0')}`;

/** A project with two artboards; the first has three objects, the second one. */
interface Floors {
  readonly boards: readonly [string, string];
  readonly objects: readonly string[];
  readonly board: (id?: string) => Target;
  readonly object: (board: string, id?: string) => Target;
  readonly popup: (id?: string) => Target;
  /** Carries out a batch, as one record. */
  readonly batch: (...commands: Command[]) => Promise<void>;
}

async function floors(world: World): Promise<Floors> {
  const { account, id, popup } = await begin(world);
  const board = (artboard = '') => member(account, id, 'artboards', artboard);
  const object = (artboard: string, one = '') => member(account, id, 'objects', one, artboard);
  const batch = (...commands: Command[]) => world.batch(account, id, commands);
  const boards = [idAt(1), idAt(2)] as const;
  const objects = [11, 12, 13, 14].map(idAt);
  const bodies = objects.map((_, at) => ({ type: 'spot', name: `o${at}` }));
  await batch(
    withId(create(board(), { name: 'lower', objects: bodies.slice(0, 3) }), boards[0], objects.slice(0, 3)),
    withId(create(board(), { name: 'upper', objects: bodies.slice(3) }), boards[1], objects.slice(3)),
  );
  return { boards, objects, board, object, popup, batch };
}

const withId = (command: Command, id: string, objects?: readonly string[]): Command =>
  ({ ...command, ids: { id, objects } }) as Command;
const placed = (target: Target, before: string | null, body: unknown = {}): Command =>
  ({ ...update(target, body), placement: { before } }) as Command;
const moved = (target: Target, toArtboard: string, before?: string | null, body: unknown = {}): Command =>
  ({ ...update(target, body), placement: { toArtboard, before } }) as Command;

/** The operations in all records so far, by how often each occurs. */
function countOperations({ history }: World): Readonly<Partial<Record<Change['op'], number>>> {
  const counts: Partial<Record<Change['op'], number>> = {};
  for (const { record } of history.slice(1))
    for (const { op } of decodeRecord(record).changes) counts[op] = (counts[op] ?? 0) + 1;
  return counts;
}

function mustHave(world: World, places: number, moves: number): void {
  const { place = 0, move = 0 } = countOperations(world);
  must(place >= places && move >= moves, `records place ${places} times and move ${moves} times: ${place} and ${move}`);
}

/** An order in which no number is left between two ranks after some fifty of these. */
const halving = (target: (id: string) => Target, [a, b, c]: readonly [string, string, string], count: number): Command[] =>
  Array.from({ length: count }, (_, i) => placed(target(i % 2 === 0 ? a : b), c));

export const batchWorkloads: readonly Workload[] = [
  workload('batches that place members and move objects', always, async (world) => {
    const { boards, objects, board, object, popup, batch } = await floors(world);
    const [lower, upper] = boards;
    const [a = '', b = '', c = '', d = ''] = objects;
    await batch(placed(object(lower, a), null), moved(object(lower, b), upper, d, { name: 'moved' }));
    await world.read(object(upper, b));
    await batch(placed(board(upper), lower), withId(create(popup(), { title: 'one', attachedTo: a }), idAt(21)), {
      ...withId(create(popup(), { title: 'two' }), idAt(22)),
      placement: { before: idAt(21) },
    } as Command);
    await batch(moved(object(upper, b), lower), update(object(lower, b), { x: 7 }), placed(object(lower, b), c));
    mustHave(world, 4, 2);
    await world.close();
    await world.open();
    await batch(placed(object(lower, c), a));
  }),

  workload('batches that delete, and create again with the identifier', always, async (world) => {
    const { boards, objects, board, object, popup, batch } = await floors(world);
    const [lower, upper] = boards;
    const [a = '', b = '', c = '', d = ''] = objects;
    await batch(
      remove(board(lower)),
      withId(create(object(upper), { type: 'spot', name: 'elsewhere' }), a),
      withId(create(board(), { name: 'again', objects: [{ type: 'spot' }] }), lower, [c]),
      placed(board(lower), upper),
      moved(object(upper, d), lower, c),
    );
    await world.kill();
    await world.open();
    await batch(
      moved(object(lower, d), upper, a),
      remove(object(upper, d)),
      withId(create(popup(), { title: 'of another kind' }), d),
      withId(create(object(lower), { type: 'spot' }), b),
    );
    mustHave(world, 1, 2);
    await world.snapshot();
  }),

  workload('places and moves over several sectors', { ...always, segmentBytes: 8192 }, async (world) => {
    const { boards, objects, object, batch } = await floors(world);
    const [lower, upper] = boards;
    const [a = '', b = '', c = '', d = ''] = objects;
    await batch(
      moved(object(lower, a), upper, d, { name: 'x'.repeat(1300) }),
      placed(object(lower, c), b),
      moved(object(lower, b), upper, a, { name: 'y'.repeat(900) }),
    );
    await batch(moved(object(upper, a), lower), placed(object(upper, d), b), update(object(lower, c), { name: 'z'.repeat(700) }));
    mustHave(world, 2, 3);
  }),

  workload('killed amid places and moves, with torn tails', always, async (world) => {
    const { boards, objects, object, batch } = await floors(world);
    const [lower, upper] = boards;
    const [a = '', b = '', c = '', d = ''] = objects;
    const frame = (kind: string) => (operation: { kind: string; path: string }) =>
      operation.kind === kind && operation.path.endsWith('.segment');
    const both = () => batch(moved(object(lower, a), upper, d), placed(object(lower, c), b));
    await world.killBefore(frame('write'), both);
    await world.open();
    await world.killBefore(frame('sync'), both);
    await world.cutPower((disk) => torn(disk, 300));
    await world.open();
    await both();
    await world.killBefore(frame('sync'), () => batch(placed(object(upper, d), a), moved(object(upper, a), lower, b)));
    await world.open();
    mustHave(world, 1, 1);
  }),

  workload('snapshots among places and moves', smallest, async (world) => {
    const { boards, objects, object, popup, batch } = await floors(world);
    const [lower, upper] = boards;
    const [a = '', b = '', , d = ''] = objects;
    const [one = '', two = ''] = await writes(world, popup(), 2);
    await world.snapshot();
    await batch(moved(object(lower, a), upper, d), placed(popup(two), one));
    await world.snapshot();
    await batch(moved(object(lower, b), upper, a));
    await world.kill();
    await world.open();
    await batch(moved(object(upper, a), lower), placed(popup(two), null));
    await world.snapshot();
    mustHave(world, 2, 3);
    await world.close();
    await world.open();
  }),

  workload('places until all members get new ranks', { ...always, segmentBytes: 16_384 }, async (world) => {
    const { popup, batch } = await floors(world);
    const ids = (await writes(world, popup(), 3)) as [string, string, string];
    await batch(...halving(popup, ids, 56));
    await batch(placed(popup(ids[2]), ids[0]));
    mustHave(world, 57, 0);
    await world.snapshot();
    await batch(placed(popup(ids[0]), null));
  }),

  workload('places and moves that are never synced', never, async (world) => {
    const { boards, objects, object, batch } = await floors(world);
    const [lower, upper] = boards;
    const [a = '', b = '', c = '', d = ''] = objects;
    await batch(moved(object(lower, a), upper), placed(object(lower, c), b));
    await batch(moved(object(lower, b), upper, d));
    await world.kill();
    await world.open();
    await batch(placed(object(upper, d), null), moved(object(upper, a), lower, c));
    await world.close();
    mustHave(world, 2, 3);
  }),

  workload('random batches of places and moves', always, async (world) => {
    const { boards, board, objects, object, batch } = await floors(world);
    const chance = new Chance(11);
    const held: Record<string, string[]> = { [boards[0]]: objects.slice(0, 3), [boards[1]]: objects.slice(3) };
    for (let i = 0; i < 9; i++) {
      const commands: Command[] = [];
      for (let left = 1 + chance.below(3); left > 0; left--) commands.push(someCommand(chance, held, object));
      if (chance.once(3)) commands.push(placed(board(boards[chance.below(2)]), null));
      await batch(...commands);
      if (i % 3 === 1) await world.snapshot();
      if (i % 3 === 2) {
        await world.kill();
        await world.open();
      }
    }
    mustHave(world, 4, 4);
  }),
];

/** A command that fits, and is noted as done. @param held objects by artboard, in their order */
function someCommand(chance: Chance, held: Record<string, string[]>, object: Floors['object']): Command {
  const from = chance.pick(Object.keys(held).filter((id) => held[id]?.length !== 0));
  const present = held[from] as string[];
  const id = chance.pick(present);
  const rest = present.filter((one) => one !== id);
  const to = chance.pick(Object.keys(held));
  if (to !== from && !chance.once(3)) {
    const before = chance.pick([null, ...(held[to] as string[])]);
    held[from] = rest;
    held[to]?.push(id);
    return moved(object(from, id), to, before, { x: chance.below(99) });
  }
  if (chance.once(4) && rest.length > 0) {
    held[from] = rest;
    return remove(object(from, id));
  }
  if (chance.once(4)) {
    const made = idAt(100 + chance.below(1e9));
    present.push(made);
    return withId(create(object(from), { type: 'spot' }), made);
  }
  return placed(object(from, id), chance.pick([null, ...rest]));
}
