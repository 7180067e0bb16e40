/** Clients of a project that send batches with identifiers, places and moves: what they ask, and what it means to the model. */
import type { Chance } from '../support/random.ts';
import {
  type BatchInput,
  type BatchOutput,
  type Board,
  batchModel,
  isBatchRead,
  type Project,
  type Step,
} from './batch-model.ts';
import { faultIn } from './check.ts';
import { Clients, type Planned } from './clients.ts';
import type { Heard } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

/** A project with one artboard, and the objects on it: identifiers by name, in their order. */
export interface BatchPlace {
  /** Path of the project. */
  readonly project: string;
  readonly artboard: string;
  readonly objects: Readonly<Record<string, string>>;
}

const idAt = (number: number): string => `019b76da-a800-7000-8000-${String(number).padStart(12, '0')}`;

/** How often each step of a batch is asked for. */
const steps = { create: 5, delete: 2, place: 4, move: 6, 'create-board': 1.5, 'delete-board': 0.7, 'last-board': 1.5 } as const;

export class BatchClients extends Clients<BatchInput, BatchOutput> {
  readonly #place: BatchPlace;
  readonly #initial: Project;
  /** All identifiers that are ever used: few, so that they are deleted and created again. */
  readonly #boards: readonly string[];
  readonly #objects: readonly string[];
  /** The last state that a client was shown. */
  #seen: Project;
  /** The requests before all others. */
  #agenda: BatchInput['op'][] = [];

  constructor(place: BatchPlace, random: Chance) {
    super(random);
    const { artboard, objects } = place;
    this.#place = place;
    this.#initial = [{ id: artboard, objects: Object.entries(objects).map(([name, id]) => [id, name]) }];
    this.#seen = this.#initial;
    this.#boards = [artboard, idAt(1)];
    this.#objects = [...Object.values(objects), idAt(11), idAt(12), idAt(13)];
  }

  fault(): string | undefined {
    const { history, crashes, problems } = this;
    if (problems.length > 0) return problems.join('\n');
    return faultIn(history, crashes, batchModel(this.#initial), isBatchRead, 'the artboards');
  }

  protected crashed(): void {
    this.#agenda = ['boards'];
  }

  protected plan(): Planned<BatchInput> {
    const { random } = this;
    const { project } = this.#place;
    const op = this.#agenda.shift() ?? random.weighted({ batch: 8, boards: 2.5, project: 1, objects: 1.5 });
    if (op === 'boards') return { input: { op }, method: 'GET', path: `${project}/artboards` };
    if (op === 'project') return { input: { op }, method: 'GET', path: project };
    if (op === 'objects') {
      const board = random.pick(this.#boards);
      return { input: { op, board }, method: 'GET', path: `${project}/artboards/${board}/objects` };
    }
    const planned = Array.from({ length: 1 + random.below(3) }, () => this.#step());
    const body = { operations: planned.map(operationOf) };
    return { input: { op, steps: planned }, method: 'POST', path: `${project}/batch`, body };
  }

  /** A step that mostly fits what was last shown: a batch that is refused changes nothing. */
  #step(): Step {
    const { random } = this;
    const step = this.#kind();
    const text = random.below(1e6).toString(36);
    const { board, id } = random.once(5) ? this.#anywhere() : this.#present();
    const to = random.pick(this.#boards.filter((one) => one !== board));
    const beside = this.#seen.find((one) => one.id === (step === 'move' ? to : board))?.objects ?? [];
    const others = [...beside.map(([other]) => other), random.pick(this.#objects)].filter((other) => other !== id);
    const before = random.once(2) || others.length === 0 ? null : random.pick(others);
    const unseen = this.#objects.filter((one) => !this.#seen.some(({ objects }) => objects.some(([other]) => other === one)));
    const fresh = random.once(5) || unseen.length === 0 ? random.pick(this.#objects) : random.pick(unseen);
    switch (step) {
      case 'create':
        return { step, board, id: fresh, text, ...(random.once(2) || before === fresh ? {} : { before }) };
      case 'delete':
        return { step, board, id };
      case 'place':
        return { step, board, id, before, ...(random.once(2) ? {} : { text }) };
      case 'move':
        return { step, board, id, to, ...(random.once(2) ? {} : { before }), ...(random.once(2) ? {} : { text }) };
      case 'create-board':
        return { step, board: random.once(4) ? random.pick(this.#boards) : to, objects: random.once(2) ? [] : [[fresh, text]] };
      default:
        return { step, board };
    }
  }

  /** With one artboard nothing can move, and with two no other one can be created. */
  #kind(): keyof typeof steps {
    const drawn = this.random.weighted(steps);
    if (this.random.once(5)) return drawn;
    if (this.#seen.length < 2) return drawn === 'move' || drawn === 'delete-board' ? 'create-board' : drawn;
    return drawn === 'create-board' ? 'create' : drawn;
  }

  #anywhere(): { readonly board: string; readonly id: string } {
    return { board: this.random.pick(this.#boards), id: this.random.pick(this.#objects) };
  }

  /** An object that was there. */
  #present(): { readonly board: string; readonly id: string } {
    const all = this.#seen.flatMap(({ id: board, objects }) => objects.map(([id]) => ({ board, id })));
    return all.length === 0 ? this.#anywhere() : this.random.pick(all);
  }

  protected read(input: BatchInput, { status, text }: Heard): BatchOutput {
    if (status !== 200) {
      if (![400, 404, 409].includes(status)) this.problems.push(`${input.op}: ${status} ${text.slice(0, 200)}`);
      return { status };
    }
    const shown = shownIn(input, JSON.parse(text));
    if (input.op === 'boards' || input.op === 'project') this.#seen = shown as Project;
    return { status, shown: JSON.stringify(shown) };
  }
}

function shownIn(input: BatchInput, json: unknown): unknown {
  if (input.op === 'boards') return (json as Json[]).map(boardOf);
  if (input.op === 'project') return ((json as Json)['artboards'] as Json[]).map(boardOf);
  if (input.op === 'objects') return (json as Json[]).map(objectOf);
  return (json as { results: { body: Json | null }[] }).results.map(({ body }) => {
    if (body === null) return null;
    return body['objects'] === undefined ? objectOf(body) : boardOf(body);
  });
}

const objectOf = ({ id, name }: Json): Board['objects'][number] => [String(id), String(name)];
const boardOf = ({ id, objects }: Json): Board => ({ id: String(id), objects: (objects as Json[]).map(objectOf) });

/** A step as the operation of a batch. */
function operationOf(step: Step): Json {
  const board = `/artboards/${step.board}`;
  const text = 'text' in step && step.text !== undefined ? { name: step.text } : {};
  const before = 'before' in step ? { before: step.before } : {};
  switch (step.step) {
    case 'create':
      return { method: 'POST', path: `${board}/objects`, id: step.id, body: { type: 'spot', ...text }, ...before };
    case 'delete':
      return { method: 'DELETE', path: `${board}/objects/${step.id}` };
    case 'place':
      return { method: 'PATCH', path: `${board}/objects/${step.id}`, body: text, ...before };
    case 'move':
      return { method: 'PATCH', path: `${board}/objects/${step.id}`, to_artboard: step.to, body: text, ...before };
    case 'create-board': {
      const objects = step.objects.map(([id, name]) => ({ type: 'spot', id, name }));
      return { method: 'POST', path: '/artboards', id: step.board, body: { objects } };
    }
    case 'delete-board':
      return { method: 'DELETE', path: board };
    default:
      return { method: 'PATCH', path: board, before: null };
  }
}
