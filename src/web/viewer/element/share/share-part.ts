/** The part of the viewer that shares, prints and saves what a map shows. */
import { MapMenu } from './map-menu.ts';
import type { SharePart } from './share-contract.ts';

export const createMenu: SharePart['createMenu'] = (host) => new MapMenu(host);
