/** Command lines in help texts and documents, checked by the real parser. */
import { checkedArguments } from '../../src/cli/arguments.ts';
import { SelectedCommand } from '../../src/cli/command-declaration.ts';
import { allCommands } from '../../src/cli/commands.ts';
import { withListsJoined } from '../../src/cli/option-parsing.ts';
import { makeParser } from '../../src/cli/parser.ts';

/** The arguments of the first call of mapwright in a line of a shell script. */
export function wordsOf(line: string): string[] {
  const [call = ''] = line.replace(/^.*npx mapwright /, '').split(/ [|>]|\)$/);
  return Array.from(call.matchAll(/(['"])(.*?)\1|(\S+)/g), ([, , quoted, plain]) => quoted ?? (plain as string));
}

/** Why a command line is refused, or undefined. Executes nothing. */
export async function refusalOf(words: readonly string[]): Promise<unknown> {
  try {
    await makeParser(await allCommands(), () => undefined).parseAsync(withListsJoined(checkedArguments(words)));
    return 'nothing was chosen';
  } catch (left) {
    return left instanceof SelectedCommand ? undefined : (left as Error).message;
  }
}
