/** Reports a failed command: a sentence on standard error, or JSON if requested, and an exit code. */
import { DamagedClusterError, DatabaseRefusedError } from '../../cluster/database/database-errors.ts';
import { CorruptError, NoCacheError, SettingsError } from '../../lib/errors.ts';
import { redactKeys } from '../../lib/text/redact.ts';
import { ApiError } from '../api-error.ts';
import { parseContext, truth, UsageError } from '../option-parsing.ts';
import { exitCodes } from './exit-codes.ts';
import { DamagedFolderError } from './repair-hint.ts';

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if ([CorruptError, DamagedFolderError, DamagedClusterError].some((kind) => error instanceof kind)) return exitCodes.damaged;
  if ([SettingsError, DatabaseRefusedError, NoCacheError].some((kind) => error instanceof kind)) return exitCodes.usage;
  // yargs wraps errors of option checks.
  return error instanceof UsageError || (error as Error).name === 'YError' ? exitCodes.usage : exitCodes.failed;
}

/** Formats an error, as text or JSON. Redacts API keys. */
export function formatError(error: unknown, json: boolean): string {
  const message = redactKeys((error as Error).message);
  if (!json) return `${message}\n`;
  const exitCode = exitCodeOf(error);
  const [code] = Object.entries(exitCodes).find(([, number]) => number === exitCode) ?? [];
  const damage = error instanceof DamagedFolderError ? error.damage : error;
  const where = damage instanceof CorruptError ? { file: damage.file, offset: damage.offset } : {};
  const { status, errors = [] } = error instanceof ApiError ? error : {};
  return `${JSON.stringify({ error: { code, message, exit_code: exitCode, status, ...where, ...(errors.length > 0 && { errors }) } })}\n`;
}

/** Whether JSON output is requested. Does not rely on a valid command line, because that may be the error. */
export function wantsJson(args: readonly string[], env: NodeJS.ProcessEnv = process.env): boolean {
  const end = args.indexOf('--');
  const flag = args.slice(0, end === -1 ? args.length : end).findLast((arg) => /^--(no-)?json(=|$)/.test(arg));
  if (flag === undefined) return isOn(env['MAPWRIGHT_JSON']) || parseContext.given.get('json') === true;
  return flag === '--json' || (flag.startsWith('--json=') && isOn(flag.slice('--json='.length)));
}

function isOn(text = 'off'): boolean {
  try {
    return truth(text, '--json');
  } catch {
    return false;
  }
}
