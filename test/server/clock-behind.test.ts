// tier: normal
/** A clock that went back by more than a day is said at the start and by doctor, from the log and from a snapshot. */
import path from 'node:path';
import t from 'tap';
import { createServer } from '../../src/index.ts';
import { recordingLog } from '../support/engine.ts';
import { run, temporaryFolder } from '../support/process.ts';

const dayMs = 86_400_000;

t.test('a start warns of a clock that is more than a day behind the newest record', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  let aheadMs = 3 * dayMs;
  const { log, logged } = recordingLog();
  const start = () => createServer({ data, log, segmentBytes: 1024 * 1024, clock: () => Date.now() + aheadMs });
  const warnings = () => logged.splice(0).filter(([, , message]) => message.startsWith('the clock of this machine'));
  /** What a start says when the clock went back by so much since the record. */
  const started = async (ms: number) => {
    aheadMs = 3 * dayMs - ms;
    await (await start()).close();
    return warnings();
  };
  const doctor = async () => {
    const { checks } = JSON.parse((await run(['doctor', '--data', data, '--port', '0', '--tiles', 'none', '--json'])).stdout);
    return checks.find(({ name }: { name: string }) => name === 'clock');
  };
  const server = await start();
  await server.createKey('ann');
  await server.close();
  t.strictSame(warnings(), [], 'a new folder has nothing to compare');
  t.match(await doctor(), { verdict: 'warn', found: /^it is 3 days behind the time at which record \d+ was written$/ });
  t.strictSame(await started(0), []);
  t.strictSame(await started(dayMs - 60_000), [], 'less than a day');
  const [warning, ...others] = await started(dayMs + 60_000);
  t.match(warning, ['warn', { now: /^\d{4}-/, newest: /^\d{4}-/ }]);
  t.strictSame(others, [], 'it is said once');

  aheadMs = 3 * dayMs;
  const again = await start();
  await again.snapshot();
  await again.close();
  warnings();
  t.equal((await started(2 * dayMs)).length, 1, 'from a snapshot with no record after it');
  t.match(await doctor(), { verdict: 'warn', found: /^it is 3 days behind the time at which record \d+ was written$/ });
});
