/** Checks of the disk under the data folder: what kind of file system it is, how much room it has, and how fast it syncs. */
import fs from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { nodeFiles } from '../../lib/files.ts';
import { pathsIn } from '../../server/data-folder.ts';
import { type Asked, type Check, type Finding, fail, nearestFolder, ok, size, warn } from './check.ts';

const mebibyte = 1024 * 1024;

/** What a server may have of a file system that is of this type (statfs(2)). */
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
  memory: 'Everything in it is gone when the machine stops: put the data folder on a disk.',
  network:
    'What is synced there may not be on a disk yet, and a lock may not keep another machine out: use a disk of this machine, or be sure of both.',
  layer: 'In a container this layer goes with it: mount a volume, and put the data folder there.',
};

export const fileSystemCheck: Check = {
  name: 'file system',
  look({ data }) {
    const place = nearestFolder(data);
    const [name, kind] = fileSystems.get(fs.statfsSync(place).type) ?? ['of a kind that is not known here', 'disk'];
    return kind === 'disk' ? ok(`${name}, at ${place}`) : warn(`${name}, at ${place}`, adviceOf[kind]);
  },
};

export const roomCheck: Check = {
  name: 'room',
  look({ data, segmentMb, snapshotMb }) {
    const { bavail, bsize, files, ffree } = fs.statfsSync(nearestFolder(data));
    const free = bavail * bsize;
    const { journal, snapshots } = pathsIn(data);
    const segment = segmentMb * mebibyte;
    // The log and its spare are there already where a server has been.
    const needed = nodeFiles.list(journal).length > 0 ? segment : 3 * segment;
    const stored = nodeFiles.list(snapshots).reduce((sum, name) => sum + sizeOf(join(snapshots, name)), 0);
    const wanted = 3 * segment + 2 * snapshotMb * mebibyte + stored / 2;
    if (free < needed) {
      return fail(
        `${size(free)} are free, and the next log files take ${size(needed)}`,
        'Writes would be refused with 507: free or add disk space, or take a smaller --segment-mb.',
      );
    }
    if (files > 0 && ffree < 100)
      return fail(`${ffree} more files can be made`, 'Delete files there, or make the file system with more inodes.');
    if (free < wanted) {
      return warn(
        `${size(free)} are free; with a snapshot under way, it would be good to have ${size(wanted)}`,
        'Free or add disk space before it runs out: writes are refused then, with 507.',
      );
    }
    return ok(`${size(free)} are free`);
  },
};

function sizeOf(path: string): number {
  return fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** How long syncs are tried, in milliseconds, and how many at the least and at the most. */
const trial = { ms: 1000, least: 20, most: 2000 };
/** A write, which is as large as most records. */
const writeBytes = 512;
/** What no disk is faster than, in milliseconds: one that has a write behind it has asked a controller and been answered. */
const fastestMs = 0.01;
/** What somebody who writes would notice, in milliseconds. */
const slowMs = { p50: 30, p99: 250 };

export const syncCheck: Check = {
  name: 'sync',
  look(asked) {
    const times = measured(asked);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] as number;
    const [p50, p99] = [at(0.5), at(0.99)];
    const found = `${ms(p50)} in the median, ${ms(p99)} in the 99th percentile of ${times.length} small writes`;
    if (p50 < fastestMs) {
      return warn(
        `${found}: no disk is so fast`,
        'What is synced there is in memory, or in a cache that a power cut empties: find out which (a tmpfs, a virtual disk with "unsafe" caching, a file system mounted without barriers).',
      );
    }
    return speedOf(asked, found, p50, p99);
  },
};

function speedOf({ sync }: Asked, found: string, p50: number, p99: number): Finding {
  if (sync !== 'always' || (p50 <= slowMs.p50 && p99 <= slowMs.p99)) return ok(found);
  return warn(found, 'Every write is answered after a sync: look for a faster disk, or for what else keeps this one busy.');
}

const ms = (value: number): string => `${value < 1 ? value.toPrecision(2) : value.toFixed(1)} ms`;

/** How long small writes take until they are on the disk, in milliseconds, ascending. As in the log, they overwrite zeros that are there. */
function measured({ data }: Asked): number[] {
  const path = join(nearestFolder(data), `.doctor-${process.pid}.tmp`);
  const fd = nodeFiles.open(path, 'wx+');
  try {
    // Nobody sees it any more, and it goes however this ends.
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
