// tier: all, process: own
/** Folders of every format version: this version reads each, gives the same responses, writes to it, and refuses unknown versions. */
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import t, { type Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { FolderError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { schemaVersion } from '../../src/model/schema-version.ts';
import { snapshotFormatVersion as snapshotFormat } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { listSegments, segmentFormatVersion as segmentFormat } from '../../src/storage/wal/format/segment.ts';
import { differences, everything } from '../support/everything.ts';
import { Mapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { type Expected, goldenNames, readExpected, unpackGolden } from './golden.ts';

t.setTimeout(600_000);

async function open(t: Test, name: string, options: Partial<ServerOptions> = {}): Promise<Mapwright> {
  const mapwright = new Mapwright(temporaryFolder(t), options);
  unpackGolden(name, mapwright.data);
  t.teardown(() => mapwright.close());
  await mapwright.start();
  return mapwright;
}

async function same(
  t: Test,
  mapwright: Mapwright,
  { accounts, refused, readers, published, keyIds, formats, people }: Expected,
  when: string,
): Promise<void> {
  for (const { name, key, answers, tags } of accounts) {
    const before = new Map(Object.entries(answers));
    const tagsNow: Record<string, string> = {};
    const after = await everything(async (route) => {
      const answer = await mapwright.get(route, { key });
      tagsNow[route] = String(answer.headers.etag);
      return { status: answer.status, text: answer.text };
    });
    t.ok(before.size > 2, `${when}: ${before.size} answers for ${name}`);
    t.strictSame(differences(before, after), [], `${when}: the same bytes everywhere for ${name}`);
    // An empty list has its project's tag until the project comes from a snapshot.
    const ofMembers = (all: Readonly<Record<string, string>>) => Object.entries(all).filter(([route]) => answers[route] !== '[]');
    t.strictSame(ofMembers(tagsNow), ofMembers(tags), `${when}: the same tags everywhere for ${name}`);
  }
  for (const { name, key } of accounts.filter(({ name }) => readers.includes(name)))
    t.equal((await mapwright.post('/projects', {}, { key })).status, 403, `${when}: ${name} may not write`);
  for (const [target, text] of Object.entries(published)) {
    const answer = await mapwright.ask('GET', target, { key: accounts[0]?.key ?? '' });
    // Public answers stay the same in each byte; a response of the API, and what names it, may have got members since.
    if (answer.status === 200 && (target.startsWith('/v1/') || target.endsWith('/map.json')))
      t.strictSame({ ...JSON.parse(answer.text), ...JSON.parse(text) }, JSON.parse(answer.text), `${when}: ${target}`);
    else t.equal(answer.status === 200 ? answer.text : String(answer.status), text, `${when}: ${target}`);
  }
  const present = (await mapwright.server.keys()).map(({ id }) => id).sort();
  t.strictSame(present, keyIds.filter((id) => present.includes(id)).sort(), `${when}: no key more`);
  t.equal(keyIds.length - present.length, formats.schema < 5 && formats.schema > 1 ? 1 : 0, `${when}: only the session is over`);
  if (people !== undefined) {
    const answer = await mapwright.server.fetch('/console/people', { account: 'ann' });
    const found = (await answer.json()) as { name: string; role: string; removed: string | null }[];
    const shown = found.map(({ name, role, removed }) => ({ name, role, removed: removed !== null }));
    t.strictSame(shown, people, `${when}: the people`);
  }
  for (const { why, key } of refused)
    t.equal((await mapwright.get('/projects', { key })).status, 401, `${when}: a ${why} key is refused`);
}

for (const name of goldenNames()) {
  t.test(`a folder of ${name} opens, gives the same responses and can be written`, async (t) => {
    const expected = readExpected(name);
    const folder = path.join(temporaryFolder(t), 'data');
    unpackGolden(name, folder);
    const verified = await run(['verify', '--data', folder]);
    t.equal(verified.code, 0, verified.stdout + verified.stderr);
    const mapwright = await open(t, name);
    await same(t, mapwright, expected, 'opened');
    await mapwright.restart();
    await same(t, mapwright, expected, 'after a restart');
    t.ok(await mapwright.server.snapshot(), 'a snapshot of this version');
    await mapwright.crash();
    await same(t, mapwright, expected, 'after a snapshot and a crash');
    const [ann] = expected.accounts;
    const made = await mapwright.post('/projects', { name: 'of today' }, { key: ann?.key ?? '' });
    await mapwright.crash();
    const found = await mapwright.get(`/projects/${made.shown.id}`, { key: ann?.key ?? '' });
    t.equal(found.text, made.text, 'what this version writes is there beside it');
  });

  t.test(`a folder of ${name} repeats the stored responses of its idempotency keys`, async (t) => {
    const { repeated, accounts } = readExpected(name);
    const mapwright = await open(t, name, { clock: () => repeated.timeMs });
    for (const { at, body, idempotencyKey, answer } of repeated.requests) {
      const headers = { 'idempotency-key': idempotencyKey };
      const again = await mapwright.post(at, body, { headers, key: accounts[0]?.key ?? '' });
      t.strictSame([again.headers['idempotency-replayed'], again.text], ['true', answer], idempotencyKey);
    }
    t.ok(repeated.requests.length > 1);
  });
}

t.test('the golden folders include the formats that this version writes', async (t) => {
  const now = { segment: segmentFormat, snapshot: snapshotFormat, schema: schemaVersion };
  const kept = goldenNames().map((name) => readExpected(name).formats);
  t.strictSame(
    kept.filter((formats) => JSON.stringify(formats) === JSON.stringify(now)),
    [now],
    'after a change of a format: npm run golden -- NAME',
  );
});

/** Replaces bytes under a checksum of their own, and makes the checksum right again. */
function forge(file: string, offset: number, value: number, checked: number): void {
  const bytes = fs.readFileSync(file);
  bytes.writeUInt32LE(value, offset);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, checked)), checked);
  fs.writeFileSync(file, bytes);
}

