// tier: normal
/**
 * The committed examples equal the generated ones, fit in a request, and have only members of the contract and those of maps for visitors. The
 * tables below are these members, written out again: other tests check the schemas of the server against the same files.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { makeExamples } from '../../data/make-examples.ts';
import { simulateOffice } from '../../src/lib/simulate-office.ts';
import { exampleBody, exampleText } from '../support/examples.ts';
import { projectRoot } from '../support/project.ts';

/** Files that other programs wrote; the README names the programs. */
const savedByPrograms = ['files/danube.gpx', 'files/floor-plan.svg', 'files/new-england.kml'];

type Check = (value: unknown) => boolean;
type Json = Record<string, unknown>;

const string: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const boolean: Check = (value) => typeof value === 'boolean';
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string);
const point: Check = (value) =>
  object(value) && Object.keys(value as Json).join() === 'x,y' && Object.values(value as Json).every(number);
const fields = (check: Check, names: string): Record<string, Check> =>
  Object.fromEntries(names.split(' ').map((name) => [name, check]));

const blendModes =
  'inherit normal add multiply screen darken lighten erase color-dodge color-burn linear-burn linear-dodge linear-light hard-light soft-light ' +
  'pin-light difference exclusion overlay saturation color luminosity normal-npm add-npm screen-npm none subtract divide vivid-light hard-mix ' +
  'negation min max';

const tables: Record<string, Record<string, Check>> = {
  object: {
    ...fields(string, 'name click_action_url click_action_artboard_id color stroke_color hover_color hover_stroke_color'),
    ...fields(number, 'x y radius opacity stroke_width stroke_opacity hover_opacity hover_stroke_width hover_stroke_opacity'),
    ...fields(boolean, 'open_link_in_new_tab pin'),
    type: oneOf('spot', 'poly'),
    click_action: oneOf('none', 'follow-link', 'change-artboard'),
    coords: list(point),
    blend_mode: oneOf(...blendModes.split(' ')),
    // Beyond the contract.
    ...fields(string, 'category icon key'),
    label: oneOf('auto', 'always', 'never'),
    label_size: number,
    properties: (value) =>
      object(value) && Object.values(value as Json).every((each) => string(each) || number(each) || boolean(each)),
  },
  artboards: {
    ...fields(string, 'name embedding_url image_url bg_color'),
    ...fields(number, 'width height osm_lat osm_lng'),
    type: oneOf('color', 'image', 'osm'),
    osm_zoom: (value) => number(value) && (value as number) >= 1,
    objects: list(object),
  },
  popups: {
    ...fields(string, 'name attachedTo title image content buttonText buttonLink'),
    maxWidth: number,
    buttonAction: oneOf('follow-link', 'none'),
    openLinkInNewTab: boolean,
  },
  data_sources: {
    ...fields(string, 'name url body'),
    method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    headers: list(object),
  },
  variables: {
    ...fields(string, 'name data_source_id iterator_id custom_value expression color_interpolation_factor_variable_id'),
    ...fields(number, 'color_interpolation_range_start color_interpolation_range_end random_from random_to'),
    type: oneOf(
      ...['primitive', 'expression', 'interpolate-color', 'iterator', 'primitive-from-iterator', 'coords-from-data-source'],
      ...['coords-from-iterator', 'random', 'custom'],
    ),
    data_path: object,
    color_interpolation_colors: list(string),
    color_interpolation_smooth: boolean,
  },
  actions: {
    ...fields(string, 'name object_id create_object_target_artboard_id create_object_name create_poly_coords_variable_id'),
    ...fields(
      string,
      'create_spot_x_custom_value create_spot_x_variable_id create_spot_y_custom_value create_spot_y_variable_id popup_id',
    ),
    ...fields(string, 'popup_title popup_image popup_content popup_button_text popup_button_action popup_button_link'),
    ...fields(oneOf('variable', 'custom'), 'create_spot_x_source_type create_spot_y_source_type'),
    ...fields(object, 'style_color style_opacity style_stroke_color style_stroke_width style_stroke_opacity style_hover_color'),
    ...fields(object, 'style_hover_opacity style_hover_stroke_color style_hover_stroke_width style_hover_stroke_opacity'),
    ...fields(object, 'style_blend_mode style_radius style_pin'),
    ...fields(boolean, 'create_popup popup_open_link_in_new_tab'),
    popup_max_width: number,
    object_ids: list(string),
    match_variable_id: string,
    match_by: oneOf('key', 'name', 'property'),
    type: oneOf(
      ...['modify-object', 'modify-objects', 'modify-popup', 'create-spot', 'create-poly', 'create-spots', 'create-polys'],
    ),
    conditions: list(object),
    condition_operator: oneOf('and', 'or'),
  },
  project: {
    ...fields(string, 'name thumb'),
    ...fields(list(object), 'artboards popups data_sources variables actions'),
    settings: object,
  },
};

