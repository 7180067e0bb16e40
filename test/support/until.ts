/** Waits for something that happens soon, without a fixed time. */
import { setTimeout } from 'node:timers/promises';

/** Until the next look, in milliseconds. */
const pauseMs = 20;

/** Resolves as soon as `holds` does. Rejects after `patienceMs`, with what it waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patienceMs = 60_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`this never came: ${what}`);
    await setTimeout(pauseMs);
  }
}
