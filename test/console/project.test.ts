// tier: normal
/** The parts of the console that need no browser: merges, versions, undo steps, addresses, forms. */

import t from 'tap';
import { idTime } from '../../src/lib/text/ids.ts';
import { createClient } from '../../src/web/client/client.ts';
import { ProjectApi } from '../../src/web/console/document/project-api.ts';
import { ProjectEdits } from '../../src/web/console/document/project-edits.ts';
import { ProjectStore } from '../../src/web/console/document/project-store.ts';
import { lighter, withHover } from '../../src/web/console/editor/looks.ts';
import { choiceOf, labelOf } from '../../src/web/console/forms/controls/field-texts.ts';
import { collectionPath, fieldOf, fieldsOf, referencesOf, resourcePath } from '../../src/web/console/kinds/resource-kinds.ts';
import { numberOf, versionIn } from '../../src/web/console/kinds/resource-version.ts';
import { keysOf, withKeys } from '../../src/web/console/live/path-keys.ts';
import { hashOf, routeOf } from '../../src/web/console/screen-route.ts';
import { PageIds } from '../../src/web/console/server/page-ids.ts';
import fc from '../support/fast-check.ts';

t.test('each deleted resource can commit its edits for its own time', async (t) => {
  const timers: { readonly run: () => void; isCleared: boolean }[] = [];
  const { setTimeout: original, clearTimeout: originalClear } = globalThis;
  t.teardown(() => Object.assign(globalThis, { setTimeout: original, clearTimeout: originalClear }));
  const store = new ProjectStore('p');
  const api = new ProjectApi(createClient({ baseUrl: 'http://127.0.0.1:1' }), 'p');
  const edits = new ProjectEdits(store, api, true, () => undefined);
  for (const id of ['a', 'b', 'c']) store.put({ kind: 'popup', id }, { id, title: id }, undefined);
  const remove = (id: string): void => {
    edits.onDeleted(id);
    store.remove(id);
  };
  Object.assign(globalThis, {
    setTimeout: (run: () => void) => timers.push({ run, isCleared: false }),
    clearTimeout: (n: number | undefined) => {
      const timer = timers[Number(n) - 1];
      if (timer !== undefined) timer.isCleared = true;
    },
  });
  remove('a');
  remove('b');
  timers[0]?.run();
  remove('c');
  edits.change('a', { title: 'too late' });
  edits.change('b', { title: 'typed' });
  edits.close();
  t.strictSame(
    edits.conflicts.value.map((each) => each.is === 'deleted' && each.mine),
    [{ id: 'b', title: 'typed' }],
    'the end of the first does not end the second',
  );
  t.strictSame(
    timers.slice(1).map(({ isCleared }) => isCleared),
    [true, true],
    'a closed editor leaves no timer',
  );
});

t.test('versions are read from entity tags', async (t) => {
  t.equal(versionIn('"156cbfa227223c2d.bb0d3593bee9d210-5"'), '"156cbfa227223c2d.bb0d3593bee9d210-5"');
  t.equal(versionIn('W/"156cbfa227223c2d-1z-k7m2q5x3wz4a-fields=name-br"'), '"156cbfa227223c2d-1z"');
  t.equal(numberOf('"156cbfa227223c2d.bb0d3593bee9d210-1z"'), 71);
  t.equal(numberOf(undefined), 0);
});

t.test('identifiers of the page ascend by the clock of the server, whatever that of the computer is', async (t) => {
  const ids = new PageIds();
  const { now } = Date;
  t.teardown(() => Object.assign(Date, { now }));
  const server = now();
  Object.assign(Date, { now: () => server + 365 * 86_400_000 });
  ids.heard(new Date(server).toUTCString());
  const made = Array.from({ length: 2000 }, () => ids.next());
  t.strictSame(made.toSorted(), made);
  t.equal(new Set(made).size, made.length);
  for (const id of [made[0], made.at(-1)] as string[]) {
    const time = idTime(id);
    if (time === undefined) throw new Error(`${id} is no identifier`);
    t.ok(time >= server - 1000 && time < server + 60_000, `${time} is near ${server}`);
  }
  ids.heard(null);
  t.ok(ids.next() > (made.at(-1) as string), 'a response without a date says nothing');
});

t.test('every screen has an address, and an unknown address is the list of projects', async (t) => {
  for (const route of [
    { screen: 'cards' },
    { screen: 'editor', project: 'a b/c' },
    { screen: 'editor', project: 'p', panel: 'publish' },
    { screen: 'editor', project: 'p', artboard: 'a/b' },
    { screen: 'editor', project: 'p', artboard: 'a', panel: 'history' },
    { screen: 'editor', project: 'p', artboard: 'a', version: { id: 'v', isCompared: true } },
    { screen: 'editor', project: 'p', selected: '\u00fc/%' },
  ] as const)
    t.strictSame(routeOf(hashOf(route)), route);
  for (const hash of ['', '#', '#/x', '#/p/', '#/p/%ff', '#code=x', '#/p/a/b'])
    t.strictSame(routeOf(hash), { screen: 'cards' }, hash);
});

