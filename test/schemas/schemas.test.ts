/** The schemas that the package exports: equal to the OpenAPI description, and usable with several validators. */
import { Type as Other, type TSchema as OtherSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type JsonObject, Schemas } from '../../src/api/openapi/openapi-schemas.ts';
import type * as bodies from '../../src/model/bodies/resource-bodies.ts';
import { actions } from '../../src/model/resources.ts';
import * as schemas from '../../src/model/schemas/schemas.ts';
import type * as client from '../../src/web/client/client.ts';
import { exampleBody, exampleFiles } from '../support/examples.ts';

/** A schema as plain JSON, without what is said for people. */
function bare(schema: unknown): JsonObject {
  const all = Object.entries(JSON.parse(JSON.stringify(schema)) as JsonObject);
  const said: JsonObject = Object.fromEntries(
    all.filter(([name]) => name !== 'description' && name !== 'title' && !name.startsWith('x-')),
  );
  const each = (value: unknown): never => (Array.isArray(value) ? value.map(bare) : bare(value)) as never;
  for (const word of ['items', 'anyOf']) if (word in said) said[word] = each(said[word]);
  if ('required' in said) said['required'] = [...(said['required'] as string[])].sort();
  const { properties } = said;
  if (properties !== undefined) {
    said['properties'] = Object.fromEntries(Object.entries(properties as JsonObject).map(([name, one]) => [name, bare(one)]));
  }
  return said;
}

/** A schema of the description with all that it refers to. */
function inlined(all: Readonly<Record<string, JsonObject>>, schema: JsonObject): JsonObject {
  const { $ref, allOf, ...rest } = schema;
  const base = $ref ?? (allOf as JsonObject[] | undefined)?.[0]?.['$ref'];
  if (base !== undefined) return { ...inlined(all, all[String(base).split('/').at(-1) as string] as JsonObject), ...rest };
  const walked = structuredClone(schema);
  for (const word of ['items', 'anyOf', 'properties']) {
    const said = walked[word];
    if (Array.isArray(said)) walked[word] = said.map((one) => inlined(all, one as JsonObject));
    else if (word === 'items' && said !== undefined) walked[word] = inlined(all, said as JsonObject);
    else if (said !== undefined) {
      walked[word] = Object.fromEntries(
        Object.entries(said as JsonObject).map(([name, one]) => [name, inlined(all, one as JsonObject)]),
      );
    }
  }
  return walked;
}

const { all } = new Schemas();

t.test('the exported schemas equal those of the OpenAPI description', async (t) => {
  t.equal(Object.keys(schemas).length, 21);
  for (const [name, schema] of Object.entries<TSchema>(schemas)) {
    const described = inlined(all, all[name.replace(/^Map/, '')] as JsonObject);
    t.same(bare(schema), bare(described), name);
    t.equal((schema as { title?: string }).title, name.replace(/^Map/, ''));
  }
});

t.test('no description has the forms of the console', async (t) => {
  t.ok(JSON.stringify(actions.bodies.response).includes('x-form'));
  t.notOk(JSON.stringify([all, Object.values(schemas)]).includes('x-form'));
});

t.test('three validators accept the exported schemas and agree on every value', async (t) => {
  const ajv = new Ajv2020({ allErrors: true });
  const { ProjectCreate } = schemas;
  const checks = [
    (value: unknown) => Compile(ProjectCreate).Check(value),
    (value: unknown) => TypeCompiler.Compile(otherOf(ProjectCreate)).Check(value),
    (value: unknown) => ajv.compile(JSON.parse(JSON.stringify(ProjectCreate)))(value),
  ];
  for (const file of exampleFiles) {
    const example = exampleBody<Static<typeof schemas.ProjectCreate>>(file);
    const wrong = [
      { ...example, nam: 'x' },
      { ...example, artboards: [{ objects: [{ type: 'circle' }] }] },
      { ...example, artboards: [{ objects: [{}] }] },
      { ...example, id: 'x' },
      { ...example, popups: [{ maxWidth: '3' }] },
    ];
    t.strictSame(
      checks.map((check) => check(example)),
      [true, true, true],
      file,
    );
    for (const one of wrong)
      t.strictSame(
        checks.map((check) => check(one)),
        [false, false, false],
      );
  }
});

