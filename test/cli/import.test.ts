// tier: normal
/** `mapwright import` of files of other programs, run as a command against real servers. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { xlsxFiles, zipOf } from '../convert/archives.ts';
import { casesFolder } from '../convert/case-summary.ts';
import type { Json } from '../support/client.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { sampled } from '../support/tier.ts';

t.setTimeout(600_000);

const shops = 'id;title;lat;lng;sales\n1;Bakery;48,20;16,37;10\n2;<b>Florist</b>;48,21;16,38;30,5\n3;Nowhere;;;7\n';

interface World {
  readonly server: Served;
  readonly cwd: string;
  import(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  write(name: string, content: string | Uint8Array): void;
  objects(project: string): Promise<Json[]>;
}

let world: World;

t.before(async () => {
  const server = await serve(t, temporaryFolder(t));
  const cwd = temporaryFolder(t);
  const env = { MAPWRIGHT_URL: server.url, MAPWRIGHT_KEY: server.key };
  world = {
    ...{ server, cwd },
    import: (...args) => run(['import', ...args], { env, cwd }),
    write: (name, content) => fs.writeFileSync(path.join(cwd, name), content),
    async objects(project) {
      const [artboard] = await must(server, 'GET', `/projects/${project}/artboards?fields=name`);
      return must(server, 'GET', `/projects/${project}/artboards/${artboard.id}/objects`);
    },
  };
});

/** Imports a file as a new project. Returns the report. */
async function imported(t: Test, file: string, ...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await world.import(file, '--json', ...args);
  t.strictSame([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

t.test('a spreadsheet becomes a new map around its places, and says which rows it left out', async (t) => {
  world.write('shops.csv', shops);
  const report = await imported(
    t,
    'shops.csv',
    '--map',
    'name=title,color=sales:viridis,radius=sales',
    '--popup-title',
    '{title}',
  );
  t.match(report, { format: 'csv', read: 3, created: 2, updated: 0, deleted: 0, notes: [{ at: 'row 4', leftOut: true }] });
  const project = await must(world.server, 'GET', `/projects/${report['project_id']}`);
  t.match(project, { name: 'shops', artboards: [{ type: 'osm', name: 'shops' }], popups: [{ title: 'Bakery' }, {}] });
  const [bakery, florist] = project.artboards[0].objects;
  t.match([bakery.name, florist.name], ['Bakery', '<b>Florist</b>']);
  t.not(bakery.color, florist.color);
  t.ok(florist.radius > bakery.radius);
  t.ok(project.settings.legend.length > 0);
  t.ok(bakery.x > 0 && bakery.x < project.artboards[0].width);
});

t.test('the next import of a file updates what it created, and deletes what the file no longer has', async (t) => {
  world.write('again.csv', shops);
  const { project_id: id } = await imported(t, 'again.csv', '--map', 'name=title', '--match', 'id');
  world.write('again.csv', 'id;title;lat;lng\n2;Flowers;48,21;16,38\n4;Books;48,2;16,36\n');
  const again = ['again.csv', '--into', 'again', '--map', 'name=title', '--match', 'id'];
  const tried = await world.import(...again, '--missing', 'delete', '--dry-run');
  t.equal(tried.code, 0);
  t.match(tried.stdout, '1 created, 1 updated, 1 deleted (nothing was written)');
  t.strictSame(
    (await world.objects(id)).map(({ name }) => name),
    ['Bakery', '<b>Florist</b>'],
  );
  const versions = async () => (await must(world.server, 'GET', `/projects/${id}/versions`)) as unknown as unknown[];
  t.strictSame(await versions(), [], 'a new project has no state before its import');
  const { code, stdout } = await world.import(...again, '--missing', 'delete');
  t.equal(code, 0);
  t.match(stdout, `again.csv: 2 rows of CSV. Objects in project ${id}: 1 created, 1 updated, 1 deleted.`);
  t.strictSame(
    (await world.objects(id)).map(({ name, key }) => [name, key]),
    [
      ['Flowers', '2'],
      ['Books', '4'],
    ],
  );
  let kept: unknown[] = [];
  while (kept.length === 0) kept = await versions();
  t.match(kept, [{ kind: 'automatic' }], 'the way back to before the import');
});

const places =
  'id;title;lat;lng;Type;Hours;Site: web;Phone\n' +
  '1;Bakery;48,20;16,37;Food;7–12;https://example.org/1;+43 1 23456\n' +
  '2;Florist;48,21;16,38;Plants;9–18;https://example.org/2;+43 1 34567\n' +
  '3;Café;48,22;16,38;Food;;https://example.org/3;+43 1 45678\n';

t.test('columns become categories, fields and properties, which the next import remembers', async (t) => {
  world.write('places.csv', places);
  const options = ['--category', 'Type:pastel', '--fields', 'Site: web:link:popup+list,Phone', '--match', 'id'];
  const { project_id: id } = await imported(t, 'places.csv', ...options);
  const project = async () => await must(world.server, 'GET', `/projects/${id}`);
  const { settings, artboards, popups } = await project();
  t.strictSame(popups, [], 'details need no popups');
  t.strictSame(settings.public_map, {
    categories: [
      { name: 'Food', color: '#a6cee3' },
      { name: 'Plants', color: '#fdbf6f' },
    ],
    fields: [
      { name: 'Site: web', kind: 'link', show: ['popup', 'list'] },
      { name: 'Phone', kind: 'telephone', show: ['popup'] },
    ],
  });
  t.match(artboards[0].objects[0], {
    ...{ name: 'Bakery', category: 'Food', color: '#a6cee3', key: '1' },
    properties: { Hours: '7–12', 'Site: web': 'https://example.org/1', Phone: '+43 1 23456' },
  });
  t.match(settings.imports[artboards[0].id], { key: 'id', category: { column: 'Type', palette: 'pastel' } });

  await must(world.server, 'PATCH', `/projects/${id}`, { settings: { ...settings, own: 1 } });
  world.write('places.csv', places.replace('2;Florist;48,21;16,38;Plants;9–18', '2;Florist;48,21;16,38;Food;10–18'));
  const again = await world.import('places.csv', '--into', id, '--fields', 'none');
  t.match(again.stdout, '0 created, 3 updated, 0 deleted');
  const after = await project();
  t.strictSame(after.settings.public_map, settings.public_map, 'categories and fields are not there twice, and stay');
  t.equal(after.settings.own, 1);
  t.match(after.artboards[0].objects[1], { category: 'Food', color: '#a6cee3', properties: { Hours: '10–18' } });
  t.equal(after.settings.imports[artboards[0].id].fields, undefined);

  world.write('others.csv', 'name,lat,lng\nTower,48.2,16.3\n');
  const others = await world.import('others.csv', '--into', id);
  t.match(others.stdout, '1 created, 0 updated', 'a file without the columns of the last import is read without them');
});

t.test('a picture becomes an artboard of its size, with its other parts as the background', async (t) => {
  const room = '<rect id="Room" x="10" y="20" width="50" height="40" fill="red"/>';
  world.write(
    'plan.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200">${room}<text x="5" y="9">Plan</text></svg>`,
  );
  const { project_id: id } = await imported(t, 'plan.svg');
  const { artboards } = await must(world.server, 'GET', `/projects/${id}`);
  t.match(artboards, [{ type: 'image', width: 300, height: 200, image_url: /^data:image\/svg\+xml,/ }]);
  t.match(artboards[0].objects, [{ name: 'Room', type: 'poly', coords: [{ x: 10, y: 20 }, {}, {}, {}] }]);
});

t.test('a file without an object ends with 1, says why, and changes nothing', async (t) => {
  const link = '<kml><NetworkLink><Link><href>https://example.com/a.kml</href></Link></NetworkLink></kml>';
  world.write('link.kml', link);
  world.write('swapped.csv', 'name,lat,lng\nA,-122.4,37.79\nB,-122.42,37.75\n');
  const all = () => must(world.server, 'GET', '/projects?fields=name');
  const before = await all();
  for (const [file, reason] of [
    ['link.kml', /Links to other files \(NetworkLink\) are not followed/],
    ['swapped.csv', /seem to be exchanged.*--swap-axes/],
  ] as const) {
    const { code, stdout, stderr } = await world.import(file);
    t.equal(code, 1, file);
    t.match(stdout.replace(/\s+/g, ' '), reason, file);
    t.match(stderr, new RegExp(`${file} has nothing that can be imported. Nothing was written`), file);
  }
  t.strictSame(await all(), before);
  const swapped = await imported(t, 'swapped.csv', '--swap-axes');
  t.equal(swapped['created'], 2);
  const { project_id: id } = await imported(t, 'shops.csv', '--match', 'id');
  const objects = await world.objects(id);
  const emptied = await world.import('link.kml', '--into', id, '--match', 'id', '--missing', 'delete', '--json');
  t.equal(emptied.code, 1);
  t.match(JSON.parse(emptied.stdout), { created: 0, updated: 0, deleted: 0, project_id: id });
  t.strictSame(await world.objects(id), objects);
});

t.test('the content of a file decides what it is, a sheet and an encoding can be chosen', async (t) => {
  const ring = Array.from({ length: 400 }, (_, i) => [16 + Math.cos(i / 64) / 10, 48 + Math.sin(i / 64) / 10]);
  const area = { geometry: { coordinates: [[...ring, ring[0]]], type: 'Polygon' }, properties: { name: 'Big' }, type: 'Feature' };
  world.write('sorted.json', JSON.stringify({ features: [area], type: 'FeatureCollection' }));
  t.match(await imported(t, 'sorted.json'), { format: 'geojson', created: 1 });
  world.write(
    'book.xlsx',
    zipOf(
      xlsxFiles({
        First: [['a'], ['b']],
        Places: [
          ['name', 'lat', 'lng'],
          ['A', 48.2, 16.37],
        ],
      }),
    ),
  );
  t.match(await imported(t, 'book.xlsx', '--layer', 'Places'), { format: 'xlsx', created: 1 });
  world.write('cyrillic.csv', fs.readFileSync(path.join(casesFolder, 'csv-cp1251.csv')));
  const cyrillic = await imported(t, 'cyrillic.csv', '--encoding', 'windows-1251');
  const [object] = await world.objects(cyrillic['project_id']);
  t.equal(object?.['name'], 'Кремль');
  const printed = await world.import('cyrillic.csv', '--encoding', 'cp1251', '--layer', 'x', '--dry-run');
  t.match(printed.stdout, /Columns: latitude "широта"; longitude "долгота"; name "название"/i);
  t.match(printed.stdout.replace(/\s+/g, ' '), /The file has no layers: "x" is not used/);
  const unknown = await world.import('cyrillic.csv', '--encoding', 'klingon');
  t.equal(unknown.code, 1);
  t.match(unknown.stderr, /The encoding "klingon" is unknown/);
});

const two = { name: 'Two floors', artboards: [{ name: 'Floor' }, { name: 'Floor' }, { name: 'Roof' }] };
const wrong: readonly (readonly [args: string[], code: number, message: RegExp])[] = [
  [['wrong.csv', '--into', 'Two floors'], 2, /several artboards. Choose one with --artboard: "Floor" \(/],
  [['wrong.csv', '--into', 'Two floors', '--artboard', 'Floor'], 2, /has 2 artboards "Floor". Give the identifier/],
  [['wrong.csv', '--into', 'Two floors', '--artboard', 'Cellar'], 2, /has no artboard "Cellar". It has: "Floor"/],
  [['wrong.csv', '--into', 'Nothing'], 2, /There is no project "Nothing"/],
  [['wrong.csv', '--artboard', 'Roof'], 2, /--artboard needs --into/],
  [['wrong.csv', '--missing', 'delete'], 2, /--missing delete needs --match/],
  [['wrong.csv', '--map', 'colour=sales'], 2, /"colour" is not a member .* Did you mean color\?/],
  [['wrong.csv', '--map', 'name'], 2, /"name" names no column/],
  [['wrong.csv', '--map', '@wrong.json'], 2, /wrong\.json is not a mapping: \/name/],
  [['wrong.csv', '--map', '@none.json'], 1, /none\.json does not exist/],
  [['wrong.csv', '--fields', 'title,:link'], 2, /--fields: .* names no column/],
  [['wrong.csv', '--category', 'kind'], 1, /no column "kind" for category/],
  [['wrong.csv', 'wrong.csv'], 2, /one by one/],
  [['wrong.csv', '--map', 'color=sale'], 1, /no column "sale"/],
  [['empty.csv', '--into', 'Two floors', '--artboard', 'Roof'], 1, /empty\.csv: The file is empty/],
  [['bomb.svg'], 1, /declares entities/],
  [['none.csv', '--into', 'Two floors', '--artboard', 'Roof'], 1, /none\.csv does not exist/],
];

t.test('wrong arguments end with 2, files that cannot be read with 1, and nothing is written', async (t) => {
  await must(world.server, 'POST', '/projects', two);
  world.write('wrong.csv', shops);
  world.write('wrong.json', '{"name":5}');
  world.write('empty.csv', '');
  world.write('bomb.svg', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>');
  const count = async () => (await must(world.server, 'GET', '/projects?fields=name')).length;
  const before = await count();
  for (const [args, expected, message] of sampled(wrong, 5)) {
    const { code, stderr } = await world.import(...args);
    t.equal(code, expected, args.join(' '));
    t.match(stderr, message, args.join(' '));
  }
  t.equal(await count(), before);
});

t.test('a file whose objects the server refuses leaves no new project behind', async (t) => {
  world.write('twice.csv', 'id,lat,lng\n1,48,16\n1,48.1,16\n');
  const count = async () => (await must(world.server, 'GET', '/projects?fields=name')).length;
  const before = await count();
  const { code, stderr } = await world.import('twice.csv', '--match', 'id');
  t.equal(code, 1);
  t.match(stderr, /1/);
  t.equal(await count(), before);
});
