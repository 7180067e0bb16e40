/** `mapwright inspect`: what stands in a segment or a snapshot, frame by frame and chunk by chunk. Reads only; works on damaged files. */
import { basename, dirname, resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { backupEnding } from '../backup/names.ts';
import { payloadRecords } from '../journal/frame.ts';
import { type Frame, readSegment, type Segment } from '../journal/read-segment.ts';
import { listSegments } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { decodeRecord } from '../model/record.ts';
import { snapshotLsn } from '../snapshot/format.ts';
import { SnapshotReader } from '../snapshot/reader.ts';
import { withOptions } from './options.ts';
import { plural } from './words.ts';

const withRecords = withOptions(
  { records: { type: 'boolean', default: false, describe: 'Print the changes in every record, as JSON' } },
  () => 'Which file? npx mapwright inspect FILE; the files are in the folders journal and snapshots of the data folder.',
);

export const inspectCommand: CommandModule<object, { file: string; records: boolean }> = {
  command: 'inspect <file>',
  describe: 'Print the frames of a segment, or the chunks of a snapshot or a backup',
  builder: (yargs) =>
    withRecords(
      yargs.positional('file', { type: 'string', demandOption: true, describe: 'A .segment, .snapshot or .backup file' }),
    ),
  handler({ file, records }) {
    const path = resolve(file);
    if (snapshotLsn(basename(path).replace(/\.damaged$/, '')) !== undefined || path.endsWith(backupEnding)) inspectSnapshot(path);
    else inspectSegment(path, records);
  },
};

function inspectSegment(path: string, records: boolean): void {
  const file = listSegments(nodeFiles, dirname(path)).find((listed) => listed.path === path);
  if (file === undefined)
    throw new FolderError(
      `${path} is no file with the name of a segment, a snapshot (16 hex digits and .segment or .snapshot) or a backup (.backup).`,
    );
  const segment = readSegment(nodeFiles, file);
  const { header } = segment;
  line(`segment from record ${file.firstLsn}, ${header.segmentBytes} bytes, made ${date(header.createdMs)}`);
  line(`lineage ${header.lineage}, salt ${hex(header.salt)}, --sync ${header.sync}`);
  line('');
  line('    offset  type    records                  payload  crc       written');
  for (const frame of segment.frames) {
    line(describeFrame(frame));
    if (records && frame.type === 'batch') printRecords(frame);
  }
  line('');
  line(describeEnd(segment));
  if (segment.end.kind === 'holed' || segment.end.kind === 'wrong')
    throw new CorruptError(path, segment.end.offset, segment.end.found);
}

function describeFrame({ offset, type, firstLsn, count, payloadBytes, crc, timeMs }: Frame): string {
  const which = count === 0 ? '-' : count === 1 ? `${firstLsn}` : `${firstLsn}..${firstLsn + count - 1}`;
  return `${pad(offset, 10)}  ${type.padEnd(6)}  ${which.padEnd(20)}  ${pad(payloadBytes, 10)}  ${hex(crc)}  ${date(timeMs)}`;
}

function printRecords(frame: Frame): void {
  let lsn = frame.firstLsn;
  for (const bytes of payloadRecords(frame.payload)) {
    const { time, changes } = decodeRecord(bytes);
    line(`            ${lsn++} ${harmless(JSON.stringify({ time: date(time), changes }))}`);
  }
}

/** JSON leaves controls of 8-bit terminals and turns of the writing direction as they are; a client chose them, a terminal would obey. */
function harmless(json: string): string {
  return json.replaceAll(/\p{C}/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

function describeEnd({ end, nextLsn }: Segment): string {
  switch (end.kind) {
    case 'sealed':
      return `Sealed at byte ${end.offset}; the next segment is that from record ${end.successor.firstLsn}.`;
    case 'open':
      return `Open: zeros from byte ${end.offset} on; the next record is ${nextLsn}.`;
    case 'torn':
      return `Ends at byte ${end.offset} in what a broken-off write leaves: ${end.found}. The next record is ${nextLsn}.`;
    case 'holed':
      return `Damaged at byte ${end.offset}: ${end.found}; a frame stands after that, at byte ${end.resumes}.`;
    case 'wrong':
      return `Damaged at byte ${end.offset}: ${end.found}.`;
  }
}

function inspectSnapshot(path: string): void {
  const reader = new SnapshotReader(nodeFiles, path);
  try {
    const { header, trailer } = reader;
    line(`snapshot of everything up to record ${header.lsn}, ${reader.size} bytes, made ${date(header.madeAt)}`);
    line(
      `lineage ${header.lineage}, format ${header.formatVersion}, schema ${header.schemaVersion}, ${plural(reader.projects.length, 'project')}`,
    );
    line('');
    line('    offset  kind      payload  crc');
    for (const { offset, kind, length, crc, problem } of reader.chunks()) {
      line(`${pad(offset, 10)}  ${kind.padEnd(8)}  ${pad(length, 7)}  ${hex(crc)}${problem === undefined ? '' : `  ${problem}`}`);
    }
    line('');
    line(`${plural(trailer.dataChunks, 'chunk')} of data, ${trailer.indexChunks} of the index.`);
    reader.verify();
  } finally {
    reader.close();
  }
}

const pad = (value: number, width: number): string => String(value).padStart(width);
const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
const date = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `no time (${ms})`);

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}
