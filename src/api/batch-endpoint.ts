/** `POST /projects/:project_id/batch`: several writes to a project in one transaction. */
import Type, { type TProperties } from 'typebox';
import type { Command, IdempotentRequest, Target } from '../engine/command.ts';
import type { Batch, BatchCommand, BatchOutcome, BatchShow } from '../engine/write/decide-batch.ts';
import { Problem, problems } from '../http/problem.ts';
import type { Reply } from '../http/response/reply.ts';
import { type FieldError, pointerTo } from '../lib/field-error.ts';
import { checkShape, FieldErrorList, shapeOf } from '../model/bodies/check-body.ts';
import type { CollectionName, Resource } from '../model/resource.ts';
import { isBesideDocument, projects, resourceOf } from '../model/resources.ts';
import type { Fields, View } from '../store/list/views.ts';
import type { State } from '../store/state.ts';
import { etagWritten, preconditionFailed, preconditionOf } from './crud/etag.ts';
import { viewTarget, writeOptions, writeQuery } from './crud/handlers.ts';
import { repeatable } from './crud/idempotency-key.ts';
import type { ShownJson } from './crud/json-cache.ts';
import { prefersMinimal, replyMinimal } from './crud/preference.ts';
import { one } from './crud/render.ts';
import { type Api, endpoint, type Request } from './declaration.ts';

/** Maximum number of operations in a batch. */
const operationsMax = 1000;

/** The project's own members. With its collections, each of up to a thousand results could be many megabytes. */
const projectMembers = ownMembersOf(projects);
const projectFields: Fields = new Set(Object.keys(projectMembers));
const ProjectWithoutCollections = Type.Object(projectMembers, {
  title: 'ProjectWithoutCollections',
  description: 'A project without the collections that it holds.',
  additionalProperties: false,
});

const OperationSchema = Type.Object(
  {
    method: Type.Enum(['POST', 'PATCH', 'DELETE'], { description: 'POST creates, PATCH changes, DELETE deletes' }),
    path: Type.String({
      description: 'Path relative to the project: "/popups", "/artboards/<id>/objects/<id>"; "/" for the project itself',
    }),
    body: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'Body of the same request outside a batch; must be omitted for DELETE' },
      ),
    ),
    as: Type.Optional(Type.String({ description: 'Name of the result. Later paths and references may use it in braces' })),
    if_match: Type.Optional(Type.String({ description: 'If-Match header of this operation' })),
    merge: Type.Optional(
      Type.Boolean({
        description:
          'For PATCH: the body is a JSON Merge Patch (RFC 7396). Objects in open structures are merged, and null removes',
      }),
    ),
    keep_places: Type.Optional(
      Type.Boolean({ description: 'For PATCH of an artboard: move its objects so that they stay where they are on Earth' }),
    ),
  },
  { title: 'Operation', description: 'A write to the project or to a resource in it.', additionalProperties: false },
);
const BatchSchema = Type.Object(
  {
    operations: Type.Array(OperationSchema, { maxItems: operationsMax, description: 'Operations, in the order of execution' }),
    keep_version: Type.Optional(
      Type.Boolean({
        description: 'Keep the state before the batch as an automatic version, as imports do with their first batch',
      }),
    ),
  },
  { title: 'Batch', description: 'Operations that are all applied, or none.', additionalProperties: false },
);
const ResultsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          status: Type.Integer({ description: 'Status of the same request outside a batch: 200, or 204 for DELETE' }),
          body: Type.Union(
            [ProjectWithoutCollections, ...Object.values(resourceOf).map(({ bodies }) => bodies.response), Type.Null()],
            {
              description: 'The resource after the operation, a project without its collections; null for DELETE',
            },
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'Result of each operation, in order' },
    ),
  },
  { title: 'BatchResults', description: 'Results of the operations.', additionalProperties: false },
);

