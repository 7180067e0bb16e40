// process: own
/** The memory budget, with figures that the test chooses: which growth is refused, when garbage is collected, when refusals end. */
import t from 'tap';
import { createKey, revokeKey } from '../../src/engine/keys.ts';
import { memoryGrowth } from '../../src/engine/memory/change-estimate.ts';
import { type HeapMonitor, processHeapMonitor } from '../../src/engine/memory/heap-monitor.ts';
import { amplificationMax, MemoryBudget, memoryBytesDefault, memoryBytesMax } from '../../src/engine/memory/memory-budget.ts';
import { draftOf, importProject } from '../../src/engine/projects/project-writer.ts';
import { MemoryFullError } from '../../src/lib/errors.ts';
import { memberBytes, weigh, weighKey } from '../../src/model/memory-estimate.ts';
import { resourceOf } from '../../src/model/resources.ts';
import type { Value } from '../../src/model/value.ts';
import { findProject } from '../../src/store/find.ts';
import type { Leaf } from '../../src/store/leaf.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { create, done, dump, member, project, remove, update } from '../support/engine.ts';
import { held } from './held-journal.ts';

/** A process whose memory is two numbers. */
class MadeUp implements HeapMonitor {
  needed = 0;
  garbage = 0;
  collections = 0;
  #collected: (() => void) | undefined;

  get watched(): boolean {
    return this.#collected !== undefined;
  }

  used(): number {
    return this.needed + this.garbage;
  }

  collect(): void {
    this.collections++;
    this.garbage = 0;
  }

  onCollected(callback: () => void): () => void {
    this.#collected = callback;
    return () => {
      this.#collected = undefined;
    };
  }

  /** V8 collects by itself. */
  byItself(): void {
    this.garbage = 0;
    this.#collected?.();
  }
}

const budget = 1_000_000;
const never = () => {
  throw new Error('it was weighed');
};

function made(needed = 0, garbage = 0) {
  const meter = new MadeUp();
  meter.needed = needed;
  meter.garbage = garbage;
  return { meter, memory: new MemoryBudget(budget, meter) };
}

t.test('no member is weighed and no garbage collected while memory use is far below the budget', async (t) => {
  const { meter, memory } = made();
  for (let i = 0; i < 95; i++) {
    memory.admit(300, never);
    meter.needed += 5000;
    if (memory.boundBytes < meter.needed) throw new Error('what is needed is more than the bound');
  }
  t.equal(meter.collections, 0);
  t.notOk(memory.takeFullFlag());
});

t.test('growth is refused before memory use exceeds the budget, also within one turn of the event loop', async (t) => {
  const { meter, memory } = made();
  let admitted = 0;
  t.throws(() => {
    for (;;) {
      // No turn of the event loop in between, and memory seems to stay as it was.
      memory.admit(10_000, () => 60_000);
      admitted++;
      meter.needed += 60_000;
    }
  }, MemoryFullError);
  t.ok(admitted >= 15, `${admitted} were let in first`);
  t.ok(meter.needed <= budget);
  t.ok(memory.takeFullFlag());
});

t.test('garbage alone causes no refusal', async (t) => {
  const { meter, memory } = made(500_000, 5_000_000);
  memory.admit(10_000, () => 60_000);
  t.equal(meter.collections, 1, 'the truth was asked for');
  meter.garbage = 5_000_000;
  for (let i = 0; i < 7; i++) memory.admit(10_000, () => 60_000);
  t.equal(meter.collections, 1, 'and is known from then on');
  t.notOk(memory.takeFullFlag());
});

t.test('collections that V8 starts by itself update the estimate of memory use', async (t) => {
  const { meter, memory } = made(600_000, 300_000);
  t.notOk(meter.watched, 'far from the budget they are not watched');
  memory.admit(10_000, () => 60_000);
  t.ok(meter.watched);
  meter.byItself();
  memory.admit(10_000, () => 300_000);
  t.equal(meter.collections, 0);
  meter.needed = 100_000;
  meter.byItself();
  t.notOk(meter.watched, 'nor when little is needed again');
});

