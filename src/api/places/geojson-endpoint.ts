/** `GET …/artboards/:artboard_id/export.geojson`: the objects of an artboard, with their popups, for other programs. */

import Type from 'typebox';
import { areaOf, unmappable } from '../../engine/write/place-converter.ts';
import type { Reply } from '../../http/response/reply.ts';
import { paramOf } from '../../http/route.ts';
import { fileStem } from '../../lib/files/file-name.ts';
import {
  holesToPixels,
  latitudeMax,
  type MapArea,
  type Pixel,
  type Place,
  ringToPixels,
  toPixels,
  toPlace,
} from '../../lib/geo/geo.ts';
import type { MapObject } from '../../model/resources/object.ts';
import type { Value } from '../../model/value.ts';
import { findProject, type Versioned } from '../../store/find.ts';
import type { Capture } from '../../store/leaf-list.ts';
import type { State } from '../../store/state.ts';
import { type Query, replyTo } from '../crud/conditional-read.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';

/** Version of the member `mapwright` of the document. */
const version = 1;
/** Popups between two pauses. */
const sliceLength = 256;
/** Characters of the document per part. */
const partLength = 16 * 1024;
/** A geometry says the pixels of its object if they come back within so many pixels. */
const exactPixels = 1e-4;

const open = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const geojsonEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id/export.geojson',
    id: 'exportArtboard',
    tag: 'Artboards',
    summary: 'Export the objects of an artboard as GeoJSON',
    description:
      'Objects as features: a spot is a `Point`, a polygon a `Polygon` with its holes as inner rings, a line a `LineString`. Their other members are properties, with their popup as `popup`. Coordinates are longitude and latitude on an artboard of type "osm", otherwise pixels, as the member `unit` says.',
    response: Type.Object(
      {
        type: Type.Enum(['FeatureCollection'], { description: 'Of GeoJSON' }),
        mapwright: Type.Object(
          {
            version: Type.Integer({ description: 'Version of this member' }),
            unit: Type.Enum(['degrees', 'pixels'], { description: 'Of coordinates; pixels are x, y, and y grows downwards' }),
            artboard: open('The members of the artboard but id and objects'),
          },
          { description: 'What an import needs to make the same objects again' },
        ),
        features: Type.Array(open('A feature (RFC 7946)'), { description: 'One for each object, in their order' }),
      },
      { title: 'ArtboardGeoJson', description: 'The objects of an artboard as GeoJSON.', additionalProperties: false },
    ),
    responseType: 'application/geo+json',
    isFile: true,
    handle: exportArtboard,
  }),
];

/** What is exported, at one version. */
interface Exported {
  readonly artboard: Value;
  readonly objects: Capture | undefined;
  /** Popups by the object to which they are attached. */
  readonly popups: ReadonlyMap<string, readonly Value[]>;
}

function exportArtboard(api: Api, request: Request): Reply | Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const id = paramOf(request, 'artboard_id');
  const find = (state: State) => {
    const { value: project, version } = findProject(state, accountId, projectId);
    return { project, artboard: project?.collection('artboards', '')?.get(id)?.value, version };
  };
  const query: Query<Exported> = {
    version: (state) => {
      const { artboard, version } = find(state);
      return { value: artboard, version };
    },
    *search(state): Generator<void, Versioned<Exported>> {
      const { project, artboard, version } = find(state);
      if (artboard === undefined) return { value: undefined, version };
      const objects = project?.collection('objects', id)?.capture();
      const popups = yield* byObject(project?.collection('popups', '')?.capture());
      return { value: { artboard, objects, popups }, version };
    },
  };
  return replyTo(api, request, query, (exported, etag) => {
    const name = fileStem(String(exported.artboard['name']), 'artboard');
    const headers = { 'Content-Disposition': `attachment; filename="${name}.geojson"` };
    return { kind: 'stream', status: 200, etag, headers, contentType: 'application/geo+json', stream: document(exported) };
  });
}

function* byObject(popups: Capture | undefined): Generator<void, ReadonlyMap<string, readonly Value[]>> {
  const found = new Map<string, Value[]>();
  let visited = 0;
  for (const { value } of popups ?? []) {
    const object = value['attachedTo'] as string;
    const list = found.get(object);
    if (list !== undefined) list.push(value);
    else if (object !== '') found.set(object, [value]);
    if (++visited % sliceLength === 0) yield;
  }
  return found;
}