/** Members that the kind does not have or that are of the wrong type, as `path: value`. */
function faults(kind: string, value: Json, at: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (!tables[kind]?.[name]?.(member)) return [`${at}/${name}: ${JSON.stringify(member)?.slice(0, 60)}`];
    const inner = name === 'objects' ? 'object' : name;
    return kind === 'project' || name === 'objects'
      ? tables[inner] && Array.isArray(member)
        ? member.flatMap((element, i) => faults(inner, element, `${at}/${name}/${i}`))
        : []
      : [];
  });
}

const folder = path.join(projectRoot(import.meta.dirname), 'data', 'examples');
const limit = 5 * 1024 * 1024;
const least: Record<string, number> = {
  'cities.json': 5000,
  'office.json': 120,
  'shopping-centre.json': 48,
  'us-counties.json': 3200,
  'world-countries.json': 400,
};

const read = (file: string): { text: string; project: Json & { artboards: (Json & { objects: Json[] })[]; popups: Json[] } } => {
  const text = exampleText(file);
  return { text, project: exampleBody(file) };
};

t.test('the committed examples equal the generated ones', async (t) => {
  const made = makeExamples();
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split(path.sep).join('/'));
  t.same(names.sort(), [...made.keys(), 'files', ...savedByPrograms].sort());
  for (const [file, text] of made) {
    t.ok(fs.readFileSync(path.join(folder, file), 'utf8') === text, `${file}: run "npm run examples" if this differs`);
  }
});

for (const [file, objectsAtLeast] of Object.entries(least)) {
  t.test(`${file} fits in a request and has only members of the contract and of maps for visitors`, async (t) => {
    const { text, project } = read(file);
    t.ok(Buffer.byteLength(text) < limit, 'fits a request');
    t.same(faults('project', project, ''), []);
    const objects = project.artboards.flatMap((artboard) => artboard.objects);
    t.ok(objects.length >= objectsAtLeast, `${objects.length} objects`);
    t.notOk(
      objects.some(({ type }) => type === undefined),
      'every object says its type',
    );
    t.same(
      objects.filter(({ type, coords }) => type === 'poly' && (coords as unknown[]).length < 3).map(({ name }) => name),
      [],
      'a polygon has three vertices',
    );
    const outside = project.artboards.flatMap(({ objects, width, height }) =>
      objects.filter(({ x = 0, y = 0, coords = [] }) => {
        const points = [{ x, y }, ...(coords as Json[])] as { x: number; y: number }[];
        return points.some((p) => p.x < 0 || p.y < 0 || p.x > (width as number) || p.y > (height as number));
      }),
    );
    t.same(
      outside.map(({ name }) => name),
      [],
      'everything lies on its artboard',
    );
  });
}

t.test('the checks of the examples find invalid members', async (t) => {
  t.same(faults('project', { name: 1 }, ''), ['/name: 1']);
  t.same(faults('project', { artboards: [{ objects: [{ type: 'circle' }] }] }, ''), ['/artboards/0/objects/0/type: "circle"']);
  t.same(faults('project', { artboards: [{ osm_zoom: 0 }] }, ''), ['/artboards/0/osm_zoom: 0']);
  t.same(faults('project', { popups: [{ attached_to: '' }] }, ''), ['/popups/0/attached_to: ""']);
  t.same(faults('object', { coords: [{ x: 1, y: 2, z: 3 }] }, ''), ['/coords: [{"x":1,"y":2,"z":3}]']);
});

t.test('the example maps show the expected places', async (t) => {
  const names = (file: string, artboard: number): string[] =>
    (read(file).project.artboards[artboard]?.objects ?? []).map(({ name }) => name as string);

  const countries = new Set(names('world-countries.json', 0));
  for (const name of ['France', 'Fiji', 'Russia', 'Lesotho', 'Vatican', 'Nauru']) t.ok(countries.has(name), name);
  const { popups } = read('world-countries.json').project;
  t.equal(new Set(popups.map(({ name }) => name)).size, popups.length, 'one popup for each country');
  t.equal(countries.size, popups.length);

  t.equal(new Set(names('us-counties.json', 1)).size, 3142, 'every county is there');
  t.equal(new Set(names('us-counties.json', 0)).size, 51, 'every state, and the District of Columbia');
  t.equal(names('cities.json', 0).length, 5000);

  const types = (read('office.json').project['variables'] as Json[]).map(({ type }) => type);
  t.equal(new Set(types).size, 9, 'the office has a variable of every type');
  t.equal(
    new Set((read('office.json').project['actions'] as Json[]).map(({ type }) => type)).size,
    7,
    'and an action of every type',
  );
});