t.test('changes that do not grow memory are accepted above the budget', async (t) => {
  const { meter, memory } = made(5_000_000);
  memory.admit(100_000, () => 0);
  memory.admit(100_000, () => -5);
  t.throws(() => memory.admit(1, () => 1), MemoryFullError);
  t.throws(() => memory.refuseUnlessFits(1), MemoryFullError);
  t.equal(meter.collections, 1, 'not once for each refusal');
});

t.test('the full state ends after a deletion, without a request that grows memory', async (t) => {
  const { meter, memory } = made(1_200_000);
  t.throws(() => memory.admit(1, () => 1), MemoryFullError);
  t.ok(memory.takeFullFlag());
  memory.admit(100, () => -700_000);
  meter.needed -= 700_000;
  meter.garbage += 700_000;
  t.ok(memory.takeFullFlag(), 'too soon to look again');
  const { now } = performance;
  t.teardown(() => {
    performance.now = now;
  });
  performance.now = () => now.call(performance) + 60_000;
  t.notOk(memory.takeFullFlag());
  t.equal(meter.collections, 2);
  memory.admit(10_000, () => 60_000);
});

t.test('no garbage is collected to end the full state if nothing was deleted', async (t) => {
  const { meter, memory } = made(1_200_000);
  t.throws(() => memory.admit(1, () => 1), MemoryFullError);
  const { now } = performance;
  t.teardown(() => {
    performance.now = now;
  });
  performance.now = () => now.call(performance) + 60_000;
  t.ok(memory.takeFullFlag());
  t.ok(memory.takeFullFlag());
  t.equal(meter.collections, 1);
});

t.test('each refusal sets the full flag until it is read, also if smaller changes still fit', async (t) => {
  const { memory } = made(900_000);
  t.throws(() => memory.refuseUnlessFits(200_000), MemoryFullError);
  t.ok(memory.takeFullFlag());
  t.notOk(memory.takeFullFlag());
});

t.test('caches are emptied before growth is refused', async (t) => {
  const { meter, memory } = made(1_200_000);
  memory.onPressure(() => {
    meter.needed = 100_000;
  });
  memory.admit(10_000, () => 60_000);
  t.notOk(memory.takeFullFlag());
});

t.test('cached values are kept only while memory use is well below the budget', async (t) => {
  const { meter, memory } = made(800_000);
  t.ok(memory.keep(1000, 5000));
  meter.needed += 30_000;
  t.notOk(memory.keep(1000, 5000), `${amplificationMax} times that would come too close`);
  t.notOk(memory.keepExactly(30_000));
  const packed: string[] = [];
  memory.onOverBudget({ pack: () => packed.push('one') } as unknown as Leaf);
  t.strictSame(packed, []);
  memory.repackLeaves();
  memory.repackLeaves();
  t.strictSame(packed, ['one'], 'once');
});

t.test('the heap monitor of a real process counts live objects and buffers, not garbage', async (t) => {
  const kept = Array.from({ length: 100_000 }, (_, i) => ({ i }));
  processHeapMonitor.collect();
  const before = processHeapMonitor.used();
  let garbage: unknown = Array.from({ length: 500_000 }, (_, i) => ({ i }));
  const with_ = processHeapMonitor.used();
  t.ok(with_ > before + 10_000_000);
  t.ok(garbage !== undefined);
  garbage = undefined;
  processHeapMonitor.collect();
  t.ok(processHeapMonitor.used() < before + 5_000_000);
  t.equal(kept.length, 100_000);
  const buffer = Buffer.alloc(50_000_000);
  t.ok(processHeapMonitor.used() > before + 45_000_000, 'buffers count');
  t.equal(buffer.length, 50_000_000);
});

t.test('the default budget is below the memory of the machine and leaves room for V8', async (t) => {
  t.ok(memoryBytesDefault() < memoryBytesMax());
  t.equal(memoryBytesDefault(256 * 1024 * 1024), 128 * 1024 * 1024);
});

