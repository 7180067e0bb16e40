import t from 'tap';
import { suggest } from '../../src/lib/text/suggest.ts';

const names =
  'id name type attachedTo maxWidth title image content buttonText color hover_color osm_lat osm_lng osm_zoom width height x y pin'.split(
    ' ',
  );

t.test('a misspelt name gets the intended one as a suggestion', async (t) => {
  const meant = {
    attached_to: 'attachedTo',
    colour: 'color',
    osmLat: 'osm_lat',
    widht: 'width',
    title_: 'title',
    Type: 'type',
    hight: 'height',
    'hover-colour': 'hover_color',
    nmae: 'name',
    X: 'x',
    osm_latt: 'osm_lat',
    buttontxet: 'buttonText',
  };
  for (const [name, member] of Object.entries(meant)) t.equal(suggest(name, names), member, name);
});

t.test('a name far from all known ones gets no suggestion', async (t) => {
  for (const name of ['', '_', 'z', 'xy', 'foo', 'metadata', 'description', 'zzzzzz', '__proto__', 'a'.repeat(1e6)]) {
    t.equal(suggest(name, names), undefined, name.slice(0, 20));
  }
  t.equal(suggest('name', []), undefined);
});

t.test('the closest name is suggested, and of equal ones the first', async (t) => {
  t.equal(suggest('osm_lat', ['osm_lng', 'osmLat']), 'osmLat');
  t.equal(suggest('cat', ['bat', 'hat']), 'bat');
});
