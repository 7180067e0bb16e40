/**
 * Clients of a part of the server: what they ask, in random turns, and what they heard, as a history. They know the server by HTTP alone,
 * so the same clients work in this process and against another one.
 */
import type { Chance } from '../support/random.ts';
import type { Operation } from './wing-gong.ts';
import type { Heard } from './world.ts';

export interface Recorded<Input = unknown, Output = unknown> extends Operation<Input, Output> {
  readonly client: number;
}

/** One line of the history that is being made; its end and its output come later. */
type Open<Input, Output> = { -readonly [K in keyof Recorded<Input, Output>]: Recorded<Input, Output>[K] };

export interface Asking {
  readonly heard: Promise<Heard | undefined>;
  readonly abandon: () => void;
}

export type Ask = (method: string, path: string, body?: unknown) => Asking;

/** A request, and what it is in the words of the model. */
export interface Planned<Input> {
  readonly input: Input;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export abstract class Clients<Input = unknown, Output = unknown> {
  readonly history: Recorded<Input, Output>[] = [];
  /** When crashes were. */
  readonly crashes: number[] = [];
  /** What no history is needed for: a member under two identifiers, an answer that makes no sense. */
  readonly problems: string[] = [];
  /** The maker of crashes can announce that the next one comes soon. */
  crashIsNear = false;
  protected readonly random: Chance;
  readonly #busy = new Map<number, () => void>();
  #time = 0;

  constructor(random: Chance) {
    this.random = random;
  }

  /** The next request. */
  protected abstract plan(): Planned<Input>;

  /** Puts an answer into the words of the model. */
  protected abstract read(input: Input, heard: Heard): Output;

  /** Called after a crash: what is asked first shows whether something was lost. */
  protected abstract crashed(): void;

  /** Says what is wrong with the history, if anything: its smallest part that cannot be explained. */
  abstract fault(): string | undefined;

  get busy(): number {
    return this.#busy.size;
  }

  isBusy(client: number): boolean {
    return this.#busy.has(client);
  }

  /** Has a client that rests ask something; resolves when it is over for the client, one way or another. */
  async ask(client: number, ask: Ask): Promise<void> {
    const { input, method, path, body } = this.plan();
    const entry: Open<Input, Output> = {
      ...{ client, input, call: this.#time++, end: Number.POSITIVE_INFINITY },
      output: undefined,
    };
    this.history.push(entry);
    const { heard, abandon } = ask(method, path, body);
    this.#busy.set(client, abandon);
    const life = this.crashes.length;
    const answer = await heard;
    // A crash has ended it already.
    if (life !== this.crashes.length) return;
    this.#busy.delete(client);
    // "The change may have been made": as good as no answer.
    if (answer === undefined || answer.status === 503) return;
    entry.output = this.read(input, answer);
    entry.end = this.#time++;
  }

  /** A busy client of chance no longer waits for its answer. */
  abandon(): void {
    const abandons = [...this.#busy.values()];
    if (abandons.length > 0) this.random.pick(abandons)();
  }

  /** The server is gone, and whatever it has not done by now it will never do. */
  crash(): void {
    const time = this.#time++;
    this.crashes.push(time);
    for (const entry of this.history as Open<Input, Output>[]) if (entry.end === Number.POSITIVE_INFINITY) entry.end = time;
    this.#busy.clear();
    this.crashed();
  }
}
