/** `npm start` as supervisors and terminals use it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

t.test('npm start passes SIGTERM on: the server stops in order', async (t) => {
  const flags = ['--data', path.join(temporaryFolder(t), 'data'), '--port', '0', '--log-level', 'info'];
  const npm = spawn('npm', ['start', '--ignore-scripts', '--', ...flags], {
    cwd: projectRoot(import.meta.dirname),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  t.teardown(() => {
    try {
      process.kill(-(npm.pid as number), 'SIGKILL');
    } catch {
      // All of its processes have ended.
    }
  });
  let printed = '';
  const said = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (pattern.test(printed)) resolve();
      };
      for (const stream of [npm.stdout, npm.stderr])
        stream.on('data', (text) => {
          printed += text;
          look();
        });
      npm.once('close', () => resolve());
      look();
    });
  await said(/^Listening on/m);
  npm.kill('SIGTERM');
  await once(npm, 'close');
  t.match(printed, /"msg":"stopped"/);
});
