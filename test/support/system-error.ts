/** Errors for injection, in the form in which Node reports those of the operating system. */
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

const systemErrors = getSystemErrorMap();

/** Node reports errors that libuv does not know as `UNKNOWN` from `writeSync`, and with their number from `writeFileSync` and promises. */
type Form = 'UNKNOWN' | 'numbered';

/**
 * An error of the operating system. Recovery meets thousands of missing files a second: no stack is taken.
 *
 * @param form of an error that libuv does not know, such as EDQUOT
 */
export function systemError(name: string, syscall = 'write', path?: string, form: Form = 'UNKNOWN'): NodeJS.ErrnoException {
  const number = (constants.errno as Readonly<Record<string, number>>)[name];
  if (number === undefined) throw new RangeError(`the system has no error ${name}`);
  const errno = -number;
  const [code, text] =
    systemErrors.get(errno) ??
    (form === 'UNKNOWN' ? ['UNKNOWN', 'unknown error'] : Array(2).fill(`Unknown system error ${errno}`));
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${text}, ${syscall}${path === undefined ? '' : ` '${path}'`}`);
  Error.stackTraceLimit = limit;
  return Object.assign(error, { errno, code, syscall, ...(path !== undefined && { path }) });
}
