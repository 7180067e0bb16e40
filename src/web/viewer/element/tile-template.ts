/** The address of map tiles, which the server that serves this script chooses: see `serve --tiles`. */
import { openStreetMapTiles } from '../drawing/backdrop.ts';

/** The server replaces this text when it serves the script. It occurs nowhere else in it. */
const placeholder = 'mapwright:tile-template';

/** An address with `{z}`, `{x}` and `{y}`, or `none`. A script that no server has changed uses OpenStreetMap. */
export const tileTemplate = (): string => (placeholder.startsWith('mapwright:') ? openStreetMapTiles : placeholder);
