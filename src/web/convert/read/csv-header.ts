/** The columns of a CSV: its header, and which columns are places, names and addresses. */
import { type Decimal, evidenceOf, numberIn } from './number-text.ts';

const words = {
  latitude: set(
    'lat latitude breite breitengrad geobreite geografischebreite geographischebreite latitud latdec geolat ycoordwgs84 wgs84lat',
  ),
  longitude: set(
    'lon lng long longitude lange laenge langengrad laengengrad geolange geolaenge geografischelange geografischelaenge geographischelange geographischelaenge longitud londec geolon geolng xcoordwgs84 wgs84lon wgs84lng',
  ),
  name: set('name title titel bezeichnung label nom nombre titre titulo intitule designation denominacion filiale store shop'),
  address: set('address adresse anschrift direccion strasse street rue calle'),
  x: set('x xpixel pixelx'),
  y: set('y ypixel pixely'),
} as const;

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

/** A name without accents, spaces, punctuation and case: `Längengrad (WGS 84)` is `langengradwgs84`. */
const plainName = (name: string): string =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();

export type Role = keyof typeof words;

export function roleByName(name: string): Role | undefined {
  const plain = plainName(name);
  return (Object.keys(words) as Role[]).find(
    (role) => words[role].has(plain) || words[role].has(plain.replace(/wgs84|deg|grad$/g, '')),
  );
}

/** Whether the first row names the columns: none of its cells is a number. */
export const isHeader = (cells: readonly string[]): boolean =>
  cells.every((cell) => numberIn(cell, 'point') === undefined && numberIn(cell, 'comma') === undefined);

/** A name for each column: the cells of the header, made different, or `Column 1`. */
export function columnNames(header: readonly string[] | undefined, width: number): string[] {
  const names = new Set<string>();
  const counts = new Map<string, number>();
  for (let i = 0; i < width; i++) {
    const base = header?.[i]?.trim() || `Column ${i + 1}`;
    let name = base;
    while (names.has(name)) {
      const count = (counts.get(base) ?? 1) + 1;
      counts.set(base, count);
      name = `${base} (${count})`;
    }
    names.add(name);
  }
  return [...names];
}

/** How the numbers of each column are written. A column without evidence is like the others, or like the delimiter suggests. */
export function decimalsOf(columns: readonly (readonly string[])[], delimiter: string): Decimal[] {
  const found = columns.map((texts) => evidenceOf(texts));
  const points = found.reduce((sum, { point }) => sum + point, 0);
  const commas = found.reduce((sum, { comma }) => sum + comma, 0);
  const other: Decimal = commas > points || (commas === points && delimiter === ';') ? 'comma' : 'point';
  return found.map(({ point, comma }) => (point === comma ? other : point > comma ? 'point' : 'comma'));
}

interface Range {
  readonly index: number;
  readonly most: number;
  readonly decimal: Decimal;
}

/** The decimals with which more values of a column are degrees; `undefined` if few are. */
export function degreesDecimal(texts: readonly string[], preferred: Decimal, limit: number): Decimal | undefined {
  const filled = texts.filter((text) => text.trim() !== '');
  const within = (decimal: Decimal): number =>
    filled.filter((text) => Math.abs(numberIn(text, decimal) ?? Number.POSITIVE_INFINITY) <= limit).length;
  const other = preferred === 'point' ? 'comma' : 'point';
  const [first, second] = [within(preferred), within(other)];
  if (filled.length === 0 || Math.max(first, second) < filled.length / 2) return undefined;
  return second > first ? other : preferred;
}

/**
 * Two neighbouring columns whose values can only be degrees: with fractions of two digits or more, one of them within ±90. The first is the
 * latitude, unless it has values beyond ±90.
 */
export function placesByValue(
  columns: readonly (readonly string[])[],
  decimals: readonly Decimal[],
): { readonly latitude: number; readonly longitude: number } | undefined {
  const ranges = columns.flatMap((texts, index): Range[] => {
    const decimal = degreesDecimal(texts, decimals[index] ?? 'point', 180);
    if (decimal === undefined) return [];
    const filled = texts.filter((text) => text.trim() !== '');
    if (filled.filter((text) => /[.,]\d{2,}$/.test(text.trim())).length < filled.length * 0.8) return [];
    return [{ index, decimal, most: Math.max(...filled.map((text) => Math.abs(numberIn(text, decimal) ?? 0))) }];
  });
  for (const [i, first] of ranges.entries()) {
    const second = ranges[i + 1];
    if (second?.index !== first.index + 1) continue;
    if (first.most <= 90) return { latitude: first.index, longitude: second.index };
    if (second.most <= 90) return { latitude: second.index, longitude: first.index };
  }
  return undefined;
}
