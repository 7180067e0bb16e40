/** The `mapwright` command, once there is room to load it: every verb, its flags, and what its failures mean (exit codes 0 done, 1 failed, 2 usage, 3 data damaged). */
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { CorruptError } from '../lib/errors.ts';
import { packageVersion } from '../lib/package.ts';
import { withoutKeys } from '../lib/secrets.ts';
import { suggest } from '../lib/suggest.ts';
import { accountsCommand } from './accounts.ts';
import { checkedArguments } from './arguments.ts';
import { backupCommand } from './backup.ts';
import { readConfig } from './config-file.ts';
import { DamagedFolderError } from './damage.ts';
import { demoCommand } from './demo-command.ts';
import { exitCodes } from './exit-codes.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { inspectCommand } from './inspect.ts';
import { keysCommand } from './keys.ts';
import { logCommand } from './log-command.ts';
import { checkEnvironment, commandHere, UsageError, withListsJoined } from './options.ts';
import { repairCommand } from './repair.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { snapshotCommand } from './snapshot.ts';
import { endWithReader } from './stdout.ts';
import { verifyCommand } from './verify.ts';

endWithReader();
commandHere.commands =
  'serve keys accounts demo export import snapshot backup restore log repair inspect verify completion'.split(' ');

/**
 * What was asked for and is to be done when yargs is left: after a handler it lays out all of its help, in case that is needed later, before
 * anything is served.
 */
class Chosen {
  readonly carryOut: () => unknown;

  constructor(carryOut: () => unknown) {
    this.carryOut = carryOut;
  }
}

const parser = yargs()
  .scriptName('mapwright')
  .usage('$0 <command>\n\nThe server behind interactive maps. Start with: $0 serve')
  .env('MAPWRIGHT')
  // Of an option given twice the last one counts; a dot in a name means nothing.
  .parserConfiguration({ 'duplicate-arguments-array': false, 'dot-notation': false })
  .config('config', 'A JSON file with any of these options', readConfig)
  .command({
    ...serveCommand,
    handler: (argv) => {
      throw new Chosen(() => serveCommand.handler(argv));
    },
  })
  .command(keysCommand)
  .command(accountsCommand)
  .command(demoCommand)
  .command(exportCommand)
  .command(importCommand)
  .command(snapshotCommand)
  .command(backupCommand)
  .command(restoreCommand)
  .command(logCommand)
  .command(repairCommand)
  .command(inspectCommand)
  .command(verifyCommand)
  .demandCommand(1, 'Which command? The list is above.')
  // The commands first: as long as one is unknown, nothing can be said of its options.
  .strictCommands()
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
    const said = withoutKeys(inWords(message));
    // All options of a command would bury what is wrong with one of them.
    if (commandHere.commands.length === 0 && commandHere.options.size > 0) process.stderr.write(`${said} See --help.\n`);
    else {
      usage.showHelp('error');
      process.stderr.write(`\n${said}\n`);
    }
    process.exit(exitCodes.usage);
  });

try {
  checkEnvironment();
  try {
    await parser.parseAsync(withListsJoined(checkedArguments(hideBin(process.argv))));
  } catch (left) {
    if (!(left instanceof Chosen)) throw left;
    await left.carryOut();
  }
} catch (error) {
  process.stderr.write(`${withoutKeys((error as Error).message)}\n`);
  process.exitCode = exitCodeOf(error);
}

/** What yargs found wrong, in words of our own where there are better ones. */
function inWords(message: string): string {
  const { commands, needs } = commandHere;
  const unknown = /^Unknown commands?: ([^,]*)/.exec(message)?.[1];
  if (unknown !== undefined && commands.length > 0) {
    const meant = suggest(unknown, commands);
    return `There is no command "${unknown}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`;
  }
  if (needs !== undefined && /^(Missing required argument|Not enough non-option arguments)/.test(message)) return needs;
  return unknown === undefined ? message : message.replace(/^Unknown command/, 'Unknown argument');
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CorruptError || error instanceof DamagedFolderError) return exitCodes.damaged;
  // yargs wraps what a check of an option throws.
  return error instanceof UsageError || (error as Error).name === 'YError' ? exitCodes.usage : exitCodes.failed;
}
