/**
 * A file of the simulated disk: the bytes that a process reads, those that are durable, and the writes between them.
 *
 * Copies of a disk share the bytes of files. A write changes bytes in place only if no copy and no caller has them.
 */

export interface Write {
  readonly position: number;
  readonly bytes: Buffer;
}

/** A power cut leaves or loses a sector as a whole. */
const sectorBytes = 512;

/** A file. Each operation makes another object of it, so that what is known of one stays true. */
export class File {
  readonly kind = 'file';
  /** Writes whose sync failed, then writes without a sync, oldest first. */
  readonly lost: readonly Write[];
  readonly unsynced: readonly Write[];
  readonly #cached: Buffer;
  /** The bytes on the disk are these after the writes of `#synced`, which the first read of them applies. */
  #durable: Buffer;
  #synced: readonly Write[];
  /** True if a copy or a caller may have the cached bytes. */
  #isShared: boolean;
  /** True if a test may change the cached bytes, which are the durable ones. */
  #isExposed = false;

  private constructor(
    [cached, isShared]: readonly [Buffer, boolean],
    [durable, synced]: readonly [Buffer, readonly Write[]],
    [lost, unsynced]: readonly [readonly Write[], readonly Write[]],
  ) {
    this.#cached = cached;
    this.#isShared = isShared;
    this.#durable = durable;
    this.#synced = synced;
    this.lost = lost;
    this.unsynced = unsynced;
  }

  /** A file whose bytes are durable. */
  static of(bytes: Buffer): File {
    return new File([bytes, true], [bytes, []], [[], []]);
  }

  /** What a process reads. It never changes, since a later write copies it. */
  get cached(): Buffer {
    this.#isShared = true;
    return this.#cached;
  }

  get durable(): Buffer {
    this.#durable = written(this.#durable, this.#synced);
    this.#synced = [];
    return this.#durable;
  }

  get size(): number {
    return this.#cached.byteLength;
  }

  /** Another disk has this file, too. */
  share(): void {
    this.#isShared = true;
    this.#isExposed = false;
  }

  read(into: Uint8Array, position: number): number {
    return this.#cached.copy(into, 0, position, position + into.byteLength);
  }

  write(write: Write): File {
    const { position, bytes } = write;
    const end = position + bytes.byteLength;
    const isInside = end <= this.size;
    const unsynced = [...this.unsynced, write];
    // A write of the same bytes leaves the buffer, and with it what is known of it.
    const isSame = isInside && this.#cached.compare(bytes, 0, bytes.byteLength, position, end) === 0;
    if (isSame || (isInside && !this.#isShared)) {
      if (!isSame) this.#cached.set(bytes, position);
      return new File([this.#cached, this.#isShared], [this.#durable, this.#synced], [this.lost, unsynced]);
    }
    return new File([written(this.#cached, [write]), false], [this.#durable, this.#synced], [this.lost, unsynced]);
  }

  sync(isFailed: boolean): File {
    const cached = [this.#cached, this.#isShared] as const;
    const durable = [this.#durable, this.#synced] as const;
    if (isFailed) return new File(cached, durable, [[...this.lost, ...this.unsynced], []]);
    const lost = this.unsynced.reduce(
      (left: readonly Write[], write) => left.flatMap((other) => without(other, write)),
      this.lost,
    );
    const file = new File(cached, [this.#durable, [...this.#synced, ...this.unsynced]], [lost, []]);
    // Writes that are kept take no more memory than the file.
    const pending = file.#synced.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (pending > file.size) file.#durable = file.durable;
    return file;
  }

  /** The same file with durable bytes that a test may change, and these. */
  exposed(): [File, Buffer] {
    if (this.#isExposed) return [this, this.#cached];
    const bytes = this.#isShared ? Buffer.from(this.#cached) : this.#cached;
    const file = File.of(bytes);
    file.#isExposed = true;
    return [file, bytes];
  }

  /** The bytes after a power cut: of each unsynced sector, chance keeps what a process saw. What a failed sync left is gone. */
  afterPowerCut(keep: () => number): Buffer {
    if (this.unsynced.length + this.lost.length === 0) return this.durable;
    const left = Buffer.alloc(this.size);
    this.durable.copy(left);
    const sectors = new Set<number>();
    for (const { position, bytes } of this.unsynced) {
      for (let at = position - (position % sectorBytes); at < position + bytes.byteLength; at += sectorBytes) sectors.add(at);
    }
    for (const at of sectors) if (keep() >= 0.5) this.#cached.copy(left, at, at, at + sectorBytes);
    return left;
  }
}

/** Bytes after these writes, in their order. */
export function written(bytes: Buffer, writes: readonly Write[]): Buffer {
  if (writes.length === 0) return bytes;
  const end = writes.reduce((most, write) => Math.max(most, write.position + write.bytes.byteLength), bytes.byteLength);
  const result = Buffer.allocUnsafe(end);
  bytes.copy(result);
  result.fill(0, bytes.byteLength);
  for (const write of writes) result.set(write.bytes, write.position);
  return result;
}

/** What is left of a write where another one took its place. */
function without(write: Write, other: Write): Write[] {
  const end = write.position + write.bytes.byteLength;
  const otherEnd = other.position + other.bytes.byteLength;
  if (otherEnd <= write.position || other.position >= end) return [write];
  const left: Write[] = [];
  if (write.position < other.position)
    left.push({ position: write.position, bytes: write.bytes.subarray(0, other.position - write.position) });
  if (otherEnd < end) left.push({ position: otherEnd, bytes: write.bytes.subarray(otherEnd - write.position) });
  return left;
}
