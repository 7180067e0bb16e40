/** Transfers errors between threads, which lose their class and members in a transfer. */
import { CorruptError, FolderError } from '../errors.ts';
import { systemCode, systemMessage } from '../files/system-errors.ts';
import { pause } from './pause.ts';

interface Failure {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly errno: number | undefined;
  readonly corrupt: { readonly file: string; readonly offset: number; readonly found: string } | undefined;
  readonly folder: boolean;
}

export type ThreadResult<T> = { readonly value: T } | { readonly failure: Failure };

/** In the worker thread: the result, or the error as a value. A job that was cancelled while it was queued does not begin. */
export function toResult<T>(work: () => T): ThreadResult<T> {
  try {
    pause(0);
    return { value: work() };
  } catch (error) {
    const { stack, errno } = error as NodeJS.ErrnoException;
    const corrupt = error instanceof CorruptError ? { file: error.file, offset: error.offset, found: error.found } : undefined;
    return {
      failure: {
        message: systemMessage(error),
        stack,
        code: systemCode(error),
        errno,
        corrupt,
        folder: error instanceof FolderError,
      },
    };
  }
}

/** In the calling thread: returns the result, or throws the original error. */
export function resultOf<T>(attempted: ThreadResult<T>): T {
  if ('value' in attempted) return attempted.value;
  const { message, stack, code, errno, corrupt, folder } = attempted.failure;
  if (corrupt !== undefined) throw new CorruptError(corrupt.file, corrupt.offset, corrupt.found);
  if (folder) throw Object.assign(new FolderError(message), { code });
  const members = {
    ...(stack !== undefined && { stack }),
    ...(code !== undefined && { code }),
    ...(errno !== undefined && { errno }),
  };
  throw Object.assign(new Error(message), members);
}
