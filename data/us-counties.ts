/** Example: the counties of the United States, an artboard of states that lead to it, a popup for each state. */
import { feature } from 'topojson-client';
import { type Example, html, type Member, readJson, ref, thousands } from './example.ts';
import { area, coords, type Point, projectArcs, simplify, type Topology } from './geometry.ts';

/** The source is projected already (Albers, Alaska and Hawaii moved in): doubled, and moved so that the Aleutians fit. */
const scale = 2;
const margin = { left: 62, top: -8 };
const width = 2050;
const height = 1210;

const tolerance = { county: 0.3, state: 0.8 };
const smallestPart = { county: 2, state: 12 };

/** From small to large. */
const shades = ['#dbeafe', '#bfdbfe', '#93c5fd', '#60a5fa', '#3b82f6', '#2563eb'];

interface Region {
  /** FIPS code: two digits for a state, three more for a county. */
  code: string;
  name: string;
  /** Rings in pixels, the largest first. */
  parts: Point[][];
  /** A point of its outline: all there is of three cities of Virginia, too small for the source. */
  at: Point;
}

const size = ({ parts }: Region): number => parts.reduce((sum, ring) => sum + Math.abs(area(ring)), 0);

function regions(kind: 'counties' | 'states', tolerance: number, smallest: number): Region[] {
  const original = readJson('us-atlas/counties-albers-10m.json') as Topology;
  const place = (x: number, y: number): Point => [
    Math.round((x + margin.left) * scale * 10) / 10,
    Math.round((y + margin.top) * scale * 10) / 10,
  ];
  const shapes = (original.objects[kind] as unknown as { geometries: { id: string; properties: { name: string } }[] }).geometries;
  const topology = projectArcs(original, place, tolerance);
  const found = shapes.map((shape): Region => {
    const { geometry } = feature(topology, shape as unknown as Parameters<typeof feature>[1]) as unknown as {
      geometry: { type: string; coordinates: Point[][] | Point[][][] };
    };
    const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Point[][][];
    const outlines = polygons.map((rings) => simplify(rings[0] ?? [], 0));
    const parts = outlines.map((ring) => ring.slice(0, -1)).filter((ring) => ring.length >= 3);
    parts.sort((a, b) => Math.abs(area(b)) - Math.abs(area(a)));
    return {
      code: shape.id,
      name: shape.properties.name,
      parts: parts.filter((ring, i) => i === 0 || Math.abs(area(ring)) >= smallest),
      at: outlines[0]?.[0] ?? [0, 0],
    };
  });
  // By code: a Virginian city comes after, and so lies above, the county around it.
  return found.sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function usCounties(): Example {
  const states = regions('states', tolerance.state, smallestPart.state);
  const counties = regions('counties', tolerance.county, smallestPart.county);
  const stateOf = new Map(states.map((state) => [state.code, state]));
  const bySize = [...counties].sort((a, b) => size(a) - size(b) || (a.code < b.code ? -1 : 1));
  const shadeOf = new Map(bySize.map(({ code }, i) => [code, shades[Math.floor((i * shades.length) / bySize.length)]]));

  const countyObjects = counties.flatMap(({ code, name, parts, at: [x, y] }): Member[] => {
    const full = `${name}, ${stateOf.get(code.slice(0, 2))?.name} (${code})`;
    const places =
      parts.length > 0 ? parts.map((ring) => ({ type: 'poly', coords: coords(ring) })) : [{ type: 'spot', x, y, radius: 1.5 }];
    return places.map((place) => ({
      name: full,
      ...place,
      color: shadeOf.get(code),
      stroke_color: '#ffffff',
      stroke_width: 0.5,
      hover_color: '#f59e0b',
      pin: false,
    }));
  });
  const stateObjects = states.flatMap(({ name, parts }): Member[] =>
    parts.map((ring) => ({
      name,
      type: 'poly',
      coords: coords(ring),
      click_action: 'change-artboard',
      click_action_artboard_id: ref('artboard', 'Counties'),
      color: '#93c5fd',
      stroke_color: '#1e3a8a',
      stroke_width: 1,
      hover_color: '#f59e0b',
      pin: false,
    })),
  );
  const popups = states.map(({ code, name }): Member => {
    const own = bySize.filter((county) => county.code.startsWith(code));
    const largest = own.at(-1)?.name ?? '';
    return {
      name,
      attachedTo: ref('object', name),
      maxWidth: 300,
      title: name,
      content: `<p>${thousands(own.length)} ${own.length === 1 ? 'county or equivalent' : `counties or equivalents; the largest is ${html(largest)}`}</p>`,
      buttonText: 'Read more',
      buttonLink: `https://en.wikipedia.org/wiki/${encodeURIComponent(name.replaceAll(' ', '_'))}`,
      openLinkInNewTab: true,
    };
  });
  return {
    file: 'us-counties.json',
    source:
      '[US Census Bureau](https://www.census.gov/geographies/mapping-files.html) cartographic boundaries, 2017, through [us-atlas](https://github.com/topojson/us-atlas)',
    licence: 'data: public domain; package: ISC',
    project: {
      name: 'Examples/Counties of the United States',
      thumb: '',
      settings: { attribution: 'US Census Bureau', projection: 'Albers USA', shades: 'six classes of equal count, by area' },
      artboards: [
        { name: 'States', type: 'color', bg_color: '#f8fafc', width, height, objects: stateObjects },
        { name: 'Counties', type: 'color', bg_color: '#f8fafc', width, height, objects: countyObjects },
      ],
      popups,
      data_sources: [],
      variables: [],
      actions: [],
    },
  };
}
