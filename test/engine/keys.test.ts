// tier: normal
/** Keys and accounts in the engine: changes of them survive restarts, snapshots and crashes. */
import t from 'tap';
import { deleteAccount, listAccounts, renameAccount } from '../../src/engine/accounts.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { authenticate, type CreatedKey, createKey, listKeys, revokeKey, rotateKey } from '../../src/engine/keys.ts';
import { FolderError, OperationError } from '../../src/lib/errors.ts';
import { digestOf, newKey } from '../../src/model/key.ts';
import { schemaVersion } from '../../src/model/schema-version.ts';
import { pack, RecordFormatError } from '../../src/model/stored.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { create, done, dump, member, openWorld, project, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { deciding, held } from './held-journal.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Why a key is refused; 'valid' when it is not. */
const verdict = (engine: Engine, { key }: { key: string }): string =>
  authenticate(engine.state, key, engine.writer.context().now).refused?.reason ?? 'valid';

const after = (engine: Engine, ms: number): string => new Date(engine.writer.context().now + ms).toISOString();

t.test('keys have the same permissions after a restart and a snapshot, and revoked ones stay so', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const { account } = await createKey(engine, 'ann');
  const only = await done(engine, create(project(account.id)));
  const terms = { expires: after(engine, dayMs), access: 'read', projects: [only], label: 'widget' } as const;
  const made = await createKey(engine, 'ann', terms);
  await rotateKey(engine, made.id, hourMs);
  const revoked = await createKey(engine, 'ann');
  await revokeKey(engine, revoked.id);
  t.equal(verdict(engine, revoked), 'revoked', 'at once');
  const before = JSON.stringify(listKeys(engine.state, 0));
  t.match(listKeys(engine.state, 0)[1], { ...terms, expires: after(engine, hourMs).slice(0, 10), replacedBy: /^[a-z2-7]{12}$/ });
  const whole = dump(engine.state);
  await engine.close();
  for (const when of ['from the log', 'from the snapshot']) {
    const again = await openWorld(folder);
    t.equal(again.recovery.records === 0, when === 'from the snapshot', when);
    t.equal(JSON.stringify(listKeys(again.engine.state, 0)), before, when);
    t.equal(dump(again.engine.state), whole, when);
    t.equal(verdict(again.engine, revoked), 'revoked', when);
    await again.engine.snapshot();
    await again.engine.close();
  }
});

/** An engine whose clock is in the hands of the test. */
async function timed(folder: string) {
  const time = { now: Date.UTC(2030, 0, 1) };
  return { time, ...(await openWorld(folder, { clock: () => time.now })) };
}

t.test('a key expires at its exact time, and a clock that is set back gives it no new permission', async (t) => {
  const { engine, time } = await timed(temporaryFolder(t));
  const start = time.now;
  const key = await createKey(engine, 'ann', { expires: after(engine, dayMs) });
  const forever = await createKey(engine, 'ann');
  time.now = start + dayMs - 1;
  t.equal(verdict(engine, key), 'valid', 'a millisecond before');
  time.now = start + dayMs;
  t.equal(verdict(engine, key), 'expired', 'at it');
  t.equal((await listAccounts(engine))[0]?.keys, 1);
  time.now = start + 100 * 365 * dayMs;
  t.strictSame([verdict(engine, key), verdict(engine, forever)], ['expired', 'valid']);
  await revokeKey(engine, key.id);
  t.equal(verdict(engine, key), 'revoked', 'an expired one can be revoked all the same');
  await t.rejects(createKey(engine, 'ann', { expires: after(engine, 0) }), { name: 'OperationError', message: /is in the past/ });
  t.equal(engine.state.keys.size, 2, 'which made nothing');
  await engine.close();
});

