/** Loads the commands that a command line needs. */
import { type CommandDeclaration, outlineOf } from './command-declaration.ts';
import { commandModules } from './command-modules.ts';
import { commandOutlines } from './command-outlines.ts';
import { isEnvironmentKnown } from './option-parsing.ts';

/**
 * The commands that a command line needs: one, if its first argument names one; for the list of commands, or the version, their outlines;
 * otherwise all, for suggestions. A configuration file, and variables of the environment that are not options of this command, are checked
 * with the options of all commands.
 */
export async function commandsFor(args: readonly string[]): Promise<readonly CommandDeclaration[]> {
  const [first = ''] = args;
  if (args.length < 2 && ['', '--help', '--version'].includes(first) && isEnvironmentKnown())
    return Object.values(commandOutlines).map(outlineOf);
  const load = isName(first) ? commandModules[first] : undefined;
  if (load !== undefined && !args.some((arg) => /^--config(?:=|$)/.test(arg))) {
    const command = await load();
    if (isEnvironmentKnown()) return [command];
  }
  return (await import('./commands.ts')).allCommands();
}

const isName = (text: string): text is keyof typeof commandModules => Object.hasOwn(commandModules, text);
