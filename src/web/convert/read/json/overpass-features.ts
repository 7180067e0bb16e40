/** Features of Overpass JSON: nodes and ways of OpenStreetMap. */
import type { Notes } from '../../notes.ts';
import { isObject, type Json, listOf } from './json-value.ts';

/** Keys of ways that are areas if they are closed; others may be roundabouts. */
const areaTags =
  /^(?:building|landuse|natural|leisure|amenity|shop|tourism|boundary|place|area|room|indoor|office|historic|aeroway)$/;

/** GeoJSON features of ways, and of nodes that are more than corners. */
export function overpassFeatures(document: Json, notes: Notes): readonly unknown[] {
  const elements = listOf(document['elements']).filter(isObject);
  const nodes = new Map(elements.filter(({ type }) => type === 'node').map((node) => [node['id'], node]));
  const corners = new Set<unknown>();
  const features: Json[] = [];
  for (const way of elements.filter(({ type }) => type === 'way')) {
    const ids = listOf(way['nodes']);
    for (const id of ids) corners.add(id);
    const found = ids.flatMap((id): Json[] => [nodes.get(id)].filter(isObject));
    features.push(featureOf(way, 'way', wayGeometry(way, found)));
  }
  for (const [id, node] of nodes) {
    const isCorner = corners.has(id) && !isObject(node['tags']);
    if (!isCorner) features.push(featureOf(node, 'node', { type: 'Point', coordinates: positionOf(node) }));
  }
  const relations = elements.filter(({ type }) => type === 'relation').length;
  const detail = `Relations of OpenStreetMap are left out (${relations}): nodes and ways are read.`;
  if (relations > 0) notes.leaveOut('unsupported', '', detail);
  return features;
}

const featureOf = ({ id, tags }: Json, type: string, geometry: Json | null): Json => {
  const properties = isObject(tags) ? tags : {};
  return { type: 'Feature', id: `${type}/${id}`, properties, geometry };
};

const positionOf = ({ lat, lon }: Json): unknown[] => [lon, lat];

/** An area, a line, or the centre of a way; of `out geom` its own corners, else its nodes. */
function wayGeometry({ geometry, center, tags: given }: Json, nodes: readonly Json[]): Json | null {
  const corners = Array.isArray(geometry) ? geometry.filter(isObject) : nodes;
  if (corners.length < 2) return isObject(center) ? { type: 'Point', coordinates: positionOf(center) } : null;
  const tags = isObject(given) ? given : {};
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = corners.length > 3 && first?.['lat'] === last?.['lat'] && first?.['lon'] === last?.['lon'];
  const isArea = tags['area'] === 'yes' || Object.keys(tags).some((key) => areaTags.test(key));
  const coordinates = corners.map(positionOf);
  return isClosed && isArea && tags['area'] !== 'no'
    ? { type: 'Polygon', coordinates: [coordinates] }
    : { type: 'LineString', coordinates };
}
