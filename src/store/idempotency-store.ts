/** The stored responses of an account, by `Idempotency-Key`. A response older than a day is not sent again. */
import { responseLifetimeMs, type StoredResponse, weighResponse } from '../model/stored-response.ts';

export interface LoggedResponse extends StoredResponse {
  /** LSN of the record that it answered. */
  readonly lsn: number;
}

export class IdempotencyStore {
  /** By key, in the order in which they were given. */
  readonly #responses = new Map<string, LoggedResponse>();
  #bytes = 0;

  /** Memory that they take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** In the order in which they were given, those that have expired among them. */
  values(): Iterable<LoggedResponse> {
    return this.#responses.values();
  }

  /** @param now milliseconds since 1970 */
  find(key: string, now: number): LoggedResponse | undefined {
    const answer = this.#responses.get(key);
    return answer !== undefined && isFresh(answer, now) ? answer : undefined;
  }

  /**
   * How long until another answer of so many bytes has room, in milliseconds; 0 for at once.
   *
   * @param bytesMax bytes that all of them may take
   */
  waitMs(bytes: number, bytesMax: number, now: number): number {
    let free = bytesMax - this.#bytes;
    for (const answer of this.#responses.values()) {
      if (free >= bytes) return 0;
      if (isFresh(answer, now)) return answer.time + responseLifetimeMs - now;
      free += weighResponse(answer);
    }
    return free >= bytes ? 0 : responseLifetimeMs;
  }

  /** Adds one, and forgets those that had expired when it was given. */
  put(answer: StoredResponse, lsn: number): void {
    this.removeExpired(answer.time);
    this.#delete(answer.key);
    this.#responses.set(answer.key, { ...answer, lsn });
    this.#bytes += weighResponse(answer);
  }

  /** Forgets those that have expired. */
  removeExpired(now: number): void {
    for (const answer of this.#responses.values()) {
      if (isFresh(answer, now)) return;
      this.#delete(answer.key);
    }
  }

  #delete(key: string): void {
    const answer = this.#responses.get(key);
    if (answer === undefined) return;
    this.#bytes -= weighResponse(answer);
    this.#responses.delete(key);
  }
}

/** Whether an answer is still given again. */
export function isFresh({ time }: StoredResponse, now: number): boolean {
  return now < time + responseLifetimeMs;
}
