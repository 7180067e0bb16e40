/** `GET /f/:slug/:name`: the bytes of a file. They need no key, name no account, and any page may show them. */
import { Problem } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { type ApiRequest, type PublicEndpoint, paramOf } from '../../http/route.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import type { Value } from '../../model/value.ts';
import type { Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import { conditional } from '../crud/etag.ts';
import { type Api, publicEndpoint } from '../declaration.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { storedFilesOf } from './file-endpoints.ts';

/** An SVG is a document: it runs no script and loads nothing, even when it is opened by itself. */
const headers = {
  ...publicHeaders,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

const damagedText =
  'The file is damaged or missing on the disk of the server. Restore it from a backup, or upload the same picture again.';

/** @param gate see ListenerOptions.responseGate */
export function publicFileEndpoint(api: Api, gate: () => Promise<void> | undefined): PublicEndpoint {
  return publicEndpoint('/f/:slug/:name', async (request) => {
    const slug = paramOf(request, 'slug');
    const { value } = await api.engine.reader.read((state) => findFile(state, slug));
    await gate();
    if (value === undefined) throw new Problem('not_found', 'There is no such file.', { headers: publicHeaders });
    return await bytesOf(api, request, value);
  });
}

function findFile({ files }: State, slug: string): Versioned<Value> {
  const found = files?.find(slug);
  const member = found?.project.collection('files', '')?.get(found.id);
  return { value: member?.value, version: member?.version ?? files?.version ?? 0 };
}

async function bytesOf(api: Api, request: ApiRequest<unknown>, file: Value): Promise<Reply> {
  const [digest, bytes, contentType] = [file['digest'] as string, file['bytes'] as number, file['type'] as string];
  const etag = `"${digest}"`;
  const { blobs, collector } = storedFilesOf(api);
  try {
    return await conditional(request, etag, headers, async (): Promise<Reply> => {
      const file = await blobs.openBlob(digest, bytes);
      return { kind: 'file', status: 200, etag, headers, contentType, file };
    });
  } catch (error) {
    if (!(error instanceof BlobDamagedError)) throw error;
    collector.noteDamage({ digest, found: error.message });
    throw new Problem('internal_error', damagedText, { headers: publicHeaders });
  }
}
