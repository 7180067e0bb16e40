// tier: normal
/** Bit rot: a damaged log gives a prefix of the written records, or is refused. */
import t, { type Test } from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { type SyncMode, segmentPath } from '../../src/storage/wal/format/segment.ts';
import { readSegment } from '../../src/storage/wal/read/read-segment.ts';
import { verifyJournal } from '../../src/storage/wal/read/verify-wal.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { randomFrom } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, texts } from './harness.ts';

const SEGMENTS = [1, 4];
const WRITTEN = texts(1, 6);

/** Records 1 to 3 sealed, 4 to 6 in the last segment, a frame for each, and a mark. */
async function folder(sync: SyncMode = 'always'): Promise<SimulatedDisk> {
  const files = newDisk();
  const { wal } = await open(files, { sync });
  for (const text of WRITTEN.slice(0, 3)) await add(wal, text);
  await wal.seal();
  for (const text of WRITTEN.slice(3)) await add(wal, text);
  await wal.close();
  return files;
}

/** Where in a segment bytes mean something: the header's fields and CRC, and the frames without their padding. */
function meaningful(files: SimulatedDisk, lsn: number): [start: number, end: number][] {
  const { frames } = readSegment(files, { firstLsn: lsn, path: segmentPath(FOLDER, lsn) });
  const ofFrames = frames.map((frame): [number, number] => [frame.offset, frame.offset + 64 + frame.payloadBytes]);
  return [[0, 48], [508, 512], ...ofFrames];
}

/** How the folder reads now: `refused`, or the number of records, which must be the first ones written. */
function outcome(files: SimulatedDisk): number | 'refused' | 'wrong' {
  try {
    const records = recordsIn(files);
    return records.every((record, i) => record === WRITTEN[i]) ? records.length : 'wrong';
  } catch (error) {
    if (error instanceof CorruptError) return 'refused';
    throw error;
  }
}

/** How many bits apart the ones are that are flipped. */
const bitStep = sized({ sample: 101, all: 1 });

/** Spoils the folder in many ways, each undone after it, and counts the outcomes. */
function tally(
  t: Test,
  files: SimulatedDisk,
  ways: Iterable<[what: string, spoil: () => void, undo: () => void]>,
): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const [what, spoil, undo] of ways) {
    spoil();
    const result = outcome(files);
    if (result === 'wrong') t.fail(`wrong data: ${what}`);
    counts.set(result, (counts.get(result) ?? 0) + 1);
    undo();
  }
  t.equal(outcome(files), 6, 'all damage was undone');
  return counts;
}

t.test('a log with any flipped bit gives a prefix of its records or is refused', async (t) => {
  const files = await folder();
  function* flips(): Generator<[string, () => void, () => void]> {
    for (const lsn of SEGMENTS) {
      const bytes = files.raw(segmentName(lsn));
      for (const [start, end] of meaningful(files, lsn)) {
        for (let bit = start * 8 + (seed % bitStep); bit < end * 8; bit += bitStep) {
          const flip = () => {
            bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
          };
          yield [`segment ${lsn}, bit ${bit}`, flip, flip];
        }
      }
    }
  }
  const counts = tally(t, files, flips());
  t.same([...counts.keys()].sort(), [6, 'refused']);
  if (bitStep === 1) t.equal(counts.get(6), 64 * 8, 'only the mark at the end may be lost unnoticed');
});

t.test('a log with a flipped bit in any sector gives a prefix of its records or is refused', async (t) => {
  const files = await folder();
  function* flips(): Generator<[string, () => void, () => void]> {
    for (const lsn of SEGMENTS) {
      const bytes = files.raw(segmentName(lsn));
      for (let at = 300; at < bytes.byteLength; at += at < 8192 ? 512 : 8192) {
        const flip = () => {
          bytes[at] = (bytes[at] as number) ^ 1;
        };
        yield [`segment ${lsn}, byte ${at}`, flip, flip];
      }
    }
  }
  const counts = tally(t, files, flips());
  t.same([...counts.keys()].sort(), [6, 'refused']);
  t.equal(counts.get('refused'), 2, 'a header is refused whole; padding, and what follows the end, holds nothing');
});

t.test('a log with any zeroed sector gives a prefix of its records or is refused', async (t) => {
  const files = await folder();
  function* zeroes(): Generator<[string, () => void, () => void]> {
    for (const lsn of SEGMENTS) {
      const bytes = files.raw(segmentName(lsn));
      for (let at = 0; at < 8192; at += 512) {
        const held = Buffer.from(bytes.subarray(at, at + 512));
        yield [`segment ${lsn}, sector at ${at}`, () => bytes.fill(0, at, at + 512), () => held.copy(bytes, at)];
      }
    }
  }
  const counts = tally(t, files, zeroes());
  t.same([...counts.keys()].sort(), [6, 'refused']);
  t.equal(counts.get('refused'), 1 + 4 + 1 + 3, 'headers, frames, the seal');
});

t.test('a log truncated at any length gives a prefix of its records or is refused', async (t) => {
  const files = await folder();
  function* cuts(): Generator<[string, () => void, () => void]> {
    for (const lsn of SEGMENTS) {
      const name = segmentName(lsn);
      const whole = files.raw(name);
      const lengths = [...Array.from({ length: 2048 }, (_, i) => i * 512), 1, 511, 513, 1023, 4097, whole.byteLength - 1];
      for (const length of lengths) {
        yield [`segment ${lsn}, ${length} bytes`, () => files.put(name, whole.subarray(0, length)), () => files.put(name, whole)];
      }
    }
  }
  t.same([...tally(t, files, cuts()).keys()], ['refused'], 'a segment has its size from birth');
});

t.test('a randomly damaged log gives a prefix of its records or is refused, in every sync mode', async (t) => {
  const random = randomFrom(20_240_229);
  for (const sync of ['always', 'interval', 'never'] as const) {
    const files = await folder(sync);
    function* spoils(): Generator<[string, () => void, () => void]> {
      for (let i = 0; i < 200; i += 1) {
        const bytes = files.raw(segmentName(SEGMENTS[random(2)] as number));
        const held = Buffer.from(bytes.subarray(0, 8192));
        const start = random(4096);
        const spoil = () => {
          const end = start + 1 + random(900);
          for (let at = start; at < end; at += 1) bytes[at] = random(256);
        };
        yield [`${sync}, try ${i}`, spoil, () => held.copy(bytes, 0)];
      }
    }
    const counts = tally(t, files, spoils());
    t.ok((counts.get('refused') ?? 0) > 50, JSON.stringify([...counts]));
  }
});

t.test('verify lists all damage that recovery refuses, also below a snapshot', async (t) => {
  const files = await folder();
  t.same(verifyJournal(files, FOLDER), []);
  for (const lsn of SEGMENTS) {
    const bytes = files.raw(segmentName(lsn));
    bytes[1600] = (bytes[1600] as number) ^ 1;
  }
  const findings = verifyJournal(files, FOLDER);
  t.match(findings, [
    { file: segmentPath(FOLDER, 1), offset: 1536, problem: /payload does not match its CRC/ },
    { file: segmentPath(FOLDER, 4), offset: 1536, problem: /payload does not match its CRC/ },
  ]);
  files.put(segmentName(1), Buffer.alloc(100));
  t.match(verifyJournal(files, FOLDER)[0], { file: segmentPath(FOLDER, 1), problem: /header is cut short/ });
  files.delete(segmentName(4));
  t.equal(verifyJournal(files, FOLDER).length, 1);
});
