/** Formats a sample of `mapwright top`, as a screen for a terminal or as one line. */

import { formatBytes, plural } from '../../output/format-values.ts';
import type { CacheSample, TopSample } from './scrape.ts';

/** Colours of a terminal. */
type ViewColour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';
type Paint = (colour: ViewColour, text: string) => string;

const control = '\u001b[';
const reset = `${control}0m`;
const codes: Readonly<Record<ViewColour, number>> = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 };

export const plainText: Paint = (_, text) => text;
export const coloured: Paint = (colour, text) => `${control}${codes[colour]}m${text}${reset}`;

/** Width of the row names and of the memory bar, in characters. */
const nameWidth = 11;
const barWidth = 20;
/** Number of lines apart from the routes and their head. */
const fixedLines = 13;

/** Thresholds for yellow and red. */
const limits = { memory: [0.85, 0.97], loopMs: [50, 250], syncMs: [50, 500], latencyMs: [100, 1000] } as const;

/** Formats a sample as at most `rows` lines of at most `columns` characters. */
export function screenOf(sample: TopSample, { columns, rows, paint }: { columns: number; rows: number; paint: Paint }): string[] {
  const { requests, writes, log, memory, caches, process, routes, alarms } = sample;
  const highlight = (value: number, [warning, critical]: readonly [number, number], text: string) =>
    value >= critical ? paint('red', text) : value >= warning ? paint('yellow', text) : text;
  const ms = (value: number | null, bounds: readonly [number, number]) => highlight(value ?? 0, bounds, milliseconds(value));
  const classes = Object.entries(requests.byStatus)
    .filter(([name, perSecond]) => name !== 'none' || perSecond > 0)
    .map(([name, perSecond]) => {
      const text = `${name} ${rate(perSecond)}`;
      return name === '5xx' && perSecond > 0 ? paint('red', text) : text;
    });
  const share = memory.budgetBytes === 0 ? 0 : memory.neededBytes / memory.budgetBytes;
  const filled = Math.min(barWidth, Math.round(share * barWidth));
  const bar = highlight(share, limits.memory, `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${percent(share)}`);
  const snapshots =
    log.snapshotFailures === 0
      ? plural(log.snapshots, 'snapshot')
      : paint('red', `${log.snapshots} snapshots, ${log.snapshotFailures} failed`);
  const lines = [
    `${paint('bold', `mapwright ${sample.version}`)}  ${sample.url}  up ${span(sample.uptimeS)}  ${paint('dim', sample.time.slice(11, 19))}`,
    alarms.length === 0 ? paint('green', 'no alarm') : paint('red', `alarm: ${alarms.join(', ')}`),
    '',
    row(paint, 'requests', [`${rate(requests.perSecond)}/s`, ...classes]),
    row(paint, '', [
      `p50 ${ms(requests.p50Ms, limits.latencyMs)}`,
      `p99 ${ms(requests.p99Ms, limits.latencyMs)}`,
      `${requests.inFlight} in flight`,
      plural(requests.connections, 'connection'),
      plural(requests.streams, 'stream'),
      ...(requests.refusedKeysPerSecond > 0 ? [paint('yellow', `${rate(requests.refusedKeysPerSecond)}/s rejected keys`)] : []),
      ...(requests.rateLimitedPerSecond > 0 ? [paint('yellow', `${rate(requests.rateLimitedPerSecond)}/s rate limited`)] : []),
    ]),
    row(paint, 'writes', [
      `${rate(writes.perSecond)}/s`,
      `${formatBytes(writes.bytesPerSecond)}/s`,
      `queue ${formatBytes(writes.queueBytes)}`,
    ]),
    row(paint, 'syncs', [
      `${rate(writes.syncsPerSecond)}/s`,
      ...(writes.batch === null ? [] : [`${rate(writes.batch)} records each`]),
      `p50 ${ms(writes.syncP50Ms, limits.syncMs)}`,
      `p99 ${ms(writes.syncP99Ms, limits.syncMs)}`,
    ]),
    row(paint, 'log', [
      `${formatBytes(log.lagBytes)} of sealed log after the snapshot`,
      snapshots,
      ...(log.snapshotRunning ? ['taking a snapshot'] : []),
    ]),
    row(paint, 'memory', [
      `${bar} of ${formatBytes(memory.budgetBytes)}`,
      `process ${formatBytes(memory.residentBytes)}`,
      `heap ${formatBytes(memory.heapBytes)}`,
    ]),
    row(paint, 'caches', [`json        ${cacheText(caches.json)}`]),
    row(paint, '', [`compressed  ${cacheText(caches.compressed)}`]),
    row(paint, 'process', [
      `${process.cores.toFixed(2)} cores`,
      `event loop p99 ${ms(process.loopP99Ms, limits.loopMs)}`,
      `max ${ms(process.loopMaxMs, limits.loopMs)}`,
      ...(process.openFilesMax === 0 ? [] : [`${process.openFiles} of ${process.openFilesMax} files`]),
    ]),
    row(paint, 'contents', [`${plural(sample.projects, 'project')} of ${plural(sample.accounts, 'account')}`]),
  ];
  const routeLines = Math.max(0, rows - fixedLines - 2);
  if (routeLines > 0 && routes.length > 0) {
    lines.push('', paint('dim', `${'req/s'.padStart(9)} ${'p99'.padStart(9)}  route`));
    for (const { method, route, perSecond, p99Ms } of routes.slice(0, routeLines))
      lines.push(`${rate(perSecond).padStart(9)} ${milliseconds(p99Ms).padStart(9)}  ${method} ${route}`);
  }
  return lines.slice(0, rows).map((line) => cut(line, columns));
}

