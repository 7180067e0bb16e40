import t from 'tap';
import { runToEnd } from '../../src/lib/async/run-to-end.ts';
import { type FieldError, fieldErrorsMax, pointerOf } from '../../src/lib/field-error.ts';
import { jsonContainersMax, jsonShapesMax, jsonWideMembersMax, parseJson, parsingJson } from '../../src/lib/json/json.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';

function read(text: string | Buffer): { value: unknown; fieldErrors: FieldError[] } {
  const parsed = parseJson(Buffer.from(text));
  if (parsed.failure !== undefined) throw new Error(parsed.failure);
  return parsed;
}

const pointersOf = (text: string): string[] => read(text).fieldErrors.map((fault) => fault.pointer);

t.test('JSON pointers escape "~" and "/"', async (t) => {
  t.equal(pointerOf([]), '');
  t.equal(pointerOf(['a/b', 0, '~', '']), '/a~1b/0/~0/');
  t.equal(pointerOf(['~1']), '/~01');
});

t.test('invalid JSON documents are refused with their reason', async (t) => {
  const cases: Record<string, [Buffer | string, RegExp]> = {
    empty: ['', /not valid JSON/],
    'cut short': ['{"a":', /not valid JSON/],
    'two documents': ['{}{}', /not valid JSON/],
    'bare word': ['NaN', /not valid JSON/],
    'overlong UTF-8': [Buffer.from([0x22, 0xc0, 0x80, 0x22]), /UTF-8/],
    'a surrogate in UTF-8': [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /UTF-8/],
    'byte order mark': ['\ufeff{}', /byte order mark/],
    'open string with a bracket': ['"[[[', /not valid JSON/],
    'ends in a backslash': ['{"a":"\\', /not valid JSON/],
  };
  for (const [name, [text, expected]] of Object.entries(cases)) t.match(parseJson(Buffer.from(text)).failure, expected, name);
});

t.test('a document with too many objects and arrays is refused before parsing', async (t) => {
  const many = (count: number): Buffer => Buffer.from(`{"a":[${'{},'.repeat(count - 3)}{}]}`);
  t.equal(parseJson(many(jsonContainersMax)).failure, undefined);
  const refused = parseJson(many(jsonContainersMax + 1));
  t.match(refused, { failure: /more than 500000 objects and arrays/, tooLarge: true });
  t.equal(parseJson(Buffer.from(`"${'{'.repeat(jsonContainersMax + 1)}"`)).failure, undefined, 'brackets in strings are none');
});

t.test('a document that the server wrote itself has no limits on what it may contain', async (t) => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const names = Array.from({ length: jsonShapesMax + 1 }, (_, i) => `{"n${i}":0}`).join();
  const wide = `{${Array.from({ length: jsonWideMembersMax + 1 }, (_, i) => `"n${i}":0`).join()}}`;
  for (const text of [`[${'{},'.repeat(jsonContainersMax)}{}]`, deep(500), `[${names}]`, `[${wide}]`]) {
    t.type(runToEnd(parsingJson(Buffer.from(text))).failure, 'string');
    const parsed = runToEnd(parsingJson(Buffer.from(text), { isOwn: true }));
    t.equal(JSON.stringify(parsed.failure ?? parsed.value), text);
  }
});

t.test('only the members of wide objects count against the limit on members', async (t) => {
  const wide = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"n${i}":{"a:b":":"}`).join()}}`;
  const half = jsonWideMembersMax / 2;
  t.equal(parseJson(Buffer.from(`[${wide(half)},${wide(half)}]`)).failure, undefined);
  for (const more of [`[${wide(half)},${wide(half + 1)}]`, `[${wide(half)},${wide(half)},${wide(half)}]`])
    t.match(parseJson(Buffer.from(more)), { failure: /more than 20000 members/, tooLarge: true });
  const narrow = `[${Array.from({ length: 201 }, () => wide(500)).join()}]`;
  t.equal(parseJson(Buffer.from(narrow)).failure, undefined);
});

