/**
 * The modules of the commands, by name and in the order of the help. Most runs of `mapwright` execute one command: they load only its module,
 * which takes a fraction of the time that the whole program takes to load.
 */
import type { CommandDeclaration } from './command-declaration.ts';
import type { commandOutlines } from './command-outlines.ts';

type Loader = () => Promise<CommandDeclaration>;

/** `config`, which describes all others, and `completion` are not here (commands.ts). */
export const commandModules: Readonly<Record<Exclude<keyof typeof commandOutlines, 'config' | 'completion'>, Loader>> = {
  serve: async () => (await import('./commands/serve/serve-command.ts')).serveCommand,
  keys: async () => (await import('./commands/keys-command.ts')).keysCommand,
  people: async () => (await import('./commands/people-command.ts')).peopleCommand,
  accounts: async () => (await import('./commands/accounts-command.ts')).accountsCommand,
  console: async () => (await import('./commands/console/console-command.ts')).consoleCommand,
  demo: async () => (await import('./commands/demo-command.ts')).demoCommand,
  publish: async () => (await import('./commands/publish-command.ts')).publishCommand,
  unpublish: async () => (await import('./commands/publish-command.ts')).unpublishCommand,
  evaluate: async () => (await import('./commands/evaluate-command.ts')).evaluateCommand,
  versions: async () => (await import('./commands/versions-command.ts')).versionsCommand,
  export: async () => (await import('./commands/export/export-command.ts')).exportCommand,
  import: async () => (await import('./commands/import/import-command.ts')).importCommand,
  mcp: async () => (await import('./commands/mcp-command.ts')).mcpCommand,
  backup: async () => (await import('./commands/backup-command.ts')).backupCommand,
  restore: async () => (await import('./commands/restore-command.ts')).restoreCommand,
  log: async () => (await import('./commands/log-command.ts')).logCommand,
  verify: async () => (await import('./commands/verify-command.ts')).verifyCommand,
  repair: async () => (await import('./commands/repair-command.ts')).repairCommand,
  cluster: async () => (await import('./commands/cluster-command.ts')).clusterCommand,
  snapshot: async () => (await import('./commands/snapshot-command.ts')).snapshotCommand,
  init: async () => (await import('./commands/init-command.ts')).initCommand,
  doctor: async () => (await import('./commands/doctor-command.ts')).doctorCommand,
};
