/** Batches: whatever a document says, it is refused with a place in it, or all that it changes is in its record and in its events. */
import { operationsIn } from '../../../src/api/batch-operations.ts';
import type { Api, Request } from '../../../src/api/declaration.ts';
import { checkBatch, decideBatch } from '../../../src/engine/write/decide-batch.ts';
import { Problem } from '../../../src/http/problem.ts';
import { parseJsonBody } from '../../../src/http/request/body.ts';
import { idSource, idTime } from '../../../src/lib/text/ids.ts';
import { FieldErrorList } from '../../../src/model/bodies/check-body.ts';
import { projects, resourceOf } from '../../../src/model/resources.ts';
import type { Value } from '../../../src/model/value.ts';
import { applyRecord } from '../../../src/store/apply.ts';
import { type Change, operationOf } from '../../../src/store/operations/operations.ts';
import { decodeRecord, encodeRecord } from '../../../src/store/operations/record.ts';
import type { State } from '../../../src/store/state.ts';
import { Mirror } from '../../support/mirror.ts';
import type { Chance } from '../../support/random.ts';
import { mutateBytes } from '../mutate.ts';
import { must, refusal, type Target } from '../target.ts';
import { mustBeTyped, stateOf } from './record.ts';

const now = Date.UTC(2026, 0, 1);
const [accountId, projectId] = ['acc', 'p1'];
const fixed = { user_id: accountId, created: '2026-01-01T00:00:00.000Z' };
/** How far an identifier may be ahead of the clock: five minutes. */
const aheadMaxMs = 300_000;
/** Identifiers that clients may choose. */
const ids = Array.from({ length: 12 }, (_, at) => `019b76da-a800-7000-8000-${String(at).padStart(12, '0')}`);
const [lower = '', upper = '', a = '', b = '', c = '', d = '', one = '', two = '', free = '', other = ''] = ids;

const put = (collection: 'artboards' | 'popups' | 'objects', parentId: string, values: Value[]): Change => ({
  ...{ op: 'put', path: { accountId, projectId, collection, parentId }, values, created: true },
});
const spots = (...some: string[]): Value[] =>
  some.map((id) => resourceOf.objects.create(id, {}, { type: 'spot', key: `key ${id}` }));

/** A project with two artboards, four objects and two popups. */
const start: readonly (readonly Change[])[] = [
  [{ op: 'put-account', account: { id: accountId, name: 'ann', created: fixed.created } }],
  [{ op: 'put-project', accountId, value: projects.create(projectId, fixed, { name: 'one' }), created: true }],
  [
    put(
      'artboards',
      '',
      [lower, upper].map((id) => resourceOf.artboards.create(id, {}, { type: 'osm', osm_zoom: 15 })),
    ),
  ],
  [put('objects', lower, spots(a, b, c)), put('objects', upper, spots(d))],
  [
    put(
      'popups',
      '',
      [one, two].map((id) => resourceOf.popups.create(id, {}, { attachedTo: a })),
    ),
  ],
];

type Json = Record<string, unknown>;

const onLower = `/artboards/${lower}/objects`;
const onUpper = `/artboards/${upper}/objects`;
const documents: readonly (readonly Json[])[] = [
  [
    {
      method: 'POST',
      path: '/artboards',
      id: free,
      body: { objects: [{ type: 'spot', id: other }, { type: 'spot' }] },
      as: 'new',
    },
    { method: 'PATCH', path: `${onLower}/${a}`, to_artboard: '{new}', before: other, body: { x: 7 } },
    { method: 'PATCH', path: '/artboards/{new}', before: lower },
  ],
  [
    { method: 'DELETE', path: `/artboards/${lower}` },
    { method: 'POST', path: '/artboards', id: lower, body: { objects: [{ type: 'spot', id: b }] }, before: upper },
    { method: 'POST', path: '/popups', id: a, body: { attachedTo: '' }, before: one },
  ],
  [
    { method: 'PATCH', path: `${onLower}/${b}`, to_artboard: upper, keep_places: true, body: {} },
    { method: 'PATCH', path: `${onUpper}/${b}`, to_artboard: lower, before: a, body: { key: '' } },
    { method: 'PATCH', path: `/popups/${two}`, before: one, body: { title: 'first' }, if_match: '*' },
  ],
  [
    { method: 'PATCH', path: `${onLower}/${a}`, body: { x: 1 } },
    { method: 'PATCH', path: `${onLower}/${a}`, to_artboard: upper },
    { method: 'PATCH', path: `${onUpper}/${a}`, to_artboard: lower, body: { y: 2 } },
    { method: 'PATCH', path: `${onLower}/${a}`, body: { x: 3 } },
  ],
  [
    { method: 'PATCH', path: `${onLower}/${c}`, body: { x: 1 } },
    { method: 'DELETE', path: `/artboards/${lower}` },
    { method: 'POST', path: '/artboards', id: lower, body: {} },
    { method: 'POST', path: onLower, id: c, body: { type: 'spot', x: 3 } },
  ],
  [{ method: 'PATCH', path: `/popups/${one}`, before: null, if_match: '"1"' }],
  [
    { method: 'PATCH', path: `${onLower}/${c}`, before: a },
    { method: 'DELETE', path: `${onLower}/${c}` },
    { method: 'POST', path: onLower, id: c, body: { type: 'spot' }, before: b },
    { method: 'PATCH', path: '/', body: { name: 'new', popups: [{ id: two }, {}] }, merge: false },
  ],
];

