/** `mapwright doctor`: whether a server does well here, with the options that it would get. Changes nothing; works while it runs, and while it does not. */
import { resolve } from 'node:path';
import { backupCheck } from './checks/backups.ts';
import type { Asked, Check, Finding, Verdict } from './checks/check.ts';
import { fileSystemCheck, roomCheck, syncCheck } from './checks/disk.ts';
import { dataCheck, permissionCheck, useCheck } from './checks/folder.ts';
import { clockCheck, descriptorCheck, memoryCheck, nodeCheck } from './checks/machine.ts';
import { frontCheck, optionCheck, portCheck } from './checks/network.ts';
import { command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { jsonOption } from './options.ts';
import { type ServeArguments, serveOptions } from './serve-options.ts';
import { printJson } from './stdout.ts';
import { plural } from './words.ts';

/** In the order in which they are told. The clock comes last: it is looked at over the time that the others take. */
const checks: readonly Check[] = [
  nodeCheck,
  optionCheck,
  permissionCheck,
  useCheck,
  dataCheck,
  fileSystemCheck,
  roomCheck,
  syncCheck,
  memoryCheck,
  descriptorCheck,
  portCheck,
  frontCheck,
  backupCheck,
  clockCheck,
];

interface Told extends Finding {
  readonly name: string;
}

export const doctorCommand = command<ServeArguments>({
  command: 'doctor',
  describe: 'Check disk, sync speed, clock, limits, permissions and data, for a server with these options',
  options: { ...serveOptions, ...jsonOption },
  examples: [
    ['doctor', 'for a server as `serve` would start it here'],
    ['doctor --data /var/lib/mapwright --memory-mb 2000', 'with the flags that it is to get'],
  ],
  async handler(args) {
    const asked: Asked = { ...args, startedAt: { wallMs: Date.now(), monotonicMs: performance.now() } };
    const told: Told[] = [];
    for (const check of checks) told.push({ name: check.name, ...(await looked(check, asked)) });
    const worst = (['fail', 'warn'] as const).find((verdict) => told.some((each) => each.verdict === verdict)) ?? 'ok';
    if (args.json) printJson({ folder: resolve(args.data), verdict: worst, checks: told });
    else process.stdout.write(report(told));
    if (worst === 'fail') process.exitCode = exitCodes.failed;
  },
});

/** What cannot be looked at does not do well. */
async function looked(check: Check, asked: Asked): Promise<Finding> {
  try {
    return await check.look(asked);
  } catch (error) {
    return { verdict: 'fail', found: (error as Error).message, advice: 'A server would stumble over the same: mend that first.' };
  }
}

function report(told: readonly Told[]): string {
  const width = Math.max(...told.map(({ name }) => name.length));
  const lines = told.flatMap(({ verdict, name, found, advice }) => {
    const head = `${verdict.padEnd(4)}  ${name.padEnd(width)}  ${found}`;
    return advice === undefined ? [head] : [head, `${' '.repeat(width + 8)}${advice}`];
  });
  const count = (verdict: Verdict) => told.filter((each) => each.verdict === verdict).length;
  return `${lines.join('\n')}\n\n${plural(count('fail'), 'failure')}, ${plural(count('warn'), 'warning')}.\n`;
}
