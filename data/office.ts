/**
 * Example: an office on three floors, made up here. It shows what the maps do not: artboards that lead to one another, data sources,
 * every type of variable, actions with conditions and styles.
 */
import { type Artboard, type Example, type Member, ref } from './example.ts';

const width = 1200;
const height = 800;

type Kind = 'meeting' | 'open' | 'service' | 'lab';
type Room = readonly [name: string, kind: Kind, x: number, y: number, width: number, height: number, seats: number];

const fills: Record<Kind, string> = { meeting: '#bfdbfe', open: '#dcfce7', service: '#e5e7eb', lab: '#fde68a' };

/** From the ground up. Walls on a grid of 20 pixels; the stairs are the same on every floor. */
const floors: readonly {
  name: string;
  rooms: readonly Room[];
  desks: readonly (readonly [room: string, columns: number, rows: number])[];
}[] = [
  {
    name: 'Ground floor',
    rooms: [
      ['Reception', 'service', 40, 40, 320, 220, 4],
      ['Auditorium', 'meeting', 380, 40, 460, 300, 120],
      ['Café', 'service', 860, 40, 300, 300, 60],
      ['Workshop', 'lab', 40, 280, 320, 240, 12],
      ['Post room', 'service', 40, 540, 320, 220, 2],
      ['Support', 'open', 560, 360, 600, 400, 24],
    ],
    desks: [['Support', 6, 4]],
  },
  {
    name: 'First floor',
    rooms: [
      ['Engineering', 'open', 40, 40, 640, 480, 48],
      ['Mercator', 'meeting', 700, 40, 220, 150, 8],
      ['Ortelius', 'meeting', 940, 40, 220, 150, 8],
      ['Waldseemüller', 'meeting', 700, 210, 460, 130, 14],
      ['Phone box 1', 'meeting', 40, 540, 100, 100, 1],
      ['Phone box 2', 'meeting', 160, 540, 100, 100, 1],
      ['Kitchen', 'service', 40, 660, 320, 100, 10],
      ['Design', 'open', 560, 360, 600, 400, 20],
    ],
    desks: [
      ['Engineering', 8, 6],
      ['Design', 5, 4],
    ],
  },
  {
    name: 'Second floor',
    rooms: [
      ['Board room', 'meeting', 40, 40, 460, 260, 24],
      ['Finance', 'open', 520, 40, 640, 300, 18],
      ['Archive', 'service', 40, 320, 320, 200, 0],
      ['Server room', 'lab', 40, 540, 320, 220, 0],
      ['Roof terrace', 'service', 560, 360, 600, 400, 40],
    ],
    desks: [['Finance', 6, 3]],
  },
];

const box = (x: number, y: number, w: number, h: number): { x: number; y: number }[] => [
  { x, y },
  { x: x + w, y },
  { x: x + w, y: y + h },
  { x, y: y + h },
];

const room = ([name, kind, x, y, w, h]: Room): Member => ({
  name,
  type: 'poly',
  coords: box(x, y, w, h),
  color: fills[kind],
  stroke_color: '#475569',
  stroke_width: 2,
  hover_color: '#60a5fa',
  pin: false,
});

/** Desks evenly over their room, named after it. */
function desks(floor: (typeof floors)[number]): Member[] {
  return floor.desks.flatMap(([of, columns, rows]) => {
    const [, , left, top, w, h] = floor.rooms.find(([name]) => name === of) as Room;
    return Array.from({ length: columns * rows }, (_, i): Member => {
      const [column, row] = [i % columns, Math.floor(i / columns)];
      return {
        name: `${of} desk ${i + 1}`,
        type: 'spot',
        x: left + Math.round((w * (column + 0.5)) / columns),
        y: top + Math.round((h * (row + 0.5)) / rows),
        radius: 12,
        pin: false,
        color: '#22c55e',
        stroke_color: '#166534',
        stroke_width: 1,
        hover_color: '#16a34a',
        hover_opacity: 0.8,
      };
    });
  });
}

/** A stretch of stairs that leads to another artboard. */
const stairs = (name: string, to: string, y: number): Member => ({
  name,
  type: 'poly',
  coords: box(400, y, 120, 80),
  click_action: 'change-artboard',
  click_action_artboard_id: ref('artboard', to),
  color: '#94a3b8',
  stroke_color: '#334155',
  stroke_width: 2,
  hover_color: '#0ea5e9',
  hover_opacity: 0.7,
  pin: false,
});

