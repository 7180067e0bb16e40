/** Example: a shopping centre on two floors with thirty shops, made up here. It shows what visitors use: categories, fields, icons, popups. */
import { type Artboard, type Example, html, type Member, ref } from '../example.ts';
import type { Plan } from '../plan.ts';
import {
  centrePlan,
  centreSize,
  entrances,
  escalatorBoxes,
  type Floor,
  furnishings,
  type Place,
  placesOf,
} from './centre-plan.ts';
import { banner, logo } from './logos.ts';
import { categories, groundShops, hours, type Shop, upperShops } from './shops.ts';

const facilities = { name: 'Facilities', color: '#334155', icon: 'maki:toilet' } as const;

const floors = {
  ground: { name: 'Ground floor', letter: 'G', shops: groundShops },
  upper: { name: 'Upper floor', letter: 'U', shops: upperShops },
} as const satisfies Record<Floor, object>;

/** Furniture by category, where a shop is like others of its category. */
const usual: Readonly<Record<Shop['category'], string>> = {
  fashion: 'racks',
  food: 'tables',
  groceries: 'aisles',
  health: 'counter',
  home: 'aisles',
  media: 'aisles',
  leisure: 'racks',
  services: 'rooms',
};
const special: Readonly<Record<string, string>> = {
  'Lumen Cinema': 'seats',
  'Pulse Gym': 'gym',
  'Oak & Linen': 'beds',
  Crumb: 'counter',
  Petal: 'counter',
  Snip: 'rooms',
  Carat: 'counter',
};

/** `fennel-fig`. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(/ +/g, '-');

const opensOnSunday = ({ hours: key }: Shop): boolean => hours[key].startsWith('Daily');

const widthOf = (corners: Place['corners']): number => {
  const xs = corners.map(([x]) => x);
  return Math.max(...xs) - Math.min(...xs);
};

function shopObject(shop: Shop, { corners }: Place, letter: string, i: number): Member {
  const { name, category, color, mark, more } = shop;
  const { name: categoryName, color: fill } = categories[category];
  const slug = slugOf(name);
  return {
    name,
    type: 'poly',
    coords: corners.map(([x, y]) => ({ x, y })),
    color: fill,
    opacity: 0.32,
    stroke_color: fill,
    stroke_width: 1.5,
    hover_color: fill,
    hover_opacity: 0.55,
    hover_stroke_color: fill,
    hover_stroke_width: 3,
    pin: false,
    ...(widthOf(corners) < 120 && { label_size: 11.5 }),
    category: categoryName,
    icon: logo(color, mark),
    key: `${letter}${String(i + 1).padStart(2, '0')}`,
    properties: {
      unit: `${letter}${String(i + 1).padStart(2, '0')}`,
      hours: hours[shop.hours],
      sunday: opensOnSunday(shop),
      cards: true,
      ...more,
      telephone: `+43 1 555 02 ${letter === 'G' ? 1 : 2}${String(i + 1).padStart(2, '0')}`,
      mail: `hello@${slug}.example.com`,
      website: `https://${slug}.example.com/`,
    },
  };
}

const popupOf = ({ name, color, mark, text }: Shop): Member => ({
  name: `About ${name}`,
  attachedTo: ref('object', name),
  maxWidth: 340,
  title: name,
  image: banner(color, mark, name),
  content: `<p>${html(text)}</p>`,
  buttonText: 'Visit the website',
  buttonLink: `https://${slugOf(name)}.example.com/`,
  openLinkInNewTab: true,
});

/** A facility: an icon in a circle. */
const spot = (name: string, x: number, y: number, icon: string, more: object = {}): Member => ({
  ...{ name, type: 'spot', x, y, radius: 16, pin: false, color: facilities.color, category: facilities.name, icon },
  ...{ stroke_color: '#ffffff', stroke_width: 2, hover_color: '#0f172a', hover_opacity: 0.85, label: 'never' },
  ...more,
});

/** Escalators, which lead to the other floor. */
const escalators = (floor: Floor): Member[] =>
  Object.entries(escalatorBoxes).map(([side, [x, y, width, height]]) => {
    const other = floors[floor === 'ground' ? 'upper' : 'ground'].name;
    const [left, top, right, bottom] = [x - 3, y - 3, x + width + 3, y + height + 3];
    return {
      name: `Escalators ${side}: to the ${other.toLowerCase()}`,
      type: 'poly',
      coords: [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ].map(([x, y]) => ({ x, y })),
      ...{ click_action: 'change-artboard', click_action_artboard_id: ref('artboard', other) },
      ...{ color: '#0ea5e9', opacity: 0.18, stroke_color: '#0369a1', stroke_width: 1.5, hover_color: '#0ea5e9', label: 'never' },
      category: facilities.name,
    };
  });

