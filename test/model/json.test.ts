/** The generated JSON of a value is what `JSON.stringify` writes, for every resource. */
import t from 'tap';
import type { Encoding, Field } from '../../src/model/generate.ts';
import { collectionNames, projects, resourceOf } from '../../src/model/resources.ts';
import type { Body } from '../../src/model/value.ts';
import fc from '../support/fast-check.ts';

/** Any UTF-16 code units: control characters, quotation marks, surrogates alone and in pairs. */
const anyText = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0xd7f0, max: 0xe00f }), fc.integer({ min: 0, max: 0xffff })),
    )
    .map((units) => String.fromCharCode(...units)),
);
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });

const contents: Readonly<Record<Exclude<Encoding, 'word'>, fc.Arbitrary<unknown>>> = {
  text: anyText,
  number: anyNumber,
  flag: fc.boolean(),
  vertices: fc.array(fc.record({ x: anyNumber, y: anyNumber }), { maxLength: 3 }),
  object: fc.dictionary(fc.string(), fc.jsonValue()),
  array: fc.array(fc.jsonValue(), { maxLength: 3 }),
  rings: fc.array(fc.array(fc.record({ x: anyNumber, y: anyNumber }), { maxLength: 3 }), { maxLength: 3 }),
  json: fc.dictionary(fc.string(), fc.oneof(anyText, anyNumber, fc.boolean())),
};

const contentOf = ({ encoding, words }: Field): fc.Arbitrary<unknown> =>
  encoding === 'word' ? fc.constantFrom(...words) : contents[encoding];

/** A body with all required members and some of the others. */
const bodyOf = (fields: readonly Field[]): fc.Arbitrary<Body> =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, contentOf(field)])), {
    requiredKeys: fields.filter(({ fallback }) => fallback === undefined).map(({ name }) => name),
  });

for (const resource of [projects, ...collectionNames.map((name) => resourceOf[name])]) {
  t.test(`the JSON of a ${resource.noun} is what JSON.stringify writes`, async (t) => {
    fc.assert(
      fc.property(anyText, bodyOf(resource.fields), (id, body) => {
        const value = resource.create(id, body, body);
        const json = resource.json(value);
        const shown = JSON.stringify({ ...value, ...Object.fromEntries(resource.hidden.map((name) => [name, undefined])) });
        if (json !== shown) throw new Error(`${json} is not ${shown}`);
      }),
    );
    t.pass('as JSON.stringify writes it');
  });
}