t.test('a rotated key has the terms and the lifetime of the old one, and both work during the overlap', async (t) => {
  const { engine, time } = await timed(temporaryFolder(t));
  const start = time.now;
  const { account } = await createKey(engine, 'ann');
  const only = await done(engine, create(project(account.id)));
  const terms = { access: 'read', projects: [only], label: 'widget' } as const;
  const old = await createKey(engine, 'ann', { ...terms, expires: after(engine, 10 * dayMs) });
  time.now = start + 9 * dayMs;
  const lsn = engine.state.lsn;
  const young = await rotateKey(engine, old.id, hourMs);
  t.equal(engine.state.lsn, lsn + 1, 'one record holds both');
  t.match(young, { ...terms, expires: new Date(start + 19 * dayMs).toISOString() });
  t.strictSame(young.replaces, { id: old.id, expires: new Date(time.now + hourMs).toISOString() });
  t.strictSame([verdict(engine, old), verdict(engine, young)], ['valid', 'valid'], 'for a while both work');
  await t.rejects(rotateKey(engine, old.id, 0), {
    name: 'OperationError',
    message: `already rotated; its successor is ${young.id}`,
  });
  time.now += hourMs;
  t.strictSame([verdict(engine, old), verdict(engine, young)], ['expired', 'valid']);
  await t.rejects(rotateKey(engine, old.id, 0), { name: 'OperationError', message: /is expired/ });
  await t.rejects(rotateKey(engine, 'nobody', 0), { name: 'OperationError', message: /There is no key "nobody"/ });

  const atOnce = rotateKey(engine, young.id, 0, '');
  t.equal(verdict(engine, young), 'expired', 'without an overlap it stops in the same turn');
  t.equal((await atOnce).expires, '', 'for ever, when asked for');
  const short = await createKey(engine, 'ann', { expires: after(engine, hourMs) });
  const { replaces } = await rotateKey(engine, short.id, dayMs);
  t.equal(replaces.expires, short.expires, 'an overlap never makes a key live longer');
  await engine.close();
});

t.test('a key for unknown projects is refused, and its account is not created', async (t) => {
  const { engine } = await openWorld(temporaryFolder(t));
  await t.rejects(createKey(engine, 'ann', { projects: ['x'] }), { name: 'OperationError', message: /"ann" has no project "x"/ });
  t.equal(engine.state.accounts.size, 0);
  const [ann, bob] = [await createKey(engine, 'ann'), await createKey(engine, 'bob')];
  const his = await done(engine, create(project(bob.account.id)));
  await t.rejects(createKey(engine, 'ann', { projects: [his] }), OperationError, 'a project of another account');
  t.ok(ann.key);
  await engine.close();
});

t.test('renamed and deleted accounts stay so after a restart and a snapshot', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const [ann, bob] = [await createKey(engine, 'ann'), await createKey(engine, 'bob')];
  await createKey(engine, 'bob');
  for (const { account } of [ann, bob]) await done(engine, create(project(account.id), { name: account.name, popups: [{}, {}] }));
  await t.rejects(renameAccount(engine, 'ann', 'bob'), { name: 'OperationError', message: /The account "bob" already exists/ });
  await t.rejects(renameAccount(engine, 'zoe', 'x'), { name: 'OperationError', message: /no account "zoe"/ });
  t.equal((await renameAccount(engine, 'ann', 'anna')).id, ann.account.id);
  t.equal((await createKey(engine, 'anna')).account.id, ann.account.id, 'it goes by its new name');
  await engine.snapshot();

  const deleting = deleteAccount(engine, 'bob');
  t.equal(verdict(engine, bob), 'unknown', 'its keys stop in the same turn');
  t.match(await deleting, { id: bob.account.id, projects: 1, keys: 2 });
  await t.rejects(deleteAccount(engine, 'bob'), { name: 'OperationError', message: /no account "bob"/ });
  await engine.close();
  for (const when of ['from the log', 'from the snapshot']) {
    const again = await openWorld(folder);
    t.strictSame(
      [...again.engine.state.accounts.values()].map(({ name }) => name),
      ['anna'],
      when,
    );
    t.equal(again.recovery.projects, 1);
    t.notMatch(dump(again.engine.state), bob.account.id, 'nothing of it is left');
    t.strictSame([verdict(again.engine, ann), verdict(again.engine, bob)], ['valid', 'unknown']);
    await again.engine.snapshot();
    await again.engine.close();
  }
  const last = await openWorld(folder);
  const { account } = await createKey(last.engine, 'bob');
  t.not(account.id, bob.account.id, 'another of that name is another');
  t.equal(last.engine.state.accounts.get(account.id)?.projects.size, 0);
  await last.engine.close();
});

