// tier: normal
/** The linearizability checker and its models, on histories with a known verdict. */
import t from 'tap';
import { collectionModel, type Input, isRead, type MemberInput, memberModel, type Output, type Shown } from './models.ts';
import { linearize, type Model, type Operation, shrink } from './wing-gong.ts';

type Line<I> = readonly [call: number, end: number, input: I, output?: Output];

const never = Number.POSITIVE_INFINITY;
const operations = <I>(lines: readonly Line<I>[]): Operation<I, Output>[] =>
  lines.map(([call, end, input, output]) => ({ call, end, input, output }));

function verdict<S, I>(model: Model<S, I, Output>, lines: readonly Line<I>[]): boolean {
  return linearize(model, operations(lines)).linearizable;
}

const at = (a: string, b = ''): Shown => ['x', a, b];
const member = memberModel(at(''));
const get: MemberInput = { op: 'get', name: 'x' };
const bad: MemberInput = { op: 'bad-patch', name: 'x' };
const remove: MemberInput = { op: 'delete', name: 'x' };
const patch = (set: { a?: string; b?: string }): MemberInput => ({ op: 'patch', name: 'x', set });
const ok = (...shown: Shown[]): Output => ({ status: 200, shown });
const gone: Output = { status: 404 };
const refused: Output = { status: 400 };
const deleted: Output = { status: 204 };

const members: Record<string, [expected: boolean, lines: Line<MemberInput>[]]> = {
  'nothing at all': [true, []],
  'one after the other': [
    true,
    [
      [0, 1, patch({ a: '1' }), ok(at('1'))],
      [2, 3, get, ok(at('1'))],
    ],
  ],
  'a read beside a write: the old value': [
    true,
    [
      [0, 3, patch({ a: '1' }), ok(at('1'))],
      [1, 2, get, ok(at(''))],
    ],
  ],
  'a read beside a write: the new value': [
    true,
    [
      [0, 3, patch({ a: '1' }), ok(at('1'))],
      [1, 2, get, ok(at('1'))],
    ],
  ],
  'a stale read': [
    false,
    [
      [0, 1, patch({ a: '1' }), ok(at('1'))],
      [2, 3, get, ok(at(''))],
    ],
  ],
  'a read that goes back': [
    false,
    [
      [0, 9, patch({ a: '1' }), ok(at('1'))],
      [1, 2, get, ok(at('1'))],
      [3, 4, get, ok(at(''))],
    ],
  ],
  'two reads beside a write that see it in their order': [
    true,
    [
      [0, 9, patch({ a: '1' }), ok(at('1'))],
      [1, 2, get, ok(at(''))],
      [3, 4, get, ok(at('1'))],
    ],
  ],
  'two clients, two members of one resource: both stay': [
    true,
    [
      [0, 3, patch({ a: '1' }), ok(at('1'))],
      [1, 2, patch({ b: '2' }), ok(at('1', '2'))],
      [4, 5, get, ok(at('1', '2'))],
    ],
  ],
  'a lost update': [
    false,
    [
      [0, 3, patch({ a: '1' }), ok(at('1'))],
      [1, 2, patch({ b: '2' }), ok(at('', '2'))],
      [4, 5, get, ok(at('', '2'))],
    ],
  ],
  'answers that saw each other in a circle': [
    false,
    [
      [0, 3, patch({ a: '1' }), ok(at('1', '2'))],
      [1, 2, patch({ b: '2' }), ok(at('1', '2'))],
    ],
  ],
  'a value that nobody wrote': [false, [[0, 1, get, ok(at('9'))]]],
  'a refused PATCH that changed something': [
    false,
    [
      [0, 1, bad, refused],
      [2, 3, get, ok(at('7'))],
    ],
  ],
  'a refused PATCH of what was gone': [
    false,
    [
      [0, 1, remove, deleted],
      [2, 3, bad, refused],
    ],
  ],
  'deleted, then read': [
    true,
    [
      [0, 1, remove, deleted],
      [2, 3, get, gone],
    ],
  ],
  'back from the dead': [
    false,
    [
      [0, 1, remove, deleted],
      [2, 3, get, gone],
      [4, 5, get, ok(at(''))],
    ],
  ],
  'deleted twice': [
    false,
    [
      [0, 3, remove, deleted],
      [1, 2, remove, deleted],
    ],
  ],
  'no answer, and it happened': [
    true,
    [
      [0, never, patch({ a: '1' })],
      [1, 2, get, ok(at('1'))],
    ],
  ],
  'no answer, and it did not happen': [
    true,
    [
      [0, never, patch({ a: '1' })],
      [1, 2, get, ok(at(''))],
    ],
  ],
  'no answer, and it happened late': [
    true,
    [
      [0, never, patch({ a: '1' })],
      [1, 2, get, ok(at(''))],
      [3, 4, get, ok(at('1'))],
    ],
  ],
  'no answer, and it went away again': [
    false,
    [
      [0, never, patch({ a: '1' })],
      [1, 2, get, ok(at('1'))],
      [3, 4, get, ok(at(''))],
    ],
  ],
  'on its way in a crash at 5, and done before it': [
    true,
    [
      [0, 5, patch({ a: '1' })],
      [6, 7, get, ok(at('1'))],
    ],
  ],
  'on its way in a crash at 5, and done after it': [
    false,
    [
      [0, 5, patch({ a: '1' })],
      [6, 7, get, ok(at(''))],
      [8, 9, get, ok(at('1'))],
    ],
  ],
  'acknowledged, then lost in a crash': [
    false,
    [
      [0, 1, patch({ a: '1' }), ok(at('1'))],
      [6, 7, get, ok(at(''))],
    ],
  ],
  'shown, then lost in a crash': [
    false,
    [
      [0, 5, patch({ a: '1' })],
      [1, 2, get, ok(at('1'))],
      [6, 7, get, ok(at(''))],
    ],
  ],
  'called not found, then there': [
    false,
    [
      [0, 5, remove],
      [1, 2, patch({ a: '1' }), gone],
      [6, 7, get, ok(at(''))],
    ],
  ],
  'an answer that no server gives': [false, [[0, 1, get, { status: 500 }]]],
};

