/**
 * The memory budget: before memory runs out, changes that would let the state grow fail (507); all other requests work.
 *
 * The live heap size is unknown between collections: garbage waits to be collected, and a burst of writes is over before the collector has
 * run. So the budget tracks an *upper bound* of the live size:
 *
 *     after a collection   the bound is the heap in use
 *     on every growth      the growth is added: a record, decoded members, a cached response
 *     at any time          the bound is at most the heap in use, garbage included
 *
 * Far below the budget, a record counts as the most memory that its bytes could ever need, which costs one multiplication. From half of the
 * budget on, the growth of a change is estimated (change-estimate.ts). If the bound still reaches the budget, garbage is collected to learn
 * the live size, but rarely enough that this takes at most a twentieth of the time.
 *
 * Reads must not fill the memory either: a restored collection is bytes until a member is accessed. Decoded members have their own limit
 * (leaf-cache.ts). Above the `tight` share of the budget, regardless of that limit, members are decoded without caching, leaves that a write
 * decoded are packed again after it, and unused leaves are evicted.
 */
import os from 'node:os';
import v8 from 'node:v8';
import { MemoryFullError } from '../../lib/errors.ts';
import type { Leaf } from '../../store/leaf.ts';
import { liveLeaves, type MemoryPolicy } from '../../store/live-leaf.ts';
import type { State } from '../../store/state.ts';
import { type HeapMonitor, processHeapMonitor } from './heap-monitor.ts';
import { LeafCache } from './leaf-cache.ts';

/** Maximum bytes in memory for one byte on disk: an empty array in an open structure, or a vertex at small integers. */
export const amplificationMax = 32;
/** Share of the budget above which the growth of changes is estimated. */
const weighShare = 0.5;
/** Share of the budget above which nothing is cached. */
const tightShare = 0.85;
/** Share of the budget below which a full budget no longer counts as full. */
const relaxedShare = 0.95;
/** Garbage collections take at most 1/20 of the time. */
const collectPart = 20;
/** Minimum time between two collections, in milliseconds. */
const collectEveryMs = 1000;

/** Default budget: the smaller of these shares of the memory of the machine or container, and of V8's heap limit. */
const defaultShare = { machine: 0.5, heap: 0.6 };
/** Default share of the budget for decoded members: each is an object that the garbage collector visits. */
const decodedShare = 0.4;
/** Share of the decoded limit that replayed records may reach before a restart sweeps. */
const replayedShare = 0.5;
/** Maximum budget as a share of V8's heap limit: the rest is for requests in progress and garbage. */
const heapShareMax = 0.8;

/** V8's heap limit in bytes: beyond it, V8 ends the process. Fixed when the process starts. */
export const heapLimitBytes = (): number => v8.getHeapStatistics().heap_size_limit;

/** The heap limit includes three semi-spaces of the young generation. Their default size in MiB, by the major version of V8. */
const semiSpaceMib = (v8Major: number): number => (v8Major < 13 ? 16 : v8Major === 13 ? 64 : 32);
/** The size of a semi-space in MiB that the shares above allow for. */
const semiSpaceBaseMib = 16;
const sizesYoung = /--max[-_](semi[-_]space|heap)[-_]size/;

/**
 * Bytes of the heap limit that a budget may use. The young generation holds no long-lived values: a budget that included it could exceed the
 * rest, and the process would end before any change fails. A size set by a V8 flag is not corrected.
 */
export function countedLimitBytes(
  v8Version = process.versions.v8,
  flags = [...process.execArgv, process.env['NODE_OPTIONS']],
): number {
  const moreMib = sizesYoung.test(flags.join(' ')) ? 0 : semiSpaceMib(Number.parseInt(v8Version, 10)) - semiSpaceBaseMib;
  return heapLimitBytes() - 3 * moreMib * 1024 * 1024;
}

