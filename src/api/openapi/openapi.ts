/**
 * The OpenAPI 3.1 description, derived from the declared endpoints: facts about one endpoint belong into its declaration. The tests check
 * every request and response against it.
 */
import type { TSchema } from 'typebox';
import { type ProblemCode, problemKinds } from '../../http/problem.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import { type Declaration, publicEndpoint } from '../declaration.ts';
import { endpoints } from '../endpoints.ts';
import { type EndpointExample, examplesOf } from './examples.ts';
import { type Json, type JsonObject, referenceTo, Schemas } from './openapi-schemas.ts';

interface OpenApiOptions {
  /** Version of the program. */
  readonly version: string;
  /** Public URL of the server: `https://maps.example.com/maps`, or only a path. Default: the origin of the description. */
  readonly publicUrl?: string;
}

const description = `Projects with their contents: artboards, spots and polygons on artboards, popups, data sources, variables
and actions. Every request carries \`Authorization: Bearer <key>\`. Every acknowledged change is durable: it survives a crash of the
process, of the system, and a power failure.

Bodies are JSON objects. A POST fills in defaults for missing members; a PATCH changes only the members that it contains. Unknown members and query
parameters are rejected. Every error is a [problem](https://www.rfc-editor.org/rfc/rfc9457) with a stable \`code\`, a \`detail\` that says what to do,
and a \`request_id\`, which is also in the server's log. A known path without the requested method is a 405 with \`Allow\`.

A HEAD returns the headers of the GET of the same path, without the body. A response is compressed if the request has \`Accept-Encoding\`, and
repeats the \`traceparent\` of the request. Browsers get CORS headers for the origins that the operator allows, and 204 for OPTIONS.`;

const tagDescriptions: Readonly<Record<string, string>> = {
  Projects: 'Projects of an account, and operations on a whole project.',
  Artboards: 'Artboards of a project, with a colour, an image or a map as background.',
  Objects: 'Spots and polygons on an artboard.',
  Popups: 'Popups, which open at an object or without one.',
  'Data sources': 'HTTP requests and pushed documents from which variables take their values.',
  Variables: 'Values that actions read: one value of a data source, or a value of each element of a list in it.',
  Actions: 'Changes and creations that happen when conditions hold.',
  'Live maps': 'Responses of data sources, and what variables and actions make of them.',
  Publications: 'The public copies of projects.',
  Events: 'Stream of durable changes.',
  Server: 'Health, metrics and descriptions of the server. These need no key.',
};

/** Builds the OpenAPI document. */
export function openapiOf({ version, publicUrl = '' }: OpenApiOptions): JsonObject {
  const schemas = new Schemas();
  const examples = examplesOf();
  const paths: Record<string, JsonObject> = {};
  for (const declared of endpoints) {
    const path = declared.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= parametersOf(declared);
    paths[path][declared.method.toLowerCase()] = operationOf(declared, schemas, examples);
  }
  const described = [...endpoints.map(({ tag }) => tag), 'Server'];
  return {
    openapi: '3.1.1',
    info: {
      title: 'mapwright',
      summary: 'The server behind interactive maps',
      description,
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: ['/api/v1', '/v1'].map((prefix) => ({ url: publicUrl + prefix })),
    security: [{ bearer: [] }],
    tags: [...new Set(described)].map((name) => ({ name, description: tagDescriptions[name] ?? '' })),
    paths: { ...paths, ...publicPathsAt(publicUrl === '' ? '/' : publicUrl) },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key from the operator: `mw_...`.' },
      },
      schemas: { ...schemas.all, Problem: problemSchema },
      parameters: requestHeaders,
      headers: Object.fromEntries(Object.entries(responseHeaders).map(([title, { says }]) => [title, says])),
      responses: problemResponses(endpoints),
    },
  };
}

/** Path parameters. */
function parametersOf({ path }: Declaration): JsonObject {
  const parameters = [...path.matchAll(/:(\w+)_id/g)].map(([, what = '']) => ({
    name: `${what}_id`,
    in: 'path',
    required: true,
    description: `Identifier of the ${what.replaceAll('_', ' ')}`,
    schema: { type: 'string' },
  }));
  return parameters.length === 0 ? {} : { parameters };
}

