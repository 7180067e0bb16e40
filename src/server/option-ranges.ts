/** Default, minimum and maximum of the numeric options of a server. The flags of `serve` have the same, in their units. */
import { elementsMaxDefault, idempotencyBytesDefault } from '../engine/assemble.ts';
import { snapshotDefaults } from '../storage/snapshot/scheduler.ts';
import { segmentBytesDefault, segmentBytesMax, segmentBytesMin } from '../storage/wal/format/segment.ts';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

export const optionRanges = {
  segmentBytes: [segmentBytesDefault, segmentBytesMin, segmentBytesMax],
  snapshotBytes: [snapshotDefaults.bytes, mebibyte, 64 * gibibyte],
  snapshotMinutes: [snapshotDefaults.minutes, 0.01, 1_000_000],
  snapshotPauseMs: [snapshotDefaults.pauseMs, 0, 10_000],
  elementsMax: [elementsMaxDefault, 1, 1_000_000],
  idempotencyBytes: [idempotencyBytesDefault, 0, 64 * gibibyte],
  cacheBytes: [64 * mebibyte, 0, 64 * gibibyte],
  dataTimeoutMs: [10_000, 100, 300_000],
  dataResponseBytes: [2 * mebibyte, 1024, 64 * mebibyte],
} as const satisfies Readonly<Record<string, readonly [byDefault: number, least: number, most: number]>>;
