// tier: normal
/** Filtered and sorted lists: compared with a naive reference, in pages, and during changes. */

import t from 'tap';
import Type from 'typebox';
import { listParameters } from '../../src/api/crud/list-query.ts';
import { bodiesOf } from '../../src/model/bodies/bodies.ts';
import { readOnlyText, text } from '../../src/model/members.ts';
import { defineResource } from '../../src/model/resource.ts';
import { bodyOf } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';
import { type Answer, type Shown, startForRequests } from '../support/mapwright.ts';
import { resourceNamed } from '../support/resources.ts';
import { sized } from '../support/tier.ts';
import { contract, type Member, places, type ResourceName, resourceNames } from './contract.ts';
import { type Asked, listed, memberOf, queryOf, scalarsOf } from './model-resources.ts';
import { nextOf, Pages } from './pages.ts';
import { makeWorld, memberNames, type World } from './world.ts';

const mapwright = await startForRequests(t);
const paged = new Pages(mapwright);

const listMember: Readonly<Record<string, string>> = {
  ...{ Artboard: 'artboards', Popup: 'popups', DataSource: 'data_sources', Variable: 'variables', Action: 'actions' },
};

/** Fills a collection with these and nothing else; for objects, that of the world's artboard. */
async function fill(world: World, name: ResourceName, elements: readonly object[]): Promise<Shown[]> {
  const [at, held] =
    name === 'Object'
      ? [`/projects/${world.projectId}/artboards/${world.artboardId}`, 'objects']
      : [`/projects/${world.projectId}`, listMember[name] as string];
  return (await mapwright.patch(at, { [held]: elements })).shown[held] as Shown[];
}

/** Values that are often the same, for members that are compared. */
const few: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', 'a', 'A', 'aa', 'b', 'é', '\u{1f5fe}', '\uffee', `${'long '.repeat(60)}1`, `${'long '.repeat(60)}2`, 'x&y=+%20,-'],
  number: [0, 1, 1.5, -1, 20, 1e21, 5e-324],
  boolean: [true, false],
};

/** Texts of at most 100 characters. */
const shortTexts: ReadonlySet<string> = new Set(['category', 'match_category', 'match_property', 'tiles']);

/** Bodies of a resource whose values are often the same, and what a list of them may be asked for. */
function lists(name: ResourceName) {
  const scalars = scalarsOf(name);
  // Keys are never the same; a test of their own filters and sorts by them.
  const writable = scalars.filter((each) => contract[name][each]?.readOnly !== true && each !== 'key');
  const likely = (each: string): fc.Arbitrary<unknown> => {
    const { kind, words, minimum, maximum } = contract[name][each] as Member;
    const [least, most] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY];
    const isRight = (value: unknown): boolean =>
      typeof value === 'number' ? value >= least && value <= most : !shortTexts.has(each) || String(value).length <= 100;
    return fc.constantFrom(...(words ?? (few[kind] ?? []).filter(isRight)));
  };
  const values = fc.record(Object.fromEntries(writable.map((each) => [each, likely(each)])));
  const body = fc.tuple(bodyOf(resourceNamed(name), { elements: 0 }), values).map(([any, often]) => ({ ...any, ...often }));
  const names = fc.constantFrom(...scalars);
  const asked = fc.record({
    /** Equal to what the member at this place has. */
    like: fc.nat(20),
    filters: fc.uniqueArray(names, { maxLength: 2 }),
    sort: fc.uniqueArray(names, { maxLength: 8 }),
    descends: fc.nat(255),
    limit: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    fields: fc.option(names, { nil: undefined }),
  });
  return { body, asked };
}

t.test('filtered and sorted lists equal those of a naive reference, whole and in pages', async (t) => {
  for (const name of memberNames) {
    const world = await makeWorld(mapwright);
    const { body, asked } = lists(name);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 1, maxLength: 20 }),
        fc.array(asked, { minLength: 1, maxLength: 6 }),
        async (bodies, questions) => {
          const made = await fill(world, name, bodies);
          for (const { like, filters, sort, descends, limit, fields } of questions) {
            const model = made[like % made.length] as Shown;
            const question: Asked = {
              filters: Object.fromEntries(filters.map((each) => [each, memberOf(model, each)])),
              sort: sort.map((each, i) => ((descends >> i) % 2 === 0 ? each : `-${each}`)),
            };
            const query = `${queryOf(question)}${limit === undefined ? '' : `&limit=${limit}`}`;
            const shown = await paged.collect(`/v1${world.at(name)}?${query}${fields === undefined ? '' : `&fields=${fields}`}`);
            const wanted = listed(made, question).map((each) =>
              fields === undefined
                ? each
                : Object.fromEntries(Object.entries(each).filter(([one]) => one === 'id' || one === fields)),
            );
            if (JSON.stringify(shown) !== JSON.stringify(wanted)) throw new Error(`?${query}: ${JSON.stringify(shown)}`);
            found += wanted.length;
          }
        },
      ),
      { numRuns: sized({ sample: 10, all: 25 }) },
    );
    t.ok(found > 0, `${name}: ${found} members were found`);
  }
});

