/** The advice for an operator whose public maps have tiles of openstreetmap.org. */
import { isForOthers, isOpenStreetMapTiles, tilePolicy, tileProviders } from '../../lib/draw/tile-policy.ts';
import { tileSourcesOf } from './map-tiles.ts';

/** Words for log and doctor. */
export const tileWords = {
  found: `map tiles come from openstreetmap.org, whose policy (${tilePolicy}) asks for another source for public maps`,
  advice: `Get a key of ${tileProviders.map(({ name, address }) => `${name} (${address})`).join(' or ')}, and name its tiles: --tiles 'https://tiles.stadiamaps.com/tiles/osm_bright/{z}/{x}/{y}.png?api_key=KEY|© [Stadia Maps](https://stadiamaps.com/) © [OpenMapTiles](https://openmaptiles.org/) © [OpenStreetMap](https://www.openstreetmap.org/copyright)'. Or --tiles none, for outlines alone.`,
} as const;

/** True if the operator should read them. @param options of the server */
export const needsTileAdvice = ({ publicUrl, tiles }: { publicUrl?: string | undefined; tiles?: string | undefined }): boolean =>
  publicUrl !== undefined && isForOthers(publicUrl) && tileSourcesOf(tiles).some(({ url }) => isOpenStreetMapTiles(url));
