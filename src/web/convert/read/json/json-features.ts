/** Features of GeoJSON in documents of other programs: sequences, TopoJSON, EsriJSON, Overpass, uMap. */
import { feature as featureOfTopology } from 'topojson-client';
import { ConvertError, type Format } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { quoted, shortened } from '../../short-text.ts';
import { esriFeatures } from './esri-features.ts';
import { umapNames } from './geojson-style.ts';
import { isObject, type Json, jsonText, listOf, parseJson } from './json-value.ts';
import { overpassFeatures } from './overpass-features.ts';

/** The features of a document, and its layers. */
export interface Features {
  /** GeoJSON; a feature that cannot be read is noted by the reader. */
  readonly features: readonly unknown[];
  /** The property with the layer of a feature. */
  readonly category?: string;
  /** All layers of the file, and the one that is read. */
  readonly layers?: readonly string[];
  readonly layer?: string;
  /** The parsed document, if it is one with members beside its features. */
  readonly document?: Json;
}

/** @param layer of a document that has several @throws {ConvertError} "unreadable" for a document that is broken */
export function featuresIn(format: Format, text: string, layer: string | undefined, notes: Notes): Features {
  if (format === 'geojsonl') return { features: lines(text, notes) };
  const parsed = parseJson(text);
  if (Array.isArray(parsed))
    return { features: parsed.flatMap((each: unknown) => (isObject(each) ? geoJsonFeatures(each) : [each])) };
  if (!isObject(parsed))
    throw new ConvertError('unreadable', 'The file is JSON, but no GeoJSON object with a "type". Export it as GeoJSON.');
  switch (format) {
    case 'topojson':
      return topologyFeatures(parsed, layer, notes);
    case 'esrijson':
      return esriFeatures(parsed, notes);
    case 'overpass':
      return { features: overpassFeatures(parsed, notes) };
    case 'umap':
      return umapFeatures(parsed, notes);
    default:
      return { features: geoJsonFeatures(parsed), document: parsed };
  }
}

function geoJsonFeatures(document: Json): readonly unknown[] {
  const type = String(document['type']).toLowerCase();
  if (type === 'feature' || document['geometry'] !== undefined) return [document];
  if (Array.isArray(document['features'])) return document['features'];
  if (type === 'featurecollection') throw new ConvertError('unreadable', 'The FeatureCollection has no array "features".');
  return [{ type: 'Feature', geometry: document, properties: {} }];
}

/** One document per line, or after each record separator: features, or collections of them. */
function lines(text: string, notes: Notes): readonly unknown[] {
  return documentsIn(text, notes).flatMap((value) => (isObject(value) ? geoJsonFeatures(value) : [value]));
}

/** The documents of a sequence; a line may end with a comma. What is none is noted. */
export function documentsIn(text: string, notes: Notes): readonly unknown[] {
  const documents: unknown[] = [];
  let line = 0;
  for (const part of text.split(text.includes('\u001e') ? '\u001e' : '\n')) {
    line++;
    if (part.trim() === '') continue;
    try {
      documents.push(JSON.parse(part.trimEnd().replace(/,$/, '')));
    } catch {
      notes.leaveOut('unreadable', `line ${line}`, 'It is no JSON document of its own: each line must be one.');
    }
  }
  return documents;
}

/** The layer of a choice, or the first one. @throws {ConvertError} "unreadable" if there is none of that name */
export function chosenLayer(layers: readonly string[], wanted: string | undefined): string {
  const layer = wanted ?? layers[0];
  if (layer !== undefined && layers.includes(layer)) return layer;
  if (layers.length === 0) throw new ConvertError('unreadable', 'The file has no layers.');
  throw new ConvertError('unreadable', `The file has no layer "${wanted}". It has: ${quoted(layers)}.`);
}

/** Corners of all geometries of a topology; an arc counts each time that one uses it. */
const cornersMax = 2_000_000;

/** @throws {ConvertError} "too-large" for geometries that repeat arcs without an end */
function checkCorners(geometry: unknown, arcs: unknown): void {
  const lengths = listOf(arcs).map((arc) => listOf(arc).length);
  const countIn = (value: unknown): number => {
    if (typeof value === 'number') return lengths[value < 0 ? ~value : value] ?? 0;
    const parts = isObject(value) ? (value['geometries'] ?? value['arcs']) : value;
    return listOf(parts).reduce<number>((sum, part) => sum + countIn(part), 0);
  };
  if (countIn(geometry) > cornersMax)
    throw new ConvertError(
      'too-large',
      `The geometries of the TopoJSON have more than ${cornersMax} corners, since they repeat arcs. Simplify or split it.`,
    );
}

/** Says which layers were not read. @param layers that could be */
export function noteOthers(layers: readonly string[], read: string, notes: Notes): void {
  const others = layers.filter((name) => name !== read);
  const detail = `Layer ${quoted([read])} was read; others are: ${quoted(others)} (--layer).`;
  if (others.length > 0) notes.leaveOut('layers', '', detail);
}

/** True for an object of a topology that is no empty collection. */
const hasGeometries = (object: unknown): boolean =>
  isObject(object) && (!Array.isArray(object['geometries']) || object['geometries'].length > 0);

function topologyFeatures(document: Json, wanted: string | undefined, notes: Notes) {
  const objects = isObject(document['objects']) ? document['objects'] : {};
  const layers = Object.keys(objects);
  const filled = layers.filter((name) => hasGeometries(objects[name]));
  const layer = chosenLayer(layers, wanted ?? filled[0]);
  if (wanted === undefined) noteOthers(filled, layer, notes);
  try {
    checkCorners(objects[layer], document['arcs']);
    const made: unknown = featureOfTopology(document as never, objects[layer] as never);
    return { features: isObject(made) ? geoJsonFeatures(made) : [], layers, layer };
  } catch (error) {
    if (error instanceof ConvertError) throw error;
    throw new ConvertError('unreadable', `The layer "${layer}" of the TopoJSON names arcs that the file does not have.`);
  }
}

/** Layers of uMap, whose styles their features have unless they have their own. */
function umapFeatures(document: Json, notes: Notes) {
  const layers = listOf(document['layers']).filter(isObject);
  const named = layers.map((layer, i) => {
    const options = [layer['_umap_options'], layer['_storage']].find(isObject) ?? {};
    const name = jsonText(options['name']) ?? `Layer ${i + 1}`;
    return { options, name, inside: listOf(layer['features']) };
  });
  for (const { options, name, inside } of named) {
    const remote = isObject(options['remoteData']) ? jsonText(options['remoteData']['url']) : undefined;
    const detail = `The data of layer ${quoted([name])} is elsewhere: import what is saved from ${shortened(remote ?? '', 300)}`;
    if (remote !== undefined && inside.length === 0) notes.leaveOut('layers', '', detail);
  }
  const mapOptions = isObject(document['properties']) ? document['properties'] : {};
  const features = named.flatMap(({ options, name, inside }) =>
    inside.map((feature) => {
      if (!isObject(feature)) return feature;
      const properties = isObject(feature['properties']) ? feature['properties'] : {};
      const own = umapNames.map((each) => properties[each]).find(isObject) ?? {};
      const styles = { ...mapOptions, ...options, ...own };
      return { ...feature, properties: { ...properties, _umap_options: styles, ...(named.length > 1 ? { layer: name } : {}) } };
    }),
  );
  return { features, ...(named.length > 1 ? { category: 'layer' } : {}) };
}
