/** The sources of map tiles that a server lists. The first one is its default; artboards may name the others. */
import { openStreetMap } from '../../../../lib/draw/open-street-map.ts';

export interface TileSource {
  readonly name?: string;
  /** Address with `{z}`, `{x}` and `{y}`; `none` for outlines alone. */
  readonly url: string;
  /** A text with links as `[text](address)`. */
  readonly attribution?: string;
}

/** The source that an artboard names, or the default. */
export const tileSourceFor = (sources: readonly TileSource[], name: string): TileSource =>
  sources.find((source) => source.name === name) ?? sources[0] ?? openStreetMap;

/** The sources in JSON of any origin; `undefined` if there are none. */
export const readTileSources = (given: unknown): readonly TileSource[] | undefined =>
  Array.isArray(given) && given.length > 0 && given.every((each) => typeof each?.url === 'string') ? given : undefined;

/** An attribution without its links. */
export const creditText = (source: TileSource): string =>
  creditParts(source)
    .filter((_, i) => i % 3 !== 2)
    .join('');

/** An attribution as texts, each third of which, from the second on, is that of a link, with its address after it. */
export const creditParts = ({ attribution = '' }: TileSource): readonly string[] =>
  `${attribution}`.split(/\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/);