const batchShape = shapeOf(
  'batch',
  Type.Object(
    { operations: Type.Array(Type.Unknown()), keep_version: BatchSchema.properties.keep_version },
    { additionalProperties: false },
  ),
);
const operationShape = shapeOf('operation of a batch', OperationSchema);

export const batchEndpoints = [
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/batch',
    id: 'batch',
    tag: 'Projects',
    summary: 'Execute several writes in one transaction',
    description: `Executes up to ${operationsMax} operations in order; each sees the result of the previous ones. All are applied, or none. An error response has the \`index\` of the operation that failed. The result of \`PATCH /\` is the project without its collections. All results together may have 16 MiB (\`--batch-results-mb\`); a batch with larger results fails with 413, and nothing is changed.`,
    query: writeQuery,
    body: BatchSchema,
    response: ResultsSchema,
    example: () => ({
      body: {
        operations: [
          { method: 'POST', path: '/popups', body: { title: 'Reception' }, as: 'reception' },
          { method: 'PATCH', path: '/popups/{reception}', body: { content: '<p>Ground floor, 4 seats</p>' } },
          { method: 'PATCH', path: '/', body: { name: 'Office, ground floor' } },
        ],
      },
    }),
    handle: repeatable(carryOut),
  }),
];

/** The result of one operation. */
interface Result {
  readonly status: number;
  /** `undefined` for a deletion. */
  readonly view: View | undefined;
  /** The members to show; `undefined` for all. */
  readonly fields: Fields;
}

async function carryOut(api: Api, request: Request, once: IdempotentRequest | undefined): Promise<Reply> {
  const fieldErrors = new FieldErrorList(request.fieldErrors);
  const batch: Batch = {
    accountId: request.scope.accountId,
    projectId: request.scope.projectId,
    operations: operationsIn(api, request, fieldErrors),
    keepsVersion: (request.body as { readonly keep_version?: boolean } | undefined)?.keep_version === true,
    ...writeOptions(api, request),
  };
  const result = resultsWithin(api.batchResultsBytesMax, api.cache);
  const remember = once && { ...once, write: (_: State, results: readonly Result[]) => document(results, api.cache) };
  const { results, version } = succeeded(await api.engine.writer.batch(batch, fieldErrors, { result, remember }));
  const etag = etagWritten(api, request, version);
  return prefersMinimal(request)
    ? replyMinimal(api, request, etag)
    : { kind: 'stream', status: 200, etag, stream: document(results, api.cache) };
}

/**
 * Makes the results of one batch, and refuses the operation that exceeds the limit. They are serialized once for their size, and again for
 * the response: stored views need almost no memory in between, stored texts would.
 */
function resultsWithin(bytesMax: number, cache: ShownJson): BatchShow<Result>['result'] {
  let bytes = bytesOf(document([], cache));
  return function* (state, written, action, index) {
    const result = resultOf(state, written, action);
    for (const part of resultJson(result, index, cache)) {
      bytes += Buffer.byteLength(part);
      if (bytes > bytesMax) throw about(index, problems.payloadTooLarge(resultsTooLarge(bytesMax)));
      yield;
    }
    return result;
  };
}

const resultsTooLarge = (bytesMax: number): string =>
  `With its result, the results of the batch are larger than ${bytesMax} bytes, which is the limit (--batch-results-mb): nothing was changed. Send fewer operations in one batch; a request by itself has no such limit.`;

function resultOf(state: State, written: Target, action: Command['action']): Result {
  if (action === 'delete') return { status: 204, view: undefined, fields: undefined };
  const fields = written.kind === 'project' ? projectFields : undefined;
  return { status: 200, view: viewTarget(state, written, fields).value, fields };
}

function succeeded<T>(outcome: BatchOutcome<T>): Extract<BatchOutcome<T>, { outcome: 'done' }> {
  switch (outcome.outcome) {
    case 'done':
      return outcome;
    case 'invalid':
      throw invalid(outcome.fieldErrors);
    case 'missing':
      throw about(outcome.at, problems.notFound(), ' No operation was carried out.');
    case 'stale':
      throw about(outcome.at, preconditionFailed());
  }
}

