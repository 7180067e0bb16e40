/** Faults of requests and responses: their memory, their order, and the form in which a key sees them. */
import { type Fault, seam } from '../seam.ts';

const context = seam<typeof import('../../../src/http/context.ts')>('options of the listener', 'src/http/context');
const steps = seam<typeof import('../../../src/http/response/gunzip-source.ts')>(
  'steps of decompression',
  'src/http/response/gunzip-source',
);
const proxies = seam<typeof import('../../../src/http/proxy.ts')>('paths behind a proxy', 'src/http/proxy');
const queue = seam<typeof import('../../../src/http/request/body-queue.ts')>('queue of bodies', 'src/http/request/body-queue');
const tags = seam<typeof import('../../../src/api/crud/etag.ts')>('entity tags', 'src/api/crud/etag');
const places = seam<typeof import('../../../src/api/publish/page/public-places.ts')>(
  'places of a published map',
  'src/api/publish/page/public-places',
);
const json = seam<typeof import('../../../src/api/crud/json-cache.ts')>('JSON for keys', 'src/api/crud/json-cache');
const output = seam<typeof import('../../../src/http/response/output-buffers.ts')>(
  'memory for responses',
  'src/http/response/output-buffers',
);

const pages = seam<typeof import('../../../src/api/pages/page-files.ts')>('policy of pages', 'src/api/pages/page-files');
const publicMaps = seam<typeof import('../../../src/model/publication.ts')>('members of a public map', 'src/model/publication');

/** A request as one with a key for writing. */
const asWriter = <R extends { readonly scope: { readonly readOnly: boolean } }>(request: R): R => ({
  ...request,
  scope: { ...request.scope, readOnly: false },
});

export const httpFaults = {
  'all keys see the same content': context.withParts('HttpContext', (options) => [{ ...options, keyIdOf: () => '' }]),
  'no step of decompression waits': steps.withMethods('GunzipSteps', () => ({
    begin(step) {
      this.running++;
      step();
    },
  })),
  'paths keep that of the public URL': proxies({ belowBasePath: () => (path) => path }),
  'no body waits for another one': queue.withMethods('BodyQueue', () => ({
    enter: (_, start) => {
      start();
      return { leave: () => undefined };
    },
  })),
  'tags are those of keys for writing': tags({
    etagOf:
      ({ etagOf }) =>
      (api, request, version) =>
        etagOf(api, asWriter(request), version),
    etagWritten:
      ({ etagWritten }) =>
      (api, request, version) =>
        etagWritten(api, asWriter(request), version),
  }),
  'pages may connect to every host': pages({
    commonPolicy: ({ commonPolicy }) =>
      commonPolicy.map((directive) => (directive.startsWith('connect-src') ? 'connect-src *' : directive)),
  }),
  'settings and data sources are public members': publicMaps({
    publicMembers: ({ publicMembers }) => [...publicMembers, 'settings', 'data_sources'] as unknown as typeof publicMembers,
  }),
  'every place is on the map': places({ hasPlace: () => () => true }),
  'keys for reading see the JSON of keys for writing': json({
    JsonCache: ({ JsonCache }) =>
      class extends JsonCache {
        override readonly forReaders = this;
      },
  }),
  'the memory for responses has no limit': output.withParts('OutputBuffers', (limits) => [
    { ...limits, responsesBytesMax: Number.POSITIVE_INFINITY },
  ]),
} as const satisfies Readonly<Record<string, Fault>>;
