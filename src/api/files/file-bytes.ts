/** Replies with the bytes of a file: any range of them, streamed from the disk. */
import { Problem } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { ApiRequest } from '../../http/route.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import type { FileBytes } from '../../model/publication.ts';
import { conditional } from '../crud/etag.ts';
import type { Api } from '../declaration.ts';
import { storedFilesOf } from './file-endpoints.ts';

/** An SVG is a document: it runs no script and loads nothing, even when it is opened by itself. */
export const fileHeaders = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
} as const;

const damagedText =
  'The file is damaged or missing on the disk of the server. Restore it from a backup, or upload the same picture again.';

export async function replyWithBytes(
  api: Api,
  request: ApiRequest<unknown>,
  { digest, bytes, type: contentType }: FileBytes,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const etag = `"${digest}"`;
  const files = storedFilesOf(api);
  try {
    return await conditional(request, etag, headers, async (): Promise<Reply> => {
      const file = await files.reading({ digest, bytes }, () => files.blobs.openRecent(digest, bytes));
      return { kind: 'file', status: 200, etag, headers, contentType, file };
    });
  } catch (error) {
    if (!(error instanceof BlobDamagedError)) throw error;
    throw new Problem('internal_error', damagedText);
  }
}
