/** Transfers errors between threads, which lose their class and members in a transfer. */
import { CorruptError, FolderError } from '../errors.ts';

interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly corrupt: { readonly file: string; readonly offset: number; readonly found: string } | undefined;
  readonly folder: boolean;
}

export type ThreadResult<T> = { readonly value: T } | { readonly failure: Failure };

/** In the worker thread: the result, or the error as a value. */
export function toResult<T>(work: () => T): ThreadResult<T> {
  try {
    return { value: work() };
  } catch (error) {
    const { message, stack, code } = error as NodeJS.ErrnoException;
    const corrupt = error instanceof CorruptError ? { file: error.file, offset: error.offset, found: error.found } : undefined;
    return { failure: { message, stack, code, corrupt, folder: error instanceof FolderError } };
  }
}

/** In the calling thread: returns the result, or throws the original error. */
export function resultOf<T>(attempted: ThreadResult<T>): T {
  if ('value' in attempted) return attempted.value;
  const { message, stack, code, corrupt, folder } = attempted.failure;
  if (corrupt !== undefined) throw new CorruptError(corrupt.file, corrupt.offset, corrupt.found);
  if (folder) throw Object.assign(new FolderError(message), { code });
  throw Object.assign(new Error(message), stack === undefined ? {} : { stack }, code === undefined ? {} : { code });
}