t.test('a document with too many distinct object shapes is refused before parsing', async (t) => {
  const listed = (count: number, object: (i: number) => string): Buffer =>
    Buffer.from(`{"a":[${Array.from({ length: count }, (_, i) => object(i)).join()}]}`);
  const most = jsonShapesMax - 1;
  const refusal = {
    failure: /begin with 20001 distinct sequences of member names; the limit is 20000\. Write members in the same order/,
    tooLarge: true,
  };
  const names: Record<string, (i: number) => string> = {
    short: (i) => i.toString(36).padStart(4, '0'),
    'alike at both ends': (i) => `${'x'.repeat(20)}${i}${'y'.repeat(20)}`,
    'with escapes': (i) => `\\"${String.fromCharCode(0x4e00 + i)}\\u00e9${i}:{`,
  };
  for (const [what, name] of Object.entries(names)) {
    const named = (i: number): string => `{"${name(i)}":0}`;
    t.equal(parseJson(listed(most, named)).failure, undefined, `as many as there may be, ${what}`);
    t.match(parseJson(listed(most + 1, named)), refusal, `one more, ${what}`);
  }
  t.equal(parseJson(listed(most * 4, (i) => `{"name ${i % most}":0}`)).failure, undefined, 'a shape that comes again is none');
  t.equal(parseJson(listed(most * 2, (i) => `{"n"],"${i}":0}`)).failure === undefined, false);
  // 140 names make 140 + 140 * 140 shapes of two members.
  const pair = (i: number): string => `{"a${i % 140}":0,"b${Math.floor(i / 140) % 140}":{"c":0}}`;
  t.equal(parseJson(listed(140 * 140, pair)).failure, undefined, 'few names in many orders');
  t.match(parseJson(listed(160 * 160, (i) => `{"a${i % 160}":0,"b${Math.floor(i / 160)}":0}`)), refusal, 'in too many');
  const wide = (i: number): string => `{${Array.from({ length: 900 }, (_, j) => `"n${(j * (i + 1)) % 907}":0`).join()}}`;
  t.match(parseJson(listed(40, wide)), refusal, 'objects of the same names in other orders');
  t.equal(parseJson(listed(40, () => wide(0))).failure, undefined, 'and in the same order');
  const values = `[${Array.from({ length: 200_000 }, (_, i) => `"v${i}"`).join()}]`;
  t.equal(parseJson(Buffer.from(values)).failure, undefined, 'texts are no names');
});

t.test('a large string is parsed in pieces that end between characters', async (t) => {
  const turns = (text: string): number => {
    const work = parsingJson(Buffer.from(text));
    let count = 1;
    let step = work.next();
    for (; step.done !== true; step = work.next()) count++;
    t.strictSame(step.value, { value: JSON.parse(text), fieldErrors: [] });
    return count;
  };
  const filled: Record<string, string> = {
    escapes: '\\u0041',
    'halves of pairs': '\\ud83d\\uddfa',
    'short escapes': '\\n\\"',
    'characters of three bytes': 'x\u4e2d',
  };
  for (const [what, part] of Object.entries(filled)) {
    const value = part.repeat(600_000 / Buffer.byteLength(part));
    for (const text of [`{"a":"${value}"}`, `{"a":1,"b" : "${value}" ,"c":["${value}",2]}`])
      t.ok(turns(text) > Buffer.byteLength(text) / 20_000, `${what} in ${turns(text)} turns`);
  }
  t.strictSame(pointersOf(`{"a":[1,"${'\\ud83d'.repeat(5000)}"]}`), ['/a/1']);
  t.match(parseJson(Buffer.from(`{"a":"${'\\u0041'.repeat(5000)}\\u00"}`)).failure, /not valid JSON/);
});

t.test('a large document is parsed in slices, after its memory is admitted', async (t) => {
  const bytes = Buffer.from(`{"a":[${'{"x":1,"y":[2]},'.repeat(50_000)}0]}`);
  const work = parsingJson(bytes);
  let slices = 1;
  let step = work.next();
  for (; step.done !== true; step = work.next()) slices++;
  t.ok(slices > bytes.length / 20_000, `${slices} slices`);
  t.strictSame(step.value, parseJson(bytes));
  const refusing = (bytes: Buffer): unknown =>
    parseJson(bytes, {
      admit(memoryBytes) {
        throw new Error(`${memoryBytes} bytes`);
      },
    });
  t.throws(() => refusing(bytes), { message: `${100_002 * 32 + 100_000 * 8} bytes` });
  t.throws(() => refusing(Buffer.concat([bytes, Buffer.from('no JSON')])), { message: /^\d+ bytes$/ }, 'before it is parsed');
  t.doesNotThrow(() => refusing(Buffer.from('{"a":[1,2,3]}')), 'a small document is read at once');
});

