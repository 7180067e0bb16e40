/** Names of columns in nine languages: which ones say a place, a name, an address. */

/** Names of axes, without what may stand around them. */
const axes = {
  latitude:
    'lat latitude latitud latitudine breite breitengrad breitegrad geobreite breedte breedtegraad szerokosc широта шир breddegrad nb',
  longitude:
    'lon lng long longitude longitud longitudine lange laenge langengrad laengengrad geolange geolaenge lengte lengtegraad dlugosc долгота долг ol',
  x: 'x rechtswert easting est e ost oost east este leste',
  y: 'y hochwert northing nord n noord north norte',
} as const;
type Axis = keyof typeof axes;

/** Words around an axis: `POINT_X`, `geo.long`, `Breite (WGS 84)`, `lat_dd`, `długość geograficzna`. */
const aroundAxis = set(
  'wgs wgs84 epsg 4326 gps deg degree degrees degre degres grad grade gradi grados graus dd dec decimal decimale dez dezimal geo geog geogr ' +
    'geographic geographical geografisch geografische geographische geografica geografico geographique geograficzna coord coords coordinate ' +
    'coordinates coordinata coordenada coordonnee coordonnees koordinate koord koordinaat wspolrzedna координата point punkt punto ponto loc ' +
    'location position pos posizione posicion standort geom geometry shape map site place centroid center centre mid pixel px',
);

/** The axis of a name that is one word. */
const axisOf = new Map<string, Axis>(
  (Object.keys(axes) as Axis[]).flatMap((axis) => axes[axis].split(' ').map((word) => [word, axis] as const)),
);
/** `xcoord`, `coordx`, `geolat`, `latdd`, `lonwgs84`. */
const glued =
  /^(?:geo|gps|coord|point|pos|map|loc|pixel|wgs84)*(lat|lon|lng|long|latitude|longitude|x|y)(?:dd|dec|deg|coord|coords?wgs84|wgs84|pixel|geo)*$/;

const addresses = set(
  'address adresse anschrift direccion indirizzo morada endereco adres strasse street straat rue calle via ulica адрес улица',
);

/** Names of one column with both coordinates. */
const pairs = set(
  'latlng latlon latlong lnglat lonlat longlat coordinates coordinate coords coord koordinaten koordinate coordenadas coordonnees coordinate ' +
    'coordinaten wspolrzedne координаты geopoint geolocation geocoordinates gps gpscoordinates location position standort',
);

/** Names of columns with names, the better ones first. */
const names: readonly ReadonlySet<string>[] = [
  'name gen nome naam nom nombre nazwa navn namn nimi название наименование имя',
  'title titel titre titulo titolo tytul заголовок bezeichnung label designation denominacion denominazione intitule',
  'filiale store shop',
].map(set);
/** `NAME_2` of administrative areas: the last one is the most detailed. `name:en` and `name_de` are other languages. */
const numberedName = /^(?:name|nombre|nom|nome)[_ ]?(\d)$/i;

/** `stop_name`, `AREANAME`, `name_long`: of several, the first one. */
const partOfName = /name$|^(?:nome|nom|naam|nazwa|navn)$/;
/** Names of persons, files and other things, and those in other languages. */
const otherName =
  /(?:first|last|sur|nick|var|user|file|host|domain|layer|column|field|class|type|owner|given|family|middle|brand|short|alt|street|display)[\s_.-]*name|name[\s_.:-]*(?:id|code|type|alt|[a-z]{2})$/;

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Letters without accents. */
const bare = (text: string): string =>
  text.replaceAll('ß', 'ss').replace(/[łŁ]/g, 'l').normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();

/** The words of a name: `geo.long`, `POINT_X`, `locationLat`, `Breite (WGS 84)`. */
const wordsOf = (name: string): string[] =>
  bare(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);

function axisByName(name: string): Axis | undefined {
  const words = wordsOf(name).filter((word) => !aroundAxis.has(word) && !/^(?:84|4326)$/.test(word));
  const [word = ''] = words;
  if (words.length !== 1) return axisOf.get(words.join(''));
  const part = glued.exec(word)?.[1];
  return axisOf.get(word) ?? (part === undefined ? undefined : axisOf.get(part));
}

export type Role = Axis | 'address';

/** The role of a column by its name; `undefined` for most. */
export function roleByName(name: string): Role | undefined {
  if (name.length > 60) return undefined;
  const axis = axisByName(name);
  return axis ?? (addresses.has(wordsOf(name).join('')) ? 'address' : undefined);
}