/** The same schema in the words of the version of TypeBox before. */
function otherOf(schema: unknown): OtherSchema {
  const {
    type,
    properties,
    required = [],
    items,
    anyOf,
    enum: words,
    ...said
  } = schema as Record<string, never> & {
    readonly required?: readonly string[];
  };
  if (anyOf !== undefined) return Other.Union((anyOf as unknown[]).map(otherOf));
  if (words !== undefined)
    return Other.Union(
      (words as string[]).map((word) => Other.Literal(word)),
      said,
    );
  if (type === 'array') return Other.Array(otherOf(items), said);
  if (type === 'object') {
    const members = Object.entries((properties ?? {}) as Record<string, unknown>).map(([name, one]) => {
      const member = otherOf(one);
      return [name, required.includes(name) ? member : Other.Optional(member)];
    });
    const { patternProperties, ...rest } = said as { readonly patternProperties?: Readonly<Record<string, unknown>> };
    const [named] = Object.entries(patternProperties ?? {});
    if (named !== undefined) return Other.Record(Other.String({ pattern: named[0] }), otherOf(named[1]), rest);
    return Other.Object(Object.fromEntries(members), said);
  }
  if (type === 'string') return Other.String(said);
  if (type === 'number') return Other.Number(said);
  if (type === 'boolean') return Other.Boolean(said);
  return Other.Unknown(said);
}

t.test('new schemas can be composed from the exported ones', async (t) => {
  const Titled = Type.Object({ ...Type.Pick(schemas.PopupCreate, ['title', 'maxWidth']).properties, slug: Type.String() });
  const check = Compile(Titled);
  t.ok(check.Check({ slug: 'x', title: 'y' } satisfies Static<typeof Titled>));
  t.notOk(check.Check({ title: 'y' }));
});

t.test('the schema of a PATCH has no defaults and accepts identifiers', async (t) => {
  t.notMatch(JSON.stringify(schemas.PopupUpdate), /"default"/);
  const check = Compile(schemas.ProjectUpdate);
  t.ok(check.Check({}));
  t.ok(check.Check({ popups: [{ id: 'x', title: 'y' }, { title: 'new' }] }));
  t.notOk(check.Check({ popups: [{ ids: 'x' }] }));
});

/** `true` if each type is assignable to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** What TypeBox infers from the schemas of a resource, as the program declares it. */
interface Inferred<B extends Record<'response' | 'create' | 'update', TSchema>> {
  readonly response: Static<B['response']>;
  readonly create: Static<B['create']>;
  readonly update: Static<B['update']>;
}

/** The same, as the package exports it in plain TypeScript. */
interface Written<Response, Create, Update> {
  readonly response: Response;
  readonly create: Create;
  readonly update: Update;
}

t.test('the written types of the schemas equal those that TypeBox infers from the declarations', async (t) => {
  const same: {
    actions: Same<Inferred<typeof bodies.actionBodies>, Written<client.Action, client.ActionCreate, client.ActionUpdate>>;
    artboards: Same<
      Inferred<typeof bodies.artboardBodies>,
      Written<client.Artboard, client.ArtboardCreate, client.ArtboardUpdate>
    >;
    dataSources: Same<
      Inferred<typeof bodies.dataSourceBodies>,
      Written<client.DataSource, client.DataSourceCreate, client.DataSourceUpdate>
    >;
    objects: Same<
      Inferred<typeof bodies.objectBodies>,
      Written<client.MapObject, client.MapObjectCreate, client.MapObjectUpdate>
    >;
    popups: Same<Inferred<typeof bodies.popupBodies>, Written<client.Popup, client.PopupCreate, client.PopupUpdate>>;
    projects: Same<Inferred<typeof bodies.projectBodies>, Written<client.Project, client.ProjectCreate, client.ProjectUpdate>>;
    variables: Same<
      Inferred<typeof bodies.variableBodies>,
      Written<client.Variable, client.VariableCreate, client.VariableUpdate>
    >;
    exported: Same<Static<typeof schemas.Project>, client.Project>;
    created: Same<Static<typeof schemas.MapObjectCreate>, client.MapObjectCreate>;
    other: Same<Static<typeof schemas.MapObjectCreate>, client.MapObjectUpdate>;
  } = {
    ...{ actions: true, artboards: true, dataSources: true, objects: true, popups: true, projects: true, variables: true },
    ...{ exported: true, created: true, other: false },
  };
  t.equal(Object.keys(same).length, 10);
});

t.test('the types of the schemas equal those of the client', async (t) => {
  const sent: schemas.ActionCreate = { type: 'create-spot', conditions: [{ a: 1 }] };
  const asked: client.ActionCreate = sent;
  const beyond: client.ActionCreate = { type: 'modify-popup', popup_id: 'x' } satisfies schemas.ActionCreate;
  const board: schemas.Artboard['objects'] = [];
  t.ok(board.every(({ interactive = true }) => interactive));
  t.ok([asked, beyond].every((action) => Compile(schemas.ActionCreate).Check(action)));
  // @ts-expect-error `type` has no default
  const typeless: schemas.MapObjectCreate = { x: 1 };
  t.notOk(Compile(schemas.MapObjectCreate).Check(typeless));
});
