/** Probes and figures for whoever watches the process; they need no key. */
import type { PublicEndpoint } from '../http/route.ts';
import { publicEndpoint } from './declaration.ts';

/** Whether requests are served, and if not, why; `detail` says what the server waits for, `progress` is the share of what is restored that was read, from 0 to 1. */
export type Readiness =
  | { readonly status: 'ready' | 'draining' | 'failed' }
  | { readonly status: 'stalled'; readonly detail: string }
  | { readonly status: 'restoring'; readonly progress: number };

export function healthEndpoints(readiness: () => Readiness): PublicEndpoint[] {
  return [
    // The process is alive and its event loop turns: all that a restart could mend.
    publicEndpoint('/healthz', () => ({ status: 200, json: '{"status":"ok"}' })),
    publicEndpoint('/readyz', () => {
      const told = readiness();
      return { status: told.status === 'ready' ? 200 : 503, json: JSON.stringify(told) };
    }),
  ];
}

/** @param exposition the figures, in the Prometheus text format; asked for at every scrape */
export function metricsEndpoint(
  exposition: () => Promise<{ readonly text: string; readonly contentType: string }>,
): PublicEndpoint {
  return publicEndpoint('/metrics', async () => ({ status: 200, ...(await exposition()) }));
}
