/** Runs the `mapwright` command after mapwright.ts has loaded it: parses the command line, runs the command, and reports errors. */
import { hideBin } from 'yargs/helpers';
import { checkedArguments } from './arguments.ts';
import { SelectedCommand } from './command-declaration.ts';
import { commandsFor } from './load-commands.ts';
import { checkEnvironment, withListsJoined } from './option-parsing.ts';
import { exitCodeOf, formatError, wantsJson } from './output/format-error.ts';
import { exitOnBrokenPipe } from './output/stdout.ts';
import { makeParser } from './parser.ts';

/** Never rejects: an error is printed, and decides the exit code. */
export async function main(): Promise<void> {
  exitOnBrokenPipe();
  const args = hideBin(process.argv);
  try {
    const commands = await commandsFor(args);
    checkEnvironment();
    const showHelp = (help: string): void => void (wantsJson(args) || process.stderr.write(`${help}\n\n`));
    try {
      await makeParser(commands, showHelp).parseAsync(withListsJoined(checkedArguments(args)));
    } catch (selected) {
      if (!(selected instanceof SelectedCommand)) throw selected;
      await selected.run();
    }
  } catch (error) {
    process.stderr.write(formatError(error, wantsJson(args)));
    process.exitCode = exitCodeOf(error);
  }
}
