/** Features of EsriJSON, which services of ArcGIS give. */
import EsriJSON from 'ol/format/EsriJSON.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import type { Geometry } from 'ol/geom.js';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { EsriRings } from './esri-rings.ts';
import { isObject, type Json } from './json-value.ts';

/** Identifiers of Web Mercator, which most maps of Esri have, and of degrees. */
const mercator = new Set([3857, 102_100, 900_913, 102_113]);
const degrees = new Set([4326, 4258, 4269, 4979]);

/** GeoJSON features of a layer, or of one feature. @throws {ConvertError} "coordinates" for a system that is neither degrees nor Web Mercator */
export function esriFeatures(document: Json, notes: Notes): readonly unknown[] {
  const system = isObject(document['spatialReference']) ? document['spatialReference'] : {};
  const wkid = Number(system['latestWkid'] ?? system['wkid'] ?? 4326);
  if (!mercator.has(wkid) && !degrees.has(wkid))
    throw new ConvertError(
      'coordinates',
      `The coordinates are in another system: "spatialReference" has ${wkid}. Ask the service for degrees (outSR=4326) and import that.`,
    );
  if (document['exceededTransferLimit'] === true)
    notes.add('limit', '', 'The service has given a part of its features only ("exceededTransferLimit").');
  const list = Array.isArray(document['features']) ? document['features'] : [document];
  const projections = { dataProjection: mercator.has(wkid) ? 'EPSG:3857' : 'EPSG:4326', featureProjection: 'EPSG:4326' };
  const [esri, geoJson] = [new EsriJSON(), new GeoJSON()];
  const rings = new EsriRings();
  return list.map((each: unknown) => {
    const properties = isObject(each) && isObject(each['attributes']) ? each['attributes'] : {};
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
