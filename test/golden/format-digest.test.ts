// tier: normal
/**
 * A change of what is stored is never forgotten: a digest of the rows of all resources, of a record with every operation, and of a snapshot is
 * in format-digests.json, with the format revision and the schema version that it belongs to.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { databaseFormat } from '../../src/cluster/database/tables.ts';
import type { Account } from '../../src/model/account.ts';
import { objects, popups, projects, resourceOf } from '../../src/model/resources.ts';
import { schemaVersion } from '../../src/model/schema-version.ts';
import type { StoredResponse } from '../../src/model/stored-response.ts';
import { writeSnapshot } from '../../src/storage/snapshot/writer.ts';
import { formatRevision } from '../../src/storage/wal/format/format-revision.ts';
import { applyRecord } from '../../src/store/apply.ts';
import { type Change, operations } from '../../src/store/operations/operations.ts';
import { encodeRecord } from '../../src/store/operations/record.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { projectRoot } from '../support/project.ts';

interface Digest {
  readonly revision: number;
  readonly schema: number;
  /** Format of the database of a cluster, which has no revision of its own. */
  readonly database: number;
  readonly digest: string;
  /** Why programs before and after the change read each other's data, although the digest is another one. */
  readonly compatible?: string;
}

const listed = path.join(projectRoot(import.meta.dirname), 'test/golden/format-digests.json');
const id = (n: number) => `019b76da-a800-7000-8000-${String(n).padStart(12, '0')}`;
const time = Date.UTC(2026, 0, 1);
const created = new Date(time).toISOString();
const place = { accountId: id(1), projectId: id(2) };
const popupPath = { ...place, collection: 'popups', parentId: '' } as const;
const hex = (digits: string) => digits.repeat(32);
const slug = `0${'7'.repeat(26)}`;

const account: Required<Account> = {
  ...{ id: id(1), name: 'acme', created },
  limits: { rate: '50/s', projects: 5, members: 'none', bytes: 'default', versions: 7 },
};
const response: Required<StoredResponse> = {
  ...{ key: 'retry', digest: 'digest', time, status: 201, body: [Buffer.from('body')], version: 1 },
};

/** One of each operation, in the order in which they can be applied; those that delete come after the snapshot. */
const samples: { readonly [Op in Change['op']]: Extract<Change, { op: Op }> } = {
  'put-account': { op: 'put-account', account },
  'put-key': {
    op: 'put-key',
    key: {
      ...{ id: 'k7m2q5x3wz4a', accountId: id(1), digest: hex('5e'), created, revoked: created, expires: created, access: 'read' },
      ...{ projects: [id(2)], label: 'widget', replacedBy: 'aaaaaaaaaaaa', rate: '5/s', kind: 'session', person: id(9) },
    },
  },
  sign: { op: 'sign', personId: id(9) },
  'put-person': {
    op: 'put-person',
    person: {
      ...{ id: id(9), accountId: id(1), name: 'Anna Lind', color: '#0b6e4f', email: 'anna@example.com', role: 'editor' },
      ...{ projects: [id(2)], created, removed: created, identities: [{ issuer: 'https://id.example', subject: '42' }] },
    },
  },
  'put-project': {
    ...{ op: 'put-project', accountId: id(1), created: true },
    value: projects.create(id(2), { user_id: id(1), created }, { name: 'City walk', settings: { a: [1] } }),
  },
  put: {
    ...{ op: 'put', path: popupPath, created: true },
    values: [3, 4].map((n) => popups.create(id(n), {}, { title: 'Hi', maxWidth: 300 })),
  },
  order: { op: 'order', path: popupPath, ids: [id(4), id(3)] },
  place: { op: 'place', path: popupPath, id: id(3), before: id(4) },
  move: {
    ...{ op: 'move', path: { ...place, collection: 'objects', parentId: id(5) }, fromArtboard: id(6), before: null },
    value: objects.create(id(7), {}, { name: 'Door' }),
  },
  'put-response': { op: 'put-response', accountId: id(1), response },
  'start-run': { op: 'start-run', id: 'c0ffee00c0ffee00' },
  'put-publication': {
    ...{ op: 'put-publication', ...place, created: true },
    head: {
      ...{ slug, origins: ['*'], projectVersion: 1 },
      live: { refresh: 60, secret: hex('5e'), rules: Buffer.from('rules') },
      newest: {
        ...{ version: 1, digest: hex('5e'), published: created, jsonBytes: 9, bytes: 5, blob: hex('6f') },
        files: [{ slug, digest: hex('7a'), bytes: 3, type: 'image/png' }],
        ...{ page: { digest: hex('8b'), bytes: 7 }, picture: { digest: hex('9c'), bytes: 8 } },
      },
    },
  },
  'put-name': { op: 'put-name', accountId: id(1), name: 'lindenhof', projectId: id(2), until: created },
  'put-visits': {
    ...{ op: 'put-visits', ...place },
    days: [{ day: 20_454, opened: 300, searches: 2, other: 1, places: new Map([[id(7), 5]]) }],
  },
  delete: { op: 'delete', path: popupPath, ids: [id(3)] },
  'delete-publication': { op: 'delete-publication', ...place },
  'delete-project': { op: 'delete-project', ...place },
  'delete-person': { op: 'delete-person', accountId: id(1), personId: id(9) },
  'delete-key': { op: 'delete-key', accountId: id(1), keyId: 'k7m2q5x3wz4a' },
  'delete-account': { op: 'delete-account', accountId: id(1) },
};

