/**
 * Example: an office on three floors, made up here. It shows what the maps do not: artboards that lead to one another, data sources,
 * every type of variable and action, conditions and styles. Its data sources have no URL: `mapwright demo --live` and the console push
 * what `src/lib/simulate-office.ts` makes up.
 */
import { cornersOf, deskPlaces, type OfficeFloor, type OfficeRoom, officeFloors } from '../src/lib/simulate-office.ts';
import { type Artboard, type Example, type Member, ref } from './example.ts';
import { floorPlanOf, officeSize, sitePlan, stairsDown, stairsUp, wayOut } from './office-plan.ts';
import type { Box } from './plan.ts';

const { width, height } = officeSize;

/** The fields by which visitors filter rooms. */
const categories = {
  meeting: { name: 'Meeting rooms', color: '#1d4ed8', icon: 'temaki:speaker' },
  open: { name: 'Desks', color: '#15803d', icon: 'temaki:desk_lamp' },
  service: { name: 'Services', color: '#b45309', icon: 'maki:information' },
  lab: { name: 'Technical rooms', color: '#6d28d9', icon: 'temaki:tools' },
} as const satisfies Record<OfficeRoom['kind'], object>;
const facilities = { name: 'Facilities', color: '#475569', icon: 'maki:elevator' } as const;
const outside = { name: 'Outside', color: '#115e59', icon: 'maki:park' } as const;

/** Icons of rooms that differ from that of their category. */
const icons: Readonly<Record<string, string>> = {
  Reception: 'maki:information',
  Auditorium: 'maki:theatre',
  Café: 'maki:cafe',
  'Post room': 'maki:post',
  'Phone box 1': 'maki:telephone',
  'Phone box 2': 'maki:telephone',
  Kitchen: 'maki:restaurant',
  Archive: 'maki:library',
  'Server room': 'temaki:antenna',
  'Roof terrace': 'temaki:lounger',
};

const equipment: Readonly<Record<string, string>> = {
  Reception: 'Visitor badges, lockers',
  Auditorium: 'Stage, projector, hearing loop',
  Café: 'Counter, coffee until five',
  Workshop: '3D printer, laser cutter, hand tools',
  'Post room': 'Parcel scales, franking machine',
  Mercator: 'Screen, whiteboard',
  Ortelius: 'Screen, whiteboard',
  Waldseemüller: 'Two screens, video conference',
  'Phone box 1': 'Soundproof, one socket',
  'Phone box 2': 'Soundproof, one socket',
  Kitchen: 'Two ovens, dishwasher',
  'Board room': 'Video conference, whiteboard',
  'Roof terrace': 'Parasols, sockets, water',
};

const box = (x: number, y: number, width: number, height: number) => cornersOf({ x, y, width, height });

/** Counts rooms, for their telephone numbers. */
const roomNames = officeFloors.flatMap((floor) => floor.rooms.map(({ name }) => name));

/** Brighter than the colours of the categories, because the plan shines through. */
const fills: Record<OfficeRoom['kind'], string> = { meeting: '#3b82f6', open: '#22c55e', service: '#f59e0b', lab: '#8b5cf6' };

const room = (room: OfficeRoom): Member => ({
  name: room.name,
  type: 'poly',
  coords: cornersOf(room),
  color: fills[room.kind],
  opacity: 0.26,
  stroke_color: categories[room.kind].color,
  stroke_width: 1.5,
  hover_color: fills[room.kind],
  hover_opacity: 0.5,
  hover_stroke_color: categories[room.kind].color,
  hover_stroke_width: 3,
  pin: false,
  category: categories[room.kind].name,
  icon: icons[room.name] ?? categories[room.kind].icon,
  properties: {
    ...(room.seats > 0 && { seats: room.seats }),
    ...(room.kind === 'meeting' && { bookable: room.seats > 1 }),
    ...(equipment[room.name] !== undefined && { equipment: equipment[room.name] }),
    telephone: `+43 1 555 01 ${String(10 + roomNames.indexOf(room.name))}`,
  },
});

