/** A file system that answers some calls without doing them: a sync that reached no disk, a write that stayed in the page cache. */
import path from 'node:path';
import type { Files } from '../../src/lib/files/files.ts';

/** What happened to a name in a folder since the last sync of the folder. */
type Entry = 'created' | 'moved' | 'deleted';

/** A call that may be lost. */
export interface Call {
  readonly kind: 'sync' | 'syncFolder' | 'write';
  readonly path: string;
  /** Names that the open file had before. */
  readonly formerNames: readonly string[];
  /** Bytes of the last write to the open file, or those of this one. */
  readonly bytes: Uint8Array;
  /** Whether the file has these bytes there already. */
  readonly isSame: () => boolean;
  /** What happened in the folder since its last sync, by name. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Whether a folder was opened: only the writer of the log does that, once recovery has ended. */
  readonly isRunning: boolean;
}

/** What one file system was asked for so far. */
class Past {
  readonly names = new Map<number, string[]>();
  readonly lastBytes = new Map<number, Uint8Array>();
  readonly entries = new Map<string, Map<string, Entry>>();
  isRunning = false;

  note(file: string, entry: Entry): void {
    const folder = path.dirname(file);
    const entries = this.entries.get(folder) ?? new Map<string, Entry>();
    this.entries.set(folder, entries.set(path.basename(file), entry));
  }
}

const nothing = new Uint8Array(0);

/**
 * Makes a file system lose the calls for which `isLost` holds. For a class pass its prototype: each instance then has its own past.
 *
 * @param files is changed
 */
export function loseCalls(files: Files, isLost: (call: Call) => boolean): void {
  const sound = { ...methodsOf(files) };
  const pasts = new WeakMap<Files, Past>();
  const pastOf = (of: Files): Past => {
    const past = pasts.get(of) ?? new Past();
    pasts.set(of, past);
    return past;
  };
  const lost = (of: Files, call: Partial<Call> & Pick<Call, 'kind'>, fd?: number): boolean => {
    const past = pastOf(of);
    const names = (fd === undefined ? undefined : past.names.get(fd)) ?? [];
    return isLost({
      path: names.at(-1) ?? '',
      formerNames: names.slice(0, -1),
      bytes: (fd === undefined ? undefined : past.lastBytes.get(fd)) ?? nothing,
      isSame: () => false,
      entries: new Map(),
      isRunning: past.isRunning,
      ...call,
    });
  };
  const faulty: Partial<Files> & ThisType<Files> = {
    open(file, mode) {
      const fd = sound.open.call(this, file, mode);
      pastOf(this).names.set(fd, [file]);
      if (mode === 'wx+') pastOf(this).note(file, 'created');
      return fd;
    },
    openFolder(folder) {
      pastOf(this).isRunning = true;
      return sound.openFolder.call(this, folder);
    },
    makeFolder(folder) {
      sound.makeFolder.call(this, folder);
      pastOf(this).note(folder, 'created');
    },
    rename(from, to) {
      sound.rename.call(this, from, to);
      pastOf(this).note(to, 'moved');
      for (const names of pastOf(this).names.values()) if (names.at(-1) === from) names.push(to);
    },
    unlink(file) {
      sound.unlink.call(this, file);
      pastOf(this).note(file, 'deleted');
    },
    write(fd, bytes, position) {
      const isSame = (): boolean => {
        const there = Buffer.alloc(bytes.byteLength);
        return this.read(fd, there, position) === bytes.byteLength && there.equals(bytes);
      };
      pastOf(this).lastBytes.set(fd, bytes);
      if (!lost(this, { kind: 'write', isSame }, fd)) sound.write.call(this, fd, bytes, position);
    },
    sync(fd) {
      if (!lost(this, { kind: 'sync' }, fd)) sound.sync.call(this, fd);
    },
    syncFolder(folder, fd) {
      const { entries } = pastOf(this);
      const changed = entries.get(folder) ?? new Map<string, Entry>();
      entries.delete(folder);
      if (!lost(this, { kind: 'syncFolder', path: folder, entries: changed })) sound.syncFolder.call(this, folder, fd);
    },
  };
  Object.assign(files, faulty);
}

/** The methods that are replaced, as they were. */
function methodsOf({ open, openFolder, makeFolder, rename, unlink, write, sync, syncFolder }: Files) {
  return { open, openFolder, makeFolder, rename, unlink, write, sync, syncFolder };
}
