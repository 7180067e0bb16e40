/** Names of the formats for people. */
import type { Format } from './conversion.ts';

export const formatNames: Readonly<Record<Format, string>> = {
  geojson: 'GeoJSON',
  geojsonl: 'GeoJSON by line',
  topojson: 'TopoJSON',
  esrijson: 'EsriJSON',
  overpass: 'Overpass JSON',
  umap: 'uMap',
  json: 'JSON records',
  kml: 'KML',
  kmz: 'KMZ',
  gpx: 'GPX',
  svg: 'SVG',
  csv: 'CSV',
  xlsx: 'XLSX',
  shapefile: 'Shapefile in a ZIP archive',
  wkt: 'WKT',
};

/** Formats whose elements are rows. */
export const hasRows = (format: Format): boolean => format === 'csv' || format === 'xlsx' || format === 'json';
