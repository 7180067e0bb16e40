/** Optional members: absent from values and rows while they have their defaults. */

import t from 'tap';
import { sameJson } from '../../src/lib/change/same-json.ts';
import { memberBytes, weigh } from '../../src/model/memory-estimate.ts';
import { namedIn, referencesIn, withReferences } from '../../src/model/references/references.ts';
import { actions, objects } from '../../src/model/resources.ts';
import { pack, RecordFormatError, unpack } from '../../src/model/stored.ts';
import type { Value } from '../../src/model/value.ts';

const spot = { type: 'spot' };
const always = actions.fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
const optionalIn = ({ object_ids, popup_id, interactive }: Value) =>
  JSON.parse(JSON.stringify({ object_ids, popup_id, interactive })) as object;
const stored = (value: Value, { toRow, fromRow } = actions) => fromRow(unpack(pack(toRow(value))));

t.test('a value with defaults has no optional members', async (t) => {
  for (const body of [{}, { object_ids: [] }, { popup_id: '' }, { object_ids: [], popup_id: '' }]) {
    const value = actions.create('a', {}, body);
    t.strictSame(Reflect.ownKeys(value), ['id', ...always]);
    t.strictSame(actions.toRow(value), ['a'], 'nor has its row');
    t.strictSame(stored(value), value);
  }
  const plain = objects.create('o', {}, { ...spot, interactive: true });
  t.notOk('interactive' in plain);
  t.strictSame(objects.toRow(plain), ['o', null, 0]);
});

t.test('an optional member is stored, survives other changes, and is removed by its default', async (t) => {
  const value = actions.create('a', {}, { type: 'modify-popup', popup_id: 'p', name: 'named' });
  t.strictSame(optionalIn(value), { popup_id: 'p' });
  t.strictSame(actions.toRow(value), ['a', 6, 'named', ...Array(always.length - 2).fill(null), null, 'p']);
  t.strictSame(stored(value), value);

  t.strictSame(optionalIn(actions.merge(value, { name: 'other' })), { popup_id: 'p' });
  t.notOk(sameJson(value, actions.merge(value, { popup_id: 'q' })), 'a change of it is one');
  t.ok(sameJson(value, actions.merge(value, { object_ids: [] })));
  const both = actions.merge(value, { object_ids: ['x', 'y'] });
  t.strictSame(Object.keys(both), ['id', ...always, 'object_ids', 'popup_id'], 'in the order of the declaration');
  t.strictSame(stored(both), both);
  const gone = actions.merge(both, { object_ids: [], popup_id: '' });
  t.strictSame(optionalIn(gone), {});
  t.strictSame(stored(gone), gone);

  const other = { otherwise: { style_color: { type: 'custom' } }, style_icon: { name: 'icon', type: 'custom', value: '' } };
  const styled = actions.create('a', {}, other);
  t.match(stored(styled), other);
  const plain = actions.merge(styled, { otherwise: {}, style_icon: { name: 'icon', type: 'current-value' } });
  t.strictSame(Object.keys(plain), ['id', ...always], 'an object that equals the default is absent, too');

  const inert = objects.create('o', {}, { ...spot, interactive: false });
  t.strictSame(optionalIn(stored(inert, objects)), { interactive: false });
});

t.test('rows with invalid optional members are damage', async (t) => {
  const row = (...end: unknown[]) => ['a', ...Array(always.length).fill(null), ...end];
  t.strictSame(actions.fromRow(row(null, null)), actions.create('a', {}, {}));
  for (const end of [['["x"]', 'p', 0], [5], ['{}'], ['x'], [['x']], [null, 5]]) {
    t.throws(() => actions.fromRow(row(...end)), RecordFormatError, JSON.stringify(end));
  }
  t.throws(() => actions.fromRow(['a', 7]), RecordFormatError, 'an unknown type');
  const first = objects.fields.findIndex(({ name }) => name === 'interactive');
  t.equal(objects.fields[first + 1]?.name, 'key');
  const object = (...end: unknown[]) => ['o', null, 0, ...Array(first - 2).fill(null), ...end];
  const tooLong = Array(objects.fields.length - first + 1).fill(null);
  t.strictSame(optionalIn(objects.fromRow(object(false, 'k'))), { interactive: false });
  t.equal(objects.fromRow(object(null, 'k'))['key'], 'k');
  for (const end of [['yes'], [null, 5], tooLong]) {
    t.throws(() => objects.fromRow(object(...end)), RecordFormatError, JSON.stringify(end));
  }
});

t.test('references in optional members are found and replaced', async (t) => {
  const value = actions.create('a', {}, { object_id: 'o', object_ids: ['x', '', 'y'], popup_id: 'p' });
  const seen = (of: Readonly<Record<string, unknown>>) =>
    [...referencesIn(actions, of)].map(({ pointer, collection, id }) => [pointer, collection, id]);
  t.strictSame(seen(value), [
    ['/object_id', 'objects', 'o'],
    ['/object_ids/0', 'objects', 'x'],
    ['/object_ids/2', 'objects', 'y'],
    ['/popup_id', 'popups', 'p'],
  ]);
  t.strictSame(seen({ object_ids: [5, null, 'z'], popup_id: 5 }), [['/object_ids/2', 'objects', 'z']]);
  t.strictSame(seen({ object_id: ['x'], object_ids: 'x' }), [], 'nor a list where one belongs, or one where a list does');

  const renamed = withReferences(actions, value, (id, { pointer }) => `${id}@${pointer}`);
  t.match(renamed, { object_id: 'o@/object_id' });
  t.strictSame(optionalIn(renamed), { object_ids: ['x@/object_ids/0', '', 'y@/object_ids/2'], popup_id: 'p@/popup_id' });
  t.strictSame(Object.keys(renamed), Object.keys(value), 'in the same order');
  t.strictSame(optionalIn(value), { object_ids: ['x', '', 'y'], popup_id: 'p' }, 'the value itself stays as it is');
  const body = { object_ids: ['x', 'y'] };
  t.strictSame(
    withReferences(actions, body, (id) => (id === 'y' ? 'z' : id)),
    { object_ids: ['x', 'z'] },
  );
  t.equal(
    withReferences(actions, body, (id) => id),
    body,
  );

  const before = namedIn(value);
  const moved = referencesIn(actions, { object_ids: ['y', 'new'], popup_id: 'x' });
  t.strictSame([...moved].map(before), [true, false, false], 'wherever in the list, but in no other member');
});

t.test('a long list in an optional member counts as memory', async (t) => {
  const light = actions.create('a', {}, {});
  const heavy = actions.create('a', {}, { object_ids: Array.from({ length: 1000 }, (_, i) => `identifier ${i}`) });
  for (const weight of [weigh, (value: Value) => actions.weighMember(value) - memberBytes])
    t.ok(weight(heavy) - weight(light) > 1000 * 16, `${weight(heavy)}, ${weight(light)}`);
});

t.test('stored properties are parsed when they are shown, and are damage if they are no named values', async (t) => {
  const at = objects.fields.findIndex(({ name }) => name === 'properties');
  const row = (properties: unknown) => ['o', null, 0, ...Array(at - 2).fill(null), properties];
  const shown = (text: string) => objects.json(objects.fromRow(row(text)));
  t.match(shown('{"a":1}'), /"properties":\{"a":1\}/);
  t.throws(() => objects.fromRow(row(5)), RecordFormatError, 'no text');
  for (const text of ['', '{', '[]', 'null', '{"a":null}', '{"a":[1]}', '{"a":{"b":1}}'])
    t.throws(() => shown(text), RecordFormatError, text);
});
