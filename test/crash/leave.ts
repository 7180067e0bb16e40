/** What power cuts in the middle of a workload leave: one of the legal states, picked by hand. */
import { type Contents, type Disk, type File, type Folder, rootInode, rootPath, written } from './disk.ts';

/** All that a process sees, names and bytes. */
export const standing = (disk: Disk): Contents => left(disk, ({ cached }) => cached);

/** All names; of every file what was synced, and the first unsynced write up to its byte `bytes`. */
export const torn = (disk: Disk, bytes: number): Contents =>
  left(disk, ({ durable, unsynced: [write] }) =>
    write === undefined ? durable : written(durable, [{ ...write, bytes: write.bytes.subarray(0, bytes) }]),
  );

function left(disk: Disk, bytesOf: (file: File) => Buffer): Contents {
  const contents = new Map<string, Map<string, Buffer>>();
  const visit = (inode: number, path: string) => {
    const files = new Map<string, Buffer>();
    contents.set(path, files);
    for (const [name, child] of (disk.inodes.get(inode) as Folder).cached) {
      const node = disk.inodes.get(child);
      if (node?.kind === 'file') files.set(name, bytesOf(node));
      else visit(child, `${path}/${name}`);
    }
  };
  visit(rootInode, rootPath);
  return contents;
}
