/** The files of a project: upload, list, get, rename, delete. Their bytes are public at their own addresses. */
import Type from 'typebox';
import type { IdempotentRequest } from '../../engine/command.ts';
import { addFile, type FileUpload, storeBytes, TooManyFilesError, UnusablePictureError } from '../../engine/files/store-file.ts';
import type { StoredFiles } from '../../engine/files/stored-files.ts';
import { filesMax, type StoredPicture } from '../../engine/files/stored-picture.ts';
import { Problem, problems } from '../../http/problem.ts';
import type { BodyPieces } from '../../http/request/body-stream.ts';
import type { Reply } from '../../http/response/reply.ts';
import { BlobTooLargeError } from '../../lib/errors.ts';
import { contradicts, pictureTypes } from '../../lib/pictures/picture-types.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { FileSchema } from '../../model/resources/file.ts';
import { files } from '../../model/resources.ts';
import { findProject } from '../../store/find.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { crudEndpoints } from '../crud/crud-endpoints.ts';
import { memberHandlers, responseBuilder, shownWriteQuery, succeeded, writeOptions } from '../crud/handlers.ts';
import { respondOnce } from '../crud/idempotency-key.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { exampleOf } from '../openapi/resource-examples.ts';

const path = '/projects/:project_id/files';

const uploadQuery = { ...shownWriteQuery, name: FileSchema.properties.name };
const nameShape = shapeOf('upload', Type.Object({ name: FileSchema.properties.name }, { additionalProperties: false }));

export const fileEndpoints = [
  endpoint({
    method: 'POST',
    path,
    id: 'createFile',
    tag: 'Files',
    summary: 'Upload a file',
    description: `Adds a picture to the project: PNG, JPEG, WebP, AVIF, GIF or SVG, recognized by its bytes, with at most 200 megapixels and 20 MiB (\`--file-mb\`). The body is the bytes. Each client that knows the \`url\` of the response can read them: it has 128 random bits, and stays the same. A project may have ${filesMax} files. Location data in a picture is not removed.`,
    query: uploadQuery,
    requiredQuery: ['name'],
    body: Type.String({ format: 'binary', description: 'The bytes of the picture' }),
    streamsBody: 'file',
    response: files.bodies.response,
    example: () => ({ response: exampleOf(files).response }),
    handle: upload,
  }),
  ...crudEndpoints(path, 'file_id', files, memberHandlers('files', 'file_id')).filter(({ method }) => method !== 'POST'),
];

const isForm =
  'The body is a form, which this path does not read. Send the bytes of the picture alone as the body: with curl, --data-binary @plan.png -H "Content-Type: image/png".';

async function upload(api: Api, request: Request): Promise<Reply> {
  const stored = storedFilesOf(api);
  const { accountId, projectId } = request.scope;
  // Nothing about a request is said before its project exists.
  if ((await projectAt(api, request)) === undefined) throw problems.notFound();
  if (/^multipart\//i.test(request.headers['content-type'] ?? ''))
    throw problems.unsupportedMediaType(isForm, pictureTypes.join(', '));
  const given: FileUpload = {
    ...{ accountId, projectId, name: nameIn(request), ...writeOptions(api, request) },
    ...{ shard: api.publishing?.shard ?? 0, bytesMax: api.fileBytesMax },
    announcedBytes: announcedBytes(request.headers),
    refuse(type) {
      const named = request.headers['content-type'];
      if (contradicts(named, type))
        throw new UnusablePictureError(
          `The Content-Type is "${named}", and the bytes are of type ${type}: send that type (with curl: -H "Content-Type: ${type}"), or application/octet-stream.`,
        );
    },
  };
  try {
    const bytes = await storeBytes(api.engine, stored, given, request.pieces as BodyPieces);
    if (bytes === undefined) throw problems.notFound();
    try {
      return await respondOnce(api, request, add(api, request, given, bytes), bytes.blob.digest);
    } finally {
      bytes.blob.hold.release();
    }
  } catch (error) {
    throw problemOf(error);
  }
}

/** The size that a client announces; 0 if it does not. A coded body has another one. */
export const announcedBytes = (headers: Request['headers']): number =>
  headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;

const add =
  (api: Api, request: Request, given: FileUpload, bytes: StoredPicture) =>
  async (once: IdempotentRequest | undefined): Promise<Reply> =>
    succeeded(await addFile(api.engine, given, bytes, responseBuilder(api, request, files, once)));

/** The files of the engine; throws the problem if it has none. */
export function storedFilesOf({ engine }: Api): StoredFiles {
  if (engine.files !== undefined) return engine.files;
  throw new Problem('forbidden', 'This server stores no files.');
}

/** The project of a request, once everything that is read of it is durable; `undefined` if there is none. */
export async function projectAt(
  { engine }: Api,
  { scope: { accountId, projectId } }: Request,
): Promise<StoredProject | undefined> {
  return (await engine.reader.read((state) => findProject(state, accountId, projectId))).value;
}

/** The name in the query. Throws the problem of a name that a file cannot have. */
function nameIn({ query }: Request): string {
  const { name } = query;
  if (name === undefined)
    throw problems.badParameter('name', 'The query has no "name": send the name of the file, such as "?name=plan.png".');
  const fieldErrors = new FieldErrorList();
  if (!checkShape(nameShape, { name }, '', fieldErrors))
    throw problems.badParameter('name', `The query parameter "name" ${fieldErrors.toArray()[0]?.detail}.`);
  return name;
}

function problemOf(error: unknown): unknown {
  if (error instanceof UnusablePictureError)
    return problems.unsupportedMediaType(`${error.message} Nothing was stored.`, pictureTypes.join(', '));
  if (error instanceof TooManyFilesError) return new Problem('forbidden', error.message);
  return error instanceof BlobTooLargeError ? problems.payloadTooLarge(`${error.message} (--file-mb)`) : error;
}
