/** Checks of the disk under the data folder: type of the file system, free space, and sync speed. */
import fs from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { nodeFiles } from '../../lib/files/files.ts';
import { pathsIn } from '../../server/lifecycle/data-folder.ts';
import { formatBytes } from '../output/format-values.ts';
import { type Check, type CheckContext, type CheckFinding, fail, nearestFolder, ok, warn } from './check.ts';

const mebibyte = 1024 * 1024;

/** File systems by their type number (statfs(2)). */
const fileSystems: ReadonlyMap<number, readonly [name: string, kind: 'disk' | 'memory' | 'network' | 'layer']> = new Map([
  [0xef53, ['ext4', 'disk']],
  [0x58465342, ['XFS', 'disk']],
  [0x9123683e, ['Btrfs', 'disk']],
  [0x2fc12fc1, ['ZFS', 'disk']],
  [0xf2f52010, ['F2FS', 'disk']],
  [0xca451a4e, ['bcachefs', 'disk']],
  [0x01021994, ['tmpfs', 'memory']],
  [0x858458f6, ['ramfs', 'memory']],
  [0x6969, ['NFS', 'network']],
  [0x517b, ['SMB', 'network']],
  [0xff534d42, ['CIFS', 'network']],
  [0xfe534d42, ['SMB', 'network']],
  [0x01021997, ['9P', 'network']],
  [0x65735546, ['FUSE', 'network']],
  [0x00c36400, ['Ceph', 'network']],
  [0x794c7630, ['overlay', 'layer']],
]);

const adviceOf = {
  memory: 'It loses everything when the machine stops. Put the data folder on a disk.',
  network:
    'A sync may return before the data is on a disk, and locks may not exclude other machines. Use a local disk, or make sure of both.',
  layer: 'This layer is deleted with its container. Mount a volume and put the data folder there.',
};

export const fileSystemCheck: Check = {
  name: 'file system',
  run({ data }) {
    const existing = nearestFolder(data);
    const [name, kind] = fileSystems.get(fs.statfsSync(existing).type) ?? ['an unknown file system', 'disk'];
    return kind === 'disk' ? ok(`${name}, at ${existing}`) : warn(`${name}, at ${existing}`, adviceOf[kind]);
  },
};

export const roomCheck: Check = {
  name: 'room',
  run({ data, segmentMb, snapshotMb }) {
    const { bavail, bsize, files, ffree } = fs.statfsSync(nearestFolder(data));
    const free = bavail * bsize;
    const { journal, snapshots } = pathsIn(data);
    const segment = segmentMb * mebibyte;
    // A used folder already has its log file and the preallocated next one.
    const needed = nodeFiles.list(journal).length > 0 ? segment : 3 * segment;
    const stored = nodeFiles.list(snapshots).reduce((sum, name) => sum + sizeOf(join(snapshots, name)), 0);
    const recommended = 3 * segment + 2 * snapshotMb * mebibyte + stored / 2;
    if (free < needed) {
      return fail(
        `${formatBytes(free)} are free, but the next log files need ${formatBytes(needed)}`,
        'Writes would be refused with 507. Free or add disk space, or use a smaller --segment-mb.',
      );
    }
    if (files > 0 && ffree < 100)
      return fail(`only ${ffree} more files can be created`, 'Delete files, or create the file system with more inodes.');
    if (free < recommended) {
      return warn(
        `${formatBytes(free)} are free; ${formatBytes(recommended)} are recommended while a snapshot is written`,
        'Free or add disk space. Writes are refused with 507 when it runs out.',
      );
    }
    return ok(`${formatBytes(free)} are free`);
  },
};

function sizeOf(path: string): number {
  return fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Duration of the sync test in milliseconds, and the least and greatest number of syncs. */
const trial = { ms: 1000, least: 20, most: 2000 };
/** Bytes per write, the size of a typical record. */
const writeBytes = 512;
/** No disk syncs faster than this, in milliseconds: a sync needs a round trip to a controller. */
const fastestMs = 0.01;
/** Sync times that a client would notice, in milliseconds. */
const slowMs = { p50: 30, p99: 250 };

export const syncCheck: Check = {
  name: 'sync',
  run(context) {
    const times = measureSyncs(context);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] as number;
    const [p50, p99] = [at(0.5), at(0.99)];
    const found = `median ${ms(p50)}, 99th percentile ${ms(p99)}, of ${times.length} small writes`;
    if (p50 < fastestMs) {
      return warn(
        `${found}: too fast for a disk`,
        'Synced data is only in memory, or in a cache that a power cut empties. Find the cause: a tmpfs, a virtual disk with "unsafe" caching, or a file system mounted without barriers.',
      );
    }
    return rateSpeed(context, found, p50, p99);
  },
};

function rateSpeed({ sync }: CheckContext, found: string, p50: number, p99: number): CheckFinding {
  if (sync !== 'always' || (p50 <= slowMs.p50 && p99 <= slowMs.p99)) return ok(found);
  return warn(found, 'Every write is acknowledged after a sync. Use a faster disk, or find out what else keeps this one busy.');
}

const ms = (value: number): string => `${value < 1 ? value.toPrecision(2) : value.toFixed(1)} ms`;

/** Durations of small durable writes, in milliseconds, ascending. Like the log, they overwrite existing zeros. */
function measureSyncs({ data }: CheckContext): number[] {
  const path = join(nearestFolder(data), `.doctor-${process.pid}.tmp`);
  const fd = nodeFiles.open(path, 'wx+');
  try {
    // Without a name, the file disappears even if this process is killed.
    nodeFiles.unlink(path);
    nodeFiles.write(fd, Buffer.alloc(mebibyte), 0);
    nodeFiles.sync(fd);
    const bytes = Buffer.alloc(writeBytes, 'mapwright');
    const times: number[] = [];
    for (const until = performance.now() + trial.ms; times.length < trial.least || performance.now() < until; ) {
      const started = performance.now();
      nodeFiles.write(fd, bytes, (times.length * writeBytes) % mebibyte);
      nodeFiles.sync(fd);
      times.push(performance.now() - started);
      if (times.length === trial.most) break;
    }
    return times.sort((a, b) => a - b);
  } finally {
    nodeFiles.close(fd);
  }
}
