/** Query strings, with the values that are read from them: page sizes, member names, filters, orders, cursors. */
import {
  keysetAt,
  keysetCursor,
  memberCursor,
  memberPosition,
  projectAfter,
  rankAfter,
  sortedPosition,
} from '../../../src/api/crud/cursor.ts';
import { listParameters, readListQuery } from '../../../src/api/crud/list-query.ts';
import { Problem } from '../../../src/http/problem.ts';
import { pageMembersMax, parseQuery } from '../../../src/http/request/query.ts';
import { runToEnd } from '../../../src/lib/async/run-to-end.ts';
import { popups } from '../../../src/model/resources.ts';
import { Collection } from '../../../src/store/collection.ts';
import { CapturedMembers, Selected } from '../../../src/store/list/captured-members.ts';
import { type Criteria, select } from '../../../src/store/list/selection.ts';
import type { Member } from '../../../src/store/member.ts';
import { runLeaves } from '../../../src/store/run-leaf.ts';
import { must, refusal, type Target } from '../target.ts';

const { query: parameters, absentQuery } = listParameters(popups);
const known = Object.keys(parameters);
const cursor = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

const collection = new Collection(popups, runLeaves);
for (let i = 0; i < 600; i++) collection.put(popups.create(`id${String(i).padStart(4, '0')}`, {}, bodyAt(i)), 1);

function bodyAt(i: number): Record<string, unknown> {
  return { name: `${i % 7}`, maxWidth: i % 5, title: i % 3 === 0 ? 'x'.repeat(300) : '', openLinkInNewTab: i % 2 === 0 };
}

const last = collection.get('id0300') as Member;
const byName: Criteria = { filters: [{ name: 'maxWidth', value: 0 }], sort: [{ name: 'title', descending: true }] };
const filtered: Criteria = { filters: [{ name: 'openLinkInNewTab', value: true }], sort: [] };

export function query(): Target {
  const seeds = [
    'limit=10&fields=name,title',
    `cursor=${cursor([0, 5, 'id0005'])}&limit=3`,
    `cursor=${cursor(['id0005'])}`,
    `cursor=${cursor([1, 5, 'id0005'])}`,
    `cursor=${cursor([0, -1e308, 'x'])}&limit=1000`,
    'fields=%6eame&limit=%31+',
    `maxWidth=0&sort=-title&cursor=${keysetCursor(last.value, byName)}`,
    `openLinkInNewTab=true&limit=9&cursor=${memberCursor(collection, last, filtered)}`,
    'sort=name,-maxWidth,id&limit=5&buttonAction=none',
    'maxWidth=1e2&name=3',
    'limti=1',
    'fields=name,,name',
    '&&limit=1&',
  ];
  return {
    name: 'query',
    inputs: 35_000,
    seeds: seeds.map((text) => Buffer.from(text, 'latin1')),
    words: [
      '&',
      '=',
      '%',
      '%00',
      '%ff',
      '%ed%a0%80',
      '+',
      ',',
      'limit=',
      'cursor=',
      'fields=',
      'sort=',
      '-',
      'maxWidth=',
      'openLinkInNewTab=true',
      'buttonAction=',
      'name',
      cursor([]),
      Buffer.from('[0,1e999,""]').toString('base64url'),
      '__proto__',
    ],
    outcomes: [
      'read',
      'a page',
      'a part of a list',
      'refused: Problem Unknown query parameter',
      'refused: Problem The query parameter "" must be the value',
    ],
    run(input) {
      const raw = input.toString('latin1');
      try {
        const values = parseQuery(raw, known, absentQuery);
        const expected = new URLSearchParams(raw);
        for (const [name, value] of Object.entries(values)) {
          must(known.includes(name), `an unknown parameter got through: ${name}`);
          if (!raw.includes('\u0080') && /^[\x20-\x7e]*$/.test(raw))
            must(expected.get(name) === value, `another value of ${name} than the URL says`);
        }
        const { limit, fields, criteria } = readListQuery({ query: values }, popups);
        must(limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= pageMembersMax), `a page of ${limit}`);
        must(
          [...(fields ?? [])].every((name) => popups.members.includes(name)),
          'a member that does not exist',
        );
        if (criteria !== undefined) return partOf(criteria, values['cursor'], limit);
        const text = values['cursor'];
        if (text === undefined) return 'read';
        must(typeof orProblem(() => projectAfter(text), '') === 'string', 'a project without a name');
        const position = memberPosition(text);
        const after = rankAfter(collection, position);
        if (after === undefined) return 'a page of a list that was reordered';
        const { members, more } = collection.page(after, limit ?? Number.POSITIVE_INFINITY);
        must(members.length <= (limit ?? 600) && (more || members.length <= 600), 'a page that is too long');
        must(
          members.every(({ rank }) => rank > after),
          'a page that goes back',
        );
        return 'a page';
      } catch (error) {
        return refusal(error, Problem);
      }
    },
  };
}

/** What is searched for, which must be what passes. */
function partOf(criteria: Criteria, cursor: string | undefined, limit = Number.POSITIVE_INFINITY): string {
  const { filters, sort } = criteria;
  const rank = rankAfter(collection, sort.length === 0 ? memberPosition(cursor, criteria) : undefined);
  if (rank === undefined) return 'a page of a list that was reordered';
  const position = sort.length === 0 ? undefined : sortedPosition(cursor, criteria, popups);
  const after = keysetAt(position, sort, (id) => collection.get(id)?.value);
  const source = new CapturedMembers(collection.capture());
  const selection = runToEnd(select(source, criteria, { from: source.placeAbove(rank), after, limit }));
  if (selection === undefined) return 'a page that nobody knows the beginning of';
  const members = [...new Selected(source, selection.places)];
  must(members.length <= limit && (!selection.more || members.length === limit), 'a page that is too long, or too short');
  must(new Set(members).size === members.length, 'a member twice');
  must(
    members.every(({ value }) => filters.every((filter) => value[filter.name] === filter.value)),
    'a member that does not pass',
  );
  return 'a part of a list';
}

function orProblem<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return otherwise;
    throw error;
  }
}
