/** What `mapwright --version` and `--help` take above Node's own start. */
import { output } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';
import { rowOfOurs } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import type { Bench, Context, Row } from '../row.ts';
import { cliOf } from '../servers/ours.ts';

/** Each is run so many times in a round: single starts differ by more than what is measured. */
const runs = { full: 10, tiny: 1 } as const;
const goal = { atMost: 60 } as const;

export const commands: Bench = {
  name: 'commands',
  about: '`mapwright --version` and `--help`, above the start of Node',
  async run(context: Context): Promise<Row[]> {
    const cli = cliOf(context.program);
    const flags = ['--version', '--help'] as const;
    const above = { '--version': [] as number[], '--help': [] as number[] };
    const bare: number[] = [];
    for (const flag of flags) await milliseconds([cli, flag]);
    for (let round = 0; round < context.rounds; round++) {
      const node: number[] = [];
      const ours = { '--version': [] as number[], '--help': [] as number[] };
      for (let run = 0; run < runs[context.tiny ? 'tiny' : 'full']; run++) {
        node.push(await milliseconds(['--eval', '0']));
        for (const flag of flags) ours[flag].push(await milliseconds([cli, flag]));
      }
      bare.push(median(node));
      for (const flag of flags) above[flag].push(median(ours[flag]) - median(node));
    }
    const note = `node --eval 0 takes ${Math.round(median(bare))} ms`;
    return flags.map((flag) => rowOfOurs(`mapwright ${flag}, above the start of Node`, 'ms', above[flag], note, goal));
  },
};

async function milliseconds(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await output(onServerCore([process.execPath, ...args]));
  return performance.now() - started;
}
