/** Records: what is decoded is what this program could have written, and goes onto a state without breaking it. */
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Key } from '../../../src/model/account.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { projects, resourceOf } from '../../../src/model/resources.ts';
import { pack, RecordFormatError, unpack } from '../../../src/model/stored.ts';
import type { Value } from '../../../src/model/value.ts';
import { applyRecord } from '../../../src/store/apply.ts';
import type { Change } from '../../../src/store/operations/operations.ts';
import { changesIn, decodeRecord, encodeRecord } from '../../../src/store/operations/record.ts';
import { runLeaves } from '../../../src/store/run-leaf.ts';
import { State } from '../../../src/store/state.ts';
import { dump } from '../../support/engine.ts';
import { mutateMsgpack } from '../mutate.ts';
import { must, refusal, type Target } from '../target.ts';

const account = { id: 'acc', name: 'ann', created: '2026-01-01T00:00:00.000Z' };
const fixed = { user_id: account.id, created: account.created };
const inProject = (collection: 'popups' | 'variables' | 'artboards') => ({
  accountId: 'acc',
  projectId: 'p1',
  collection,
  parentId: '',
});
const onArtboard = { accountId: 'acc', projectId: 'p1', collection: 'objects', parentId: 'a1' } as const;
const coords = [
  { x: 1, y: 2.5 },
  { x: -3, y: 0 },
];

const key: Key = {
  ...{
    id: 'k1',
    accountId: 'acc',
    digest: 'd'.repeat(64),
    created: account.created,
    revoked: '',
    expires: '2030-01-01T00:00:00.000Z',
  },
  ...{ access: 'read', projects: ['p1'], label: 'widget', replacedBy: '', rate: '', kind: 'key', person: '' },
};

const slug = `0${'k'.repeat(26)}`;
const published = {
  ...{ digest: 'a'.repeat(64), published: account.created, jsonBytes: 9, bytes: 3, blob: 'b'.repeat(64) },
  files: [{ slug: `0${'m'.repeat(26)}`, digest: 'c'.repeat(64), bytes: 5, type: 'image/png' }],
};

/** One record of each kind, in an order in which each finds what it needs. */
export const history: readonly (readonly Change[])[] = [
  [
    { op: 'put-account', account },
    { op: 'start-run', id: '0123456789abcdef' },
  ],
  [{ op: 'put-key', key }],
  [
    {
      op: 'put-project',
      accountId: 'acc',
      value: projects.create('p1', fixed, { name: 'one', settings: { a: [1, { b: 2 }] } }),
      created: true,
    },
  ],
  [
    {
      op: 'put',
      path: inProject('popups'),
      values: ['u1', 'u2', 'u3'].map((id) => resourceOf.popups.create(id, {}, { title: id, maxWidth: 7.5 })),
      created: true,
    },
    { op: 'order', path: inProject('popups'), ids: ['u3', 'u1', 'u2'] },
    { op: 'place', path: inProject('popups'), id: 'u2', before: 'u3' },
  ],
  [{ op: 'put', path: inProject('artboards'), values: [resourceOf.artboards.create('a1', {}, { type: 'osm', osm_lat: 48.2 })] }],
  [
    {
      op: 'put',
      path: onArtboard,
      values: [
        resourceOf.objects.create('o1', {}, { type: 'poly', coords }),
        resourceOf.objects.create('o2', {}, { type: 'spot' }),
      ],
    },
  ],
  [
    {
      ...{ op: 'move', path: { ...onArtboard, parentId: 'a2' }, fromArtboard: 'a1', before: null },
      value: resourceOf.objects.create('o1', {}, { type: 'spot', name: 'moved' }),
    },
  ],
  [
    {
      op: 'put',
      path: inProject('variables'),
      values: [resourceOf.variables.create('v1', {}, { color_interpolation_colors: ['#fff'], data_path: { nodes: [1] } })],
    },
  ],
  [
    { op: 'delete', path: inProject('popups'), ids: ['u1'] },
    { op: 'delete', path: onArtboard, ids: ['o2'] },
  ],
  [
    {
      op: 'put-publication',
      accountId: 'acc',
      projectId: 'p1',
      head: {
        ...{ slug, origins: ['*'], projectVersion: 7, live: undefined },
        newest: { ...published, version: 1, page: { digest: 'ab'.repeat(32), bytes: 9 } },
      },
      created: true,
    },
  ],
  [
    {
      op: 'put-publication',
      accountId: 'acc',
      projectId: 'p1',
      head: {
        ...{ slug, origins: ['https://a.example'], projectVersion: 8, newest: { ...published, version: 1 } },
        live: { refresh: 60, secret: '5a'.repeat(32), rules: Buffer.from('rules') },
      },
      created: false,
    },
  ],
  [
    {
      ...{ op: 'put-visits', accountId: 'acc', projectId: 'p1' },
      days: [
        { day: 20_454, opened: 300, searches: 2, other: 1, places: new Map([['019b76da-a800-7000-8000-000000000001', 5]]) },
        { day: 20_455, opened: 1, searches: 0, other: 0, places: new Map() },
      ],
    },
  ],
  [{ op: 'put-name', accountId: 'acc', name: 'lindenhof', projectId: 'p1', until: '' }],
  [
    { op: 'delete-publication', accountId: 'acc', projectId: 'p1' },
    { op: 'put-name', accountId: 'acc', name: 'lindenhof', projectId: '', until: '2026-01-01T00:00:00.000Z' },
  ],
  [{ op: 'delete-key', accountId: 'acc', keyId: 'k7m2q5x3wz4a' }],
  [{ op: 'delete-project', accountId: 'acc', projectId: 'p1' }],
  [{ op: 'delete-account', accountId: 'acc' }],
];

