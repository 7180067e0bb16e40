/** Features of EsriJSON, which services of ArcGIS give. */
import EsriJSON from 'ol/format/EsriJSON.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import type { Geometry } from 'ol/geom.js';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { EsriRings } from './esri-rings.ts';
import { isObject, type Json, jsonText } from './json-value.ts';

/** Identifiers of Web Mercator, which most maps of Esri have, and of degrees. */
const mercator = new Set([3857, 102_100, 900_913, 102_113]);
const degrees = new Set([4326, 4258, 4269, 4979]);

interface EsriFeatures {
  readonly features: readonly unknown[];
  readonly category?: string;
}

/** GeoJSON features of a document, also of one with layers, which are the categories. @throws {ConvertError} as {@link featuresOfLayer} */
export function esriFeatures(document: Json, notes: Notes): EsriFeatures {
  const parent = isObject(document['featureCollection']) ? document['featureCollection'] : document;
  if (document['features'] !== undefined || !Array.isArray(parent['layers']))
    return { features: featuresOfLayer(document, notes) };
  const layers = parent['layers'].filter(isObject).filter((layer) => isObject(layer['featureSet']));
  const features = layers.flatMap((layer, i) => {
    const { name, spatialReference } = isObject(layer['layerDefinition']) ? layer['layerDefinition'] : {};
    const values = layers.length > 1 ? { layer: jsonText(name) ?? `Layer ${i + 1}` } : {};
    return featuresOfLayer({ spatialReference, ...(layer['featureSet'] as Json) }, notes, values);
  });
  return { features, ...(layers.length > 1 ? { category: 'layer' } : {}) };
}

/** GeoJSON features of a layer, or of one feature. @throws {ConvertError} "coordinates" for a system that is neither degrees nor Web Mercator */
function featuresOfLayer(document: Json, notes: Notes, values: Json = {}): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(document['features']) ? document['features'] : [document];
  const [first] = list;
  const ofFirst = isObject(first) && isObject(first['geometry']) ? first['geometry']['spatialReference'] : undefined;
  const system = [document['spatialReference'], ofFirst].find(isObject) ?? {};
  const wkid = Number(system['latestWkid'] ?? system['wkid'] ?? 4326);
  if (!mercator.has(wkid) && !degrees.has(wkid))
    throw new ConvertError(
      'coordinates',
      `The coordinates are in another system: "spatialReference" has ${wkid}. Ask the service for degrees (outSR=4326) and import that.`,
    );
  if (document['exceededTransferLimit'] === true)
    notes.add('limit', '', 'The service has given a part of its features only ("exceededTransferLimit").');
  const projections = { dataProjection: mercator.has(wkid) ? 'EPSG:3857' : 'EPSG:4326', featureProjection: 'EPSG:4326' };
  const [esri, geoJson] = [new EsriJSON(), new GeoJSON()];
  const rings = new EsriRings();
  return list.map((each: unknown) => {
    const properties = { ...(isObject(each) && isObject(each['attributes']) ? each['attributes'] : {}), ...values };
    const given = isObject(each) ? each['geometry'] : undefined;
    try {
      const areas = isObject(given) && Array.isArray(given['rings']) ? rings.polygonsOf(given['rings']) : undefined;
      const geometry = (
        areas === undefined
          ? esri.readGeometry(given, projections)
          : geoJson.readGeometry({ type: 'MultiPolygon', coordinates: areas }, projections)
      ) as Geometry | null;
      return { type: 'Feature', properties, geometry: geometry === null ? null : geoJson.writeGeometryObject(geometry) };
    } catch (error) {
      if (error instanceof ConvertError) throw error;
      return { type: 'Feature', properties, geometry: { type: 'Unreadable' } };
    }
  });
}
