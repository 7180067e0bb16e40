/**
 * The bytes on the format page are those that the program writes. `UPDATE_FORMAT=1 npm test` writes them into the page after a
 * change of the format, which needs a new version.
 */
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { popups, projects } from '../../src/model/resources.ts';
import { writeSnapshot } from '../../src/storage/snapshot/writer.ts';
import { frameBytes, markFrame, sealFrame, writeFrameHeader } from '../../src/storage/wal/format/frame.ts';
import { encodeSegmentHeader } from '../../src/storage/wal/format/segment.ts';
import { applyRecord } from '../../src/store/apply.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { encodeRecord } from '../../src/store/operations/record.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { projectRoot } from '../support/project.ts';

const page = path.join(projectRoot(import.meta.dirname), 'docs/format.md');
const time = Date.UTC(2026, 0, 1);
const lineage = '00112233445566778899aabbccddeeff';
const salt = 0x5a17;
const accountId = '019b76da-a800-7000-8000-000000000001';
const projectId = '019b76da-a800-7000-8000-000000000002';

const changes: Change[] = [
  { op: 'put-account', account: { id: accountId, name: 'acme', created: '2026-01-01T00:00:00.000Z' } },
  {
    op: 'put-key',
    key: {
      id: 'k7m2q5x3wz4a',
      accountId,
      digest: '5e'.repeat(32),
      created: '2026-01-01T00:00:00.000Z',
      revoked: '',
      expires: '2027-01-01T00:00:00.000Z',
      access: 'read',
      projects: [],
      label: 'widget',
      replacedBy: '',
      rate: '',
      kind: 'key',
      person: '',
    },
  },
  {
    op: 'put-project',
    accountId,
    value: projects.create(projectId, { user_id: accountId, created: '2026-01-01T00:00:00.000Z' }, { name: 'City walk' }),
    created: true,
  },
  {
    op: 'put',
    path: { accountId, projectId, collection: 'popups', parentId: '' },
    values: [popups.create('019b76da-a800-7000-8000-000000000003', {}, { title: 'Hi', maxWidth: 300 })],
    created: true,
  },
  { op: 'start-run', id: 'c0ffee00c0ffee00' },
];

t.test('the bytes on the format page are those that the program writes', async (t) => {
  const shown = { segment: hexdump(segment()), snapshot: hexdump(snapshot()) };
  let text = fs.readFileSync(page, 'utf8');
  for (const [name, dump] of Object.entries(shown)) {
    const block = new RegExp(`(<!-- hexdump: ${name} -->\n\`\`\`\n)[^\`]*(\`\`\`)`);
    t.match(text, block, `the page has a place for the ${name}`);
    text = text.replace(block, (_all, head: string, tail: string) => head + dump + tail);
  }
  if (process.env['UPDATE_FORMAT'] === '1') fs.writeFileSync(page, text);
  t.equal(fs.readFileSync(page, 'utf8'), text);
});

function segment(): Buffer {
  const record = encodeRecord({ time, changes });
  const payload = Buffer.concat([Buffer.alloc(4), record]);
  payload.writeUInt32LE(record.byteLength, 0);
  const batch = Buffer.alloc(frameBytes(payload.byteLength));
  payload.copy(batch, 64);
  const head = { type: 'batch', firstLsn: 1, count: 1, payloadBytes: payload.byteLength, payloadCrc: crc32(payload) } as const;
  const crc = writeFrameHeader(batch, { ...head, previousCrc: 0, timeMs: time }, salt);
  const mark = markFrame(2, crc, time + 100, salt);
  const seal = sealFrame({ firstLsn: 2, salt: 0x5a18 }, mark.crc, time + 200, salt);
  const header = encodeSegmentHeader({ segmentBytes: 16 * 1024 * 1024, lineage, salt, sync: 'always', createdMs: time });
  return Buffer.concat([header, batch, mark.bytes, seal.bytes]);
}

function snapshot(): Buffer {
  const state = new State(runLeaves);
  applyRecord(state, 1, changes);
  const [files, path] = [new SimulatedDisk(), '/snapshot'];
  writeSnapshot(state, { files, path, lineage, nextSalt: 0x5a18, now: time, newestTime: time });
  return files.bytes(path);
}

/** As `hexdump -C` prints it: lines that repeat the one before are a star. */
function hexdump(bytes: Buffer): string {
  const lines: string[] = [];
  let before = '';
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const hex = [...row].map((byte, i) => (i === 8 ? ' ' : '') + byte.toString(16).padStart(2, '0')).join(' ');
    if (hex !== before) {
      const text = [...row]
        .map((byte) => (byte >= 0x20 && byte < 0x7f && byte !== 0x60 ? String.fromCharCode(byte) : '.'))
        .join('');
      lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(48)}  |${text}|`);
    } else if (lines.at(-1) !== '*') {
      lines.push('*');
    }
    before = hex;
  }
  return `${[...lines, bytes.length.toString(16).padStart(8, '0')].join('\n')}\n`;
}