/** A state with something of everything in it. */
export function stateOf(records: readonly (readonly Change[])[] = history.slice(0, -3)): State {
  const state = new State(runLeaves);
  for (const changes of records) applyRecord(state, state.lsn + 1, changes);
  return state;
}

/** Open structures may hold anything; all else is what the schema says. */
const shapes = new Map<Resource, { Check(value: unknown): boolean }>();

function typeOf({ encoding, words }: Resource['fields'][number]): TSchema {
  if (encoding === 'word') return Type.Enum([...words]);
  if (encoding === 'vertices') return Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }));
  const kinds = {
    text: Type.String(),
    number: Type.Number(),
    flag: Type.Boolean(),
    object: Type.Object({}),
    array: Type.Array(Type.Unknown()),
    rings: Type.Array(Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }))),
    json: Type.Object({}),
  };
  return kinds[encoding];
}

/** Throws unless every member has the type that its schema says. */
export function mustBeTyped(resource: Resource, value: Value): void {
  let shape = shapes.get(resource);
  if (shape === undefined) {
    const members = resource.fields.map((field) => {
      const type = typeOf(field);
      return [field.name, field.isOptional ? Type.Optional(type) : type];
    });
    shape = Compile(Type.Object({ id: Type.String(), ...Object.fromEntries(members) }, { additionalProperties: false }));
    shapes.set(resource, shape);
  }
  must(shape.Check(value), `a ${resource.noun} of wrong types: ${JSON.stringify(value).slice(0, 300)}`);
}

export function record(): Target {
  return {
    name: 'record',
    inputs: 40_000,
    seeds: history.map((changes) => encodeRecord({ time: 1, changes })),
    outcomes: ['applied', 'decoded', 'refused: RecordFormatError not msgpack', 'refused: RecordFormatError'],
    mutate: mutateMsgpack,
    run(input) {
      let changes: readonly Change[];
      let oneByOne: readonly Change[] | undefined;
      try {
        oneByOne = [...changesIn(input)];
      } catch (error) {
        refusal(error, RecordFormatError);
      }
      try {
        const decoded = decodeRecord(input);
        changes = decoded.changes;
        must(Number.isFinite(decoded.time), 'a time that is none');
        const again = encodeRecord(decoded);
        must(encodeRecord(decodeRecord(again)).equals(again), 'what was decoded does not come back');
        unpack(pack(unpack(input)));
        if (oneByOne !== undefined)
          must(encodeRecord({ ...decoded, changes: oneByOne }).equals(again), 'one by one they are others');
      } catch (error) {
        must(oneByOne === undefined, 'read one by one, and refused as a whole');
        return refusal(error, RecordFormatError);
      }
      for (const change of changes) {
        if (change.op === 'put-project') mustBeTyped(projects, change.value);
        if (change.op === 'put') for (const value of change.values) mustBeTyped(resourceOf[change.path.collection], value);
        if (change.op === 'move') mustBeTyped(resourceOf[change.path.collection], change.value);
        if (change.op === 'move' || change.op === 'place')
          must(change.before === null || typeof change.before === 'string', 'a place that is no text');
        if (change.op === 'order' || change.op === 'delete')
          must(
            change.ids.every((id) => typeof id === 'string'),
            'an id that is no text',
          );
      }
      // On a state of its own: a change that does not fit is an error that recovery reports as damage.
      const state = stateOf();
      try {
        applyRecord(state, history.length, changes);
      } catch (error) {
        must((error as Error).constructor === Error, `a record that breaks the state: ${(error as Error).stack}`);
        return `decoded, and it does not fit: ${(error as Error).message.replaceAll(/\d+/g, '#')}`;
      }
      dump(state);
      return `applied ${changes.map(({ op }) => op).join()}`.slice(0, 60);
    },
  };
}
