/** References of a value: found by the declarations of its resource, and rewritten. */
import t from 'tap';
import { referencesIn, withReferences } from '../../src/model/references/references.ts';
import { actions, objects, popups, projects, resourceOf, variables } from '../../src/model/resources.ts';

t.test('every declared reference is found, with the collection of its target', async (t) => {
  const value = variables.create('v', {}, { data_source_id: 'd', color_interpolation_factor_variable_id: 'f' });
  t.strictSame(
    [...referencesIn(variables, value)],
    [
      { member: 'data_source_id', pointer: '/data_source_id', collection: 'data_sources', id: 'd' },
      {
        member: 'color_interpolation_factor_variable_id',
        pointer: '/color_interpolation_factor_variable_id',
        collection: 'variables',
        id: 'f',
      },
    ],
  );
  t.strictSame([...referencesIn(popups, popups.create('p', {}, {}))], [], 'nothing is named by default');
  t.strictSame(
    [...referencesIn(popups, { attachedTo: 5, object_id: 'x' })],
    [],
    'in a body that is still to be checked, only strings',
  );
  const settings = { public_map: { start: { artboard_id: 'b', zoom: 2 } }, other: 1 };
  const [naming, ...others] = referencesIn(projects, projects.create('x', {}, { settings }));
  t.match(naming, { member: 'settings', pointer: '/settings/public_map/start/artboard_id', collection: 'artboards', id: 'b' });
  t.strictSame(others, []);
  t.strictSame(
    withReferences(projects, { settings }, (id) => `${id}2`),
    { settings: { public_map: { start: { artboard_id: 'b2', zoom: 2 } }, other: 1 } },
    'it is replaced within its structure',
  );
  for (const map of [5, { start: 'b' }, { start: { artboard_id: 7 } }])
    t.strictSame([...referencesIn(projects, { settings: { public_map: map } })], [], 'another structure has none');
  for (const { references } of Object.values(resourceOf)) {
    for (const { member, pointer } of references) t.equal(pointer, `/${member}`);
  }
});

t.test('withReferences rewrites every reference and nothing else', async (t) => {
  const value = actions.create('a', {}, { object_id: 'o', create_object_target_artboard_id: 'b', create_object_name: 'o' });
  const renamed = withReferences(actions, value, (id, { collection }) => `${collection}:${id}`);
  t.strictSame(renamed, { ...value, object_id: 'objects:o', create_object_target_artboard_id: 'artboards:b' });
  t.strictSame(Object.keys(renamed), Object.keys(value), 'in the same order');
  t.equal(value['object_id'], 'o', 'the value itself stays as it is');
  t.equal(
    withReferences(actions, value, (id) => id),
    value,
    'the same where nothing changes',
  );
  const spot = objects.create('s', {}, { type: 'spot' });
  t.equal(
    withReferences(objects, spot, () => 'x'),
    spot,
    'nothing is not renamed',
  );
});
