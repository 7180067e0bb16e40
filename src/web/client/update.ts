/** Read-modify-write with `If-Match`, repeated after a conflict, so that no concurrent change is lost. */

import type { AnyInit, Requests } from './requests.ts';
import { pauseMs } from './retry.ts';

/** Maximum number of attempts after conflicts. */
const roundsMax = 20;

export async function updated(
  requests: Requests,
  path: string,
  init: AnyInit,
  change: (current: never) => unknown,
): Promise<unknown> {
  const { params, ...rest } = init;
  const { path: names = {} } = params ?? {};
  for (let round = 1; ; round++) {
    const { data, response } = await requests.must('GET', path, { ...rest, params: { path: names } });
    const body = await change(data as never);
    if (body === undefined) return data;
    const version = response.headers.get('etag');
    if (version === null)
      throw new Error(`GET ${path}: the response has no ETag. Check whether a proxy in front of the server removes it.`);
    const header = { ...params?.header, 'If-Match': version };
    const written = await requests.ask('PATCH', path, { ...rest, params: { ...params, header }, body });
    if (written.error === undefined) return written.data;
    if (written.error.code !== 'precondition_failed' || round === roundsMax) throw written.error;
    await requests.retry.sleep(pauseMs(round, 0, requests.retry) ?? 0, init.signal);
  }
}