t.test('requests in flight when their account is deleted find nothing and create nothing', async (t) => {
  const { engine, journal, accountId, fatal } = await held();
  const settled = <T>(work: Promise<T>) => journal.settle(work);
  const id = await settled(done(engine, create(project(accountId), { popups: [{}] })));
  const large = { popups: Array.from({ length: 5000 }, (_, i) => ({ name: `${i}` })) };
  const outcomes: Promise<{ readonly outcome: string }>[] = [];
  const execute = (command: Command) => outcomes.push(engine.writer.execute(command, () => 'shown'));
  // The large ones are decided in slices, with the locks in their hands, for which the small ones wait.
  for (const command of [update(project(accountId, id), large), create(project(accountId), large)]) {
    const decided = deciding(engine);
    execute(command);
    await decided;
  }
  execute(update(project(accountId, id), { name: 'waits for the lock' }));
  execute(create(member(accountId, id, 'popups')));
  execute(create(project(accountId), { name: 'waits too' }));
  const records = journal.records.length;
  const name = engine.state.accounts.get(accountId)?.name as string;
  const deleted = deleteAccount(engine, name);
  t.equal(journal.records.length, records + 1, 'none of them was decided before');
  await settled(deleted);
  for (const outcome of await settled(Promise.all(outcomes))) t.strictSame(outcome.outcome, 'missing');
  t.equal(journal.records.length, records + 1, 'and none was after');
  t.strictSame(fatal, []);
  t.equal(engine.state.accounts.has(accountId), false);
});

t.test('a request never waits for a lock of another account, even if it names that account’s project', async (t) => {
  const { engine, journal, accountId } = await held();
  const stranger = await journal.settle(createKey(engine, 'bob'));
  const id = await journal.settle(done(engine, create(project(accountId))));
  const order: string[] = [];
  const start = (who: string, account: string, body: object) => {
    // Two writes of one sync may be answered in either order: what counts is the turn of the change.
    const noted = engine.writer.execute(update(project(account, id), body), () => order.push(who));
    return noted.then(({ outcome }) => (outcome === 'done' ? undefined : order.push(who)));
  };
  const decided = deciding(engine);
  const slow = start('slow', accountId, { popups: Array.from({ length: 5000 }, () => ({})) });
  await decided;
  const own = start('own', accountId, { name: 'x' });
  // Nothing is synced meanwhile, so that its owner's changes cannot be over yet; a "not found" has nothing to wait for.
  const foreign = start('foreign', stranger.account.id, { name: 'x' });
  for (let turn = 0; turn < 1000 && order.length === 0; turn++) await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(order, ['foreign'], 'who names it from outside is answered while its owner holds the lock');
  await journal.settle(Promise.all([slow, own, foreign]));
  t.strictSame(order, ['foreign', 'slow', 'own'], 'and its owner waits');
});

t.test('an invalid key is rejected with its reason after the same hashing as a valid one', async (t) => {
  const { engine } = await openWorld(temporaryFolder(t));
  const ann: CreatedKey = await createKey(engine, 'ann');
  const forged = newKey().text;
  const reasons = (text: string) => authenticate(engine.state, text, 0).refused?.reason;
  t.equal(reasons(forged), 'unknown');
  t.equal(reasons(forged.slice(0, 20)), 'malformed');
  t.equal(reasons(''), 'malformed');
  // Another key with the same public part.
  engine.state.keys.set(forged.slice(3, 15), { ...(engine.state.keys.get(ann.id) as object), id: forged.slice(3, 15) } as never);
  t.strictSame(authenticate(engine.state, forged, 0).refused, { reason: 'unknown', key: forged.slice(3, 15), account: '' });
  t.equal(engine.state.keys.get(ann.id)?.digest, digestOf(ann.key));
  await engine.close();
});

t.test('a record of a later version is refused by its number, and so is the row of a key with another length', async (t) => {
  const time = 1;
  const row = ['k', 'a', 'd', 'c', ''];
  for (const version of [-1, 1.5, '2', null]) t.throws(() => decodeRecord(pack([version, time, []])), RecordFormatError);
  for (const version of [schemaVersion + 1, 1000, 0])
    t.throws(() => decodeRecord(pack([version, time, []])), {
      message: `schema version ${version}; this mapwright reads up to version ${schemaVersion}`,
    });
  for (const wrong of [row, row.slice(1), [...row, ''], [...row, '', 2, [], '', ''], [...row, '', 0, null, '', '']])
    t.throws(
      () => decodeRecord(pack([schemaVersion, time, [[1, wrong]]])),
      RecordFormatError,
      'a row that would widen a key is no row',
    );

  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  await engine.journal.durable(engine.journal.append(pack([schemaVersion + 1, time, []])));
  await engine.close();
  await t.rejects(openWorld(folder), {
    constructor: FolderError,
    message: new RegExp(
      `segment: record 1 has schema version ${schemaVersion + 1}; this mapwright reads up to version ${schemaVersion}`,
    ),
  });
});
