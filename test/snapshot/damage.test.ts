// tier: normal
/**
 * A data folder with a random bit flipped in each meaningful byte, truncated, or with zeroed sectors. A start serves
 * the written state, or nothing and names the damage.
 */
import t, { type Test } from 'tap';
import { verifyFolder } from '../../src/storage/recovery/verify-folder.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { foldersIn } from '../support/engine.ts';
import { randomFrom } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';
import { type Found, restored, type Sample, sample, wrong } from './sample.ts';

t.setTimeout(600_000);

const random = randomFrom(seed);

const world = await sample(t);
const { image, folder, whole } = world;
const [older, newer] = world.snapshots;
const [covered, open] = world.segments.slice(-2) as [string, string];

/** Damages a file for the time of a call. */
function damaged<T>(files: SimulatedDisk, file: string, damage: (bytes: Buffer) => Buffer, look: () => T): T {
  const bytes = files.bytes(file);
  files.put(file, damage(Buffer.from(bytes)));
  try {
    return look();
  } finally {
    files.put(file, bytes);
  }
}

const flip = (at: number) => (bytes: Buffer) => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
  return bytes;
};
const zero = (at: number) => (bytes: Buffer) => bytes.fill(0, at, Math.min(at + 512, bytes.byteLength));
const cut = (length: number) => (bytes: Buffer) => bytes.subarray(0, length);

/** Length of what was written to a segment: what follows are the zeros it was born with. */
function written(file: string): number {
  const bytes = image.bytes(file);
  let end = bytes.byteLength;
  while (bytes[end - 1] === 0) end--;
  return Math.ceil(end / 512) * 512;
}

/** Looks at each damage in turn; counts the starts that would succeed, and fails at the first wrong state. */
function each(
  tap: Pick<Test, 'pass' | 'fail'>,
  file: string,
  damages: Iterable<[what: string, damage: (bytes: Buffer) => Buffer]>,
  judge: (found: Found) => string | undefined,
): { starts: number; refusals: number } {
  const counts = { starts: 0, refusals: 0 };
  for (const [what, damage] of damages) {
    const found = damaged(image, file, damage, () => restored(image, folder));
    counts[found.state === undefined ? 'refusals' : 'starts']++;
    const problem = judge(found);
    if (problem !== undefined) {
      tap.fail(`${what}: ${problem}`);
      return counts;
    }
  }
  tap.pass(`${counts.starts} starts, ${counts.refusals} refusals`);
  return counts;
}

/** One bit of every byte, or of every 37th. */
const byteStep = sized({ sample: 101, all: 1 });

function* flips(from: number, to: number, step = byteStep): Iterable<[string, (bytes: Buffer) => Buffer]> {
  for (let at = from; at < to; at += step) yield [`a bit of byte ${at}`, flip(at)];
}

const flipsIn = (length: number): number => Math.ceil(length / byteStep);

const sound = (found: Found) => wrong(found, [whole], image);

/** The damaged snapshot is reported, and the previous one gives the same state. */
const replaced = (found: Found) => {
  if (found.state === undefined) return 'refused, although the snapshot before it and the log from there are whole';
  if (found.errors.length !== 1 || found.errors[0]?.file !== newer) return 'the damage is not reported';
  return sound(found);
};

t.test('an undamaged folder gives the written state', async (t) => {
  t.strictSame(restored(image, folder), { state: whole, errors: [] });
  t.match(whole, /short-lived|seven/);
  t.equal(world.segments.length, 2);
});

t.test(`damage in any byte of the newest snapshot is reported, and the previous one is used (seed ${seed})`, async (t) => {
  const { length } = image.bytes(newer);
  t.equal(each(t, newer, flips(0, length), replaced).starts, flipsIn(length));
});

t.test('a newest snapshot with another length or a zeroed sector is reported, and the previous one is used', async (t) => {
  const { length } = image.bytes(newer);
  const cuts = Array.from({ length: Math.ceil(length / 3) }, (_, i): [string, (bytes: Buffer) => Buffer] => {
    return [`cut at ${3 * i}`, cut(3 * i)];
  });
  each(t, newer, cuts, replaced);
  const sectors = Array.from({ length: Math.ceil(length / 512) }, (_, i): [string, (bytes: Buffer) => Buffer] => {
    return [`sector ${i}`, zero(512 * i)];
  });
  each(t, newer, sectors, replaced);
  each(t, newer, [['grown', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])]], replaced);
  each(t, newer, [['another snapshot under its name', () => Buffer.from(image.bytes(older))]], replaced);
});