t.test('lists of projects are filtered and sorted within the projects of the key', async (t) => {
  const key = await mapwright.newKey('carol');
  const made: Shown[] = [];
  for (const name of ['b', 'a', 'c', 'a', 'b', 'a'])
    made.push((await mapwright.post('/projects', { name, popups: [{}] }, { key })).shown);
  const reach = [4, 1, 3, 2].map((i) => (made[i] as Shown).id);
  const { key: few } = await mapwright.server.createKey('carol', { projects: reach });
  const seen = made.filter(({ id }) => reach.includes(id));
  const questions: Asked[] = [
    { filters: { name: 'a' }, sort: [] },
    { filters: {}, sort: ['name', '-created'] },
    { filters: {}, sort: ['-name'] },
    { filters: { user_id: made[0]?.['user_id'] }, sort: ['-id'] },
    { filters: { id: made[2]?.id, created: made[2]?.['created'] }, sort: [] },
    { filters: { name: 'nobody' }, sort: ['thumb'] },
  ];
  for (const question of questions) {
    for (const page of ['', '&limit=1', '&limit=2', '&limit=1000']) {
      const target = `/v1/projects?${queryOf(question)}${page}`;
      t.strictSame(await paged.collect(target, key), listed(made, question), target);
      t.strictSame(await paged.collect(target, few), listed(seen, question), `${target}, a key for some`);
    }
  }
});

t.test('a cursor of another key shows nothing about projects outside the key', async (t) => {
  const key = await mapwright.newKey('dora');
  const long = 'x'.repeat(300);
  const made: Shown[] = [];
  for (const name of [`${long}a`, `${long}b`]) made.push((await mapwright.post('/projects', { name }, { key })).shown);
  const { key: few } = await mapwright.server.createKey('dora', { projects: [(made[1] as Shown).id] });
  const next = nextOf(await mapwright.get('/projects?sort=name&limit=1', { key })) ?? '';
  t.equal((await mapwright.ask('GET', next, { key })).list.length, 1);
  t.equal((await mapwright.ask('GET', next, { key: few })).status, 400, 'as if the first one did not exist');
  await mapwright.delete(`/projects/${made[0]?.id}`, { key });
  t.equal((await mapwright.ask('GET', next, { key })).status, 400);
});

t.test('filters and sort orders compare numbers by value and texts exactly', async (t) => {
  const world = await makeWorld(mapwright);
  const made = await fill(world, 'Object', [
    { type: 'spot', name: 'A', x: 1.5 },
    { type: 'spot', name: 'a', x: 0 },
    { type: 'poly', name: ' a', x: 100 },
    { type: 'poly', name: '-1', x: -1, pin: false },
  ]);
  const places = async (query: string) =>
    (await mapwright.get(`${world.at('Object')}?${query}`)).list.map(({ id }) => made.findIndex((each) => each.id === id));
  t.strictSame(await places('x=1.50'), [0]);
  t.strictSame(await places('x=15E-1'), [0]);
  t.strictSame(await places('x=1e2'), [2]);
  t.strictSame(await places('x=1e%2B2'), [2]);
  t.strictSame(await places('x=-0'), [1]);
  t.strictSame(await places('x=0.0&name=a'), [1]);
  t.strictSame(await places('x=-1&pin=false'), [3]);
  t.strictSame(await places('name=a'), [1], 'case counts');
  t.strictSame(await places('name=+a'), [2], 'so do spaces');
  t.strictSame(await places('name='), []);
  t.strictSame(await places('type=poly&'), [2, 3]);
  t.strictSame(await places('sort=name'), [2, 3, 0, 1]);
  t.strictSame(await places('sort=-x'), [2, 0, 1, 3]);
  t.strictSame(await places('sort=pin,type'), [3, 2, 0, 1], 'false before true, words by their letters, the older first');
  t.strictSame(await places('sort=-type'), [0, 1, 2, 3], 'the older first also where it descends');
});

