/** The diagnostics channels: one write from its request to its sync, background work, and no message without a subscriber. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { DiagnosticMessages, DiagnosticName } from '../../src/index.ts';
import { startForRequests, startMapwright } from '../support/mapwright.ts';

type Heard = { [Name in DiagnosticName]: [Name, DiagnosticMessages[Name]] }[DiagnosticName];

/** Every message on these channels until the test is over, as it was at that moment. */
function heard(t: Test, ...names: DiagnosticName[]): { all: Heard[]; objects: unknown[] } {
  const all: Heard[] = [];
  const objects: unknown[] = [];
  for (const name of names) {
    const note = (message: unknown) => {
      all.push([name, { ...(message as object) }] as Heard);
      objects.push(message);
    };
    subscribe(name, note);
    t.teardown(() => unsubscribe(name, note));
  }
  return { all, objects };
}

const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'vendor=x' };

t.test('a write publishes its request, commit, sync and end, in order and with its trace', async (t) => {
  const mapwright = await startMapwright(t);
  const names = ['request:start', 'request:handle', 'wal:commit', 'wal:sync', 'request:end'] as const;
  const { all, objects } = heard(t, ...names.map((name) => `mapwright:${name}` as const));
  await mapwright.post('/projects', { name: 'one' }, { headers: { 'x-request-id': 'r-1', ...trace } });
  t.strictSame(
    all.map(([name]) => name.slice('mapwright:'.length)),
    names,
  );
  const traced = { traceId: /^4bf9/, parentId: '00f067aa0ba902b7', spanId: /^[\da-f]{16}$/, state: 'vendor=x' };
  const request = { requestId: 'r-1', method: 'POST', path: '/v1/projects', trace: traced };
  const open = { status: 0, complete: false, durationMs: 0 };
  const known = { ...request, route: '/projects', account: 'ann', key: /^\w{12}$/ };
  t.match(
    all.map(([, message]) => message),
    [
      { ...request, ...open, route: 'other', account: '', key: '' },
      { ...known, ...open },
      { lsn: 2, bytes: Number, request: { requestId: 'r-1' } },
      { firstLsn: 2, lastLsn: 2, synced: true, syncMs: Number },
      { ...known, status: 200, complete: true, error: undefined },
    ],
  );
  t.equal(objects[0], objects[1], 'one object for all that is said of a request');
  t.equal(objects[1], objects[4]);
  t.equal((objects[2] as DiagnosticMessages['mapwright:wal:commit']).request, objects[0]);
});

t.test('messages of concurrent writes name their own requests', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  const { all } = heard(t, 'mapwright:wal:commit', 'mapwright:wal:sync');
  const count = 60;
  const operations = [{ method: 'POST', path: '/popups', body: {} }];
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const headers = { 'x-request-id': `r-${i}`, ...(i % 3 === 0 ? { 'idempotency-key': `k${i}` } : {}) };
      // All but the first wait for the project's lock; some are decided in slices.
      if (i % 5 === 0) return mapwright.post(`/projects/${id}/batch`, { operations }, { headers });
      return i % 7 === 0
        ? mapwright.post('/projects', { popups: Array.from({ length: 3000 }, () => ({})) }, { headers })
        : mapwright.post(`/projects/${id}/popups`, {}, { headers });
    }),
  );
  const committed = all.flatMap(([name, message]) => (name === 'mapwright:wal:commit' ? [message] : []));
  t.strictSame(
    committed.map(({ request }) => request?.requestId).sort(),
    Array.from({ length: count }, (_, i) => `r-${i}`).sort(),
  );
  const synced = all.flatMap(([name, message]) => (name === 'mapwright:wal:sync' ? [message] : []));
  let next = committed[0]?.lsn ?? 0;
  for (const { firstLsn, lastLsn } of synced) {
    t.equal(firstLsn, next, 'batches follow each other without a gap');
    next = lastLsn + 1;
  }
  t.equal(next, (committed.at(-1)?.lsn ?? 0) + 1, 'each record becomes durable in one message');
});