/** Desks, named after their room. Their keys are those of the sensors. */
const desks = (room: OfficeRoom): Member[] =>
  deskPlaces(room).map(({ x, y }, i) => ({
    name: `${room.name} desk ${i + 1}`,
    key: `${room.name} ${i + 1}`,
    type: 'spot',
    x,
    y,
    radius: 9,
    pin: false,
    color: '#bbf7d0',
    stroke_color: '#16a34a',
    stroke_width: 1.5,
    hover_color: '#16a34a',
    hover_opacity: 0.8,
    label: 'never',
  }));

/** A stretch of stairs that leads to another artboard. */
const stairs = (name: string, to: string, [x, y, w, h]: Box, more: object = {}): Member => ({
  name,
  type: 'poly',
  coords: box(x, y, w, h),
  click_action: 'change-artboard',
  click_action_artboard_id: ref('artboard', to),
  color: '#64748b',
  opacity: 0.2,
  stroke_color: '#475569',
  stroke_width: 1.5,
  hover_color: '#0ea5e9',
  hover_opacity: 0.6,
  pin: false,
  category: facilities.name,
  ...more,
});

/** A place of the building that has no room. */
const facility = (name: string, x: number, y: number, icon: string, more: object = {}): Member => ({
  name,
  ...{ type: 'spot', x, y, radius: 15, pin: false, color: facilities.color, category: facilities.name, icon },
  ...{ stroke_color: '#ffffff', stroke_width: 2, hover_color: '#0f172a', hover_opacity: 0.8, label: 'never' },
  ...more,
});

const floorPlan = (floor: OfficeFloor, i: number): Artboard => {
  const [below, above] = [officeFloors[i - 1], officeFloors[i + 1]];
  return {
    name: floor.name,
    type: 'image',
    image_url: floorPlanOf(floor, { isGround: i === 0, isTop: above === undefined }),
    width,
    height,
    objects: [
      ...floor.rooms.map(room),
      ...floor.rooms.flatMap(desks),
      ...(above ? [stairs(`Stairs up to the ${above.name.toLowerCase()}`, above.name, stairsUp)] : []),
      below
        ? stairs(`Stairs down to the ${below.name.toLowerCase()}`, below.name, stairsDown)
        : stairs('Way out', 'Site', wayOut, { icon: 'maki:entrance-alt1' }),
      facility(`Printer, ${floor.name.toLowerCase()}`, 90, 380, 'temaki:poster_box', {
        click_action: 'follow-link',
        click_action_url: `https://printers.example.com/floor-${i}`,
        open_link_in_new_tab: true,
      }),
      facility(`Water, ${floor.name.toLowerCase()}`, 1105, 380, 'maki:drinking-water'),
      facility(`First aid, ${floor.name.toLowerCase()}`, 455, 380, 'maki:defibrillator'),
    ],
  };
};

const site: Artboard = {
  name: 'Site',
  type: 'image',
  image_url: sitePlan(),
  width,
  height,
  objects: [
    {
      name: 'Building',
      type: 'poly',
      coords: box(302, 162, 600, 400),
      click_action: 'change-artboard',
      click_action_artboard_id: ref('artboard', 'Ground floor'),
      color: '#e2e8f0',
      opacity: 0.35,
      stroke_color: '#334155',
      stroke_width: 3,
      hover_color: '#3b82f6',
      hover_opacity: 0.35,
      pin: false,
      category: outside.name,
      icon: 'maki:commercial',
    },
    {
      ...{ name: 'Car park', type: 'poly', coords: box(940, 120, 230, 480), color: '#94a3b8', opacity: 0.15, pin: false },
      ...{ category: outside.name, icon: 'maki:parking', properties: { spaces: 42 } },
    },
    facility('Bus stop', 200, 674, 'maki:bus', { color: '#b91c1c', radius: 20, category: outside.name }),
    facility('Bicycle stand', 640, 590, 'maki:bicycle', { color: outside.color, radius: 20, category: outside.name }),
    facility('Pond', 150, 235, 'maki:water', { color: '#075985', radius: 20, category: outside.name }),
    facility('Charging station', 1055, 640, 'maki:charging-station', {
      color: outside.color,
      radius: 20,
      category: outside.name,
    }),
  ],
};

