/**
 * Segments of the log, also such as nobody but an enemy writes: every checksum right, and what it guards wrong. Recovery takes them or
 * refuses with a place; what it takes, it takes again after it was settled.
 *
 * An input is a folder: for each segment its first LSN (4 bytes), how many bytes follow (4), and those; zeros fill it up.
 */
import { crc32 } from 'node:zlib';
import { endOfData } from '../../../src/lib/bytes.ts';
import { CorruptError, FolderError } from '../../../src/lib/errors.ts';
import {
  frameAlignBytes,
  frameHeaderBytes,
  holdsRecords,
  isFrameHeader,
  payloadRecords,
  readFrameHeader,
} from '../../../src/storage/wal/format/frame.ts';
import { segmentBytesMin, segmentPath } from '../../../src/storage/wal/format/segment.ts';
import { verifyJournal } from '../../../src/storage/wal/read/verify-wal.ts';
import { recoverWal } from '../../../src/storage/wal/recovery/recover-wal.ts';
import { repairTail } from '../../../src/storage/wal/recovery/repair-tail.ts';
import type { SimulatedDisk } from '../../disk/simulated-disk.ts';
import type { Chance } from '../../support/random.ts';
import { add, FOLDER, newDisk, open } from '../../wal/harness.ts';
import { mutateBytes } from '../mutate.ts';
import { must, refusal, type Target } from '../target.ts';

interface Piece {
  lsn: number;
  bytes: Buffer;
}

const segmentHeaderBytes = 512;
const maxPieces = 5;

export async function log(): Promise<Target> {
  const sound = await soundFolder('always');
  const seeds = [sound, sound.slice(0, 1), sound.slice(1), sound.slice(-1), await soundFolder('interval')].map(join);
  const runs = { verify: 0, settle: 0 };
  return {
    name: 'log',
    inputs: 4000,
    seeds,
    outcomes: ['recovered', 'recovered, cut', 'refused: CorruptError', 'refused: FolderError'],
    mutate,
    run(input) {
      const pieces = split(input);
      for (const { bytes } of pieces) readFrames(bytes);
      const files = folderOf(pieces);
      const findings = runs.verify++ % 3 === 0 ? attempt(() => verifyJournal(files, FOLDER)) : undefined;
      const first = attempt(() => recovered(files));
      if (typeof first === 'string') {
        const startsLate = first.includes('were expected here, the segment begins with');
        must(
          findings === undefined || typeof findings === 'string' || findings.length > 0 || startsLate || pieces.length === 0,
          `refused, and verify finds nothing: ${first}`,
        );
        return first;
      }
      const { plan, records } = first;
      // Dear, and much the same each time.
      if (runs.settle++ % 6 === 0) {
        const tail = repairTail(files, plan, { sync: 'always', segmentBytes: segmentBytesMin });
        must(tail.nextLsn === plan.nextLsn, 'settling has changed what comes next');
        const again = recovered(files);
        must(again.plan.cut === undefined, 'there is something to cut after it was cut');
        must(again.records.join() === records.join(), 'other records after settling');
      }
      return `recovered${plan.cut === undefined ? '' : ', cut'} ${Math.min(records.length, 8)}`;
    },
  };
}

/** What reading comes to: a result, or a refusal that names a place in a file. */
function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof CorruptError) {
      must(error.offset >= 0 && error.offset <= segmentBytesMin, `a place that is none: ${error.message}`);
      must(error.file.startsWith(FOLDER), `a file that is none: ${error.message}`);
    }
    return refusal(error, CorruptError, FolderError);
  }
}

function recovered(files: SimulatedDisk) {
  const records: string[] = [];
  const plan = recoverWal(files, FOLDER, {
    after: 0,
    onRecord: (lsn, bytes) => {
      must(lsn === records.length + 1, `record ${lsn} where ${records.length + 1} was next`);
      records.push(`${crc32(bytes)}`);
    },
  });
  must(plan.nextLsn === records.length + 1, 'a gap at the end');
  return { plan, records };
}

/** Every header that stands anywhere, also where no reader would look. */
function readFrames(bytes: Buffer): void {
  if (bytes.length < segmentHeaderBytes) return;
  const salt = bytes.readUInt32LE(32);
  for (let at = segmentHeaderBytes; at < bytes.length; at += frameAlignBytes) {
    if (!isFrameHeader(bytes, at, salt)) continue;
    const found = readFrameHeader(bytes, at);
    if (typeof found === 'string') continue;
    const payload = bytes.subarray(at + frameHeaderBytes, at + frameHeaderBytes + found.payloadBytes);
    must(payload.length === found.payloadBytes, 'a frame that reaches beyond its file');
    if (found.type !== 'batch' || !holdsRecords(payload, found.count)) continue;
    let [count, length] = [0, 0];
    for (const record of payloadRecords(payload)) {
      count++;
      length += 4 + record.length;
    }
    must(count === found.count && length === payload.length, 'records that are not those of the frame');
  }
}

