/** The schemas, the endpoints and the running server against the tables of the contract. */
import t from 'tap';
import Type from 'typebox';
import { endpoints } from '../../src/api/endpoints.ts';
import { check, FieldErrorList } from '../../src/model/bodies/check-body.ts';
import type { AnySchema } from '../../src/model/members.ts';
import type { Resource } from '../../src/model/resource.ts';
import { resourceOf } from '../../src/model/resources.ts';
import { bodyOf } from '../support/arbitrary.ts';
import { exampleBody, exampleFiles, exampleText } from '../support/examples.ts';
import fc from '../support/fast-check.ts';
import { startForRequests, startMapwright } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';
import { resourcesOfDocument } from '../support/resources.ts';
import { sized } from '../support/tier.ts';
import { contract, leastBody, type Member, type ResourceName, resourceNames, routes } from './contract.ts';
import { faultIn } from './validator.ts';
import { makeWorld } from './world.ts';

const byTitle = new Map<string, Resource>(resourcesOfDocument.map((resource) => [resource.title, resource]));
const resourceNamed = (name: ResourceName) => byTitle.get(name) as Resource;

function kindOf({
  type,
  enum: words,
  items,
  properties = {},
  patternProperties,
  additionalProperties,
}: AnySchema): Member['kind'] {
  if (words !== undefined) return 'words';
  if (type === 'array') {
    if (items?.title !== undefined) return 'list';
    if (items?.type === 'string') return 'strings';
    if (items?.type === 'array') return 'rings';
    return items?.additionalProperties === false ? 'vertices' : 'objects';
  }
  if (type !== 'object') return type as 'string' | 'number' | 'boolean';
  if (patternProperties !== undefined) return 'values';
  if (additionalProperties !== true) throw new Error('an object that is not open');
  const names = Object.keys(properties).join();
  // Settings are any object: their members that are checked are an addition.
  return names === '' || names === 'max_bounds,legend,labels,public_map' ? 'object' : names === 'name,type' ? 'style' : 'path';
}