function* document({ artboard, objects, popups }: Exported): Generator<string, void> {
  const area = unmappable(artboard) === undefined ? areaOf(artboard) : undefined;
  const { id: _, ...members } = artboard;
  const head = { version, unit: area === undefined ? 'pixels' : 'degrees', artboard: members };
  let text = `{"type":"FeatureCollection","mapwright":${JSON.stringify(head)},"features":[`;
  let separator = '\n';
  const geometry = area === undefined ? pixelGeometry : placeGeometry(area);
  for (const { value } of objects ?? []) {
    text += separator + JSON.stringify(featureOf(value, geometry, popups.get(value.id) ?? []));
    separator = ',\n';
    if (text.length < partLength) continue;
    yield text;
    text = '';
  }
  yield `${text}\n]}\n`;
}

type Position = readonly [number, number];

interface Geometry {
  /** The centre of a spot, or the corners of a polygon and then those of its holes. */
  readonly rings: readonly (readonly Position[])[];
  /** Whether the pixels of the object follow from the positions. */
  readonly isExact: boolean;
}

/** Makes the geometry of the pixels of an object, and of its holes; `undefined` where there is none. */
type MakeGeometry = (pixels: readonly Pixel[], holes: readonly (readonly Pixel[])[]) => Geometry | undefined;

const pixelGeometry: MakeGeometry = (pixels, holes) => ({
  rings: [pixels, ...holes].map((ring) => ring.map(({ x, y }) => [x, y] as const)),
  isExact: true,
});

function placeGeometry(area: MapArea): MakeGeometry {
  const place = toPlace(area);
  const pixel = toPixels(area);
  return (pixels, holes) => {
    const sent = [pixels, ...holes];
    const [ring = [], ...others] = sent.map((each) => each.map(place));
    const isOnMap = ({ lat, lng }: Place): boolean => Math.abs(lat) <= latitudeMax && Math.abs(lng) <= 180;
    if (![ring, ...others].every((each) => each.every(isOnMap))) return undefined;
    const back = [ring.length === 1 ? ring.map(pixel) : ringToPixels(area, ring), ...holesToPixels(area, pixels, others)];
    return {
      rings: [ring, ...others].map((each) => each.map(({ lat, lng }) => [lng, lat] as const)),
      isExact: back.every((each, i) => areNear(each, sent[i] as readonly Pixel[])),
    };
  };
}

const areNear = (some: readonly Pixel[], others: readonly Pixel[]): boolean =>
  some.every(({ x, y }, i) => {
    const other = others[i] as Pixel;
    return Math.abs(x - other.x) <= exactPixels && Math.abs(y - other.y) <= exactPixels;
  });

/** Corners that a polygon and a hole, or a line, have at least. */
const cornersMin = { ring: 3, line: 2 } as const;

/** The properties have those of `x`, `y`, `coords`, `holes` and `closed`, in pixels, that do not follow from the geometry. */
function featureOf(value: Value, make: MakeGeometry, popups: readonly Value[]): object {
  const { id, x, y, coords, holes, closed, ...rest } = value as unknown as Value & Omit<MapObject, 'id'>;
  const isSpot = rest.type === 'spot';
  const isLine = !isSpot && closed === false;
  // A line has no holes, and a ring of two corners is no ring.
  const inner = isSpot || isLine ? [] : (holes ?? []).filter(({ length }) => length >= cornersMin.ring);
  const isDrawn = coords.length >= (isLine ? cornersMin.line : cornersMin.ring);
  const shown = isSpot ? make([{ x, y }], []) : isDrawn ? make(coords, inner) : undefined;
  const saysCentre = isSpot ? shown?.isExact === true : x === 0 && y === 0;
  const saysShape = !isSpot && shown?.isExact === true;
  const [popup, ...more] = popups.map(({ id: _, attachedTo: __, ...members }) => members);
  return {
    type: 'Feature',
    id,
    geometry: shown === undefined ? null : geometryOf(shown.rings, isSpot ? 'Point' : isLine ? 'LineString' : 'Polygon'),
    properties: {
      ...rest,
      ...(saysCentre ? {} : { x, y }),
      ...(coords.length === 0 || saysShape ? {} : { coords }),
      ...(holes === undefined || (saysShape && inner.length === holes.length) ? {} : { holes }),
      ...(closed === undefined || (isLine && shown !== undefined) ? {} : { closed }),
      ...(popup && { popup }),
      ...(more.length > 0 && { popups: more }),
    },
  };
}

function geometryOf(rings: Geometry['rings'], type: 'Point' | 'LineString' | 'Polygon'): object {
  const [first = []] = rings;
  if (type === 'Point') return { type, coordinates: first[0] };
  if (type === 'LineString') return { type, coordinates: first };
  return { type, coordinates: rings.map((ring) => [...ring, ring[0] as Position]) };
}
