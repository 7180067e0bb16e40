/** Descriptions of what is outside of the API and needs no key. Each is in the file of its handler. */
import type { ProblemCode } from '../../http/problem.ts';
import { notModified, ofAny, refusedWith } from './openapi-parts.ts';
import type { JsonObject } from './openapi-schemas.ts';

interface PublicOperation {
  readonly id: string;
  readonly tag?: string;
  readonly summary: string;
  /** Parameters of the path. */
  readonly parameters?: readonly JsonObject[];
  /** Parameters of the query. */
  readonly query?: readonly JsonObject[];
  /** Responses by status; others are problems. */
  readonly responses: JsonObject;
  readonly refusals?: readonly ProblemCode[];
  /** Whether it has an entity tag. */
  readonly isConditional?: boolean;
}

/** A path with a GET. */
export function publicGet(operation: PublicOperation): JsonObject {
  const { id, tag = 'Server', summary, parameters, query = [], responses, refusals = [], isConditional = false } = operation;
  const codes: ProblemCode[] = [
    ...ofAny,
    ...refusals,
    ...(isConditional ? (['precondition_failed', 'unavailable'] as const) : []),
  ];
  return {
    ...(parameters === undefined ? {} : { parameters: [...parameters] }),
    get: {
      ...{ operationId: id, tags: [tag], summary, security: [], ...(query.length > 0 && { parameters: [...query] }) },
      responses: { ...refusedWith(codes), ...(isConditional ? { '304': notModified } : {}), ...responses },
    },
  };
}