export function batch(): Target {
  return {
    name: 'batch',
    inputs: 20_000,
    seeds: documents.map((operations) => Buffer.from(JSON.stringify({ operations }))),
    words: [
      ...ids.map((id) => `"${id}"`),
      '"before":',
      '"to_artboard":',
      '"id":',
      'null',
      '"{new}"',
      '"POST"',
      '"PATCH"',
      '"DELETE"',
    ],
    outcomes: ['done', 'invalid', 'missing', 'stale', 'conflict', 'refused: Problem'],
    mutate(input, random) {
      if (random.once(12)) return mutateBytes(input, random);
      return random.once(4) ? withAnotherId(input, random) : changedDocument(input, random);
    },
    run(input) {
      try {
        return carriedOut(parseJsonBody(input));
      } catch (error) {
        return refusal(error, Problem);
      }
    },
  };
}

/** Decides a batch, and carries it out on a state of its own as a restart does: from the bytes of its record. */
function carriedOut({ value: body, fieldErrors: found }: ReturnType<typeof parseJsonBody>): string {
  const state = stateOf(start);
  const source = idSource(() => now);
  const context = { now, responsesBytesMax: 0, newId: () => source.next(), noteId: (id: string) => source.seen(id) } as const;
  const engine = { writer: { context: () => context }, versions: { nameOf: String } };
  const api = { engine, bodyBytesMax: 4096 } as unknown as Api;
  const request = { scope: { accountId, projectId }, body } as unknown as Request;
  const fieldErrors = new FieldErrorList(found);
  const asked = { accountId, projectId, operations: operationsIn(api, request, fieldErrors) };
  toEnd(checkBatch(asked, fieldErrors));
  let overlay = state;
  const result = function* shown(after: State): Generator<void, undefined> {
    yield;
    overlay = after;
    return undefined;
  };
  const decision = toEnd(decideBatch(state, asked, fieldErrors, context, { result }));
  if (decision.outcome === 'invalid')
    must(
      decision.fieldErrors.length > 0 && decision.fieldErrors.every(({ pointer }) => isPlace(pointer, body)),
      'refused without a place in the document',
    );
  if (decision.outcome === 'conflict')
    must(decision.conflict.pointer.startsWith(`/operations/${decision.at}/`), 'a conflict of another operation');
  if (decision.outcome !== 'done') return decision.outcome;
  const mirror = new Mirror();
  mirror.projects = [layoutOf(state) as never];
  applyRecord(state, state.lsn + 1, decodeRecord(encodeRecord({ time: now, changes: decision.changes })).changes);
  must(contentOf(state) === contentOf(overlay), 'the record has another result than the operations one by one');
  const seen = collectionsOf(state).flatMap(({ values }) => values.map(({ id }) => id));
  must(new Set(seen).size === seen.length, 'an identifier that two members have');
  must(
    seen.every((id) => (idTime(id) ?? Number.POSITIVE_INFINITY) <= now + aheadMaxMs),
    'an identifier that is malformed, or ahead of the clock',
  );
  const events = decision.changes.flatMap((change) => [...(operationOf(change).events?.(change, '1') ?? [])]);
  mirror.apply({ id: '1', events: events.map(({ name, data }) => ({ name, data: JSON.parse(data) })) });
  must(idsOf(mirror.projects[0]) === idsOf(layoutOf(state)), 'the events have another result');
  return `done ${[...new Set(decision.changes.map(({ op }) => op))].sort().join()}`;
}