function operationOf(declared: Declaration, schemas: Schemas, examples: Readonly<Record<string, EndpointExample>>): JsonObject {
  const { id, tag, summary, description, query = {}, body, bodyIsOptional = false, streamsBody } = declared;
  const parameters = [
    ...Object.entries(query).map(([name, schema]) => queryParameter(name, schema, schemas)),
    ...headersSent(declared).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  const example = examples[id];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !bodyIsOptional,
            content:
              streamsBody === 'file' ? { 'image/*': { schema: schemas.of(body) } } : jsonContent(schemas.of(body), example?.body),
          },
        }),
    responses: { ...successOf(declared, schemas, example?.response), ...refusalsOf(declared) },
  };
}

const jsonContent = (schema: JsonObject, example: Json | undefined, type = 'application/json'): JsonObject => ({
  [type]: { schema, ...(example === undefined ? {} : { example }) },
});

function queryParameter(name: string, schema: TSchema, schemas: Schemas): JsonObject {
  const { description, ...rest } = schemas.of(schema);
  return { name, in: 'query', ...(description === undefined ? {} : { description }), schema: rest };
}

const isList = ({ query }: Declaration): boolean => query?.['cursor'] !== undefined;

function successOf(declared: Declaration, schemas: Schemas, example: Json | undefined): JsonObject {
  const { method, response, responseType, hasRanges = false, isStream = false, isFile = false, isUnversioned = false } = declared;
  if (response === undefined) {
    const description = isUnversioned ? 'The change is made, in memory only.' : 'The change is durable.';
    return { '204': { description, headers: headersOf(['RequestId']) } };
  }
  if (isStream) {
    const stream = { type: 'string', description: 'Events; the `data` of each is an `Event` as JSON' };
    schemas.of(response);
    return {
      '200': {
        description: 'Event stream, which stays open until one side closes it.',
        headers: headersOf(['RequestId']),
        content: jsonContent(stream, undefined, 'text/event-stream'),
      },
    };
  }
  if (isUnversioned) {
    const description = 'The result, which is not stored.';
    return { '200': { description, headers: headersOf(['RequestId']), content: jsonContent(schemas.of(response), example) } };
  }
  const headers = [
    'RequestId',
    'ETag',
    ...(isList(declared) ? ['Link'] : []),
    ...(isFile ? ['ContentDisposition'] : []),
    ...(method === 'POST' ? ['IdempotencyReplayed'] : []),
  ];
  const what = method === 'GET' ? 'The current state.' : 'The new state, which is durable.';
  const content = jsonContent(schemas.of(response), example, responseType);
  return {
    '200': { description: what, headers: headersOf(headers), content },
    ...(hasRanges ? { '206': { description: 'The bytes that `Range` names.', headers: headersOf(headers), content } } : {}),
    ...(method === 'GET' ? { '304': notModified } : {}),
  };
}

// ---- headers

const header = (name: string, description: string, schema: JsonObject = { type: 'string' }) => ({
  name,
  says: { description, schema },
});
const sent = (name: string, description: string): JsonObject => ({ name, in: 'header', description, schema: { type: 'string' } });

const requestHeaders: Readonly<Record<string, JsonObject>> = {
  IfMatch: sent(
    'If-Match',
    'Execute the request only if this is the current version: an ETag, or `*` for any version. Otherwise 412',
  ),
  IfNoneMatch: sent(
    'If-None-Match',
    'Execute the request only if this is not the current version: an ETag. Otherwise 304, for a write 412',
  ),
  IdempotencyKey: sent(
    'Idempotency-Key',
    'Key of this write, preferably a UUID. A repetition with the same key within 24 hours returns the stored response',
  ),
  LastEventId: sent('Last-Event-ID', 'Continue after the event with this id'),
};

