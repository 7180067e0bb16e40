/**
 * The OpenAPI 3.1 description, derived from the declared endpoints: facts about one endpoint belong into its declaration. The tests check
 * every request and response against it.
 */
import type { TSchema } from 'typebox';
import { type ProblemCode, problemKinds } from '../../http/problem.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import type { ApiVersion } from '../../model/resource.ts';
import { type Declaration, publicEndpoint } from '../declaration.ts';
import { endpointsOf } from '../endpoints.ts';
import { type EndpointExample, examplesOf } from './examples.ts';
import { type Json, type JsonObject, referenceTo, Schemas } from './openapi-schemas.ts';

export interface OpenApiOptions {
  readonly compat: ApiVersion;
  /** Version of the program. */
  readonly version: string;
  /** Public URL of the server: `https://maps.example.com/maps`, or only a path. Default: the origin of the description. */
  readonly publicUrl?: string;
}

const description = `Projects with everything that is drawn in them: artboards, the spots and polygons on these, popups, data sources, variables
and actions. Every request carries \`Authorization: Bearer <key>\`. Every acknowledged change is durable: it survives a crash of the
process, of the system, and a power failure.

Bodies are JSON objects. A POST fills in defaults for missing members; a PATCH changes only the members that it contains. Unknown members and query
parameters are refused. Every refusal is a [problem](https://www.rfc-editor.org/rfc/rfc9457) with a stable \`code\`, a \`detail\` that says what to do,
and a \`request_id\`, which is also in the server's log. A known path without the requested method is a 405 with \`Allow\`.

A HEAD returns the headers of the GET of the same path, without the body. A response is compressed if the request has \`Accept-Encoding\`, and
repeats the \`traceparent\` of the request. Browsers get CORS headers for the origins that the operator allows, and 204 for OPTIONS.`;

const tagDescriptions: Readonly<Record<string, string>> = {
  Projects: 'What an account draws, and everything that is done with a project as a whole.',
  Artboards: 'The boards of a project, with a colour, an image or a map in the background.',
  Objects: 'Spots and polygons on an artboard.',
  Popups: 'What opens at an object, or at nothing in particular.',
  'Data sources': 'Where the program that shows the map fetches the values of variables.',
  Variables: 'Values that actions look at: of a data source, or of everything in a list in it.',
  Actions: 'What changes, or is created, when conditions hold.',
  Events: 'What has changed, as it changes.',
  Server: 'How the server fares. None of these needs a key.',
};

/** Builds the OpenAPI document. */
export function openapiOf({ compat, version, publicUrl = '' }: OpenApiOptions): JsonObject {
  const schemas = new Schemas(compat);
  const examples = examplesOf(compat);
  const paths: Record<string, JsonObject> = {};
  const declarations = endpointsOf(compat);
  for (const declared of declarations) {
    const path = declared.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= parametersOf(declared);
    paths[path][declared.method.toLowerCase()] = operationOf(declared, schemas, examples);
  }
  const described = [...declarations.map(({ tag }) => tag), 'Server'];
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
        bearer: { type: 'http', scheme: 'bearer', description: 'A key that the operator made: `mw_...`.' },
      },
      schemas: { ...schemas.all, Problem: problemSchema },
      parameters: requestHeaders,
      headers: Object.fromEntries(Object.entries(responseHeaders).map(([title, { says }]) => [title, says])),
      responses: problemResponses(declarations),
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
  const { id, tag, summary, description, query = {}, body, bodyIsOptional = false } = declared;
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
      : { requestBody: { required: !bodyIsOptional, content: jsonContent(schemas.of(body), example?.body) } }),
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
  const { method, response, isStream = false, isFile = false } = declared;
  if (response === undefined) return { '204': { description: 'Done, and durable.', headers: headersOf(['RequestId']) } };
  if (isStream) {
    const stream = { type: 'string', description: 'Events; the `data` of each is an `Event` as JSON' };
    schemas.of(response);
    return {
      '200': {
        description: 'The stream, which continues until one side ends it.',
        headers: headersOf(['RequestId']),
        content: jsonContent(stream, undefined, 'text/event-stream'),
      },
    };
  }
  const headers = [
    'RequestId',
    'ETag',
    ...(isList(declared) ? ['Link'] : []),
    ...(isFile ? ['ContentDisposition'] : []),
    ...(method === 'POST' ? ['IdempotencyReplayed'] : []),
  ];
  const what = method === 'GET' ? 'As it is now.' : 'As it is now, and durable.';
  return {
    '200': { description: what, headers: headersOf(headers), content: jsonContent(schemas.of(response), example) },
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
  IfMatch: sent('If-Match', 'Only if this is still the version: an ETag, or `*` for any. 412 otherwise'),
  IfNoneMatch: sent('If-None-Match', 'Only if this is no longer the version: an ETag. 304 otherwise, for a write 412'),
  IdempotencyKey: sent(
    'Idempotency-Key',
    'Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID',
  ),
  LastEventId: sent('Last-Event-ID', 'Go on after the event that had this id'),
};

