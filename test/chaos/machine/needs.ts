/** What a fault may need of the machine, and why it cannot be had where it cannot. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const questions = {
  root: () => (process.getuid?.() === 0 ? undefined : 'only root may do this'),
  fsfreeze: () => whyNotFound('fsfreeze'),
  perl: () => whyNotFound('perl'),
  prlimit: () => whyNotFound('prlimit'),
  strace: () => whyNotFound('strace') ?? whyNoTrace(),
  tmpfs: () => whyNoMount((folder) => ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]),
  bind: () => whyNoMount((folder) => ['--bind', os.tmpdir(), folder]),
  ext4: () => whyNotFound('mkfs.ext4') ?? whyNoMount(ext4In),
  'memory cgroup': whyNoMemoryCgroup,
  faketime: () => whyNotFound('faketime'),
} satisfies Record<string, () => string | undefined>;

export type Need = keyof typeof questions;

const answers = new Map<Need, string | undefined>();

/** Why there is none; `undefined` when there is. */
export function whyNot(need: Need): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (!answers.has(need)) answers.set(need, questions[need]());
  return answers.get(need);
}

function whyNotFound(program: string): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;
  return found ? undefined : `there is no ${program} here`;
}

/** A tracer may be installed and forbidden, as in many containers. */
function whyNoTrace(): string | undefined {
  const { status, stderr } = spawnSync('strace', ['-o', '/dev/null', 'true']);
  return status === 0 ? undefined : `strace may not trace: ${firstLine(String(stderr))}`;
}

function whyNoMount(args: (folder: string) => string[]): string | undefined {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-need-'));
  const image = `${folder}.image`;
  try {
    const { status, stderr } = spawnSync('mount', args(folder));
    if (status === 0) spawnSync('umount', [folder]);
    return status === 0 ? undefined : `no such file system can be mounted: ${firstLine(String(stderr))}`;
  } finally {
    fs.rmSync(image, { force: true });
    // Not recursively: something may still be mounted there.
    fs.rmdirSync(folder);
  }
}

function ext4In(folder: string): string[] {
  const image = `${folder}.image`;
  fs.closeSync(fs.openSync(image, 'w'));
  fs.truncateSync(image, 8 * 1024 * 1024);
  spawnSync('mkfs.ext4', ['-q', '-F', image]);
  return ['-o', 'loop', image, folder];
}

function whyNoMemoryCgroup(): string | undefined {
  try {
    const controllers = fs.readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').split(/\s+/);
    return controllers.includes('memory') ? undefined : 'the version 2 control groups here do not limit memory';
  } catch {
    return 'there are no version 2 control groups at /sys/fs/cgroup';
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
