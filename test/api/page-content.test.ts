// tier: normal
/** The parts of the page of a map besides the map: texts, header, places by artboard and category, and its bounds. */
import t from 'tap';
import { pageContent } from '../../src/api/publish/page/page-content.ts';
import { placesBytesMax } from '../../src/api/publish/page/places-html.ts';
import { pageOf } from '../../src/api/publish/published-page.ts';

const addresses = { viewer: '/viewer.js', map: '/p/s', page: '', oembed: '', picture: '' };

t.test('places are listed by artboard and category, with the text of their popups and their published fields', (t) => {
  const { places } = pageContent({
    settings: {
      public_map: {
        lang: 'de',
        categories: [{ name: 'shop', label: 'Geschäfte' }, { name: 'empty' }, { name: 'food' }],
        fields: [{ name: 'seats', label: 'Plätze' }, { name: 'open' }, { name: 'site', kind: 'link' }],
      },
    },
    artboards: [
      {
        name: 'Ground floor',
        objects: [
          { id: '1', name: 'Wall' },
          {
            id: '2',
            name: 'Bakery',
            category: 'food',
            properties: { seats: 1234.5, open: true, secret: 'x', site: 'https://a.example/?a&b' },
          },
          { id: '3', name: 'Shoes', category: 'shop', properties: { site: 'javascript:alert(1)' } },
          { id: '4', name: 'Untitled Object' },
          { id: '5', name: 'Lift', category: 'ways' },
          { id: '6', name: 'Desk', properties: { secret: 'x' } },
        ],
      },
      { name: 'Nothing', objects: [{ id: '7', name: 'Wall' }] },
      { name: 'Roof', objects: [{ id: '8', name: 'Terrace' }] },
    ],
    popups: [
      { attachedTo: '3', title: 'Shoes', content: '<p>Boots &amp; more</p><script>alert(1)</script>' },
      { attachedTo: '4', title: 'Fountain', content: '' },
      { attachedTo: '8', title: 'Café', content: 'Coffee<br>Cake' },
    ],
  });
  t.equal(
    places,
    `<h2>Ground floor</h2>
<h3>Geschäfte</h3>
<ul>
<li><b>Shoes</b><p>Boots &amp; more</p><dl><dt>site</dt><dd>javascript:alert(1)</dd></dl></li>
</ul>
<h3>food</h3>
<ul>
<li><b>Bakery</b><dl><dt>Plätze</dt><dd>1.234,5</dd><dt>open</dt><dd>ja</dd><dt>site</dt><dd><a href="https://a.example/?a&amp;b" rel="nofollow">https://a.example/?a&amp;b</a></dd></dl></li>
</ul>
<h3>ways</h3>
<ul>
<li><b>Lift</b></li>
</ul>
<h3>Weitere Orte</h3>
<ul>
<li><b>Fountain</b></li>
</ul>
<h2>Roof</h2>
<ul>
<li><b>Terrace</b><p>Café</p><p>Coffee<br>Cake</p></li>
</ul>
`,
  );
  t.end();
});

t.test('texts of a map are never markup', (t) => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'';
  t.match(pageOf(pageContent({ settings: { public_map: { description: 'a\nb\n\nc' } } }), addresses), '<p>a<br>b</p>\n<p>c</p>');
  const content = pageContent({
    name: evil,
    settings: {
      public_map: {
        ...{ description: `${evil}\n\n${evil}`, lang: evil },
        header: {
          title: evil,
          logo: evil,
          accent: `red}</style>${evil}`,
          links: [{ label: evil, url: `https://a.example/${evil}` }],
        },
        categories: [{ name: evil, label: evil }],
        fields: [{ name: evil, label: evil }],
      },
    },
    artboards: [{ name: evil, objects: [{ id: '1', name: evil, category: evil, properties: { [evil]: evil } }] }, { name: evil }],
    popups: [{ attachedTo: '1', title: `${evil}!`, content: evil }],
  });
  const html = pageOf(content, { ...addresses, page: `https://a.example/${evil}`, picture: evil, oembed: evil }, evil);
  t.equal([...html.matchAll(/<script/g)].length, 1, 'the viewer alone');
  t.equal([...html.matchAll(/<img/g)].length, 1, 'the logo alone');
  t.notMatch(html, '<script>alert');
  t.match(html, '<html lang="en">');
  t.equal(content.header?.accent, '');
  const withoutValues = html.replace(/="[^"]*"/g, '');
  t.notMatch(withoutValues, /<[^>]*\son[a-z]+/, 'no text leaves its attribute');
  t.end();
});

t.test('a header has only links and pictures that a map may have', (t) => {
  const of = (header: object) => pageContent({ name: 'Town', settings: { public_map: { header } } }).header;
  t.strictSame(of({}), { title: 'Town', logo: '', accent: '', onAccent: '#ffffff', links: [] });
  const links = ['javascript:alert(1)', 'data:text/html,x', 'https://a.example', '/imprint', 'mailto:a@b.example'].map((url) => ({
    label: url,
    url,
  }));
  t.match(of({ logo: 'javascript:alert(1)', accent: 'gold', links }), {
    ...{ logo: '', accent: '#ffd700', onAccent: '#000000' },
    links: links.slice(2),
  });
  const logo = 'data:image/png;base64,AAAA';
  t.match(of({ title: ' ', logo, accent: 'navy' }), { title: 'Town', logo, accent: '#000080', onAccent: '#ffffff' });
  t.end();
});

t.test('the list of places keeps its bound, and says how many it leaves out', (t) => {
  const content = `<p>${'ä'.repeat(1000)}</p>`;
  const ids = Array.from({ length: 1000 }, (_, i) => `${i}`);
  const { places } = pageContent({
    artboards: [{ objects: ids.map((id) => ({ id, name: `Place ${id}` })) }],
    popups: ids.map((attachedTo) => ({ attachedTo, content })),
  });
  const bytes = Buffer.byteLength(places);
  t.ok(bytes > placesBytesMax * 0.98 && bytes <= placesBytesMax, `${bytes} bytes`);
  const listed = [...places.matchAll(/<li>/g)].length;
  t.match(places, `The map has ${1000 - listed} more places.`);
  t.equal(places.split('<ul>').length, places.split('</ul>').length);
  const long = pageContent({
    artboards: [{ objects: [{ id: 'a', name: 'A' }] }],
    popups: [{ attachedTo: 'a', content: 'x'.repeat(300_000) }],
  });
  t.ok(long.places.length < 2200, 'a long text is cut');
  t.end();
});

t.test('the title of a page is the name of the map without its folders', async (t) => {
  t.equal(pageContent({ name: 'Clients/ACME/ Centre ' }).title, 'Centre');
  t.equal(pageContent({ name: 'Clients/' }).title, 'Map');
});

t.test('a language that is none is English, and numbers are written all the same', async (t) => {
  const fields = [{ name: 'seats', show: ['popup'] }] as never;
  for (const lang of ['en-US-GB', 'de-12', 'en-abc', 'en-latn-latn']) {
    const content = pageContent({ name: 'A', settings: { public_map: { lang, fields } } });
    t.match(content, { lang: 'en', title: 'A' }, lang);
  }
});

t.test('a link of a header that names a host alone leads there', async (t) => {
  const links = [{ label: 'Imprint', url: 'www.example.com/imprint' }];
  const { header } = pageContent({ settings: { public_map: { header: { links } } } });
  t.strictSame(header?.links, [{ label: 'Imprint', url: 'https://www.example.com/imprint' }]);
});
