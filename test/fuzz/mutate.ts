/** Makes inputs of other inputs: byte by byte, by words that mean something, and as msgpack that says something else. */
import { Packr, Unpackr } from 'msgpackr';
import type { Chance } from '../support/random.ts';

/** Bytes of an input, at most. */
export const inputBytesMax = 256 * 1024;

const numbers = [
  0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff,
];

type Change = (bytes: Buffer, random: Chance, words: readonly string[], other: Buffer) => Buffer;

const cutOut = (bytes: Buffer, from: number, to: number, put: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)]);

/** A stretch of the bytes, mostly short. */
function stretch(bytes: Buffer, random: Chance): [from: number, to: number] {
  const from = random.below(bytes.length + 1);
  const longest = random.once(4) ? bytes.length : 16;
  return [from, Math.min(bytes.length, from + 1 + random.below(longest))];
}

function at(bytes: Buffer, random: Chance, write: (copy: Buffer, place: number) => void, width = 1): Buffer {
  if (bytes.length < width) return bytes;
  const copy = Buffer.from(bytes);
  write(copy, random.below(bytes.length - width + 1));
  return copy;
}

const changes: readonly Change[] = [
  (bytes, random) => at(bytes, random, (copy, place) => copy.writeUInt8(copy.readUInt8(place) ^ (1 << random.below(8)), place)),
  (bytes, random) => at(bytes, random, (copy, place) => copy.writeUInt8(random.below(256), place)),
  (bytes, random) => at(bytes, random, (copy, place) => copy.writeUInt32LE(random.pick(numbers), place), 4),
  (bytes, random) => at(bytes, random, (copy, place) => copy.writeUInt32BE(random.pick(numbers), place), 4),
  (bytes, random) => at(bytes, random, (copy, place) => copy.writeUInt16LE(random.below(65_536), place), 2),
  (bytes, random) => cutOut(bytes, ...stretch(bytes, random)),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    return cutOut(bytes, from, from, bytes.subarray(from, to));
  },
  (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    const times = random.once(8) ? 1 + random.below(5000) : 1 + random.below(8);
    const part = bytes.subarray(from, to);
    return cutOut(
      bytes,
      from,
      from,
      Buffer.concat(Array.from({ length: Math.min(times, Math.ceil(65_536 / (part.length + 1))) }, () => part)),
    );
  },
  (bytes, random) => {
    const place = random.below(bytes.length + 1);
    return cutOut(bytes, place, place, Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256))));
  },
  (bytes, random, _, other) => {
    const place = random.below(bytes.length + 1);
    return cutOut(bytes, place, random.once(2) ? bytes.length : place, other.subarray(...stretch(other, random)));
  },
  (bytes, random, words) => {
    if (words.length === 0) return bytes;
    const [from, to] = stretch(bytes, random);
    return cutOut(bytes, from, random.once(2) ? from : to, Buffer.from(random.pick(words), 'latin1'));
  },
];

/** One to four changes to the bytes. */
export function mutateBytes(input: Buffer, random: Chance, words: readonly string[] = [], other: Buffer = input): Buffer {
  let bytes = input;
  for (let left = 1 + random.below(4); left > 0; left--) bytes = random.pick(changes)(bytes, random, words, other);
  return bytes.subarray(0, inputBytesMax);
}

const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false });

/** msgpack with all that the format has, which is more than is ever stored. */
export const packLoosely = (value: unknown): Buffer => packr.pack(value);
export const unpackLoosely = (bytes: Buffer): unknown => unpackr.unpack(bytes);

/** Values where others were expected. */
function oddValue(random: Chance): unknown {
  const odd = [
    null,
    true,
    false,
    -1,
    0,
    1,
    255,
    1.5,
    -0.5,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    2 ** 32,
    2n ** 63n,
  ];
  const texts = [
    '',
    'x',
    '__proto__',
    'length',
    'toString',
    '[',
    '{}',
    '[]',
    '[[]]',
    '{"a":1}',
    '\ud800',
    'x'.repeat(300),
    '['.repeat(200),
  ];
  const structures = [
    [],
    [[]],
    [[[[[[[[[[]]]]]]]]]],
    [null, null],
    {},
    JSON.parse('{"__proto__":1,"a":2}'),
    new Date(0),
    Buffer.from('bin'),
    new Map([[1, 2]]),
  ];
  return random.pick([odd, texts, structures].flat());
}

/** Takes msgpack apart, changes an element somewhere, and packs it again; bytes that are no msgpack are changed as bytes. */
export function mutateMsgpack(input: Buffer, random: Chance): Buffer {
  if (random.once(4)) return mutateBytes(input, random);
  if (random.once(12)) return bomb(random);
  try {
    const root: unknown = unpackLoosely(input);
    for (let left = 1 + random.below(2); left > 0; left--) changeElement(root, random);
    return packLoosely(root).subarray(0, inputBytesMax);
  } catch {
    return mutateBytes(input, random);
  }
}

function changeElement(root: unknown, random: Chance): void {
  let array = root;
  if (!Array.isArray(array)) return;
  // Down to a depth of chance.
  for (let depth = random.below(7); depth > 0; depth--) {
    const inner: unknown[] = (array as unknown[]).filter(Array.isArray);
    if (inner.length === 0) break;
    array = random.pick(inner);
  }
  const elements = array as unknown[];
  const place = random.below(elements.length + 1);
  switch (random.below(5)) {
    case 0:
      elements.splice(place, 1);
      break;
    case 1:
      elements.splice(place, 0, oddValue(random));
      break;
    case 2:
      if (elements.length > 0) elements.splice(place, 0, random.pick(elements));
      break;
    case 3:
      elements.reverse();
      break;
    default:
      elements[Math.min(place, Math.max(elements.length - 1, 0))] = oddValue(random);
  }
}

/** Few bytes that claim to be many: lengths that nothing stands behind, and depths. */
function bomb(random: Chance): Buffer {
  const claim = random.pick([
    [0xdd, 0x01, 0xff, 0xff, 0xff],
    [0xdc, 0xff, 0xff],
    [0xdb, 0x7f, 0xff, 0xff, 0xff],
    [0xdf, 0x00, 0xff, 0xff, 0xff],
    [0x91],
    [0xc6, 0x3f, 0xff, 0xff, 0xff],
  ]);
  return Buffer.concat(Array.from({ length: random.pick([1, 3, 40, 3000]) }, () => Buffer.from(claim)));
}
