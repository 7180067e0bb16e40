/** The wishes of the operators of openstreetmap.org for those who make maps for the public, and where else map tiles come from. */
import { isLoopbackHost } from './loopback-host.ts';

export const tilePolicy = 'https://operations.osmfoundation.org/policies/tiles/';

/** Two that give keys for public maps, of which each has a free plan. */
export const tileProviders = [
  { name: 'MapTiler', address: 'https://www.maptiler.com/cloud/' },
  { name: 'Stadia Maps', address: 'https://stadiamaps.com/' },
] as const;

/** True for an address of tiles of openstreetmap.org. */
export const isOpenStreetMapTiles = (url: string): boolean =>
  URL.canParse(url) && /(?:^|\.)openstreetmap\.org$/.test(new URL(url).hostname);

/** True if others than the users of this machine see maps at an address. */
export const isForOthers = (publicUrl: string): boolean =>
  !URL.canParse(publicUrl) || !isLoopbackHost(new URL(publicUrl).hostname);
