/**
 * The memory budget: before memory runs out, changes that would let the state grow are refused (507); everything else goes on.
 *
 * What counts is what is needed, and that is not to be seen directly: garbage waits to be collected, and a burst of writes is over before
 * any collector has run. So there is an *upper bound* of what is needed:
 *
 *     after a collection       the bound is what is in use then
 *     whatever adds to memory  is added to the bound: a record, members that are decoded, an answer that is kept
 *     at any time              it is at most what is in use, garbage included
 *
 * Far below the budget a record counts as the most that its bytes could ever become, which costs one multiplication. From half of it on, what
 * a change puts is weighed against what it replaces (weight.ts). When the bound reaches the budget all the same, garbage is collected to
 * learn the truth, but seldom enough that it takes a twentieth of the time at most.
 *
 * Reading must not fill the memory either: a restored collection is bytes until it is looked into. What is decoded has a limit of its
 * own (decoded.ts), and above the `tight` share of the budget, whatever that limit, members are decoded for the moment only, what a write
 * had to decode is packed again after it, and what rests is let go.
 */
import os from 'node:os';
import v8 from 'node:v8';
import { MemoryFullError } from '../../lib/errors.ts';
import type { Leaf, MemoryPolicy } from '../../store/leaf.ts';
import type { State } from '../../store/state.ts';
import { type HeapMonitor, processHeapMonitor } from './heap-monitor.ts';
import { LeafCache } from './leaf-cache.ts';

/** Bytes in memory for one byte on disk, at most: an empty array in an open structure, or a vertex at small whole numbers. */
export const amplificationMax = 32;
/** Share of the budget from which on changes are weighed. */
const weighShare = 0.5;
/** Share of the budget from which on nothing is kept that could be made again. */
const tightShare = 0.85;
/** Share of the budget below which it no longer counts as used up, once it did. */
const relaxedShare = 0.95;
/** Collections take one part in so many of the time, at most. */
const collectPart = 20;
/** The least time between two collections, in milliseconds. */
const collectEveryMs = 1000;

/** Share of the memory that this machine, or this container, has, and of what V8 lets the process use of it. */
const defaultShare = { machine: 0.5, heap: 0.6 };
/** Share of the budget that decoded members may take by default: each is an object that a collection of garbage walks over. */
const decodedShare = 0.4;
/** Share of the limit of decoded members that replayed records may come to before a restart sweeps. */
const replayedShare = 0.5;
/** What V8 must have left for requests under way and for garbage: the share of its limit that a budget may be. */
const heapShareMax = 0.8;

/** Bytes that V8 grows to at most; beyond, it ends the process. Settled when the process starts. */
export const heapLimitBytes = (): number => v8.getHeapStatistics().heap_size_limit;

/** The limit includes three half-spaces for the youngest values. Their default size in MiB, by the major version of V8. */
const semiSpaceMib = (v8Major: number): number => (v8Major < 13 ? 16 : v8Major === 13 ? 64 : 32);
/** The size in MiB that leaves a budget room beside it. */
const semiSpaceBaseMib = 16;
const sizesYoung = /--max[-_](semi[-_]space|heap)[-_]size/;

