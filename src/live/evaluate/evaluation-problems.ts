/** The problems of an evaluation: each place once, with the first reason, up to a bound. */
import { shownName } from '../../lib/field-error.ts';
import { bounds, type LiveProblem } from './evaluation.ts';
import type { Found, ProjectIndex } from './project-index.ts';

/** Actions follow the variables, of which a document has fewer. */
const actionsFrom = 2 ** 40;

/** Length limit of a detail, in characters. */
const detailMax = 500;

/** A name of the project for a message: in quotation marks, and cut if it is very long. */
export const quoted = (name: string): string => `"${shownName(name)}"`;

/** `6.000` as `6,000`, without the data of a locale. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export class EvaluationProblems {
  readonly #index: ProjectIndex;
  readonly #byPlace = new Map<string, { readonly order: number; readonly problem: LiveProblem }>();
  #dropped = false;

  constructor(index: ProjectIndex) {
    this.#index = index;
  }

  /**
   * @param below the pointer below the resource: `/conditions/0/operator`
   * @param detail a sentence without a full stop
   * @param at the place in the text at `below`, if it is known: see {@link LiveProblem}
   */
  add(found: Found, below: string, detail: string, at?: number): void {
    const pointer = found.pointer + below;
    if (this.#byPlace.has(pointer)) return;
    if (this.#byPlace.size >= bounds.problems) {
      this.#dropped = true;
      return;
    }
    const { kind, id, path, position } = found;
    const resource = { kind, id, path: this.#prefix + path };
    const place = at === undefined ? {} : { at };
    const problem = { resource, pointer: this.#index.existing(pointer), detail: cut(detail), ...place };
    this.#byPlace.set(pointer, { order: kind === 'action' ? position + actionsFrom : position, problem });
  }

  /** In the order of the document: variables, then actions. */
  get list(): LiveProblem[] {
    const list = [...this.#byPlace.values()].sort((a, b) => a.order - b.order).map(({ problem }) => problem);
    if (this.#dropped) {
      const detail = `There are more problems than the first ${grouped(bounds.problems)}. Correct these, and evaluate again`;
      list.push({ resource: { kind: 'project', id: this.#index.id, path: this.#prefix }, pointer: '', detail });
    }
    return list;
  }

  get #prefix(): string {
    return this.#index.id === '' ? '' : `/api/v1/projects/${this.#index.id}`;
  }
}

const cut = (detail: string): string =>
  detail.length > detailMax ? `${detail.slice(0, detailMax).replace(/[\ud800-\udbff]$/, '')}…` : detail;

/** Failures of single items, which become one problem for each place. */
export class ItemFailures {
  readonly #found = new Map<string, { count: number; readonly first: number; readonly reason: string }>();

  add(below: string, item: number, reason: string): void {
    const known = this.#found.get(below);
    if (known === undefined) this.#found.set(below, { count: 1, first: item, reason });
    else known.count++;
  }

  /** @param items number of items; `undefined` if there are none, so that each failure is the only one */
  report(problems: EvaluationProblems, found: Found, items: number | undefined): void {
    for (const [below, { count, first, reason }] of this.#found) {
      const where = items === undefined ? '' : ` (in ${count} of ${items} items, first in item ${first})`;
      problems.add(found, below, reason + where);
    }
  }
}
