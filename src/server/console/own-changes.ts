/** Counts what people do by themselves, without an owner: each is a record and a line of the audit log. */
import { problems } from '../../http/problem.ts';

const most = 20;
const windowMs = 60_000;

interface Window {
  /** Unix time in milliseconds. */
  readonly since: number;
  count: number;
}

export class OwnChanges {
  /** By person. */
  readonly #windows = new Map<string, Window>();

  /**
   * Notes a change of a person. Throws a 429 problem if there were too many within a minute.
   *
   * @param now Unix time in milliseconds
   */
  note(personId: string, now: number): void {
    const before = this.#windows.get(personId);
    const isRecent = before !== undefined && now >= before.since && now < before.since + windowMs;
    if (!isRecent) {
      for (const [id, { since }] of this.#windows) if (now >= since + windowMs || now < since) this.#windows.delete(id);
      this.#windows.set(personId, { since: now, count: 1 });
    } else if (before.count >= most) {
      const waitS = Math.ceil((before.since + windowMs - now) / 1000);
      throw problems.tooManyRequests(
        `You did this ${most} times within a minute. Retry in ${waitS} s.`,
        waitS,
        'console_changes',
      );
    } else before.count++;
  }
}
