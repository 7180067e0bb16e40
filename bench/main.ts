/**
 * Measures: `npm run bench`. What it can do is in `options.ts`, what is measured in `benches.ts`, and what comes of it in `report/`.
 *
 * The exit status is 1 when a bench broke, 2 for a command line that makes no sense; a missed goal is a result like any other.
 */
import path from 'node:path';
import { compareCommits } from './against.ts';
import { benches } from './benches.ts';
import { moveToLoadCore } from './lib/pin.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { writeFiles } from './report/files.ts';
import { machine } from './report/machine.ts';
import { tableText } from './report/table.ts';
import type { Bench } from './row.ts';
import { runBenches } from './run.ts';
import { keepCode } from './servers/ours.ts';

/** Folder of the compiled program, this file's own. */
const program = path.join(import.meta.dirname, '..');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130)); // servers and folders go with it

try {
  const options = readOptions(process.argv.slice(2));
  const chosen = choose(options);
  if (options.help) process.stdout.write(usage);
  else if (options.list) list(chosen);
  else await measure(options, chosen);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

/** @throws UsageError */
function choose({ only, list }: Options): Bench[] {
  for (const name of only) {
    if (name === '' || !benches.some((bench) => bench.name.startsWith(name)))
      throw new UsageError(`There is no bench whose name begins with "${name}". See --list.`);
  }
  const whole = new Set(benches.map(({ name }) => name));
  const named = (name: string): boolean => only.some((one) => (whole.has(one) ? name === one : name.startsWith(one)));
  return benches.filter(({ name, onDemand = false }) => (only.length > 0 ? named(name) : list || !onDemand));
}

function list(chosen: readonly Bench[]): void {
  for (const { name, about, onDemand = false } of chosen)
    console.log(`${name}\n  ${about}${onDemand ? ` (only with --only ${name})` : ''}`);
}

async function measure(options: Options, chosen: readonly Bench[]): Promise<void> {
  const { rounds, seconds, minutes, against, only, save } = options;
  moveToLoadCore();
  const context = { program, rounds, seconds, minutes, tiny: false, alone: false, say: (text: string) => console.log(text) };
  if (against !== undefined) {
    console.log(tableText(await compareCommits(chosen, context, against)));
    return;
  }
  const began = new Date();
  await keepCode(program);
  const { rows, skipped, broken } = await runBenches(chosen, context);
  console.log(`\n${machine()}\n\n${tableText(rows)}`);
  for (const text of [...skipped, ...broken]) console.log(text);
  if (broken.length > 0) process.exitCode = 1;
  else if (only.length === 0 || save) writeFiles({ began, rounds, seconds, only, rows, skipped });
}
