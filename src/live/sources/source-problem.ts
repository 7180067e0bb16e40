/** What can be wrong with a data source: the codes of a problem, and the error that carries one. */

export const sourceProblemCodes = [
  'no_url',
  'invalid_url',
  'invalid_method',
  'invalid_header',
  'address_refused',
  'name_not_found',
  'connection_failed',
  'tls_failed',
  'timeout',
  'redirect_refused',
  'http_status',
  'invalid_response',
  'invalid_encoding',
  'too_large',
  'empty',
  'invalid_utf8',
  'invalid_json',
  'busy',
  'cancelled',
] as const;

export type SourceProblemCode = (typeof sourceProblemCodes)[number];

export interface SourceProblem {
  readonly code: SourceProblemCode;
  /** What is wrong and what to do. Contains no query, no header value and no address that a name resolves to. */
  readonly detail: string;
}

/** Ends a fetch with a problem. Never leaves this folder. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly problem: SourceProblem;
  /** HTTP status of the response; `null` before one. */
  readonly status: number | null;

  constructor(code: SourceProblemCode, detail: string, status: number | null = null) {
    super(detail);
    this.problem = { code, detail };
    this.status = status;
  }
}
