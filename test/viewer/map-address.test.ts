/** The fragment of a map's address as parameters, without a browser. */
import t from 'tap';
import { addressIn, fragmentWith, type MapAddress } from '../../src/web/viewer/element/navigation/map-address.ts';

const nothing: MapAddress = {
  artboard: undefined,
  place: undefined,
  view: undefined,
  off: undefined,
  query: '',
  conditions: new Map(),
};

t.test('what is written is read again', async (t) => {
  const fields = new Set(['kind', 'a&b=c', '__proto__', 'seats']);
  for (const address of [
    nothing,
    { ...nothing, place: 'Café & bar, 2nd floor' },
    { ...nothing, artboard: 'Floor 2', place: '100 %' },
    { ...nothing, artboard: 'A', view: [-10.5, 0, 400, 300.25] },
    { ...nothing, off: new Set(['Food', 'Essen, Trinken', '__proto__']), query: 'a=b&c' },
    { ...nothing, off: new Set<string>() },
    { ...nothing, off: new Set(['']) },
    { ...nothing, off: new Set(['', 'Food']) },
    { ...nothing, conditions: new Map([['kind', ['a', 'b,c']], ['a&b=c', ['x']], ['__proto__', ['y']], ['seats', ['1..5']]]) }, // biome-ignore format: one case
  ] satisfies MapAddress[])
    t.strictSame(addressIn(fragmentWith('', address, fields)), address, JSON.stringify(address));
});

t.test('parameters of others are kept, in their order', async (t) => {
  const fields = new Set(['kind']);
  const before = 'tab=2&place=Old&off=Food&f.kind=x&f.other=y&section';
  t.equal(fragmentWith(before, { ...nothing, place: 'New' }, fields), 'tab=2&f.other=y&section&place=New');
  t.equal(fragmentWith(before, nothing, fields), 'tab=2&f.other=y&section');
});

t.test('a fragment that no map has written is read as far as it goes', async (t) => {
  t.strictSame(addressIn('place=100 %&off=%zz,b&&=&q'), { ...nothing, place: '100 %', off: new Set(['%zz', 'b']) });
  t.strictSame(addressIn(''), nothing);
  t.strictSame(addressIn(`place=x&q=${'a'.repeat(100_000)}`), nothing, 'a long one is none');
  t.equal(fragmentWith('', { ...nothing, place: 'half \ud800 pair' }, new Set()), 'place=half%20%EF%BF%BD%20pair');
});

t.test('a view is a box of four numbers', async (t) => {
  for (const view of ['1,2,3', '1,2,3,4,5', '3,2,1,4', '1,4,3,2', '1,1,1,1', '0,0,1e999,1', 'a,0,1,1', ',,,', ''])
    t.equal(addressIn(`view=${view}`).view, undefined, view);
  t.strictSame(addressIn('view=0,0,1,1').view, [0, 0, 1, 1]);
  t.equal(
    fragmentWith('view=0,0,1,1&tab=2', nothing, new Set()),
    'tab=2',
    'it belongs to the map, and goes with the next address',
  );
});