t.test('a document that is nested too deeply is refused before any recursion', async (t) => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  t.equal(parseJson(Buffer.from(nested(64))).failure, undefined);
  t.match(parseJson(Buffer.from(nested(65))).failure, /64 levels/);
  t.match(parseJson(Buffer.from('{"a":'.repeat(65))).failure, /64 levels/, 'not even a document');
  t.match(parseJson(Buffer.from('['.repeat(5_000_000))).failure, /64 levels/);
  t.match(parseJson(Buffer.from('[[[]]]'), { depthMax: 2 }).failure, /2 levels/);
  const side = `[${'[[]],'.repeat(1000)}"${'['.repeat(100)}\\"${'{'.repeat(100)}"]`;
  t.equal(parseJson(Buffer.from(side)).failure, undefined, 'neither width nor brackets in strings are depth');
  t.match(
    parseJson(Buffer.from(`["\\\\",${nested(64)}]`)).failure,
    /64 levels/,
    'an escaped backslash does not escape the quote',
  );
});

t.test('-0 becomes 0 at every place of a document', async (t) => {
  const { value } = read('{"a":-0,"b":[-0.0,{"c":-0e5}],"d":-1e-400,"-0":"-0"}');
  const zeroes = value as { a: number; b: [number, { c: number }]; d: number; '-0': string };
  for (const zero of [zeroes.a, zeroes.b[0], zeroes.b[1].c, zeroes.d]) t.ok(Object.is(zero, 0));
  t.equal(zeroes['-0'], '-0');
  t.ok(Object.is(read('-0').value, 0), 'the document itself');
});

t.test('numbers out of range, lone surrogates and __proto__ are errors with their JSON pointer', async (t) => {
  t.strictSame(pointersOf('{"a":[1,{"b/c":1e999}],"d":-1e999}'), ['/a/1/b~1c', '/d']);
  t.strictSame(pointersOf(`{"a":1${'0'.repeat(400)}}`), ['/a']);
  t.strictSame(pointersOf('{"a":["\\ud83d","\\ude00","\\ud83d\\ude00","\\ude00\\ud83d"]}'), ['/a/0', '/a/1', '/a/3']);
  t.strictSame(pointersOf('{"x":{"\\ud800":1}}'), ['/x/\ufffd'], 'a member name; the pointer can be sent');
  t.strictSame(pointersOf('{"a":{"__proto__":{"__proto__":1}},"\\u005f_proto__":1}'), ['/a/__proto__', '/__proto__']);
  t.strictSame(pointersOf('{"a":{"constructor":1,"toJSON":1,"prototype":{}}}'), []);
  t.strictSame(pointersOf('1e999'), ['']);
  t.strictSame(pointersOf('"\\ud800"'), ['']);
  t.strictSame(pointersOf('{"a":{"b":{"c":1}},"d":1e999}'), ['/d'], 'a deeper way leaves nothing behind');
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
  t.equal(read(`[${'1e999,'.repeat(500)}1]`).fieldErrors.length, fieldErrorsMax);
  t.equal(read(`[${'[1e999],'.repeat(500)}1]`).fieldErrors.length, fieldErrorsMax);
  for (const { detail } of read('[1e999,"\\ud800",{"__proto__":1}]').fieldErrors) t.match(detail, /^(must|is|has) .*[^.]$/);
});

t.test('the last of duplicate members wins', async (t) => {
  t.strictSame(read('{"a":1e999,"a":2}'), { value: { a: 2 }, fieldErrors: [] });
});

