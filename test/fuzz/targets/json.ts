/** The reader of JSON, against `JSON.parse`: what it takes is what that makes, and what it refuses has a reason. */
import { isUtf8 } from 'node:buffer';
import { jsonContainersMax, jsonDepthMax, nestsDeeper, parseJson } from '../../../src/lib/json/json.ts';
import { must, type Target } from '../target.ts';

const documents = [
  '{"name":"a","n":[1,2.5,-0,1e3,true,false,null],"o":{"a":{"b":[{}]}}}',
  '"\\ud83d\\ude00 \\ud800 \\u0000"',
  '{"__proto__":{"a":1},"constructor":1}',
  '[1e999,-1e999,5e-324,0.1e-400]',
  `${'['.repeat(64)}${']'.repeat(64)}`,
  `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
  '-0',
  '\ufeff{}',
  ' {} ',
];
const words = [
  '__proto__',
  '\\ud800',
  '\\udc00',
  '1e999',
  '-0',
  '[',
  '{"a":',
  '"',
  '\\',
  ',',
  ':',
  '\u00e9',
  '\ufeff',
  '0'.repeat(400),
  '[{},',
];

export function json(): Target {
  return {
    name: 'json',
    inputs: 50_000,
    seeds: documents.map((text) => Buffer.from(text)),
    words,
    outcomes: [
      'read',
      'read with field errors',
      'refused: The document is not valid JSON',
      'refused: The document is nested too deeply',
    ],
    run(input) {
      const given = Buffer.from(input);
      const parsed = parseJson(input);
      must(input.equals(given), 'the bytes have changed');
      const native = nativelyParsed(input);
      if (parsed.failure !== undefined) {
        const bounded = /nested too deeply|objects and arrays|UTF-8|byte order mark/.test(parsed.failure);
        must(bounded || native === undefined, `refused, and JSON.parse takes it: ${parsed.failure}`);
        return `refused: ${parsed.failure.replaceAll(/\d+|"[^"]*"|position.*/g, '#').slice(0, 60)}`;
      }
      must(native !== undefined, 'taken, and JSON.parse refuses it');
      must(isUtf8(input), 'taken, and no UTF-8');
      const text = input.toString();
      must(!nestsDeeper(text, jsonDepthMax), 'taken, and deeper than it may be');
      if (parsed.fieldErrors.length > 0) return `read with field errors: ${parsed.fieldErrors[0]?.detail.slice(0, 30)}`;
      const back = JSON.stringify(parsed.value);
      must(back === JSON.stringify(native.value), 'another value than JSON.parse makes');
      must(sound(parsed.value), 'a value got through that is not sound');
      const again = parseJson(Buffer.from(back));
      must(again.failure === undefined && JSON.stringify(again.value) === back, 'what was read is not read again');
      must((text.match(/[[{]/g)?.length ?? 0) <= jsonContainersMax || text.includes('"'), 'more containers than may be');
      return 'read';
    },
  };
}

function nativelyParsed(input: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(input.toString()) as unknown };
  } catch {
    return undefined;
  }
}

/** Finite numbers without `-0`, well-formed text, and no member that reaches for a prototype. */
function sound(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return !Object.hasOwn(value, '__proto__') && Object.keys(value).every(sound) && Object.values(value).every(sound);
}
