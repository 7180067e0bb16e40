#!/usr/bin/env node
/** The `mapwright` command: every verb, its flags, and what its failures mean (exit codes 0 done, 1 failed, 2 usage, 3 data damaged). */
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { CorruptError } from '../lib/errors.ts';
import { demoCommand } from './demo-command.ts';
import { exitCodes } from './exit-codes.ts';
import { inspectCommand } from './inspect.ts';
import { keysCommand } from './keys.ts';
import { checkEnvironment, UsageError } from './options.ts';
import { packageVersion } from './package.ts';
import { serveCommand } from './serve.ts';
import { snapshotCommand } from './snapshot.ts';
import { verifyCommand } from './verify.ts';

const parser = yargs(hideBin(process.argv))
  .scriptName('mapwright')
  .usage('$0 <command>\n\nThe server behind interactive maps. Start with: $0 serve')
  .env('MAPWRIGHT')
  .config('config', 'A JSON file with any of these options')
  .command(serveCommand)
  .command(keysCommand)
  .command(demoCommand)
  .command(snapshotCommand)
  .command(inspectCommand)
  .command(verifyCommand)
  .demandCommand(1, 'Which command? The list is above.')
  .strict()
  .version(packageVersion())
  .help()
  .completion('completion', 'Print a completion script for your shell')
  .wrap(Math.min(110, process.stdout.columns ?? 110))
  .epilogue(
    'Every option is also read from the environment: --segment-mb from MAPWRIGHT_SEGMENT_MB.\nFlags win over the environment, the environment over --config.',
  )
  .fail((message, error, usage) => {
    if (error !== undefined && error !== null) throw error;
    usage.showHelp('error');
    process.stderr.write(`\n${message}\n`);
    process.exit(exitCodes.usage);
  });

try {
  checkEnvironment();
  await parser.parseAsync();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CorruptError) return exitCodes.damaged;
  // yargs wraps what a check of an option throws.
  return error instanceof UsageError || (error as Error).name === 'YError' ? exitCodes.usage : exitCodes.failed;
}
