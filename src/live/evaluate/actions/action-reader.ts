/** Reads variables and texts for one action: all for the same items, or for none. Collects what fails. */
import { type EvaluationProblems, ItemFailures, quoted } from '../evaluation-problems.ts';
import type { EvaluationRun } from '../evaluation-run.ts';
import { type TemplateUse, TextTemplate } from '../expressions/text-template.ts';
import { textMember } from '../open-json.ts';
import type { Found, ProjectIndex } from '../project-index.ts';
import type { Value } from '../values/live-value.ts';
import type { VariableValues } from '../variables/variable-values.ts';

/** A text of an action with the values of variables; `undefined` if it is left out. */
export type Text = (item: number) => string | undefined;

/** The sources and the reports that all actions of an evaluation share. */
export interface ActionContext {
  readonly index: ProjectIndex;
  readonly variables: VariableValues;
  readonly run: EvaluationRun;
  readonly problems: EvaluationProblems;
}

/** What one action reads from. */
export class ActionReader {
  readonly action: Found;
  readonly run: EvaluationRun;
  /** Items that the action runs for; `undefined` if it runs once. */
  readonly items: readonly unknown[] | undefined;
  readonly #variables: VariableValues;
  readonly #problems: EvaluationProblems;
  readonly #iterator: number | undefined;
  readonly #failures = new ItemFailures();

  /** @param iterator position of the iterator whose items the action runs for */
  constructor(action: Found, { variables, run, problems }: ActionContext, iterator?: number) {
    this.action = action;
    this.run = run;
    this.items = iterator === undefined ? undefined : variables.items(iterator);
    this.#variables = variables;
    this.#problems = problems;
    this.#iterator = iterator;
  }

  /** Adds a problem that does not depend on an item. */
  problem(below: string, detail: string): undefined {
    this.#problems.add(this.action, below, detail);
    return undefined;
  }

  /** Adds a problem of an item, for the reason of the run. */
  failed(below: string, item: number): undefined {
    this.#failures.add(below, item, this.run.reason);
    return undefined;
  }

  /** Adds the failures of items to the problems. */
  report(): void {
    this.#failures.report(this.#problems, this.action, this.items?.length);
  }

  /**
   * A variable by identifier. Adds a problem and returns `undefined` if there is none, or if it has one value per item of something else.
   *
   * @param mayBeList whether the list of an iterator is a value for an action that runs once
   */
  variable(below: string, id: string, mayBeList = false): ((item: number) => Value) | undefined {
    const position = this.#variables.position(id);
    if (position === undefined) {
      return this.problem(below, id === '' ? 'no variable is chosen' : `the variable ${quoted(id)} is not in this project`);
    }
    const run = this.run;
    const name = this.#variables.name(position);
    const isList = mayBeList && this.#iterator === undefined && this.#variables.iteratorOf(position) === position;
    const misfit = isList ? undefined : this.#misfit(position);
    if (misfit !== undefined) return this.problem(below, misfit);
    const none = `the variable ${quoted(name)} has no value`;
    return (item) => {
      const column = run.columns[position];
      const value = column?.list === undefined || isList ? column?.value : column.list[item];
      return value === undefined ? run.fail(none) : value;
    };
  }

  /** A text of the action; an empty one if the member is. */
  text(name: string, use: TemplateUse): Text {
    return this.template(textMember(this.action.json, name), `/${name}`, use);
  }

  /** A text that is at a pointer below the action. */
  template(content: string, below: string, use: TemplateUse): Text {
    const find = (variable: string): number | string => {
      const position = this.#variables.scope.find(variable);
      return typeof position === 'string' ? position : (this.#misfit(position) ?? position);
    };
    const template = new TextTemplate(content, use, this.run, { ...this.#variables.scope, find });
    for (const detail of template.problems) this.problem(below, detail);
    return (item) => template.fill(item, (reason) => this.#failures.add(below, item, reason));
  }

  /** Why a variable has no value for an item of this action. */
  #misfit(position: number): string | undefined {
    const iterator = this.#variables.iteratorOf(position);
    if (iterator === undefined || iterator === this.#iterator) return undefined;
    const name = quoted(this.#variables.name(position));
    const of = `the variable ${name} has one value per item of ${quoted(this.#variables.name(iterator))}`;
    if (this.#iterator === undefined) return `${of}, but the action runs once`;
    return `${of}, but the action runs for the items of ${quoted(this.#variables.name(this.#iterator))}`;
  }
}