/** True if a pointer leads to the document, to a member of it, or to an operation that it has. */
function isPlace(pointer: string, { operations }: Json): boolean {
  const at = /^\/operations\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
  return at === undefined ? /^(?:\/[^/]*)?$/.test(pointer) : Number(at) < (operations as unknown[]).length;
}

function toEnd<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The members of each collection in their order. Throws if ranks do not ascend, or a member has not the types of its schema. */
function collectionsOf(state: State) {
  const project = state.accounts.get(accountId)?.projects.get(projectId);
  return [...(project?.collections() ?? [])].map(({ name, parentId, collection }) => {
    const members = [...collection.capture()];
    must(
      members.every(({ rank }, i) => i === 0 || rank > (members[i - 1]?.rank as number)),
      'ranks that do not ascend',
    );
    for (const { value } of members) mustBeTyped(resourceOf[name], value);
    return { name, parentId, values: members.map(({ value }) => value) };
  });
}

const contentOf = (state: State): string =>
  JSON.stringify([
    state.accounts.get(accountId)?.projects.get(projectId)?.value,
    collectionsOf(state)
      .filter(({ values }) => values.length > 0)
      .sort((x, y) => (x.name + x.parentId < y.name + y.parentId ? -1 : 1)),
  ]);

/** The project as a GET shows it. */
function layoutOf(state: State): Json {
  const all = collectionsOf(state);
  const valuesIn = (name: string, parent = ''): Json[] =>
    all.find((one) => one.name === name && one.parentId === parent)?.values.map((value) => ({ ...value })) ?? [];
  const artboards = valuesIn('artboards').map((board) => ({ ...board, objects: valuesIn('objects', String(board['id'])) }));
  const own = ['popups', 'data_sources', 'variables', 'actions'].map((name) => [name, valuesIn(name)] as const);
  return { id: projectId, artboards, ...Object.fromEntries(own) };
}

/** Identifiers alone, in their order. */
const idsOf = (project: unknown): string =>
  JSON.stringify(project, (_, value: unknown) => {
    if (Array.isArray(value)) return value;
    const { id, artboards, objects, popups } = Object(value) as Json;
    return typeof value === 'object' ? { id, artboards, objects, popups } : value;
  });

const ahead = '0fffffff-ffff-7000-8000-000000000000';

/** Values for the members of an operation, sound ones and others. */
const values: readonly unknown[] = [
  ...ids,
  ...[
    'POST',
    'PATCH',
    'DELETE',
    '{new}',
    '{x}',
    '',
    'x',
    '*',
    '/popups',
    '/artboards',
    '/',
    onLower,
    `/artboards/${upper}/objects`,
  ],
  ...[...ids].map((id) => `${onLower}/${id}`),
  ...[...ids].map((id) => `${onUpper}/${id}`),
  ...[`/popups/${one}`, `/popups/${two}`, `/artboards/${lower}`, `/artboards/${upper}`, `/artboards/{new}`],
  ...[null, true, 0, -1, {}, [], { type: 'spot' }, { objects: [] }, { objects: [{ type: 'spot', id: c }] }, { popups: [] }],
  ...[ahead, { objects: [{ type: 'spot', id: ahead }] }, { objects: [{ type: 'spot', id: 'x' }] }],
];
const names = ['method', 'path', 'id', 'before', 'to_artboard', 'body', 'as', 'keep_places', 'merge', 'if_match', 'x'];

/** Names another identifier in one place. */
function withAnotherId(input: Buffer, random: Chance): Buffer {
  const text = input.toString();
  const found = [...text.matchAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g)];
  if (found.length === 0) return mutateBytes(input, random);
  const { 0: id, index } = random.pick(found);
  return Buffer.from(text.slice(0, index) + random.pick([...ids, ahead, 'x']) + text.slice(index + id.length));
}

/** Changes operations of a document: their members, their number and their order. */
function changedDocument(input: Buffer, random: Chance): Buffer {
  let read: unknown;
  try {
    read = (JSON.parse(input.toString()) as Json)['operations'];
  } catch {
    return mutateBytes(input, random);
  }
  const operations = Array.isArray(read) ? (read as unknown[]).slice(0, 40) : [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(operations.length + 1);
    const operation = operations[at];
    if (random.once(3)) operations.splice(at, 0, random.pick(random.pick(documents)));
    else if (random.once(4)) operations.splice(at, 1 + random.below(2));
    else if (typeof operation === 'object' && operation !== null)
      operations[at] = { ...operation, [random.pick(names)]: random.pick(values) };
  }
  return Buffer.from(JSON.stringify({ operations }));
}
