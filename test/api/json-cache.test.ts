/** The JSON cache: its entries equal freshly written JSON, and it stays within its memory limit. */
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { JsonCache } from '../../src/api/crud/json-cache.ts';
import { pageHead, replyList, replyOne } from '../../src/api/crud/render.ts';
import { processHeapMonitor } from '../../src/engine/memory/heap-monitor.ts';
import type { Reply } from '../../src/http/response/reply.ts';
import { projects, resourceOf } from '../../src/model/resources.ts';
import type { Value } from '../../src/model/value.ts';
import { Collection } from '../../src/store/collection.ts';
import { viewAll, viewMember, viewProject } from '../../src/store/list/views.ts';
import { liveLeaves } from '../../src/store/live-leaf.ts';
import type { Member } from '../../src/store/member.ts';
import { StoredProject } from '../../src/store/stored-project.ts';
import fc from '../support/fast-check.ts';
import { keptLeaves } from '../support/kept-leaves.ts';
import { sized } from '../support/tier.ts';

const popups = resourceOf.popups;
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const projectId = idOf(999);

const jsonOf = (reply: Reply) => ('json' in reply ? reply.json : undefined);

function sent(reply: Reply): unknown {
  const json = jsonOf(reply);
  if (json !== undefined) return JSON.parse(json.toString());
  const parts = Array.from(('stream' in reply && reply.stream) || [], (part) => Buffer.from(part));
  return JSON.parse(Buffer.concat(parts).toString());
}

const titles = fc.constantFrom('', 'plain', 'naïve', 'Київ', '東京 🗾', '"quoted" \\ \u2028', 'x'.repeat(3000));
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ step: 'list' as const }) },
    fc.record({ step: fc.constant('get' as const), number: fc.nat(12) }),
    fc.record({ step: fc.constant('put' as const), number: fc.nat(12), title: titles }),
    fc.record({ step: fc.constant('delete' as const), number: fc.nat(12) }),
    fc.constant({ step: 'project' as const }),
    fc.constant({ step: 'clear' as const }),
  ),
  { maxLength: 60 },
);

t.test('cached lists, projects and members equal the current state within the memory limit', async (t) => {
  const holds = () =>
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 3000, 100_000), (todo, bytesMax) => {
        const cache = new JsonCache(bytesMax);
        const project = new StoredProject(
          projectId,
          idOf(998),
          keptLeaves,
          projects.create(projectId, { user_id: '', created: '' }, {}),
        );
        const collection = project.ensureCollection('popups', '');
        let version = 0;
        for (const next of todo) {
          const present = [...collection.capture()].map(({ value }) => value);
          if (next.step === 'put') collection.put(popups.create(idOf(next.number), {}, { title: next.title }), ++version);
          else if (next.step === 'delete') collection.delete(idOf(next.number), ++version);
          else if (next.step === 'clear') cache.clear();
          else if (next.step === 'get') {
            const member = collection.get(idOf(next.number));
            if (member === undefined) continue;
            const reply = replyOne(viewMember(project, popups, member, undefined), undefined, cache, '"1"');
            if (JSON.stringify(sent(reply)) !== JSON.stringify(member.value)) return false;
          } else if (next.step === 'list') {
            const reply = replyList(viewAll(project, collection, undefined), undefined, cache, pageHead('"1"', undefined));
            if (JSON.stringify(sent(reply)) !== JSON.stringify(present)) return false;
          } else {
            const { popups: shown } = sent(replyOne(viewProject(project, undefined), undefined, cache, '"1"')) as {
              popups: unknown;
            };
            if (JSON.stringify(shown) !== JSON.stringify(present)) return false;
          }
          if (cache.bytes > bytesMax) return false;
        }
        cache.clear();
        return cache.bytes === 0;
      }),
      { numRuns: sized({ sample: 60, all: 300 }) },
    );
  t.doesNotThrow(holds);
});

