/** `GET /f/:slug/:name`: the bytes of a file. They need no key, name no account, and any page may show them. */
import { Problem } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { type ApiRequest, type PublicEndpoint, paramOf } from '../../http/route.ts';
import { bytesOfFile } from '../../model/publication.ts';
import type { IndexedShownFile } from '../../store/file-index.ts';
import type { Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import { type Api, publicEndpoint } from '../declaration.ts';
import { answered, pathParameter } from '../openapi/openapi-parts.ts';
import { publicGet } from '../openapi/public-operation.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { fileHeaders, type OwnedBytes, replyWithBytes } from './file-bytes.ts';

const headers = { ...publicHeaders, ...fileHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

const bytes = (what: string) => answered(what, 'image/*', { type: 'string', format: 'binary' }, ['ETag']);

export const filePaths = {
  '/f/{slug}/{name}': publicGet({
    id: 'getFileBytes',
    tag: 'Files',
    summary: 'Get the bytes of a file',
    parameters: [pathParameter('slug', 'Secret part of the address'), pathParameter('name', 'Any name: it is for people')],
    responses: {
      '200': bytes('The bytes of the picture; any page may show them.'),
      '206': bytes('The bytes that `Range` names.'),
    },
    refusals: ['not_found', 'range_not_satisfiable'],
    isConditional: true,
  }),
};

/** @param gate see ListenerOptions.responseGate */
export function publicFileEndpoint(api: Api, gate: () => Promise<void> | undefined): PublicEndpoint {
  const handle = async (request: ApiRequest<unknown>): Promise<Reply> => {
    const slug = paramOf(request, 'slug');
    const { value } = await api.engine.reader.read((state) => findFile(state, slug, api.publishing !== undefined));
    await gate();
    if (value === undefined) throw new Problem('not_found', 'There is no such file.');
    return await replyWithBytes(api, request, value, headers);
  };
  return publicEndpoint('/f/:slug/:name', handle, publicHeaders);
}

/** The file of a project, or one that only a published map still shows. */
function findFile({ files, publications }: State, slug: string, publishes: boolean): Versioned<OwnedBytes> {
  const found = files?.find(slug);
  const member = found?.project.collection('files', '')?.get(found.id);
  if (found !== undefined && member !== undefined)
    return { value: { accountId: found.project.accountId, ...bytesOfFile(member.value) }, version: member.version };
  const shown = publishes ? files?.findShown(slug) : undefined;
  // The answer also depends on the record that deleted the file from its project.
  const accountId = shown && publications.get(shown.publication.slug)?.accountId;
  const value = accountId === undefined ? undefined : { accountId, ...(shown as IndexedShownFile).file };
  return { value, version: Math.max(shown?.publication.lsn ?? 0, files?.version ?? 0) };
}