const everyRoom = officeFloors.flatMap((floor) => floor.rooms.map((room) => ({ floor, room })));

const popups: Member[] = everyRoom.map(({ floor, room: { name, kind, seats } }) => {
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
});

/** Without a URL, a server fetches nothing: the responses are pushed. */
const dataSources: Member[] = ['Occupancy', 'Bookings', 'Visitors', 'Safety'].map((name) => ({ name }));

type Filter = readonly [key: string, value: unknown];

/** The path to `keys` in a response: a node for each step, the last one chosen. Filters hold for the last array of the path. */
const dataPath = (keys: readonly string[], ...filters: readonly Filter[]): Record<string, unknown> => ({
  nodes: keys.map((key, i) => ({ id: `n${i}`, key, ...(i > 0 && { parent: `n${i - 1}` }) })),
  node_id: `n${keys.length - 1}`,
  filters: filters.map(([key, value]) => ({ key, operator: 'equals', value })),
  collapsed_nodes: keys.length > 2 ? ['n0'] : [],
});

/** A variable that reads a data source. */
const read = (name: string, type: string, source: string, keys: readonly string[], ...filters: readonly Filter[]): Member => ({
  name,
  type,
  data_source_id: ref('data_source', source),
  data_path: dataPath(keys, ...filters),
});

/** A variable that reads each item of an iterator. */
const ofEach = (iterator: string, name: string, keys: readonly string[], type = 'primitive-from-iterator'): Member => ({
  name,
  type,
  iterator_id: ref('variable', iterator),
  data_path: dataPath(keys),
});

/** From free to full. */
const heat = (name: string, factor: string, end: number): Member => ({
  name,
  type: 'interpolate-color',
  color_interpolation_range_start: 0,
  color_interpolation_range_end: end,
  color_interpolation_factor_variable_id: ref('variable', factor),
  color_interpolation_colors: ['#bbf7d0', '#fde047', '#f87171'],
  color_interpolation_smooth: true,
});

const variables: Member[] = [
  read('Desks taken', 'primitive', 'Occupancy', ['totals', 'taken']),
  read('People inside', 'primitive', 'Occupancy', ['totals', 'people']),
  { name: 'Desks', type: 'custom', custom_value: String(everyRoom.reduce((sum, { room }) => sum + deskPlaces(room).length, 0)) },
  { name: 'Share taken', type: 'expression', expression: '{Desks taken} / {Desks} * 100' },
  { name: 'Percent taken', type: 'expression', expression: 'round({Share taken})' },
  heat('Heat', 'Share taken', 100),
  read('Each room', 'iterator', 'Occupancy', ['rooms']),
  ofEach('Each room', 'Room', ['name']),
  ofEach('Each room', 'Floor', ['floor']),
  ofEach('Each room', 'Seats', ['seats']),
  ofEach('Each room', 'Taken', ['taken']),
  { name: 'Percent of seats', type: 'expression', expression: '{Seats} > 0 ? {Taken} / {Seats} * 100 : 0' },
  heat('Room heat', 'Percent of seats', 100),
  read('Support taken', 'primitive', 'Occupancy', ['rooms', 'taken'], ['name', 'Support']),
  read('Each booking', 'iterator', 'Bookings', ['rooms']),
  ofEach('Each booking', 'Booked room', ['room']),
  ofEach('Each booking', 'Meeting', ['title']),
  ofEach('Each booking', 'Meeting ends in', ['seconds_left']),
  read('Each taken desk', 'iterator', 'Occupancy', ['desks']),
  ofEach('Each taken desk', 'Desk', ['id']),
  read('Each visitor', 'iterator', 'Visitors', ['visitors']),
  ofEach('Each visitor', 'Visitor', ['name']),
  ofEach('Each visitor', 'Host', ['host']),
  ofEach('Each visitor', 'Visited room', ['room']),
  ofEach('Each visitor', 'Visitor x', ['position', 'x']),
  ofEach('Each visitor', 'Visitor y', ['position', 'y']),
  ofEach('Each visitor', 'Visitor area', ['allowed'], 'coords-from-iterator'),
  read('Evacuation', 'primitive', 'Safety', ['evacuation']),
  read('People outside', 'primitive', 'Safety', ['outside']),
  { name: 'Size of the crowd', type: 'expression', expression: '12 + 2 * sqrt({People outside})' },
  ...officeFloors.map(({ name }) =>
    read(
      `Way to safety, ${name.toLowerCase()}`,
      'coords-from-data-source',
      'Safety',
      ['routes', 'coords'],
      ['floor', name],
      ['open', true],
    ),
  ),
  { name: 'Flicker', type: 'random', random_from: 0.6, random_to: 1 },
];

