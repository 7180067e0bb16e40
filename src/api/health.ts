/** Probes and figures for whoever watches the process; they need no key. */
import type { PublicEndpoint } from '../http/endpoint.ts';
import { publicEndpoint } from './endpoint.ts';

/** Whether requests are served, and if not, why. */
export type Readiness = 'ready' | 'draining' | 'failed';

export function healthEndpoints(readiness: () => Readiness): PublicEndpoint[] {
  return [
    // The process is alive and its event loop turns: all that a restart could mend.
    publicEndpoint('/healthz', () => ({ status: 200, json: '{"status":"ok"}' })),
    publicEndpoint('/readyz', () => {
      const status = readiness();
      return { status: status === 'ready' ? 200 : 503, json: JSON.stringify({ status }) };
    }),
  ];
}

/** @param exposition the figures, in the Prometheus text format; asked for at every scrape */
export function metricsEndpoint(
  exposition: () => Promise<{ readonly text: string; readonly contentType: string }>,
): PublicEndpoint {
  return publicEndpoint('/metrics', async () => ({ status: 200, ...(await exposition()) }));
}
