/** Disks that fail on request: a small one in memory that fills up, and a real ext4 that loses its power. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Scene } from '../fault.ts';

/** Runs a program; throws what it says when it fails. */
export function must(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** Mounts and has it unmounted when the scene is over. */
export function mount(scene: Scene, folder: string, ...args: string[]): void {
  fs.mkdirSync(folder, { recursive: true });
  must('mount', ...args, folder);
  scene.teardown(() => spawnSync('umount', ['-l', folder]));
}

/** A disk in memory of so many MiB, and of so many names where `inodes` says so. */
export function smallDisk(scene: Scene, name: string, mib: number, inodes?: number): string {
  const folder = path.join(scene.folder, name);
  mount(scene, folder, '-t', 'tmpfs', '-o', `size=${mib}m${inodes === undefined ? '' : `,nr_inodes=${inodes}`}`, 'tmpfs');
  return folder;
}

/**
 * EXT4_IOC_SHUTDOWN, which is _IOR('X', 125, __u32), with EXT4_GOING_FLAGS_NOLOGFLUSH: from this moment on nothing reaches the disk,
 * neither what waits in the page cache nor the journal of the file system. Node has no ioctl.
 */
const shutdown = `
  open(my $folder, '<', $ARGV[0]) or die "open: $!";
  my $flags = pack('L', 2);
  ioctl($folder, 0x8004587d, $flags) or die "EXT4_IOC_SHUTDOWN: $!";
`;

/** An ext4 file system in a file. */
export class PowerDisk {
  readonly folder: string;
  readonly #image: string;
  readonly #options: string;

  /** @param options of the mount, beside `loop`: `data=writeback` */
  constructor(scene: Scene, name: string, mib: number, options = '') {
    this.folder = path.join(scene.folder, name);
    this.#image = path.join(scene.folder, `${name}.image`);
    this.#options = ['loop', options].filter((option) => option !== '').join(',');
    fs.closeSync(fs.openSync(this.#image, 'wx'));
    fs.truncateSync(this.#image, mib * 1024 * 1024);
    must('mkfs.ext4', '-q', '-F', this.#image);
    mount(scene, this.folder, '-o', this.#options, this.#image);
  }

  /** From now on nothing that writes returns: it waits in the kernel, where no signal ends it. */
  freeze(): void {
    must('fsfreeze', '-f', this.folder);
  }

  /** What waits goes on. */
  thaw(): void {
    must('fsfreeze', '-u', this.folder);
  }

  /** The power goes. Processes with open files there get errors from now on. */
  cut(): void {
    must('perl', '-e', shutdown, this.folder);
  }

  /** The power is back: the disk has what had reached it. To be called when nobody has files open there any more. */
  async back(): Promise<void> {
    await this.#unmount();
    must('mount', '-o', this.#options, this.#image, this.folder);
  }

  /** It is needed no more: a machine has few loop devices. */
  async remove(): Promise<void> {
    await this.#unmount();
    fs.unlinkSync(this.#image);
  }

  async #unmount(): Promise<void> {
    // The kernel may take a moment to let go of the files of a process that was killed.
    for (let tries = 0; spawnSync('umount', [this.folder]).status !== 0; tries++) {
      if (tries === 100) must('umount', this.folder);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
