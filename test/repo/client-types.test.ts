/** The client's types are those of the description as it is. Nothing is generated here: the digest in their heads tells. */
import fs from 'node:fs';
import t from 'tap';
import type { JsonObject } from '../../src/api/openapi/openapi-schemas.ts';
import { compats, digestOf, headOf, typedDescription, typesFile } from './client-types.ts';

for (const compat of compats) {
  t.test(`${compat}: they are committed as they are`, async (t) => {
    t.ok(fs.readFileSync(typesFile(compat), 'utf8').startsWith(headOf(compat)), 'if not: npm run client');
  });
}

t.test('any change of a path or a schema makes them stale', async (t) => {
  const digest = (change: (description: JsonObject) => void): string => {
    const description = structuredClone(typedDescription('contract'));
    change(description);
    return digestOf(description);
  };
  const schemasOf = ({ components }: JsonObject) =>
    (components as Record<string, JsonObject>)['schemas'] as Record<string, JsonObject>;
  const digests = [
    digest(() => undefined),
    digest((description) => void delete (description['paths'] as JsonObject)['/projects']),
    digest((description) => void delete (schemasOf(description)['Popup'] as JsonObject)['required']),
    digest((description) => void delete schemasOf(description)['Popup']),
  ];
  t.equal(new Set(digests).size, digests.length);
});

t.test('what is beside the API, and all that says nothing about types, is left out', async (t) => {
  const text = JSON.stringify(typedDescription('contract'));
  t.notMatch(text, /"\/healthz"|"example"|"X-Request-Id"/);
  t.match(text, /"\/projects\/\{project_id\}\/batch"/);
});
