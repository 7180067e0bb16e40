/**
 * The picture on a card: the first artboard with its background. The server draws the objects, without pictures and tiles; the page puts
 * these below them, in the same SVG, so that blend modes blend with them.
 */
import type { Artboard } from '../../client/client.ts';
import { ground, paper, tileReferrer } from '../../viewer/drawing/backdrop.ts';
import { type TileSource, tileSourceFor } from '../../viewer/drawing/ground/tile-source.ts';
import { isImageAddress } from '../../viewer/drawing/image-address.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { loadedAddress, serverRoot } from '../server/server-root.ts';
import { tilesOf } from './card-tiles.ts';

const widthPx = 480;

export interface CardPicture {
  /** Of the page; '' if there is no artboard. */
  readonly url: string;
  /** Is below it, if its site does not let the page read it. */
  readonly below?: HTMLCanvasElement;
  /** The source of the tiles that it shows; `undefined` without tiles. */
  readonly tiles: TileSource | undefined;
}

const fields = 'name,type,width,height,image_url,osm_lat,osm_lng,osm_zoom,tiles';

/** Rejects if the server does not answer. @param id of the project */
export async function cardPicture(session: ConsoleSession, id: string, signal: AbortSignal): Promise<CardPicture> {
  const [artboard] = await session.client.get('/projects/{project_id}/artboards', {
    params: { path: { project_id: id }, query: { fields, limit: 1 } },
    signal,
  });
  if (artboard === undefined) return { url: '', tiles: undefined };
  const path = `projects/${encodeURIComponent(id)}/artboards/${encodeURIComponent(artboard.id)}/preview.svg?width=${widthPx}`;
  const drawn = await fetch(`${serverRoot()}api/v1/${path}`, {
    ...session.proof,
    signal,
  });
  if (!drawn.ok) return { url: '', tiles: undefined };
  return withBackdrop(await drawn.text(), artboard as Artboard, tileSourceFor(session.tiles, artboard.tiles ?? ''));
}

/** The first rectangle of the server's picture is its background. */
const background = /<rect [^>]*\/>/;

async function withBackdrop(svg: string, artboard: Artboard, source: TileSource): Promise<CardPicture> {
  const [width = 0, height = 0] = /width="(\d+)" height="(\d+)"/.exec(svg)?.slice(1).map(Number) ?? [];
  const backdrop = await backdropOf(artboard, width, height, source.url);
  const tiles = backdrop !== undefined && artboard.type === 'osm' && source.url !== 'none' ? source : undefined;
  if (backdrop === undefined) return { url: urlOf(svg), tiles };
  try {
    const image = `<image href="${backdrop.toDataURL('image/jpeg', 0.85)}" width="${width}" height="${height}"/>`;
    return { url: urlOf(svg.replace(background, image)), tiles };
  } catch {
    // Its site lets pages show it, but not read it.
    return { url: urlOf(svg.replace(background, '')), below: backdrop, tiles };
  }
}

const urlOf = (svg: string): string => URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));

/** What is below the objects; `undefined` for a colour, and for what cannot be loaded. */
async function backdropOf(
  artboard: Artboard,
  width: number,
  height: number,
  tiles: string,
): Promise<HTMLCanvasElement | undefined> {
  const pieces = piecesOf(artboard, width, height, tiles);
  const loaded = await Promise.all(
    pieces.map(async (piece) => ({ ...piece, image: await load(piece.address).catch(() => undefined) })),
  );
  const isOnEarth = artboard.type === 'osm';
  if (!isOnEarth && loaded.every(({ image }) => image === undefined)) return undefined;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = isOnEarth ? ground : paper;
  context.fillRect(0, 0, width, height);
  if (isOnEarth) {
    const { drawOutlines } = await import('./card-outlines.ts');
    await drawOutlines(context, artboard).catch(() => undefined);
  }
  for (const { image, left, top, right, bottom } of loaded)
    if (image !== undefined) context.drawImage(image, left, top, right - left, bottom - top);
  return canvas;
}

/** An image, and where it is drawn. */
interface Piece {
  readonly address: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function piecesOf(artboard: Artboard, width: number, height: number, tiles: string): Piece[] {
  if (artboard.type === 'image') {
    const address = loadedAddress(artboard.image_url);
    return isImageAddress(address) ? [{ address, left: 0, top: 0, right: width, bottom: height }] : [];
  }
  if (artboard.type !== 'osm' || tiles === 'none') return [];
  return tilesOf(artboard, width, height).map(({ z, x, y, left, top, side }) => ({
    address: tiles.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y)),
    // Whole pixels, so that there is no gap between two tiles.
    ...{ left: Math.round(left), top: Math.round(top), right: Math.round(left + side), bottom: Math.round(top + side) },
  }));
}

/** Loads an image so that the page may read it, or else so that it may show it. */
const load = (address: string): Promise<HTMLImageElement> => loadAs(address, 'anonymous').catch(() => loadAs(address, null));

async function loadAs(address: string, crossOrigin: 'anonymous' | null): Promise<HTMLImageElement> {
  const image = new Image();
  image.crossOrigin = crossOrigin;
  image.referrerPolicy = tileReferrer;
  image.src = address;
  await image.decode();
  return image;
}
