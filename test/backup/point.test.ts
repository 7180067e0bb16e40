/** Points in time, names of backups, and the log as text. */
import path from 'node:path';
import t from 'tap';
import { readHistory } from '../../src/storage/backup/backup-history.ts';
import { backupName, parseBackupName } from '../../src/storage/backup/backup-names.ts';
import { type LoggedRecord, readHistoryLog } from '../../src/storage/backup/history-log.ts';
import { parseRecoveryTarget } from '../../src/storage/backup/recovery-target.ts';
import { longHistory } from './world.ts';

t.setTimeout(600_000);

t.test('a point in time is a record number, or a time with or without a zone', async (t) => {
  t.strictSame(parseRecoveryTarget('812'), { lsn: 812 });
  const utc = Date.UTC(2026, 10, 20, 14, 5);
  for (const text of ['2026-11-20T14:05Z', '2026-11-20T14:05:00.000z', '2026-11-20 15:05+01:00', '2026-11-20T08:35:00-05:30'])
    t.strictSame(parseRecoveryTarget(text), { timeMs: utc, local: false }, text);
  t.strictSame(parseRecoveryTarget('2026-11-20T14:05:00.1239Z'), { timeMs: utc + 123, local: false });
  t.strictSame(parseRecoveryTarget('2026-11-20T14:05'), { timeMs: new Date(2026, 10, 20, 14, 5).getTime(), local: true });
  const wrong = [
    '',
    '-1',
    '1.5',
    '2026-11-20',
    '14:05',
    '2026-02-30T10:00Z',
    '2026-13-01T10:00Z',
    '2026-11-20T25:00Z',
    '2026-11-20T14:05X',
    '9'.repeat(16),
  ];
  for (const text of wrong) t.equal(parseRecoveryTarget(text), undefined, text);
});

t.test('names of backups sort by time and contain their record', async (t) => {
  const time = Date.UTC(2026, 10, 20, 14, 5, 0, 999);
  const name = backupName(time, 812);
  t.equal(name, '2026-11-20T14-05-00Z-812.backup');
  t.strictSame(parseBackupName(name), { timeMs: time - 999, lsn: 812, writer: undefined });
  t.equal(parseBackupName(`${name}.5f3a9c01.tmp`)?.writer, '5f3a9c01');
  for (const other of ['x.backup', `${name}.tmp`, `a${name}`, '2026-99-20T14-05-00Z-812.backup'])
    t.equal(parseBackupName(other), undefined, other);
});

t.test('the log as text describes each change with the names of its resources', async (t) => {
  const { image, folder, lastLsn, snapshots, records } = await longHistory(t);
  const read = (from: number, files = image) => {
    const found: LoggedRecord[] = [];
    const { from: first } = readHistoryLog(
      files,
      readHistory(files, [folder]),
      { from, lineage: '' },
      (record) => found.push(record) > 0,
    );
    return { first, found, words: found.flatMap(({ changes }) => changes.map(({ words }) => words)) };
  };
  const { found, words } = read(1);
  t.strictSame(
    found.map(({ lsn, timeMs }) => [lsn, timeMs]),
    [...records].map(([lsn, { time }]) => [lsn, time]),
  );
  const said = [
    /^created the account "ann"$/,
    /^created the key [a-z2-7]{12}$/,
    /^revoked the key [a-z2-7]{12}$/,
    /^created project "one"$/,
    /^created 4 popups \("one 0", "one 1", "one 2" \.\.\.\) in project "one"$/,
    /^created 2 objects \(.*\) in artboard "one" of project "one"$/,
    /^reordered the 3 popups of project "one"$/,
    /^deleted popup "one 2" from project "one"$/,
    /^deleted project "short-lived" \(0 members\)$/,
    /^changed variable "one 200", now "changed" in project "one"$/,
  ];
  for (const pattern of said)
    t.ok(
      words.some((line) => pattern.test(line)),
      `${pattern}`,
    );
  const isRunStart = /^first write since a start of the server \(run [0-9a-f]{16}\)$/;
  t.ok(words.some((line) => isRunStart.test(line)));
  t.ok(found.every(({ changes }) => changes.every(({ account, words }) => account !== undefined || isRunStart.test(words))));
  const [first] = snapshots as [number, number];
  t.strictSame(read(lastLsn - 3).words, words.slice(-read(lastLsn - 3).words.length), 'the same from the newest snapshot on');
  const files = image.copy();
  for (const file of files.named('.segment')) if (Number.parseInt(path.basename(file), 16) <= first) files.delete(file);
  t.equal(read(1, files).first, first + 1, 'what there is');
});
