/** Growing pauses after runs that took too much time or memory: another try would end in the same way, and delay the runs of others. */
import { OverrunError } from '../../lib/errors.ts';

/** Pauses in seconds: after the first overrun, and the longest one. */
const pauseS = { first: 1, longest: 300 };
/** Most runs that are remembered; the ones whose overruns are oldest are forgotten. */
const notesMax = 1000;

interface Note {
  /** Version of what was evaluated. */
  readonly version: number;
  readonly pauseS: number;
  /** End of the pause, on the monotonic clock. */
  readonly untilMs: number;
  readonly reason: string;
}

export class OverrunPauses {
  /** By name; the newest overrun is the last one. */
  readonly #notes = new Map<string, Note>();
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Throws an {@link OverrunError} during a pause. A new version ends it. */
  check(name: string, version: number): void {
    const note = this.#notes.get(name);
    if (note === undefined) return;
    if (note.version !== version) this.#notes.delete(name);
    else if (note.untilMs > this.#now()) throw this.#refusal(note);
  }

  /** Notes that a run was ended. Returns its error, with the pause that begins. */
  overrun(name: string, version: number, { message: reason }: OverrunError): OverrunError {
    const last = this.#notes.get(name);
    const isAgain = last?.version === version;
    const seconds = isAgain ? Math.min(last.pauseS * 2, pauseS.longest) : pauseS.first;
    const note = { version, pauseS: seconds, untilMs: this.#now() + seconds * 1000, reason };
    this.#notes.delete(name);
    this.#notes.set(name, note);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > notesMax && oldest !== undefined) this.#notes.delete(oldest);
    return this.#refusal(note);
  }

  succeeded(name: string): void {
    this.#notes.delete(name);
  }

  #refusal({ reason, untilMs }: Note): OverrunError {
    const seconds = Math.ceil((untilMs - this.#now()) / 1000);
    return new OverrunError(`${reason}. It is tried again after ${seconds} s, or when it has changed`, seconds);
  }
}