t.test('filters and sort orders treat an absent member as its default', async (t) => {
  const world = await makeWorld(mapwright);
  const objects = await fill(
    world,
    'Object',
    [true, false, undefined].map((interactive) => ({ type: 'spot', interactive })),
  );
  const actions = await fill(
    world,
    'Action',
    ['b', undefined, '', 'a'].map((popup_id) => ({ popup_id })),
  );
  const places = async (name: ResourceName, made: readonly Shown[], query: string) =>
    (await mapwright.get(`${world.at(name)}?${query}`)).list.map(({ id }) => made.findIndex((each) => each.id === id));
  t.strictSame(await places('Object', objects, 'interactive=true'), [0, 2]);
  t.strictSame(await places('Object', objects, 'interactive=false'), [1]);
  t.strictSame(await places('Object', objects, 'sort=-interactive'), [0, 2, 1]);
  t.strictSame(await places('Action', actions, 'popup_id='), [1, 2]);
  t.strictSame(await places('Action', actions, 'sort=popup_id'), [1, 2, 3, 0]);
  t.strictSame(await places('Action', actions, 'sort=-popup_id&limit=2'), [0, 3]);
});

t.test('HEAD of a list has the headers of GET, and each query has its own tag', async (t) => {
  const world = await makeWorld(mapwright);
  await fill(
    world,
    'Popup',
    ['a', 'b', 'a'].map((name) => ({ name })),
  );
  const tags = new Set<string>();
  for (const query of ['', '?name=a', '?name=b', '?sort=name', '?sort=-name', '?name=a&limit=1', '?sort=name&limit=2']) {
    const at = `/v1${world.at('Popup')}${query}`;
    const headers = { 'x-request-id': 'the-same' };
    const [get, head] = [await mapwright.ask('GET', at, { headers }), await mapwright.ask('HEAD', at, { headers })];
    t.strictSame([head.status, { ...head.headers, date: '' }, head.text], [200, { ...get.headers, date: '' }, ''], query);
    tags.add(String(get.headers.etag));
    t.equal((await mapwright.ask('GET', at)).headers.etag, get.headers.etag);
  }
  t.equal(tags.size, 7);
});

t.test('invalid filters and sort orders of lists are refused with 400', async (t) => {
  const world = await makeWorld(mapwright);
  for (const name of memberNames) if (name !== 'Artboard') await world.make(name);
  for (const name of resourceNames) {
    const at = name === 'Project' ? '/projects' : world.at(name);
    const refused = async (query: string, ...says: RegExp[]) => {
      const { status, problem } = await mapwright.get(`${at}?${query}`);
      const right = status === 400 && problem.code === 'bad_request' && says.every((word) => word.test(problem.detail));
      if (!right) t.fail(`${name} ?${query}: ${status} ${problem.detail}`);
    };
    for (const [each, { kind, words }] of Object.entries(contract[name])) {
      if (scalarsOf(name).includes(each)) {
        for (const query of [`sort=${each}`, `sort=-${each}`])
          t.equal((await mapwright.get(`${at}?${query}`)).status, 200, query);
        await refused(`${each}=1&${each}=1`, /more than once/);
        await refused(`sort=${each},-${each}`, /more than once/);
      } else {
        await refused(`${each}=1`, new RegExp(`^"${each}" is an array or an object: lists cannot be filtered by it`));
        await refused(`sort=${each}`, new RegExp(`"${each}", which is an array or an object: lists cannot be sorted by it`));
      }
      if (kind === 'number') {
        for (const value of [
          '',
          'abc',
          '1e999',
          'NaN',
          'Infinity',
          '+1',
          '%2B1',
          '01',
          '.5',
          '1.',
          '0x10',
          '1_0',
          '1,0',
          'null',
          '%D9%A3',
        ]) {
          await refused(`${each}=${value}`, new RegExp(`"${each}" must be a JSON number`));
        }
      }
      if (kind === 'boolean')
        for (const value of ['', '1', 'TRUE', 'yes', 'null']) await refused(`${each}=${value}`, /"true" or "false"/);
      if (words !== undefined) {
        await refused(`${each}=`, /must be one of/);
        await refused(`${each}=${words[0]}x`, new RegExp(`must be one of "${words[0]}", .*Did you mean "${words[0]}"`));
      }
    }
    await refused('nmae=1', /Unknown query parameter "nmae".*Did you mean "name"/);
    await refused('sort=nmae', /names "nmae", which does not exist; the sortable members are: "id", .*\. Did you mean "name"/);
    for (const sort of [
      '',
      ',',
      'name,',
      '-',
      '--name',
      '+name',
      'name+desc',
      'name:desc',
      '__proto__',
      'constructor',
      'name&sort=id',
    ]) {
      await refused(`sort=${sort}`);
    }
    await refused(`sort=${'-'.repeat(3000)}`);
    const many = scalarsOf(name).slice(0, 9);
    if (many.length === 9) {
      await refused(`sort=${many.join()}`, /more than 8 members/);
      t.equal((await mapwright.get(`${at}?sort=${many.slice(1).join()}`)).status, 200);
    }
  }
});

