// tier: normal
/** A live result over a published document: what it changes, and what is left out of an invalid one. */
import t from 'tap';
import { readLive, withLive } from '../../src/web/viewer/drawing/live-result.ts';
import { readMap } from '../../src/web/viewer/drawing/map-document.ts';
import { artboard, popupAt, project, spot } from './samples.ts';

const [desk, sofa, tree] = [spot('Desk', 1, 1), spot('Sofa', 2, 2), spot('Tree', 3, 3)];
const [deskId, sofaId] = [String(desk['id']), String(sofa['id'])];
const popup = popupAt(desk, { content: 'Free' });
const popupId = String(popup['id']);
const map = readMap(project([artboard('In', [desk, sofa]), artboard('Out', [tree])], [popup]));
const applied = (result: unknown) => withLive(map, readLive(result));
const idsOf = (result: unknown) => applied(result).artboards.map(({ objects }) => objects.map(({ id }) => id));

t.test('a result changes the members it has, and everything else stays the published value itself', (t) => {
  const { artboards, popups } = applied({
    objects: { [deskId]: { color: '#f00', x: 9 } },
    popups: { [popupId]: { content: 'Taken' } },
  });
  t.match(artboards[0]?.objects[0], { id: deskId, name: 'Desk', color: '#f00', x: 9, y: 1 });
  t.equal(artboards[0]?.objects[1], map.artboards[0]?.objects[1]);
  t.equal(artboards[1], map.artboards[1], 'an artboard without changes is the same');
  t.match(popups, [{ id: popupId, title: 'Desk', content: 'Taken' }]);
  t.end();
});

t.test('created objects follow those of their artboard, with their popups', (t) => {
  const { artboards, popups } = applied({
    created: [
      {
        artboard_id: 'artboard-In',
        object: { id: 'live-1', type: 'spot', x: 5 },
        popup: { id: 'live-1', title: 'One', attachedTo: 'other' },
      },
      { artboard_id: 'artboard-Out', object: { id: 'live-2', type: 'spot' }, popup: null },
      { artboard_id: 'artboard-In', object: { id: 'live-3', type: 'spot' }, popup: null },
    ],
  });
  t.strictSame(
    artboards.map(({ objects }) => objects.map(({ id }) => id)),
    [
      [deskId, sofaId, 'live-1', 'live-3'],
      [tree['id'], 'live-2'],
    ],
  );
  t.match(artboards[0]?.objects[2], { x: 5, y: 0, radius: 20, color: '#3b82f6' }, 'absent members have their defaults');
  t.match(popups.slice(1), [{ title: 'One', attachedTo: 'live-1' }], 'a popup belongs to the object that it comes with');
  t.end();
});

t.test('unknown identifiers and created objects without an identifier of their own are left out', (t) => {
  const unchanged = [[deskId, sofaId], [tree['id']]];
  const nothing: unknown[] = [
    { objects: { unknown: { color: '#f00' } }, popups: { unknown: {} } },
    { created: [{ artboard_id: 'unknown', object: { id: 'live-1' } }] },
    {
      created: [
        { artboard_id: 'artboard-In', object: { id: deskId } },
        { artboard_id: 'artboard-In', object: { id: tree['id'] } },
      ],
    },
    {
      created: [
        { artboard_id: 'artboard-In', object: {} },
        { artboard_id: 'artboard-In', object: { id: '__proto__' } },
      ],
    },
    { created: [{ artboard_id: 'artboard-In' }, { object: { id: 'live-1' } }, null, 7, 'created'] },
  ];
  for (const result of nothing) {
    t.strictSame(idsOf(result), unchanged, JSON.stringify(result));
    t.equal(applied(result).artboards[0], map.artboards[0], 'the artboard is the same');
  }
  const twice = { artboard_id: 'artboard-In', object: { id: 'live-1' } };
  t.strictSame(idsOf({ created: [twice, twice] })[0], [deskId, sofaId, 'live-1']);
  t.end();
});

t.test('a result says how fresh it is; one that does not is fresh', (t) => {
  const stateOf = (result: unknown) => {
    const { state, since } = readLive(result);
    return { state, since };
  };
  const since = '2026-05-04T08:27:00Z';
  t.strictSame(stateOf({ sources: 'stale', since }), { state: 'stale', since: Date.parse(since) });
  t.strictSame(stateOf({ sources: 'failed', since }), { state: 'failed', since: undefined });
  t.strictSame(stateOf({ sources: 'fresh', since }), { state: 'fresh', since: undefined });
  for (const wrong of [undefined, null, 'yesterday', 5e20, {}])
    t.strictSame(stateOf({ sources: 'stale', since: wrong }), { state: 'stale', since: undefined });
  for (const sources of [undefined, null, 'old', 7]) t.equal(stateOf({ sources, since }).state, 'fresh');
  t.end();
});

t.test('a wrong member of a result keeps the published value', (t) => {
  const wrong = { id: 'other', x: '7', y: Number.NaN, color: 5, coords: 'none', pin: 'yes', unknown: 1 };
  const { artboards, popups } = applied({
    objects: { [deskId]: wrong, [sofaId]: 'red' },
    popups: { [popupId]: { id: 'x', title: {} } },
  });
  t.strictSame(artboards[0]?.objects, map.artboards[0]?.objects);
  t.strictSame(popups, map.popups);
  t.end();
});

t.test('a hostile result changes no prototype', (t) => {
  const result: unknown = JSON.parse(
    `{"__proto__":{"polluted":1},"objects":{"__proto__":{"polluted":1},"constructor":{"x":1},"${deskId}":{"__proto__":{"x":7},"coords":[{"__proto__":{"x":7}}]}}}`,
  );
  const { artboards } = applied(result);
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
  t.match(artboards[0]?.objects[0], { x: 1, coords: [{ x: 0, y: 0 }] });
  for (const object of artboards[0]?.objects ?? []) t.equal(Object.getPrototypeOf(object), Object.prototype);
  t.end();
});

t.test('a value that is no result is refused', (t) => {
  for (const wrong of [undefined, null, 1, 'live', []]) t.throws(() => readLive(wrong), TypeError);
  t.strictSame(applied({ objects: 5, popups: [], created: {} }), map);
  t.end();
});
