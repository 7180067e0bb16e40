/** Parts of the OpenAPI description that operations share: headers, contents, and problems. */
import { type ProblemCode, problemKinds } from '../../http/problem.ts';
import { type Json, type JsonObject, referenceTo } from './openapi-schemas.ts';

export const jsonContent = (schema: JsonObject, example: Json | undefined, type = 'application/json'): JsonObject => ({
  [type]: { schema, ...(example === undefined ? {} : { example }) },
});

// ---- headers

const header = (name: string, description: string, schema: JsonObject = { type: 'string' }) => ({
  name,
  says: { description, schema },
});
const sent = (name: string, description: string): JsonObject => ({ name, in: 'header', description, schema: { type: 'string' } });

export const requestHeaders: Readonly<Record<string, JsonObject>> = {
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
  Prefer: sent('Prefer', '`return=minimal` (RFC 7240): respond with 204 and the ETag, without the resource'),
  LastEventId: sent('Last-Event-ID', 'Continue after the event with this id'),
};

export const responseHeaders: Readonly<Record<string, { readonly name: string; readonly says: JsonObject }>> = {
  RequestId: header('X-Request-Id', 'Request ID, as in the server log'),
  ETag: header('ETag', 'Version of the resource or list in the response'),
  Link: header('Link', 'URL of the next page: `<url>; rel="next"`'),
  TotalCount: header('X-Total-Count', 'With `?count=true`, the number of members on all pages together', {
    type: 'integer',
    minimum: 0,
  }),
  PreferenceApplied: header('Preference-Applied', '`return=minimal`'),
  Location: header('Location', 'Path of the new resource'),
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
  Authenticate: header('WWW-Authenticate', 'Authentication scheme, with the error (RFC 6750): `Bearer error="invalid_token"`'),
};

export const headersOf = (titles: readonly string[]): JsonObject =>
  Object.fromEntries(titles.map((title) => [responseHeaders[title]?.name as string, { $ref: `#/components/headers/${title}` }]));

export const notModified: JsonObject = {
  description: 'Not modified: `If-None-Match` has the current ETag.',
  headers: headersOf(['RequestId', 'ETag']),
};

/** A response whose body has this media type. */
export const answered = (
  description: string,
  type: string,
  schema: JsonObject = { type: 'string' },
  headers: readonly string[] = [],
  example?: Json,
): JsonObject => ({ description, headers: headersOf(['RequestId', ...headers]), content: jsonContent(schema, example, type) });

export const pathParameter = (name: string, description: string): JsonObject => ({
  ...{ name, in: 'path', required: true, description },
  schema: { type: 'string' },
});

// ---- problems

/** Problems that any request may cause, also one that needs no key. */
export const ofAny: readonly ProblemCode[] = [
  'bad_request',
  'uri_too_long',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
];
/** Problems that any request with a key may cause. */
export const always: readonly ProblemCode[] = [
  ...ofAny,
  'unauthorized',
  'not_found',
  'too_many_requests',
  'unavailable',
  'storage_stalled',
];
const statusesOf = (codes: Iterable<ProblemCode>): number[] =>
  [...new Set(Array.from(codes, (code) => problemKinds[code][0]))].sort((a, b) => a - b);

export const refusedWith = (codes: Iterable<ProblemCode>): JsonObject =>
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
  507: ['RetryAfter'],
};

/** The responses with these codes, by name. */
export function problemResponses(used: Iterable<ProblemCode>): Record<string, JsonObject> {
  const all = Object.keys(problemKinds) as ProblemCode[];
  const responses: Record<string, JsonObject> = {};
  for (const status of statusesOf(used)) {
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
    parameter: { type: 'string', description: 'Name of the query parameter that is wrong' },
    header: { type: 'string', description: 'Name of the request header that is wrong' },
    detail: { type: 'string', description: 'Description of the error' },
  },
  additionalProperties: false,
};

export const problemSchema: JsonObject = {
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
