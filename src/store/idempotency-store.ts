/** The stored responses of an account, by `Idempotency-Key`. A response expires after a day. */
import { responseLifetimeMs, type StoredResponse, weighResponse } from '../model/stored-response.ts';

export interface LoggedResponse extends StoredResponse {
  /** LSN of the record of its request. */
  readonly lsn: number;
}

export class IdempotencyStore {
  /** By key, oldest first. */
  readonly #responses = new Map<string, LoggedResponse>();
  #bytes = 0;

  /** Their estimated size in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All responses, oldest first, including expired ones. */
  values(): Iterable<LoggedResponse> {
    return this.#responses.values();
  }

  /** @param now milliseconds since 1970 */
  find(key: string, now: number): LoggedResponse | undefined {
    const response = this.#responses.get(key);
    return response !== undefined && isFresh(response, now) ? response : undefined;
  }

  /**
   * Milliseconds until there is room for a response of `bytes`; 0 if there is room now.
   *
   * @param bytesMax limit for all responses together, in bytes
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

  /** Adds a response, and removes those that had expired at its time. */
  put(response: StoredResponse, lsn: number): void {
    this.removeExpired(response.time);
    this.#delete(response.key);
    this.#responses.set(response.key, { ...response, lsn });
    this.#bytes += weighResponse(response);
  }

  /** Removes expired responses. */
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

/** Whether a response has not expired. */
export function isFresh({ time }: StoredResponse, now: number): boolean {
  return now < time + responseLifetimeMs;
}
