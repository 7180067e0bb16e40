/** The sources of map tiles of the server that serves this script, for maps that do not come with their own: see `serve --tiles`. */
import { openStreetMap } from '../../../lib/draw/open-street-map.ts';
import type { TileSource } from '../drawing/ground/tile-source.ts';

/** The server replaces this text when it serves the script. It occurs nowhere else in it. */
const placeholder = 'mapwright:tile-sources';

/** A script that no server has changed uses OpenStreetMap. */
export const ownTiles = (): readonly TileSource[] =>
  placeholder.startsWith('mapwright:') ? [openStreetMap] : JSON.parse(decodeURIComponent(placeholder));
