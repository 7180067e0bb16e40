// tier: normal
/**
 * What a program of another format revision wrote is called older or newer, never damaged: by every command, with the way out, and nothing is
 * changed. `before-revisions` was made by the program of 2026-11-25, whose publications had another form.
 */
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import t, { type Test } from 'tap';
import { FolderError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { pack, unpack } from '../../src/model/stored.ts';
import { SnapshotReader } from '../../src/storage/snapshot/reader.ts';
import { formatRevision, oldestRevision } from '../../src/storage/wal/format/format-revision.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { packLoosely } from '../fuzz/mutate.ts';
import { putTogether, takenApart } from '../fuzz/snapshot-parts.ts';
import { startMapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { unpackGolden } from './golden.ts';

const older = 'before-revisions';

/** The files of a folder with their checksums, except the lock. */
function contentsOf(folder: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name)).filter((file) => !file.endsWith('lock'));
  return paths.map((file) => `${path.relative(folder, file)} ${crc32(fs.readFileSync(file))}`).sort();
}

/** A command that reads the folder, and may not write into the new one. */
async function refused(t: Test, args: readonly string[], said: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(args);
  const text = stdout + stderr;
  t.equal(code, 1, `${args[0]}: ${text}`);
  t.match(text, said, `${args[0]} says so`);
  t.notMatch(text, /corrupt|mapwright repair/i, `${args[0]} calls it no damage, and advises no repair`);
}

for (const part of ['log', 'snapshot']) {
  t.test(`an older folder is refused by every command, with the way out: its ${part}`, async (t) => {
    const home = temporaryFolder(t);
    const [data, to] = [path.join(home, 'data'), path.join(home, 'new')];
    unpackGolden(older, data, part);
    const before = contentsOf(data);
    const said = new RegExp(`${data} was written by an older mapwright.*mapwright export --all.*mapwright import`);
    for (const args of [
      ['serve', '--data', data, '--port', '0'],
      ['verify', '--data', data],
      ['repair', '--data', data, '--to', to],
      ['restore', '--from', data, '--data', to],
      ['backup', to, '--data', data],
      ['snapshot', '--data', data],
      ['doctor', '--data', data, '--port', '0'],
    ]) {
      await refused(t, args, said);
      t.notOk(fs.existsSync(path.join(to, 'journal')), `${args[0]} makes no folder of a part of it`);
    }
    t.strictSame(contentsOf(data), before, 'nothing is changed');
  });
}

t.test('an older backup is refused, with the way out', async (t) => {
  const home = temporaryFolder(t);
  unpackGolden(older, home, '.');
  const [backup, to] = [path.join(home, 'whole.backup'), path.join(home, 'new')];
  const said = new RegExp(`${backup} was written by an older mapwright`);
  await refused(t, ['verify', backup], said);
  await refused(t, ['restore', backup, '--data', to], said);
  t.notOk(fs.existsSync(path.join(to, 'journal')));
});

const words = { newer: formatRevision + 1, older: oldestRevision - 1 };

for (const [word, revision] of Object.entries(words)) {
  t.test(`a folder of format revision ${revision} is refused before anything is decoded`, async (t) => {
    const mapwright = await startMapwright(t);
    await mapwright.post('/projects', { name: 'of another revision' });
    await mapwright.server.snapshot();
    await mapwright.close();
    const { data } = mapwright;
    const segment = listSegments(nodeFiles, path.join(data, 'journal')).at(-1)?.path as string;
    const sound = fs.readFileSync(segment);
    const forged = Buffer.from(sound);
    forged.writeUInt16LE(revision, 38);
    forged.writeUInt32LE(crc32(forged.subarray(0, 508)), 508);
    fs.writeFileSync(segment, forged);
    const said = new RegExp(`${data} was written by an? ${word} mapwright.*revision ${revision}`);
    await t.rejects(mapwright.start(), { name: 'FolderError', message: said });
    for (const command of ['verify', 'doctor']) await refused(t, [command, '--data', data], said);
    await refused(t, ['repair', '--data', data, '--to', path.join(data, '..', 'new')], said);
    fs.writeFileSync(segment, sound);

    const snapshots = path.join(data, 'snapshots');
    const file = path.join(snapshots, fs.readdirSync(snapshots)[0] as string);
    const { header, chunks } = takenApart(fs.readFileSync(file)) as NonNullable<ReturnType<typeof takenApart>>;
    const root = chunks.at(-1) as (typeof chunks)[number];
    // Everything else in the root has another form, too.
    root.payload = packLoosely([...Array.from({ length: 8 }, () => 'another form'), revision]);
    fs.writeFileSync(file, putTogether(header, chunks));
    await t.rejects(mapwright.start(), { name: 'FolderError', message: said });
    t.throws(() => new SnapshotReader(nodeFiles, file), FolderError);
  });
}

t.test('what this program writes says its revision, and damage in it stays damage', async (t) => {
  const mapwright = await startMapwright(t);
  await mapwright.post('/projects', { name: 'of this revision' });
  await mapwright.server.snapshot();
  await mapwright.close();
  const snapshots = path.join(mapwright.data, 'snapshots');
  const file = path.join(snapshots, fs.readdirSync(snapshots)[0] as string);
  const { header, chunks } = takenApart(fs.readFileSync(file)) as NonNullable<ReturnType<typeof takenApart>>;
  const root = chunks.at(-1) as (typeof chunks)[number];
  const items = unpack(root.payload);
  t.equal(items[8], formatRevision);
  root.payload = pack([...items.slice(0, 6), 'no runs', ...items.slice(7)]);
  fs.writeFileSync(file, putTogether(header, chunks));
  t.throws(() => new SnapshotReader(nodeFiles, file), { name: 'CorruptError' });
});
