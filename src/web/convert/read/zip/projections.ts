/** Systems of coordinates of shapefiles: which ones the library computes, and how exactly. Compared with GDAL, projection by projection. */
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';

/** Projections that the library computes to within a metre; others lead anywhere, without an error. */
const computed =
  /^(?:transverse_mercator|gauss_kruger|mercator(?:_(?:1sp|2sp|auxiliary_sphere))?|popular_visualisation_pseudo_mercator|lambert_conformal_conic(?:_(?:1sp|2sp))?|albers(?:_conic_equal_area)?|lambert_azimuthal_equal_area|hotine_oblique_mercator(?:_azimuth_(?:center|natural_origin))?|double_stereographic|oblique_stereographic|krovak)$/i;

/** Datums that are those of the map to within a few metres, or whose shift the library knows. */
const near =
  /wgs|world_geodetic|etr[sf]|lithuania_1994|estonia_1997|european_terrestrial|grs_?1980|north_american_(?:datum_)?1983|nad_?83|gda|geocentric_datum_of_australia|nzgd_?2000|new_zealand_geodetic_datum_2000|jgd_?20|japanese?_geodetic|sirgas|csrs|china_(?:geodetic|2000)|cgcs|itrf|igs|rgf|igm_?95|reseau_geodesique_francais|sweref|pulkovo_1995|militar_geographische|mgi|osgb|ch_?1903|hermannskogel|mercator/i;

/** @throws {ConvertError} "coordinates" for a system that the library does not compute; notes one that it computes roughly */
export function checkProjection(prj: string, notes: Notes): void {
  const nameIn = (keyword: string): string | undefined => new RegExp(`${keyword}\\s*\\[\\s*"([^"]{0,200})"`, 'i').exec(prj)?.[1];
  const projection = nameIn('PROJECTION');
  const meridian = Number(/PRIMEM\s*\[\s*"[^"]*"\s*,\s*(-?[\d.]+)/i.exec(prj)?.[1] ?? 0);
  const name = nameIn('PROJCS') ?? nameIn('GEOGCS') ?? 'unknown';
  const advice = 'Export it in degrees (WGS 84, EPSG:4326), for example with: ogr2ogr -t_srs EPSG:4326 layer.geojson layer.shp';
  const isComputed = projection === undefined || computed.test(projection);
  if (!isComputed || meridian !== 0) {
    const why = meridian === 0 ? `its projection "${projection}"` : 'its prime meridian, which is not Greenwich,';
    throw new ConvertError('coordinates', `The coordinates are in "${name}": ${why} cannot be computed here. ${advice}`);
  }
  const datum = nameIn('DATUM');
  if (datum === undefined || near.test(datum) || /TOWGS84/i.test(prj)) return;
  const detail = `The coordinates have the datum "${datum}", whose difference to the map is not known: places can be up to 500 m off. ${advice}`;
  notes.add('projection', '', detail);
}