const floorPlan = (floor: (typeof floors)[number], i: number): Artboard => {
  const [below, above] = [floors[i - 1], floors[i + 1]];
  return {
    name: floor.name,
    type: 'color',
    bg_color: '#f8fafc',
    width,
    height,
    objects: [
      ...floor.rooms.map(room),
      ...desks(floor),
      ...(above ? [stairs(`Stairs up to the ${above.name.toLowerCase()}`, above.name, 400)] : []),
      stairs(below ? `Stairs down to the ${below.name.toLowerCase()}` : 'Way out', below ? below.name : 'Site', 540),
      {
        name: `Printer, ${floor.name.toLowerCase()}`,
        type: 'spot',
        x: 460,
        y: 700,
        radius: 16,
        click_action: 'follow-link',
        click_action_url: `https://printers.example.com/floor-${i}`,
        open_link_in_new_tab: true,
        color: '#a855f7',
        blend_mode: 'multiply',
      },
    ],
  };
};

/** The picture behind the site's artboard, inside its own address: it needs no server. */
const sitePicture = `data:image/svg+xml,${encodeURIComponent(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    '<rect width="100%" height="100%" fill="#bbf7d0"/>',
    '<path d="M0 700H1200V780H0Z" fill="#cbd5e1"/>',
    '<path d="M560 560H640V700H560Z" fill="#cbd5e1"/>',
    '</svg>',
  ].join(''),
)}`;

const site: Artboard = {
  name: 'Site',
  type: 'image',
  image_url: sitePicture,
  width,
  height,
  objects: [
    {
      name: 'Building',
      type: 'poly',
      coords: [
        ...box(300, 160, 600, 400).slice(0, 3),
        { x: 640, y: 560 },
        { x: 640, y: 520 },
        { x: 560, y: 520 },
        { x: 560, y: 560 },
        { x: 300, y: 560 },
      ],
      click_action: 'change-artboard',
      click_action_artboard_id: ref('artboard', 'Ground floor'),
      color: '#f1f5f9',
      stroke_color: '#334155',
      stroke_width: 3,
      pin: false,
    },
    { name: 'Car park', type: 'poly', coords: box(960, 160, 200, 400), color: '#94a3b8', opacity: 0.6, pin: false },
    { name: 'Bus stop', type: 'spot', x: 200, y: 690, color: '#dc2626' },
    { name: 'Bicycle stand', type: 'spot', x: 520, y: 600, radius: 14, color: '#0d9488' },
  ],
};

const popups: Member[] = floors.flatMap((floor) =>
  floor.rooms.map(([name, kind, , , , , seats]): Member => {
    const bookable = kind === 'meeting';
    return {
      name: `About ${name}`,
      attachedTo: ref('object', name),
      maxWidth: 280,
      title: name,
      content:
        seats > 0 ? `<p>${floor.name}, ${seats} ${seats === 1 ? 'seat' : 'seats'}</p>` : `<p>${floor.name}, no public access</p>`,
      buttonText: bookable ? 'Book' : '',
      buttonAction: bookable ? 'follow-link' : 'none',
      buttonLink: bookable ? `https://rooms.example.com/book?room=${encodeURIComponent(name)}` : '',
    };
  }),
);

const dataSources: Member[] = [
  {
    name: 'Occupancy',
    url: 'https://sensors.example.com/v2/occupancy?building=1',
    method: 'GET',
    headers: [{ name: 'Accept', value: 'application/json' }],
  },
  {
    name: 'Bookings',
    url: 'https://rooms.example.com/search',
    method: 'POST',
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'X-Client', value: 'floor plan' },
    ],
    body: JSON.stringify({ building: 1, from: 'now', hours: 1 }),
  },
  { name: 'Visitors', url: 'https://badges.example.com/visitors', method: 'GET' },
];

/** A path to `keys` in an answer: a node for each step, the last one chosen. */
const dataPath = (...keys: string[]): Record<string, unknown> => ({
  nodes: keys.map((key, i) => ({ id: `n${i}`, key, ...(i > 0 && { parent: `n${i - 1}` }) })),
  node_id: `n${keys.length - 1}`,
  filters: [],
  collapsed_nodes: keys.length > 2 ? ['n0'] : [],
});

