// tier: normal
/**
 * A snapshot with valid checksums and invalid rows, by a bug or an attack. A request that reads them is refused
 * with their place; everything else is served, nothing is written that a restart could not read, and the process survives.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { pack, unpack } from '../../src/model/stored.ts';
import { chunkKinds } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { packLoosely } from '../fuzz/mutate.ts';
import { type Chunk, putTogether, takenApart } from '../fuzz/snapshot-parts.ts';
import { recordingLog } from '../support/engine.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { run } from '../support/process.ts';
import { test } from '../support/test.ts';

/** A server on a snapshot, of which something was changed while it was stopped. */
async function withChanged(t: Parameters<typeof startMapwright>[0], change: (chunks: Chunk[], header: Buffer) => void) {
  const { log, logged } = recordingLog();
  const mapwright = await startMapwright(t, { log });
  const body = { popups: [{ name: 'one' }, { name: 'two' }], variables: [{ name: 'v' }] };
  const { id } = (await mapwright.post('/projects', body)).shown;
  await mapwright.server.snapshot();
  await mapwright.close();
  const folder = path.join(mapwright.data, 'snapshots');
  const file = path.join(folder, fs.readdirSync(folder)[0] as string);
  const { header, chunks } = takenApart(fs.readFileSync(file)) ?? {};
  if (header === undefined || chunks === undefined) throw new Error('no snapshot');
  change(chunks, header);
  fs.writeFileSync(file, putTogether(header, chunks));
  return { mapwright, at: `/projects/${id}`, file, logged };
}

/** Changes the rows of a chunk in which a word stands. */
const inRows = (word: string, change: (rows: unknown[][]) => unknown) => (chunks: Chunk[]) => {
  const chunk = chunks.find(({ kind, payload }) => chunkKinds[kind] !== 'index' && payload.includes(word)) as Chunk;
  const rows = unpack(chunk.payload) as unknown[][];
  chunk.payload = packLoosely(change(rows) ?? rows);
};

/** Where the popups' rows are wrong: they are refused, and all else goes on. */
async function servedAround(t: Parameters<typeof startMapwright>[0], change: (chunks: Chunk[]) => void, found: RegExp) {
  const { mapwright, at, file, logged } = await withChanged(t, change);
  await mapwright.start();
  const statuses = async (ask: Mapwright) => [
    (await ask.get(`${at}/popups`)).status,
    (await ask.get(`${at}/popups?limit=1`)).status,
    (await ask.post(`${at}/popups`, { name: 'three' })).status,
    (await ask.patch(at, { popups: [] })).status,
    (await ask.get(`${at}/variables`)).status,
    (await ask.post(`${at}/variables`, { name: 'w' })).status,
    (await ask.patch(at, { name: 'new' })).status,
  ];
  // A PATCH of the project shows its popups, after it was made.
  t.strictSame(await statuses(mapwright), [500, 500, 500, 500, 200, 200, 500]);
  const reported = logged.flatMap(([level, { err }]) => (level === 'error' && err instanceof CorruptError ? [err] : []));
  t.ok(
    reported.length >= 5 && reported.every((error) => error.file === file && error.offset > 0),
    'each refusal is logged with file and byte',
  );
  t.match(reported[0]?.found, found);
  await mapwright.restart();
  t.equal((await mapwright.get(`${at}/variables`)).list.length, 2, 'what was written besides is there after a restart');
  await mapwright.close();
  const { code, stdout, stderr } = await run(['verify', '--data', mapwright.data]);
  t.equal(code, 3, 'verify finds it');
  t.match(stdout + stderr, path.basename(file));
}

t.test('a snapshot row with a number in place of text fails only the requests that read it', (t) =>
  servedAround(
    t,
    inRows('two', (rows) => {
      (rows[1] as unknown[])[3] = 7;
    }),
    /name is 7, not text/,
  ),
);

test.all('a snapshot chunk with fewer rows than its index fails only the requests that read it', (t) =>
  servedAround(
    t,
    inRows('two', (rows) => {
      rows.pop();
    }),
    /do not match the index/,
  ),
);

test.all('a snapshot chunk that claims a million elements fails only the requests that read it', (t) =>
  servedAround(
    t,
    (chunks) => {
      const chunk = chunks.find(({ payload }) => payload.includes('two')) as Chunk;
      chunk.payload = Buffer.from([0xdd, 0x01, 0xff, 0xff, 0xff]);
    },
    /not msgpack/,
  ),
);

t.test('a start with invalid key or index rows in the snapshot recovers from the log', async (t) => {
  const { mapwright, at, logged } = await withChanged(t, (chunks) => {
    const chunk = chunks.find(({ kind }) => chunkKinds[kind] === 'keys') as Chunk;
    chunk.payload = pack([[1, 'a', 'd', 'c', '', '', 0, [], '', '']]);
  });
  await mapwright.start();
  t.equal((await mapwright.get(`${at}/popups`)).list.length, 2, 'all of it is in the log too');
  t.ok(
    logged.some(
      ([level, , message]) => level === 'error' && /a snapshot is damaged.*the id of a key is 1, not text/.test(message),
    ),
    'and the damage is reported',
  );
});

t.test('verify reports a snapshot with an invalid time', async (t) => {
  const { file } = await withChanged(t, (_, header) => void header.writeDoubleLE(Number.NaN, 24));
  const { code, stdout } = await run(['verify', file]);
  t.equal(code, 0);
  t.match(stdout, /as of NaN ms/);
});
