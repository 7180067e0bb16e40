// tier: normal
/** The audit log: a line for each event, no secret, bounded size, and no influence on requests. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { newKey } from '../../src/model/key.ts';
import { AuditLog, linesPerMinuteMax, olderFilesMax } from '../../src/server/admin/audit-log.ts';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { type Logged, recordingLog } from '../support/engine.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';

type Line = Readonly<Record<string, unknown>>;

const linesIn = (file: string): Line[] =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const auditOf = ({ data }: Mapwright) => path.join(data, 'audit.log');

async function started(t: Test): Promise<{ mapwright: Mapwright; logged: Logged; time: { now: number } }> {
  const { log, logged } = recordingLog();
  const time = { now: Date.UTC(2030, 0, 1) };
  return { mapwright: await startMapwright(t, { log, logRequests: true, clock: () => time.now }), logged, time };
}

t.test('the audit log has a line for every change of keys and accounts and every refusal, with its reason', async (t) => {
  const { mapwright, time } = await started(t);
  const { server } = mapwright;
  const { id: project } = (await mapwright.post('/projects', {})).shown;
  const reader = await server.createKey('ann', { readOnly: true, label: 'widget', expires: '1h' });
  const narrow = await server.createKey('ann', { projects: [project] });
  const doomed = await server.createKey('ann');
  const file = auditOf(mapwright);
  t.match(linesIn(file).at(-1), { event: 'key.created', key: doomed.id }, 'written before the call returns');
  const rotated = await server.rotateKey(narrow.id, { overlap: '0' });
  await server.revokeKey(doomed.id);
  await server.revokeKey(doomed.id);
  await server.renameAccount('ann', 'anna');
  const bob = await server.createKey('bob');
  await server.deleteAccount('bob');
  const unknown = newKey();
  const ask = (key: string, method = 'GET') =>
    mapwright.ask(method, '/v1/projects', {
      key,
      headers: { 'x-request-id': 'r-1' },
      ...(method === 'POST' ? { body: {} } : {}),
    });
  await ask(reader.key, 'POST');
  await ask(rotated.key, 'POST');
  time.now += 3_600_000;
  for (const key of [unknown.text, 'nonsense', reader.key, doomed.key, bob.key]) await ask(key);
  await ask('');
  await mapwright.get('/projects', { headers: { authorization: `Basic ${unknown.text}`, 'x-request-id': 'r-1' } });
  await mapwright.close();

  const account = reader.account.id;
  const lines = linesIn(file);
  const changes = lines.filter(({ event }) => event !== 'key.refused');
  t.match(changes.slice(1), [
    { event: 'key.created', key: reader.id, account, access: 'read', projects: [], expires: reader.expires, label: 'widget' },
    { event: 'key.created', key: narrow.id, account, access: 'write', projects: [project] },
    { event: 'key.created', key: doomed.id },
    { event: 'key.rotated', key: narrow.id, account, successor: rotated.id },
    { event: 'key.revoked', key: doomed.id, account },
    { event: 'key.revoked', key: doomed.id, account, again: true },
    { event: 'account.renamed', account, from: 'ann', to: 'anna' },
    { event: 'key.created', key: bob.id, account: bob.account.id },
    { event: 'account.deleted', account: bob.account.id, name: 'bob', projects: 0, keys: 1 },
  ]);
  t.equal(changes.length, 10);
  const from = { event: 'key.refused', address: /127\.0\.0\.1/, request: 'r-1' };
  const refused = lines.filter(({ event }) => event === 'key.refused');
  t.match(refused, [
    { ...from, reason: 'read-only', key: reader.id, account },
    { ...from, reason: 'other-project', key: rotated.id, account },
    { ...from, reason: 'unknown', key: unknown.id, account: '' },
    { ...from, reason: 'malformed', key: '', account: '' },
    { ...from, reason: 'expired', key: reader.id, account },
    { ...from, reason: 'revoked', key: doomed.id, account },
    { ...from, reason: 'unknown', key: bob.id, account: '' },
    { ...from, reason: 'malformed', key: '', account: '' },
  ]);
  t.equal(refused.length, 8, 'a request without a key is no refused key');
  for (const { time: at } of lines) t.match(at, /^2030-01-01T0[01]:00:00\.000Z$/);
  t.equal(fs.statSync(file).mode & 0o777, 0o600);
});

t.test('no file and no log line contains a key, a part of a secret, or text sent as a key', async (t) => {
  const { mapwright, logged } = await started(t);
  const { server } = mapwright;
  const valid = await server.createKey('ann', { readOnly: true });
  const revoked = await server.createKey('ann');
  const { key: successor } = await server.rotateKey((await server.createKey('ann')).id);
  await server.revokeKey(revoked.id);
  const guessed = newKey().text;
  const misspelt = `${revoked.key.slice(0, -1)}!`;
  const password = 'hunter2-hunter2-hunter2';
  const keys = [mapwright.key, valid.key, revoked.key, successor, guessed, misspelt];
  for (const key of keys) {
    const credentials = [`Bearer ${key}`, `bearer   ${key}`, `Basic ${key}`, key, `Bearer ${key} ${key}`, `Bearer ${password}`];
    for (const authorization of [
      ...credentials,
      `Bearer ${key.toUpperCase()}`,
      `Basic ${Buffer.from(`x:${key}`).toString('base64')}`,
    ]) {
      const id = key.replaceAll('!', '');
      await mapwright.ask('POST', '/v1/projects', { headers: { authorization, 'x-request-id': id }, body: { wrong: 1 } });
      await mapwright.ask('GET', '/v1/projects', { headers: { authorization, 'x-request-id': id.toUpperCase(), cookie: key } });
      await mapwright.ask('GET', `/v1/projects/${id}?key=${id}`, { headers: { authorization } });
    }
  }
  for (const verb of ['keys.revoke', 'keys.rotate'] as const)
    for (const key of keys) await t.rejects(askServer(mapwright.data, verb, { id: key }));
  await t.rejects(askServer(mapwright.data, 'keys.create', { account: guessed }));
  await mapwright.close();
  t.ok(linesIn(auditOf(mapwright)).length > 20);
  const texts = new Map([['the log', JSON.stringify(logged)]]);
  for (const entry of fs.readdirSync(mapwright.data, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) texts.set(entry.name, fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
  }
  t.ok(texts.has('audit.log') && texts.has('last-use.json'));
  for (const [name, text] of texts) {
    const lowered = text.toLowerCase();
    const found = keys.flatMap((key) => {
      const secret = key.slice(15).toLowerCase();
      // No eight characters in a row.
      return Array.from({ length: secret.length - 7 }, (_, i) => secret.slice(i, i + 8)).filter((part) => lowered.includes(part));
    });
    t.strictSame(found, [], name);
    t.notMatch(lowered, /bearer|hunter2/, name);
  }
});

t.test('a flood of refusals gives a limited number of audit lines and a count of the others', async (t) => {
  const { mapwright } = await started(t);
  const flood = 500;
  const revoked = await mapwright.server.createKey('ann');
  await mapwright.server.revokeKey(revoked.id);
  for (let i = 0; i < flood; i++) await mapwright.get('/projects', { key: newKey().text });
  await mapwright.get('/projects', { key: revoked.key });
  await mapwright.close();
  const refused = linesIn(auditOf(mapwright)).filter(({ event }) => event === 'key.refused');
  const unknown = refused.filter(({ reason }) => reason === 'unknown');
  const counted = unknown.filter(({ more }) => more !== undefined);
  // The minute may have ended in between, once; every refusal is in a line or in a number all the same.
  t.ok(unknown.length - counted.length <= 2 * linesPerMinuteMax, `${unknown.length} lines`);
  const more = counted.reduce((sum, line) => sum + (line['more'] as number), 0);
  t.equal(unknown.length - counted.length + more, flood, 'none is lost');
  t.match(counted[0], { event: 'key.refused', reason: 'unknown', seconds: Number });
  t.equal(refused.filter(({ reason }) => reason === 'revoked').length, 1, 'and it hides no refusal for another reason');
});

const options = () => ({ ...recordingLog(), clock: () => 0 });

t.test('the audit log is rotated when it is large, and few older files are kept', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'audit.log');
  const bytesMax = 1000;
  const audit = new AuditLog(file, { ...options(), bytesMax });
  for (let i = 0; i < 200; i++) await audit.changed('key.revoked', { key: `${i}` });
  await audit.close();
  const names = fs.readdirSync(folder).sort();
  t.strictSame(names, ['audit.log', ...Array.from({ length: olderFilesMax }, (_, i) => `audit.log.${i + 1}`)]);
  const kept = [...names.slice(1).reverse(), 'audit.log'].flatMap((name) => {
    t.ok(fs.statSync(path.join(folder, name)).size <= bytesMax, name);
    return linesIn(path.join(folder, name)).map(({ key }) => Number(key));
  });
  t.strictSame(
    kept,
    Array.from({ length: kept.length }, (_, i) => 200 - kept.length + i),
    'the newest, without a gap, in order',
  );
  t.ok(kept.length > 50);
});

t.test('audit lines are appended, also after lines of other processes and a truncated line', async (t) => {
  const file = path.join(temporaryFolder(t), 'audit.log');
  fs.writeFileSync(file, '{"event":"first"}\n{"event":"cut sho');
  const audit = new AuditLog(file, options());
  await audit.changed('key.revoked', { key: 'a' });
  fs.appendFileSync(file, '{"event":"by another"}\n');
  await audit.changed('key.revoked', { key: 'b' });
  await audit.close();
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  t.equal(lines[1], '{"event":"cut sho');
  t.match(
    [0, 2, 3, 4].map((i) => JSON.parse(lines[i] as string)),
    [{ event: 'first' }, { key: 'a' }, { event: 'by another' }, { key: 'b' }],
  );
});

t.test('a new audit log file has its folder synced before the command returns', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'audit.log');
  const { open } = fs.promises;
  const opened: unknown[] = [];
  fs.promises.open = (...args) => {
    opened.push(args[0]);
    return open(...args);
  };
  t.teardown(() => {
    fs.promises.open = open;
  });
  const audit = new AuditLog(file, options());
  await audit.changed('key.revoked', { key: 'a' });
  t.strictSame(opened.splice(0), [file, folder]);
  await audit.changed('key.revoked', { key: 'b' });
  t.strictSame(opened.splice(0), [], 'once');
  fs.unlinkSync(file);
  await audit.changed('key.revoked', { key: 'c' });
  t.strictSame(opened, [file, folder], 'and again for another one');
  await audit.close();
});

t.test('an audit log that was moved or deleted is created again', async (t) => {
  const file = path.join(temporaryFolder(t), 'audit.log');
  const audit = new AuditLog(file, options());
  await audit.changed('key.revoked', { key: 'a' });
  fs.renameSync(file, `${file}-kept`);
  await audit.changed('key.revoked', { key: 'b' });
  fs.unlinkSync(file);
  await audit.changed('key.revoked', { key: 'c' });
  await audit.close();
  t.match([linesIn(`${file}-kept`), linesIn(file)], [[{ key: 'a' }], [{ key: 'c' }]]);
  t.equal(linesIn(file).length, 1);
});

t.test(
  'a full disk loses audit lines but no response, and is logged once',
  { skip: !fs.existsSync('/dev/full') && 'no /dev/full' },
  async (t) => {
    const { log, logged } = recordingLog();
    const mapwright = await startMapwright(t, { log });
    const errors = () => logged.filter(([, , message]) => message.includes('audit log'));
    await mapwright.close();
    fs.rmSync(auditOf(mapwright));
    fs.symlinkSync('/dev/full', auditOf(mapwright));
    await mapwright.start();
    for (let i = 0; i < 3; i++) {
      const { key, id } = await mapwright.server.createKey('ann');
      t.equal((await mapwright.get('/projects', { key })).status, 200);
      await mapwright.server.revokeKey(id);
      t.equal((await mapwright.get('/projects', { key })).status, 401);
    }
    t.match(errors(), [['error', { err: { code: 'ENOSPC' } }, /cannot write to the audit log/]]);
    t.equal(errors().length, 1);
    fs.rmSync(auditOf(mapwright));
    const { id } = await mapwright.server.createKey('ann');
    t.match(linesIn(auditOf(mapwright)).at(-1), { event: 'key.created', key: id }, 'there is room again: it goes on by itself');
  },
);

t.test('auditLog: false writes no audit log', async (t) => {
  const mapwright = await startMapwright(t, { auditLog: false });
  await mapwright.get('/projects', { key: newKey().text });
  await mapwright.close();
  t.notOk(fs.existsSync(auditOf(mapwright)));
});

t.test('commands without a server write audit lines', async (t) => {
  const folder = path.join(temporaryFolder(t), 'data');
  t.equal((await run(['keys', 'create', 'acme', '--data', folder])).code, 0);
  t.match(linesIn(path.join(folder, 'audit.log')), [{ event: 'key.created', access: 'write' }]);
});
