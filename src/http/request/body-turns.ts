/**
 * Large bodies take turns: one of an account at a time is parsed, checked and applied, first come first served. However many of them an
 * account sends at once, the others wait for slices of one.
 */
import type { AccountLoad } from '../guard/admission.ts';

/** A place in the queue of an account. */
export interface BodyTurn {
  /** The turn is over, or is not wanted any more. May be called twice. */
  leave(): void;
}

export class BodyTurns {
  /** Who has the turn, and then who waits for it. There are as many places as the bodies that are held: `AdmissionControl` bounds these. */
  readonly #queues = new Map<AccountLoad, Place[]>();

  /** @param start called when it is the turn of this body: immediately, or in the turn of the event loop in which the one before leaves */
  enter(account: AccountLoad, start: () => void): BodyTurn {
    const place = { start };
    const queue = this.#queues.get(account);
    if (queue === undefined) this.#queues.set(account, [place]);
    else queue.push(place);
    const turn = { leave: () => this.#leave(account, place) };
    if (queue === undefined) start();
    return turn;
  }

  #leave(account: AccountLoad, place: Place): void {
    const queue = this.#queues.get(account);
    const at = queue?.indexOf(place) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(account);
    else if (at === 0) queue[0]?.start();
  }
}

interface Place {
  start(): void;
}
