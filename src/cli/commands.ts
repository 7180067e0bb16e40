/** All commands, in the order of the help. */

import type { CommandDeclaration } from './command-declaration.ts';
import { commandModules } from './command-modules.ts';
import { completionCommand } from './commands/completion-command.ts';
import { configCommand } from './commands/config-command.ts';

let loaded: Promise<readonly CommandDeclaration[]> | undefined;

/** Loads all commands once. */
export function allCommands(): Promise<readonly CommandDeclaration[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<readonly CommandDeclaration[]> {
  // Commands whose options `mapwright config` shows.
  const configurable = await Promise.all(Object.values(commandModules).map((loadOne) => loadOne()));
  return [...configurable, configCommand(configurable), completionCommand];
}
