/** What each variable computes, by its type: compiled once per evaluation. */
import { smoothScale, steppedScale } from '../../../lib/draw/colour-scale.ts';
import { type Colour, parseColour } from '../../../lib/draw/css-colour.ts';
import { bounds } from '../evaluation.ts';
import { grouped, quoted } from '../evaluation-problems.ts';
import type { Compute, EvaluationRun } from '../evaluation-run.ts';
import { compileExpression, type Scope } from '../expressions/expression.ts';
import { TextTemplate } from '../expressions/text-template.ts';
import { listMember, member, numberMember, textMember } from '../open-json.ts';
import type { Found, ProjectIndex } from '../project-index.ts';
import { DataPath } from '../values/data-path.ts';
import { isScalar, kindOf, shownJson, type Value } from '../values/live-value.ts';
import { numberIn } from '../values/number-form.ts';
import { randomShare } from '../values/seeded-random.ts';
import { verticesIn } from '../values/vertices.ts';

/** A member of a variable that is wrong. */
export interface Fault {
  /** Pointer below the variable. */
  readonly below: string;
  /** A sentence without a full stop. */
  readonly detail: string;
  /** The place in its text: see `LiveProblem`. */
  readonly at?: number;
}

export interface VariablePlan {
  /** Positions of the variables that it reads. It has one value per item if one of them has. */
  readonly reads: ReadonlySet<number>;
  /** Positions of the iterators of which it reads only the number of items. */
  readonly counts: ReadonlySet<number>;
  /** Whether its own expression depends on the artboard. */
  readonly isPlaced: boolean;
  /** Steps of one computation. */
  readonly steps: number;
  /** Pointer below the variable to what is wrong if a computation gives no value. */
  readonly below: string;
  readonly compute: Compute;
  /** Set for an iterator, instead of `compute`. */
  readonly list?: () => readonly unknown[] | undefined;
  /** What is wrong although it has a value. */
  readonly faults?: readonly Fault[];
}

const nothing: ReadonlySet<number> = new Set();
const plan = (below: string, compute: Compute, more: Partial<VariablePlan> = {}): VariablePlan => ({
  reads: nothing,
  counts: nothing,
  isPlaced: false,
  steps: 1,
  below,
  compute,
  ...more,
});

/** What plans are made of. */
export interface PlanContext {
  readonly index: ProjectIndex;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly run: EvaluationRun;
  readonly scope: Scope;
  /** The position of a variable by its identifier. */
  position(id: string): number | undefined;
}

/** The value that a path starts at; of an item for what depends on an iterator. */
interface Root {
  of(item: number): unknown;
  readonly reads: ReadonlySet<number>;
}

/** Plans a variable, or says what is wrong with it. */
export function planVariable(found: Found, context: PlanContext): VariablePlan | Fault {
  const type = textMember(found.json, 'type', 'primitive');
  const planner = Object.hasOwn(planners, type) ? planners[type] : undefined;
  if (planner !== undefined) return planner(found, context);
  return {
    below: '/type',
    detail: `there is no type ${quoted(type)} of variables; there are ${Object.keys(planners).join(', ')}`,
  };
}

const planners: Readonly<Record<string, (found: Found, context: PlanContext) => VariablePlan | Fault>> = {
  primitive: (found, context) => planPath(found, context, responseOf(found, context), scalar),
  custom: planCustom,
  expression: planExpression,
  'interpolate-color': planColour,
  random: planRandom,
  iterator: planIterator,
  'primitive-from-iterator': (found, context) => planPath(found, context, itemOf(found, context), scalar),
  'coords-from-iterator': (found, context) => planPath(found, context, itemOf(found, context), vertices),
  'coords-from-data-source': (found, context) => planPath(found, context, responseOf(found, context), vertices),
};

function responseOf({ json }: Found, { index, responses }: PlanContext): Root | Fault {
  const below = '/data_source_id';
  const id = textMember(json, 'data_source_id');
  if (id === '') return { below, detail: 'no data source is chosen' };
  const source = index.dataSources.get(id);
  if (source === undefined) return { below, detail: `the data source ${quoted(id)} is not in this project` };
  if (!Object.hasOwn(responses, id)) {
    const name = textMember(source.json, 'name', 'Untitled Data Source');
    const reason = index.askedSources.has(source)
      ? 'has no response yet: a key for writing fetches one; if that fails, GET /failing-sources says why'
      : `is not asked, because variables read more than ${grouped(bounds.askedSources)} data sources; use one data source with the values of several`;
    return { below, detail: `the data source ${quoted(name)} ${reason}` };
  }
  const root = responses[id];
  return { of: () => root, reads: nothing };
}

function itemOf({ json }: Found, { run, position, scope }: PlanContext): Root | Fault {
  const below = '/iterator_id';
  const id = textMember(json, 'iterator_id');
  if (id === '') return { below, detail: 'no iterator is chosen' };
  const iterator = position(id);
  if (iterator === undefined) return { below, detail: `the variable ${quoted(id)} is not in this project` };
  if (!scope.isIterator(iterator)) return { below, detail: `the variable ${quoted(id)} is no iterator` };
  return { of: (item) => run.columns[iterator]?.list?.[item], reads: new Set([iterator]) };
}

