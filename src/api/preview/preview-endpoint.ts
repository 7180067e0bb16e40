/** `GET …/artboards/:artboard_id/preview.svg`: a picture of an artboard, for cards. */
import Type from 'typebox';
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { paramOf } from '../../http/route.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { MapObject } from '../../model/resources/object.ts';
import { findMember, type Versioned } from '../../store/find.ts';
import type { Capture } from '../../store/leaf-list.ts';
import type { State } from '../../store/state.ts';
import { type Query, replyTo } from '../crud/conditional-read.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { previewObjectsMax } from './preview-limits.ts';

/** Range and default of the width, in pixels. */
const widths = { least: 16, most: 1024, byDefault: 320 } as const;

/** It contains nothing that could be active, and may do nothing if it is opened by itself. */
const headers = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

export const previewEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id/preview.svg',
    id: 'previewArtboard',
    tag: 'Artboards',
    summary: 'Draw an artboard as SVG',
    description: `Shapes on a plain background, at most ${previewObjectsMax} objects, the largest first: no text, no pictures, no map tiles.`,
    query: {
      width: Type.Integer({
        minimum: widths.least,
        maximum: widths.most,
        description: `Width in pixels; default ${widths.byDefault}`,
      }),
    },
    response: Type.String({ description: 'The picture' }),
    responseType: 'image/svg+xml',
    handle: preview,
  }),
];

async function preview(api: Api, request: Request): Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const width = widthIn(request);
  const id = paramOf(request, 'artboard_id');
  const path: CollectionPath = { accountId, projectId, collection: 'artboards', parentId: '' };
  // With the parser of colours, which a server that draws nothing does not load.
  const { drawingOf } = await import('./drawing.ts');
  const { previewSvg } = await import('./preview-svg.ts');
  const query: Query<string> = {
    version: (state) => findMember(state, path, id),
    search: (state) =>
      draw(state, path, id, function* (artboard, objects) {
        return yield* previewSvg(yield* drawingOf(artboard, objects, width));
      }),
  };
  const reply = await replyTo(api, request, query, (text, etag) => {
    return { kind: 'text', status: 200, text, contentType: 'image/svg+xml; charset=utf-8', etag };
  });
  return { ...reply, headers };
}

type Draw = (artboard: Artboard, objects: Iterable<MapObject>) => Generator<void, string>;

/** Draws the version at its start, whatever is written meanwhile. */
function* draw(state: State, path: CollectionPath, id: string, drawn: Draw): Generator<void, Versioned<string>> {
  const { value: found, version } = findMember(state, path, id);
  if (found === undefined) return { value: undefined, version };
  const objects = found.project.collection('objects', id)?.capture();
  const svg = yield* drawn(found.member.value as unknown as Artboard, objectsIn(objects));
  return { value: svg, version };
}

function* objectsIn(capture: Capture | undefined): Generator<MapObject, void> {
  for (const { value } of capture ?? []) yield value as unknown as MapObject;
}

function widthIn({ query }: Request): number {
  const text = query['width'];
  if (text === undefined) return widths.byDefault;
  const width = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(width >= widths.least && width <= widths.most))
    throw problems.badParameter(
      'width',
      `The query parameter "width" must be a whole number from ${widths.least} to ${widths.most}.`,
    );
  return width;
}