t.test('a folder of a later format version is refused by number and not changed', async (t) => {
  const newest = goldenNames().at(-1) as string;
  const newestSegment = (folder: string) => listSegments(nodeFiles, path.join(folder, 'journal')).at(-1)?.path as string;
  const cases = [
    ['segment', 8, 508, segmentFormat + 1, newestSegment],
    ['snapshot', 8, 60, snapshotFormat + 1, newestSnapshot],
    ['schema of a snapshot', 12, 60, schemaVersion + 1, newestSnapshot],
  ] as const;
  for (const [what, offset, checked, version, fileIn] of cases) {
    const folder = path.join(temporaryFolder(t), 'data');
    unpackGolden(newest, folder);
    const file = fileIn(folder);
    forge(file, offset, version, checked);
    const before = contentsOf(folder);
    const { code, stderr } = await run(['serve', '--data', folder, '--port', '0']);
    t.equal(code, 1, `${what}: ${stderr}`);
    t.match(
      stderr,
      new RegExp(`${path.basename(file)}.*version ${version}; this mapwright reads.*version ${version - 1}\\.`),
      `${what} is named, with its version`,
    );
    t.notMatch(stderr, /corrupt/i, 'and not called damage');
    t.strictSame(contentsOf(folder), before, `${what}: nothing is written`);
  }
});

/** The files of log and snapshots, with their checksums. */
function contentsOf(folder: string): string[] {
  return ['journal', 'snapshots'].flatMap((part) =>
    fs
      .readdirSync(path.join(folder, part))
      .sort()
      .map((name) => `${name} ${crc32(fs.readFileSync(path.join(folder, part, name)))}`),
  );
}

function newestSnapshot(folder: string): string {
  const snapshots = path.join(folder, 'snapshots');
  return path.join(snapshots, fs.readdirSync(snapshots).sort().at(-1) as string);
}

t.test('an embedding program gets a FolderError for a later format version', async (t) => {
  const mapwright = new Mapwright(temporaryFolder(t), {});
  unpackGolden(goldenNames().at(-1) as string, mapwright.data);
  forge(newestSnapshot(mapwright.data), 8, 1000, 60);
  await t.rejects(mapwright.start(), FolderError);
});
