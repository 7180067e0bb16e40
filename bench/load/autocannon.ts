/** Load by autocannon, which is installed with this project. */
import autocannon from 'autocannon';
import { basePathOf, headersOf } from '../lib/ask.ts';
import type { Load, Loaded } from './throughput.ts';

/** Each connection goes through all requests, beginning at another place. */
export async function autocannonLoad({ target, requests, connections, seconds }: Load): Promise<Loaded> {
  const basePath = basePathOf(target);
  const prepared = requests.map((request) => ({
    method: request.method as 'GET',
    path: basePath + request.path,
    headers: headersOf(target, request),
    ...(request.body === undefined ? {} : { body: request.body }),
  }));
  let begun = 0;
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    setupClient(client) {
      const first = Math.floor((begun++ * prepared.length) / connections);
      client.setRequests([...prepared.slice(first), ...prepared.slice(0, first)]);
    },
  });
  const { non2xx, errors } = result;
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} answers were no success, ${errors} connections failed`);
  return { answers: result['2xx'], perSecond: result['2xx'] / result.duration };
}
