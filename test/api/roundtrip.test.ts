/**
 * Every valid body is stored and read back exactly: as a row, in a record of the log, in a chunk of a snapshot. A decoded record changes
 * the state as the original one.
 */

import t from 'tap';
import { parseJson } from '../../src/lib/json/json.ts';
import type { Key } from '../../src/model/account.ts';
import { check, FieldErrorList } from '../../src/model/bodies/check-body.ts';
import type { CollectionPath } from '../../src/model/collection-path.ts';
import { newSlug } from '../../src/model/publication.ts';
import { filePath } from '../../src/model/references/file-references.ts';
import type { CollectionName, Resource } from '../../src/model/resource.ts';
import { projects, resourceOf } from '../../src/model/resources.ts';
import { pack, unpack } from '../../src/model/stored.ts';
import type { Body, Value } from '../../src/model/value.ts';
import { applyRecord } from '../../src/store/apply.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { changesIn, decodeRecord, encodeRecord, RecordBuilder } from '../../src/store/operations/record.ts';
import { packMembers, unpackMembers } from '../../src/store/rows/member-rows.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { bodyOf } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';
import { resourcesOfDocument } from '../support/resources.ts';
import { sized } from '../support/tier.ts';

const accountId = '01890000-0000-7000-8000-000000000001';
const projectId = '01890000-0000-7000-8000-000000000002';
const fixed = { user_id: accountId, created: '2024-01-02T03:04:05.678Z' };

/** What the server sets besides the identifier. */
const fixedOf = (resource: Resource): Body => (resource === projects ? fixed : resource === resourceOf.files ? fixedOfFile : {});

const fixedOfFile = {
  ...{ type: 'image/png', bytes: 1, width: 3, height: 2, created: fixed.created },
  ...{ url: filePath(newSlug(0), 'a.png'), digest: '0'.repeat(64) },
};

/** The body as a request's bytes would be read; `undefined` when it would be refused. */
function read(resource: Resource, body: object): Body | undefined {
  const parsed = parseJson(Buffer.from(JSON.stringify(body)));
  if (parsed.failure !== undefined || parsed.fieldErrors.length > 0) return undefined;
  const fieldErrors = new FieldErrorList();
  for (const _ of check(resource, 'create', parsed.value, fieldErrors));
  return fieldErrors.size === 0 ? (parsed.value as Body) : undefined;
}

