/** The picture of a published map that chats show with its link: drawn here, apart from the screen, from what is public. */
import type { Publication } from '../../client/client.ts';
import { Drawing } from '../../viewer/drawing/drawing.ts';
import { mapPicture } from '../../viewer/drawing/flat/map-picture.ts';
import { SpotGroups } from '../../viewer/drawing/groups/spot-groups.ts';
import { MapLabels } from '../../viewer/drawing/labels/map-labels.ts';
import { loadOutlines } from '../map/map-outlines.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { readPublicMap } from '../server/public-copy.ts';
import { serverRoot } from '../server/server-root.ts';

/** The size that the server wants, in pixels. */
const [width, height] = [1200, 630];
const bytesMax = 1024 * 1024;
/** Parts of its size from which a picture that has too many bytes is drawn again. */
const coarser = [1, 0.75, 0.5, 0.33];
/** The size of the element where a page says nothing else. */
const accent = '#1d4ed8';

const path = '/projects/{project_id}/publication';

/**
 * Draws the first view of the newest published version, and gives it to the server. The publication after it; `undefined` if it was published again
 * meanwhile, or if its map has no artboard. Rejects if it cannot be drawn or sent.
 */
export async function makePicture(session: ConsoleSession, projectId: string): Promise<Publication | undefined> {
  const { client } = session;
  const params = { path: { project_id: projectId } };
  const { data: before, error, response } = await client.GET(path, { params });
  if (error !== undefined) throw error;
  const picture = await drawPicture(session, before);
  if (picture === undefined) return undefined;
  const header = { 'If-Match': response.headers.get('etag') ?? '*' };
  const put = await client.PUT(`${path}/picture`, { params: { ...params, header }, body: picture });
  if (put.error === undefined) return put.data;
  if (put.error.code === 'precondition_failed') return undefined;
  throw put.error;
}

async function drawPicture({ tiles }: ConsoleSession, { slug }: Publication): Promise<Blob | undefined> {
  const map = await readPublicMap(slug);
  const artboard = map.artboards.find(({ id }) => id === map.start?.artboardId) ?? map.artboards[0];
  if (artboard === undefined) return undefined;
  const { canvas } = await mapPicture({
    ...{ artboard, icons: map.icons, start: map.start, labels: map.labels, width, height, pixelRatio: 1, accent },
    ...{ tiles, loadOutlines, drawers: { Drawing, SpotGroups, MapLabels } },
  });
  for (const part of coarser) {
    const blob = await pngOf(canvas, part);
    if (blob.size <= bytesMax) return blob;
  }
  throw new Error('the picture of the map has too many bytes');
}

/** @param part of its size from which it is drawn: a photo has fewer bytes without its details */
async function pngOf(picture: HTMLCanvasElement, part: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const small = new OffscreenCanvas(Math.round(width * part), Math.round(height * part));
  small.getContext('2d')?.drawImage(picture, 0, 0, small.width, small.height);
  canvas.getContext('2d')?.drawImage(small, 0, 0, width, height);
  return await canvas.convertToBlob({ type: 'image/png' });
}

/** The address of the picture on this server; `undefined` if there is none. */
export const pictureAddress = ({ picture, slug }: Publication): string | undefined =>
  picture === null ? undefined : new URL(`p/${slug}/${picture.slice(picture.lastIndexOf('/') + 1)}`, serverRoot()).href;
