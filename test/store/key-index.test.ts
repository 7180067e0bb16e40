/** The index of keys: the same as a search through all members, in forks too; built late, and only if its memory is admitted. */
import t from 'tap';
import { MemoryFullError } from '../../src/lib/errors.ts';
import { weighKey } from '../../src/model/memory-estimate.ts';
import { resourceOf } from '../../src/model/resources.ts';
import type { Value } from '../../src/model/value.ts';
import { Collection } from '../../src/store/collection.ts';
import { KeyIndex } from '../../src/store/indexes/key-index.ts';
import fc from '../support/fast-check.ts';
import { keptLeaves } from '../support/kept-leaves.ts';

const { objects } = resourceOf;
const object = (number: number, key: string): Value => objects.create(`object-${number}`, {}, { type: 'spot', key });

/** A collection of so many objects, whose index is not built. */
function collectionOf(count: number, leafKind = keptLeaves, key = (i: number) => `key ${i}`): Collection {
  const collection = new Collection(objects, leafKind);
  for (let i = 0; i < count; i++) collection.put(object(i + 100_000, key(i)), 1);
  return collection;
}

t.test('the index of a collection and of its forks finds what a search through all members finds', async (t) => {
  const keys = ['', '', 'a', 'b', 'c', '__proto__', 'constructor'];
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), number: fc.nat(6), key: fc.constantFrom(...keys) }),
    fc.record({ kind: fc.constant('delete' as const), number: fc.nat(6) }),
    fc.record({ kind: fc.constant('exchange' as const), number: fc.nat(6), other: fc.nat(6) }),
    fc.record({ kind: fc.constantFrom('fork' as const, 'look' as const) }),
  );
  const find = (collection: Collection, key: string) =>
    [...collection.capture()].find(({ value }) => value['key'] === key)?.value.id;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let collection = new Collection(objects, keptLeaves);
      const keyOf = (number: number) => String(collection.get(`object-${number}`)?.value['key'] ?? '');
      const isSame = () => keys.slice(2).every((key) => collection.idOfKey(key) === find(collection, key));
      for (const one of steps) {
        if (one.kind === 'fork') collection = collection.fork();
        else if (one.kind === 'look' && !isSame()) return false;
        else if (one.kind === 'delete') collection.delete(`object-${one.number}`, 1);
        else if (one.kind === 'put') {
          // As a write would leave it: the key of another object is taken from it first.
          const holder = one.key === '' ? undefined : find(collection, one.key);
          if (holder !== undefined) collection.put(objects.merge(collection.get(holder)?.value as Value, { key: '' }), 1);
          collection.put(object(one.number, one.key), 1);
        } else if (one.kind === 'exchange' && one.number !== one.other) {
          const [key, other] = [keyOf(one.number), keyOf(one.other)];
          collection.put(object(one.number, other), 1);
          collection.put(object(one.other, key), 1);
        }
      }
      return isSame();
    }),
    { numRuns: 300 },
  );
  t.pass();
});

t.test('a deletion and a change of a key in a fork do not build the index of the collection', async (t) => {
  const index = new KeyIndex(() => {
    throw new Error('the collection is indexed');
  });
  index.replace(object(1, 'a'), undefined);
  index.replace(object(2, 'b'), object(2, 'c'));
  t.equal(index.idOf('a'), undefined);
  t.equal(index.idOf('c'), 'object-2');
  const collection = collectionOf(300);
  collection.fork().delete('object-100007', 2);
  t.notOk(collection.isIndexed);
});

t.test('the memory of an index is admitted before it is built, and refused if it does not fit', async (t) => {
  const count = 1000;
  const key = (i: number) => `${'x'.repeat(190)} ${i}`;
  const bytes = Array.from({ length: count }, (_, i) => weighKey(object(i + 100_000, key(i)))).reduce((a, b) => a + b);
  for (const [budget, fits] of [
    [bytes * 0.9, false],
    [bytes * 1.1, true],
  ] as const) {
    let admitted = 0;
    const admitIndex = (more: number) => {
      admitted += more;
      if (admitted > budget) throw new MemoryFullError('full');
    };
    const collection = collectionOf(count, { ...keptLeaves, admitIndex }, key);
    if (fits) {
      t.equal(collection.idOfKey(key(7)), 'object-100007');
      t.equal(admitted, bytes);
    } else t.throws(() => collection.idOfKey(key(7)), MemoryFullError);
    t.equal(collection.isIndexed, fits);
  }
});