/** The operators of a member of the contract, besides equality. */
function operatorsOf(name: ResourceName, member: string): readonly string[] {
  const { kind, words } = contract[name][member] as { kind: string; words?: string[] };
  if (member === 'created') return ['gt', 'gte', 'lt', 'lte'];
  if (words !== undefined) return ['in'];
  return { string: ['contains', 'starts', 'in'], number: ['in', 'gt', 'gte', 'lt', 'lte'] }[kind] ?? [];
}

t.test('the parameters of lists have the types of their members', async (t) => {
  const types: Readonly<Record<string, string>> = { string: 'string', number: 'number', boolean: 'boolean' };
  interface Parameter {
    readonly in?: string;
    readonly name: string;
    readonly schema: { readonly type?: string; readonly enum?: string[] };
  }
  const { paths } = (await mapwright.ask('GET', '/openapi.json')).json as {
    paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
  };
  for (const name of resourceNames) {
    const parameters = paths[places[name][0].replaceAll(/<(\w+)>/g, '{$1}')]?.get.parameters ?? [];
    const query = Object.fromEntries(parameters.flatMap((each) => (each.in === 'query' ? [[each.name, each.schema]] : [])));
    const additions = name === 'Object' ? ['places'] : [];
    const filters = scalarsOf(name).flatMap((each) => [
      each,
      ...operatorsOf(name, each).map((operator) => `${each}[${operator}]`),
    ]);
    const box = name === 'Object' ? ['bbox'] : [];
    t.strictSame(Object.keys(query), ['limit', 'cursor', 'fields', 'count', ...additions, 'sort', ...filters, ...box], name);
    for (const each of scalarsOf(name)) {
      const { kind, words } = contract[name][each] as { kind: string; words?: string[] };
      if (words !== undefined) t.strictSame(query[each]?.enum, words, `${name}.${each}`);
      else t.equal(query[each]?.type, types[kind], `${name}.${each}`);
    }
  }
});

t.test('a member named like a parameter of every list is refused at startup', async (t) => {
  for (const taken of ['limit', 'cursor', 'fields', 'count', 'sort']) {
    const schema = Type.Object(
      { id: readOnlyText('Identifier'), [taken]: text() },
      { title: 'Thing', additionalProperties: false },
    );
    t.throws(() => listParameters(defineResource(bodiesOf(schema))), {
      message: new RegExp(`^thing: the member "${taken}" has the name`),
    });
  }
});

const cursor = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

