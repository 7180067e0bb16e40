/** The answers of an account that are given again when the same request comes again; those that are older than a day are not. */
import { answerLifetimeMs, type StoredAnswer, weighAnswer } from '../model/answer.ts';

export interface Remembered extends StoredAnswer {
  /** LSN of the record that it answered. */
  readonly lsn: number;
}

export class Answers {
  /** By key, in the order in which they were given. */
  readonly #answers = new Map<string, Remembered>();
  #bytes = 0;

  /** Memory that they take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** In the order in which they were given, those that have expired among them. */
  values(): Iterable<Remembered> {
    return this.#answers.values();
  }

  /** @param now milliseconds since 1970 */
  find(key: string, now: number): Remembered | undefined {
    const answer = this.#answers.get(key);
    return answer !== undefined && isFresh(answer, now) ? answer : undefined;
  }

  /**
   * How long until another answer of so many bytes has room, in milliseconds; 0 for at once.
   *
   * @param bytesMax bytes that all of them may take
   */
  waitMs(bytes: number, bytesMax: number, now: number): number {
    let free = bytesMax - this.#bytes;
    for (const answer of this.#answers.values()) {
      if (free >= bytes) return 0;
      if (isFresh(answer, now)) return answer.time + answerLifetimeMs - now;
      free += weighAnswer(answer);
    }
    return free >= bytes ? 0 : answerLifetimeMs;
  }

  /** Adds one, and forgets those that had expired when it was given. */
  put(answer: StoredAnswer, lsn: number): void {
    this.forget(answer.time);
    this.#delete(answer.key);
    this.#answers.set(answer.key, { ...answer, lsn });
    this.#bytes += weighAnswer(answer);
  }

  /** Forgets those that have expired. */
  forget(now: number): void {
    for (const answer of this.#answers.values()) {
      if (isFresh(answer, now)) return;
      this.#delete(answer.key);
    }
  }

  #delete(key: string): void {
    const answer = this.#answers.get(key);
    if (answer === undefined) return;
    this.#bytes -= weighAnswer(answer);
    this.#answers.delete(key);
  }
}

/** Whether an answer is still given again. */
export function isFresh({ time }: StoredAnswer, now: number): boolean {
  return now < time + answerLifetimeMs;
}
