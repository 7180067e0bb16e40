/**
 * `npm run test:mutants`: plants every seed, or those whose names contain the words given, and says what caught it. `--faults` takes only
 * those at interfaces. `--list` plants nothing and prints their table.
 */
import { parseArgs } from 'node:util';
import { lineOf, Plot, type Result, tryAll } from './run.ts';
import { seeds } from './seeds.ts';
import { tableOf } from './table.ts';

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, faults: { type: 'boolean' } },
  allowPositionals: true,
});
const words = positionals.join(' ');
const chosen = seeds.filter(({ name, plants }) => name.includes(words) && (values.faults !== true || typeof plants === 'string'));
if (values.list === true) {
  console.log(tableOf(chosen));
  process.exit();
}
const plots = [new Plot(), new Plot()];
const results: Result[] = [];
try {
  await tryAll(chosen, plots, (result) => {
    results.push(result);
    console.log(lineOf(result));
  });
} finally {
  for (const plot of plots) plot.remove();
}
const missed = results.filter(({ problem }) => problem !== undefined);
console.log(`\n${results.length} seeds, ${missed.length} not caught`);
process.exitCode = missed.length === 0 && chosen.length > 0 ? 0 : 1;