t.test('a cursor of another list, filter or sort order is refused', async (t) => {
  const world = await makeWorld(mapwright);
  await fill(
    world,
    'Object',
    Array.from({ length: 5 }, (_, i) => ({ type: 'spot', name: `${i}`, x: i })),
  );
  const at = `/v1${world.at('Object')}`;
  const given = async (query: string) => new URL(nextOf(await mapwright.ask('GET', `${at}?${query}&limit=1`)) ?? '', 'http://h');
  const of = async (query: string) => (await given(query)).searchParams.get('cursor') ?? '';
  const cursors = new Map<string, string>();
  for (const query of ['', 'type=spot', 'pin=true', 'type=spot&pin=true', 'sort=x', 'sort=-x', 'sort=name', 'type=spot&sort=x']) {
    cursors.set(query, await of(query));
  }
  for (const [query, own] of cursors) {
    t.equal((await mapwright.ask('GET', `${at}?${query}&cursor=${own}`)).list.length, 4, `?${query}: its own`);
    for (const [other, foreign] of cursors) {
      if (other !== query)
        t.equal((await mapwright.ask('GET', `${at}?${query}&cursor=${foreign}`)).status, 400, `?${query}: ${other}`);
    }
  }
  t.equal((await mapwright.ask('GET', `${at}?pin=true&type=spot&cursor=${cursors.get('type=spot&pin=true')}`)).list.length, 4);

  const [bound] = JSON.parse(Buffer.from(cursors.get('type=spot&sort=x') ?? '', 'base64url').toString()) as [string[]];
  const id = (await mapwright.ask('GET', at)).list[0]?.id;
  const hostile: unknown[] = [
    ...[[bound], [bound, id], [bound, id, 0], [bound, id, []], [bound, id, [0, 0]], [bound, id, ['0']], [bound, id, [true]]],
    ...[
      [bound, id, [null]],
      [bound, id, [['0']]],
      [bound, id, [{ begin: '0' }]],
      [bound, 0, [0]],
      [bound, id, [0], 'digest'],
    ],
    ...[
      [bound[0], id, [0]],
      [[], id, [0]],
      [{}, id, [0]],
      [null, id, [0]],
      { of: bound },
      null,
      'cursor',
      [[...bound, ...bound]],
    ],
  ];
  for (const parts of hostile) {
    const { status } = await mapwright.ask('GET', `${at}?type=spot&sort=x&cursor=${cursor(parts)}`);
    t.equal(status, 400, JSON.stringify(parts));
  }
  const infinite = Buffer.from(JSON.stringify([bound, id, [0]]).replace('[0]', '[1e999]')).toString('base64url');
  for (const text of ['', 'x', '!!', infinite, 'W'.repeat(4000), Buffer.from('['.repeat(4000)).toString('base64url')]) {
    t.equal((await mapwright.ask('GET', `${at}?type=spot&sort=x&cursor=${text}`)).status, 400, text.slice(0, 40));
  }
  t.strictSame(
    (await mapwright.ask('GET', `${at}?type=spot&sort=x&fields=x&cursor=${cursor([bound, 'nobody', [2.5]])}`)).list.map(
      ({ x }) => x,
    ),
    [3, 4],
    'one for a member that is gone',
  );
});

t.test('pages sorted by long texts are complete, and their links stay short', async (t) => {
  const world = await makeWorld(mapwright);
  const long = 'x'.repeat(200_000);
  const made = await fill(world, 'Popup', [
    ...[`${long}b`, `${long}a`, long, 'short', `${long}b`].map((name) => ({ name })),
    // Each takes six characters as JSON.
    ...[1, 2, 3].map((i) => ({ name: '\u0001'.repeat(300 + i), title: '\u0002'.repeat(300), content: '\u{1f5fe}'.repeat(300) })),
  ]);
  for (const sort of [
    ['name'],
    ['-name'],
    ['title', 'name'],
    ['name', 'title', 'content', 'image', 'buttonText', 'buttonLink', 'attachedTo', 'id'],
  ]) {
    const shown: Shown[] = [];
    for (let next: string | undefined = `/v1${world.at('Popup')}?limit=1&sort=${sort}`; next !== undefined; ) {
      t.ok(next.length < 3000, `${next.length} characters`);
      const answer: Answer = await mapwright.ask('GET', next);
      shown.push(...answer.list);
      next = nextOf(answer);
    }
    t.strictSame(
      shown.map(({ id }) => id),
      listed(made, { filters: {}, sort }).map(({ id }) => id),
      sort.join(),
    );
  }

  t.comment('the member that a cursor was made for is not what it was');
  const [first] = listed(made, { filters: {}, sort: ['-name'] }) as [Shown];
  const next = nextOf(await mapwright.get(`${world.at('Popup')}?limit=1&sort=-name`)) ?? '';
  const at = `${world.at('Popup')}/${first.id}`;
  await mapwright.patch(at, { title: 'changed' });
  t.equal((await mapwright.ask('GET', next)).status, 200, 'another of its members has changed');
  await mapwright.patch(at, { name: `${long}c` });
  t.match(
    await mapwright.ask('GET', next),
    { status: 400, problem: { detail: /start again without "cursor"/ } },
    'it begins as before',
  );
  await mapwright.delete(at);
  t.equal((await mapwright.ask('GET', next)).status, 400, 'it is gone, and others begin as it did');
  for (const { id, name } of made)
    if (id !== first.id && String(name).startsWith(long)) await mapwright.delete(`${world.at('Popup')}/${id}`);
  const rest = made.filter(({ name }) => !String(name).startsWith(long));
  t.strictSame(
    (await paged.collect(next)).map(({ id }) => id),
    listed(rest, { filters: {}, sort: ['-name'] }).map(({ id }) => id),
    'no other begins so: it is known what comes next',
  );

  t.comment('filters that leave no room for a cursor');
  const filter = (length: number) => `${world.at('Variable')}?limit=1&sort=name&expression=${'e'.repeat(length)}`;
  for (const length of [7000, 8000]) {
    await mapwright.patch(`/projects/${world.projectId}`, { variables: [1, 2].map(() => ({ expression: 'e'.repeat(length) })) });
    const answer = await mapwright.get(filter(length));
    if (length === 7000) t.equal((await mapwright.ask('GET', nextOf(answer) ?? '')).list.length, 1);
    else t.match(answer, { status: 400, problem: { detail: /longer than 8192 characters/ } });
  }
});

