/** Where a server keeps its state: in a data folder with all that belongs to one, or in memory alone. */
import { resolve } from 'node:path';
import type { Backups } from '../backup/backups.ts';
import type { Schedule } from '../backup/schedule.ts';
import { refuseInside } from '../backup/target.ts';
import { openInMemory } from '../engine/in-memory.ts';
import { type Opened, type OpenOptions, openEngine } from '../engine/recover.ts';
import { FolderError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { FolderIdentity } from '../lib/open-folder.ts';
import { AuditLog } from './audit-log.ts';
import { startBackups } from './backups.ts';
import { type ControlServer, serveControl } from './control.ts';
import { openDataFolder, pathsIn } from './data-folder.ts';
import { LastUse } from './last-use.ts';
import type { OperationContext } from './operations.ts';
import { type InMemoryServerOptions, isInMemory, type ServerOptions } from './options.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface Storage extends Opened {
  /** The data folder's; `undefined` when there is none. */
  readonly path: string | undefined;
  readonly backups: Pick<Backups, 'write' | 'close'>;
  readonly schedule: Schedule | undefined;
  readonly audit: AuditLog;
  readonly lastUse: LastUse;
  /** Lets commands reach the server, where they can. */
  serveCommands(context: OperationContext): Promise<ControlServer | undefined>;
  /** Lets others have it. */
  free(): void;
}

/** What the engine is told beside the server's own options. */
type Watching = Required<Pick<OpenOptions, 'log' | 'onFatal' | 'onDurable' | 'onFold' | 'stall'>>;

/**
 * Opens it. Rejects with FolderError or CorruptError, with nothing left open.
 *
 * @param room opened once a folder is this process's, before anything in it is read; closed where this rejects
 */
export async function openStorage(
  options: ServerOptions | InMemoryServerOptions,
  watching: Watching,
  room?: WaitingRoom,
): Promise<Storage> {
  return isInMemory(options) ? inMemory(options, watching) : await inFolder(options, watching, room);
}

async function inFolder(options: ServerOptions, watching: Watching, room?: WaitingRoom): Promise<Storage> {
  const { log } = watching;
  // Before there is anything that would have to be undone.
  if (options.backup !== undefined) refuseInside(resolve(options.backup.dir), resolve(options.data));
  const folder = openDataFolder(options.data, log);
  try {
    await room?.open({ ...options, log });
    const keepLog = options.backup !== undefined;
    const opened = await openEngine(folder, { ...options, ...watching, keepLog, ...(room && { meter: room.meter }) });
    room?.onRestored();
    const { backups, schedule } = startBackups(folder, opened.engine, options, log);
    if (keepLog) await opened.engine.folding.tidy();
    const paths = pathsIn(folder.path);
    return {
      ...opened,
      path: folder.path,
      backups,
      schedule,
      audit: auditLog(options.auditLog === false ? undefined : paths.auditLog, options, log, folder.root.identity),
      lastUse: new LastUse(paths.lastUse, log, folder.root.identity),
      serveCommands: (context) =>
        serveControl(folder.root, context).catch((error: unknown) => {
          // A disk without room for a name, or without sockets, must not keep the maps from being read.
          log.warn({ err: error }, 'commands cannot reach this server: there is no control socket');
          return undefined;
        }),
      free: () => folder.close(),
    };
  } catch (error) {
    room?.close();
    folder.close();
    throw error;
  }
}

function inMemory(options: InMemoryServerOptions, watching: Watching): Storage {
  return {
    ...openInMemory({ ...options, ...watching }),
    path: undefined,
    backups: noBackups,
    schedule: undefined,
    audit: auditLog(undefined, options, watching.log),
    lastUse: new LastUse(undefined, watching.log),
    serveCommands: async () => undefined,
    free: () => undefined,
  };
}

const auditLog = (
  path: string | undefined,
  { clock = Date.now }: Pick<ServerOptions, 'clock'>,
  log: Log,
  root?: FolderIdentity,
) => new AuditLog(path, { log, clock, ...(root && { root }) });

const noBackups: Storage['backups'] = {
  async write() {
    throw new FolderError(
      'This server keeps everything in memory: there is nothing to back up. Give it a folder: { data: "maps" }.',
    );
  },
  close: async () => undefined,
};
