/**
 * A project's artboards and the objects on them, under batches that choose identifiers, place and move: one batch at a time, all of it or
 * nothing. An identifier comes back after its deletion, so members are what they are by identifier and text.
 */
import type { Model } from './wing-gong.ts';

/** An artboard with its objects, in their order. */
export interface Board {
  readonly id: string;
  readonly objects: readonly (readonly [id: string, text: string])[];
}

export type Project = readonly Board[];

/** An operation of a batch. `before` is `undefined` where the request has none. */
export type Step =
  | {
      readonly step: 'create';
      readonly board: string;
      readonly id: string;
      readonly text: string;
      readonly before?: string | null;
    }
  | { readonly step: 'delete'; readonly board: string; readonly id: string }
  | {
      readonly step: 'place';
      readonly board: string;
      readonly id: string;
      readonly text?: string;
      readonly before: string | null;
    }
  | {
      readonly step: 'move';
      readonly board: string;
      readonly id: string;
      readonly text?: string;
      readonly to: string;
      readonly before?: string | null;
    }
  | { readonly step: 'create-board'; readonly board: string; readonly objects: Board['objects'] }
  | { readonly step: 'delete-board'; readonly board: string }
  | { readonly step: 'last-board'; readonly board: string };

export type BatchInput =
  | { readonly op: 'batch'; readonly steps: readonly Step[] }
  /** All artboards with their objects: the list of them, and the project that has them. */
  | { readonly op: 'boards' | 'project' }
  | { readonly op: 'objects'; readonly board: string };

export interface BatchOutput {
  readonly status: number;
  /** The content of a response with status 200, as JSON. */
  readonly shown?: string;
}

export const isBatchRead = ({ op }: BatchInput): boolean => op !== 'batch';

export function batchModel(initial: Project): Model<Project, BatchInput, BatchOutput> {
  return {
    initial,
    key: (state) => JSON.stringify(state),
    step(state, input, output) {
      const [after, expected] = answer(state, input);
      const fits = output === undefined || (output.status === expected.status && output.shown === expected.shown);
      return fits ? after : undefined;
    },
  };
}

const ok = (shown: unknown): BatchOutput => ({ status: 200, shown: JSON.stringify(shown) });

function answer(state: Project, input: BatchInput): [Project, BatchOutput] {
  if (input.op === 'objects') {
    const board = state.find(({ id }) => id === input.board);
    return [state, board === undefined ? { status: 404 } : ok(board.objects)];
  }
  if (input.op !== 'batch') return [state, ok(state)];
  let after = state;
  const results: unknown[] = [];
  for (const step of input.steps) {
    const taken = take(after, step);
    if (typeof taken === 'number') return [state, { status: taken }];
    after = taken.state;
    results.push(taken.result);
  }
  return [after, ok(results)];
}

/** An operation that was carried out, with its result; or the status with which the whole batch is refused. */
type Taken = { readonly state: Project; readonly result: unknown } | number;

function take(state: Project, step: Step): Taken {
  const board = state.find(({ id }) => id === step.board);
  const others = state.filter((one) => one !== board);
  if (step.step === 'create-board') {
    const made: Board = { id: step.board, objects: step.objects };
    const isTaken = [step.board, ...step.objects.map(([id]) => id)].some((id) => isUsed(state, id));
    return isTaken ? 409 : { state: [...state, made], result: made };
  }
  if (board === undefined) return 404;
  if (step.step === 'delete-board') return { state: others, result: null };
  if (step.step === 'last-board') return { state: [...others, board], result: board };
  if (step.step === 'create') return isUsed(state, step.id) ? 409 : put(state, board, [step.id, step.text], step.before ?? null);
  const object = board.objects.find(([id]) => id === step.id);
  if (object === undefined) return 404;
  const without: Board = { ...board, objects: board.objects.filter((one) => one !== object) };
  const rest = state.map((one) => (one === board ? without : one));
  if (step.step === 'delete') return { state: rest, result: null };
  const changed = [step.id, step.text ?? object[1]] as const;
  if (step.step === 'place') return put(rest, without, changed, step.before);
  const to = rest.find(({ id }) => id === step.to);
  return to === undefined ? 400 : put(rest, to, changed, step.before ?? null);
}

function put(state: Project, board: Board, object: Board['objects'][number], before: string | null): Taken {
  const at = before === null ? board.objects.length : board.objects.findIndex(([id]) => id === before);
  if (at < 0) return 409;
  const after = { ...board, objects: board.objects.toSpliced(at, 0, object) };
  return { state: state.map((one) => (one === board ? after : one)), result: object };
}

const isUsed = (state: Project, id: string): boolean =>
  state.some((board) => board.id === id || board.objects.some(([object]) => object === id));
