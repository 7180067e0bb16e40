// tier: normal
/**
 * Uploads and deletions, crashed after each operation in every way a disk allows (test/crash/remains.ts). Whatever is left, each file with
 * the name of a digest has its bytes, each blob that was acknowledged is there, and the rest can be listed and deleted.
 */
import t from 'tap';
import { BlobStore } from '../../src/storage/blobs/blob-store.ts';
import { depths } from '../crash/depth.ts';
import { Library } from '../crash/library.ts';
import { Enumerator } from '../crash/remains.ts';
import { type Contents, Disk, nameOf, type Operation } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { silent } from '../support/mapwright.ts';
import { sized } from '../support/tier.ts';
import { digestOf, FOLDER, filesIn, open, sample, store } from './harness.ts';
import { InlineBlobWorker } from './inline-worker.ts';

/** What happened: an operation on the disk, or the set of blobs that must be there from now on. */
type Event = { readonly operation: Operation } | { readonly promised: ReadonlySet<string> };

class Recorder {
  readonly events: Event[] = [];
  readonly start: Disk;
  readonly files: SimulatedDisk;
  readonly blobs: BlobStore;
  readonly #promised: Set<string>;

  /** Opens the store; what it does then is not recorded. */
  constructor(disk = new Disk(), promised: Iterable<string> = []) {
    this.#promised = new Set(promised);
    this.events.push({ promised: new Set(this.#promised) });
    this.files = new SimulatedDisk(disk);
    this.files.after = (operation) => this.events.push({ operation });
    this.blobs = open(this.files).store;
    this.events.length = 1;
    this.start = disk.copy();
  }

  async store(bytes: Buffer): Promise<string> {
    const { digest, hold } = await store(this.blobs, bytes);
    this.#promised.add(digest);
    this.#note();
    hold.release();
    return digest;
  }

  /** From the beginning of a deletion on the blob may be there or not. */
  async delete(digest: string): Promise<void> {
    this.#promised.delete(digest);
    this.#note();
    await this.blobs.delete([digest]);
  }

  #note(): void {
    this.events.push({ promised: new Set(this.#promised) });
  }
}

const workloads: Readonly<Record<string, (world: Recorder) => Promise<void>>> = {
  'one upload': async (world) => {
    await world.store(sample('one', 2300));
  },
  'equal bytes twice, then deleted, then again': async (world) => {
    const bytes = sample('equal', 1200);
    await world.store(bytes);
    await world.delete(await world.store(bytes));
    await world.store(bytes);
  },
  'several at the same time, one of them aborted, two of them equal': async (world) => {
    const aborted = world.blobs.upload({ bytesMax: 10_000 });
    await Promise.all([
      world.store(sample('a', 1100)),
      world.store(sample('b', 1100)),
      world.store(sample('b', 1100)),
      aborted.write(sample('c', 1100)).then(() => aborted.abort()),
    ]);
  },
  'deletions among uploads': async (world) => {
    const first = await world.store(sample('first', 700));
    const second = await world.store(sample('second', 700));
    await Promise.all([world.delete(first), world.store(sample('third', 700)), world.delete(second)]);
    await world.store(sample('second', 700));
  },
};

/** What is wrong with what a crash left; `undefined` if nothing is. */
function wrong(contents: Contents, promised: ReadonlySet<string>): string | undefined {
  const found = new Set<string>();
  for (const [folder, files] of contents) {
    if (!/\/[0-9a-f]{2}$/.test(folder)) continue;
    for (const [name, bytes] of files) {
      if (digestOf(bytes) !== name) return `${folder}/${name} has ${bytes.byteLength} other bytes`;
      found.add(name);
    }
  }
  const missing = [...promised].find((digest) => !found.has(digest));
  return missing === undefined ? undefined : `${missing} is missing`;
}

/** Opens what is left as the next process does, and deletes all but what was promised. Returns what is wrong. */
async function collect(contents: Contents, promised: ReadonlySet<string>): Promise<string | undefined> {
  const files = new SimulatedDisk(Disk.holding(contents));
  files.makeFolder(FOLDER);
  const worker = new InlineBlobWorker(files, FOLDER);
  const blobs = BlobStore.open(files, FOLDER, { log: silent, worker });
  const listing = await blobs.list();
  const garbage = [...listing].filter(({ digest }) => !promised.has(digest)).map(({ digest }) => digest);
  await blobs.delete(garbage);
  await blobs.clean(listing.leftovers);
  const extra = files.paths().find((path) => !promised.has(nameOf(path)));
  return extra === undefined ? wrong(files.state.contents(), promised) : `${extra} was not collected`;
}

const { depth, restartEvery, collectEvery } = sized({
  sample: { depth: { ...depths.brief, tornStepBytes: 32, statesMax: 40 }, restartEvery: 13, collectEvery: 40 },
  all: { depth: { ...depths.brief, statesMax: 100 }, restartEvery: 5, collectEvery: 40 },
});

t.setTimeout(1_800_000);

interface Walk {
  states: number;
  /** Disks of processes that were killed, with what was promised. */
  readonly killed: { readonly disk: Disk; readonly promised: ReadonlySet<string> }[];
}

/** Every state that a power cut leaves at every moment of a recorded stream. Throws what is wrong. */
async function walk({ start, events }: Recorder): Promise<Walk> {
  const enumerator = new Enumerator(depth, new Library());
  const disk = start.copy();
  const result: Walk = { states: 0, killed: [] };
  let promised: ReadonlySet<string> = new Set();
  const judged = new Map<string, Set<ReadonlySet<string>>>();
  for (const [at, event] of events.entries()) {
    if ('promised' in event) promised = event.promised;
    else disk.apply(event.operation);
    for (const remains of enumerator.remains(disk)) {
      const known = judged.get(remains.key) ?? new Set();
      if (known.has(promised)) continue;
      judged.set(remains.key, known.add(promised));
      const problem =
        wrong(remains.contents(), promised) ??
        (result.states++ % collectEvery === 0 ? await collect(remains.contents(), promised) : undefined);
      if (problem !== undefined) throw new Error(`after event ${at}: ${problem}; the disk: ${remains.what()}`);
    }
    if (at % restartEvery === 0) result.killed.push({ disk: disk.copy(), promised });
  }
  return result;
}

t.test('a process that is killed while it creates the folders leaves folders that the next one makes durable', async (t) => {
  const disks: Disk[] = [];
  const disk = new Disk();
  const files = new SimulatedDisk(disk);
  files.after = () => disks.push(disk.copy());
  open(files);
  t.equal(disks.length, 260);
  for (const at of [0, 1, 200, 257, 258, 259]) {
    const next = new Recorder((disks[at] as Disk).copy());
    await next.store(sample('one', 2300));
    t.ok((await walk(next)).states > 10, `killed after operation ${at}`);
  }
});

for (const [name, run] of Object.entries(workloads)) {
  t.test(`no crash loses a blob or shows a part of one: ${name}`, async (t) => {
    const world = new Recorder();
    await run(world);
    t.ok(filesIn(world.files).length > 0);
    const { states, killed } = await walk(world);
    let all = states;
    // A process that is killed leaves what it wrote to the next one, which may lose power.
    for (const { disk, promised } of killed) {
      const next = new Recorder(disk, promised);
      await next.store(sample('one', 2300));
      await next.store(sample('b', 1100));
      all += (await walk(next)).states;
    }
    t.ok(all > 200, `${all} states`);
  });
}
