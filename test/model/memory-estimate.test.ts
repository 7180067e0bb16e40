/** The generated memory estimate of a member, compared with a loop over its fields. */
import t from 'tap';
import { JsonText } from '../../src/model/json-text.ts';
import { jsonTextBytes, memberFrameBytes, optionalMemberBytes, weighJson } from '../../src/model/memory-estimate.ts';
import type { Resource } from '../../src/model/resource.ts';
import { collectionNames, projects, resourceOf } from '../../src/model/resources.ts';
import type { Value } from '../../src/model/value.ts';
import { exampleBody, exampleFiles } from '../support/examples.ts';

function looped({ fields }: Resource, value: Value): number {
  const items = fields.map(({ name, encoding, fallback, isOptional }) => {
    const item = value[name];
    const content = item instanceof JsonText ? jsonTextBytes + weighJson(item.text) : weighJson(item);
    const weight = encoding === 'word' || item === fallback ? 0 : content;
    return isOptional && item !== undefined ? weight + optionalMemberBytes : weight;
  });
  const always = fields.filter(({ isOptional }) => !isOptional);
  return memberFrameBytes(always.length) + weighJson(value.id) + items.reduce((sum, item) => sum + item, 0);
}

type Example = Readonly<Record<string, unknown>> & { readonly artboards?: readonly Example[] };

t.test('the estimate of every member of the examples equals a loop over its fields', async (t) => {
  let count = 0;
  for (const file of exampleFiles) {
    const example = exampleBody<Example>(file);
    const check = (resource: Resource, body: Example) => {
      const value = resource.create(`id ${count++}`, {}, body);
      t.equal(resource.weighMember(value), looped(resource, value));
    };
    check(projects, example);
    for (const collection of collectionNames) {
      const holders = collection === 'objects' ? (example.artboards ?? []) : [example];
      for (const holder of holders)
        for (const body of ((holder[collection] ?? []) as readonly Example[]).slice(0, 50)) check(resourceOf[collection], body);
    }
  }
  t.ok(count > 200, `${count} members`);
});

t.test('the estimate of defaults, fractions, wide text and optional members equals a loop over the fields', async (t) => {
  for (const resource of [projects, ...collectionNames.map((name) => resourceOf[name])]) {
    const plain = resource.create('', {}, {});
    t.equal(resource.weighMember(plain), looped(resource, plain), 'defaults');
    const values = {
      text: 'ж'.repeat(9),
      number: 0.5,
      flag: true,
      vertices: [{ x: 1, y: 2.5 }],
      object: { a: ['b'] },
      array: [{}],
      rings: [[{ x: 1, y: 2.5 }]],
      json: { a: 'ж' },
    };
    const body = Object.fromEntries(
      resource.fields.map(({ name, encoding, words }) => [name, encoding === 'word' ? words.at(-1) : values[encoding]]),
    );
    const full = resource.create('id', body, { ...body, object_ids: ['x'], interactive: false });
    t.equal(resource.weighMember(full), looped(resource, full));
    t.ok(resource.weighMember(full) > resource.weighMember(plain));
  }
});
