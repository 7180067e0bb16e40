/** Shapes of the geometries of KML. */
import type { Position, Shape } from '../file-data.ts';
import { openRing } from '../geometry-shapes.ts';
import { coordinatesIn, type Use } from './kml-coordinates.ts';
import type { XmlElement } from './xml-tree.ts';

/** Geometries in each other. */
const depthMax = 20;
const collections = new Set(['MultiGeometry', 'MultiTrack', 'MultiPoint', 'MultiLineString', 'MultiPolygon']);

export interface Shapes {
  readonly shapes: Shape[];
  /** Parts that cannot be used. */
  bad: number;
}

/** The shapes in an element, in their order. */
export function shapesIn(parent: XmlElement): Shapes {
  const found: Shapes = { shapes: [], bad: 0 };
  for (const child of parent.children) addShapes(child, found, 0);
  return found;
}

function addShapes(element: XmlElement, found: Shapes, depth: number): void {
  const add = (shape: Shape | undefined): void => {
    if (shape === undefined) found.bad++;
    else found.shapes.push(shape);
  };
  const name = element.name;
  if (name === 'Point') {
    const at = positionsOf(element, 'point')?.[0];
    add(at && { kind: 'point', at });
  } else if (name === 'LineString' || name === 'LinearRing') add(lineOf(positionsOf(element, 'line')));
  else if (name === 'Track') add(lineOf(trackOf(element)));
  else if (name === 'Polygon') addPolygon(element, found, add);
  else if (!collections.has(name)) return;
  else if (depth >= depthMax) found.bad++;
  else for (const child of element.children) addShapes(child, found, depth + 1);
}

function addPolygon(element: XmlElement, found: Shapes, add: (shape: Shape | undefined) => void): void {
  const ringsIn = (name: string): (readonly Position[] | undefined)[] =>
    element
      .all(name)
      .flatMap((boundary) => boundary.all('LinearRing').map((ring) => openRing(distinct(positionsOf(ring, 'ring')))));
  const [ring] = ringsIn('outerBoundaryIs');
  const holes = ringsIn('innerBoundaryIs');
  if (ring !== undefined) found.bad += holes.filter((hole) => hole === undefined).length;
  add(ring && { kind: 'ring', ring, holes: holes.filter((hole) => hole !== undefined) });
}

function positionsOf(element: XmlElement, use: Use): readonly Position[] | undefined {
  const texts = element.all('coordinates').map((each) => each.content());
  return texts.length === 0 ? undefined : coordinatesIn(texts.join(' '), use);
}

/** A track has an element per position, with blanks between its numbers. */
function trackOf(element: XmlElement): readonly Position[] {
  return element.all('coord').flatMap((coord) => coordinatesIn(coord.content(), 'point') ?? []);
}

export function lineOf(positions: readonly Position[] | undefined): Shape | undefined {
  const line = distinct(positions);
  return line !== undefined && line.length >= 2 ? { kind: 'line', line } : undefined;
}

/** Positions without repetitions. */
const distinct = (positions: readonly Position[] | undefined): readonly Position[] | undefined =>
  positions?.filter(([x, y], i) => i === 0 || x !== positions[i - 1]?.[0] || y !== positions[i - 1]?.[1]);