/** Two columns whose names differ in the axis only: `stop_lat` and `stop_lon`, `Shop-Latitude` and `Shop-Longitude`. */
export function pairByNames(names: readonly string[]): { readonly across: number; readonly down: number } | undefined {
  const without = (name: string, axis: Axis): string | undefined => {
    const words = name.length > 60 ? [] : wordsOf(name);
    const others = words.filter((word) => axisOf.get(word) !== axis);
    return others.length === words.length - 1 ? others.join(' ') : undefined;
  };
  for (const [down, name] of names.entries()) {
    const others = without(name, 'latitude');
    const across = others === undefined ? -1 : names.findIndex((other) => without(other, 'longitude') === others);
    if (across !== -1) return { across, down };
  }
  return undefined;
}

/** Beginnings of words for an axis, among other words: `östliche Länge`, `intptlat`, `dł. geogr.`. */
const axisWords = {
  latitude: /^(?:geo|intpt|noorder|nord|sud)?(?:lat(?:itud|$|[^aeiourt])|breit|breed|szer|шир)/,
  longitude: /^(?:geo|intpt|ooster|ost|west)?(?:lon(?:$|g|[^aeiourt])|lng|lang(?:e|en|engrad)?$|laeng|lengte|dlug|dl$|долг)/,
} as const;

/** The only column with a word for the latitude, and the only one for the longitude; or the two parts of a list of coordinates. */
export function onlyAxes(names: readonly string[]): { readonly across: number; readonly down: number } | undefined {
  const only = (is: (name: string) => boolean): number => {
    const found = names.flatMap((name, i) => (name.length <= 60 && is(name) ? [i] : []));
    return found.length === 1 ? (found[0] as number) : -1;
  };
  const has = (axis: keyof typeof axisWords) => (name: string) => wordsOf(name).some((word) => axisWords[axis].test(word));
  const part = (number: string) => (name: string) =>
    /coord/.test(bare(name)) &&
    bare(name)
      .replace(/[^\p{L}\d]+$/u, '')
      .endsWith(number);
  for (const [across, down] of [
    [only(has('longitude')), only(has('latitude'))],
    [only(part('0')), only(part('1'))],
  ] as const)
    if (across !== -1 && down !== -1 && across !== down) return { across, down };
  return undefined;
}

/** The direction that a name says for the values of an axis without one: -1 for `Lon (W)`. */
export function signByName(name: string): 1 | -1 {
  const words = new Set(wordsOf(name));
  const isOpposite = ['w', 'west', 'ouest', 'oeste', 'ovest', 's', 'south', 'sud', 'sur', 'sul', 'zuid'].some((word) =>
    words.has(word),
  );
  const isUsual = ['e', 'o', 'ost', 'east', 'est', 'este', 'n', 'nord', 'north', 'norte'].some((word) => words.has(word));
  return isOpposite && !isUsual ? -1 : 1;
}

/** The direction that the letter O is in a file with these columns: east in German and Dutch, west in Romance languages. */
export function directionOfO(names: readonly string[]): 1 | -1 | undefined {
  const words = names.flatMap(wordsOf).join(' ');
  if (/breit|lang(?:e|engrad)\b|laeng|breed|lengte|\bort\b|strasse|bezeichnung/.test(words)) return 1;
  return /latitud|longitud|\b(?:nombre|nome|nom|lugar|ville|ciudad|cidade|citta)\b/.test(words) ? -1 : undefined;
}

/** True if a column may have both coordinates, by its name; the first of several, `Coordinate 1`, has one. */
export const isPairName = (name: string): boolean =>
  !/\d\W*$/.test(name) && (pairs.has(wordsOf(name).join('')) || orderByName(name) !== undefined);

/** The order of the coordinates that a name of a column says: `lon, lat`. */
export function orderByName(name: string): 'latitude first' | 'longitude first' | undefined {
  const text = wordsOf(name).join(' ');
  const [latitude, longitude] = [text.search(/lat|breit|breed|szer|шир/), text.search(/lon|lng|lang|laeng|lengt|dlug|долг/)];
  if (latitude === -1 || longitude === -1) return undefined;
  return latitude < longitude ? 'latitude first' : 'longitude first';
}

/** The column whose name says that it has the names, if there is one; of `NAME_1` and `NAME_2` the latter. */
export function nameColumn(columns: readonly string[]): string | undefined {
  const last = (column: string): string => wordsOf(column.split('.').at(-1) ?? '').join('');
  for (const words of names) {
    const found =
      columns.find((column) => words.has(wordsOf(column).join(''))) ?? columns.find((column) => words.has(last(column)));
    if (found !== undefined) return found;
    if (words !== names[0]) continue;
    const numbered = columns.filter((column) => numberedName.test(column.trim())).sort();
    if (numbered.length > 0) return numbered.at(-1);
  }
  return columns.find((column) => wordsOf(column).some((word) => partOfName.test(word)) && !otherName.test(bare(column)));
}
