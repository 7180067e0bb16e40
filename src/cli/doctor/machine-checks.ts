/** Checks of the machine and the limits of this process: Node, open files, memory, clock. */
import fs from 'node:fs';
import os from 'node:os';
import { basename, join } from 'node:path';
import { heapLimitBytes, memoryBytesDefault } from '../../engine/memory/memory-budget.ts';
import { affordableConnections, descriptorLimit } from '../../http/descriptors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { nodeVersionMin } from '../../lib/package.ts';
import { pathsIn } from '../../server/lifecycle/data-folder.ts';
import { newestRecord } from '../../storage/recovery/newest-record.ts';
import { listSegments } from '../../storage/wal/format/segment.ts';
import { formatBytes } from '../output/format-values.ts';
import { type Check, type CheckContext, type CheckFinding, fail, ok, span, warn } from './check.ts';

const mebibyte = 1024 * 1024;

/** A memory budget that holds little more than the examples. */
const budgetBytesLow = 128 * mebibyte;

/** The program did not exist before this time. */
const earliestMs = Date.UTC(2026, 0, 1);
/** A clock beyond this time is wrong. */
const latestMs = Date.UTC(2100, 0, 1);
/** Largest accepted drift between two clocks during the checks, and of files into the future, in milliseconds. */
const driftMsMax = 200;
const aheadMsMax = 60_000;

export const nodeCheck: Check = {
  name: 'Node',
  run() {
    const { node } = process.versions;
    const needed = nodeVersionMin();
    const [major = 0, minor = 0] = node.split('.').map(Number);
    const [majorMin = 0, minorMin = 0] = needed.split('.').map(Number);
    if (major < majorMin || (major === majorMin && minor < minorMin)) {
      return fail(`${node}`, `Install Node ${needed} or later. Earlier versions are not tested.`);
    }
    if (major % 2 === 1) return warn(`${node}, which is supported only briefly`, 'Use an even version: it gets fixes for years.');
    return ok(`${node} on ${process.platform} ${process.arch}`);
  },
};

export const descriptorCheck: Check = {
  name: 'open files',
  run({ connectionsMax }) {
    const limit = descriptorLimit();
    if (limit === undefined) return ok('the limit of this process is unknown');
    const connections = affordableConnections(connectionsMax);
    if (connections < connectionsMax) {
      return warn(
        `at most ${limit}, which allows ${connections} of the ${connectionsMax} connections in --connections-max`,
        `Raise the limit: "ulimit -n ${connectionsMax + (limit - connections)}" in a shell, LimitNOFILE= in a systemd unit, --ulimit nofile= for a container. Or lower --connections-max.`,
      );
    }
    return ok(`at most ${limit}, enough for ${connectionsMax} connections`);
  },
};

export const memoryCheck: Check = {
  name: 'memory',
  run({ memoryMb, data }) {
    const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
    const machine = os.totalmem();
    const budget = memoryMb === undefined ? memoryBytesDefault() : memoryMb * mebibyte;
    const available =
      container < machine
        ? `the ${formatBytes(container)} that this container may use`
        : `the ${formatBytes(machine)} of this machine`;
    const found = `a budget of ${formatBytes(budget)}, out of ${available}; the heap of V8 may grow to ${formatBytes(heapLimitBytes())}`;
    if (budget > Math.min(container, machine)) {
      return fail(
        found,
        'The budget exceeds the memory, so the system would kill the process. Add memory, or set a smaller --memory-mb.',
      );
    }
    const stored = storedBytes(pathsIn(data).snapshots);
    if (stored > budget / 2) {
      return warn(
        `${found}; the snapshots, which must fit into it, take ${formatBytes(stored)}`,
        'When the budget is used up, growing writes are refused. Add memory; see "Memory" in docs/operations.md.',
      );
    }
    if (budget < budgetBytesLow) {
      return warn(
        found,
        'This is little. For a larger heap, start with NODE_OPTIONS=--max-old-space-size=4096 on a machine with enough memory.',
      );
    }
    return ok(found);
  },
};

/** Approximate size of one complete snapshot: there are two that share nothing. */
function storedBytes(folder: string): number {
  const files = nodeFiles.list(folder).filter((name) => name.endsWith('.snapshot'));
  const bytes = files.reduce((sum, name) => sum + (fs.statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  return bytes / Math.min(2, Math.max(1, files.length));
}

export const clockCheck: Check = {
  name: 'clock',
  run(context) {
    const now = Date.now();
    const timeText = new Date(now).toISOString();
    if (now < earliestMs || now > latestMs) {
      return fail(`it is set to ${timeText}`, 'Set the clock. Keys expire by it, and "restore --at" uses it.');
    }
    return stepped(context) ?? ahead(context, now) ?? synchronised(timeText);
  },
};

function stepped({ startedAt }: CheckContext): CheckFinding | undefined {
  const drift = Date.now() - startedAt.wallMs - (performance.now() - startedAt.monotonicMs);
  if (Math.abs(drift) <= driftMsMax) return undefined;
  return warn(
    `it was moved by ${Math.round(drift)} ms during these checks`,
    'Let one service set it (systemd-timesyncd, chrony). Keys expire by it, and "restore --at" uses it.',
  );
}

function ahead({ data }: CheckContext, now: number): CheckFinding | undefined {
  const segment = listSegments(nodeFiles, pathsIn(data).journal).at(-1);
  const record = readableRecord(data);
  const written = [
    ...(record === undefined ? [] : [{ what: `record ${record.lsn}`, atMs: record.timeMs }]),
    ...(segment === undefined ? [] : [{ what: basename(segment.path), atMs: fs.statSync(segment.path).mtimeMs }]),
  ].find(({ atMs }) => atMs > now + aheadMsMax);
  if (written === undefined) return undefined;
  return warn(
    `it is ${span(written.atMs - now)} behind the time at which ${written.what} was written`,
    'Set the clock before anything else is written. Keys expire by it, and "restore --at" uses it.',
  );
}

/** The newest record; none if it cannot be read, which the check of the data reports. */
function readableRecord(data: string) {
  try {
    return newestRecord(nodeFiles, pathsIn(data));
  } catch {
    return undefined;
  }
}

/** Reports which service sets the clock, as far as files show it. */
function synchronised(timeText: string): CheckFinding {
  const timesyncd = '/run/systemd/timesync';
  if (fs.existsSync(`${timesyncd}/synchronized`)) return ok(`${timeText}, synchronized by systemd-timesyncd`);
  if (['/run/chrony', '/run/chronyd.pid', '/run/ntpd.pid'].some((path) => fs.existsSync(path)))
    return ok(`${timeText}, synchronized by a service`);
  if (fs.existsSync(timesyncd)) {
    return warn(`${timeText}, not synchronized by systemd-timesyncd yet`, 'See "timedatectl timesync-status".');
  }
  return ok(`${timeText}; no time service was found`);
}
