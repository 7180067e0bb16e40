/**
 * Queues of large bodies: of each account, one at a time is parsed, checked and applied, in order of arrival. However many of them one
 * account sends, other accounts wait only for slices of one.
 */
import type { AccountLoad } from '../guard/admission.ts';

/** A position in the queue of an account. */
export interface BodySlot {
  /** Leaves the queue. Idempotent. */
  leave(): void;
}

export class BodyQueue {
  /** Per account, the running body and then the waiting ones. The length is bounded by `AdmissionControl`, which limits held bodies. */
  readonly #queues = new Map<AccountLoad, QueuedBody[]>();

  /** @param start called when the body is first: immediately, or in the turn of the event loop in which the previous body leaves */
  enter(account: AccountLoad, start: () => void): BodySlot {
    const place = { start };
    const queue = this.#queues.get(account);
    if (queue === undefined) this.#queues.set(account, [place]);
    else queue.push(place);
    const slot = { leave: () => this.#leave(account, place) };
    if (queue === undefined) start();
    return slot;
  }

  #leave(account: AccountLoad, place: QueuedBody): void {
    const queue = this.#queues.get(account);
    const at = queue?.indexOf(place) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(account);
    else if (at === 0) queue[0]?.start();
  }
}

interface QueuedBody {
  start(): void;
}
