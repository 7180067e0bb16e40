/** `POST /projects/:project_id/batch`: several writes to a project in one transaction. */
import Type, { type TProperties } from 'typebox';
import type { Command, IdempotentRequest, Target } from '../engine/command.ts';
import type { Batch, BatchOutcome, BatchShow } from '../engine/write/decide-batch.ts';
import { Problem, problems } from '../http/problem.ts';
import type { Reply } from '../http/response/reply.ts';
import type { FieldError } from '../lib/field-error.ts';
import { FieldErrorList } from '../model/bodies/check-body.ts';
import type { Resource } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';
import type { Fields, View } from '../store/list/views.ts';
import type { State } from '../store/state.ts';
import { BatchSchema, operationsIn, operationsMax } from './batch-operations.ts';
import { etagWritten, preconditionFailed } from './crud/etag.ts';
import { viewTarget, writeOptions, writeQuery } from './crud/handlers.ts';
import { repeatable } from './crud/idempotency-key.ts';
import type { ShownJson } from './crud/json-cache.ts';
import { prefersMinimal, replyMinimal } from './crud/preference.ts';
import { one } from './crud/render.ts';
import { type Api, endpoint, type Request } from './declaration.ts';

/** The project's own members. With its collections, each of up to a thousand results could be many megabytes. */
const projectMembers = ownMembersOf(projects);
const projectFields: Fields = new Set(Object.keys(projectMembers));
const ProjectWithoutCollections = Type.Object(projectMembers, {
  title: 'ProjectWithoutCollections',
  description: 'A project without the collections that it holds.',
  additionalProperties: false,
});

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
    givesIds: true,
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
    case 'conflict': {
      const { code, pointer, detail } = outcome.conflict;
      const sentence = `Operation ${outcome.at} of the batch does not fit the project: ${pointer} ${detail}. Nothing was changed.`;
      throw new Problem(code, sentence, { errors: [{ pointer, detail }], index: outcome.at });
    }
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