/** What each resource has in a row, in order. */
function layouts(): unknown {
  return Object.entries({ ...resourceOf, projects }).map(([name, { fields }]) => [
    name,
    fields.map((field) => [field.name, field.encoding, field.fallback ?? null, field.words, field.isOptional, field.isHidden]),
  ]);
}

function snapshot(changes: readonly Change[]): Buffer {
  const state = new State(runLeaves);
  applyRecord(state, 1, changes);
  const [files, path] = [new SimulatedDisk(), '/snapshot'];
  writeSnapshot(state, { files, path, lineage: '00'.repeat(16), nextSalt: 1, now: time, newestTime: time });
  return files.bytes(path);
}

function digestNow(): string {
  const changes = Object.values(samples);
  const kept = changes.filter(({ op }) => !op.startsWith('delete'));
  const hash = createHash('sha256');
  hash.update(JSON.stringify([operations.map(({ op }) => op), layouts()]));
  hash.update(encodeRecord({ time, changes }));
  hash.update(snapshot(kept));
  return hash.digest('hex');
}

t.test('a change of what is stored has a new revision, a new schema version, or a reason', async (t) => {
  const digests = JSON.parse(fs.readFileSync(listed, 'utf8')) as Digest[];
  const now = { revision: formatRevision, schema: schemaVersion, database: databaseFormat, digest: digestNow() };
  const { compatible: _, ...newest } = digests.at(-1) as Digest;
  t.strictSame(
    newest,
    now,
    [
      'What records, rows or snapshots contain has changed. Decide, and add an entry with the digest to test/golden/format-digests.json:',
      '- this program reads older data, but older programs misread its data: raise schemaVersion (src/model/schema-version.ts);',
      '- this program cannot read older data: raise formatRevision and oldestRevision (src/storage/wal/format/format-revision.ts), and databaseFormat;',
      '- both read each other: leave both, and say why in the member "compatible" of the entry.',
    ].join('\n'),
  );
  for (const [i, { revision, schema, database, compatible = '' }] of digests.entries()) {
    const before = digests[i - 1];
    if (before === undefined) continue;
    t.equal(
      revision > before.revision,
      database > before.database,
      `entry ${i} raises both the revision and the database, or none`,
    );
    if (compatible !== '') continue;
    const isRaised = revision > before.revision || (revision === before.revision && schema > before.schema);
    t.ok(isRaised, `entry ${i} raises the revision or the schema version, or says why it is compatible`);
  }
});