const responseHeaders: Readonly<Record<string, { readonly name: string; readonly says: JsonObject }>> = {
  RequestId: header('X-Request-Id', 'Request ID, as in the server log'),
  ETag: header('ETag', 'Version of the resource or list in the response'),
  Link: header('Link', 'URL of the next page: `<url>; rel="next"`'),
  IdempotencyReplayed: header(
    'Idempotency-Replayed',
    '`true`: this is the stored response to an earlier request with the same key',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
  ContentDisposition: header('Content-Disposition', 'Suggested file name: `attachment; filename="city-walk.mapwright.json"`'),
  RetryAfter: header('Retry-After', 'Seconds after which the same request may succeed', { type: 'integer', minimum: 0 }),
  RateLimitPolicy: header(
    'RateLimit-Policy',
    'Rate limits that apply, as requests per window in seconds: `"account";q=600;w=60`',
  ),
  RateLimit: header('RateLimit', 'Remaining requests of each rate limit: `"account";r=599;t=1`'),
  Authenticate: header('WWW-Authenticate', 'Authentication scheme: `Bearer`'),
};

const headersOf = (titles: readonly string[]): JsonObject =>
  Object.fromEntries(titles.map((title) => [responseHeaders[title]?.name as string, { $ref: `#/components/headers/${title}` }]));

const notModified: JsonObject = {
  description: 'Not modified: `If-None-Match` has the current ETag.',
  headers: headersOf(['RequestId', 'ETag']),
};

function headersSent({ method, isStream = false, streamsBody, isUnversioned = false }: Declaration): string[] {
  if (isStream) return ['LastEventId'];
  if (isUnversioned) return [];
  const conditions = streamsBody !== undefined ? [] : ['IfMatch', 'IfNoneMatch'];
  return method === 'POST' ? ['IdempotencyKey', ...conditions] : conditions;
}

// ---- problems

/** Problems that any request may cause, also one that needs no key. */
const ofAny: readonly ProblemCode[] = [
  'bad_request',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
];
/** Problems that any request with a key may cause. */
const always: readonly ProblemCode[] = [
  ...ofAny,
  'unauthorized',
  'not_found',
  'too_many_requests',
  'unavailable',
  'storage_stalled',
];
const ofWrites: readonly ProblemCode[] = ['forbidden', 'insufficient_storage', 'precondition_failed', 'request_timeout'];
const ofBodies: readonly ProblemCode[] = ['validation_failed', 'payload_too_large', 'unsupported_media_type', 'quota_exceeded'];
const ofKeyed: readonly ProblemCode[] = ['conflict', 'unprocessable', 'payload_too_large', 'quota_exceeded'];

/** The problems that an operation may return, of all codes. */
function problemCodesOf({
  method,
  body,
  isBounded = false,
  isStream = false,
  isUnversioned = false,
}: Declaration): ReadonlySet<ProblemCode> {
  const codes = new Set<ProblemCode>(always);
  const add = (more: readonly ProblemCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (method !== 'GET') add(ofWrites);
  else if (!isStream && !isUnversioned) add(['precondition_failed']);
  if (method === 'POST') add(ofKeyed);
  if (method === 'DELETE') add(['conflict']);
  if (isBounded) add(['payload_too_large']);
  if (body !== undefined) add(ofBodies);
  return codes;
}

const statusesOf = (codes: Iterable<ProblemCode>): number[] =>
  [...new Set(Array.from(codes, (code) => problemKinds[code][0]))].sort((a, b) => a - b);

const refusalsOf = (declared: Declaration): JsonObject => refusedWith(problemCodesOf(declared));

const refusedWith = (codes: Iterable<ProblemCode>): JsonObject =>
  Object.fromEntries(
    statusesOf(codes).map((status) => [`${status}`, { $ref: `#/components/responses/${responseName(status)}` }]),
  );

const responseName = (status: number): string => `Problem${status}`;

const headersOfRefusals: Readonly<Record<number, readonly string[]>> = {
  401: ['Authenticate'],
  403: ['Authenticate'],
  409: ['RetryAfter'],
  429: ['RetryAfter', 'RateLimitPolicy', 'RateLimit'],
  503: ['RetryAfter'],
};

function problemResponses(declarations: readonly Declaration[]): Record<string, JsonObject> {
  const all = Object.keys(problemKinds) as ProblemCode[];
  const responses: Record<string, JsonObject> = {};
  for (const status of statusesOf(declarations.flatMap((declared) => [...problemCodesOf(declared)]))) {
    const codes = all.filter((code) => problemKinds[code][0] === status);
    const titles = codes.map((code) => `${problemKinds[code][1]} (\`${code}\`)`);
    const schema = { allOf: [referenceTo('Problem')], properties: { code: { enum: codes } } };
    responses[responseName(status)] = {
      description: `${titles.join(', or ')}.`,
      headers: headersOf(['RequestId', ...(headersOfRefusals[status] ?? [])]),
      content: jsonContent(schema, undefined, 'application/problem+json'),
    };
  }
  return responses;
}

const fieldError: JsonObject = {
  type: 'object',
  required: ['pointer', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'JSON Pointer (RFC 6901) into the request body, or into the project document' },
    detail: { type: 'string', description: 'Description of the error' },
  },
  additionalProperties: false,
};

const problemSchema: JsonObject = {
  title: 'Problem',
  description: 'Reason why a request failed (RFC 9457)',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', description: '`urn:mapwright:problem:` and the code' },
    title: { type: 'string', description: 'Title of the code' },
    status: { type: 'integer', description: 'HTTP status' },
    detail: { type: 'string', description: 'Explanation for a human reader, with the next step' },
    code: { type: 'string', enum: Object.keys(problemKinds), description: 'Machine-readable reason. Values are never renamed' },
    request_id: { type: 'string', description: 'Request ID, as in the server log' },
    index: { type: 'integer', minimum: 0, description: 'Zero-based index of the batch operation' },
    errors: { type: 'array', items: fieldError, description: 'Errors, at most 100, each with its location' },
  },
  additionalProperties: false,
};