type Read = (json: unknown, run: EvaluationRun) => Value;

const scalar: Read = (json, run) =>
  isScalar(json) ? json : run.fail(`the value is ${kindOf(json)}, not a text, number or boolean`);

const vertices: Read = (json, run) => {
  const found = verticesIn(json);
  if (typeof found === 'string') return run.fail(`the value ${found}`);
  return run.take(found.points.length) ? found : undefined;
};

function planPath(found: Found, { run }: PlanContext, root: Root | Fault, read: Read): VariablePlan | Fault {
  if ('detail' in root) return root;
  const path = pathOf(found);
  if ('detail' in path) return path;
  const what = root.reads.size === 0 ? 'response' : 'item';
  const compute: Compute = (item) => {
    const json = path.read(root.of(item));
    if (path.filtered > 0 && !run.take(path.filtered)) return undefined;
    return json === undefined ? run.fail(`the ${what} ${path.reason}`) : read(json, run);
  };
  return plan('/data_path', compute, { reads: root.reads, steps: path.steps });
}

function pathOf({ json }: Found): DataPath | Fault {
  const path = DataPath.from(member(json, 'data_path'));
  return path instanceof DataPath ? path : { ...path, below: `/data_path${path.below}` };
}

function planIterator(found: Found, context: PlanContext): VariablePlan | Fault {
  const { run } = context;
  const root = responseOf(found, context);
  if ('detail' in root) return root;
  const path = pathOf(found);
  if ('detail' in path) return path;
  const list = (): readonly unknown[] | undefined => {
    const items = path.readList(root.of(0));
    if (items === undefined) return run.fail(`the response ${path.reason}`);
    return run.take(items.length + path.filtered + path.steps) ? items : undefined;
  };
  return plan('/data_path', () => undefined, { list });
}

function planCustom({ json }: Found, { run, scope }: PlanContext): VariablePlan {
  const below = '/custom_value';
  const template = new TextTemplate(textMember(json, 'custom_value'), 'text', run, scope);
  const compute: Compute = (item) => {
    let isLeftOut = false;
    const text = template.fill(item, (reason) => {
      isLeftOut = true;
      run.reason = reason;
    });
    return isLeftOut ? undefined : text;
  };
  const faults = template.problems.map((detail) => ({ below, detail }));
  return plan(below, compute, { reads: template.reads, faults, steps: 1 + template.reads.size });
}

function planExpression({ json }: Found, { run, scope }: PlanContext): VariablePlan | Fault {
  const below = '/expression';
  const compiled = compileExpression(textMember(json, 'expression'), run, scope);
  if ('detail' in compiled) return { ...compiled, below };
  return plan(below, compiled.compute, compiled);
}

function planColour({ json }: Found, { run, position }: PlanContext): VariablePlan | Fault {
  const below = '/color_interpolation_factor_variable_id';
  const id = textMember(json, 'color_interpolation_factor_variable_id');
  const factor = position(id);
  if (factor === undefined) {
    return { below, detail: id === '' ? 'no variable is chosen' : `the variable ${quoted(id)} is not in this project` };
  }
  const faults: Fault[] = [];
  const colours: Colour[] = [];
  for (const [i, text] of listMember(json, 'color_interpolation_colors').entries()) {
    const colour = typeof text === 'string' ? parseColour(text) : undefined;
    if (colour !== undefined) colours.push(colour);
    else faults.push({ below: `/color_interpolation_colors/${i}`, detail: `${shownJson(text)} is no colour` });
  }
  const [first, ...others] = colours;
  if (first === undefined) return faults[0] ?? { below: '/color_interpolation_colors', detail: 'there are no colours' };
  const isSmooth = member(json, 'color_interpolation_smooth') !== false;
  const scale = (isSmooth ? smoothScale : steppedScale)([first, ...others]);
  const start = numberMember(json, 'color_interpolation_range_start', 0);
  const end = numberMember(json, 'color_interpolation_range_end', 100);
  const compute: Compute = (item) => {
    const column = run.columns[factor];
    const value = column?.list === undefined ? column?.value : column.list[item];
    const number = numberIn(value);
    if (number === undefined) return run.fail(`the factor is ${kindOf(value)}, not a number`);
    // Halves, since the range may be longer than the largest number.
    const share = start === end ? Number(number >= end) : (number / 2 - start / 2) / (end / 2 - start / 2);
    return scale(Math.min(1, Math.max(0, share)));
  };
  return plan(below, compute, { reads: new Set([factor]), faults });
}

function planRandom({ id, json }: Found, { run }: PlanContext): VariablePlan {
  const from = numberMember(json, 'random_from', 0);
  const to = numberMember(json, 'random_to', 1);
  const share = randomShare(run.given.seed, id);
  // The sum of two products stays finite where the difference does not.
  const number = from * (1 - share) + to * share;
  // Rounding may reach the end of the range, which is no part of it.
  return plan('/random_to', () => (number === to && from !== to ? from : number));
}
