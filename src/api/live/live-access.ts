/** What endpoints of live maps share: the refusal where an operator has disabled them, and publications as live maps see them. */
import { blobOf } from '../../engine/files/published-maps.ts';
import { Problem } from '../../http/problem.ts';
import type { Live } from '../../live/live.ts';
import type { LivePublished } from '../../live/live-maps.ts';
import type { StoredSource } from '../../live/sources/source-request.ts';
import { resourceOf } from '../../model/resources.ts';
import type { Member } from '../../store/member.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { newestVersion } from '../../store/stored-publication.ts';
import type { Api, Request } from '../declaration.ts';

/** Throws a problem where an operator has disabled live maps. */
export function liveOf({ live }: Pick<Api, 'live'>, { method }: Pick<Request, 'method'>): Live {
  if (live !== undefined) return live;
  const code = method === 'GET' || method === 'HEAD' ? 'not_found' : 'forbidden';
  throw new Problem(code, 'Live maps are disabled on this server: its operator has set --no-live.');
}

/** A data source as the API shows it. */
export const sourceOf = ({ value }: Pick<Member, 'value'>): StoredSource => JSON.parse(resourceOf.data_sources.json(value));

/** The publication of a project as live maps see it; `undefined` if it is not public, or still. */
export function livePublished(
  { engine }: Pick<Api, 'engine'>,
  { accountId, id, publication }: StoredProject,
): LivePublished | undefined {
  if (publication?.live === undefined) return undefined;
  const { live, lsn } = publication;
  const newest = newestVersion(publication);
  const map = async (): Promise<Uint8Array> => {
    const { files } = engine;
    if (files === undefined) throw new Error('a published map needs a store of blobs');
    return await files.reading(blobOf(newest), () => files.maps.read(newest, accountId));
  };
  return { accountId, projectId: id, live, lsn, version: newest.version, map };
}
