/** `GET /f/:slug/:name`: the bytes of a file. They need no key, name no account, and any page may show them. */
import { Problem } from '../../http/problem.ts';
import { type PublicEndpoint, paramOf } from '../../http/route.ts';
import type { Value } from '../../model/value.ts';
import type { Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import { type Api, publicEndpoint } from '../declaration.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { fileHeaders, replyWithBytes } from './file-bytes.ts';

const headers = { ...publicHeaders, ...fileHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** @param gate see ListenerOptions.responseGate */
export function publicFileEndpoint(api: Api, gate: () => Promise<void> | undefined): PublicEndpoint {
  return publicEndpoint('/f/:slug/:name', async (request) => {
    const slug = paramOf(request, 'slug');
    const { value } = await api.engine.reader.read((state) => findFile(state, slug));
    await gate();
    if (value === undefined) throw new Problem('not_found', 'There is no such file.', { headers: publicHeaders });
    return await replyWithBytes(api, request, value, headers, publicHeaders);
  });
}

function findFile({ files }: State, slug: string): Versioned<Value> {
  const found = files?.find(slug);
  const member = found?.project.collection('files', '')?.get(found.id);
  return { value: member?.value, version: member?.version ?? files?.version ?? 0 };
}
