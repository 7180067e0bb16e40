/** Small disks in memory, for tests of full ones. They need root and Linux. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from './process.ts';

export const mebibyte = 1024 * 1024;

const mount = (folder: string, size: number) => spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', folder]);

/** For the option `skip` of a test: why there can be no small disk here; `false` if there can. */
export const skipWithoutSmallDisk = whyNot();

function whyNot(): string | false {
  const folder = temporaryFolder(t);
  const { status, stderr, error } = mount(folder, 1);
  if (status !== 0) return `no small disk can be mounted: ${error?.message ?? String(stderr).trim()}`;
  spawnSync('umount', [folder]);
  return false;
}

/** A disk of so many MiB, until the test has ended. */
export function smallDisk(t: Pick<Test, 'teardown'>, size: number, folder = temporaryFolder(t)): string {
  mount(folder, size);
  t.teardown(() => spawnSync('umount', ['-l', folder]));
  return folder;
}

/** Fills a disk to its last sector with one file. Returns its descriptor. */
export function fill(disk: string): number {
  const filler = fs.openSync(path.join(disk, 'filler'), 'w');
  for (let chunk = mebibyte; chunk >= 4096; chunk /= 2) {
    try {
      for (;;) fs.writeSync(filler, Buffer.alloc(chunk));
    } catch {
      // This size does not fit any more.
    }
  }
  return filler;
}