const custom = (name: string, value: unknown) => ({ [`style_${name}`]: { name, type: 'custom', value } });
const variable = (name: string, of: string) => ({
  [`style_${name}`]: { name, type: 'variable', variable_id: ref('variable', of) },
});
const when = (name: string, operator: string, value?: unknown) => ({ variable_id: ref('variable', name), operator, value });

/** An action for each item of a list: the value of the variable is the name of an object. */
const forEach = (name: string) => ({ match_variable_id: ref('variable', name), match_by: 'name' });

/** Rooms for a few people are coloured by their bookings alone. */
const isLarge = when('Seats', 'greater-or-equal', 10);

const listActions: Member[] = [
  {
    name: 'Colour rooms by use',
    type: 'modify-objects',
    ...forEach('Room'),
    conditions: [isLarge, when('Taken', 'greater-than', 0)],
    ...variable('color', 'Room heat'),
    ...custom('opacity', 0.6),
  },
  {
    name: 'Say how full rooms are',
    type: 'modify-popup',
    ...forEach('Room'),
    conditions: [isLarge],
    popup_content: '<p>{Floor}: {Taken} of {Seats} seats are taken.</p>',
  },
  {
    name: 'Mark rooms as booked',
    type: 'modify-objects',
    ...forEach('Booked room'),
    conditions: [when('Meeting', 'is-not-empty')],
    ...custom('color', '#a78bfa'),
    ...custom('opacity', 0.6),
  },
  {
    name: 'Say what happens in rooms',
    type: 'modify-popup',
    ...forEach('Booked room'),
    conditions: [when('Meeting', 'is-not-empty')],
    popup_content: '<p>{Meeting}, for {Meeting ends in} seconds more.</p>',
  },
  {
    name: 'Colour desks that are taken',
    type: 'modify-objects',
    match_variable_id: ref('variable', 'Desk'),
    ...custom('color', '#1d4ed8'),
    ...custom('radius', 10),
    ...custom('stroke_color', '#1e3a8a'),
  },
];

const visitorActions: Member[] = [
  {
    name: 'Where each visitor may go',
    type: 'create-polys',
    create_object_target_artboard_id: ref('artboard', 'Ground floor'),
    create_poly_coords_variable_id: ref('variable', 'Visitor area'),
    ...custom('color', '#fed7aa'),
    ...custom('opacity', 0.15),
    ...custom('stroke_color', '#ea580c'),
    ...custom('stroke_width', 2),
    ...custom('blend_mode', 'multiply'),
    ...custom('pin', false),
  },
  {
    name: 'A spot for each visitor',
    type: 'create-spots',
    create_object_target_artboard_id: ref('artboard', 'Ground floor'),
    create_object_name: '{Visitor}',
    create_spot_x_source_type: 'variable',
    create_spot_x_variable_id: ref('variable', 'Visitor x'),
    create_spot_y_source_type: 'variable',
    create_spot_y_variable_id: ref('variable', 'Visitor y'),
    ...custom('color', '#ea580c'),
    ...custom('radius', 11),
    ...custom('stroke_color', '#7c2d12'),
    ...custom('stroke_width', 2),
    ...custom('pin', false),
    create_popup: true,
    popup_max_width: 240,
    popup_title: '{Visitor}',
    popup_content: '<p>Visits {Host}, {Visited room}.</p>',
    popup_button_action: 'none',
  },
];

