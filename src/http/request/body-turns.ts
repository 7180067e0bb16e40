/**
 * Large bodies take turns: of each account, one at a time is parsed, checked and applied, in order of arrival. However many of them one
 * account sends, other accounts wait only for slices of one.
 */
import type { AccountLoad } from '../guard/admission.ts';

/** A position in the queue of an account. */
export interface BodyTurn {
  /** Ends or cancels the turn. Idempotent. */
  leave(): void;
}

export class BodyTurns {
  /** Per account, the running body and then the waiting ones. The length is bounded by `AdmissionControl`, which limits held bodies. */
  readonly #queues = new Map<AccountLoad, QueuedBody[]>();

  /** @param start called when the turn begins: immediately, or in the turn of the event loop in which the previous body leaves */
  enter(account: AccountLoad, start: () => void): BodyTurn {
    const place = { start };
    const queue = this.#queues.get(account);
    if (queue === undefined) this.#queues.set(account, [place]);
    else queue.push(place);
    const turn = { leave: () => this.#leave(account, place) };
    if (queue === undefined) start();
    return turn;
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
