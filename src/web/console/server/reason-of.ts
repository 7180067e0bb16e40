/** Why a request failed, for a user. */
import { ProblemError } from '../../client/client.ts';

/** The server's own words, or else those of the browser. */
export const reasonOf = (error: unknown): string => (error instanceof ProblemError ? error.detail : (error as Error).message);
