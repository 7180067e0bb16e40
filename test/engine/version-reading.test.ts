/** Work on the content of versions, which may be hundreds of megabytes: one at a time, fair to all accounts, within the memory budget. */
import t from 'tap';
import { VersionTurns } from '../../src/engine/version-turns.ts';
import { keepVersion, type ProjectJson } from '../../src/engine/versions/versions.ts';
import { MemoryFullError } from '../../src/lib/errors.ts';
import { accountIn, create, done, openWorld, project } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

const unlimited = { hold: () => undefined, release: () => undefined };

t.test('the content of one version is in memory at a time, and accounts take turns', async (t) => {
  const turns = new VersionTurns(unlimited);
  const order: string[] = [];
  let running = 0;
  const read = (name: string) =>
    turns.run('reading', name[0] as string, async () => {
      t.equal(++running, 1, name);
      order.push(name);
      await new Promise(setImmediate);
      running--;
      if (name === 'a2') throw new Error('damaged');
    });
  const ended = await Promise.allSettled(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(read));
  t.equal(ended.filter(({ status }) => status === 'rejected').length, 1);
  t.strictSame(order.slice(0, 3), ['a1', 'b1', 'c1'], 'others come after one of an account that sends many');
  t.equal(order.length, 6, 'one that fails stops none');
});

t.test('the end of a turn releases all memory that it holds, also after an error', async (t) => {
  let held = 0;
  const turns = new VersionTurns({
    hold(bytes) {
      if (held + bytes > 100) throw new MemoryFullError('full');
      held += bytes;
    },
    release(bytes) {
      held -= bytes;
    },
  });
  await turns.run('storing', 'a', async (turn) => {
    turn.hold(30);
    turn.hold(40);
    t.equal(held, 70);
  });
  t.equal(held, 0);
  const failing = turns.run('reading', 'a', async (turn) => {
    turn.hold(60);
    turn.hold(60);
  });
  await t.rejects(failing, MemoryFullError);
  t.equal(held, 0);
  const kept = await turns.run('listing', 'a', async (turn) => turn);
  t.throws(() => kept.hold(1), /continued after its turn/);
});

t.test('many requests to keep a state hold nothing until their turn, and store one at a time', async (t) => {
  const { engine, stored: files } = await openWorld(temporaryFolder(t));
  t.teardown(() => engine.close());
  const capturing = new Map<string, number>();
  let most = 0;
  const json: ProjectJson = ({ accountId }) => {
    capturing.set(accountId, (capturing.get(accountId) ?? 0) + 1);
    t.equal(capturing.get(accountId), 1, 'of an account one state at a time is captured');
    most = Math.max(most, capturing.size);
    return (function* text() {
      for (let i = 0; i < 4; i++) yield `"${'x'.repeat(64 * 1024)}"`;
      capturing.delete(accountId);
    })();
  };
  const making = { show: () => undefined };
  const keeping: Promise<{ readonly outcome: string }>[] = [];
  for (const name of ['ann', 'ben', 'cid']) {
    const accountId = await accountIn(engine, name);
    const projectId = await done(engine, create(project(accountId)));
    const request = { accountId, projectId, name: '', kind: 'named', by: '', json } as const;
    for (let i = 0; i < 5; i++) keeping.push(keepVersion(engine, files, request, making));
  }
  t.strictSame(
    (await Promise.all(keeping)).map(({ outcome }) => outcome),
    Array.from({ length: 15 }, () => 'done'),
  );
  t.equal(most, 2, 'and two of all accounts');
});
