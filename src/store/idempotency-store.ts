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
    const response = this.#responses.get(key);
    return response !== undefined && isFresh(response, now) ? response : undefined;
  }

  /**
   * How long until another answer of so many bytes has room, in milliseconds; 0 for at once.
   *
   * @param bytesMax bytes that all of them may take
   */
  waitMs(bytes: number, bytesMax: number, now: number): number {
    let free = bytesMax - this.#bytes;
    for (const response of this.#responses.values()) {
      if (free >= bytes) return 0;
      if (isFresh(response, now)) return response.time + responseLifetimeMs - now;
      free += weighResponse(response);
    }
    return free >= bytes ? 0 : responseLifetimeMs;
  }

  /** Adds one, and forgets those that had expired when it was given. */
  put(response: StoredResponse, lsn: number): void {
    this.removeExpired(response.time);
    this.#delete(response.key);
    this.#responses.set(response.key, { ...response, lsn });
    this.#bytes += weighResponse(response);
  }

  /** Forgets those that have expired. */
  removeExpired(now: number): void {
    for (const response of this.#responses.values()) {
      if (isFresh(response, now)) return;
      this.#delete(response.key);
    }
  }

  #delete(key: string): void {
    const response = this.#responses.get(key);
    if (response === undefined) return;
    this.#bytes -= weighResponse(response);
    this.#responses.delete(key);
  }
}

/** Whether an answer is still given again. */
export function isFresh({ time }: StoredResponse, now: number): boolean {
  return now < time + responseLifetimeMs;
}
