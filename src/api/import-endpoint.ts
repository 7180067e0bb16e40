/** `POST /projects/import`: creates a project from an exported document, which is read while it arrives, in one transaction. */
import { createHash } from 'node:crypto';
import Type from 'typebox';
import type { IdempotentRequest } from '../engine/command.ts';
import { ImportedFiles } from '../engine/files/imported-files.ts';
import type { ImportDraft } from '../engine/projects/import-draft.ts';
import { draftOf, importProject } from '../engine/projects/project-writer.ts';
import { problems } from '../http/problem.ts';
import type { BodyPieces } from '../http/request/body-stream.ts';
import type { Reply } from '../http/response/reply.ts';
import { runCooperatively } from '../lib/async/cooperative.ts';
import { BlobTooLargeError, RecordTooLargeError } from '../lib/errors.ts';
import { JsonPartsError } from '../lib/json/json-parts.ts';
import { DocumentFileImportSchema, documentFormatSchema, documentVersionSchema } from '../model/document.ts';
import { newSlug } from '../model/publication.ts';
import { projects } from '../model/resources.ts';
import { actorOf } from './authorize.ts';
import { oneQuery, projectTooLarge, responseBuilder, succeeded } from './crud/handlers.ts';
import { respondOnce } from './crud/idempotency-key.ts';
import { type Api, endpoint, type Request } from './declaration.ts';
import { storedFilesOf } from './files/file-endpoints.ts';

export const importEndpoints = [
  endpoint({
    method: 'POST',
    path: '/projects/import',
    id: 'importProject',
    tag: 'Projects',
    summary: 'Create a project from a document',
    description:
      'Creates a project from a document that this or another server exported. All resources get new identifiers; references among them and links `#ID` to artboards and objects are rewritten. `files` with `content` become files of the project at new addresses, which replace the old ones in its texts; a file without `content` is left out. The import is one transaction. The document may have 256 MiB (`--import-mb`). The server holds the stored form of the project and 230 bytes for each identifier in memory while it reads; this may be 128 MiB (half of `--bodies-mb`, and at most a sixteenth of `--memory-mb`). A document over either limit fails with 413 and the limit of this server; after 429 and 503 the same document may be accepted later.',
    query: oneQuery,
    body: Type.Object(
      {
        format: documentFormatSchema,
        version: documentVersionSchema,
        project: projects.bodies.import,
        files: Type.Optional(Type.Array(DocumentFileImportSchema, { description: 'Its files' })),
      },
      { title: 'ProjectDocumentImport', description: 'A project as a file.', additionalProperties: false },
    ),
    streamsBody: 'json',
    response: projects.bodies.response,
    example: () => ({
      body: { format: 'mapwright-project', version: 1, project: { name: 'Office', popups: [{ title: 'Reception' }] } },
    }),
    handle: importOne,
  }),
];

async function importOne(api: Api, request: Request): Promise<Reply> {
  const files = new ImportedFiles({
    ...{ accountId: request.scope.accountId, bytesMax: api.fileBytesMax, publicUrl: api.publicUrl },
    newSlug: () => newSlug(api.publishing?.shard ?? 0),
    stored: () => storedFilesOf(api),
  });
  const draft = draftOf(api.engine, { accountId: request.scope.accountId, by: actorOf(request.scope) }, api.bodyBytesMax, files);
  try {
    const content = await read(draft, request.pieces as BodyPieces);
    const carryOut = async (once: IdempotentRequest | undefined) =>
      succeeded(await importProject(api.engine, draft, responseBuilder(api, request, projects, once)));
    return await respondOnce(api, request, carryOut, content);
  } catch (error) {
    throw problemOf(api, error);
  } finally {
    await draft.release();
  }
}

function problemOf(api: Api, error: unknown): unknown {
  if (error instanceof JsonPartsError)
    return error.tooLarge ? problems.payloadTooLarge(error.message) : problems.badRequest(error.message);
  if (error instanceof BlobTooLargeError) return problems.payloadTooLarge(`${error.message} (--file-mb): nothing was imported.`);
  return error instanceof RecordTooLargeError ? projectTooLarge(api, 'nothing was imported') : error;
}

/** @returns a digest of the document, which replaces the body in the digest of the request */
async function read(draft: ImportDraft, pieces: BodyPieces): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    const writing = runCooperatively(draft.writing(piece));
    if (writing instanceof Promise) await writing;
    await draft.settleFiles();
    if (draft.isHopeless) break;
    hash.update(piece);
    pieces.holds(draft.heldBytes);
  }
  if (!draft.isHopeless) draft.end();
  return hash.digest('base64url');
}