const opening = { properties: { hours: 'Daily 7–24' } };

const facilitiesOf: Readonly<Record<Floor, readonly Member[]>> = {
  ground: [
    spot('Entrance west', entrances.west[0] + 20, entrances.west[1], 'maki:entrance-alt1', opening),
    spot('Entrance east', entrances.east[0] - 20, entrances.east[1], 'maki:entrance-alt1', opening),
    spot('Entrance south, trams 2 and 5', ...entrances.south, 'maki:rail-light', opening),
    spot('Information', 600, 552, 'maki:information', { properties: { hours: 'Mon–Sat 9–19', telephone: '+43 1 555 02 00' } }),
    spot('Cash machine', 575, 660, 'temaki:atm', opening),
    spot('Lockers', 625, 660, 'temaki:vending_lockers', opening),
    spot('Toilets, ground floor', 575, 740, 'maki:toilet', { properties: { hours: 'Daily 7–23', wheelchair: true } }),
    spot('Lift, ground floor', 625, 740, 'maki:elevator', { properties: { wheelchair: true } }),
    spot('Defibrillator', 600, 348, 'maki:defibrillator'),
  ],
  upper: [
    spot('Toilets, upper floor', 90, 450, 'maki:toilet', { properties: { hours: 'Daily 7–23', wheelchair: true } }),
    spot('Baby care', 1110, 450, 'temaki:bunk_beds', { properties: { hours: 'Daily 9–22', wheelchair: true } }),
    spot('Lift, upper floor', 600, 330, 'maki:elevator', { properties: { wheelchair: true } }),
    spot('Play corner', 600, 570, 'maki:playground', { properties: { hours: 'Daily 10–19' } }),
    spot('Drinking water', 270, 450, 'maki:drinking-water'),
  ],
};

function artboardOf(floor: Floor): Artboard {
  const { name, letter, shops } = floors[floor];
  const places = placesOf(floor);
  if (places.length !== shops.length) throw new Error(`${name} has ${places.length} places for ${shops.length} shops.`);
  const furnish = (plan: Plan, place: Place, i: number) => {
    const shop = shops[i] as Shop;
    furnishings[special[shop.name] ?? usual[shop.category]]?.(plan, place);
  };
  return {
    name,
    type: 'image',
    image_url: centrePlan(floor, furnish),
    ...centreSize,
    objects: [
      ...shops.map((shop, i) => shopObject(shop, places[i] as Place, letter, i)),
      ...escalators(floor),
      ...facilitiesOf[floor],
    ],
  };
}

const fields = [
  { name: 'unit', label: 'Unit', kind: 'text', show: ['popup', 'list', 'search'] },
  { name: 'hours', label: 'Opening hours', kind: 'text', show: ['popup', 'list'] },
  { name: 'sunday', label: 'Open on Sunday', kind: 'yes-no', show: ['filter'] },
  { name: 'delivery', label: 'Delivers', kind: 'yes-no', show: ['popup', 'filter'] },
  { name: 'cards', label: 'Takes cards', kind: 'yes-no', show: ['popup'] },
  { name: 'diet', label: 'For vegetarians', kind: 'choice', show: ['popup', 'filter'] },
  { name: 'wheelchair', label: 'Wheelchair access', kind: 'yes-no', show: ['popup', 'filter'] },
  { name: 'telephone', label: 'Telephone', kind: 'telephone', show: ['popup'] },
  { name: 'mail', label: 'E-mail', kind: 'mail', show: ['popup'] },
  { name: 'website', label: 'Website', kind: 'link', show: ['popup'] },
];

export function shoppingCentre(): Example {
  return {
    file: 'shopping-centre.json',
    source: 'made for this project',
    licence: 'Apache-2.0',
    project: {
      name: 'Examples/Shopping centre',
      thumb: '',
      settings: {
        labels: 'auto',
        public_map: {
          description:
            'Thirty shops on two floors. Choose what you look for, or click on a shop: its hours, its telephone, its website.',
          categories: [...Object.values(categories), facilities],
          fields,
          start: { artboard_id: ref('artboard', 'Ground floor') },
        },
      },
      artboards: [artboardOf('ground'), artboardOf('upper')],
      popups: [...groundShops, ...upperShops].map(popupOf),
      data_sources: [],
      variables: [],
      actions: [],
    },
  };
}
