/** Evaluates all variables of a project, each once; those that depend on an artboard once for each artboard that actions create on. */
import { drawnArea, drawnPlace, toPixels } from '../../../lib/geo/geo.ts';
import { type EvaluationProblems, ItemFailures, quoted } from '../evaluation-problems.ts';
import { type Column, type EvaluationRun, noColumn, type Place } from '../evaluation-run.ts';
import type { Scope } from '../expressions/expression.ts';
import { numberMember, openRecord, textMember } from '../open-json.ts';
import type { Found, ProjectIndex } from '../project-index.ts';
import { shownValue, type Value } from '../values/live-value.ts';
import { type Circle, evaluationOrder } from './evaluation-order.ts';
import { type PlanContext, planVariable, type VariablePlan } from './variable-plan.ts';

const circleNamesMax = 10;

const nameOf = ({ json }: Found): string => textMember(json, 'name', 'Untitled Variable');
const isIterator = ({ json }: Found): boolean => textMember(json, 'type', 'primitive') === 'iterator';

export class VariableValues {
  readonly scope: Scope;
  readonly #found: readonly Found[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #plans: readonly (VariablePlan | undefined)[];
  readonly #order: readonly number[];
  readonly #run: EvaluationRun;
  readonly #problems: EvaluationProblems;
  /** By position: the position of the iterator that the variable depends on. */
  readonly #iterators: (number | undefined)[] = [];
  /** Positions of variables that depend on the artboard. */
  readonly #placed = new Set<number>();
  readonly #columns: Column[];
  readonly #columnsByArtboard = new Map<string, Column[]>();