for (const [name, [expected, lines]] of Object.entries(members)) {
  t.equal(verdict(member, lines), expected, `a member: ${name}`);
}

const x: Shown = ['x', '', ''];
const y: Shown = ['y', '', ''];
const z: Shown = ['z', '', ''];
const n: Shown = ['n', '', ''];
const collection = collectionModel([x, y, z]);
const list: Input = { op: 'list' };
const post: Input = { op: 'post', name: 'n', set: {} };
const replace = (...elements: [name: string, fresh?: boolean][]): Input => ({
  op: 'replace',
  elements: elements.map(([name, fresh = false]) => ({ name, fresh })),
});
const page = (number: number, limit: number, after?: number): Input => ({ op: 'page', number, limit, after });
const more = (...shown: Shown[]): Output => ({ status: 200, shown, more: true });
const without = (name: string): Input => ({ op: 'delete', name });

const collections: Record<string, [expected: boolean, lines: Line<Input>[]]> = {
  'a new member stands at the end': [
    true,
    [
      [0, 1, post, ok(n)],
      [2, 3, list, ok(x, y, z, n)],
    ],
  ],
  'a new member in the middle': [
    false,
    [
      [0, 1, post, ok(n)],
      [2, 3, list, ok(x, n, y, z)],
    ],
  ],
  'a phantom': [false, [[0, 1, list, ok(x, y, z, n)]]],
  'one member twice': [
    false,
    [
      [0, 1, post, ok(n)],
      [2, 3, list, ok(x, y, z, n, n)],
    ],
  ],
  'no answer to a POST: there once, or not at all': [
    true,
    [
      [0, 1, post],
      [2, 3, list, ok(x, y, z, n)],
      [4, 5, list, ok(x, y, z, n)],
    ],
  ],
  'a list of two versions': [
    false,
    [
      [0, 9, without('x'), deleted],
      [1, 8, post, ok(n)],
      [2, 3, list, ok(y, z)],
      [4, 5, list, ok(x, y, z, n)],
    ],
  ],
  'sent whole: another order, one new, one gone': [
    true,
    [
      [0, 1, replace(['z'], ['n', true], ['x']), ok(z, n, x)],
      [2, 3, list, ok(z, n, x)],
    ],
  ],
  'sent whole with one that is gone: refused': [
    true,
    [
      [0, 1, without('y'), deleted],
      [2, 3, replace(['y']), refused],
    ],
  ],
  'sent whole with all that are there: refused': [false, [[0, 1, replace(['y']), refused]]],
  'sent whole in part': [
    false,
    [
      [0, 1, replace(['z'], ['x']), ok(z, x)],
      [2, 3, list, ok(z, x, y)],
    ],
  ],
  'what holds it is gone': [
    true,
    [
      [0, 1, { op: 'drop' }, deleted],
      [2, 3, list, gone],
      [4, 5, post, gone],
    ],
  ],
  'what holds it is gone, and one of its members is not': [
    false,
    [
      [0, 1, { op: 'drop' }, deleted],
      [2, 3, { op: 'get', name: 'x' }, ok(x)],
    ],
  ],
  'pages, one after the other': [
    true,
    [
      [0, 1, page(1, 2), more(x, y)],
      [2, 3, page(2, 2, 1), ok(z)],
    ],
  ],
  'a page continues after the previous one, also if members are deleted': [
    true,
    [
      [0, 1, page(1, 2), more(x, y)],
      [2, 3, without('x'), deleted],
      [4, 5, without('y'), deleted],
      [6, 7, post, ok(n)],
      [8, 9, page(2, 2, 1), ok(z, n)],
    ],
  ],
  'a page that skips': [
    false,
    [
      [0, 1, page(1, 1), more(x)],
      [2, 3, page(2, 1, 1), ok(z)],
    ],
  ],
  'a page that repeats': [
    false,
    [
      [0, 1, page(1, 2), more(x, y)],
      [2, 3, without('x'), deleted],
      [4, 5, page(2, 2, 1), ok(y, z)],
    ],
  ],
  'a last page that promises more': [false, [[0, 1, page(1, 3), more(x, y, z)]]],
  'a page after another order: members that are there, each once': [
    true,
    [
      [0, 1, page(1, 1), more(x)],
      [2, 3, replace(['z'], ['y'], ['x']), ok(z, y, x)],
      [4, 5, page(2, 1, 1), more(y)],
    ],
  ],
  'a page after another order: one that is not there': [
    false,
    [
      [0, 1, page(1, 1), more(x)],
      [2, 3, replace(['z'], ['x']), ok(z, x)],
      [4, 5, page(2, 1, 1), ok(y)],
    ],
  ],
};

