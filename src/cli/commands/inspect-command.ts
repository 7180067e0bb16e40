/** `mapwright inspect`: prints a segment frame by frame, or a snapshot chunk by chunk. Read-only; works on damaged files. */

import { basename, dirname, resolve } from 'node:path';
import { backupEnding } from '../../backup/backup-names.ts';
import { CorruptError, FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { Change } from '../../model/change.ts';
import { decodeRecord } from '../../model/record.ts';
import { isSnapshotFile, snapshotLsn } from '../../snapshot/format/snapshot-format.ts';
import { type ChunkSeen, SnapshotReader } from '../../snapshot/reader.ts';
import { payloadRecords } from '../../wal/format/frame.ts';
import { listSegments, type SegmentFile } from '../../wal/format/segment.ts';
import { type Frame, readSegment, type Segment } from '../../wal/read/read-segment.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption } from '../option-parsing.ts';
import { plural } from '../output/format-values.ts';
import { assertFile } from '../output/named-file.ts';
import { printJsonLine } from '../output/stdout.ts';

interface InspectOptions {
  readonly records: boolean;
  readonly json: boolean;
}

export const inspectCommand = command({
  ...commandOutlines.inspect,
  positionals: { file: { type: 'string', demandOption: true, describe: 'A .segment, .snapshot or .backup file' } },
  options: {
    records: { type: 'boolean', default: false, describe: 'Print the changes in every record, as JSON' },
    json: { ...jsonOption.json, describe: 'Print JSON lines, for programs: the file, its parts, and how it ends' },
  },
  examples: [
    ['inspect data/store/journal/0000000000000001.segment', 'the frames of a segment'],
    ['inspect data/store/journal/0000000000000001.segment --records', 'with the changes'],
    ['inspect backups/2026-11-20T14-05-00Z-812.backup', 'the chunks of a backup'],
  ],
  needs: () => 'Name a file: npx mapwright inspect FILE. The files are in the folders journal and snapshots of a data folder.',
  notes: 'It changes nothing and needs no server. Exit code 3 if the file is damaged; the output then ends at the damage.',
  handler({ file, ...output }) {
    const path = resolve(file);
    assertFile(path, 'file', 'The files are in the folders journal and snapshots of a data folder.');
    if (isSegment(path)) inspectSegment(path, output);
    else inspectSnapshot(path, output);
  },
});

const isSegment = (path: string): boolean => listSegments(nodeFiles, dirname(path)).some((listed) => listed.path === path);

function inspectSegment(path: string, { records, json }: InspectOptions): void {
  const file = listSegments(nodeFiles, dirname(path)).find((listed) => listed.path === path) as SegmentFile;
  const segment = readSegment(nodeFiles, file);
  const { header, end } = segment;
  if (json) {
    const { segmentBytes: bytes, createdMs, lineage, salt, sync } = header;
    printJsonLine({
      kind: 'segment',
      file: path,
      first_lsn: file.firstLsn,
      bytes,
      made: date(createdMs),
      lineage,
      salt: hex(salt),
      sync,
    });
    for (const frame of segment.frames) {
      printJsonLine(frameJson(frame));
      if (records && frame.type === 'batch')
        for (const record of recordsIn(frame))
          printJsonLine({ kind: 'record', ...record, changes: record.changes.map(withoutContent) });
    }
    printJsonLine({ kind: 'end', ends: end.kind, offset: end.offset, next_lsn: segment.nextLsn, said: describeEnd(segment) });
  } else {
    line(`segment from record ${file.firstLsn}, ${header.segmentBytes} bytes, made ${date(header.createdMs)}`);
    line(`lineage ${header.lineage}, salt ${hex(header.salt)}, synced: ${header.sync}`);
    line('');
    line('    offset  type    records                  payload  crc       written');
    for (const frame of segment.frames) {
      line(describeFrame(frame));
      if (records && frame.type === 'batch') printRecords(frame);
    }
    line('');
    line(describeEnd(segment));
  }
  if (end.kind === 'gap' || end.kind === 'invalid') throw new CorruptError(path, end.offset, end.found);
}

function frameJson({ offset, type, firstLsn, count, payloadBytes, crc, timeMs }: Frame): object {
  const lsns = count === 0 ? {} : { first_lsn: firstLsn, last_lsn: firstLsn + count - 1 };
  return { kind: 'frame', offset, type, ...lsns, payload_bytes: payloadBytes, crc: hex(crc), time: date(timeMs) };
}

function describeFrame({ offset, type, firstLsn, count, payloadBytes, crc, timeMs }: Frame): string {
  const which = count === 0 ? '-' : count === 1 ? `${firstLsn}` : `${firstLsn}..${firstLsn + count - 1}`;
  return `${pad(offset, 10)}  ${type.padEnd(6)}  ${which.padEnd(20)}  ${pad(payloadBytes, 10)}  ${hex(crc)}  ${date(timeMs)}`;
}

function* recordsIn(frame: Frame): Generator<{ lsn: number; time: string; changes: readonly Change[] }> {
  let lsn = frame.firstLsn;
  for (const bytes of payloadRecords(frame.payload)) {
    const { time, changes } = decodeRecord(bytes);
    yield { lsn: lsn++, time: date(time), changes };
  }
}

function printRecords(frame: Frame): void {
  for (const { lsn, ...record } of recordsIn(frame))
    line(`            ${lsn} ${escapeControls(JSON.stringify({ ...record, changes: record.changes.map(withoutContent) }))}`);
}

/** A change without the bytes of a published map, which are compressed. */
function withoutContent(change: Change): object {
  if (change.op !== 'put-publication') return change;
  const { content, ...rest } = change;
  return { ...rest, ...(content && { content_bytes: content.byteLength }) };
}

/** Escapes control characters that JSON permits: clients chose the text, and a terminal would act on them. */
function escapeControls(json: string): string {
  return json.replaceAll(/\p{C}/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

function describeEnd({ end, nextLsn }: Segment): string {
  switch (end.kind) {
    case 'sealed':
      return `Sealed at byte ${end.offset}. The next segment starts with record ${end.successor.firstLsn}.`;
    case 'open':
      return `Open: zeros from byte ${end.offset} on. The next record is ${nextLsn}.`;
    case 'torn':
      return `Ends at byte ${end.offset} in an interrupted write: ${end.found}. The next record is ${nextLsn}.`;
    case 'gap':
      return `Damaged at byte ${end.offset}: ${end.found}. Another frame follows at byte ${end.resumes}.`;
    case 'invalid':
      return `Damaged at byte ${end.offset}: ${end.found}.`;
  }
}

function inspectSnapshot(path: string, { json }: InspectOptions): void {
  const name = basename(path).replace(/\.damaged$/, '');
  const noun = snapshotLsn(name) === undefined ? 'backup' : 'snapshot';
  if (noun === 'backup' && !path.endsWith(backupEnding) && !isSnapshotFile(nodeFiles, path))
    throw new FolderError(
      `${path} is not a segment, snapshot or backup. Segments and snapshots have names of 16 hex digits with .segment or .snapshot; backups start with the header of a snapshot.`,
    );
  const reader = new SnapshotReader(nodeFiles, path);
  try {
    const { header, trailer } = reader;
    const { lsn, lineage, formatVersion: format, schemaVersion: schema } = header;
    const [made, projects, runs] = [date(header.madeAt), reader.projects.length, reader.root.runs.length];
    if (json) printJsonLine({ kind: noun, file: path, lsn, bytes: reader.size, made, lineage, format, schema, projects, runs });
    else {
      line(`${noun} up to record ${lsn}, ${reader.size} bytes, made ${made}`);
      line(`lineage ${lineage}, format ${format}, schema ${schema}, ${plural(projects, 'project')}, ${plural(runs, 'run')}`);
      line('');
      line('    offset  kind      payload  crc');
    }
    for (const chunk of reader.chunks()) printChunk(chunk, json);
    const { dataChunks: data_chunks, indexChunks: index_chunks } = trailer;
    if (json) printJsonLine({ kind: 'end', data_chunks, index_chunks });
    else line(`\n${plural(data_chunks, 'data chunk')}, ${index_chunks} of the index.`);
    reader.verify();
  } finally {
    reader.close();
  }
}

function printChunk({ offset, kind, length, crc, problem }: ChunkSeen, json: boolean): void {
  if (json) printJsonLine({ kind: 'chunk', offset, type: kind, payload_bytes: length, crc: hex(crc), problem: problem ?? null });
  else
    line(`${pad(offset, 10)}  ${kind.padEnd(8)}  ${pad(length, 7)}  ${hex(crc)}${problem === undefined ? '' : `  ${problem}`}`);
}

const pad = (value: number, width: number): string => String(value).padStart(width);
const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
const date = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `no time (${ms})`);

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}
