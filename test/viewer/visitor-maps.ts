/** Maps for visitors, as published: a city with places in ten categories with fields, and a shopping centre on two floors. */
import { artboard, box, popupAt, project, spot } from './samples.ts';

type Members = Record<string, unknown>;

const categories = [
  ['Food', '#dc2626', 'Essen & Trinken'],
  ['Museum', '#7c3aed'],
  ['Park', '#16a34a'],
  ['Library', '#0891b2'],
  ['Playground', '#ea580c'],
  ['School', '#2563eb'],
  ['Toilet', '#475569'],
  ['Market', '#ca8a04'],
  ['Pool', '#0284c7'],
] as const;

const streets = ['Am Markt', 'Brunnengasse', 'Domplatz', 'Ufer'];

export const cityFields = [
  { name: 'street', label: 'Street', kind: 'text', show: ['popup', 'list', 'search'] },
  { name: 'seats', label: 'Seats', kind: 'number', show: ['popup', 'list', 'filter'] },
  { name: 'access', label: 'Wheelchair', kind: 'yes-no', show: ['popup', 'filter'] },
  { name: 'kitchen', label: 'Kitchen', kind: 'choice', show: ['popup', 'filter'] },
  { name: 'opened', label: 'Opened', kind: 'date', show: ['popup', 'filter'] },
  { name: 'web', label: 'Website', kind: 'link', show: ['popup'] },
  { name: 'phone', label: 'Telephone', kind: 'telephone', show: ['popup'] },
  { name: 'mail', label: 'Mail', kind: 'mail', show: ['popup'] },
];

/** A city on a map: `count` places, of which every 30th is in a category without settings. */
export function city(count = 300): Members {
  const objects = Array.from({ length: count }, (_, n): Members => {
    const [name] = categories[n % categories.length] as (typeof categories)[number];
    const category = n % 30 === 29 ? 'Surprise' : name;
    return spot(`${category} ${n + 1}`, 40 + ((n * 37) % 720), 40 + ((n * 91) % 520), {
      id: `place-${n + 1}`,
      radius: 8,
      color: categories.find(([each]) => each === category)?.[1] ?? '#db2777',
      category,
      properties: {
        street: `${streets[n % streets.length]} ${n + 1}`,
        seats: (n * 7) % 100,
        access: n % 3 === 0,
        ...(name === 'Food' ? { kitchen: ['Italian', 'Vegan', 'Regional'][n % 3] } : {}),
        opened: `20${String(10 + (n % 15)).padStart(2, '0')}-0${1 + (n % 9)}-15`,
        web: `https://city.example/${n + 1}`,
        phone: '+43 1 234 56-78',
        mail: 'place@city.example',
        staff: 'not public',
      },
    });
  });
  return {
    ...project([artboard('City', objects, { type: 'osm', osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 13 })]),
    name: 'City',
    settings: {
      public_map: {
        categories: categories.map(([name, color, label]) => ({ name, color, ...(label && { label }) })),
        fields: cityFields,
      },
    },
  };
}

/** Icons as published: a square and a triangle. */
const icons = {
  'maki:toilet': { path: 'M3 3h9v9H3z', size: 15 },
  'maki:shop': { path: 'M7.5 2 13 13H2z', size: 15 },
};

/** A shopping centre: shops with popups, toilets without, walls that are part of the picture, and hidden technical rooms. */
export function centre(): Members {
  const floor = (name: string): Members => {
    const wall = box('Untitled Object', 10, 10, 780, 580, { color: '#e2e8f0', interactive: false });
    const shops = Array.from({ length: 12 }, (_, n) =>
      box(`${name} shop ${n + 1}`, 40 + (n % 4) * 180, 60 + Math.floor(n / 4) * 160, 150, 120, {
        category: n % 2 === 0 ? 'Fashion' : 'Food court',
        color: n % 2 === 0 ? '#fbcfe8' : '#fde68a',
        properties: { open: n % 4 !== 3, area: 40 + 10 * n },
      }),
    );
    const toilets = [
      spot(`${name} toilet`, 400, 540, { category: 'Toilets', color: '#0369a1', icon: 'maki:toilet', radius: 14 }),
    ];
    const rooms = [spot(`${name} plant`, 700, 540, { category: 'Technical', color: '#64748b', radius: 14 })];
    return artboard(name, [wall, ...shops, ...toilets, ...rooms]);
  };
  const floors = [floor('Ground'), floor('Upper')];
  const popups = floors.flatMap(({ objects }) => (objects as Members[]).slice(1, 5).map((shop) => popupAt(shop)));
  return {
    ...project(floors, popups),
    name: 'Centre',
    icons,
    settings: {
      legend: [{ color: '#fbcfe8', name: 'Fashion' }],
      public_map: {
        categories: [
          { name: 'Fashion', color: '#be185d', icon: 'maki:shop' },
          { name: 'Food court', color: '#ca8a04' },
          { name: 'Toilets', color: '#0369a1', icon: 'maki:toilet' },
          { name: 'Technical', color: '#64748b', hidden: true },
        ],
        fields: [
          { name: 'open', label: 'Open now', kind: 'yes-no', show: ['popup', 'list', 'filter'] },
          { name: 'area', label: 'Area in m²', kind: 'number', show: ['filter'] },
        ],
      },
    },
  };
}
