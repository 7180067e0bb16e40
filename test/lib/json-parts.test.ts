/** Documents that are parsed in parts while they arrive: the same parts for any pieces, and no part is kept. */

import t from 'tap';
import { parseJson } from '../../src/lib/json/json.ts';
import { JsonParts, JsonPartsError, type Plan } from '../../src/lib/json/json-parts.ts';
import { json } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';

interface Named extends Plan {
  readonly name: string;
  readonly objects?: Readonly<Record<string, Named>>;
  readonly arrays?: Readonly<Record<string, Named>>;
}

const leaf: Named = { name: 'leaf' };
const branch: Named = { name: 'branch', arrays: { leaves: leaf } };
const plan: Named = {
  name: 'root',
  objects: { tree: { name: 'tree', arrays: { branches: branch, 'ro"ots': leaf } } },
};

/** Every part in the order in which it came, as `name pointer text`; or the sentence that says why there are none. */
function partsOf(bytes: Buffer, size: number, partBytesMax = 1000): string[] | string {
  const found: string[] = [];
  const taker = {
    begin: ({ name }: Named, beside: Buffer | undefined) => void found.push(`begin ${name} ${beside ?? '-'}`),
    part: ({ name }: Named, part: Buffer) => void found.push(`${name} ${parts.pointer()} ${part}`),
  };
  const parts = new JsonParts<Named>(plan, taker, partBytesMax);
  try {
    for (let i = 0; i < bytes.length; i += size) parts.write(bytes.subarray(i, i + size));
    parts.end();
    return found;
  } catch (error) {
    if (error instanceof JsonPartsError) return error.message;
    throw error;
  }
}

const sample = `\t{"a":1, "tree" : {"x":[{"y":"}]\\"{"}], "branches":[ {"leaves":[1,"two",{"three":[3]} , null],"n":"é\\\\"} ,7,
 {"leaves":[]},{"leaves":{"no":"array"}}],"ro\\"ots":[true],"tree":{"branches":[1]}} ,"tr\\u0065e2":{}, "b":"c"}\r\n`;

t.test('a document gives its parts with their places', async (t) => {
  t.strictSame(partsOf(Buffer.from(sample), 1e6), [
    'begin root -',
    'begin tree {"a":1}',
    'begin branch -',
    'leaf /tree/branches/0/leaves/0 1',
    'leaf /tree/branches/0/leaves/1 "two"',
    'leaf /tree/branches/0/leaves/2 {"three":[3]}',
    'leaf /tree/branches/0/leaves/3 null',
    'branch /tree/branches/0 {"n":"é\\\\"}',
    'branch /tree/branches/1 7',
    'begin branch -',
    'branch /tree/branches/2 {}',
    'begin branch -',
    'branch /tree/branches/3 {"leaves":{"no":"array"}}',
    'leaf /tree/ro"ots/0 true',
    'tree /tree {"x":[{"y":"}]\\"{"}],"tree":{"branches":[1]}}',
    'root  {"a":1,"tr\\u0065e2":{},"b":"c"}',
  ]);
  t.strictSame(partsOf(Buffer.from('{"tr\\u0065e":{"branches":[1]}}'), 1e6), [
    'begin root -',
    'begin tree {}',
    'branch /tree/branches/0 1',
    'tree /tree {}',
    'root  {}',
  ]);
});

t.test('a document in pieces of any size gives the same parts', async (t) => {
  const bytes = Buffer.from(sample);
  const whole = partsOf(bytes, bytes.length);
  for (let size = 1; size < bytes.length; size++) t.strictSame(partsOf(bytes, size), whole, `${size}`);
});

t.test('a document that is truncated anywhere is refused', async (t) => {
  const bytes = Buffer.from(sample.trim());
  for (let length = 0; length < bytes.length; length++) {
    t.equal(partsOf(bytes.subarray(0, length), 7), 'The document is not valid JSON: it ends in the middle.', `${length}`);
  }
});