/** The largest budget that leaves V8 enough to work with. */
export const memoryBytesMax = (): number => Math.floor(countedLimitBytes() * heapShareMax);

export function memoryBytesDefault(machineBytes = Math.min(process.constrainedMemory() || os.totalmem(), os.totalmem())): number {
  return Math.floor(Math.min(machineBytes * defaultShare.machine, countedLimitBytes() * defaultShare.heap));
}

export class MemoryBudget implements MemoryPolicy {
  readonly budgetBytes: number;
  readonly decoded: LeafCache;
  /** Leaves whose memory it bounds. */
  readonly leafKind = liveLeaves(this);
  /** Upper bound of the memory of records replayed since the last sweep, in bytes. */
  #replayedBytes = 0;
  readonly #heap: HeapMonitor;
  /** Stops observing V8's collections; `undefined` while not observing, since observing costs time for each collection, minor ones too. */
  #unwatch: (() => void) | undefined;
  readonly #releases: (() => void)[] = [];
  #boundBytes: number;
  /** Bytes of projects that are being built. They may be part of the heap in use already, so they may count twice. */
  #heldBytes = 0;
  /** Whether a change freed memory since the last collection. */
  #released = false;
  #refusing = false;
  /** Whether growth was refused since the last call of {@link full}. */
  #refused = false;
  #collectAt = 0;
  #collections = 0;
  #pressed: Leaf[] = [];

  /** @param decodedBytes limit for decoded members */
  constructor(
    budgetBytes: number,
    heap: HeapMonitor = processHeapMonitor,
    decodedBytes = Math.floor(budgetBytes * decodedShare),
  ) {
    this.budgetBytes = budgetBytes;
    this.decoded = new LeafCache(decodedBytes);
    this.#heap = heap;
    this.#boundBytes = heap.used();
  }

  /** The budget of a process with these options of the engine. */
  static of({ memoryBytes, decodedCacheBytes }: { memoryBytes?: number; decodedCacheBytes?: number }): MemoryBudget {
    return new MemoryBudget(memoryBytes ?? memoryBytesDefault(), undefined, decodedCacheBytes);
  }

