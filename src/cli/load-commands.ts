/** Loads the commands that a command line needs. */
import type { CommandDeclaration } from './command-declaration.ts';
import { commandModules } from './command-modules.ts';
import { isEnvironmentKnown } from './option-parsing.ts';

/**
 * The commands that a command line needs: one, if its first argument names one; otherwise all, for the help and for suggestions. A
 * configuration file, and variables of the environment that are not options of this command, are checked with the options of all commands.
 */
export async function commandsFor(args: readonly string[]): Promise<readonly CommandDeclaration[]> {
  const [first = ''] = args;
  const load = Object.hasOwn(commandModules, first) ? commandModules[first] : undefined;
  if (load !== undefined && !args.some((arg) => /^--config(?:=|$)/.test(arg))) {
    const command = await load();
    if (isEnvironmentKnown()) return [command];
  }
  return (await import('./commands.ts')).commands;
}