t.test('an AsyncLocalStorage bound to a request is visible in its commit', async (t) => {
  const mapwright = await startForRequests(t);
  const spans = new AsyncLocalStorage<{ readonly requestId: string }>();
  const handle = channel('mapwright:request:handle');
  handle.bindStore(spans as AsyncLocalStorage<unknown>);
  t.teardown(() => handle.unbindStore(spans as AsyncLocalStorage<unknown>));
  const seen: (string | undefined)[] = [];
  const note = () => void seen.push(spans.getStore()?.requestId);
  subscribe('mapwright:wal:commit', note);
  t.teardown(() => unsubscribe('mapwright:wal:commit', note));
  await mapwright.post('/projects', {}, { headers: { 'x-request-id': 'bound' } });
  await mapwright.server.createKey('bob');
  t.strictSame(seen, ['bound', undefined], 'and in nothing else');
});

t.test('refusals, errors and disconnects publish the end of their request', async (t) => {
  const mapwright = await startForRequests(t);
  const { all } = heard(t, 'mapwright:request:end', 'mapwright:request:handle');
  await mapwright.get('/projects', { key: 'nonsense' });
  await mapwright.ask('GET', `/${mapwright.key}`);
  t.match(all, [
    ['mapwright:request:end', { route: '/projects', account: '', status: 401 }],
    ['mapwright:request:end', { route: 'other', path: '/mw_...', status: 404 }],
  ]);
  t.equal(all.length, 2, 'no endpoint was asked');
});

t.test('snapshots, seals and backups publish their start and end', async (t) => {
  const mapwright = await startMapwright(t);
  const work = ['wal:seal', 'snapshot:start', 'snapshot:end', 'backup:start', 'backup:end'] as const;
  const { all, objects } = heard(t, ...work.map((name) => `mapwright:${name}` as const));
  await mapwright.post('/projects', {});
  await mapwright.server.snapshot();
  const file = path.join(path.dirname(mapwright.data), 'one.backup');
  await mapwright.server.backup(file);
  await t.rejects(mapwright.server.backup(file));
  t.match(all, [
    ['mapwright:wal:seal', { firstLsn: 1, lastLsn: 2 }],
    ['mapwright:snapshot:start', { from: 0, to: 2, durationMs: 0 }],
    ['mapwright:snapshot:end', { from: 0, to: 2, durationMs: Number, error: undefined }],
    ['mapwright:backup:start', { path: file, lsn: 0 }],
    ['mapwright:backup:end', { path: file, lsn: 2, bytes: Number, error: undefined }],
    ['mapwright:backup:start', { path: file, lsn: 0 }],
    ['mapwright:backup:end', { path: file, error: { message: /./ } }],
  ]);
  t.equal(objects[1], objects[2]);
  const lineages = new Set(all.map(([, message]) => 'lineage' in message && message.lineage));
  t.equal(lineages.size, 1);
});

t.test('no message is built without subscribers', async (t) => {
  const mapwright = await startForRequests(t);
  const names: Record<DiagnosticName, true> = {
    ...{ 'mapwright:request:start': true, 'mapwright:request:handle': true, 'mapwright:request:end': true },
    ...{ 'mapwright:wal:commit': true, 'mapwright:wal:sync': true, 'mapwright:wal:seal': true },
    ...{ 'mapwright:snapshot:start': true, 'mapwright:snapshot:end': true },
    ...{ 'mapwright:backup:start': true, 'mapwright:backup:end': true, 'mapwright:alarm': true },
  };
  for (const name of Object.keys(names)) {
    const one = channel(name);
    t.equal(one.hasSubscribers, false, name);
    t.teardown(t.capture(one, 'publish', () => t.fail('a message for nobody')).restore);
  }
  t.equal((await mapwright.post('/projects', {})).status, 200);
});