  /** Starts the eviction of unused decoded leaves, in the background. */
  startEviction(state: State): void {
    this.decoded.start(state, () => !this.#below(this.budgetBytes * tightShare));
  }

  /** Stops the eviction and the observer of collections. */
  close(): void {
    this.decoded.close();
    this.#stopWatching();
  }

  #stopWatching(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  /** Upper bound of the live heap size, in bytes. */
  get boundBytes(): number {
    return Math.min(this.#boundBytes, this.#heap.used());
  }

  /** Garbage collections that the budget has made. */
  get collections(): number {
    return this.#collections;
  }

  /**
   * Whether growth was refused since the last call, or still would be. Resets the flag of the refusals. Measures again if a change freed
   * memory meanwhile.
   */
  takeFullFlag(): boolean {
    if (this.#refused) {
      this.#refused = false;
      return true;
    }
    const relaxed = this.budgetBytes * relaxedShare;
    if (this.#refusing && (this.#below(relaxed) || (this.#released && this.#measure() && this.#below(relaxed))))
      this.#refusing = false;
    return this.#refusing;
  }

  /** Registers a callback that empties a cache. It is called before growth is refused. */
  onPressure(release: () => void): void {
    this.#releases.push(release);
  }

  /**
   * Admits a change, or throws {@link MemoryFullError}.
   *
   * @param recordBytes size of its record
   * @param growth estimates by how many bytes the state would grow; called only when memory is short
   */
  admit(recordBytes: number, growth: () => number): void {
    const most = recordBytes * amplificationMax;
    if (this.#below(this.budgetBytes * weighShare - most)) {
      this.#boundBytes += most;
      return;
    }
    const bytes = growth();
    if (bytes < 0) this.#released = true;
    if (bytes <= 0) return;
    this.refuseUnlessFits(bytes);
    this.#boundBytes += bytes;
  }

  /** Throws {@link MemoryFullError} unless the bytes fit. Call it before any work for a change that certainly grows. */
  refuseUnlessFits(bytes: number): void {
    if (this.#fits(bytes, this.budgetBytes)) return;
    this.#refusing = true;
    this.#refused = true;
    throw new MemoryFullError(
      `${bytes} more bytes do not fit: ${this.#boundBytes} of the budget of ${this.budgetBytes} bytes are in use (--memory-mb)`,
    );
  }

  /** Reserves bytes for a project that is being built. Throws as {@link refuseUnlessFits} does. */
  hold(bytes: number): void {
    this.refuseUnlessFits(bytes);
    this.#heldBytes += bytes;
  }

  /** Releases bytes of {@link hold}: the project is part of the state now, or was aborted. */
  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  keep(packedBytes: number, decodedBytes: number): boolean {
    if (!this.decoded.hasRoom(decodedBytes) || !this.keepExactly(packedBytes * amplificationMax)) return false;
    this.decoded.add(decodedBytes);
    return true;
  }

  /** Whether a cache may keep so many bytes; if so, they count. */
  keepExactly(bytes: number): boolean {
    if (!this.#fits(bytes, this.budgetBytes * tightShare)) return false;
    this.#boundBytes += bytes;
    return true;
  }

  /** Admits an index that is built for a write, or throws as {@link refuseUnlessFits} does. It is kept as long as its collection. */
  admitIndex(bytes: number): void {
    if (bytes === 0) return;
    this.refuseUnlessFits(bytes);
    this.#boundBytes += bytes;
  }

  onOverBudget(leaf: Leaf): void {
    this.#pressed.push(leaf);
  }

  /**
   * Call it for each record that a restart replays, with its size. Replayed members are decoded, and no sweep has run yet: a state that fits
   * the budget as bytes could need several times as much.
   */
  replayed(state: State, bytes: number): void {
    this.repackLeaves();
    this.#replayedBytes += bytes * amplificationMax;
    if (this.#replayedBytes < this.decoded.limitBytes * replayedShare) return;
    this.#replayedBytes = 0;
    // The first sweep measures and marks all leaves as unused; the second evicts those above the limit.
    for (let i = 0; i < 2; i++) this.decoded.sweep(state);
  }

  /** Packs the leaves that a record decoded while memory is short. Call it after the record is applied. */
  repackLeaves(): void {
    if (this.#pressed.length === 0) return;
    for (const leaf of this.#pressed) leaf.pack();
    this.#pressed = [];
  }

  #fits(bytes: number, limitBytes: number): boolean {
    const limit = limitBytes - this.#heldBytes - bytes;
    return this.#below(limit) || (this.#measure() && this.#below(limit));
  }

  #below(limitBytes: number): boolean {
    if (this.#boundBytes < limitBytes) return true;
    this.#boundBytes = Math.min(this.#boundBytes, this.#heap.used());
    if (this.#boundBytes < limitBytes) return true;
    this.#watch();
    return false;
  }

  /** Observes V8's own collections, which give the live size, until the bound is below the estimate share. */
  #watch(): void {
    if (this.#unwatch !== undefined) return;
    this.#boundBytes = this.#heap.used();
    this.#unwatch = this.#heap.onCollected(() => {
      this.#boundBytes = this.#heap.used();
      if (this.#boundBytes < this.budgetBytes * weighShare) this.#stopWatching();
    });
  }

  /** Collects garbage and measures; `false` if the last collection is too recent. */
  #measure(): boolean {
    const started = performance.now();
    if (started < this.#collectAt) return false;
    for (const release of this.#releases) release();
    this.#heap.collect();
    this.#collections++;
    this.#boundBytes = this.#heap.used();
    this.#released = false;
    const ended = performance.now();
    this.#collectAt = ended + Math.max(collectEveryMs, collectPart * (ended - started));
    return true;
  }
}