t.test('damage in the previous snapshot does not affect a start', async (t) => {
  const { length } = image.bytes(older);
  const { starts } = each(t, older, flips(0, length), sound);
  t.equal(starts, flipsIn(length));
});

t.test('two damaged snapshots are refused, since the log does not start at the first record', async (t) => {
  for (let i = 0; i < 50; i++) {
    const [one, two] = [random(image.bytes(older).length), random(image.bytes(newer).length)];
    const found = damaged(image, older, flip(one), () => damaged(image, newer, flip(two), () => restored(image, folder)));
    t.equal(found.state, undefined);
    t.equal(found.errors[0]?.file, newer, 'what is wrong first is named');
  }
});

t.test('damage in any byte of a segment above the newest snapshot is refused or harmless', async (t) => {
  const { refusals } = each(t, open, flips(0, written(open) + 512), sound);
  t.ok(refusals > flipsIn(1024), 'the header and all that frames hold is guarded; padding is not');
});

t.test('a segment above the newest snapshot that is truncated or has zeroed sectors is refused or harmless', async (t) => {
  const { length } = image.bytes(open);
  const cuts = Array.from({ length: 80 }, () => random(length)).map((at): [string, (bytes: Buffer) => Buffer] => {
    return [`cut at ${at}`, cut(at)];
  });
  t.equal(each(t, open, cuts, sound).starts, 0);
  const sectors = Array.from({ length: written(open) / 512 + 1 }, (_, i): [string, (bytes: Buffer) => Buffer] => {
    return [`sector ${i}`, zero(512 * i)];
  });
  const { refusals } = each(t, open, sectors, sound);
  t.ok(refusals > 1);
});

t.test('a segment that the newest snapshot covers is read only if that snapshot is damaged', async (t) => {
  const end = written(covered);
  t.equal(each(t, covered, flips(0, end, 29), sound).refusals, 0);
  const without = damaged(
    image,
    newer,
    () => Buffer.alloc(100),
    () => each(t, covered, flips(0, end), sound),
  );
  t.ok(without.refusals > flipsIn(1024));
});

t.test('a folder without one of its files is refused or complete', async (t) => {
  for (const file of [newer, older, covered, open]) {
    const copy = image.copy();
    copy.delete(file);
    const found = restored(copy, folder);
    if (file === open) t.equal(found.state, undefined, 'without the last segment: refused');
    else t.equal(found.state, whole);
  }
  const copy = image.copy();
  for (const file of [newer, covered]) copy.delete(file);
  t.equal(restored(copy, folder).state, undefined, 'a gap above the snapshot that is left');
});

t.test('a damaged last batch is whole or dropped as torn', async (t) => {
  const { batch, without } = lastBatch(world);
  const { starts, refusals } = each(t, open, flips(batch.from, batch.to), (found) => wrong(found, [whole, without], image));
  t.ok(starts > 0 && without !== whole);
  t.equal(refusals, 0, 'a torn tail does not keep the server from starting');
});

t.test('verify finds all damage that a start refuses, with its place', async (t) => {
  const folders = foldersIn(folder);
  t.strictSame(verifyFolder(image, folders, false).findings, []);
  for (const [file, end] of [
    [newer, image.bytes(newer).length],
    [older, image.bytes(older).length],
    [open, 1500],
    [covered, 1500],
  ] as const) {
    for (let i = 0; i < 60; i++) {
      const damage = flip(random(end));
      const refused = damaged(image, file, damage, () => {
        const { findings } = verifyFolder(image, folders, false);
        const found = restored(image, folder);
        const quiet = findings.every((finding) => finding.file !== file);
        return quiet && (found.errors.length > 0 || file.endsWith('.snapshot')) ? 'damage that verify did not find' : undefined;
      });
      if (refused !== undefined) t.fail(`${file}: ${refused}`);
    }
  }
  t.pass('all of it');
});

/** Takes the last mark away, and finds the batch before it. */
function lastBatch({ image: files }: Sample): { batch: { from: number; to: number }; without: string } {
  const bytes = files.bytes(open);
  const mark = written(open) - 512;
  if (bytes.readUInt8(mark + 4) !== 2) throw new Error('the last frame is no mark');
  bytes.fill(0, mark, mark + 512);
  let from = mark - 512;
  while (bytes.toString('latin1', from, from + 4) !== 'mwF1') from -= 512;
  const header = Buffer.from(bytes.subarray(from, from + 64));
  const to = from + 64 + bytes.readUInt32LE(from + 20);
  bytes.fill(0, from, from + 64);
  const without = restored(files, folder).state as string;
  header.copy(bytes, from);
  return { batch: { from, to }, without };
}