t.test('the estimate of a member is never below its size in V8', async (t) => {
  const objects = resourceOf.objects;
  const id = (i: number) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
  const bodies: Record<string, (i: number) => object> = {
    'warm up': () => ({ type: 'spot' }),
    'nothing but defaults': () => ({ type: 'spot' }),
    'a polygon': (i) => ({ type: 'poly', coords: Array.from({ length: 30 }, (_, j) => ({ x: i + j / 7, y: j })) }),
    'a long text': (i) => ({ type: 'spot', name: `${i} `.repeat(300) }),
    'another alphabet': (i) => ({ type: 'spot', name: `${i} \u0436`.repeat(300) }),
  };
  for (const [what, body] of Object.entries(bodies)) {
    const count = 5000;
    const make = (i: number) => objects.create(id(i), {}, JSON.parse(JSON.stringify(body(i))));
    const members: Value[] = new Array(count).fill(make(0));
    processHeapMonitor.collect();
    const before = processHeapMonitor.used();
    for (let i = 0; i < count; i++) members[i] = make(i);
    processHeapMonitor.collect();
    const real = (processHeapMonitor.used() - before) / count;
    const weight = members.reduce((sum, value) => sum + weigh(value), 0) / count;
    if (what === 'warm up') continue;
    t.ok(weight >= real * 0.95, `${what}: weighs ${weight}, takes ${Math.round(real)}`);
    t.ok(weight <= real * 2 + 500, `${what}: and not much more`);
  }
});

t.test('a full engine refuses growth without a trace; deletions, reads and shrinking changes go on', async (t) => {
  const meter = new MadeUp();
  const world = await held(new MemoryBudget(budget, meter));
  const { engine, journal, accountId } = world;
  const settle = <T>(work: Promise<T>) => journal.settle(work);
  const id = await settle(done(engine, create(project(accountId), { name: 'before', popups: [{ title: 'x'.repeat(500) }, {}] })));
  const popup = await settle(done(engine, create(member(accountId, id, 'popups'), { title: 'y' })));
  meter.needed = budget + 1;
  // Memory that is not counted is noticed when half of the budget is.
  engine.memory.admit(budget, () => 0);
  const before = dump(engine.state);
  const logged = journal.records.length;
  const grows = [
    create(project(accountId), {}),
    create(member(accountId, id, 'popups'), {}),
    update(project(accountId, id), { name: 'x'.repeat(1000) }),
    update(project(accountId, id), { popups: Array.from({ length: 10 }, () => ({})) }),
    update(member(accountId, id, 'popups', popup), { title: 'z'.repeat(100) }),
  ];
  for (const command of grows) await t.rejects(done(engine, command), MemoryFullError);
  t.equal(dump(engine.state), before);
  t.equal(journal.records.length, logged);
  t.notOk(engine.reader.read((state) => findProject(state, accountId, id)) instanceof Promise, 'reads go on');
  await settle(done(engine, update(project(accountId, id), { name: 'after!' })));
  await settle(done(engine, update(project(accountId, id), { popups: [{ title: 'x'.repeat(400) }] })));
  const { id: key } = await settle(createKey(engine, 'ann'));
  t.ok(await settle(revokeKey(engine, key)), 'a key can always be revoked');
  await settle(done(engine, remove(project(accountId, id))));
  meter.needed = 10_000;
  meter.byItself();
  await settle(done(engine, create(project(accountId), {})));
});

t.test('growth is the size of the new members minus the replaced and deleted ones, with their objects', async (t) => {
  const { engine, journal, accountId } = await held();
  const settle = <T>(work: Promise<T>) => journal.settle(work);
  const objects = Array.from({ length: 10 }, () => ({ type: 'spot' }));
  const id = await settle(done(engine, create(project(accountId), { artboards: [{ name: 'a', objects }] })));
  const { value: found } = findProject(engine.state, accountId, id);
  const [artboard] = [...(found?.collection('artboards', '')?.capture() ?? [])];
  const path = { accountId, projectId: id, collection: 'artboards', parentId: '' } as const;
  const value = artboard?.value as NonNullable<typeof artboard>['value'];
  t.equal(memoryGrowth(engine.state, [{ op: 'put', path, values: [value] }]), 0, 'the same again');
  const gone = memoryGrowth(engine.state, [{ op: 'delete', path, ids: [value.id] }]);
  const spots = [...(found?.collection('objects', value.id)?.capture() ?? [])];
  t.ok(-gone > weigh(value) + spots.reduce((sum, spot) => sum + weigh(spot.value), 0));
  const fresh = { ...value, id: `${value.id.slice(0, -1)}x` };
  t.ok(memoryGrowth(engine.state, [{ op: 'put', path, values: [fresh] }]) > weigh(value));
  t.equal(memoryGrowth(engine.state, [{ op: 'order', path, ids: [value.id] }]), 0);
  const onBoard = { ...path, collection: 'objects', parentId: value.id } as const;
  const values = spots.map((spot) => spot.value);
  const [first] = values as [Value];
  const again: Change[] = [
    { op: 'delete', path, ids: [value.id] },
    { op: 'put', path, values: [value] },
    { op: 'put', path: onBoard, values },
  ];
  t.equal(memoryGrowth(engine.state, again), 0, 'deleted, and created again with the same identifiers');
  const move: Change = {
    op: 'move',
    path: { ...onBoard, parentId: 'other' },
    value: first,
    fromArtboard: value.id,
    before: null,
  };
  t.equal(
    memoryGrowth(engine.state, [move, { op: 'delete', path, ids: [value.id] }]) - gone,
    weigh(first) + memberBytes,
    'moved before',
  );
});