function mustBe(what: string, found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}\n  found  ${a}\n  wanted ${b}`);
}

const values = (resource: Resource): fc.Arbitrary<Value> =>
  bodyOf(resource, { elements: 0 })
    .map((body) => read(resource, body))
    .filter((body) => body !== undefined)
    .map((body) => resource.create(projectId, fixedOf(resource), body));

for (const resource of resourcesOfDocument) {
  t.test(`${resource.title}: every valid body is read back exactly from rows, records and snapshots`, async (t) => {
    let accepted = 0;
    const numRuns = sized({ sample: 40, all: 300 });
    fc.assert(
      fc.property(bodyOf(resource, { elements: 0 }), (sent) => {
        const body = read(resource, sent);
        if (body === undefined) return;
        accepted++;
        const value = resource.create(projectId, fixedOf(resource), body);
        for (const [name, member] of Object.entries(body)) {
          const field = resource.fields.find((each) => each.name === name && !each.fills);
          if (field !== undefined) mustBe(`${name} in memory`, value[name] ?? field.fallback, member);
        }
        mustBe('a row', resource.fromRow(unpack(pack(resource.toRow(value)))), value);
        const members = unpackMembers(resource, packMembers(resource, [{ value, version: 7, rank: -1.5, json: undefined }]));
        mustBe('a chunk', members, [{ value, version: 7, rank: -1.5 }]);
        mustBe('merged with itself', resource.merge(value, body), value);
      }),
      { numRuns },
    );
    t.ok(accepted > (numRuns * 2) / 3, `${accepted} of ${numRuns} bodies were let in`);
  });
}

const path = (collection: CollectionName, parentId = ''): CollectionPath => ({ accountId, projectId, collection, parentId });
const nameOf = (n: number) => `01890000-0000-7000-8000-1${String(n).padStart(11, '0')}`;

/** Members of one collection, with identifiers from `first` on. */
const membersOf = (collection: CollectionName, first: number) =>
  fc
    .array(values(resourceOf[collection]), { minLength: 1, maxLength: 4 })
    .map((list) => list.map((value, i) => ({ ...value, id: nameOf(first + i) })));

const livePart = { refresh: 60, secret: '5a'.repeat(32), rules: new Uint8Array([4, 5, 6]) };

t.test('a decoded record changes the state as the original one', async (t) => {
  const limit = fc.oneof(fc.constantFrom('none' as const, 'default' as const), fc.maxSafeNat());
  const anyRecord = fc.record({
    head: values(projects),
    artboards: membersOf('artboards', 100),
    objects: membersOf('objects', 200),
    popups: membersOf('popups', 300),
    data_sources: membersOf('data_sources', 400),
    variables: membersOf('variables', 500),
    actions: membersOf('actions', 600),
    time: fc.integer({ min: 0, max: 4e12 }),
    account: fc.string({ unit: 'binary', minLength: 1 }),
    limits: fc.option(
      fc.record({
        rate: fc.constantFrom('default', 'none', '50/m'),
        projects: limit,
        members: limit,
        bytes: limit,
        versions: limit,
      }),
    ),
    terms: fc.record({
      expires: fc.constantFrom('', fixed.created),
      access: fc.constantFrom('write' as const, 'read' as const),
      projects: fc.array(fc.uuid(), { maxLength: 3 }),
      label: fc.string({ unit: 'binary' }),
      replacedBy: fc.constantFrom('', 'j'),
      rate: fc.constantFrom('', '1/s', '1000000/h'),
      kind: fc.constantFrom('key' as const, 'session' as const, 'link' as const),
      person: fc.constantFrom('', 'p'),
    }),
  });
  fc.assert(
    fc.property(anyRecord, ({ head, time, account, limits, terms, ...collections }) => {
      const parentOf = (name: string) => (name === 'objects' ? nameOf(100) : '');
      const named = Object.entries(collections) as [CollectionName, Value[]][];
      const key: Key = { id: 'k', accountId, digest: '0'.repeat(64), created: fixed.created, revoked: '', ...terms };
      const beside = { digest: '3'.repeat(64), bytes: 9 };
      const publication = {
        op: 'put-publication' as const,
        ...{ accountId, projectId: head.id },
        head: {
          slug: newSlug(35),
          origins: [account],
          projectVersion: 2,
          newest: {
            ...{ version: 1, digest: '0'.repeat(64), published: fixed.created, jsonBytes: 5, bytes: 3, blob: '1'.repeat(64) },
            files: [{ slug: newSlug(0), digest: '2'.repeat(64), bytes: 7, type: 'image/png' }],
          },
          live: undefined,
        },
        created: true,
      };
      const records: Change[][] = [
        [
          { op: 'put-account', account: { id: accountId, name: account, created: fixed.created, ...(limits && { limits }) } },
          { op: 'put-key', key },
          { op: 'start-run', id: '0123456789abcdef' },
        ],
        [
          { op: 'put-project', accountId, value: head },
          ...named.map(([name, members]): Change => ({ op: 'put', path: path(name, parentOf(name)), values: members })),
        ],
        named.map(([name, members]): Change => {
          return { op: 'order', path: path(name, parentOf(name)), ids: members.map(({ id }) => id).reverse() };
        }),
        [
          { op: 'place', path: path('popups'), id: nameOf(300), before: null },
          ...collections.objects.slice(0, 1).map((value): Change => {
            return { op: 'move', path: path('objects', nameOf(101)), value, fromArtboard: nameOf(100), before: null };
          }),
        ],
        [
          { op: 'delete', path: path('popups'), ids: [nameOf(300)] },
          { op: 'put-key', key: { ...key, revoked: fixed.created } },
        ],
        [publication],
        [{ ...publication, created: false }],
        ...[{ page: beside }, { picture: beside }, { page: beside, picture: beside }].map((parts): Change[] => [
          { ...publication, head: { ...publication.head, newest: { ...publication.head.newest, ...parts } } },
        ]),
        [{ ...publication, head: { ...publication.head, live: livePart } }],
        [
          { op: 'put-name', accountId, name: 'lindenhof', projectId: head.id, until: '' },
          { op: 'put-name', accountId, name: 'a-1', projectId: '', until: fixed.created },
          { op: 'put-name', accountId, name: 'forgotten', projectId: '', until: '' },
          {
            ...{ op: 'put-visits', accountId, projectId: head.id },
            days: [{ day: 20_454, opened: 300, searches: 2, other: 1, places: new Map([[head.id, 5]]) }],
          },
        ],
        [{ op: 'delete-publication', accountId, projectId: head.id }],
      ];
      const [live, replayed] = [new State(runLeaves), new State(runLeaves)];
      records.forEach((changes, i) => {
        const decoded = decodeRecord(encodeRecord({ time, changes }));
        mustBe('a record', decoded, { time, changes });
        mustBe('a record read change by change', [...changesIn(encodeRecord({ time, changes }))], changes);
        mustBe('a record made change by change', recordBuilt(time, changes), encodeRecord({ time, changes }));
        applyRecord(live, i + 1, changes);
        applyRecord(replayed, i + 1, decoded.changes);
        mustBe('the state', contentsOf(replayed), contentsOf(live));
      });
      const gone: Change[] = [{ op: 'delete-project', accountId, projectId }];
      mustBe('a deletion', decodeRecord(encodeRecord({ time, changes: gone })), { time, changes: gone });
      const allGone: Change[] = [{ op: 'delete-account', accountId }];
      mustBe('a deletion', decodeRecord(encodeRecord({ time, changes: allGone })), { time, changes: allGone });
    }),
    { numRuns: sized({ sample: 12, all: 60 }) },
  );
  t.pass('60 states');
});

/** All that a state holds. */
function contentsOf(state: State): unknown {
  const accounts = [...state.accounts.values()].map(({ projects: held, ...account }) => {
    const all = [...held.values()].map((project) => {
      const { value, version, headVersion, objectsVersion, visits } = project;
      const collections = [...project.collections()].map(({ name, parentId, collection }) => {
        const { version, epoch, nextRank, sorted } = collection;
        return { name, parentId, version, epoch, nextRank, sorted, members: [...collection.capture()] };
      });
      return { value, version, headVersion, objectsVersion, visits, collections };
    });
    return { ...account, all };
  });
  return { ...state, accounts, keys: [...state.keys] };
}

const deleteAccount: Change = { op: 'delete-account', accountId };

/** The bytes of a record that was encoded change by change. */
function recordBuilt(time: number, changes: readonly Change[]): Buffer {
  const builder = new RecordBuilder('');
  for (const change of changes) builder.add(change);
  const record = Buffer.concat(builder.pieces(time));
  if (record.length > builder.bytes) throw new Error(`${record.length} bytes, said to be ${builder.bytes}`);
  return record;
}

t.test('a record built change by change equals the encoded one for any number of changes', async (t) => {
  for (const count of [0, 1, 15, 16, 17, 65_535, 65_536]) {
    const changes = Array.from({ length: count }, () => deleteAccount);
    t.ok(recordBuilt(4e12, changes).equals(encodeRecord({ time: 4e12, changes })), `${count}`);
  }
});
