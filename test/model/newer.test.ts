/** What only the newer original knows: aside in a value, at the end of a row, and nowhere while it has its defaults. */
import t from 'tap';
import { memberBytes, weigh } from '../../src/model/memory-estimate.ts';
import { namedIn, referencesIn, withReferences } from '../../src/model/references.ts';
import { representationOf, sameValue } from '../../src/model/resource.ts';
import { actions, objects, popups, projects, resourceOf } from '../../src/model/resources.ts';
import { pack, RecordFormatError, unpack } from '../../src/model/stored.ts';
import { extension, type Value } from '../../src/model/value.ts';

const spot = { type: 'spot' };
const aside = (value: Value) => value[extension];
const stored = (value: Value, { toRow, fromRow } = actions) => fromRow(unpack(pack(toRow(value))));

t.test('a value that has none of it is what it always was', async (t) => {
  for (const body of [{}, { object_ids: [] }, { popup_id: '' }, { object_ids: [], popup_id: '' }]) {
    const value = actions.create('a', {}, body);
    t.strictSame(Reflect.ownKeys(value), ['id', ...actions.fields.map(({ name }) => name)]);
    t.strictSame(actions.toRow(value), ['a'], 'the same row');
    t.strictSame(stored(value), value);
  }
  const plain = objects.create('o', {}, { ...spot, interactive: true });
  t.equal(aside(plain), undefined);
  t.strictSame(objects.toRow(plain), ['o', null, 0]);
});

t.test('it goes through a row, through changes, and away again', async (t) => {
  const value = actions.create('a', {}, { type: 'modify-popup', popup_id: 'p', name: 'named' });
  t.strictSame(aside(value), { object_ids: [], popup_id: 'p' });
  t.equal(JSON.stringify(value), JSON.stringify(actions.create('a', {}, { type: 'modify-popup', name: 'named' })));
  t.strictSame(actions.toRow(value), ['a', 6, 'named', ...Array(actions.fields.length - 2).fill(null), null, 'p']);
  t.strictSame(stored(value), value);

  const renamed = actions.merge(value, { name: 'other' });
  t.strictSame(aside(renamed), aside(value), 'it stays when something else changes');
  t.notOk(sameValue(actions, value, actions.merge(value, { popup_id: 'q' })), 'a change of it is one');
  t.ok(sameValue(actions, value, actions.merge(value, { object_ids: [] })));
  const both = actions.merge(value, { object_ids: ['x', 'y'] });
  t.strictSame(aside(both), { object_ids: ['x', 'y'], popup_id: 'p' });
  t.strictSame(stored(both), both);
  const gone = actions.merge(both, { object_ids: [], popup_id: '' });
  t.equal(aside(gone), undefined);
  t.strictSame(stored(gone), gone);
  t.strictSame(aside({ ...both, id: 'b' }), aside(both), 'a copy has it as well');

  const dull = objects.create('o', {}, { ...spot, interactive: false });
  t.strictSame(aside(stored(dull, objects)), { interactive: false });
});

t.test('a representation shows the members that it knows', async (t) => {
  const value = actions.create('a', {}, { object_ids: ['x'] });
  t.equal(representationOf(actions, 'contract').shown(value), value);
  const shown = representationOf(actions, 'latest').shown(value);
  t.strictSame(Reflect.ownKeys(shown), ['id', ...actions.fields.map(({ name }) => name), 'object_ids', 'popup_id']);
  t.match(shown, { object_ids: ['x'], popup_id: '' });
  t.strictSame(representationOf(actions, 'latest').members, Object.keys(shown));
  t.match(representationOf(objects, 'latest').shown(objects.create('o', {}, spot)), { interactive: true });
  for (const resource of [projects, popups, resourceOf.variables]) t.equal(resource.latest, resource, 'the same for both');
});

t.test('rows that nobody wrote', async (t) => {
  const row = (...end: unknown[]) => ['a', ...Array(actions.fields.length).fill(null), ...end];
  t.strictSame(actions.fromRow(row(null, null)), actions.create('a', {}, {}));
  for (const end of [['["x"]', 'p', 0], [5], ['{}'], ['x'], [['x']], [null, 5]]) {
    t.throws(() => actions.fromRow(row(...end)), RecordFormatError, JSON.stringify(end));
  }
  t.throws(() => actions.fromRow(['a', 7]), RecordFormatError, 'a type that there is not');
  t.throws(() => objects.fromRow(['o', null, 0, ...Array(objects.fields.length - 2).fill(null), 'yes']), RecordFormatError);
});

t.test('references, one by one', async (t) => {
  const value = actions.create('a', {}, { object_id: 'o', object_ids: ['x', '', 'y'], popup_id: 'p' });
  const { latest } = actions;
  const seen = (resource: typeof latest, of: Readonly<Record<string, unknown>>) =>
    [...referencesIn(resource, of)].map(({ pointer, collection, id }) => [pointer, collection, id]);
  const all = [
    ['/object_id', 'objects', 'o'],
    ['/object_ids/0', 'objects', 'x'],
    ['/object_ids/2', 'objects', 'y'],
    ['/popup_id', 'popups', 'p'],
  ];
  t.strictSame(seen(latest, value), all);
  t.strictSame(seen(latest, latest.shown(value)), all, 'in a body as in a value');
  t.strictSame(seen(actions, value), all.slice(0, 1), 'by the contract there is one');
  t.strictSame(seen(latest, { object_ids: [5, null, 'z'], popup_id: 5 }), [['/object_ids/2', 'objects', 'z']]);
  t.strictSame(seen(latest, { object_id: ['x'], object_ids: 'x' }), [], 'nor a list where one belongs, or one where a list does');

  const renamed = withReferences(latest, value, (id, { pointer }) => `${id}@${pointer}`);
  t.match(renamed, { object_id: 'o@/object_id' });
  t.strictSame(aside(renamed), { object_ids: ['x@/object_ids/0', '', 'y@/object_ids/2'], popup_id: 'p@/popup_id' });
  t.strictSame(Object.keys(renamed), Object.keys(value), 'nothing comes to stand among the members');
  const body = { object_ids: ['x', 'y'] };
  t.strictSame(
    withReferences(latest, body, (id) => (id === 'y' ? 'z' : id)),
    { object_ids: ['x', 'z'] },
  );
  t.equal(
    withReferences(latest, body, (id) => id),
    body,
  );
  t.strictSame(aside(value), { object_ids: ['x', '', 'y'], popup_id: 'p' }, 'the value itself stays as it is');

  const before = namedIn(value);
  const moved = referencesIn(latest, { object_ids: ['y', 'new'], popup_id: 'x' });
  t.strictSame([...moved].map(before), [true, false, false], 'wherever in the list, but in no other member');
});

t.test('it weighs', async (t) => {
  const light = actions.create('a', {}, {});
  const heavy = actions.create('a', {}, { object_ids: Array.from({ length: 1000 }, (_, i) => `identifier ${i}`) });
  for (const weight of [weigh, (value: Value) => actions.weighMember(value) - memberBytes])
    t.ok(weight(heavy) - weight(light) > 1000 * 16, `${weight(heavy)}, ${weight(light)}`);
});