t.test('an index of keys counts: when it is built, and when objects with keys are put and deleted', async (t) => {
  const { memory } = made(100_000);
  t.throws(() => memory.leafKind.admitIndex?.(budget), MemoryFullError);
  const before = memory.boundBytes;
  memory.leafKind.admitIndex?.(0);
  t.equal(memory.boundBytes, before);

  const { engine, journal, accountId } = await held();
  const settle = <T>(work: Promise<T>) => journal.settle(work);
  const objects = [{ type: 'spot', key: 'k'.repeat(200) }];
  const id = await settle(done(engine, create(project(accountId), { artboards: [{ objects }] })));
  const { value: found } = findProject(engine.state, accountId, id);
  const [artboard] = [...(found?.collection('artboards', '')?.capture() ?? [])];
  const parentId = artboard?.value.id as string;
  const collection = found?.collection('objects', parentId);
  const [object] = [...(collection?.capture() ?? [])];
  const value = object?.value as Value;
  const path = { accountId, projectId: id, collection: 'objects', parentId } as const;
  const growths = () => [
    memoryGrowth(engine.state, [{ op: 'put', path, values: [{ ...value, id: 'x', key: 'l'.repeat(200) }] }]),
    memoryGrowth(engine.state, [{ op: 'put', path, values: [{ ...value, key: '' }] }]),
    memoryGrowth(engine.state, [{ op: 'delete', path, ids: [value.id] }]),
  ];
  const [put = 0, changed = 0, deleted = 0] = growths();
  t.equal(collection?.idOfKey('k'.repeat(200)), value.id);
  const [putThen = 0, changedThen = 0, deletedThen = 0] = growths();
  const bytes = weighKey(value);
  t.ok(bytes > 250, `${bytes} bytes`);
  t.strictSame([putThen - put - bytes < 64, changed - changedThen, deleted - deletedThen], [true, bytes, bytes]);
  t.ok(putThen > put);
});

t.test('memory held for an unfinished build counts until it is released', async (t) => {
  const { meter, memory } = made(100_000);
  memory.hold(600_000);
  t.throws(() => memory.hold(400_000), MemoryFullError, 'two are not to have the same room');
  t.throws(() => memory.refuseUnlessFits(400_000), MemoryFullError);
  memory.refuseUnlessFits(200_000);
  memory.release(600_000);
  memory.hold(800_000);
  memory.release(800_000);
  meter.needed = 100_000;
  memory.refuseUnlessFits(800_000);
  t.pass('and no longer');
});

t.test('an import larger than the free memory is refused while it is built', async (t) => {
  const { meter, memory } = made();
  const { engine, journal, accountId } = await held(memory);
  const popups = Array.from({ length: 2000 }, (_, i) => ({ title: `${i}`, content: 'x'.repeat(300) }));
  const document = Buffer.from(JSON.stringify({ format: 'mapwright-project', version: 1, project: { popups } }));
  const read = () => {
    const draft = draftOf(engine, { accountId, by: '' }, 1024 * 1024);
    draft.write(document);
    draft.end();
    return importProject(engine, draft, { show: () => 'made' });
  };
  const { length } = journal.records;
  meter.needed = 500_000;
  await t.rejects(read(), MemoryFullError);
  t.equal(journal.records.length, length);
  meter.needed = 0;
  meter.garbage = 0;
  memory.refuseUnlessFits(900_000);
  t.pass('and what it took is free again');
});
