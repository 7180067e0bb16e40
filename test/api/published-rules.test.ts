/** The rules that a publication keeps: what they have of objects, and that they are those of one version. */
import t, { type Test } from 'tap';
import { JsonCache } from '../../src/api/crud/json-cache.ts';
import { publishedRules } from '../../src/api/publish/published-rules.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { accountIn, create, done, member, openWorld, project, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

const cache = new JsonCache(0);

const textOf = (rules: Iterable<string | Buffer>): string => [...rules].map(String).join('');

async function open(t: Test): Promise<{ readonly engine: Engine; readonly accountId: string }> {
  const { engine } = await openWorld(temporaryFolder(t));
  t.teardown(() => engine.close());
  return { engine, accountId: await accountIn(engine) };
}

/** Two artboards, each with a room that has the key and the badge of its name, and an object without both. */
async function floors(t: Test, actions: readonly object[], settings: object = {}) {
  const { engine, accountId } = await open(t);
  const room = (name: string) => ({ type: 'spot', name, key: `K-${name}`, properties: { badge: name.length, staff: 'x' } });
  const artboards = [{ objects: [room('A'), { type: 'spot', name: 'Plain' }] }, { objects: [room('BB')] }];
  const id = await done(engine, create(project(accountId), { settings, artboards, actions }));
  const stored = engine.state.accounts.get(accountId)?.projects.get(id) as StoredProject;
  const ids = (collection: 'artboards' | 'objects', parent = ''): string[] =>
    Array.from(stored.collection(collection, parent)?.capture() ?? [], ({ value }) => value.id);
  const [first = '', second = ''] = ids('artboards');
  return { engine, accountId, id, stored, first, second, a: ids('objects', first)[0] ?? '', b: ids('objects', second)[0] ?? '' };
}

const keptOf = (stored: StoredProject): unknown => JSON.parse(textOf(publishedRules({ cache }, stored))).match_values;

t.test('a publication keeps the keys and properties that its lists match by', async (t) => {
  const cases: readonly (readonly [string, object | undefined, (is: { a: string; b: string }) => unknown])[] = [
    ['an action without a list', { match_by: 'key' }, () => undefined],
    ['names', { match_variable_id: 'v', match_by: 'name' }, () => undefined],
    ['keys', { match_variable_id: 'v' }, ({ a, b }) => ({ [a]: { key: 'K-A' }, [b]: { key: 'K-BB' } })],
    [
      'a property',
      { match_variable_id: 'v', match_by: 'property', match_property: 'badge' },
      ({ a, b }) => ({ [a]: { properties: { badge: 1 } }, [b]: { properties: { badge: 2 } } }),
    ],
    ['a property that no object has', { match_variable_id: 'v', match_by: 'property', match_property: '__proto__' }, () => ({})],
    ['no property', { match_variable_id: 'v', match_by: 'property' }, () => undefined],
  ];
  for (const [what, action, expected] of cases) {
    const made = await floors(t, [action ?? {}]);
    t.strictSame(keptOf(made.stored), expected(made), what);
  }
});

t.test('only objects in reach are kept, and what all lists match by together', async (t) => {
  const made = await floors(t, []);
  const { engine, accountId, id, first, second, a, b } = made;
  const change = async (actions: readonly object[]): Promise<unknown> => {
    await done(engine, update(project(accountId, id), { actions }));
    return keptOf(engine.state.accounts.get(accountId)?.projects.get(id) as StoredProject);
  };
  const list = (artboard: string) => ({ match_variable_id: 'v', match_artboard_id: artboard });
  const badge = { match_by: 'property', match_property: 'badge' };
  t.strictSame(await change([list(first)]), { [a]: { key: 'K-A' } });
  t.strictSame(await change([list(first), { ...list(second), ...badge }]), {
    [a]: { key: 'K-A' },
    [b]: { properties: { badge: 2 } },
  });
  t.strictSame(await change([list(first), list('')]), { [a]: { key: 'K-A' }, [b]: { key: 'K-BB' } });
  t.strictSame(await change([list(first), list(second)]), { [a]: { key: 'K-A' }, [b]: { key: 'K-BB' } });
  t.strictSame(await change([list('gone')]), {});
});

t.test('a property that visitors get is not kept again', async (t) => {
  const badge = { match_variable_id: 'v', match_by: 'property', match_property: 'badge' };
  const made = await floors(t, [badge], { public_map: { fields: [{ name: 'badge' }] } });
  t.strictSame(keptOf(made.stored), {});
});

t.test('rules are those of the version at which they were asked for', async (t) => {
  const { engine, accountId, id, stored, a, first, b } = await floors(t, [{ match_variable_id: 'v' }]);
  const rules = publishedRules({ cache }, stored);
  await done(engine, update(member(accountId, id, 'objects', a, first), { key: 'later' }));
  await done(engine, update(project(accountId, id), { actions: [] }));
  const { actions, match_values } = JSON.parse(textOf(rules));
  t.match([actions.length, match_values], [1, { [a]: { key: 'K-A' }, [b]: { key: 'K-BB' } }]);
});