async function soundFolder(sync: 'always' | 'interval'): Promise<Piece[]> {
  const files = newDisk();
  const { wal } = await open(files, { sync });
  for (let i = 1; i <= 3; i++) await add(wal, `record ${i}`);
  await wal.seal();
  await add(wal, 'x'.repeat(700));
  wal.append(Buffer.from('two in'));
  await wal.durable(wal.append(Buffer.from('one frame')));
  await wal.seal();
  await add(wal, 'last');
  await wal.close();
  return files
    .list()
    .filter((name) => name.endsWith('.segment'))
    .map((name) => ({ lsn: Number.parseInt(name, 16), bytes: files.bytes(name) }));
}

function join(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(
    pieces.flatMap(({ lsn, bytes }) => {
      const head = Buffer.alloc(8);
      const end = endOfData(bytes);
      head.writeUInt32LE(lsn, 0);
      head.writeUInt32LE(end, 4);
      return [head, bytes.subarray(0, end)];
    }),
  );
}

function split(input: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at + 8 <= input.length && pieces.length < maxPieces; ) {
    const length = input.readUInt32LE(at + 4);
    pieces.push({ lsn: input.readUInt32LE(at), bytes: input.subarray(at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return pieces;
}

function folderOf(pieces: readonly Piece[]): SimulatedDisk {
  const files = newDisk();
  for (const { lsn, bytes } of pieces) {
    const whole = Buffer.alloc(segmentBytesMin);
    bytes.copy(whole);
    // A file that is cut short stays so.
    files.put(segmentPath('', lsn), bytes.length < segmentHeaderBytes ? bytes : whole);
  }
  return files;
}

function mutate(input: Buffer, random: Chance): Buffer {
  if (random.once(20)) return mutateBytes(input, random);
  const pieces = split(input).map(({ lsn, bytes }) => ({ lsn, bytes: Buffer.from(bytes) }));
  for (let left = 1 + random.below(3); left > 0 && pieces.length > 0; left--) {
    const piece = random.pick(pieces);
    switch (random.below(8)) {
      case 0:
        piece.bytes = Buffer.from(mutateBytes(piece.bytes, random));
        break;
      case 1:
        pieces.splice(random.below(pieces.length), 1);
        break;
      case 2:
        piece.lsn = Math.max(0, piece.lsn + random.below(3) - 1);
        break;
      case 3:
        moveFrames(piece, random, random.pick(pieces));
        break;
      default:
        changeHeader(piece, random);
    }
    // The checksums made right again: what is wrong now is wrong on purpose.
    if (!random.once(4)) heal(piece.bytes, random.once(3) ? 'frames' : 'chain');
  }
  return join(pieces);
}

/** Copies, swaps or drops whole sectors, also between segments. */
function moveFrames(piece: Piece, random: Chance, other: Piece): void {
  const sectors = (bytes: Buffer) => Math.ceil(bytes.length / frameAlignBytes);
  const from = random.below(sectors(other.bytes)) * frameAlignBytes;
  const frame = other.bytes.subarray(from, from + frameAlignBytes * (1 + random.below(3)));
  const to = Math.max(1, random.below(sectors(piece.bytes) + 1)) * frameAlignBytes;
  const padded = Buffer.alloc(Math.max(piece.bytes.length, to));
  piece.bytes.copy(padded);
  piece.bytes = Buffer.concat([padded.subarray(0, to), frame, padded.subarray(random.once(2) ? to : to + frameAlignBytes)]);
}

/** Another number in a header: of the segment, or of one of its frames. */
function changeHeader(piece: Piece, random: Chance): void {
  const { bytes } = piece;
  const sector = random.once(5) ? 0 : random.below(Math.ceil(bytes.length / frameAlignBytes)) * frameAlignBytes;
  const places = sector === 0 ? [8, 12, 32, 36] : [4, 8, 12, 16, 20, 24, 28, 32, 64, 68, 72];
  const place = sector + random.pick(places);
  if (place + 4 > bytes.length) return;
  const now = bytes.readUInt32LE(place);
  const next = random.pick([0, 1, 2, 3, now + 1, now - 1, now ^ (1 << random.below(31)), 0x7fff_ffff, 0xffff_ffff]);
  bytes.writeUInt32LE(next >>> 0, place);
}

/** Makes the checksums right; with `chain` also what ties the frames together. */
function heal(bytes: Buffer, what: 'frames' | 'chain'): void {
  if (bytes.length < segmentHeaderBytes) return;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 508)), 508);
  const salt = bytes.readUInt32LE(32);
  let previous: number | undefined;
  for (let at = segmentHeaderBytes; at + frameHeaderBytes <= bytes.length; at += frameAlignBytes) {
    if (bytes.toString('latin1', at, at + 4) !== 'mwF1') continue;
    const payloadBytes = bytes.readUInt32LE(at + 20);
    bytes.writeUInt32LE(crc32(bytes.subarray(at + frameHeaderBytes, at + frameHeaderBytes + payloadBytes)), at + 24);
    if (what === 'chain' && previous !== undefined) bytes.writeUInt32LE(previous, at + 28);
    previous = crc32(bytes.subarray(at, at + 60), salt);
    bytes.writeUInt32LE(previous, at + 60);
  }
}
