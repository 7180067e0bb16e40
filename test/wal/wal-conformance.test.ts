// process: own
/** The conformance tests of journals on the write-ahead log: on a real disk with threads, and on files in memory. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Files, nodeFiles } from '../../src/lib/files/files.ts';
import type { SyncMode } from '../../src/storage/wal/format/segment.ts';
import { WalThreads, type WalWorker } from '../../src/storage/wal/write/wal-worker.ts';
import { conformance, type Home } from './conformance.ts';
import { FOLDER, newDisk, open, readersOf, until } from './harness.ts';
import { InlineWorker } from './inline-worker.ts';

function home(files: Files, folder: string, sync: SyncMode, worker: () => WalWorker): Home {
  return {
    async open() {
      const { wal } = await open(files, { folder, sync, worker: worker() });
      return wal;
    },
    ...readersOf(files, folder),
  };
}

t.test('the write-ahead log on disk passes the conformance tests', async (t) => {
  conformance(t, (t: Test) => home(nodeFiles, path.join(t.testdir(), 'journal'), 'always', () => new WalThreads()));
});

for (const sync of ['always', 'interval', 'never'] as const) {
  t.test(`the write-ahead log on files in memory passes the conformance tests (sync ${sync})`, async (t) => {
    conformance(t, () => {
      const files = newDisk();
      return home(files, FOLDER, sync, () => new InlineWorker(files));
    });
  });
}

t.test(
  'a closed log leaves no descriptor and no thread',
  { skip: process.platform !== 'linux' && 'counts what /proc lists' },
  async (t) => {
    const folder = path.join(t.testdir(), 'journal');
    const opened = () => fs.readdirSync('/proc/self/fd').length;
    const running = () => fs.readdirSync('/proc/self/task').length;
    const [before, threads] = [opened(), running()];
    const { open } = home(nodeFiles, folder, 'always', () => new WalThreads());
    for (let i = 0; i < 3; i += 1) {
      const journal = await open();
      journal.append(Buffer.from('x'));
      await journal.close();
    }
    // The system takes threads and their descriptors back a moment after they ended.
    await until(() => opened() <= before + 2 && running() <= threads);
    t.pass('neither descriptors nor threads');
  },
);
