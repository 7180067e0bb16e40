/** Settings of a project as patches, which two editors may send at the same time. */
import t from 'tap';
import type { Members } from '../../src/lib/change/diff.ts';
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
  const both = (mine: Members, theirs: Members) => [true, false].map((isMine) => mergedParts(base, mine, theirs, isMine));
  const all = { labels: 'all', legend: [2] };
  t.strictSame(both({ labels: 'all', legend: [1] }, { labels: 'none', legend: [2] }), [all, all]);
  const dark = { legend: [1], theme: 'dark' };
  t.strictSame(both({ legend: [1] }, { ...base, theme: 'dark' }), [dark, dark], 'a removal');
  const same = { ...base, labels: 'all' };
  t.strictSame(both(same, same), [same, same], 'the same');
  t.strictSame(both(same, { ...base, labels: 'auto' }), [same, { ...base, labels: 'auto' }]);
  t.strictSame(both({ legend: [1] }, { ...base, labels: 'auto' }), [{ legend: [1] }, { ...base, labels: 'auto' }], 'a removal');
  const [mine, theirs] = [
    { labels: 'all', legend: [3] },
    { labels: 'auto', legend: [1], theme: 'dark' },
  ];
  t.strictSame(
    both(mine, theirs),
    [
      { ...mine, theme: 'dark' },
      { ...theirs, legend: [3] },
    ],
    'the parts of one only',
  );
});