/** Adds the index of an operation to its problem. */
function about(index: number | undefined, problem: Problem, more = ''): Problem {
  if (index === undefined) return problem;
  return new Problem(problem.code, `Operation ${index} of the batch: ${problem.detail}${more}`, { index });
}

function invalid(fieldErrors: readonly FieldError[]): Problem {
  // Errors of the document come before those of its operations, in their order.
  const inOrder = fieldErrors.toSorted((a, b) => (operationOfError(a) ?? -1) - (operationOfError(b) ?? -1));
  const { code, detail, errors = [] } = problems.validationFailed(inOrder);
  return new Problem(code, detail, { errors, index: errors.map(operationOfError).find((index) => index !== undefined) });
}

function operationOfError({ pointer }: FieldError): number | undefined {
  const index = /^\/operations\/(\d+)/.exec(pointer)?.[1];
  return index === undefined ? undefined : Number(index);
}

function operationsIn(api: Api, request: Request, fieldErrors: FieldErrorList): BatchCommand[] {
  const { body } = request;
  if (!checkShape(batchShape, body, '', fieldErrors)) return [];
  const list = body['operations'] as readonly unknown[];
  if (list.length > operationsMax) {
    fieldErrors.add('/operations', `has ${list.length} operations, of at most ${operationsMax}: send them in several batches`);
    return [];
  }
  const names = new Set<string>();
  const operations: BatchCommand[] = [];
  list.forEach((item, i) => {
    const operation = operationOf(api, request, item, i, names, fieldErrors);
    if (operation !== undefined) operations.push(operation);
  });
  return operations;
}

/** An operation as sent, after its schema was checked. */
interface Sent {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  readonly if_match?: string;
  readonly merge?: boolean;
  readonly keep_places?: boolean;
}

const actionOf = { POST: 'create', PATCH: 'update', DELETE: 'delete' } as const;

function operationOf(
  api: Api,
  request: Request,
  item: unknown,
  index: number,
  names: Set<string>,
  fieldErrors: FieldErrorList,
): BatchCommand | undefined {
  const at = pointerTo('/operations', index);
  const before = fieldErrors.size;
  if (!checkShape(operationShape, item, at, fieldErrors)) return undefined;
  const { method, path, body, as, if_match, merge: isPatch = false, keep_places: keepPlaces = false } = item as unknown as Sent;
  const place = placeOf(request, path);
  if (place === undefined) {
    const wanted = 'write "/popups", "/artboards/<id>/objects/<id>" or, for the project itself, "/"';
    const isPathThen = path.includes('?') && placeOf(request, path.slice(0, path.indexOf('?'))) !== undefined;
    fieldErrors.add(
      `${at}/path`,
      isPathThen ? 'must have no query; put "?strict=true" into the URL of the batch' : `is not a path in a project: ${wanted}`,
    );
  } else if (!place.methods.includes(method)) {
    const allowed =
      place.methods.length === 0
        ? 'is not possible in a batch: send it as a request of its own'
        : `must be ${place.methods.join(' or ')} at this path`;
    fieldErrors.add(`${at}/method`, allowed);
  }
  if (method === 'DELETE' && body !== undefined) fieldErrors.add(`${at}/body`, 'must be omitted for DELETE');
  if (method !== 'DELETE' && body === undefined)
    fieldErrors.add(`${at}/body`, 'is required: a JSON object, which may be empty ({})');
  if (keepPlaces && place !== undefined && !(method === 'PATCH' && isArtboard(place.target)))
    fieldErrors.add(`${at}/keep_places`, 'must be omitted, except for PATCH of an artboard');
  if (isPatch && method !== 'PATCH') fieldErrors.add(`${at}/merge`, 'must be omitted, except for PATCH');
  if (as !== undefined) checkName(as, method, `${at}/as`, names, fieldErrors);
  let precondition: Command['precondition'];
  try {
    precondition = if_match === undefined ? undefined : preconditionOf({ headers: { 'if-match': if_match } }, api);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fieldErrors.add(
      `${at}/if_match`,
      'must be "*" or a comma-separated list of ETags in quotation marks, as in the ETag header of a response',
    );
  }
  if (place === undefined || fieldErrors.size > before) return undefined;
  const { target } = place;
  const action = actionOf[method];
  return {
    index,
    as,
    command:
      action === 'delete'
        ? { action, target, precondition }
        : {
            action,
            target,
            body,
            patch: isPatch ? { bytesMax: api.bodyBytesMax } : undefined,
            keepPlaces,
            fieldErrors: [],
            precondition,
          },
  };
}