type Move = { kind: 'create' | 'delete' | 'rename' | 'retitle' | 'turn'; at: number; name: string };

t.test('sorted pages skip and repeat no member whose sort fields are unchanged', async () => {
  const world = await makeWorld(mapwright);
  const popups = world.at('Popup');
  const names = fc.constantFrom('a', 'b', 'c', 'd', `${'long '.repeat(60)}1`, `${'long '.repeat(60)}2`);
  const move: fc.Arbitrary<Move> = fc.record({
    kind: fc.constantFrom('create', 'delete', 'rename', 'retitle', 'turn'),
    at: fc.nat(30),
    name: names,
  });
  const apply = async ({ kind, at, name }: Move, ids: string[]) => {
    const one = `${popups}/${ids[at % Math.max(ids.length, 1)]}`;
    if (kind === 'create') await world.make('Popup', { name });
    else if (kind === 'delete') await mapwright.delete(one);
    else if (kind === 'rename') await mapwright.patch(one, { name });
    else if (kind === 'retitle') await mapwright.patch(one, { title: name });
    else
      await fill(
        world,
        'Popup',
        [...ids].reverse().map((id) => ({ id })),
      );
  };
  const scenario = fc.record({
    members: fc.array(names, { minLength: 3, maxLength: 12 }),
    limit: fc.integer({ min: 1, max: 4 }),
    query: fc.constantFrom('sort=name', 'sort=-name', 'sort=buttonAction,-name', 'sort=name&openLinkInNewTab=false', 'sort=-id'),
    between: fc.array(fc.array(move, { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ members, limit, query, between }) => {
      let faithful = await fill(
        world,
        'Popup',
        members.map((name) => ({ name })),
      );
      const seen: string[] = [];
      const turns = [...between];
      for (let next: string | undefined = `/v1${popups}?limit=${limit}&${query}&fields=id`; next !== undefined; ) {
        const answer: Answer = await mapwright.ask('GET', next);
        // Long names begin alike: that is the one thing that may be refused.
        if (answer.status === 400 && answer.problem.detail.includes('too long for a cursor')) return;
        seen.push(...answer.list.map(({ id }) => id));
        next = nextOf(answer);
        for (const step of turns.shift() ?? []) {
          await apply(
            step,
            (await mapwright.get(`${popups}?fields=id`)).list.map(({ id }) => id),
          );
          const now = new Map((await mapwright.get(popups)).list.map(({ id, name }) => [id, name]));
          faithful = faithful.filter(({ id, name }) => now.get(id) === name);
        }
      }
      const counts = faithful.map(({ id }) => seen.filter((other) => other === id).length);
      if (counts.some((count) => count !== 1)) throw new Error(`seen how often: ${counts.join()}`);
      const sort = (/sort=([^&]*)/.exec(query)?.[1] ?? '').split(',');
      const wanted = listed(faithful, { filters: {}, sort }).map(({ id }) => id);
      const order = seen.filter((id) => wanted.includes(id));
      if (order.join() !== wanted.join()) throw new Error('seen out of order');
    }),
    { numRuns: sized({ sample: 12, all: 60 }) },
  );
});