const responseHeaders: Readonly<Record<string, { readonly name: string; readonly says: JsonObject }>> = {
  RequestId: header('X-Request-Id', 'What the log of the server calls this request'),
  ETag: header('ETag', 'The version that is shown'),
  Link: header('Link', 'The next page: `<address>; rel="next"`'),
  IdempotencyReplayed: header('Idempotency-Replayed', '`true`: this was done before, and is answered as it was then', {
    type: 'string',
    enum: ['true'],
  }),
  ContentDisposition: header(
    'Content-Disposition',
    'What to call it as a file: `attachment; filename="city-walk.mapwright.json"`',
  ),
  RetryAfter: header('Retry-After', 'Seconds after which the same request may succeed', { type: 'integer', minimum: 0 }),
  RateLimitPolicy: header('RateLimit-Policy', 'What may be asked in which time, where there is a limit: `"account";q=600;w=60`'),
  RateLimit: header('RateLimit', 'What is left of it: `"account";r=599;t=1`'),
  Authenticate: header('WWW-Authenticate', 'How to say who asks'),
};

const headersOf = (titles: readonly string[]): JsonObject =>
  Object.fromEntries(titles.map((title) => [responseHeaders[title]?.name as string, { $ref: `#/components/headers/${title}` }]));

const notModified: JsonObject = {
  description: 'Nothing has changed: `If-None-Match` names what there is.',
  headers: headersOf(['RequestId', 'ETag']),
};

function headersSent({ method, isStream = false, streamsBody = false }: Declaration): string[] {
  if (isStream) return ['LastEventId'];
  const conditions = streamsBody ? [] : ['IfMatch', 'IfNoneMatch'];
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
function problemCodesOf({ method, body, isStream = false }: Declaration): ReadonlySet<ProblemCode> {
  const codes = new Set<ProblemCode>(always);
  const add = (more: readonly ProblemCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (method !== 'GET') add(ofWrites);
  else if (!isStream) add(['precondition_failed']);
  if (method === 'POST') add(ofKeyed);
  if (method === 'DELETE') add(['conflict']);
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

const fault: JsonObject = {
  type: 'object',
  required: ['pointer', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'Where: a JSON Pointer (RFC 6901) into the body, or into the project' },
    detail: { type: 'string', description: 'What is wrong there' },
  },
  additionalProperties: false,
};

const problemSchema: JsonObject = {
  title: 'Problem',
  description: 'Why something was refused (RFC 9457)',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', description: '`urn:mapwright:problem:` and the code' },
    title: { type: 'string', description: 'The code in words' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What happened, and what to do about it: for people' },
    code: { type: 'string', enum: Object.keys(problemKinds), description: 'What happened: for programs. These words stay' },
    request_id: { type: 'string', description: 'What the log of the server calls this request' },
    index: { type: 'integer', minimum: 0, description: 'Of a batch: which operation, from 0' },
    errors: { type: 'array', items: fault, description: 'What is wrong, each with its place; up to a hundred' },
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
    detail: { type: 'string', description: 'While it is `stalled`: what the server waits for' },
    progress: { type: 'number', minimum: 0, maximum: 1, description: 'The share of what is restored that was read' },
  },
};

const publicPaths: Readonly<Record<string, JsonObject>> = {
  '/healthz': outside('getHealth', 'Whether the process lives', {
    '200': answered('It does.', 'application/json', statusSchema(['ok'])),
  }),
  '/readyz': outside('getReadiness', 'Whether requests are served', {
    '200': answered('They are.', 'application/json', statusSchema(['ready'])),
    '503': answered('They are not.', 'application/json', readinessSchema),
  }),
  '/metrics': outside('getMetrics', 'Figures for Prometheus', {
    '200': answered('In the text format; they can be switched off (`--no-metrics`).', 'text/plain', { type: 'string' }),
    ...refusedWith(['not_found', 'unavailable']),
  }),
  '/openapi.json': outside('getDescription', 'This description', {
    '200': answered('As it is derived from the program.', 'application/json', { type: 'object' }),
    ...refusedWith(['unavailable']),
  }),
  '/docs': outside('getReference', 'This description as a page, for people', {
    '200': answered('It needs no other address, and can be switched off (`--no-docs`).', 'text/html', { type: 'string' }, [
      'ETag',
    ]),
    '304': notModified,
    ...refusedWith(['not_found', 'precondition_failed', 'unavailable']),
  }),
};

function publicPathsAt(url: string): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(Object.entries(publicPaths).map(([path, item]) => [path, { servers: [{ url }], ...item }]));
}

/** `GET /openapi.json`: the description, built at the first request. */
export function descriptionEndpoint(options: () => OpenApiOptions): PublicEndpoint {
  let json: string | undefined;
  return publicEndpoint('/openapi.json', () => {
    json ??= JSON.stringify(openapiOf(options()));
    return { status: 200, json };
  });
}