// ---- outside of the API

const outside = (operationId: string, summary: string, responses: JsonObject): JsonObject => ({
  get: { operationId, tags: ['Server'], summary, security: [], responses: { ...responses, ...refusedWith(ofAny) } },
});
const answered = (description: string, type: string, schema: JsonObject, headers: readonly string[] = []): JsonObject => ({
  description,
  headers: headersOf(['RequestId', ...headers]),
  content: { [type]: { schema } },
});
const statusSchema = (words: readonly string[]): JsonObject => ({
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: [...words] } },
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

const slugParameter = pathParameter('slug', 'Last part of the public address');
const digestParameter = pathParameter('digest', 'SHA-256 of the map, as `map.json` says');

const pointerSchema: JsonObject = {
  type: 'object',
  required: ['version', 'map'],
  properties: {
    version: { type: 'integer', description: 'Version of the map' },
    map: { type: 'string', description: 'Address of the map, relative to this one' },
    live: { type: 'string', description: 'Address of the newest evaluation of a live map, relative to this one' },
    refresh: { type: 'integer', description: 'Seconds after which a live map is evaluated again' },
  },
};

const changedMembers = (what: string): JsonObject => ({
  type: 'object',
  description: `Changed members of ${what}, by identifier`,
  additionalProperties: { type: 'object' },
});

const liveSchema: JsonObject = {
  type: 'object',
  required: ['version', 'at', 'objects', 'popups', 'created'],
  properties: {
    version: { type: 'integer', description: 'Version of the map to which it belongs' },
    at: { type: 'string', description: 'When this result was made first: RFC 3339' },
    objects: changedMembers('objects'),
    popups: changedMembers('popups'),
    created: {
      type: 'array',
      description: 'Created objects with their popups; members with their defaults are left out',
      items: {
        type: 'object',
        properties: { artboard_id: { type: 'string' }, object: { type: 'object' }, popup: { type: ['object', 'null'] } },
      },
    },
  },
};

