/** Runs the `mapwright` command after mapwright.ts has loaded it: parses the command line, runs the command, and reports errors. */
import { hideBin } from 'yargs/helpers';
import { checkedArguments } from './arguments.ts';
import { SelectedCommand } from './command-declaration.ts';
import { commandsFor } from './load-commands.ts';
import { checkEnvironment, withListsJoined } from './option-parsing.ts';
import { exitCodeOf, formatError, wantsJson } from './output/format-error.ts';
import { exitOnBrokenPipe } from './output/stdout.ts';
import { makeParser } from './parser.ts';

/** The first argument when a completion script asks for words (completion-command.ts). The words of the command line follow it. */
const completionFlag = '--get-yargs-completions';

/** Runs the command line of this process. */
export function main(): Promise<void> {
  exitOnBrokenPipe();
  return executeCommandLine(hideBin(process.argv));
}

/** Never rejects: an error is printed, and decides the exit code of the process. */
export async function executeCommandLine(args: readonly string[]): Promise<void> {
  if (args[0] === completionFlag) return complete(args);
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

/** Prints the words that can follow; nothing if the command line is wrong, because the user is still typing it. */
async function complete(args: readonly string[]): Promise<void> {
  // The first word is the name of the program. The name of a command is complete when another word follows it.
  const words = args.slice(2);
  const commands = await commandsFor(words.length < 2 ? [] : words);
  try {
    await makeParser(commands, () => undefined).parseAsync(args);
  } catch {}
}