/** Formats a sample as one line, for a file or a pipe. */
export function lineOf({ time, requests, writes, memory, process, alarms }: TopSample): string {
  const classes = Object.entries(requests.byStatus)
    .filter(([, perSecond]) => perSecond > 0)
    .map(([name, perSecond]) => `${name} ${rate(perSecond)}`);
  return [
    time.slice(0, 19).replace('T', ' '),
    `${rate(requests.perSecond)} req/s${classes.length === 0 ? '' : ` (${classes.join(', ')})`}`,
    `p50 ${milliseconds(requests.p50Ms)}`,
    `p99 ${milliseconds(requests.p99Ms)}`,
    `${rate(writes.perSecond)} writes/s`,
    `sync p99 ${milliseconds(writes.syncP99Ms)}`,
    `queue ${formatBytes(writes.queueBytes)}`,
    `memory ${percent(memory.budgetBytes === 0 ? 0 : memory.neededBytes / memory.budgetBytes)}`,
    `loop p99 ${milliseconds(process.loopP99Ms)}`,
    alarms.length === 0 ? 'no alarm' : `alarm: ${alarms.join(', ')}`,
  ].join('  ');
}

const row = (paint: Paint, name: string, parts: readonly string[]): string =>
  `${paint('bold', name.padEnd(nameWidth))}${parts.join('  ')}`;

function cacheText({ bytes: held, limitBytes, hits }: CacheSample): string {
  return `${formatBytes(held)} of ${formatBytes(limitBytes)}, ${hits === null ? '–' : percent(hits)} hits`;
}

/** Cuts a text to a width. Colour codes have no width. */
function cut(text: string, columns: number): string {
  let at = 0;
  for (let left = columns; at < text.length; ) {
    if (text.startsWith(control, at)) at = text.indexOf('m', at) + 1;
    else if (left-- === 0) return text.includes(control) ? text.slice(0, at) + reset : text.slice(0, at);
    else at++;
  }
  return text;
}

/** Formats a rate, with up to three digits or as an integer. */
function rate(value: number): string {
  if (value === 0) return '0';
  return value < 10 ? value.toFixed(value < 1 ? 2 : 1) : Math.round(value).toLocaleString('en-US');
}

function milliseconds(value: number | null): string {
  if (value === null) return '–';
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value >= 10 ? Math.round(value) : value.toFixed(value < 1 ? 2 : 1)} ms`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Formats a duration in its two largest units. */
function span(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