for (const [name, [expected, lines]] of Object.entries(collections)) {
  t.equal(verdict(collection, lines), expected, `a collection: ${name}`);
}

t.test('a history that is not linearizable is reduced to the part that fails', async (t) => {
  const lines: Line<MemberInput>[] = [
    [0, 1, get, ok(at(''))],
    [2, 5, patch({ a: '1' }), ok(at('1'))],
    [3, 4, get, ok(at(''))],
    [6, 7, get, ok(at(''))],
    [8, 9, get, ok(at('1'))],
    [10, 11, remove, deleted],
  ];
  const part = shrink(member, operations(lines), isRead);
  t.strictSame(
    part.map(({ call }) => call),
    [2, 6],
    'the write, and the read that does not show it',
  );
  t.notOk(linearize(member, part).linearizable);
});

t.test('a history with many concurrent operations is decided, also if it is not linearizable', async (t) => {
  const writes = Array.from({ length: 12 }, (_, i): Line<MemberInput> => [i, 100 + i, patch({ a: `${i}` }), ok(at(`${i}`))]);
  t.ok(verdict(member, [...writes, [200, 201, get, ok(at('7'))]]));
  t.notOk(verdict(member, [...writes, [200, 201, get, ok(at('7'))], [202, 203, get, ok(at('8'))]]));
});
