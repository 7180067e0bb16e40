/** Checks of the machine and of what it allows this process: Node, descriptors, memory, the clock. */
import fs from 'node:fs';
import os from 'node:os';
import { basename, join } from 'node:path';
import { heapLimitBytes, memoryBytesDefault } from '../../engine/memory.ts';
import { affordableConnections, descriptorLimit } from '../../http/descriptors.ts';
import { listSegments } from '../../journal/segment.ts';
import { nodeFiles } from '../../lib/files.ts';
import { nodeVersionMin } from '../../lib/package.ts';
import { pathsIn } from '../../server/data-folder.ts';
import { type Asked, type Check, type Finding, fail, ok, size, span, warn } from './check.ts';

const mebibyte = 1024 * 1024;

/** A budget with which little more than the examples can be held. */
const budgetBytesLow = 128 * mebibyte;

/** Before this the program did not exist. */
const earliestMs = Date.UTC(2026, 0, 1);
/** A clock that says more than this many years has lost its way. */
const latestMs = Date.UTC(2100, 0, 1);
/** What two clocks may differ by over a few seconds, and what files may be ahead by, in milliseconds. */
const driftMsMax = 200;
const aheadMsMax = 60_000;

export const nodeCheck: Check = {
  name: 'Node',
  look() {
    const { node } = process.versions;
    const needed = nodeVersionMin();
    const [major = 0, minor = 0] = node.split('.').map(Number);
    const [majorMin = 0, minorMin = 0] = needed.split('.').map(Number);
    if (major < majorMin || (major === majorMin && minor < minorMin)) {
      return fail(`${node}`, `Install Node ${needed} or later: this program is not tried on earlier ones.`);
    }
    if (major % 2 === 1) return warn(`${node}, which is not kept up for long`, 'Take an even number: those get fixes for years.');
    return ok(`${node} on ${process.platform} ${process.arch}`);
  },
};

export const descriptorCheck: Check = {
  name: 'open files',
  look({ connectionsMax }) {
    const limit = descriptorLimit();
    if (limit === undefined) return ok('how many this process may open is not known here');
    const connections = affordableConnections(connectionsMax);
    if (connections < connectionsMax) {
      return warn(
        `${limit} at a time here, so ${connections} connections of the ${connectionsMax} that --connections-max allows`,
        `Raise the limit, in a shell with "ulimit -n ${connectionsMax + (limit - connections)}", for a systemd unit with LimitNOFILE=, for a container with --ulimit nofile=; or ask for fewer connections.`,
      );
    }
    return ok(`${limit} at a time here, enough for ${connectionsMax} connections`);
  },
};

export const memoryCheck: Check = {
  name: 'memory',
  look({ memoryMb, data }) {
    const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
    const machine = os.totalmem();
    const budget = memoryMb === undefined ? memoryBytesDefault() : memoryMb * mebibyte;
    const has =
      container < machine ? `the ${size(container)} that this group of processes may have` : `${size(machine)} of the machine`;
    const found = `a budget of ${size(budget)}, of ${has}; the heap of V8 may grow to ${size(heapLimitBytes())}`;
    if (budget > Math.min(container, machine)) {
      return fail(
        found,
        'The budget is more than there is: the system would end the process. Give it more memory, or a smaller --memory-mb.',
      );
    }
    const stored = storedBytes(pathsIn(data).snapshots);
    if (stored > budget / 2) {
      return warn(
        `${found}; the snapshots have ${size(stored)}, which have to fit into it`,
        'Before it is used up, changes that grow are refused: give it more memory, see "Memory" in docs/operations.md.',
      );
    }
    if (budget < budgetBytesLow) {
      return warn(
        found,
        'That is little. For a larger heap start with NODE_OPTIONS=--max-old-space-size=4096, on a machine that has the memory.',
      );
    }
    return ok(found);
  },
};

/** About what a snapshot takes as a whole: there are two that share nothing. */
function storedBytes(folder: string): number {
  const files = nodeFiles.list(folder).filter((name) => name.endsWith('.snapshot'));
  const bytes = files.reduce((sum, name) => sum + (fs.statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  return bytes / Math.min(2, Math.max(1, files.length));
}

export const clockCheck: Check = {
  name: 'clock',
  look(asked) {
    const now = Date.now();
    const says = new Date(now).toISOString();
    if (now < earliestMs || now > latestMs) {
      return fail(`it is set to ${says}`, 'Set the clock: keys expire by it, and "at a time" in restore goes by it.');
    }
    return stepped(asked) ?? ahead(asked, now) ?? synchronised(says);
  },
};

function stepped({ startedAt }: Asked): Finding | undefined {
  const drift = Date.now() - startedAt.wallMs - (performance.now() - startedAt.monotonicMs);
  if (Math.abs(drift) <= driftMsMax) return undefined;
  return warn(
    `it was moved by ${Math.round(drift)} ms while this looked`,
    'Let one service keep it right (systemd-timesyncd, chrony): keys expire by it, and "at a time" in restore goes by it.',
  );
}

function ahead({ data }: Asked, now: number): Finding | undefined {
  const newest = listSegments(nodeFiles, pathsIn(data).journal).at(-1);
  const written = newest === undefined ? 0 : fs.statSync(newest.path).mtimeMs;
  if (newest === undefined || written <= now + aheadMsMax) return undefined;
  return warn(
    `it is ${span(written - now)} behind the time at which ${basename(newest.path)} was written`,
    'Set the clock, before anything else is written: keys expire by it, and "at a time" in restore goes by it.',
  );
}

/** Says what is known of who keeps the clock right, without asking any service. */
function synchronised(says: string): Finding {
  const timesyncd = '/run/systemd/timesync';
  if (fs.existsSync(`${timesyncd}/synchronized`)) return ok(`${says}, kept right by systemd-timesyncd`);
  if (['/run/chrony', '/run/chronyd.pid', '/run/ntpd.pid'].some((path) => fs.existsSync(path)))
    return ok(`${says}, kept right by a service`);
  if (fs.existsSync(timesyncd)) {
    return warn(`${says}, which systemd-timesyncd has not compared with any other`, 'See "timedatectl timesync-status".');
  }
  return ok(`${says}; whether anybody keeps it right is not known here`);
}
