/** The state of one evaluation: values of variables, steps that are left, and why the last computation gave no value. */
import type { Pixel } from '../../lib/geo/geo.ts';
import { bounds, type Given } from './evaluation.ts';
import { grouped } from './evaluation-problems.ts';
import type { Value } from './values/live-value.ts';

/** The value of a variable. */
export interface Column {
  /** Without an iterator; of an iterator, the list itself. */
  readonly value: Value;
  /** One per item. */
  readonly list: readonly Value[] | undefined;
}

/** Computes a value for an item; the item is ignored by what does not depend on an iterator. */
export type Compute = (item: number) => Value;

/** Converts a place to a pixel of an artboard on a map. */
export type Place = (latitude: number, longitude: number) => Pixel;

export const noColumn: Column = { value: undefined, list: undefined };

export const outOfSteps = `the evaluation has used its ${grouped(bounds.evaluationSteps)} steps; use fewer items or shorter expressions`;
const tooLong = `the text is longer than ${grouped(bounds.textLength)} characters`;

/** `Date.parse` also reads other forms, some of them in the time zone of the machine. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Characters per step. */
const charactersPerStep = 8;

export class EvaluationRun {
  /** By position of the variable; those of the artboard that is evaluated for. */
  columns: Column[] = [];
  /** Of the artboard that an action creates on, if it is on a map. */
  place: Place | undefined;
  readonly given: Given;
  /** Unix time in milliseconds; `undefined` if the given time is none. */
  readonly nowMs: number | undefined;
  /** Why the last computation gave no value. */
  reason = '';
  #stepsLeft: number = bounds.evaluationSteps;

  constructor(given: Given) {
    this.given = given;
    const ms = rfc3339.test(given.now) ? Date.parse(given.now) : Number.NaN;
    this.nowMs = Number.isNaN(ms) ? undefined : ms;
  }

  get isOutOfSteps(): boolean {
    return this.#stepsLeft < 0;
  }

  fail(reason: string): undefined {
    this.reason = reason;
    return undefined;
  }

  /** Takes steps. `false` if there are not as many, with the reason set: then none are left for anything else. */
  take(steps: number): boolean {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft >= 0) return true;
    this.#stepsLeft = -1;
    this.reason = outOfSteps;
    return false;
  }

  /** A text that was made; no value if it is too long. */
  made(text: string): string | undefined {
    if (text.length > bounds.textLength) return this.fail(tooLong);
    return this.take(text.length / charactersPerStep) ? text : undefined;
  }
}
