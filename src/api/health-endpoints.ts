/** Health checks and metrics for monitoring; they need no key. */
import type { PublicEndpoint } from '../http/route.ts';
import { publicEndpoint } from './declaration.ts';

/** Whether requests are served, and if not, why; `detail` says what the server waits for, `progress` is the restored share, from 0 to 1. */
export type Readiness =
  | { readonly status: 'ready' | 'draining' | 'failed' }
  | { readonly status: 'stalled'; readonly detail: string }
  | { readonly status: 'restoring'; readonly progress: number };

export function healthEndpoints(readiness: () => Readiness): PublicEndpoint[] {
  return [
    // The process is alive and its event loop runs: a restart would not help more.
    publicEndpoint('/healthz', () => ({ kind: 'json', status: 200, json: '{"status":"ok"}' })),
    publicEndpoint('/readyz', () => {
      const state = readiness();
      return { kind: 'json', status: state.status === 'ready' ? 200 : 503, json: JSON.stringify(state) };
    }),
  ];
}

/** @param exposition returns the metrics in the Prometheus text format; called at every scrape */
export function metricsEndpoint(
  exposition: () => Promise<{ readonly text: string; readonly contentType: string }>,
): PublicEndpoint {
  return publicEndpoint('/metrics', async () => ({ kind: 'text', status: 200, ...(await exposition()) }));
}

/** `/readyz/owner`, for load balancers that prefer the owner. */
export function ownerEndpoint(isOwner: () => Promise<boolean>): PublicEndpoint {
  return publicEndpoint('/readyz/owner', async () =>
    (await isOwner())
      ? { kind: 'json', status: 200, json: '{"status":"owner"}' }
      : { kind: 'json', status: 503, json: '{"status":"following"}' },
  );
}