/** An operation on what is public; `--no-publish` disables it. */
const published = (
  operationId: string,
  summary: string,
  parameters: JsonObject[],
  type: string,
  schema: JsonObject,
): JsonObject => ({
  parameters,
  get: {
    operationId,
    tags: ['Publications'],
    summary,
    security: [],
    responses: {
      '200': answered('What is public; any page may read it.', type, schema, ['ETag']),
      '304': notModified,
      ...refusedWith([...ofAny, 'not_found', 'precondition_failed', 'unavailable']),
    },
  },
});

/** The 404 is a page for clients that accept HTML. */
function withPage(path: JsonObject): JsonObject {
  const get = path['get'] as JsonObject & { responses: JsonObject };
  const notPublic: JsonObject = {
    description: 'There is no such public map: a page for a client that accepts `text/html`, otherwise a problem.',
    headers: headersOf(['RequestId']),
    content: {
      'text/html': { schema: { type: 'string' } },
      ...jsonContent(referenceTo('Problem'), undefined, 'application/problem+json'),
    },
  };
  return { ...path, get: { ...get, responses: { ...get.responses, '404': notPublic } } };
}

const publicPaths: Readonly<Record<string, JsonObject>> = {
  '/healthz': outside('getHealth', 'Liveness check', {
    '200': answered('The process is running.', 'application/json', statusSchema(['ok'])),
  }),
  '/readyz': outside('getReadiness', 'Readiness check', {
    '200': answered('The server accepts requests.', 'application/json', statusSchema(['ready'])),
    '503': answered('The server does not accept requests.', 'application/json', readinessSchema),
  }),
  '/metrics': outside('getMetrics', 'Metrics for Prometheus', {
    '200': answered('Metrics in the text format; `--no-metrics` disables this path.', 'text/plain', { type: 'string' }),
    ...refusedWith(['not_found', 'unavailable']),
  }),
  '/p/{slug}': withPage(published('showMap', 'Page of a published map', [slugParameter], 'text/html', { type: 'string' })),
  '/p/{slug}/map.json': published(
    'getMapPointer',
    'Address of the newest published map',
    [slugParameter],
    'application/json',
    pointerSchema,
  ),
  '/p/{slug}/{digest}.json': published('getMap', 'A published map', [slugParameter, digestParameter], 'application/json', {
    type: 'object',
    description:
      'The project without account, thumbnail, data sources, variables, actions, and settings other than `max_bounds`, `legend` and `labels`',
  }),
  '/p/{slug}/live.json': published(
    'getLiveMap',
    'Newest evaluation of a live map',
    [slugParameter],
    'application/json',
    liveSchema,
  ),
  '/openapi.json': outside('getDescription', 'OpenAPI description', {
    '200': answered('This description.', 'application/json', { type: 'object' }),
    ...refusedWith(['unavailable']),
  }),
  '/docs': outside('getReference', 'OpenAPI description as an HTML page', {
    '200': answered('A page without external resources; `--no-docs` disables this path.', 'text/html', { type: 'string' }, [
      'ETag',
    ]),
    '304': notModified,
    ...refusedWith(['not_found', 'precondition_failed', 'unavailable']),
  }),
  '/viewer.js': outside('getViewer', 'Script that draws maps on web pages', {
    '200': answered(
      'A module that defines the element `<mapwright-map>`, for pages of every origin.',
      'text/javascript',
      { type: 'string' },
      ['ETag'],
    ),
    '304': notModified,
    ...refusedWith(['precondition_failed', 'unavailable']),
  }),
};

function pathParameter(name: string, description: string): JsonObject {
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

function publicPathsAt(url: string): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(Object.entries(publicPaths).map(([path, item]) => [path, { servers: [{ url }], ...item }]));
}

/** `GET /openapi.json`: the description, built at the first request. */
export function descriptionEndpoint(options: () => OpenApiOptions): PublicEndpoint {
  let json: string | undefined;
  return publicEndpoint('/openapi.json', () => {
    json ??= JSON.stringify(openapiOf(options()));
    return { kind: 'json', status: 200, json };
  });
}
