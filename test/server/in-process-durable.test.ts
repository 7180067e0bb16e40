/** Requests in the process on a disk in the hands of the test: no response shows what a crash could undo. */
import t from 'tap';
import { bind } from '../../src/api/declaration.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import { createAccount, deleteAccount } from '../../src/engine/accounts.ts';
import { createListener } from '../../src/http/listener.ts';
import type { LookedUp } from '../../src/server/admin/key-lookup.ts';
import { inProcessApi } from '../../src/server/in-process-api.ts';
import { held, isPending } from '../engine/held-journal.ts';
import { apiOf } from '../support/api.ts';
import { recordingLog } from '../support/engine.ts';

async function world() {
  const { engine, journal } = await held();
  const bound = endpoints.map((declared) => bind(declared, apiOf(engine)));
  const listener = createListener<LookedUp>({ endpoints: bound, log: recordingLog().log, authenticate: () => undefined });
  const { client } = inProcessApi(engine, listener, { isStopping: false, refuseWhenClosed: () => undefined });
  return { engine, journal, listener, client };
}

t.test('closing waits for a request in the process until its write is durable', async (t) => {
  const { journal, listener, client } = await world();
  const made = client({ account: 'ann' }).post('/projects', { body: { name: 'new' } });
  const idle = listener.idle();
  t.ok(await isPending(idle));
  journal.sync();
  await idle;
  t.match(await made, { name: 'new' });
});

t.test('an account that is not durable yet, or whose deletion is not, is neither shown nor reported as missing', async (t) => {
  const { engine, journal, client } = await world();
  const ben = client({ account: 'ben' });
  const making = createAccount(engine, 'ben');
  const list = ben.get('/projects');
  t.ok(await isPending(list));
  journal.sync();
  await making;
  t.strictSame(await list, []);
  const deleting = deleteAccount(engine, 'ben');
  const late = ben.get('/projects');
  late.catch(() => undefined);
  t.ok(await isPending(late));
  journal.sync();
  await deleting;
  await t.rejects(late, { message: /no account "ben"/ });
});
