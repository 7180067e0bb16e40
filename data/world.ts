/** Example: the countries of the world, one polygon for each part large enough to be seen, a popup for each country. */
import { feature, neighbors } from 'topojson-client';
import { type Example, html, type Member, readJson, ref, thousands } from './example.ts';
import {
  area,
  centre,
  coords,
  mercator,
  type Point,
  projectArcs,
  sphericalArea,
  type Topology,
  type View,
  visiblePieces,
} from './geometry.ts';

/** Everything between northern Greenland and Cape Horn. */
const view: View = { lat: 43.5, lng: 0, zoom: 3, width: 2048, height: 1360 };

const tolerance = 0.35;
const smallestPart = 3;

/** Neighbours never share one of these. */
const palette = ['#8dd3c7', '#fdb462', '#bebada', '#fb8072', '#80b1d3', '#b3de69', '#fccde5', '#ffed6f'];

interface Country {
  name: string;
  iso: string | undefined;
  color: string;
  neighbours: string[];
  squareKm: number;
  /** Rings in pixels, the largest first. */
  parts: Point[][];
  /** Where a country stands whose parts are all too small. */
  spot: Point | undefined;
}

type Shape = { type: string; id?: string | number; properties: { name: string } };
type Polygons = readonly (readonly (readonly Point[])[])[];

/** The polygons of the topology's geometry: rings of points, outlines first, then holes. */
function polygons(topology: Topology, shape: Shape): Polygons {
  const { geometry } = feature(topology, shape as unknown as Parameters<typeof feature>[1]) as unknown as {
    geometry: { type: string; coordinates: unknown };
  };
  return (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Polygons;
}

function countries(): Country[] {
  const original = readJson('world-atlas/countries-50m.json') as Topology;
  const projected = projectArcs(original, mercator(view), tolerance);
  const shapes = (original.objects['countries'] as unknown as { geometries: Shape[] }).geometries;
  const adjacent = neighbors(shapes as unknown as Parameters<typeof neighbors>[0]);
  const colors: number[] = [];
  return shapes.map((shape, i) => {
    const taken = new Set((adjacent[i] ?? []).map((j) => colors[j]));
    // Spread over the palette, so that islands, which have no neighbours, differ as well.
    colors[i] = palette.map((_, k) => (i + k) % palette.length).find((color) => !taken.has(color)) ?? 0;
    const outlines = polygons(projected, shape).map((rings) => rings[0] as Point[]);
    const parts = outlines.flatMap((ring) => visiblePieces(ring, view, smallestPart));
    const original50m = polygons(original, shape);
    const [lng, lat] = centre(original50m[0]?.[0] ?? []);
    const [x, y] = mercator(view)(lng, lat);
    return {
      name: shape.properties.name,
      iso: shape.id === undefined ? undefined : String(shape.id),
      color: palette[colors[i] ?? 0] as string,
      neighbours: (adjacent[i] ?? []).map((j) => shapes[j]?.properties.name ?? '').sort(),
      squareKm: original50m.reduce((sum, [outline = [], ...holes]) => {
        return sum + sphericalArea(outline) - holes.reduce((hole, ring) => hole + sphericalArea(ring), 0);
      }, 0),
      parts: parts.sort((a, b) => Math.abs(area(b)) - Math.abs(area(a))),
      spot: parts.length === 0 && y > 0 && y < view.height ? [x, y] : undefined,
    };
  });
}

const look = { opacity: 0.7, stroke_color: '#ffffff', stroke_width: 0.5, hover_color: '#1d4ed8', hover_opacity: 0.6, pin: false };

/** Largest first, so that an enclave lies above the country around it. */
function objects(all: readonly Country[]): Member[] {
  const parts = all.flatMap(({ name, color, parts }) => parts.map((ring) => ({ name, color, ring })));
  parts.sort((a, b) => Math.abs(area(b.ring)) - Math.abs(area(a.ring)));
  return [
    ...parts.map(({ name, color, ring }) => ({ name, type: 'poly', coords: coords(ring), color, ...look })),
    ...all.flatMap(({ name, color, spot }) =>
      spot ? [{ name, type: 'spot', x: spot[0], y: spot[1], radius: 3, color, ...look }] : [],
    ),
  ];
}

/** To two digits, and nothing exact about an islet: the outline is not good for more. */
function roughly(squareKm: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(squareKm)) - 1);
  return squareKm < 100 ? 'less than 100' : `about ${thousands(Math.round(squareKm / step) * step)}`;
}

const popup = ({ name, iso, neighbours, squareKm }: Country): Member => ({
  name,
  attachedTo: ref('object', name),
  maxWidth: 320,
  title: name,
  content: [
    `<p>Area: ${roughly(squareKm)} km²${iso === undefined ? '' : ` · ISO 3166-1: ${iso}`}</p>`,
    neighbours.length > 0 ? `<p>Borders ${html(neighbours.join(', '))}</p>` : '<p>No land borders</p>',
  ].join(''),
});

export function world(): Example {
  const shown = countries().filter(({ parts, spot }) => parts.length > 0 || spot);
  return {
    file: 'world-countries.json',
    source:
      '[Natural Earth](https://www.naturalearthdata.com/) 4.1, admin 0 at 1:50m, through [world-atlas](https://github.com/topojson/world-atlas)',
    licence: 'data: public domain; package: ISC',
    project: {
      name: 'Examples/Countries of the world',
      thumb: '',
      settings: { attribution: 'Natural Earth', projection: 'Web Mercator' },
      artboards: [
        {
          name: 'World',
          type: 'osm',
          width: view.width,
          height: view.height,
          bg_color: '#a7c7e7',
          osm_lat: view.lat,
          osm_lng: view.lng,
          osm_zoom: view.zoom,
          objects: objects(shown),
        },
      ],
      popups: shown.map(popup),
      data_sources: [],
      variables: [],
      actions: [],
    },
  };
}
