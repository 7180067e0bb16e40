/** Projects of any shape: sound ones from the table of cases and the example, with members that are replaced by any JSON. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project.ts';
import type { Chance } from '../support/random.ts';

const root = projectRoot(import.meta.dirname);

/** The input of an evaluation. */
export interface Input {
  readonly project: unknown;
  readonly responses: unknown;
  readonly seed: number | string;
  readonly now: string;
}

const readJson = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));

/** The cases, and the office with responses. */
export function soundInputs(): Input[] {
  const cases = (readJson('test/live/cases.json') as Input[]).map(({ project, responses, seed, now }) => ({
    project,
    responses,
    seed,
    now,
  }));
  const { project } = readJson('data/examples/office.json') as {
    project: { data_sources: { id: string }[]; artboards: object[] };
  };
  const visitors = Array.from({ length: 3 }, (_, i) => ({
    id: `badge-${i}`,
    position: { x: i, y: 2 * i },
    allowed: [
      [0, 0],
      [9, 0],
      [9, 9],
    ],
  }));
  const routes = [
    {
      open: true,
      first: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [9, 0],
            [9, 9],
            [0, 0],
          ],
        ],
      },
    },
  ];
  const response = { totals: { taken: 42 }, safety: { routes }, visitors };
  // The objects are most of the document, and few of them matter here.
  const artboards = project.artboards.map((artboard) => ({
    ...artboard,
    image_url: '',
    objects: (artboard as { objects: unknown[] }).objects.slice(0, 2),
  }));
  const responses = Object.fromEntries(project.data_sources.map(({ id }) => [id, response]));
  return [...cases, { project: { ...project, artboards }, responses, seed: 1, now: '2026-11-24T12:00:00Z' }];
}

/** Values that are wrong in most places. */
const odd: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 1.5, 255, 1e9, 1e308, -1e308, 5e-324, 9007199254740992],
  ...[
    '',
    ' ',
    'x',
    '1',
    '1e999',
    'NaN',
    'Infinity',
    '-',
    '007',
    'true',
    '#fff',
    'red',
    '\ud800',
    'é'.repeat(300),
    '['.repeat(200),
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '__defineGetter__', 'valueOf'],
  ...['{', '}', '{{', '{}', '{a}', '{i}{i}', '{__proto__}', '{constructor}', '{a'],
  ...[
    'this',
    'a.b',
    '"".constructor',
    '[].constructor("x")()',
    '{a}["constructor"]',
    'now()',
    'px(1, 2) + py({x}, 1e308)',
    'if(1, 2)',
  ],
  ...[
    'len({i})',
    'min()',
    '1 / 0',
    '10 ** 308 * 10',
    '-'.repeat(70),
    '('.repeat(70),
    '{i} + '.repeat(50),
    "'a' * 2",
    'a ? b',
    '1 ?? 2',
  ],
  ...['coalesce({a}, {x}, 1)', 'round(1e300, 400)', 'text({i})', '`1`', '/x/', '0x10', '1_000', '// x', '@#', 'a = 1', '() => 1'],
  ...[
    '<script>{a}</script>',
    '<a href="{a}">{x}</a>',
    '<img alt={a} src={x}>',
    '<!-- {a}',
    '<{a}',
    'javascript:{a}',
    'data:text/html,{a}',
  ],
  ...[
    'iterator',
    'expression',
    'custom',
    'random',
    'primitive',
    'variable',
    'create-spots',
    'create-polys',
    'modify-popup',
    'osm',
  ],
  ...['equals', 'contains', '<', 'is-empty', 'or', 's', 'i', 'x', 'y', 'c', 'o', 'p', 't', 'a'],
  ...[[], [[]], [null], [1, 2], [[1, 2]], [{ x: 1, y: 2 }], {}, { length: 1e9 }, { x: 'a' }, { type: 'Polygon' }],
  ...[
    { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates: [[[[0, 0]]]] } },
    { toJSON: 1, valueOf: 1 },
  ],
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
];

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** Every member and element below a value, without recursion: what is put in may be deep. */
function placesIn(value: object): Place[] {
  const places: Place[] = [];
  const waiting: object[] = [value];
  for (let at = waiting.pop(); at !== undefined && places.length < 20_000; at = waiting.pop()) {
    const holder = at as Record<string, unknown>;
    for (const name of Object.keys(holder)) {
      places.push({ holder, name });
      const inner = holder[name];
      if (typeof inner === 'object' && inner !== null) waiting.push(inner);
    }
  }
  return places;
}

const setOwn = (holder: Record<string, unknown>, name: string, value: unknown): void => {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
};

/** An input of which some members have another value, another name, or none. */
export function changedInput(input: unknown, random: Chance, others: readonly unknown[]): unknown {
  const changed = structuredClone({ input });
  for (let left = 1 + random.below(4); left > 0; left--) {
    const { holder, name } = random.pick(placesIn(changed));
    const kind = random.below(6);
    if (kind === 0 && holder !== changed) {
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
    } else if (kind === 1 && !Array.isArray(holder)) {
      setOwn(holder, random.pick(['__proto__', 'constructor', 'length', 'id', 'name', 'type', 'x']), holder[name]);
    } else if (kind === 2) {
      // A part of something sound where it does not belong.
      const { holder: other, name: part } = random.pick(placesIn({ other: random.pick(others) }));
      setOwn(holder, name, structuredClone(other[part]));
    } else if (kind === 3 && Array.isArray(holder[name])) {
      const list = holder[name];
      if (list.length > 0) list.push(structuredClone(random.pick(list)));
    } else if (kind === 4 && typeof holder[name] === 'string') {
      setOwn(holder, name, `${holder[name]}${String(random.pick(odd.filter((one) => typeof one === 'string')))}`);
    } else {
      setOwn(holder, name, structuredClone(random.pick(odd)));
    }
  }
  return changed.input;
}

const isOpen = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The value that a JSON pointer leads to; `undefined` if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isOpen(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** Freezes a value with all that is in it. */
export function deepFrozen<T>(value: T): T {
  const waiting: unknown[] = [value];
  for (let at = waiting.pop(); waiting.length > 0 || at !== undefined; at = waiting.pop()) {
    if (!isOpen(at)) continue;
    Object.freeze(at);
    waiting.push(...Object.values(at).filter(isOpen));
  }
  return value;
}
