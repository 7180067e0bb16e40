// tier: short
/** The categories of a project in the console, the icons by words, and the kinds of fields. */
import fs from 'node:fs';
import t from 'tap';
import { foundIcons, wordsOf } from '../../src/web/console/icons/icon-search.ts';
import { allCategories, withCategory } from '../../src/web/console/kinds/map-categories.ts';
import { withPublicMap } from '../../src/web/console/kinds/public-map-settings.ts';
import { fieldFor } from '../../src/web/convert/map/field-kind.ts';

const settings = {
  theme: 'dark',
  public_map: {
    categories: [
      { name: 'Food', label: 'Food & drinks', color: '#ea580c', icon: 'maki:cafe' },
      null,
      { name: 'Lifts', hidden: true },
    ],
  },
};
const objects = [
  { type: 'spot', category: 'Shops', color: '#2563eb', icon: 'maki:shop' },
  { type: 'spot', category: 'Food', color: '#000000' },
  { type: 'poly', closed: false, category: 'Trails', color: '#ffffff', stroke_color: '#16a34a' },
  { type: 'spot', category: 'Lifts', color: '#4b5563' },
  { type: 'spot', category: '' },
];

t.test(
  'categories of the settings come first, then those that only objects name, with the look of their first object',
  async (t) => {
    t.strictSame(allCategories(settings, objects), [
      { name: 'Food', label: 'Food & drinks', color: '#ea580c', icon: 'maki:cafe', isHidden: false },
      { name: 'Lifts', label: '', color: '#4b5563', icon: '', isHidden: true },
      { name: 'Shops', label: '', color: '#2563eb', icon: 'maki:shop', isHidden: false },
      { name: 'Trails', label: '', color: '#16a34a', icon: '', isHidden: false },
    ]);
    t.strictSame(allCategories('damaged', []), []);
  },
);

t.test('a category gives an object its colour and icon, unless the object has its own', async (t) => {
  const all = allCategories(settings, objects);
  const usual = '#3b82f6';
  t.strictSame(withCategory({ type: 'spot', color: usual, icon: '' }, 'Food', all, usual), {
    category: 'Food',
    color: '#ea580c',
    icon: 'maki:cafe',
  });
  t.strictSame(withCategory({ type: 'spot', color: '#ea580c', icon: 'maki:cafe' }, 'Shops', all, usual), {
    category: 'Shops',
    color: '#2563eb',
    icon: 'maki:shop',
  });
  t.strictSame(withCategory({ type: 'spot', color: '#abcdef', icon: 'temaki:lift' }, 'Food', all, usual), { category: 'Food' });
  t.strictSame(withCategory({ type: 'poly', closed: false, stroke_color: usual }, 'Food', all, usual), {
    category: 'Food',
    stroke_color: '#ea580c',
    icon: 'maki:cafe',
  });
  t.strictSame(withCategory({ type: 'spot', color: usual }, 'New', all, usual), { category: 'New' });
});

t.test('nothing is stored of a public map that is empty', async (t) => {
  t.strictSame(withPublicMap(settings, { description: '', categories: [], start: undefined }), { theme: 'dark' });
  t.strictSame(withPublicMap(undefined, { description: 'Plan' }), { public_map: { description: 'Plan' } });
});

t.test('icons are found by their names, and by what things are called in English and German', async (t) => {
  const read = (name: string) => JSON.parse(fs.readFileSync(`dist/pages/console/${name}.json`, 'utf8'));
  const [icons, words] = [Object.keys(read('icons')), read('icon-words') as Record<string, string>];
  t.equal(wordsOf('maki:bicycle-share'), 'bicycle share');
  const found = (query: string) => foundIcons(icons, words, query);
  for (const [query, icon] of [
    ['café', 'maki:cafe'],
    ['coffee', 'maki:cafe'],
    ['Spielplatz', 'maki:playground'],
    ['toilette', 'maki:toilet'],
    ['bicycle sh', 'maki:bicycle-share'],
    ['apotheke', 'maki:pharmacy'],
  ] as const)
    t.ok(found(query).includes(icon), `${query} finds ${icon}`);
  t.equal(found('cafe')[0], 'maki:cafe', 'names come first');
  t.strictSame(found('nothing is called like that'), []);
  t.equal(found(' ').length, icons.length);
});

t.test('the kind of a field follows from its values', async (t) => {
  const kinds: readonly (readonly [string, readonly unknown[]])[] = [
    ['number', [1, 2.5, '-3']],
    ['yes-no', [true, false]],
    ['yes-no', ['ja', 'Nein']],
    ['date', ['2026-01-31', '2026-02-28T10:00:00Z']],
    ['link', ['https://example.org/a', 'http://example.org']],
    ['picture', ['https://example.org/a.jpg']],
    ['mail', ['ann@example.org']],
    ['telephone', ['+43 1 234 56-0', '(030) 1234567']],
    ['choice', ['open', 'closed', 'open', 'open', 'closed', '']],
    ['text', ['Anna', 'Ben', 'Cleo']],
    ['text', ['', ' ']],
  ];
  for (const [kind, values] of kinds) t.equal(fieldFor('state', values).kind, kind, JSON.stringify(values));
  t.match(fieldFor('state', ['open', 'closed', 'open', 'closed']), { name: 'state', kind: 'choice', show: ['popup', 'filter'] });
});
