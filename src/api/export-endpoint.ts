/** `GET /projects/:project_id/export`: a project as one document, for backup or import. */
import Type from 'typebox';
import { checkPresence, piecesOfFile } from '../engine/files/read-file.ts';
import type { StoredFiles } from '../engine/files/stored-files.ts';
import { Problem, problems } from '../http/problem.ts';
import { flagOf } from '../http/request/query.ts';
import { sequentialFile } from '../http/response/file-source.ts';
import type { Reply, ReplyHead } from '../http/response/reply.ts';
import { runCooperatively } from '../lib/async/cooperative.ts';
import { BlobDamagedError } from '../lib/errors.ts';
import { fileStem } from '../lib/files/file-name.ts';
import { base64Length, base64Pieces } from '../lib/text/base64-pieces.ts';
import {
  contentMember,
  type DocumentFile,
  DocumentFileSchema,
  documentFormat,
  documentFormatSchema,
  documentVersion,
  documentVersionSchema,
} from '../model/document.ts';
import { projects } from '../model/resources.ts';
import type { Value } from '../model/value.ts';
import { findProjectWithFiles } from '../store/find.ts';
import { type View, viewProject } from '../store/list/views.ts';
import { type Query, replyTo } from './crud/conditional-read.ts';
import { one } from './crud/render.ts';
import { type Api, endpoint, type Request } from './declaration.ts';
import { storedFilesOf } from './files/file-endpoints.ts';

/** The beginning of the document. It is the same in every export, so that equal versions give equal bytes. */
const head = `{"format":"${documentFormat}","version":${documentVersion},"project":`;

export const exportEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/export',
    id: 'exportProject',
    tag: 'Projects',
    summary: 'Export a project as a document',
    description:
      'The whole project at one moment, for a backup or an import elsewhere. It contains no keys, and, with a key for reading, no headers of data sources. A project with files has the member `files`: their names and digests, and with `?files=true` their bytes. A document that would be larger than an import may be (`--import-mb`) is a 413.',
    query: { files: Type.Boolean({ description: 'Include the bytes of files, as base64' }) },
    response: Type.Object(
      {
        format: documentFormatSchema,
        version: documentVersionSchema,
        project: projects.bodies.response,
        files: Type.Optional(Type.Array(DocumentFileSchema, { description: 'Its files, if it has any' })),
      },
      { title: 'ProjectDocument', description: 'A project as a file.', additionalProperties: false },
    ),
    isFile: true,
    isBounded: true,
    handle: exportProject,
  }),
];

/** A project and its files at one moment. */
interface Exported {
  readonly accountId: string;
  readonly view: View;
  readonly files: readonly Value[];
}

function exportProject(api: Api, request: Request): Reply | Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const withBytes = flagOf(request.query, 'files');
  const query: Query<Exported> = {
    version: (state) => findProjectWithFiles(state, accountId, projectId),
    find: (state) => {
      const { value: project, version } = findProjectWithFiles(state, accountId, projectId);
      if (project === undefined) return { value: undefined, version };
      const files = Array.from(project.collection('files', '')?.capture() ?? [], ({ value }) => value);
      return { value: { accountId, view: viewProject(project, undefined), files }, version };
    },
  };
  return replyTo(api, request, query, (exported, etag) => {
    const name = String(exported.view.value['name']);
    const headers = { 'Content-Disposition': `attachment; filename="${fileStem(name, 'project')}.mapwright.json"` };
    if (withBytes && exported.files.length > 0) return replyWithFiles(api, exported, { status: 200, etag, headers });
    return { kind: 'stream', status: 200, etag, headers, stream: document(exported, api) };
  });
}

type Parts = Generator<string | Buffer, void>;

/** The document without the bytes of files. */
function* document({ view, files }: Exported, { cache }: Api): Parts {
  yield head;
  yield* one(view, undefined, cache);
  let separator = filesHead;
  for (const file of files) {
    yield separator + JSON.stringify(shownFile(file));
    separator = ',';
  }
  yield files.length > 0 ? ']}' : '}';
}

const filesHead = ',"files":[';

function shownFile(file: Value): DocumentFile {
  const { name, type, bytes, url, digest } = file as Value & DocumentFile;
  return { name, type, bytes, url, digest };
}

/** The document with the bytes of its files, which are read while it is sent. Rejects with a 413, or a 500 for a damaged file. */
async function replyWithFiles(api: Api, exported: Exported, replyHead: ReplyHead): Promise<Reply> {
  const stored = storedFilesOf(api);
  const { accountId, view, files } = exported;
  const contentLength = ({ bytes }: DocumentFile): number => contentHead.length + base64Length(bytes) + 1;
  const shown = files.map(shownFile);
  const length = shown.reduce((sum, file) => sum + contentLength(file), 0) + (await lengthOf(document(exported, api)));
  if (length > api.importBytesMax) throw tooLarge(length, api.importBytesMax);
  for (const file of shown) await check(stored, file);
  async function* pieces(): AsyncGenerator<string | Buffer, void> {
    yield head;
    yield* one(view, undefined, api.cache);
    let separator = filesHead;
    for (const file of shown) {
      yield `${separator}${JSON.stringify(file).slice(0, -1)}${contentHead}`;
      yield* base64Pieces(piecesOfFile(stored, file, accountId));
      yield '"}';
      separator = ',';
    }
    yield ']}';
  }
  const contentType = 'application/json; charset=utf-8';
  return { kind: 'file', ...replyHead, contentType, file: sequentialFile(pieces(), length), isSequential: true };
}

/** Before the base64 of a file. */
const contentHead = `,"${contentMember}":"`;

async function check(stored: StoredFiles, file: DocumentFile): Promise<void> {
  try {
    await checkPresence(stored, file);
  } catch (error) {
    if (!(error instanceof BlobDamagedError)) throw error;
    throw new Problem(
      'internal_error',
      `The file "${file.name}" is damaged or missing on the disk of the server. Restore it from a backup, upload the same picture again, or export without "files=true".`,
    );
  }
}

function tooLarge(bytes: number, bytesMax: number): Problem {
  const [size, most] = [bytes, bytesMax].map((each) => Math.ceil(each / 1024 / 1024));
  return problems.payloadTooLarge(
    `With its files, the document has ${size} MiB, more than the ${most} MiB that can be imported (--import-mb). Export it without "files=true" and get each file at its "url", or run: npx mapwright export ID --out FOLDER/`,
  );
}

/** The length of all parts in bytes, counted in slices. */
async function lengthOf(parts: Parts): Promise<number> {
  function* counting(): Generator<void, number> {
    let length = 0;
    for (const part of parts) {
      length += Buffer.byteLength(part);
      yield;
    }
    return length;
  }
  return await runCooperatively(counting());
}
