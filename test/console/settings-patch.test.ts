/** Settings of a project as patches, which two editors may send at the same time. */
import t from 'tap';
import { mergedParts, patchBetween } from '../../src/lib/change/value-parts.ts';
import { bodyOfPatch } from '../../src/model/bodies/merge-patch.ts';
import { projects } from '../../src/model/resources.ts';
import fc from '../support/fast-check.ts';

const settings = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(
    fc.integer({ min: 0, max: 2 }),
    fc.constant([1]),
    fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(fc.integer({ min: 0, max: 1 }), fc.constant({ z: 1 }))),
  ),
);
/** As the server carries it out. */
const patched = (before: object, patch: object) =>
  bodyOfPatch(projects, { id: 'p', settings: before }, { settings: patch }, () => undefined)['settings'];

t.test('a patch makes of one what the other is, and says nothing of what is equal', async (t) => {
  fc.assert(
    fc.property(settings, settings, (before, after) => {
      const patch = patchBetween(before, after);
      t.ok(patch);
      t.same(patched(before, patch as object), after);
      t.same(patchBetween(after, after), {});
    }),
  );
  t.equal(patchBetween({}, { a: null }), undefined, 'a patch cannot write null');
  t.equal(patchBetween({ a: { b: 1 } }, { a: { b: null } }), undefined);
  t.strictSame(patchBetween({ a: null }, { a: null, b: 1 }), { b: 1 }, 'one that is there already stays');
});

t.test('changes of different settings are both kept, and of the same one are a conflict', async (t) => {
  const base = { labels: 'none', legend: [1] };
  t.strictSame(mergedParts(base, { labels: 'all', legend: [1] }, { labels: 'none', legend: [2] }), {
    labels: 'all',
    legend: [2],
  });
  t.strictSame(mergedParts(base, { legend: [1] }, { ...base, theme: 'dark' }), { legend: [1], theme: 'dark' }, 'a removal');
  t.strictSame(mergedParts(base, { ...base, labels: 'all' }, { ...base, labels: 'all' }), { ...base, labels: 'all' }, 'the same');
  t.equal(mergedParts(base, { ...base, labels: 'all' }, { ...base, labels: 'auto' }), undefined);
  t.equal(mergedParts(base, { legend: [1] }, { ...base, labels: 'auto' }), undefined, 'a removal and a change');
});