const safetyActions: Member[] = [
  {
    name: 'Fade the rooms during an evacuation',
    type: 'modify-objects',
    object_ids: everyRoom.map(({ room }) => ref('object', room.name)),
    conditions: [when('Evacuation', 'equals', true)],
    ...custom('color', '#f1f5f9'),
  },
  {
    name: 'Light the building during an evacuation',
    type: 'modify-object',
    object_id: ref('object', 'Building'),
    conditions: [when('Evacuation', 'equals', true)],
    ...custom('color', '#f87171'),
    ...variable('opacity', 'Flicker'),
  },
  ...officeFloors.map(({ name }) => ({
    name: `Show the way to safety, ${name.toLowerCase()}`,
    type: 'create-poly',
    create_object_target_artboard_id: ref('artboard', name),
    create_object_name: 'Way to safety',
    create_poly_coords_variable_id: ref('variable', `Way to safety, ${name.toLowerCase()}`),
    conditions: [when('Evacuation', 'equals', true)],
    ...custom('color', '#16a34a'),
    ...custom('stroke_color', '#14532d'),
    ...custom('stroke_width', 1),
    ...variable('opacity', 'Flicker'),
    ...custom('pin', false),
  })),
  {
    name: 'Assembly point',
    type: 'create-spot',
    create_object_target_artboard_id: ref('artboard', 'Site'),
    create_object_name: 'Assembly point',
    create_spot_x_custom_value: '200',
    create_spot_y_custom_value: '360',
    ...custom('color', '#16a34a'),
    ...variable('radius', 'Size of the crowd'),
    ...custom('pin', false),
    create_popup: true,
    popup_title: 'Assembly point',
    popup_content: '<p>{People outside} people are here, {People inside} are inside.</p>',
    popup_button_text: 'Fire plan',
    popup_button_link: 'https://safety.example.com/plan',
    popup_open_link_in_new_tab: true,
  },
];

const actions: Member[] = [
  ...listActions,
  {
    name: 'Frame support when it is nearly full, or all desks are taken',
    type: 'modify-object',
    object_id: ref('object', 'Support'),
    condition_operator: 'or',
    conditions: [
      when('Support taken', 'greater-or-equal', 20),
      { variable_id: ref('variable', 'Desks taken'), operator: 'greater-or-equal', value_variable_id: ref('variable', 'Desks') },
    ],
    ...custom('stroke_color', '#dc2626'),
    ...custom('stroke_width', 6),
    ...variable('stroke_opacity', 'Flicker'),
  },
  {
    name: 'Colour the building by use',
    type: 'modify-object',
    object_id: ref('object', 'Building'),
    ...variable('color', 'Heat'),
  },
  {
    name: 'Count the people at the reception',
    type: 'modify-popup',
    popup_id: ref('popup', 'About Reception'),
    popup_content:
      '<p>{People inside} people are in the building. {Desks taken} of {Desks} desks are taken ({Percent taken} %).</p>',
    popup_button_action: 'none',
  },
  ...visitorActions,
  ...safetyActions,
];

export function office(): Example {
  return {
    file: 'office.json',
    source: 'made for this project',
    licence: 'Apache-2.0',
    project: {
      name: 'Examples/Office',
      thumb: '',
      settings: {
        ...{ start_artboard_id: ref('artboard', 'Site'), units: 'pixels, 40 to the metre', labels: 'auto' },
        public_map: {
          description:
            'An office on three floors: where rooms are, how many people they seat, what can be booked. While its sensors send data, the map shows who is where.',
          categories: [...Object.values(categories), facilities, outside],
          fields: [
            { name: 'seats', label: 'Seats', kind: 'number', show: ['popup', 'list', 'filter'] },
            { name: 'bookable', label: 'Can be booked', kind: 'yes-no', show: ['popup', 'filter'] },
            { name: 'equipment', label: 'Equipment', kind: 'text', show: ['popup', 'search'] },
            { name: 'spaces', label: 'Spaces', kind: 'number', show: ['popup'] },
            { name: 'telephone', label: 'Telephone', kind: 'telephone', show: ['popup'] },
          ],
          start: { artboard_id: ref('artboard', 'Ground floor') },
        },
      },
      artboards: [site, ...officeFloors.map(floorPlan)],
      popups,
      data_sources: dataSources,
      variables,
      actions,
    },
  };
}
