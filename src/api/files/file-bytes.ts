/**
 * Replies with the bytes of a file: any range of them, streamed from the disk. A 304 does not look at them: the client has them, by their digest.
 */
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

/** The bytes of a file, and the account that has it. */
export interface OwnedBytes extends FileBytes {
  readonly accountId: string;
}

const damagedText =
  'The file is damaged or missing on the disk of the server. Restore it from a backup, or upload the same picture again.';

export async function replyWithBytes(
  api: Api,
  request: ApiRequest<unknown>,
  { accountId, digest, bytes, type: contentType }: OwnedBytes,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const etag = `"${digest}"`;
  const files = storedFilesOf(api);
  try {
    return await conditional(request, etag, headers, async (): Promise<Reply> => {
      const file = await files.reading({ digest, bytes }, () => files.blobs.openBlob(digest, bytes, accountId));
      return { kind: 'file', status: 200, etag, headers, contentType, file };
    });
  } catch (error) {
    if (!(error instanceof BlobDamagedError)) throw error;
    throw new Problem('internal_error', damagedText);
  }
}
