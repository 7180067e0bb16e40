/** Uploads the pictures of a KMZ, which the popups of its objects show. */
import type { FilePicture, Note } from '../../../web/convert/converter.ts';
import { type ApiClient, jsonOf } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { plural } from '../../output/format-values.ts';
import { withProgress } from '../../output/progress.ts';
import { type ImportTarget, routeOf } from './import-target.ts';

const resultBytesMax = 1024 * 1024;

export interface StoredPictures {
  /** In the order of the pictures; `undefined` for one that the server has refused. */
  readonly addresses: readonly (string | undefined)[];
  readonly notes: readonly Note[];
}

/** @throws {ApiError} if the server takes no file at all */
export async function storePictures(
  client: ApiClient,
  { project }: ImportTarget,
  pictures: readonly FilePicture[],
): Promise<StoredPictures> {
  const addresses: (string | undefined)[] = [];
  const notes: Note[] = [];
  if (pictures.length === 0) return { addresses, notes };
  await withProgress(`Uploading ${plural(pictures.length, 'picture')}`, async (show) => {
    for (const { name, bytes } of pictures) {
      const file = name.slice(name.lastIndexOf('/') + 1);
      const body = { bytes: bytes.byteLength, type: 'application/octet-stream', open: () => [Buffer.from(bytes)] };
      try {
        const res = await client.ask('POST', `${routeOf(project)}/files?name=${encodeURIComponent(file)}`, body);
        addresses.push(((await jsonOf(res, resultBytesMax)) as { readonly url: string }).url);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === undefined) throw error;
        addresses.push(undefined);
        notes.push({ code: 'pictures', at: name, detail: `The server does not take it: ${error.message}`, leftOut: true });
      }
      show({ done: addresses.length, total: pictures.length });
    }
  });
  return { addresses, notes };
}