  constructor(
    index: ProjectIndex,
    responses: Readonly<Record<string, unknown>>,
    run: EvaluationRun,
    problems: EvaluationProblems,
  ) {
    this.#found = index.variables;
    this.#run = run;
    this.#problems = problems;
    this.#positions = new Map(this.#found.map(({ id }, i) => [id, i]));
    this.scope = { ...namesOf(this.#found), isIterator: (variable) => isIterator(this.#found[variable] as Found) };
    const context: PlanContext = { index, responses, run, scope: this.scope, position: (id) => this.#positions.get(id) };
    this.#plans = this.#found.map((found) => this.#planned(found, context));
    const { order, circles } = evaluationOrder(this.#plans.map((plan) => (plan ? [...plan.reads, ...plan.counts] : [])));
    this.#order = order;
    this.#columns = this.#found.map(() => noColumn);
    run.columns = this.#columns;
    for (const variable of order) this.#evaluateFirst(variable, circles.get(variable));
  }

  /** The position of a variable; `undefined` if it is not in the project. */
  position(id: string): number | undefined {
    return this.#positions.get(id);
  }

  name(variable: number): string {
    return nameOf(this.#found[variable] as Found);
  }

  /** The position of the iterator that a variable depends on, itself for an iterator. */
  iteratorOf(variable: number): number | undefined {
    return this.#iterators[variable];
  }

  /** The items of an iterator. */
  items(iterator: number): readonly unknown[] | undefined {
    return this.#columns[iterator]?.list;
  }

  /** By identifier of the variable. */
  get values(): Record<string, unknown> {
    const values = openRecord<unknown>();
    for (const [i, { id }] of this.#found.entries()) {
      const { value, list } = this.#columns[i] as Column;
      if (list !== undefined) values[id] = this.#iterators[i] === i ? list : list.map(shownValue);
      else if (value !== undefined) values[id] = shownValue(value);
    }
    return values;
  }

  /** Lets computations read the values for an artboard; without one, those that depend on none. */
  use(artboard: Found | undefined): void {
    this.#run.place = artboard === undefined ? undefined : placeOf(artboard);
    this.#run.columns = this.#columns;
    if (artboard === undefined || this.#run.place === undefined || this.#placed.size === 0) return;
    let columns = this.#columnsByArtboard.get(artboard.id);
    if (columns === undefined) {
      columns = [...this.#columns];
      this.#run.columns = columns;
      for (const variable of this.#order) if (this.#placed.has(variable)) columns[variable] = this.#evaluated(variable);
      this.#columnsByArtboard.set(artboard.id, columns);
    }
    this.#run.columns = columns;
  }

  #planned(found: Found, context: PlanContext): VariablePlan | undefined {
    const plan = planVariable(found, context);
    if ('detail' in plan) {
      this.#problems.add(found, plan.below, plan.detail, plan.at);
      return undefined;
    }
    for (const { below, detail } of plan.faults ?? []) this.#problems.add(found, below, detail);
    return plan;
  }

  #evaluateFirst(variable: number, circle: Circle | undefined): void {
    const plan = this.#plans[variable];
    if (plan === undefined) return;
    const found = this.#found[variable] as Found;
    if (circle !== undefined) {
      // Of a circle of thousands the first are enough.
      const first = circle.slice(0, circleNamesMax).map((each) => quoted(this.name(each)));
      const shown = [...first, ...(circle.length > circleNamesMax ? ['…'] : []), first[0]];
      this.#problems.add(found, plan.below, `the variables read one another in a circle: ${shown.join(' → ')}`);
      return;
    }
    const iterators = new Set(plan.list === undefined ? this.#iteratorsOf(plan) : [variable]);
    if (iterators.size > 1) {
      const names = [...iterators].map((each) => quoted(this.name(each))).join(' and ');
      this.#problems.add(found, plan.below, `the variable depends on the iterators ${names}; only one is possible`);
      return;
    }
    [this.#iterators[variable]] = iterators;
    if (plan.isPlaced || [...plan.reads].some((read) => this.#placed.has(read))) this.#placed.add(variable);
    else this.#columns[variable] = this.#evaluated(variable);
  }

  *#iteratorsOf({ reads }: VariablePlan): Generator<number> {
    for (const read of reads) {
      const iterator = this.#iterators[read];
      if (iterator !== undefined) yield iterator;
    }
  }

  #evaluated(variable: number): Column {
    const plan = this.#plans[variable] as VariablePlan;
    const found = this.#found[variable] as Found;
    if (plan.list !== undefined) {
      const list = plan.list();
      if (list === undefined) this.#problems.add(found, plan.below, this.#run.reason);
      return list === undefined ? noColumn : { value: list, list };
    }
    const iterator = this.#iterators[variable];
    if (iterator === undefined) {
      const value = this.#run.take(plan.steps) ? plan.compute(0) : undefined;
      if (value === undefined) this.#problems.add(found, plan.below, this.#run.reason);
      return { value, list: undefined };
    }
    const items = this.#columns[iterator]?.list;
    if (items === undefined) {
      this.#problems.add(found, plan.below, `the iterator ${quoted(this.name(iterator))} has no value`);
      return noColumn;
    }
    return { value: undefined, list: this.#listOf(plan, found, items.length) };
  }

  #listOf({ steps, compute, below }: VariablePlan, found: Found, count: number): Value[] {
    const run = this.#run;
    const failures = new ItemFailures();
    const list = new Array<Value>(count).fill(undefined);
    for (let item = 0; item < count; item++) {
      const value = run.take(steps) ? compute(item) : undefined;
      list[item] = value;
      if (value === undefined) failures.add(below, item, run.reason);
      if (run.isOutOfSteps) break;
    }
    failures.report(this.#problems, found, count);
    return list;
  }
}

/** Finds variables by name: exactly, and only a name that one variable has. */
function namesOf(found: readonly Found[]): Pick<Scope, 'find' | 'exists'> {
  const positions = new Map<string, number | undefined>();
  for (const [i, each] of found.entries()) positions.set(nameOf(each), positions.has(nameOf(each)) ? undefined : i);
  const find = (name: string): number | string => {
    const position = positions.get(name);
    if (position !== undefined) return position;
    return positions.has(name)
      ? `several variables are named ${quoted(name)}: rename them`
      : `no variable is named ${quoted(name)}`;
  };
  return { find, exists: (name) => positions.has(name) };
}

/** Converts places to pixels of an artboard; `undefined` if it is not on a map. */
function placeOf({ json }: Found): Place | undefined {
  if (textMember(json, 'type', 'color') !== 'osm') return undefined;
  const area = drawnArea({
    width: numberMember(json, 'width', 800),
    height: numberMember(json, 'height', 600),
    osm_lat: numberMember(json, 'osm_lat', 0),
    osm_lng: numberMember(json, 'osm_lng', 0),
    osm_zoom: numberMember(json, 'osm_zoom', 1),
  });
  const pixel = toPixels(area);
  return (lat, lng) => pixel(drawnPlace({ lat, lng }));
}
