/** `npm run test:mutants`: plants every seed, or those whose names contain the words given, and says what caught it. */
import { lineOf, Plot, type Result, tryAll } from './run.ts';
import { seeds } from './seeds.ts';

const words = process.argv.slice(2).join(' ');
const chosen = seeds.filter(({ name }) => name.includes(words));
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