/**
 * Bytes of the limit that a budget may count on. What is only for the youngest values holds none that stay: a budget that had it in its sum
 * could be more than the rest, and the process would end before anything is refused. Who says how large it is has it at that.
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
  /** What records may have become that were replayed since the last sweep, at its heaviest. */
  #replayedBytes = 0;
  readonly #meter: HeapMonitor;
  /** Ends the watch for V8's own collections; `undefined` while there is none, since it costs something for each collection, small ones too. */
  #unwatch: (() => void) | undefined;
  readonly #releases: (() => void)[] = [];
  #boundBytes: number;
  /** What is being made. It may be in use already, so it never counts for less than it is. */
  #heldBytes = 0;
  /** Something may have become garbage since the last collection. */
  #released = false;
  #refusing = false;
  /** Growth was refused since somebody looked. */
  #refused = false;
  #collectAt = 0;
  #collections = 0;
  #pressed: Leaf[] = [];

  /** @param decodedBytes what decoded members may take */
  constructor(
    budgetBytes: number,
    meter: HeapMonitor = processHeapMonitor,
    decodedBytes = Math.floor(budgetBytes * decodedShare),
  ) {
    this.budgetBytes = budgetBytes;
    this.decoded = new LeafCache(decodedBytes);
    this.#meter = meter;
    this.#boundBytes = meter.used();
  }

  /** Lets go, from now on, of members that nobody looks into. */
  letGoOf(state: State): void {
    this.decoded.start(state, () => !this.#below(this.budgetBytes * tightShare));
  }

  /** Lets go of what watches the process. */
  close(): void {
    this.decoded.close();
    this.#stopWatching();
  }

  #stopWatching(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  /** What is needed is at most this much, in bytes. */
  get boundBytes(): number {
    return Math.min(this.#boundBytes, this.#meter.used());
  }

  /** Collections that were made to learn what is needed. */
  get collections(): number {
    return this.#collections;
  }

  /** Whether growth was refused since the last call, or would be still. Measures again when something was deleted meanwhile. */
  full(): boolean {
    if (this.#refused) {
      this.#refused = false;
      return true;
    }
    const relaxed = this.budgetBytes * relaxedShare;
    if (this.#refusing && (this.#below(relaxed) || (this.#released && this.#learn() && this.#below(relaxed))))
      this.#refusing = false;
    return this.#refusing;
  }

  /** Has `release` called before growth is refused: caches give back what they have. */
  onPressure(release: () => void): void {
    this.#releases.push(release);
  }

  /**
   * Lets a change pass, or throws {@link MemoryFullError}.
   *
   * @param recordBytes size of its record
   * @param growth weighs by how many bytes the state would grow; asked only when memory is short
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

  /** Throws {@link MemoryFullError} unless so many bytes fit: before any work is done for a change that is sure to grow. */
  refuseUnlessFits(bytes: number): void {
    if (this.#fits(bytes, this.budgetBytes)) return;
    this.#refusing = true;
    this.#refused = true;
    throw new MemoryFullError(
      `${this.#boundBytes} bytes of memory are needed and ${bytes} more are asked for; the budget is ${this.budgetBytes}`,
    );
  }

  /** Counts so many bytes more for what is being made, and is not part of the state yet. Throws as {@link refuseUnlessFits} does. */
  hold(bytes: number): void {
    this.refuseUnlessFits(bytes);
    this.#heldBytes += bytes;
  }

  /** What was made is part of the state now, or will never be. */
  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  keep(packedBytes: number, decodedBytes: number): boolean {
    if (!this.decoded.hasRoom(decodedBytes) || !this.keepExactly(packedBytes * amplificationMax)) return false;
    this.decoded.add(decodedBytes);
    return true;
  }

  /** Whether so many bytes may be kept that could be made again; they count from now on. */
  keepExactly(bytes: number): boolean {
    if (!this.#fits(bytes, this.budgetBytes * tightShare)) return false;
    this.#boundBytes += bytes;
    return true;
  }

  onOverBudget(leaf: Leaf): void {
    this.#pressed.push(leaf);
  }

  /**
   * To be called for each record that a restart replays, with its bytes. What records make are values, and nobody has come by yet to make
   * bytes again of what rests: a state that was within the budget as bytes could take several times as much.
   */
  replayed(state: State, bytes: number): void {
    this.repackLeaves();
    this.#replayedBytes += bytes * amplificationMax;
    if (this.#replayedBytes < this.decoded.limitBytes * replayedShare) return;
    this.#replayedBytes = 0;
    // The first one finds how much there is, and that nobody looks at it; the second lets go of what is too much.
    for (let i = 0; i < 2; i++) this.decoded.sweep(state);
  }

  /** To be called when a record was applied: what it had to decode while memory is short becomes bytes again. */
  repackLeaves(): void {
    if (this.#pressed.length === 0) return;
    for (const leaf of this.#pressed) leaf.pack();
    this.#pressed = [];
  }

  #fits(bytes: number, limitBytes: number): boolean {
    const limit = limitBytes - this.#heldBytes - bytes;
    return this.#below(limit) || (this.#learn() && this.#below(limit));
  }

  #below(limitBytes: number): boolean {
    if (this.#boundBytes < limitBytes) return true;
    this.#boundBytes = Math.min(this.#boundBytes, this.#meter.used());
    if (this.#boundBytes < limitBytes) return true;
    this.#watch();
    return false;
  }

  /** Memory may become short: from now on V8's own collections tell what is needed, until that is little again. */
  #watch(): void {
    if (this.#unwatch !== undefined) return;
    this.#boundBytes = this.#meter.used();
    this.#unwatch = this.#meter.onCollected(() => {
      this.#boundBytes = this.#meter.used();
      if (this.#boundBytes < this.budgetBytes * weighShare) this.#stopWatching();
    });
  }

  /** Collects garbage; false when that was done too short a time ago. */
  #learn(): boolean {
    const started = performance.now();
    if (started < this.#collectAt) return false;
    for (const release of this.#releases) release();
    this.#meter.collect();
    this.#collections++;
    this.#boundBytes = this.#meter.used();
    this.#released = false;
    const ended = performance.now();
    this.#collectAt = ended + Math.max(collectEveryMs, collectPart * (ended - started));
    return true;
  }
}