t.test('a document with one byte added, removed or changed is accepted exactly if it is valid JSON', async (t) => {
  const bytes = Buffer.from('{"tree":{"branches":[{"leaves":[1,{"a":"b"}],"c":-1.5e3},null],"d":[]},"e":"\\n"}');
  let sound = 0;
  for (let at = 0; at <= bytes.length; at++) {
    for (const byte of ['', ...'{}[],:"\\ 0e-x\n', '\u0001', 'é']) {
      for (const cut of [0, 1]) {
        const mutant = Buffer.concat([bytes.subarray(0, at), Buffer.from(byte), bytes.subarray(at + cut)]);
        const parts = partsOf(mutant, 5);
        const isSound =
          typeof parts !== 'string' &&
          parts.every(
            (part) => part.startsWith('begin') || parseJson(Buffer.from(part.replace(/^\w+ \S* /, ''))).failure === undefined,
          );
        const whole = parseJson(mutant);
        const isObject = whole.failure === undefined && /^\s*\{/.test(mutant.toString());
        if (isObject) sound++;
        if (isSound !== isObject) {
          // What is taken apart twice is refused, where a parser takes the last.
          if (typeof parts === 'string' && parts.includes('more than once')) continue;
          t.fail(`${mutant}: ${JSON.stringify(parts)}, ${JSON.stringify(whole)}`);
        }
      }
    }
  }
  t.ok(sound > 100, `${sound} sound ones`);
});

t.test('the parts of any JSON contain its values', async (t) => {
  fc.assert(
    fc.property(fc.array(json, { maxLength: 5 }), json, fc.integer({ min: 1, max: 50 }), (leaves, rest, size) => {
      const bytes = Buffer.from(JSON.stringify({ tree: { branches: [{ leaves, rest }] } }, null, size % 3));
      const parts = partsOf(bytes, size, 1e6);
      if (typeof parts === 'string') throw new Error(parts);
      const texts = parts.filter((part) => !part.startsWith('begin')).map((part) => JSON.parse(part.replace(/^\w+ \S* /, '')));
      const wanted = JSON.stringify([...leaves, { rest }, {}, {}]);
      if (JSON.stringify(texts) !== wanted) throw new Error(`${JSON.stringify(texts)} is not ${wanted}`);
    }),
  );
  t.pass();
});

t.test('parts that are too large or too deep are refused', async (t) => {
  const large = /^The document has a part of more than 1000 bytes/;
  const long = 'x'.repeat(1000);
  for (const text of [
    `{"tree":{"branches":["${long}"]}}`,
    `{"a":"${long}"}`,
    `{"${long}":1}`,
    `{${Array.from({ length: 300 }, (_, i) => `"${i}":1`)}}`,
    `{"a":1${'0'.repeat(1000)}}`,
    `{"tree":{"branches":[[${Array.from({ length: 600 }, () => 1)}]]}}`,
  ]) {
    for (const size of [1, 100, 1e6]) t.match(partsOf(Buffer.from(text), size), large, text.slice(0, 30));
  }
  t.match(partsOf(Buffer.from(`{"a":${'['.repeat(65)}`), 10), /nested too deeply/);
});

t.test('delivered parts are not kept in memory', async (t) => {
  let count = 0;
  const parts = new JsonParts<Named>(plan, { begin: () => undefined, part: () => void count++ }, 1e6);
  parts.write(Buffer.from('{"tree":{"branches":[{"leaves":['));
  const element = Buffer.from(`{"name":"${'x'.repeat(500)}"},`);
  let most = 0;
  for (let i = 0; i < 20_000; i++) {
    parts.write(element.subarray(0, 300));
    most = Math.max(most, parts.heldBytes);
    parts.write(element.subarray(300));
  }
  t.equal(count, 20_000);
  t.ok(most >= 300 && most < 2000, `${most} bytes at the most, of ${20_000 * element.length}`);
});

t.test('a text that comes in pieces is in no part, and each object says where it begins and ends', async (t) => {
  const file: Plan = { texts: new Set(['content']) };
  const source = Buffer.from(
    '{"files":[{"content":"aé\\"b","n":1},{"n":"x","c\\u006fntent":""},{"content":null},{"content":"}"}],"content":"rest"}',
  );
  const found = (size: number): string[] => {
    const seen: string[] = [];
    let text = '';
    const taker = {
      begin: () => {
        text = `${parts.offset}`;
        return undefined;
      },
      text: (_: Plan, bytes: Buffer) => {
        text += `${parts.pointer()} ${bytes.toString('latin1')}`.replace(text.includes(' ') ? /^\S* / : /^$/, ' ').trimEnd();
      },
      part: (_: Plan, bytes: Buffer) => void seen.push(`${text}|${bytes}|${parts.offset}`),
    };
    const parts = new JsonParts<Plan>({ arrays: { files: file } }, taker, 1000);
    for (let i = 0; i < source.length; i += size) parts.write(source.subarray(i, i + size));
    parts.end();
    return seen;
  };
  const whole = found(1e6);
  t.match(whole[1], /^\d+\/files\/1\/content\|\{"n":"x"\}\|\d+$/);
  t.match(whole[2], /\|\{"content":null\}\|/);
  t.match(whole[4], /\|\{"content":"rest"\}\|/, 'only where the plan says so');
  for (const one of whole.slice(0, 4)) {
    const [from, to] = [Number(/^\d+/.exec(one)?.[0]), Number(/\d+$/.exec(one)?.[0])];
    t.strictSame([source[from], source[to]], [0x7b, 0x7d], one);
  }
  const parts = (all: string[]) => all.map((one) => one.replace(/^\d*[^|]*/, ''));
  for (const size of [1, 2, 3, 7]) t.strictSame(parts(found(size)), parts(whole), `pieces of ${size}`);
  t.throws(
    () =>
      new JsonParts<Plan>({ arrays: { files: file } }, { begin() {}, part() {} }, 9).write(
        Buffer.from('{"files":[{"content":"","content":""'),
      ),
    /files\/0\/content more than once/,
  );
});
