/** `GET …/artboards/:artboard_id/preview.svg` and `preview.png`: a picture of an artboard, for cards and for programs. */
import Type from 'typebox';
import { problems } from '../../http/problem.ts';
import { sequentialFile } from '../../http/response/file-source.ts';
import type { Reply } from '../../http/response/reply.ts';
import { paramOf } from '../../http/route.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { MapObject } from '../../model/resources/object.ts';
import { findMember, type Versioned } from '../../store/find.ts';
import type { Capture } from '../../store/leaf-list.ts';
import { type Query, replyTo } from '../crud/conditional-read.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import type { Drawing } from './drawn-artboard.ts';
import { previewObjectsMax } from './preview-limits.ts';

/** Range and default of the width, in pixels. */
const widths = { least: 16, most: 1024, byDefault: 320 } as const;

/** It contains nothing that could be active, and may do nothing if it is opened by itself. */
const headers = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

const query = {
  width: Type.Integer({
    minimum: widths.least,
    maximum: widths.most,
    description: `Width in pixels; default ${widths.byDefault}`,
  }),
};

const shown = `at most ${previewObjectsMax} objects, the largest first: no text, no pictures, no map tiles`;

export const previewEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id/preview.svg',
    id: 'previewArtboard',
    tag: 'Artboards',
    summary: 'Draw an artboard as SVG',
    description: `Shapes on a plain background, ${shown}.`,
    query,
    response: Type.String({ description: 'The picture' }),
    responseType: 'image/svg+xml',
    handle: showSvg,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id/preview.png',
    id: 'previewArtboardPng',
    tag: 'Artboards',
    summary: 'Draw an artboard as PNG',
    description: `The picture of \`preview.svg\`, for programs that do not show SVG. Shapes on a plain background, ${shown}. Objects that would take too much work to paint are left out, small ones first.`,
    query,
    response: Type.String({ format: 'binary', description: 'The bytes of the picture' }),
    responseType: 'image/png',
    handle: showPng,
  }),
];

async function showSvg(api: Api, request: Request): Promise<Reply> {
  const { previewSvg } = await import('./preview-svg.ts');
  const reply = await replyTo(api, request, await queryOf(request, previewSvg), (text, etag) => {
    return { kind: 'text', status: 200, text, contentType: 'image/svg+xml; charset=utf-8', etag };
  });
  return { ...reply, headers };
}

async function showPng(api: Api, request: Request): Promise<Reply> {
  const { previewPng } = await import('./preview-png.ts');
  const reply = await replyTo(api, request, await queryOf(request, asItIs), async (drawing, etag) => {
    const png = await previewPng(request.scope.accountId, drawing);
    // A file is sent as it is: compressed again, it would hardly be shorter.
    const file = sequentialFile(one(png), png.length);
    return { kind: 'file', status: 200, file, contentType: 'image/png', etag, isSequential: true };
  });
  return { ...reply, headers };
}

// biome-ignore lint/correctness/useYield: it writes nothing.
function* asItIs(drawing: Drawing): Generator<void, Drawing> {
  return drawing;
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}

/** @param write makes the result of the query from a drawing, between steps of a bounded size */
async function queryOf<T>(request: Request, write: (drawing: Drawing) => Generator<void, T>): Promise<Query<T>> {
  const { accountId, projectId } = request.scope;
  const width = widthIn(request);
  const id = paramOf(request, 'artboard_id');
  const path: CollectionPath = { accountId, projectId, collection: 'artboards', parentId: '' };
  // With the parser of colours, which a server that draws nothing does not load.
  const { drawingOf } = await import('./drawn-artboard.ts');
  return {
    version: (state) => findMember(state, path, id),
    // It draws the version at its start, whatever is written meanwhile.
    *search(state): Generator<void, Versioned<T>> {
      const { value: found, version } = findMember(state, path, id);
      if (found === undefined) return { value: undefined, version };
      const objects = objectsIn(found.project.collection('objects', id)?.capture());
      return { value: yield* write(yield* drawingOf(found.member.value as unknown as Artboard, objects, width)), version };
    },
  };
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
