/** All commands, in the order of the help. */

import type { CommandDeclaration } from './command-declaration.ts';
import { commandModules } from './command-modules.ts';
import { completionCommand } from './commands/completion-command.ts';
import { configCommand } from './commands/config-command.ts';

/** Commands whose options `mapwright config` shows. */
const configurable: readonly CommandDeclaration[] = await Promise.all(Object.values(commandModules).map((load) => load()));

export const commands: readonly CommandDeclaration[] = [
  ...configurable,
  configCommand(configurable),
  completionCommand(() => commands),
];
