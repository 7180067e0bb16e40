/**
 * The OpenAPI 3.1 description, derived from the declared endpoints: facts about one endpoint belong into its declaration. The tests check
 * every request and response against it.
 */
import type { TSchema } from 'typebox';
import type { ProblemCode } from '../../http/problem.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import { pictureTypes } from '../../lib/pictures/picture-types.ts';
import { type Declaration, publicEndpoint } from '../declaration.ts';
import { endpoints, publicPaths } from '../endpoints.ts';
import {
  always,
  answered,
  headersOf,
  jsonContent,
  notModified,
  pathParameter,
  problemResponses,
  problemSchema,
  refusedWith,
  requestHeaders,
  responseHeaders,
} from './openapi-parts.ts';
import { type Json, type JsonObject, Schemas } from './openapi-schemas.ts';
import { publicGet } from './public-operation.ts';

interface OpenApiOptions {
  /** Version of the program. */
  readonly version: string;
  /** Public URL of the server: `https://maps.example.com/maps`, or only a path. Default: the origin of the description. */
  readonly publicUrl?: string;
}

const description = `Projects with their contents: artboards, spots and polygons on artboards, popups, data sources, variables
and actions. Every request carries \`Authorization: Bearer <key>\`. Every acknowledged change is durable: it survives a crash of the
process, of the system, and a power failure.

Bodies are JSON objects, and may have \`Content-Encoding: gzip\` or \`br\`. A POST fills in defaults for missing members; a PATCH changes only the members that it contains. Unknown members and query
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
  Account: 'The account and the key of a request.',
  Server: 'Health, metrics and descriptions of the server. These need no key.',
};

/** Builds the OpenAPI document. */
export function openapiOf({ version, publicUrl = '' }: OpenApiOptions): JsonObject {
  const schemas = new Schemas();
  const paths: Record<string, JsonObject> = {};
  for (const declared of endpoints) {
    const path = declared.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= parametersOf(declared);
    paths[path][declared.method.toLowerCase()] = operationOf(declared, schemas);
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
      responses: problemResponses(endpoints.flatMap((declared) => [...problemCodesOf(declared)])),
    },
  };
}

/** Paths that are not below the version prefix. Some generators look for their server at the path, others at the operation. */
function publicPathsAt(url: string): Readonly<Record<string, JsonObject>> {
  const servers = [{ url }];
  const all: Readonly<Record<string, JsonObject>> = { ...publicPaths, ...descriptionPath };
  return Object.fromEntries(
    Object.entries(all).map(([path, item]) => {
      const at = Object.entries(item).map(([name, value]) => [
        name,
        name === 'get' || name === 'post' ? { servers, ...(value as JsonObject) } : value,
      ]);
      return [path, { servers, ...Object.fromEntries(at) }];
    }),
  );
}

/** Path parameters. */
function parametersOf({ path }: Declaration): JsonObject {
  const parameters = [...path.matchAll(/:(\w+)_id/g)].map(([, what = '']) =>
    pathParameter(`${what}_id`, `Identifier of the ${what.replaceAll('_', ' ')}`),
  );
  return parameters.length === 0 ? {} : { parameters };
}

function operationOf(declared: Declaration, schemas: Schemas): JsonObject {
  const { id, tag, summary, description, query = {}, body, bodyIsOptional = false } = declared;
  const parameters = [
    ...Object.entries(query).map(([name, schema]) =>
      queryParameter(name, schema, declared.requiredQuery?.includes(name) === true, schemas),
    ),
    ...headersSent(declared).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  const example = declared.example?.();
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
            content: contentOf(declared, schemas.of(body), example?.body),
          },
        }),
    responses: { ...successOf(declared, schemas, example?.response), ...refusedWith(problemCodesOf(declared)) },
  };
}

function contentOf({ streamsBody }: Declaration, schema: JsonObject, example: Json | undefined): JsonObject {
  // The first type is the one that generated clients send: any picture may have it.
  if (streamsBody === 'file')
    return Object.fromEntries(['application/octet-stream', ...pictureTypes].map((type) => [type, { schema }]));
  // A second type of a body, application/merge-patch+json, would make some generated clients send a PATCH as text/plain.
  return jsonContent(schema, example);
}

function queryParameter(name: string, schema: TSchema, isRequired: boolean, schemas: Schemas): JsonObject {
  const { description, ...rest } = schemas.of(schema);
  return {
    ...{ name, in: 'query' },
    ...(isRequired ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  };
}

const isList = ({ query }: Declaration): boolean => query?.['cursor'] !== undefined;

function successOf(declared: Declaration, schemas: Schemas, example: Json | undefined): JsonObject {
  const { method, response, responseType = 'application/json' } = declared;
  const { hasRanges = false, isStream = false, isFile = false, isUnversioned = false } = declared;
  if (response === undefined) {
    const description = isUnversioned ? 'The change is made, in memory only.' : 'The change is durable.';
    return { '204': { description, headers: headersOf(['RequestId']) } };
  }
  const schema = declared.query?.['fields'] === undefined ? schemas.of(response) : schemas.withParts(response);
  if (isStream) {
    const stream = { type: 'string', description: 'Events; the `data` of each is an `Event` as JSON' };
    return { '200': answered('Event stream, which stays open until one side closes it.', 'text/event-stream', stream) };
  }
  if (isUnversioned) return { '200': answered('The result, which is not stored.', responseType, schema, [], example) };
  const headers = [
    'ETag',
    ...(isList(declared) ? ['Link'] : []),
    ...(declared.query?.['count'] === undefined ? [] : ['TotalCount']),
    ...(isFile ? ['ContentDisposition'] : []),
    ...(method === 'POST' ? ['IdempotencyReplayed'] : []),
  ];
  const success = (what: string) => answered(what, responseType, schema, headers, example);
  return {
    '200': success(method === 'GET' ? 'The current state.' : 'The new state, which is durable.'),
    ...(takesPreference(declared) ? { '204': minimalOf(method) } : {}),
    ...(hasRanges ? { '206': success('The bytes that `Range` names.') } : {}),
    ...(method === 'GET' ? { '304': notModified } : {}),
  };
}

/** A write shows something that `Prefer: return=minimal` leaves out. */
const takesPreference = ({ method, response, isUnversioned = false }: Declaration): boolean =>
  method !== 'GET' && method !== 'DELETE' && response !== undefined && !isUnversioned;

const minimalOf = (method: string): JsonObject => ({
  description: 'The change is durable. The request has `Prefer: return=minimal`.',
  headers: headersOf(['RequestId', 'ETag', 'PreferenceApplied', ...(method === 'POST' ? ['Location'] : [])]),
});

function headersSent(declared: Declaration): string[] {
  const { method, isStream = false, streamsBody, isUnversioned = false } = declared;
  if (isStream) return ['LastEventId'];
  if (isUnversioned) return [];
  // A streamed body that creates something has nothing to compare with.
  const isConditional = streamsBody === undefined || method === 'PUT';
  const conditions = isConditional ? ['IfMatch', 'IfNoneMatch'] : [];
  return [...(method === 'POST' ? ['IdempotencyKey'] : []), ...conditions, ...(takesPreference(declared) ? ['Prefer'] : [])];
}

// ---- problems

const ofWrites: readonly ProblemCode[] = ['forbidden', 'insufficient_storage', 'precondition_failed', 'request_timeout'];
const ofBodies: readonly ProblemCode[] = ['validation_failed', 'payload_too_large', 'unsupported_media_type', 'quota_exceeded'];
const ofKeyed: readonly ProblemCode[] = ['conflict', 'unprocessable', 'payload_too_large', 'quota_exceeded'];

/** The problems that an operation may return, of all codes. */
function problemCodesOf({
  method,
  body,
  isBounded = false,
  mayConflict = false,
  givesIds = false,
  hasRanges = false,
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
  if (method === 'DELETE' || mayConflict) add(['conflict']);
  if (givesIds) add(['identifier_in_use', 'not_in_collection']);
  if (isBounded) add(['payload_too_large']);
  if (hasRanges) add(['range_not_satisfiable']);
  if (body !== undefined) add(ofBodies);
  return codes;
}

const descriptionPath = {
  '/openapi.json': publicGet({
    id: 'getDescription',
    summary: 'OpenAPI description',
    responses: { '200': answered('This description.', 'application/json', { type: 'object' }) },
    refusals: ['unavailable'],
  }),
};

/** `GET /openapi.json`: the description, built at the first request. */
export function descriptionEndpoint(options: () => OpenApiOptions): PublicEndpoint {
  let json: string | undefined;
  return publicEndpoint('/openapi.json', () => {
    json ??= JSON.stringify(openapiOf(options()));
    return { kind: 'json', status: 200, json };
  });
}
