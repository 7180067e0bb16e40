/** Runs benches one after the other. One that cannot run here is reported, and one that fails does not stop the others. */
import type { Bench, Context, Row } from './row.ts';

export interface Outcome {
  readonly rows: Row[];
  /** What did not run, with the reason. */
  readonly skipped: string[];
  /** What broke, with the error. */
  readonly broken: string[];
}

export async function runBenches(benches: readonly Bench[], context: Context): Promise<Outcome> {
  const outcome: Outcome = { rows: [], skipped: [], broken: [] };
  for (const bench of benches) {
    const missing = await bench.missing?.();
    if (missing !== undefined) {
      outcome.skipped.push(`skipped ${bench.name}: ${missing}`);
      continue;
    }
    context.say(`-- ${bench.name}: ${bench.about}`);
    try {
      outcome.rows.push(...(await bench.run({ ...context, say: (text) => context.say(`   ${text}`) })));
    } catch (error) {
      outcome.broken.push(`broke ${bench.name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  return outcome;
}