t.test('any document is parsed as JSON.parse parses it', async () => {
  const printed = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value, null, 1)),
  );
  fc.assert(
    fc.property(printed, (text) => {
      const { value, fieldErrors } = read(text);
      // JSON.stringify writes -0 as 0, which is exactly the one change that is made.
      const same = JSON.stringify(value) === JSON.stringify(JSON.parse(text));
      return same && (fieldErrors.length === 0 || text.includes('__proto__') || text.includes('\\ud'));
    }),
    { numRuns: sized({ sample: 100, all: 500 }) },
  );
});

t.test('a document in parts of any size is parsed as by JSON.parse, and invalid JSON is refused', async () => {
  const document = fc.oneof(
    fc.json({ maxDepth: 5 }),
    fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value, null, 1)),
  );
  const signs = fc.constantFrom(
    '',
    ',',
    '[',
    ']',
    '{',
    '}',
    ':',
    '"',
    '1',
    ' ',
    '-',
    '\\',
    '{"a":[1,2],"b":{}}',
    ',"a":1',
    'null',
  );
  const edited = fc.tuple(document, fc.nat(), fc.nat(3), signs).map(([text, at, cut, sign]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + sign + text.slice(from + cut);
  });
  fc.assert(
    fc.property(fc.oneof(document, edited), fc.integer({ min: 1, max: 12 }), (text, partBytes) => {
      const bytes = Buffer.from(text);
      const parsed = parseJson(bytes, { partBytes });
      const whole = parseJson(bytes, { partBytes: 1_000_000 });
      if (whole.failure !== undefined) return parsed.failure !== undefined;
      return (
        parsed.failure === undefined &&
        JSON.stringify(parsed.value) === JSON.stringify(whole.value) &&
        JSON.stringify(parsed.fieldErrors) === JSON.stringify(whole.fieldErrors)
      );
    }),
    { numRuns: sized({ sample: 1000, all: 5000 }) },
  );
});

t.test('the last of duplicate members in different parts wins, and errors point to it', async (t) => {
  const far = ' '.repeat(30);
  const inParts = (text: string) => parseJson(Buffer.from(text), { partBytes: 8 });
  t.strictSame(inParts(`{"a":1e999,${far}"b":1,${far}"a":-0}`), { value: { a: 0, b: 1 }, fieldErrors: [] });
  t.strictSame(Object.keys((inParts(`{"a":1,${far}"b":1,${far}"a":2}`) as { value: object }).value), ['a', 'b']);
  t.match(inParts(`{"a":[0,1,${far}1e999],"__proto__":{"b":[${far}]}}`), {
    fieldErrors: [{ pointer: '/a/2' }, { pointer: '/__proto__' }],
  });
  t.match(inParts(`{"a":[0,1,${far}oops]}`).failure, /not valid JSON: Unexpected token/);
  t.match(inParts(`{"a":[0,1,2,3,4,5,6,7,8,9 10]}`).failure, /at position 26/, 'where it is in the document');
});

t.test('an invalid value at any place is found with its JSON pointer', async () => {
  const planted = fc.constantFrom('1e999', '-1e400', '"\\udc00"', '"a\\ud800b"');
  const keys = fc.array(fc.oneof(fc.nat(5), fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 20 });
  fc.assert(
    fc.property(keys, planted, (keys, planted) => {
      const wanted = keys.filter((part) => part !== '__proto__');
      let text: string = planted;
      for (const part of wanted.toReversed()) {
        text = typeof part === 'number' ? `[${'0,'.repeat(part)}${text},[{}]]` : `{"":0,${JSON.stringify(part)}:${text}}`;
      }
      const found = pointersOf(text);
      return found.length === 1 && found[0] === pointerOf(wanted);
    }),
  );
});

t.test('any bytes give a value or a refusal, never an exception or a stack overflow', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'[]{}",:\\u0-1e9 _'), maxLength: 200 }),
  );
  fc.assert(
    fc.property(bytes, (bytes) => {
      const parsed = parseJson(Buffer.from(bytes as string));
      if (parsed.failure === undefined) return JSON.stringify(parsed.value) !== undefined;
      let parses = true;
      try {
        JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes as string)));
      } catch {
        parses = false;
      }
      return !parses || /levels/.test(parsed.failure);
    }),
    { numRuns: sized({ sample: 250, all: 1000 }) },
  );
});