function memberOf(said: AnySchema): Member {
  const { default: fallback, enum: words, minimum, maximum, readOnly, items, 'x-references': collection } = said;
  const kind = kindOf(said);
  return {
    kind,
    ...(readOnly === true ? { readOnly } : {}),
    ...(fallback === undefined ? {} : { fallback }),
    ...(words === undefined ? {} : { words }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(kind === 'list' ? { of: items?.title as ResourceName } : {}),
    ...(collection === undefined ? {} : { names: resourceOf[collection].title as ResourceName }),
    ...(Type.IsOptional(said) ? { optional: true } : {}),
  };
}

const withoutHoles = (member: Member) => Object.fromEntries(Object.entries(member).filter(([, value]) => value !== undefined));

t.test('the declared resources are exactly those of the contract', async (t) => {
  t.strictSame([...byTitle.keys()].sort(), [...resourceNames].sort());
});

for (const name of resourceNames) {
  t.test(`${name}: the schema has the members, types and defaults of the contract`, async (t) => {
    const properties = resourceNamed(name).bodies.response.properties as Readonly<Record<string, AnySchema>>;
    t.strictSame(Object.keys(properties), Object.keys(contract[name]), 'the same members');
    for (const [member, row] of Object.entries(contract[name])) {
      const said = properties[member];
      if (said === undefined) t.fail(`${member} is not declared`);
      else t.strictSame(memberOf(said), withoutHoles(row), member);
    }
  });
}

/** Routes of ours, which the contract does not know. */
const beyond = [
  'POST /projects/<project_id>/batch',
  'GET /projects/<project_id>/problems',
  'POST /projects/<project_id>/duplicate',
  'GET /projects/<project_id>/export',
  'POST /projects/import',
  'GET /events',
  'GET /projects/<project_id>/events',
  'GET /projects/<project_id>/publication',
  'PUT /projects/<project_id>/publication',
  'DELETE /projects/<project_id>/publication',
  'GET /projects/<project_id>/publication/draft',
  'PUT /projects/<project_id>/publication/picture',
  'GET /projects/<project_id>/publication/visits',
  'GET /projects/<project_id>/publication/visits.csv',
  'GET /publications',
  'GET /revisions',
  'GET /failing-sources',
  'GET /me',
  'GET /projects/<project_id>/publication/sources',
  'POST /projects/<project_id>/evaluate',
  'GET /projects/<project_id>/data-sources/<data_source_id>/response',
  'POST /projects/<project_id>/data-sources/<data_source_id>/response',
  'PUT /projects/<project_id>/data-sources/<data_source_id>/response',
  'DELETE /projects/<project_id>/data-sources/<data_source_id>/response',
  'GET /projects/<project_id>/artboards/<artboard_id>/preview.svg',
  'GET /projects/<project_id>/artboards/<artboard_id>/preview.png',
  'GET /projects/<project_id>/artboards/<artboard_id>/export.geojson',
  ...['GET', 'POST'].flatMap((method) => [`${method} /projects/<project_id>/files`, `${method} /projects/<project_id>/versions`]),
  ...['GET', 'PATCH', 'DELETE'].flatMap((method) => [
    `${method} /projects/<project_id>/files/<file_id>`,
    `${method} /projects/<project_id>/versions/<version_id>`,
  ]),
  'DELETE /projects/<project_id>/versions',
  'GET /projects/<project_id>/versions/<version_id>/changes',
  'GET /projects/<project_id>/versions/<version_id>/files/<file_id>',
  'POST /projects/<project_id>/versions/<version_id>/restore',
];

t.test('the endpoints are the 35 routes of the contract and the listed ones beyond it, all described', async (t) => {
  t.equal(routes.length, 35);
  for (const all of [endpoints, operations]) {
    const names = all.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '<$1>')}`);
    t.strictSame(names.sort(), [...routes, ...beyond].sort());
  }
});

t.test('responses of the running server fit the tables of the contract', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  for (const name of resourceNames) {
    const { id: _, user_id, created, ...rest } = await world.make(name);
    const defaults = Object.entries(contract[name])
      .filter(([, { readOnly, optional }]) => readOnly !== true && optional !== true)
      .map(([member, { fallback }]) => [member, fallback ?? leastBody(name)[member]]);
    t.strictSame(rest, Object.fromEntries(defaults), `${name}: defaults`);
    const kept = await world.make(name, { name: 'another' });
    t.equal(kept['name'], 'another');
    const at = name === 'Project' ? '/projects' : world.at(name);
    const { list } = await world.mapwright.get(at);
    t.ok(list.length >= 2, `${name}: listed`);
    t.strictSame(list.map((shown) => faultIn(name, 'answer', shown)).filter(Boolean), [], `${name}: the list is valid`);
    const one = (await world.mapwright.get(`${at}/${kept.id}`)).shown;
    t.equal(faultIn(name, 'answer', one), '', `${name}: the one is valid`);
    t.strictSame(one, kept);
    if (name === 'Project') {
      t.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      t.ok(Math.abs(Date.parse(String(created)) - Date.now()) < 60_000, 'it was created just now');
      t.match(user_id, /^[0-9a-f-]{36}$/);
    }
  }
  t.equal(faultIn('Project', 'answer', (await world.project()).shown), '', 'a project with something of everything');
});

t.test('the committed examples are valid and are imported completely', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  for (const file of exampleFiles) {
    const text = exampleText(file);
    t.equal(faultIn('Project', 'create', exampleBody(file)), '', `${file} is a valid body without identifiers`);
    const answer = await mapwright.post('/projects/import', text);
    t.equal(answer.status, 200, file);
    t.equal(faultIn('Project', 'answer', answer.json), '', `${file} as it is answered`);
    // The import replaces the identifiers of the document.
    const isOld = (value: unknown): boolean => typeof value === 'string' && value.startsWith('00000000-');
    const isEmptied = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && !(0 in value);
    const { project } = JSON.parse(text, (_, value) => (isOld(value) || isEmptied(value) ? undefined : value));
    t.match(answer.json, project, `${file} is all there`);
  }
});

t.test('the validator and a second one agree about any body', async (t) => {
  for (const name of resourceNames) {
    const resource = resourceNamed(name);
    for (const mode of ['create', 'update'] as const) {
      fc.assert(
        fc.property(bodyOf(resource, { spoil: true }), (body) => {
          const fieldErrors = new FieldErrorList();
          for (const _ of check(resource, mode, body, fieldErrors));
          const fault = faultIn(name, mode, body);
          if ((fieldErrors.size === 0) !== (fault === ''))
            throw new Error(`checked: ${JSON.stringify(fieldErrors.toArray())}; the second says: ${fault || 'valid'}`);
        }),
        // An identifier that is none passes both: the engine knows, not the schema.
        { numRuns: sized({ sample: 15, all: 60 }), examples: name === 'Project' ? [[{ variables: [{ id: {} }] }]] : [] },
      );
    }
    t.pass(name);
  }
});
