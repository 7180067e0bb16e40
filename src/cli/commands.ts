/** All commands, in the order of the help. */
import { accountsCommand } from './accounts.ts';
import { backupCommand } from './backup.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion-command.ts';
import { configCommand } from './config-command.ts';
import { demoCommand } from './demo-command.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { inspectCommand } from './inspect.ts';
import { keysCommand } from './keys.ts';
import { logCommand } from './log-command.ts';
import { repairCommand } from './repair.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { snapshotCommand } from './snapshot.ts';
import { topCommand } from './top.ts';
import { verifyCommand } from './verify.ts';
import { viewCommand } from './view.ts';

/** Commands whose options `mapwright config` shows. */
const configurable: readonly Command[] = [
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

export const commands: readonly Command[] = [...configurable, configCommand(configurable), completionCommand(() => commands)];