t.test('resources and collections have encoded paths', async (t) => {
  t.equal(resourcePath({ kind: 'project', id: 'p' }), '/');
  t.equal(resourcePath({ kind: 'object', id: 'o/1', artboardId: 'a b' }), '/artboards/a%20b/objects/o%2F1');
  t.equal(collectionPath({ kind: 'data_source' }), '/data-sources');
});

t.test('forms have the references, colours and conditions of the model', async (t) => {
  t.strictSame(referencesOf('popup'), [{ member: 'attachedTo', target: 'objects', isList: false }]);
  t.ok(referencesOf('action').some(({ member, isList }) => member === 'object_ids' && isList));
  t.strictSame(
    fieldsOf('object')
      .filter(({ kind }) => kind === 'colour')
      .map(({ name }) => name),
    ['color', 'stroke_color', 'hover_color', 'hover_stroke_color'],
  );
  t.match(fieldOf('popup', 'buttonLink'), { kind: 'link', when: [{ buttonAction: ['follow-link'] }] });
  t.strictSame([labelOf('popup', 'maxWidth'), labelOf('file', 'media_type')], ['Maximum width', 'Media type']);
  t.strictSame(
    ['follow-link', 'constructor'].map((value) => choiceOf('action', 'popup_button_action', value)),
    ['Follow the link', 'Constructor'],
  );
});

t.test('a fill under the pointer is lighter than the fill, not white, and follows fill and opacity', (t) => {
  t.strictSame(['#3b82f6', '#16a34a', '#000', 'rgb(253 230 138)', 'none'].map(lighter), [
    ...['#7cacf9', '#64c286', '#555555', '#feeeb1', '#555555'],
  ]);
  const room = { color: '#3b82f6', opacity: 0.6, hover_color: lighter('#3b82f6'), hover_opacity: 0.75 };
  t.strictSame(withHover(room, { color: '#16a34a' }), { color: '#16a34a', hover_color: '#64c286' });
  t.strictSame(withHover(room, { opacity: 1 }), { opacity: 1, hover_opacity: 1 });
  t.strictSame(withHover(room, { opacity: 0.1 }), { opacity: 0.1, hover_opacity: 0.25 });
  t.strictSame(withHover(room, { name: 'Hall' }), { name: 'Hall' });
  const chosen = { ...room, hover_color: '#ff0000', hover_opacity: 0.5 };
  t.strictSame(
    withHover(chosen, { color: '#16a34a', opacity: 1 }),
    { color: '#16a34a', opacity: 1 },
    'what a user has chosen stays',
  );
  const white = { ...room, hover_color: '#ffffff', hover_stroke_color: '#ffffff', hover_stroke_width: 2 };
  t.match(withHover(white, { color: '#16a34a' }), { hover_color: '#64c286' }, 'the default of former versions does not');
  t.strictSame(withHover({ ...white, hover_stroke_width: 0 }, { color: '#16a34a' }), { color: '#16a34a' });
  t.end();
});

t.test('a chosen path leads to its keys, and keeps everything else of the path before it', (t) => {
  const key = fc.constantFrom('a', 'b', '0', '', '__proto__', 'n0');
  const path = fc.record({
    nodes: fc.array(
      fc.oneof(
        fc.record({ id: fc.constantFrom('n0', 'n1', 'x'), key, parent: fc.constantFrom('', 'n0', 'x', 'gone') }),
        fc.constantFrom(null, 7, 'text', { key: 'a' }, { id: 'y' }),
      ),
      { maxLength: 5 },
    ),
    node_id: fc.constantFrom('', 'n0', 'gone'),
    filters: fc.constant([{ key: 'k', note: 1 }]),
    zoom: fc.constant(3),
  });
  const property = fc.property(path, fc.array(key, { maxLength: 4 }), (before, keys) => {
    const after = withKeys(before, keys);
    const isUnique = new Set(before.nodes.map((node) => (node as { id?: unknown } | null)?.id)).size === before.nodes.length;
    if (isUnique) t.strictSame(keysOf(after), keys);
    const { nodes, node_id: _, ...rest } = after;
    t.strictSame((nodes as unknown[]).slice(0, before.nodes.length), before.nodes);
    t.match(rest, { filters: before.filters, zoom: 3 });
  });
  fc.assert(property);
  t.end();
});