const isArtboard = (target: Target): boolean => target.kind === 'member' && target.path.collection === 'artboards';

function checkName(as: string, method: string, at: string, names: Set<string>, fieldErrors: FieldErrorList): void {
  if (!/^[A-Za-z_]\w{0,63}$/.test(as))
    fieldErrors.add(at, 'must begin with a letter or _ and contain at most 64 letters, digits and _');
  else if (method === 'DELETE') fieldErrors.add(at, 'must be omitted for DELETE, which has no result');
  else if (names.has(as)) fieldErrors.add(at, 'is used by an earlier operation: choose another name');
  else names.add(as);
}

interface Place {
  readonly target: Target;
  readonly methods: readonly string[];
}

/** The collections of a project itself: those of its document, and those beside it. */
const ownCollections: readonly CollectionName[] = [...projects.collections.map(({ name }) => name), 'files', 'versions'];

/** By path segment. */
const segments = new Map(ownCollections.map((name) => [name.replaceAll('_', '-'), name]));

/** The paths of members below a project. */
const inProject = new RegExp(`^/(?:artboards/([^/]+)/(objects)|(${[...segments.keys()].join('|')}))(?:/([^/]+))?$`);

function placeOf(request: Request, path: string): Place | undefined {
  const { accountId, projectId } = request.scope;
  if (path === '/' || path === '') return { target: { kind: 'project', accountId, projectId }, methods: ['PATCH'] };
  const [all, artboard = '', objects, segment = '', member = ''] = inProject.exec(path) ?? [];
  if (all === undefined) return undefined;
  const collection = objects === undefined ? (segments.get(segment) as CollectionName) : 'objects';
  const parentId = decoded(artboard);
  const id = decoded(member);
  if (parentId === undefined || id === undefined) return undefined;
  const target: Target = { kind: 'member', path: { accountId, projectId, collection, parentId }, id };
  // The bytes of a file are no JSON, and a version takes more than one step.
  const creates = isBesideDocument(collection) ? [] : ['POST'];
  return { target, methods: member === '' ? creates : ['PATCH', 'DELETE'] };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function* document(results: readonly Result[], cache: ShownJson): Generator<string | Buffer, void> {
  yield '{"results":[';
  for (const [index, result] of results.entries()) yield* resultJson(result, index, cache);
  yield ']}';
}

/** A result in the document, with the comma before it. */
function* resultJson({ status, view, fields }: Result, index: number, cache: ShownJson): Generator<string | Buffer, void> {
  yield `${index === 0 ? '' : ','}{"status":${status},"body":`;
  if (view === undefined) yield 'null';
  else yield* one(view, fields, cache);
  yield '}';
}

function bytesOf(parts: Iterable<string | Buffer>): number {
  let bytes = 0;
  for (const part of parts) bytes += Buffer.byteLength(part);
  return bytes;
}

/** The members of a resource except its collections. */
function ownMembersOf({ bodies, collections }: Resource): TProperties {
  const held = new Set<string>(collections.map(({ name }) => name));
  return Object.fromEntries(Object.entries(bodies.response.properties).filter(([name]) => !held.has(name)));
}
