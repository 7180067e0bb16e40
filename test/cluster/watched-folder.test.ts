// tier: normal
/** A watched folder and the processes in it end with the process of their test, also after a kill. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { processesIn, watchedFolder } from '../support/watched-folder.ts';

const hasProc = process.platform === 'linux';

/** The signal that ends a process that works in `folder`. */
function worker(folder: string): Promise<NodeJS.Signals | null> {
  const child = spawn('sleep', ['600'], { cwd: folder, stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
}

t.test('remove() kills all processes that work in the folder, and deletes it', { skip: !hasProc }, async (t) => {
  const folder = watchedFolder();
  const below = path.join(folder.path, 'below');
  fs.mkdirSync(below);
  const ended = [worker(below), worker(below)];
  let pids: number[] = [];
  while (pids.length < 2) pids = processesIn(below);
  process.kill(pids[0] as number, 'SIGSTOP');
  await folder.remove();
  t.same(await Promise.all(ended), ['SIGKILL', 'SIGKILL']);
  t.notOk(fs.existsSync(folder.path));
});

t.test('a watched folder is deleted, with its processes, when its creator ends', { skip: !hasProc }, async (t) => {
  const outer = watchedFolder();
  const module = pathToFileURL(path.join(import.meta.dirname, '..', 'support', 'watched-folder.js')).href;
  const code = `
    import { watchedFolder } from ${JSON.stringify(module)};
    import { spawn } from 'node:child_process';
    const { path: folder } = watchedFolder(${JSON.stringify(outer.path)});
    const { pid } = spawn('sleep', ['600'], { cwd: folder, stdio: 'ignore', detached: true });
    console.log(JSON.stringify({ folder, pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const made = await new Promise<{ folder: string; pid: number }>((resolve) => {
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString())));
  });
  t.same(processesIn(made.folder), [made.pid]);
  child.kill('SIGKILL');
  while (fs.existsSync(made.folder)) await sleep(5);
  t.same(processesIn(made.folder), []);
  await outer.remove();
});
