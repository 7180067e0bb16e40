/** The part of the viewer that shows a map on a wall: without controls, with clock and state of the data, one artboard after the other. */
import { MapWall } from './map-wall.ts';
import type { WallPart } from './wall-contract.ts';

export const createWall: WallPart['createWall'] = (host, choice, live) => new MapWall(host, choice, live);
