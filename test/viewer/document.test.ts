// tier: normal
/** The document of a map: the defaults of the API, and invalid documents. */
import t from 'tap';
import { documentDefaults, type MapDocument, readMap, readObject } from '../../src/web/viewer/drawing/map-document.ts';
import { contract } from '../api/contract.ts';

t.test('the members and defaults of a map document are those of the API', (t) => {
  const resources = { object: 'Object', popup: 'Popup', artboard: 'Artboard' } as const;
  for (const [name, resource] of Object.entries(resources)) {
    const { id, ...defaults } = documentDefaults[name as keyof typeof resources] as Record<string, unknown>;
    t.equal(id, '');
    for (const [member, value] of Object.entries(defaults)) {
      // The type of an object is required.
      if (member === 'type' && name === 'object') t.equal(value, 'spot');
      else t.strictSame(value, contract[resource][member]?.fallback, `${resource}.${member}`);
    }
  }
  t.end();
});

t.test('an absent or invalid member gets its default', (t) => {
  const map: MapDocument = readMap({
    artboards: [
      {
        id: 'a',
        width: '800',
        height: Number.NaN,
        objects: [{ id: 'o', x: 5, y: null, coords: [{ x: 1 }, 7, { x: '2', y: 3 }] }, 7, null],
      },
      'no artboard',
    ],
    popups: { length: 3 },
  });
  t.match(map, { id: '', name: '', popups: [] });
  t.equal(map.artboards.length, 1);
  t.match(map.artboards[0], { id: 'a', name: 'Untitled Artboard', width: 800, height: 600, type: 'color' });
  t.strictSame(
    map.artboards[0]?.objects.map(({ id, x, y, coords }) => ({ id, x, y, coords })),
    [
      {
        id: 'o',
        x: 5,
        y: 0,
        coords: [
          { x: 1, y: 0 },
          { x: 0, y: 3 },
        ],
      },
    ],
  );
  t.end();
});

t.test('the age of data that a map allows is a whole number of minutes, up to a week', (t) => {
  const minutes = (stale_minutes: unknown) =>
    readMap({ artboards: [], settings: { public_map: { stale_minutes } } }).staleMinutes;
  for (const valid of [1, 30, 10_080]) t.equal(minutes(valid), valid);
  for (const wrong of [undefined, null, 0, -1, 10_081, 1.5, Number.NaN, '30', [30]]) t.equal(minutes(wrong), undefined);
  t.end();
});

t.test('numbers are limited to what a canvas can draw', (t) => {
  t.match(readObject({ x: 1e300, y: -1e300, radius: 1e9 }), { x: 1e12, y: -1e12, radius: 1e9 });
  t.end();
});

t.test('a document that is not a project is refused', (t) => {
  for (const wrong of [undefined, null, 1, 'map', [], {}, { artboards: {} }]) t.throws(() => readMap(wrong), TypeError);
  t.end();
});

t.test('a hostile document changes no prototype and keeps no value of a wrong type', (t) => {
  const cyclic: Record<string, unknown> = { id: 'cyclic' };
  Object.assign(cyclic, { objects: [cyclic], coords: [cyclic], attachedTo: cyclic });
  let reads = 0;
  const unstable = {
    get x() {
      return reads++ === 0 ? 5 : {};
    },
  };
  const map = readMap({
    ...(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object),
    artboards: [
      cyclic,
      JSON.parse('{"__proto__":{"polluted":1},"id":"__proto__","objects":[{"id":"constructor","__proto__":{"x":"1"}}]}'),
      { id: Symbol('id'), name: 7n, objects: [unstable, () => 1, 1n, Symbol('object'), []] },
      { objects: { length: 1e9 } },
    ],
    popups: [cyclic],
  });
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
  for (const value of [map, ...map.artboards, ...map.popups, ...map.artboards.flatMap(({ objects }) => objects)])
    t.equal(Object.getPrototypeOf(value), Object.prototype);
  t.equal(map.artboards[2]?.objects[0]?.x, 5, 'a getter is read once');
  t.match(map.artboards[1], { id: '__proto__', objects: [{ id: 'constructor', x: 0 }] });
  t.equal(map.artboards[2]?.id, '');
  t.equal(map.popups[0]?.attachedTo, '');
  t.doesNotThrow(() => JSON.stringify(map), 'nothing of it is cyclic');
  t.throws(
    () =>
      readMap({
        get artboards() {
          throw new Error('mine');
        },
      }),
    { message: 'mine' },
  );
  t.end();
});
