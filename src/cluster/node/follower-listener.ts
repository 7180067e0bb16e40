/**
 * The listener of a node that follows: its own health checks, metrics and scripts, and everything else forwarded to the owner. It is a listener with
 * the server's limits, so malformed requests, slow clients and too many connections never reach the owner.
 */

import { healthEndpoints, metricsEndpoint, ownerEndpoint, type Readiness } from '../../api/health-endpoints.ts';
import { viewerEndpoints } from '../../api/pages/viewer-endpoint.ts';
import { createListener, type Listener } from '../../http/listener.ts';
import type { ListenerOptions } from '../../http/listener-options.ts';
import type { Forwarder } from '../forward/forwarder.ts';

export interface FollowerOptions extends Pick<ListenerOptions<never>, 'log' | 'logRequests' | 'limits' | 'cors'> {
  readonly forwarder: Forwarder;
  /** For `/readyz`. */
  readiness(): Readiness;
  /** Address of the map tiles; see `ServerOptions`. */
  readonly tiles?: string;
  /** The metrics of this node; without it, `/metrics` is the owner's. */
  exposition?: Parameters<typeof metricsEndpoint>[0];
}

export function followerListener(options: FollowerOptions): Listener {
  const { forwarder, readiness, exposition, tiles, ...listening } = options;
  const listener = createListener<never>({
    ...listening,
    endpoints: [
      ...healthEndpoints(readiness),
      ownerEndpoint(async () => false),
      ...viewerEndpoints(tiles),
      ...(exposition === undefined ? [] : [metricsEndpoint(exposition)]),
    ],
    authenticate: () => undefined,
    fallback: (exchange) => forwarder.handle(exchange),
  });
  const { drain } = listener;
  listener.drain = () => {
    drain.call(listener);
    forwarder.endEvents();
  };
  return listener;
}
