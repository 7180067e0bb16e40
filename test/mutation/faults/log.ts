/** Faults of the journal, of the segments that are read from it, and of the plan that recovery makes of them. */
import { crc32 } from 'node:zlib';
import type { Segment } from '../../../src/storage/wal/read/read-segment.ts';
import type { Wal } from '../../../src/storage/wal/write/wal.ts';
import { type Fault, seam } from '../seam.ts';

const wal = seam<typeof import('../../../src/storage/wal/write/wal.ts')>('journal', 'src/storage/wal/write/wal');
const journal = seam<typeof import('../../../src/storage/wal/journal.ts')>('journal', 'src/storage/wal/journal');
const frames = seam<typeof import('../../../src/storage/wal/format/frame.ts')>(
  'frames of the log',
  'src/storage/wal/format/frame',
);
const revisions = seam<typeof import('../../../src/storage/wal/format/format-revision.ts')>(
  'format of files',
  'src/storage/wal/format/format-revision',
);
const segments = seam<typeof import('../../../src/storage/wal/read/read-segment.ts')>(
  'segments of the log',
  'src/storage/wal/read/read-segment',
);
const verification = seam<typeof import('../../../src/storage/wal/read/verify-wal.ts')>(
  'segments of the log',
  'src/storage/wal/read/verify-wal',
);
const recovery = seam<typeof import('../../../src/storage/wal/recovery/recover-wal.ts')>(
  'plan of recovery',
  'src/storage/wal/recovery/recover-wal',
);
const repair = seam<typeof import('../../../src/storage/wal/recovery/repair-tail.ts')>(
  'plan of recovery',
  'src/storage/wal/recovery/repair-tail',
);

const waits = seam<typeof import('../../../src/storage/wal/write/deadline-waiters.ts')>(
  'waits for the disk',
  'src/storage/wal/write/deadline-waiters',
);

/** The journal with other members. */
const onWal = (of: (sound: Wal) => Partial<Wal>): Fault =>
  wal({
    openWal: (sound) => async (tail, options) => {
      const opened = await sound.openWal(tail, options);
      for (const [name, value] of Object.entries(of(opened))) Object.defineProperty(opened, name, { value });
      return opened;
    },
  });

/** Segments with a torn end are read otherwise. */
const onTornSegment = (change: (segment: Segment) => Partial<Segment>): Fault =>
  segments.withResult('readSegment', (segment) => (segment.end.kind === 'torn' ? { ...segment, ...change(segment) } : segment));

export const logFaults = {
  'it answers before the record is durable': onWal(() => ({ durable: () => undefined })),
  'the journal does not say that the disk is full': onWal(() => ({ noSpace: undefined })),
  'a seal on a full disk fails as on a broken one': onWal((sound) => {
    const seal = sound.seal.bind(sound);
    return { seal: () => seal().catch(({ message }) => Promise.reject(new Error(message))) };
  }),
  'a wait without a limit ends before the record is durable': journal({ durableAtLast: () => async () => undefined }),
  'a wait without a limit ends when the disk takes too long': journal({
    durableAtLast: () => async (journal, lsn) => await journal.durable(lsn),
  }),

  'waits that overlap are one': waits({
    DeadlineWaiters: ({ DeadlineWaiters }) =>
      class extends DeadlineWaiters {
        #first = Promise.resolve();

        override wait(): Promise<void> {
          if (!this.any) this.#first = super.wait();
          return this.#first;
        }
      },
  }),

  'a frame has the checksum of whatever payload it has': frames.withResult('readFrameHeader', (header, bytes, offset) => {
    if (typeof header === 'string') return header;
    const payload = bytes.subarray(offset + 64, offset + 64 + header.payloadBytes);
    return { ...header, payloadCrc: crc32(payload) };
  }),
  'a file has a revision that can be read': revisions({ readableRevision: () => (_, revision) => revision }),

  'a torn end is read as a gap': onTornSegment(({ end }) => ({
    end: { kind: 'gap', offset: end.offset, found: 'torn', resumes: end.offset },
  })),
  'the frame before a torn end is not read': onTornSegment(({ frames, end, nextLsn }) => {
    const last = frames.at(-1);
    if (last === undefined) return {};
    return {
      frames: frames.slice(0, -1),
      end: { kind: 'torn', offset: last.offset, found: end.kind },
      nextLsn: nextLsn - last.count,
    };
  }),
  'a torn end is read 512 bytes after its beginning': onTornSegment(({ end }) => ({
    end: { kind: 'torn', offset: end.offset + 512, found: end.kind },
  })),
  'a segment without a frame is read as torn': segments.withResult('readSegment', (segment) =>
    segment.end.kind === 'open' && segment.frames.length === 0 && segment.header.large === true
      ? { ...segment, end: { kind: 'torn', offset: segment.end.offset, found: 'no frame' }, blank: false }
      : segment,
  ),
  'verification does not know what the snapshots cover': verification.withArguments(
    'verifyJournal',
    (files, folder, _, ...others) => [files, folder, 0, ...others],
  ),
  'the next record has the LSN of the last one': repair.withArguments('repairTail', (files, plan, options) => [
    files,
    { ...plan, nextLsn: Math.max(1, plan.nextLsn - 1) },
    options,
  ]),
  'the lineage continues whatever was found': recovery({
    recoveringWal: (sound) =>
      function* recover(files, folder, options) {
        const plan = yield* sound.recoveringWal(files, folder, options);
        return { ...plan, lineage: plan.last?.header.lineage };
      },
  }),
} as const satisfies Readonly<Record<string, Fault>>;
