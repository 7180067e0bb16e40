/** A project from a document that was exported: `POST /projects/import`. It is read while it comes in, and made as one change. */
import Type from 'typebox';
import type { ImportDraft } from '../engine/import-draft.ts';
import type { BodyPieces } from '../http/endpoint.ts';
import { problems } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { RecordTooLargeError } from '../lib/errors.ts';
import { JsonPartsError } from '../lib/json-parts.ts';
import { documentFormat, documentVersion } from '../model/document.ts';
import { projects } from '../model/resources.ts';
import { type Api, endpoint, type Request } from './endpoint.ts';
import { showWritten, succeeded } from './handlers.ts';

export const importEndpoints = [
  endpoint({
    method: 'POST',
    path: '/projects/import',
    summary: 'Make a project from a document',
    body: Type.Object({
      format: Type.Literal(documentFormat),
      version: Type.Literal(documentVersion),
      project: projects.bodies.import,
    }),
    streamsBody: true,
    answer: projects.schema,
    handle: importProject,
  }),
];

async function importProject(api: Api, request: Request): Promise<Reply> {
  const draft = api.engine.draft(request.principal.accountId);
  try {
    await read(draft, request.pieces as BodyPieces);
    return succeeded(await api.engine.import(draft, showWritten(api, request)));
  } catch (error) {
    if (error instanceof JsonPartsError)
      throw error.tooLarge ? problems.payloadTooLarge(error.message) : problems.badRequest(error.message);
    if (!(error instanceof RecordTooLargeError)) throw error;
    throw problems.payloadTooLarge(
      'The project is larger than what the server can make durable as one change: nothing was imported. A larger --segment-mb lets it.',
    );
  }
}

async function read(draft: ImportDraft, pieces: BodyPieces): Promise<void> {
  for await (const piece of pieces) {
    draft.write(piece);
    if (draft.isHopeless) return;
    pieces.holds(draft.heldBytes);
  }
  draft.end();
}
