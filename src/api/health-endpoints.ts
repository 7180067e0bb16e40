/** Health checks and metrics for monitoring; they need no key. */
import type { PublicEndpoint } from '../http/route.ts';
import { publicEndpoint } from './declaration.ts';
import { answered } from './openapi/openapi-parts.ts';
import type { JsonObject } from './openapi/openapi-schemas.ts';
import { publicGet } from './openapi/public-operation.ts';

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

const statusSchema = (word: string): JsonObject => ({
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: [word] } },
});

const readinessSchema: JsonObject = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', enum: ['draining', 'failed', 'restoring', 'stalled'] },
    detail: { type: 'string', description: 'For `stalled`: what the server waits for' },
    progress: { type: 'number', minimum: 0, maximum: 1, description: 'For `restoring`: the fraction of the data that was read' },
  },
};

export const healthPaths = {
  '/healthz': publicGet({
    id: 'getHealth',
    summary: 'Liveness check',
    responses: { '200': answered('The process is running.', 'application/json', statusSchema('ok')) },
  }),
  '/readyz': publicGet({
    id: 'getReadiness',
    summary: 'Readiness check',
    responses: {
      '200': answered('The server accepts requests.', 'application/json', statusSchema('ready')),
      '503': answered('The server does not accept requests.', 'application/json', readinessSchema),
    },
  }),
  '/metrics': publicGet({
    id: 'getMetrics',
    summary: 'Metrics for Prometheus',
    responses: { '200': answered('Metrics in the text format; `--no-metrics` disables this path.', 'text/plain') },
    refusals: ['not_found', 'unavailable'],
  }),
};

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
