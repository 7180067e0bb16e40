/** Waits for something that happens soon, without a fixed time. */
import { setTimeout } from 'node:timers/promises';

/** Until the next look, in milliseconds. */
const pauseMs = 20;
/** A test that waits longer has failed, in milliseconds. */
const patienceMs = 60_000;

/** Resolves as soon as `holds` does. Rejects with what it waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not so after ${patienceMs / 1000} s: ${what}`);
    await setTimeout(pauseMs);
  }
}
