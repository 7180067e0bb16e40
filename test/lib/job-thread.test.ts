/** Threads for jobs: their start, their end, and their errors. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { JobThread } from '../../src/lib/threads/job-thread.ts';
import { recordingLog } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { sized } from '../support/tier.ts';

/** As piscina sees them. */
const threads = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');

/** Names that a module takes from another one: so many that to put the two together takes as long as to read them. */
const names = Array.from({ length: 20_000 }, (_, i) => `name${i}`);

/** Address of a module that does a job. */
function jobOf(t: Pick<Test, 'teardown'>, job: string): string {
  const file = path.join(temporaryFolder(t), 'job.mjs');
  fs.writeFileSync(file, `export default ${job};`);
  return pathToFileURL(file).href;
}

t.test('a thread that is ended while it loads its modules does not end the process', async (t) => {
  const folder = temporaryFolder(t);
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  write('package.json', '{"type":"module"}');
  write('names.js', names.map((name) => `export const ${name} = 1;`).join('\n'));
  write('job.js', `import { ${names.join(', ')} } from './names.js';\nexport default () => ({ value: ${names[0]} });`);
  const entry = JSON.stringify(new URL('../../src/lib/threads/job-thread.js', import.meta.url).href);
  const program = `
    import { setTimeout as delay } from 'node:timers/promises';
    import { JobThread } from ${entry};
    const log = { info() {}, warn() {}, error() {} };
    const thread = () => new JobThread(new URL('job.js', 'file://${folder}/').href, { what: 'tests', log });
    const whole = thread();
    const started = performance.now();
    console.log(await whole.run(0));
    const ms = performance.now() - started;
    await whole.stop();
    const tries = ${sized({ sample: 6, all: 60 })};
    for (let i = 1; i <= tries; i++) {
      const ended = thread();
      const over = ended.run(0).catch(() => undefined);
      await delay((ms * i) / tries);
      await ended.stop();
      await over;
    }
    console.log('all ended');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  t.equal(stdout, '1\nall ended\n');
});

t.test('a job whose thread cannot start fails with the reason', async (t) => {
  const thread = new JobThread('file:///nowhere/job.js', { what: 'tests', log: recordingLog().log });
  await t.rejects(thread.run(0), { message: /^a thread for tests died: Cannot find module '\/nowhere\/job\.js'/ });
});

t.test('a job fails with the reason if the system has no more threads', async (t) => {
  const { Worker } = threads;
  t.teardown(() => {
    threads.Worker = Worker;
  });
  // As Node does where the system refuses a thread.
  threads.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      void this.terminate();
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    }
  };
  const thread = new JobThread(jobOf(t, '(task) => ({ value: task })'), { what: 'tests' });
  await t.rejects(thread.run(0), { message: /^cannot start a thread for tests \(EAGAIN\): check this process/ });
  await thread.stop();
  await t.rejects(thread.run(0), /cannot start a thread/, 'and the earlier error is not reported');
  threads.Worker = Worker;
  t.equal(await thread.run(2), 2, 'the next job gets one, and is the only one that is done');
  await thread.stop();
});

t.test('an aborted job fails with StoppedError', async (t) => {
  const thread = new JobThread(jobOf(t, '() => new Promise(() => {})'), { what: 'tests', log: recordingLog().log });
  const waiting = t.rejects(thread.run(0), { name: 'StoppedError' });
  await thread.stop();
  await waiting;
});

/** The start of a job that warms up. */
const warm = `(task) => {
  if (task === 'warm-up') return { value: Number(readlinkSync('/proc/thread-self').split('/').pop()) };`;

function limitedThread(t: Pick<Test, 'teardown'>, job: string): JobThread {
  const file = fileURLToPath(jobOf(t, `${warm} ${job} }`));
  fs.writeFileSync(file, `import { readlinkSync } from 'node:fs';\n${fs.readFileSync(file, 'utf8')}`);
  const thread = new JobThread(pathToFileURL(file).href, { what: 'tests', idleMs: 60_000 });
  t.teardown(() => thread.stop());
  return thread;
}

const onLinux = process.platform === 'linux' ? {} : { skip: 'without /proc the time of a thread is unknown' };

t.test('a job that uses too much processor time is ended', async (t) => {
  const thread = limitedThread(t, 'for (;;);');
  await t.rejects(thread.runWithin(0, 50, 'warm-up'), { name: 'OverrunError', message: /more than 0.05 s of processor time/ });
});

t.test('a job that is kept from the processor is no overrun, and is ended as busy', onLinux, async (t) => {
  const thread = limitedThread(t, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task); return { value: task };');
  t.equal(await thread.runWithin(200, 50, 'warm-up'), 200, 'it may take longer than its processor time');
  await t.rejects(thread.runWithin(60_000, 50, 'warm-up', 500), {
    name: 'BusyError',
    message: /0.05 s of processor time within 0.5 s/,
  });
  t.equal(await thread.runWithin(1, 50, 'warm-up'), 1, 'the next job has a new thread');
});

t.test('a job whose result has arrived is not ended, however late that is noticed', onLinux, async (t) => {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const thread = limitedThread(t, 'Atomics.store(task, 0, 1); Atomics.notify(task, 0); return { value: 7 };');
  const result = thread.runWithin(done, 20, 'warm-up', 200);
  await new Promise((resolve) => setImmediate(resolve));
  while (thread.threads.length === 0 || Atomics.load(done, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  // All limits pass while the result waits.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  t.equal(await result, 7);
});

t.test('a thread without a job is not waited for: at the lowest priority its end may take long', async (t) => {
  const { Worker } = threads;
  t.teardown(() => {
    threads.Worker = Worker;
  });
  const release = new Deferred<void>();
  threads.Worker = class extends Worker {
    override async terminate(): Promise<number> {
      await release.promise;
      return super.terminate();
    }
  };
  const thread = new JobThread(jobOf(t, '(task) => ({ value: task })'), { what: 'tests', idleMs: 60_000 });
  t.equal(await thread.run(1), 1);
  let isStopped = false;
  const stopping = thread.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  t.ok(isStopped, 'it is stopped, although it has not ended');
  release.resolve();
  await stopping;
});

t.test('a job that pauses is cancelled, and its thread not waited for', async (t) => {
  const from = (name: string) => JSON.stringify(new URL(`../../src/lib/threads/${name}.js`, import.meta.url).href);
  const file = path.join(temporaryFolder(t), 'job.mjs');
  fs.writeFileSync(
    file,
    `import { pause } from ${from('pause')};
    import { toResult } from ${from('thread-result')};
    export default (seen) => toResult(() => {
      Atomics.store(seen, 0, 1);
      try { pause(60_000); } finally { Atomics.store(seen, 0, 2); }
    });`,
  );
  const thread = new JobThread(pathToFileURL(file).href, { what: 'tests', idleMs: 60_000, pauses: true });
  const seen = new Int32Array(new SharedArrayBuffer(4));
  const waiting = t.rejects(thread.run(seen), { name: 'StoppedError', message: 'the thread for tests was ended' });
  while (Atomics.load(seen, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  await thread.stop();
  t.equal(Atomics.load(seen, 0), 2, 'it has seen that it is cancelled');
  await waiting;
});

t.test('a job whose thread dies at its start while it is stopped fails, although it would be waited for', async (t) => {
  const options = { what: 'tests', log: recordingLog().log, pauses: true };
  const thread = new JobThread('file:///nowhere/job.js', options);
  // On a busy machine the stop ends the thread before it has died.
  const waiting = t.rejects(thread.run(0), { message: /Cannot find module|the thread for tests was ended/ });
  await thread.stop();
  await waiting;
});

t.test('a job that waits for a thread that dies in the job before fails, too', async (t) => {
  const thread = new JobThread(jobOf(t, '() => process.exit(0)'), { what: 'tests', pauses: true });
  const first = t.rejects(thread.run(0), /a thread for tests died/);
  const second = t.rejects(thread.run(0));
  await Promise.all([first, second]);
  await thread.stop();
});

t.test('a job that only reads is not waited for, however long it runs', async (t) => {
  const thread = new JobThread(jobOf(t, '() => { for (;;); }'), { what: 'tests', onlyReads: true });
  const waiting = t.rejects(thread.run(0), { name: 'StoppedError', message: 'the thread for tests was ended' });
  const queued = t.rejects(thread.run(0), { name: 'StoppedError' });
  const [worker] = thread.threads;
  let isEnded = false;
  worker?.once('exit', () => {
    isEnded = true;
  });
  await thread.stop();
  await Promise.all([waiting, queued]);
  t.notOk(isEnded, 'its thread still runs');
});

t.test('a cancelled job that does not pause ends with its thread', async (t) => {
  const thread = new JobThread(jobOf(t, '() => new Promise(() => {})'), { what: 'tests', pauses: true });
  const waiting = t.rejects(thread.run(0), { name: 'StoppedError' });
  await Promise.all([thread.stop(), thread.stop()]);
  await waiting;
});
