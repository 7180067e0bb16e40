/** `PUT /projects/:project_id/publication/picture`: the picture that programs show with a link to a published map. */
import Type from 'typebox';
import { type PictureUpload, storePicture, UnusablePictureError } from '../../engine/files/store-file.ts';
import { putPicture } from '../../engine/projects/publish-project.ts';
import { problems } from '../../http/problem.ts';
import type { BodyPieces } from '../../http/request/body-stream.ts';
import type { Reply } from '../../http/response/reply.ts';
import { BlobTooLargeError } from '../../lib/errors.ts';
import { actorOf } from '../authorize.ts';
import { preconditionFailed } from '../crud/etag.ts';
import { succeeded } from '../crud/handlers.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { announcedBytes, storedFilesOf } from '../files/file-endpoints.ts';
import { pictureName } from './page-replies.ts';
import {
  allowedBy,
  disabled,
  notPublished,
  PublicationSchema,
  publicationExample,
  publicationFieldsOf,
  publicationPath,
  publicationQuery,
  publishedOf,
  showPublication,
} from './publication-endpoints.ts';
import { pictureSize } from './published-page.ts';

const pictureBytesMax = 1024 * 1024;
const { width, height } = pictureSize;
const pictureRule = `The picture must be a PNG of ${width} × ${height} pixels`;

export const pictureEndpoint = endpoint({
  method: 'PUT',
  right: 'publish',
  path: `${publicationPath}/picture`,
  id: 'putPublicationPicture',
  tag: 'Publications',
  summary: 'Set the picture that programs show with a link to the map',
  description: `Belongs to the newest published version: the next one has none until it is set again. The body is the bytes of a PNG of ${pictureSize.width} × ${pictureSize.height} pixels, at most 1 MiB. Send the \`ETag\` of the publication as \`If-Match\`: a newer publication is a 412.`,
  query: publicationQuery,
  body: Type.String({ format: 'binary', description: 'The bytes of the picture' }),
  streamsBody: 'file',
  response: PublicationSchema,
  example: () => ({
    response: {
      ...publicationExample,
      picture: `https://maps.example.com/p/${publicationExample.slug}/${pictureName('0'.repeat(64))}`,
    },
  }),
  handle: putPublicationPicture,
});

async function putPublicationPicture(api: Api, request: Request): Promise<Reply> {
  if (api.publishing === undefined) throw disabled('forbidden');
  const { scope, headers } = request;
  const { accountId, projectId } = scope;
  const fields = publicationFieldsOf(request);
  const allows = allowedBy(api, request);
  // Before its bytes are read, and again with its record.
  if (!allows((await publishedOf(api, request)).publication.lsn)) throw preconditionFailed();
  const upload: PictureUpload = {
    ...{ accountId, bytesMax: pictureBytesMax },
    announcedBytes: announcedBytes(headers),
    refuse(type) {
      if (type !== 'image/png') throw new UnusablePictureError(`${pictureRule}, and the bytes are of type ${type}.`);
    },
  };
  try {
    const { blob, picture } = await storePicture(storedFilesOf(api), upload, request.pieces as BodyPieces);
    try {
      if (picture.width !== width || picture.height !== height)
        throw new UnusablePictureError(`${pictureRule}, and it has ${picture.width} × ${picture.height}.`);
      const outcome = await putPicture(api.engine, { accountId, projectId, by: actorOf(scope), allows, picture: blob });
      if (outcome.outcome === 'missing') throw notPublished();
      return await showPublication(api, request, succeeded(outcome), fields);
    } finally {
      blob.hold.release();
    }
  } catch (error) {
    throw pictureProblem(error);
  }
}

function pictureProblem(error: unknown): unknown {
  if (error instanceof UnusablePictureError)
    return problems.unsupportedMediaType(`${error.message} Nothing was stored.`, 'image/png');
  return error instanceof BlobTooLargeError
    ? problems.payloadTooLarge(`${pictureRule}, and have at most 1 MiB. Nothing was stored.`)
    : error;
}
