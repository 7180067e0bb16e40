/** The cases of cases.json: what a second implementation would be held against. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { objectDefaults, popupDefaults } from '../../src/live/evaluate/actions/resource-defaults.ts';
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import type { LiveProject } from '../../src/live/evaluate/evaluation.ts';
import { comparisons } from '../../src/live/evaluate/values/comparison.ts';
import { ActionSchema } from '../../src/model/resources/action.ts';
import { VariableSchema } from '../../src/model/resources/variable.ts';
import { projectRoot } from '../support/project.ts';

type Members = Readonly<Record<string, unknown>>;

interface Case {
  readonly name: string;
  readonly project: LiveProject & { readonly variables?: readonly Members[]; readonly actions?: readonly Members[] };
  readonly responses: Members;
  readonly seed: number | string;
  readonly now: string;
  readonly expect: {
    readonly values: Members;
    readonly objects: Members;
    readonly popups: Members;
    /** Members of objects and popups that do not have the contract's defaults. */
    readonly created: readonly (Members & { readonly object: Members; readonly popup: Members | null })[];
    /** None by default, as for `created`. */
    readonly created_popups?: readonly (Members & { readonly popup: Members })[];
    /** For actions that follow a list; not compared without it. */
    readonly unmatched?: readonly unknown[];
    /** `says` is a part of the detail. */
    readonly problems: readonly { readonly pointer: string; readonly says: string; readonly at?: number }[];
  };
}

const file = path.join(projectRoot(import.meta.dirname), 'test/live/cases.json');
const cases = JSON.parse(fs.readFileSync(file, 'utf8')) as readonly Case[];

t.test('every case of the table has its expected result', async (t) => {
  t.ok(cases.length >= 120, `${cases.length} cases`);
  for (const { name, project, responses, seed, now, expect } of cases) {
    const { problems, unmatched, ...result } = JSON.parse(JSON.stringify(evaluate(project, responses, { seed, now })));
    const created = expect.created.map(({ object, popup, ...rest }) => ({
      ...rest,
      object: { ...objectDefaults, ...object },
      popup: popup && { ...popupDefaults, ...popup },
    }));
    const { values, objects, popups } = expect;
    const created_popups = (expect.created_popups ?? []).map(({ popup, ...rest }) => ({
      ...rest,
      popup: { ...popupDefaults, ...popup },
    }));
    t.strictSame(result, { values, objects, popups, created, created_popups }, name);
    if (expect.unmatched !== undefined) t.strictSame(unmatched, expect.unmatched, `${name}: unmatched`);
    t.strictSame(
      problems.map(({ pointer }: { pointer: string }) => pointer),
      expect.problems.map(({ pointer }) => pointer),
      `${name}: problems`,
    );
    for (const [i, { says, at }] of expect.problems.entries()) {
      t.ok(problems[i]?.detail.includes(says), `${name}: ${says}`);
      t.equal(problems[i]?.at, at, `${name}: place`);
    }
  }
});

t.test('the cases cover every type of variable and action, every operator and every shape of coordinates', async (t) => {
  const text = JSON.stringify(cases);
  const types = (resources: (one: Case) => readonly Members[] | undefined) =>
    new Set(cases.flatMap((one) => resources(one) ?? []).map((resource) => resource?.['type']));
  const variables = types(({ project }) => project.variables);
  const actions = types(({ project }) => (Array.isArray(project.actions) ? project.actions : []));
  for (const type of VariableSchema.properties.type.enum) t.ok(variables.has(type), `a variable of type ${type}`);
  for (const type of ActionSchema.properties.type.enum) t.ok(actions.has(type), `an action of type ${type}`);
  for (const operator of comparisons.keys()) t.ok(text.includes(`"operator":"${operator}"`), `the operator ${operator}`);
  for (const type of ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'Feature'])
    t.ok(text.includes(`"type":"${type}"`), `GeoJSON of type ${type}`);
  t.equal(new Set(cases.map(({ name }) => name)).size, cases.length, 'no two cases have one name');
});
