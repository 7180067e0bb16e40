/** The map tiles on the pages that the server serves: one source by default, and others that artboards may name. */

import { openStreetMap } from '../../lib/draw/open-street-map.ts';

/** A source of tiles, as pages get it. */
export interface TileSource {
  /** Absent for the default, which comes first. */
  readonly name?: string;
  /** Address with `{z}`, `{x}` and `{y}`; `none` for outlines alone. */
  readonly url: string;
  /** Text with links as `[text](address)`; '' for none. */
  readonly attribution: string;
}

/** No tiles, only outlines of land and borders. */
const noTiles = 'none';
const separator = '||';
const sourcesMax = 50;
const nameLengthMax = 100;
const attributionLengthMax = 500;

/** A name before the first `=`. An address has `:` or `/` before that. */
const named = /^([^=:/|]*)=(.*)$/s;
/** Characters of a URL that are also safe within a string of a script, and braces. */
const safe = /^[\w.~:/?#[\]@!$&()*+,;=%{}-]+$/;
const example = `write an address such as ${openStreetMap.url}, or ${noTiles}`;

/** Without those around it. Other white space is an error. */
const withoutSpaces = (text: string): string => text.replace(/^ +| +$/g, '');

/** One element: `[NAME=]TEMPLATE[|ATTRIBUTION]`. */
function sourceFrom(text: string): TileSource {
  const [, name, rest = text] = named.exec(text) ?? [];
  const end = rest.indexOf('|');
  const url = withoutSpaces(end < 0 ? rest : rest.slice(0, end));
  // The data of most tiles are theirs: the credit of those without their own.
  const credit = end < 0 ? openStreetMap.attribution : withoutSpaces(rest.slice(end + 1));
  return { ...(name === undefined ? {} : { name: withoutSpaces(name) }), url, attribution: url === noTiles ? '' : credit };
}

/**
 * The sources in the option, of which the first is the default.
 *
 * @param tiles a text that {@link validateTiles} accepts; `undefined` for OpenStreetMap
 */
export function tileSourcesOf(tiles: string = openStreetMap.url): readonly [TileSource, ...TileSource[]] {
  const sources = tiles.split(separator).map(sourceFrom);
  const [byDefault = sourceFrom(openStreetMap.url)] = sources.filter(({ name }) => name === undefined);
  return [byDefault, ...sources.filter(({ name }) => name !== undefined)];
}

/** Checks the option: an error message with a valid example, or `undefined` if it is valid. */
export function validateTiles(tiles: string): string | undefined {
  const sources = tiles.split(separator).map(sourceFrom);
  if (sources.length > sourcesMax) return `it lists ${sources.length} sources of tiles: at most ${sourcesMax} are possible`;
  for (const source of sources) {
    const problem = problemOfName(source.name) ?? problemOfUrl(source.url) ?? problemOfAttribution(source);
    if (problem !== undefined) return problem;
  }
  const names = sources.map(({ name }) => name);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (names.filter((name) => name === undefined).length > 1)
    return 'it has several sources without a name: one is the default, and the others need NAME=ADDRESS';
  return repeated === undefined ? undefined : `it has "${repeated}" twice: each name has one source`;
}

function problemOfName(name: string | undefined): string | undefined {
  if (name === undefined || (name !== '' && name.length <= nameLengthMax && name !== noTiles && !hasControl(name)))
    return undefined;
  return `the name "${shown(name)}" is not possible: write NAME=ADDRESS with a name of 1 to ${nameLengthMax} characters other than ${noTiles}`;
}

function problemOfUrl(url: string): string | undefined {
  if (url === noTiles) return undefined;
  const missing = ['{z}', '{x}', '{y}'].filter((part) => !url.includes(part) && !(part === '{y}' && url.includes('{-y}')));
  if (missing.length > 0) return `"${shown(url)}" has no ${missing.join(' and no ')}: ${example}`;
  const isAddress = /^https?:\/\//.test(url) || /^\/(?!\/)/.test(url);
  if (!isAddress || !URL.canParse(url, 'http://localhost')) return `"${shown(url)}" is not a URL: ${example}`;
  return safe.test(url) && !url.includes('${') ? undefined : `"${shown(url)}" has characters that no URL has: ${example}`;
}

function problemOfAttribution({ url, attribution }: TileSource): string | undefined {
  if (url === noTiles || (attribution !== '' && attribution.length <= attributionLengthMax && !hasControl(attribution)))
    return undefined;
  return `the attribution after "|" must have 1 to ${attributionLengthMax} characters, such as © [Maps](https://maps.example), or be left out with the "|"`;
}

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);
const shown = (text: string): string => (text.length > nameLengthMax ? `${text.slice(0, nameLengthMax)}…` : text);
