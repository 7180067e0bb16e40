/** The error of a call to a server. Every command reports errors, and few call a server: so it is apart from the client. */

/** What a response says of one place in the body of the request; the place is a JSON pointer. */
export interface BodyError {
  readonly pointer: string;
  readonly detail: string;
}

/** An error whose message says what the user can do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Status of the response; `undefined` without a response. */
  readonly status: number | undefined;
  /** All errors in the body that the response lists. */
  readonly errors: readonly BodyError[];

  constructor(message: string, status?: number, errors: readonly BodyError[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}
