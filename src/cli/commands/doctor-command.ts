/** `mapwright doctor`: checks whether a server with the given options would run well here. Read-only; works with and without a running server. */

import { resolve } from 'node:path';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { backupCheck } from '../doctor/backup-checks.ts';
import type { Check, CheckContext, CheckFinding, CheckVerdict } from '../doctor/check.ts';
import { clusterChecks } from '../doctor/cluster-checks.ts';
import { fileSystemCheck, roomCheck, syncCheck } from '../doctor/disk-checks.ts';
import { dataCheck, permissionCheck, useCheck } from '../doctor/folder-checks.ts';
import { clockCheck, descriptorCheck, memoryCheck, nodeCheck } from '../doctor/machine-checks.ts';
import { optionCheck, portCheck, reachCheck } from '../doctor/network-checks.ts';
import { outgoingCheck } from '../doctor/outgoing-check.ts';
import { signOnCheck } from '../doctor/sign-on-check.ts';
import { sourcesCheck } from '../doctor/source-checks.ts';
import { tilesCheck } from '../doctor/tiles-check.ts';
import { unitCheck } from '../doctor/unit-check.ts';
import { jsonOption } from '../option-parsing.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { plural } from '../output/format-values.ts';
import { printJson } from '../output/stdout.ts';
import { serveOptions } from './serve/serve-options.ts';

/** In the order of the report. The clock check is last, because it observes the clock during the others. */
const checksOf = ({ cluster, unit, oidcIssuer }: CheckContext): readonly Check[] => [
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
  reachCheck,
  outgoingCheck,
  tilesCheck,
  sourcesCheck,
  ...(oidcIssuer === undefined ? [] : [signOnCheck]),
  backupCheck,
  ...(cluster === undefined ? [] : clusterChecks),
  ...(unit === undefined ? [] : [unitCheck]),
  clockCheck,
];

interface CheckResult extends CheckFinding {
  readonly name: string;
}

export const doctorCommand = command({
  ...commandOutlines.doctor,
  options: { ...serveOptions, unit: { type: 'string', describe: 'Check this systemd unit, too' }, ...jsonOption },
  examples: [
    ['doctor', 'for a server started with `serve` here'],
    ['doctor --data /var/lib/mapwright --memory-mb 2000', 'for a server with these flags'],
    ['doctor --unit /etc/systemd/system/mapwright.service', 'and whether the service can run it'],
    ['doctor --cluster postgres://maps@db1,db2/maps --advertise http://10.0.0.5:8070', 'for a node of a cluster'],
  ],
  async handler(args) {
    const context: CheckContext = { ...args, startedAt: { wallMs: Date.now(), monotonicMs: performance.now() } };
    const results: CheckResult[] = [];
    for (const check of checksOf(context)) results.push({ name: check.name, ...(await runCheck(check, context)) });
    const worst = (['fail', 'warn'] as const).find((verdict) => results.some((each) => each.verdict === verdict)) ?? 'ok';
    if (args.json) printJson({ folder: resolve(args.data), verdict: worst, checks: results });
    else process.stdout.write(report(results));
    if (worst === 'fail') process.exitCode = exitCodes.failed;
  },
});

/** Runs a check. A check that throws has failed. */
async function runCheck(check: Check, context: CheckContext): Promise<CheckFinding> {
  try {
    return await check.run(context);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isDenied = code === 'EACCES' || code === 'EPERM';
    const advice = isDenied
      ? 'Run doctor as the user that runs the server. If that is this user, change the owner of the folder with chown.'
      : 'A server would fail in the same way. Fix this first.';
    return { verdict: 'fail', found: message, advice };
  }
}

function report(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap(({ verdict, name, found, advice }) => {
    const head = `${verdict.padEnd(4)}  ${name.padEnd(width)}  ${found}`;
    return advice === undefined ? [head] : [head, `${' '.repeat(width + 8)}${advice}`];
  });
  const count = (verdict: CheckVerdict) => results.filter((each) => each.verdict === verdict).length;
  return `${lines.join('\n')}\n\n${plural(count('fail'), 'failure')}, ${plural(count('warn'), 'warning')}.\n`;
}