t.test('an unchanged list is served from the cache, a changed one is written again', async (t) => {
  const cache = new JsonCache(100_000);
  const project = new StoredProject(
    projectId,
    idOf(998),
    keptLeaves,
    projects.create(projectId, { user_id: '', created: '' }, {}),
  );
  const collection = project.ensureCollection('popups', '');
  for (let i = 0; i < 3; i++) collection.put(popups.create(idOf(i), {}, {}), i + 1);
  const list = () => replyList(viewAll(project, collection, undefined), undefined, cache, pageHead('"1"', undefined));
  t.equal(jsonOf(list()), undefined, 'the first time it is written as it is made');
  const kept = jsonOf(list());
  t.type(kept, Buffer);
  t.equal(jsonOf(list()), kept);
  const held = cache.bytes;
  t.ok(held > (kept as Buffer).length);
  collection.put(popups.create(idOf(1), {}, { title: 'new' }), 4);
  t.equal(jsonOf(list()), undefined);
  t.match(sent(list()), [{}, { title: 'new' }, {}]);
});

t.test('a list with more members than one slice is never cached', async (t) => {
  const cache = new JsonCache(100_000_000);
  const project = new StoredProject(
    projectId,
    idOf(998),
    keptLeaves,
    projects.create(projectId, { user_id: '', created: '' }, {}),
  );
  const collection = project.ensureCollection('popups', '');
  for (let i = 0; i <= 1000; i++) collection.put(popups.create(idOf(i), {}, {}), i + 1);
  for (let times = 0; times < 3; times++) {
    const reply = replyList(viewAll(project, collection, undefined), undefined, cache, pageHead('"1"', undefined));
    t.equal(jsonOf(reply), undefined);
    t.equal((sent(reply) as unknown[]).length, 1001);
  }
});

t.test('a list of few large members is never cached and is written in slices', async (t) => {
  const cache = new JsonCache(100_000_000);
  const project = new StoredProject(
    projectId,
    idOf(998),
    keptLeaves,
    projects.create(projectId, { user_id: '', created: '' }, {}),
  );
  const collection = project.ensureCollection('popups', '');
  const content = 'x'.repeat(400_000);
  for (let i = 0; i < 4; i++) collection.put(popups.create(idOf(i), {}, { content }), i + 1);
  for (let times = 0; times < 4; times++) {
    const reply = replyList(viewAll(project, collection, undefined), undefined, cache, pageHead('"1"', undefined));
    t.equal(jsonOf(reply), undefined);
    t.equal((sent(reply) as unknown[]).length, 4);
    t.equal(jsonOf(replyOne(viewProject(project, undefined), undefined, cache, '"1"')), undefined);
  }
});

t.test('a replaced value is collected while its JSON is still cached', async (t) => {
  const cache = new JsonCache(100_000_000);
  const collection = new Collection(popups, keptLeaves);
  const value = new WeakRef(popups.create(idOf(1), {}, { title: 'one' }));
  collection.put(value.deref() as Value, 1);
  cache.json(popups, collection.get(idOf(1)) as Member);
  for (let times = 0; times < 3; times++) cache.list(popups, collection.capture());
  collection.put(popups.create(idOf(1), {}, { title: 'two' }), 2);
  const { bytes } = cache;
  await setImmediate(); // what a WeakRef gave out is held until the turn ends
  processHeapMonitor.collect();
  t.equal(value.deref(), undefined);
  t.equal(cache.bytes, bytes);
});

t.test('a member that is decoded for one read adds nothing to the cache', async (t) => {
  const cache = new JsonCache(100_000_000);
  const collection = new Collection(popups, liveLeaves({ keep: () => false, onOverBudget: (leaf) => leaf.pack() }));
  for (let i = 0; i < 10; i++) collection.put(popups.create(idOf(i), {}, { title: `number ${i}` }), i + 1);
  for (const leaf of collection.leaves) leaf.pack();
  for (let times = 0; times < 3; times++) {
    t.match(JSON.parse(cache.json(popups, collection.get(idOf(3)) as Member)), { title: 'number 3' });
    for (const member of collection.page(-1, 10).members) cache.json(popups, member);
  }
  t.equal(cache.bytes, 0);
});
