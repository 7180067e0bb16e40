// tier: normal, process: own
/** Files of projects in a cluster: their bytes are in the database before they are acknowledged, and every node serves them. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createCluster, emptyShard } from '../../src/cluster/database/create-cluster.ts';
import { schemaVersion } from '../../src/model/record.ts';
import { blobPath } from '../../src/storage/blobs/blob-path.ts';
import { png } from '../api/pictures.ts';
import { ask } from '../support/client.ts';
import { temporaryFolder } from '../support/process.ts';
import { type LocalNode, newDatabase, startNode } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

const options = { leaseMs: 60_000 };
let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** A picture of three rows in the database. */
const picture = (rest: string): Buffer => png(3, 2, rest.padEnd(2_200_000, '.'));

/** A cluster with an owner, `a`, and a project. */
async function started(t: Test) {
  const folder = temporaryFolder(t);
  const database = await newDatabase(t, pair);
  await createCluster(database.connection, { shards: [emptyShard()], schemaWritten: schemaVersion });
  const start = (name: string) => startNode(t, database.text, path.join(folder, name), options);
  const a = await start('a');
  const { key } = await (await a.owned()).createKey('acme');
  const { id } = (await ask({ url: a.url, key }, 'POST', '/api/v1/projects', { name: 'Harbour' })).json;
  const files = `/api/v1/projects/${id}/files`;
  const upload = async (node: Pick<LocalNode, 'url'>, bytes: Buffer, name = 'plan.png') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
    const response = await fetch(`${node.url}${files}?name=${name}`, { method: 'POST', headers, body: new Uint8Array(bytes) });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const get = async (node: Pick<LocalNode, 'url'>, url: string) => {
    const response = await fetch(node.url + url);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const cached = (node: LocalNode, bytes: Buffer): string => blobPath(path.join(node.data, 'blobs'), digestOf(bytes));
  return { ...{ folder, database, start, a, key, files, upload, get, cached }, project: `/api/v1/projects/${id}` };
}

t.test('a file that was uploaded through any node is served by all, and by the next owner', async (t) => {
  const { database, start, a, upload, get, cached } = await started(t);
  const b = await start('b');
  const bytes = picture('plan');
  const { status, json } = await upload(b, bytes);
  t.equal(status, 200, 'a follower forwards the upload');
  const rows = await database.sql('SELECT n, octet_length(bytes) AS bytes, digest FROM mw_blob ORDER BY n');
  t.match(rows, [
    { bytes: 1024 * 1024 },
    { bytes: 1024 * 1024 },
    { bytes: bytes.length - 2 * 1024 * 1024, digest: digestOf(bytes) },
  ]);
  for (const node of [a, b]) t.ok((await get(node, json.url)).bytes.equals(bytes));
  await a.close();
  await b.owned();
  t.notOk(fs.existsSync(cached(b, bytes)), 'the next owner has no copy yet');
  t.ok((await get(b, json.url)).bytes.equals(bytes));
  t.ok(fs.readFileSync(cached(b, bytes)).equals(bytes), 'now it has');
});
