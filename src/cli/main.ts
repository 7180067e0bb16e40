/** The `mapwright` command, once there is room to load it: what is asked for is found out, then done, and what fails is told with an exit code. */
import { hideBin } from 'yargs/helpers';
import { checkedArguments } from './arguments.ts';
import { Chosen } from './command.ts';
import { commands } from './commands.ts';
import { exitCodeOf, told, wantsJson } from './failure.ts';
import { checkEnvironment, withListsJoined } from './options.ts';
import { makeParser } from './parser.ts';
import { endWithReader } from './stdout.ts';

endWithReader();
const args = hideBin(process.argv);

try {
  checkEnvironment();
  const showHelp = (help: string): void => void (wantsJson(args) || process.stderr.write(`${help}\n\n`));
  try {
    await makeParser(commands, showHelp).parseAsync(withListsJoined(checkedArguments(args)));
  } catch (left) {
    if (!(left instanceof Chosen)) throw left;
    await left.carryOut();
  }
} catch (error) {
  process.stderr.write(told(error, wantsJson(args)));
  process.exitCode = exitCodeOf(error);
}
