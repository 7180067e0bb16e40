/** Query strings, with the values that are read from them: page sizes, member names, cursors. */
import { memberPosition, projectAfter, rankAfter } from '../../../src/api/cursor.ts';
import { Problem } from '../../../src/http/problem.ts';
import { fieldsOf, limitOf, pageMembersMax, parseQuery } from '../../../src/http/query.ts';
import { popups } from '../../../src/model/resources.ts';
import { Collection } from '../../../src/store/collection.ts';
import { must, refusal, type Target } from '../target.ts';

const known = ['limit', 'cursor', 'fields'];
const cursor = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

const collection = new Collection(popups);
for (let i = 0; i < 600; i++) collection.put(popups.create(`id${String(i).padStart(4, '0')}`, {}, {}), 1);

export function query(): Target {
  const seeds = [
    'limit=10&fields=name,title',
    `cursor=${cursor([0, 5, 'id0005'])}&limit=3`,
    `cursor=${cursor(['id0005'])}`,
    `cursor=${cursor([1, 5, 'id0005'])}`,
    `cursor=${cursor([0, -1e308, 'x'])}&limit=1000`,
    'fields=%6eame&limit=%31+',
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
      'name',
      cursor([]),
      Buffer.from('[0,1e999,""]').toString('base64url'),
      '__proto__',
    ],
    outcomes: [
      'read',
      'a page',
      'refused: Problem There is no query parameter',
      'refused: Problem The query parameter "" must be taken',
    ],
    run(input) {
      const raw = input.toString('latin1');
      try {
        const values = parseQuery(raw, known);
        const expected = new URLSearchParams(raw);
        for (const [name, value] of Object.entries(values)) {
          must(known.includes(name), `an unknown parameter got through: ${name}`);
          if (!raw.includes('\u0080') && /^[\x20-\x7e]*$/.test(raw))
            must(expected.get(name) === value, `another value of ${name} than the URL says`);
        }
        const limit = limitOf(values);
        must(limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= pageMembersMax), `a page of ${limit}`);
        const fields = fieldsOf(values, popups.members);
        must(fields?.every((name) => popups.members.includes(name)) ?? true, 'a member that does not exist');
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

function orProblem<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return otherwise;
    throw error;
  }
}
