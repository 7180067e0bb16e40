/** Calls without HTTP, over a disk that the test controls: no result or refusal shows a change that is not durable. */
import t from 'tap';
import { JsonCache } from '../../src/api/crud/json-cache.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import { createAccount, deleteAccount } from '../../src/engine/accounts.ts';
import { NotFoundError } from '../../src/index.ts';
import { directAccess } from '../../src/server/local/local-access.ts';
import { LocalApi } from '../../src/server/local/local-api.ts';
import { held, isPending } from '../engine/held-journal.ts';

async function world() {
  const { engine, journal } = await held();
  const cache = new JsonCache(1024 * 1024, engine.memory);
  const api = {
    engine,
    cache,
    urlBytesMax: 8192,
    bodyBytesMax: 1024 * 1024,
    batchResultsBytesMax: 1024 * 1024,
    basePath: '',
    publicUrl: '',
    publishing: undefined,
  };
  const calls = new LocalApi({ api, declarations: endpoints, refuseWhenClosed: () => undefined });
  return { engine, journal, calls, ...directAccess(calls) };
}

t.test('a write and its readers wait until it is durable', async (t) => {
  const { journal, projects, calls } = await world();
  const made = projects.create('ann', { name: 'new' });
  t.ok(await isPending(made));
  const list = projects.list('ann', { fields: ['name'] });
  t.ok(await isPending(list));
  const idle = calls.idle();
  t.ok(await isPending(idle), 'close waits as well');
  t.match(await journal.settle(list), [{ id: (await made).id, name: 'new' }]);
  await idle;
});

t.test('calls for an account wait until its creation or deletion is durable', async (t) => {
  const { engine, journal, projects } = await world();
  const making = createAccount(engine, 'ben');
  const list = projects.list('ben');
  t.ok(await isPending(list));
  await journal.settle(making);
  t.strictSame(await list, []);
  const deleting = deleteAccount(engine, 'ben');
  const late = projects.list('ben');
  late.catch(() => undefined);
  t.ok(await isPending(late));
  await journal.settle(deleting);
  await t.rejects(late, NotFoundError);
});
