/** All commands, in the order of the help. */

import type { CommandDeclaration } from './command-declaration.ts';
import { accountsCommand } from './commands/accounts-command.ts';
import { backupCommand } from './commands/backup-command.ts';
import { completionCommand } from './commands/completion-command.ts';
import { configCommand } from './commands/config-command.ts';
import { demoCommand } from './commands/demo-command.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { exportCommand } from './commands/export-command.ts';
import { importCommand } from './commands/import-command.ts';
import { initCommand } from './commands/init-command.ts';
import { inspectCommand } from './commands/inspect-command.ts';
import { keysCommand } from './commands/keys-command.ts';
import { logCommand } from './commands/log-command.ts';
import { repairCommand } from './commands/repair-command.ts';
import { restoreCommand } from './commands/restore-command.ts';
import { serveCommand } from './commands/serve/serve-command.ts';
import { snapshotCommand } from './commands/snapshot-command.ts';
import { topCommand } from './commands/top/top-command.ts';
import { verifyCommand } from './commands/verify-command.ts';
import { viewCommand } from './commands/view-command.ts';

/** Commands whose options `mapwright config` shows. */
const configurable: readonly CommandDeclaration[] = [
  serveCommand,
  keysCommand,
  accountsCommand,
  demoCommand,
  viewCommand,
  exportCommand,
  importCommand,
  topCommand,
  backupCommand,
  restoreCommand,
  logCommand,
  verifyCommand,
  repairCommand,
  snapshotCommand,
  inspectCommand,
  initCommand,
  doctorCommand,
];

export const commands: readonly CommandDeclaration[] = [
  ...configurable,
  configCommand(configurable),
  completionCommand(() => commands),
];
