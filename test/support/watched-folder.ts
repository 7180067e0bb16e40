/**
 * A folder that ends with this process, however the process ends. A shell watches a pipe from this process. When the pipe closes, the shell
 * kills every process whose working directory is in the folder, and deletes the folder. The usual end takes the same path.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * $1 is the folder. Without /proc (not Linux) only servers of PostgreSQL are found, by the file with their id. One that was killed leaves its
 * shared memory, whose id is the last word in line 7 of that file.
 */
const script = `
folder=$1
while read -r line; do :; done
working() {
  if [ -d /proc/self ]; then ls -l /proc/[0-9]*/cwd 2>/dev/null | sed -n "s|.*/proc/\\([0-9]*\\)/cwd -> $folder/.*|\\1|p"
  else for file in "$folder"/*/postmaster.pid; do [ -f "$file" ] && head -n 1 "$file"; done; fi
}
for round in 1 2 3 4 5 6 7 8 9 10; do
  pids=$(working)
  [ -z "$pids" ] && break
  kill -KILL $pids 2>/dev/null
  sleep 0.02
done
for file in "$folder"/*/postmaster.pid; do
  if [ -f "$file" ]; then ipcrm -m "$(sed -n '7s/.* //p' "$file")" 2>/dev/null; fi
done
rm -rf "$folder"
`;

export interface WatchedFolder {
  readonly path: string;
  /** Ends what works in it and deletes it. */
  remove(): Promise<void>;
}

/** Makes a folder that other users may enter, but not list. */
export function watchedFolder(parent = os.tmpdir()): WatchedFolder {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(parent), 'mapwright-watched-'));
  fs.chmodSync(folder, 0o711);
  // A session of its own: Ctrl-C ends this process, not the watching one.
  const watcher = spawn('sh', ['-c', script, 'watch', folder], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = new Promise<void>((resolve) => {
    watcher.once('exit', () => resolve());
  });
  watcher.unref();
  const pipe = watcher.stdin as typeof watcher.stdin & { unref?(): void };
  pipe.unref?.();
  return {
    path: folder,
    async remove() {
      watcher.ref();
      pipe.end();
      await ended;
    },
  };
}

/** Processes whose working directory is `folder`, on Linux; none elsewhere. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return fs.readlinkSync(`/proc/${name}/cwd`) === folder;
      } catch {
        // It has ended, or it belongs to another user.
        return false;
      }
    })
    .map(Number);
}
