/** Read, change, write, and all of it again when somebody else wrote in between: no change is lost, neither theirs nor ours. */

import type { AnyInit, Requests } from './requests.ts';
import { pauseMs } from './retry.ts';

/** How often somebody else may come first. */
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
      throw new Error(`GET ${path}: no ETag came with the answer. Does a proxy before the server take it away?`);
    const header = { ...params?.header, 'If-Match': version };
    const written = await requests.ask('PATCH', path, { ...rest, params: { ...params, header }, body });
    if (written.error === undefined) return written.data;
    if (written.error.code !== 'precondition_failed' || round === roundsMax) throw written.error;
    await requests.retry.sleep(pauseMs(round, 0, requests.retry) ?? 0, init.signal);
  }
}