interface PublicMap {
  readonly categories: readonly { readonly name: string; readonly icon?: string }[];
  readonly fields: readonly { readonly name: string }[];
}

t.test('visitors can filter and read what the objects of an example have', async (t) => {
  const checked = Object.keys(least).flatMap((file) => {
    const { project } = read(file);
    const map = (project['settings'] as { public_map?: PublicMap }).public_map;
    return map === undefined ? [] : [{ file, map, objects: project.artboards.flatMap(({ objects }) => objects) }];
  });
  t.same(
    checked.map(({ file }) => file),
    ['cities.json', 'office.json', 'shopping-centre.json'],
  );
  for (const { file, map, objects } of checked) {
    const used = new Set(objects.flatMap(({ category }) => (category === undefined ? [] : [category])));
    t.same([...used].sort(), map.categories.map(({ name }) => name).sort(), `${file}: each category has objects`);
    const properties = new Set(objects.flatMap((each) => Object.keys((each['properties'] ?? {}) as Json)));
    t.same([...properties].sort(), map.fields.map(({ name }) => name).sort(), `${file}: each property is a field`);
  }
});

t.test(
  'the shopping centre has thirty shops on two floors, each with a logo, a picture, and addresses that lead nowhere',
  async (t) => {
    const { text, project } = read('shopping-centre.json');
    t.same(
      project.artboards.map(({ name }) => name),
      ['Ground floor', 'Upper floor'],
    );
    const shops = project.artboards.flatMap(({ objects }) => objects.filter(({ key }) => key !== undefined));
    t.equal(shops.length, 30);
    t.equal(new Set(shops.map(({ icon }) => icon)).size, 30, 'no two logos are the same');
    t.equal(new Set(shops.map(({ name }) => name)).size, 30);
    t.equal(project.popups.length, 30);
    t.ok(project.popups.every(({ image }) => String(image).startsWith('data:image/svg+xml,')));
    const hosts = [...text.matchAll(/(?:https:\/\/|hello@)([\w.-]+)/g)].map(([, host = '']) => host);
    t.ok(hosts.length >= 90);
    t.same(
      hosts.filter((host) => !host.endsWith('.example.com')),
      [],
    );
  },
);

interface Rectangle {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pairs of polygons whose rectangles overlap; a common edge is none. */
function overlaps(objects: readonly Json[]): string[] {
  const rectangles = objects.flatMap(({ name, type, coords }): Rectangle[] => {
    if (type !== 'poly') return [];
    const [xs, ys] = [(coords as { x: number }[]).map(({ x }) => x), (coords as { y: number }[]).map(({ y }) => y)];
    return [{ name: String(name), left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }];
  });
  return rectangles.flatMap((a, i) =>
    rectangles
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.name} and ${b.name}`),
  );
}

t.test('no two rooms or stairs of a floor of the office, and no two shops, overlap', async (t) => {
  const square = (name: string, at: number) => ({
    name,
    type: 'poly',
    coords: [0, 10].flatMap((x) => [0, 10].map((y) => ({ x: x + at, y: y + at }))),
  });
  t.same(overlaps([square('a', 0), square('b', 10), square('c', 19)]), ['b and c'], 'the check finds an overlap');
  const { artboards } = read('office.json').project;
  for (const { name, objects } of [...artboards, ...read('shopping-centre.json').project.artboards]) {
    // Beyond the place in the middle, where fronts are round.
    const straight = objects.filter(({ coords = [] }) => (coords as unknown[]).length <= 6);
    t.same(overlaps(straight), [], String(name));
    t.ok(objects.filter(({ type }) => type === 'poly').length >= 2);
  }
});

t.test('the data sources of the office have no URL, and the simulation has a response for each', async (t) => {
  const sources = read('office.json').project['data_sources'] as Json[];
  t.same(
    sources.map(({ name, url = '' }) => [name, url]),
    Object.keys(simulateOffice(0)).map((name) => [name, '']),
  );
});