const variables: Member[] = [
  {
    name: 'Desks taken',
    type: 'primitive',
    data_source_id: ref('data_source', 'Occupancy'),
    data_path: dataPath('totals', 'taken'),
  },
  { name: 'Desks', type: 'custom', custom_value: '110' },
  { name: 'Share taken', type: 'expression', expression: '{Desks taken} / {Desks} * 100' },
  {
    name: 'Heat',
    type: 'interpolate-color',
    color_interpolation_range_start: 0,
    color_interpolation_range_end: 100,
    color_interpolation_factor_variable_id: ref('variable', 'Share taken'),
    color_interpolation_colors: ['#22c55e', '#eab308', '#dc2626'],
    color_interpolation_smooth: true,
  },
  { name: 'Each visitor', type: 'iterator', data_source_id: ref('data_source', 'Visitors'), data_path: dataPath('visitors') },
  {
    name: 'Visitor x',
    type: 'primitive-from-iterator',
    iterator_id: ref('variable', 'Each visitor'),
    data_path: dataPath('position', 'x'),
  },
  {
    name: 'Visitor y',
    type: 'primitive-from-iterator',
    iterator_id: ref('variable', 'Each visitor'),
    data_path: dataPath('position', 'y'),
  },
  {
    name: 'Visitor area',
    type: 'coords-from-iterator',
    iterator_id: ref('variable', 'Each visitor'),
    data_path: dataPath('allowed'),
  },
  {
    name: 'Way to safety',
    type: 'coords-from-data-source',
    data_source_id: ref('data_source', 'Occupancy'),
    data_path: { ...dataPath('safety', 'routes', 'first'), filters: [{ key: 'open', operator: 'equals', value: true }] },
  },
  { name: 'Flicker', type: 'random', random_from: 0.6, random_to: 1 },
];

const actions: Member[] = [
  {
    name: 'Colour engineering by use',
    type: 'modify-object',
    object_id: ref('object', 'Engineering'),
    conditions: [{ variable_id: ref('variable', 'Desks taken'), operator: 'greater-than', value: 0 }],
    style_color: { name: 'color', type: 'variable', variable_id: ref('variable', 'Heat') },
    style_opacity: { name: 'opacity', type: 'custom', value: 0.8 },
  },
  {
    name: 'Frame support when it is full or forced',
    type: 'modify-object',
    object_id: ref('object', 'Support'),
    condition_operator: 'or',
    conditions: [
      { variable_id: ref('variable', 'Share taken'), operator: 'greater-or-equal', value: 95 },
      { variable_id: ref('variable', 'Desks'), operator: 'equals', value: '0' },
    ],
    style_stroke_color: { name: 'stroke_color', type: 'custom', value: '#dc2626' },
    style_stroke_width: { name: 'stroke_width', type: 'custom', value: 6 },
    style_stroke_opacity: { name: 'stroke_opacity', type: 'variable', variable_id: ref('variable', 'Flicker') },
  },
  {
    name: 'A spot for each visitor',
    type: 'create-spots',
    create_object_target_artboard_id: ref('artboard', 'Ground floor'),
    create_object_name: 'Visitor',
    create_spot_x_source_type: 'variable',
    create_spot_x_variable_id: ref('variable', 'Visitor x'),
    create_spot_y_source_type: 'variable',
    create_spot_y_variable_id: ref('variable', 'Visitor y'),
    style_radius: { name: 'radius', type: 'custom', value: 9 },
    style_pin: { name: 'pin', type: 'custom', value: true },
    create_popup: true,
    popup_max_width: 240,
    popup_title: 'Visitor',
    popup_content: '<p>Please offer help.</p>',
    popup_button_action: 'none',
  },
  {
    name: 'Where each visitor may go',
    type: 'create-polys',
    create_object_target_artboard_id: ref('artboard', 'Ground floor'),
    create_object_name: 'Visitor area',
    create_poly_coords_variable_id: ref('variable', 'Visitor area'),
    style_blend_mode: { name: 'blend_mode', type: 'custom', value: 'multiply' },
  },
  {
    name: 'Show the way to safety',
    type: 'create-poly',
    create_object_target_artboard_id: ref('artboard', 'First floor'),
    create_object_name: 'Way to safety',
    create_poly_coords_variable_id: ref('variable', 'Way to safety'),
    style_color: { name: 'color', type: 'custom', value: '#16a34a' },
  },
  {
    name: 'Assembly point',
    type: 'create-spot',
    create_object_target_artboard_id: ref('artboard', 'Site'),
    create_object_name: 'Assembly point',
    create_spot_x_custom_value: '200',
    create_spot_y_custom_value: '360',
    create_popup: true,
    popup_title: 'Assembly point',
    popup_button_text: 'Fire plan',
    popup_button_link: 'https://safety.example.com/plan',
    popup_open_link_in_new_tab: true,
  },
];

export function office(): Example {
  return {
    file: 'office.json',
    source: 'made for this project',
    licence: 'Apache-2.0',
    project: {
      name: 'Office',
      thumb: '',
      settings: { start_artboard_id: ref('artboard', 'Site'), units: 'pixels, 40 to the metre' },
      artboards: [site, ...floors.map(floorPlan)],
      popups,
      data_sources: dataSources,
      variables,
      actions,
    },
  };
}
