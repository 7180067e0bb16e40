/** docs/operations.md describes the log and the diagnostics channels correctly. */
import { execFile } from 'node:child_process';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { diagnostics } from '../../src/lib/observability/diagnostics.ts';
import { blocksOf, sectionOf } from '../support/documents.ts';
import { recordingLog } from '../support/engine.ts';
import { startMapwright } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { signIn } from '../support/signed-in.ts';

const document = 'docs/operations.md';

const quoted = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, word = '']) => word);

/** The rows of its table: what stands in quotes in the first column, and in the second. */
const rowsOf = (heading: string): (readonly [string[], string[]])[] =>
  Array.from(
    sectionOf(document, heading).matchAll(/^\| (`.*?) \| (.*) \|$/gm),
    ([, first = '', second = '']) => [quoted(first), quoted(second)] as const,
  );

t.test('every log line has the documented members', async (t) => {
  const { log, logged } = recordingLog();
  const backup = { dir: path.join(temporaryFolder(t), 'backups'), everyMs: 1000, keep: 1 };
  fs.mkdirSync(backup.dir);
  const mapwright = await startMapwright(t, { log, logRequests: true, backup });
  const { server } = mapwright;
  const traced = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  const project = (await mapwright.post('/projects', {}, { headers: traced })).shown.id;
  await server.snapshot();
  await server.createAccount('bea');
  const { id } = await server.createKey('ann');
  await server.rotateKey(id);
  await server.limitKey(id, '5/s');
  await server.revokeKey(id);
  await server.setLimits('ann', { projects: 5 });
  const owner = await signIn(mapwright);
  const guest = await owner.invite({ name: 'Guest', role: 'viewer' });
  await guest.ask('DELETE', '/console/session');
  await owner.ask('PATCH', `/console/people/${guest.id}`, { role: 'editor' });
  await owner.ask('DELETE', `/console/people/${guest.id}`);
  await owner.ask('DELETE', `/console/people/${guest.id}?erase=true`);
  const isLogged = (what: string) => logged.some(([, , message]) => message === what);
  for (let i = 0; !isLogged('older backups removed'); i++) {
    // A backup without a new record would be none, and the account may have five projects.
    await mapwright.patch(`/projects/${project}`, { name: `${i}` });
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (i > 200) throw new Error(JSON.stringify(logged.slice(-5)));
  }
  await server.renameAccount('ann', 'anna');
  await server.deleteAccount('anna');
  await mapwright.close();
  const rows = rowsOf('Log').filter(([names]) => names[0] !== 'msg');
  const listed = new Map(rows.flatMap(([names, members]) => names.map((name) => [name, members] as const)));
  const faults = ['a request failed', 'a response broke off', 'unreadable request'];
  for (const name of listed.keys()) t.ok(isLogged(name) || faults.includes(name), `${name} is a line`);
  for (const [level, fields, message] of logged) {
    t.equal(level, 'info');
    const members = listed.get(message);
    if (members === undefined) throw new Error(`${document} has no "${message}"`);
    const open = members.includes('audit.log');
    const said = members.filter((member) => member !== 'X-Request-Id' && member !== 'other' && member !== 'audit.log');
    const is = Object.keys(fields);
    const absent = ['person', ...('trace_id' in fields ? [] : ['trace_id', 'span_id', 'trace_flags'])];
    t.strictSame(
      said.filter((member) => !is.includes(member) && !(open && member === 'key') && !absent.includes(member)),
      [],
      `${message} has`,
    );
    if (!open)
      t.strictSame(
        is.filter((member) => !said.includes(member)),
        [],
        `${message} has no more than`,
      );
  }
});

t.test('docs/operations.md lists every diagnostics channel', async (t) => {
  const listed = rowsOf('Traces').flatMap(([names]) => names);
  t.strictSame(
    listed.sort(),
    Object.values(diagnostics)
      .map(({ name }) => String(name))
      .sort(),
  );
});

t.test('the documented module subscribes to a channel', async (t) => {
  const source = blocksOf(document, 'Traces', 'js')[0];
  const file = path.join(temporaryFolder(t), 'slow.mjs');
  fs.writeFileSync(
    file,
    `${source}
    import { channel } from 'node:diagnostics_channel';
    const request = { requestId: 'r-1', route: '/projects' };
    channel('mapwright:wal:commit').publish({ lsn: 5, request });
    channel('mapwright:wal:commit').publish({ lsn: 6, request: undefined });
    channel('mapwright:wal:sync').publish({ firstLsn: 5, lastLsn: 6, syncMs: 25 });
    channel('mapwright:wal:sync').publish({ firstLsn: 5, lastLsn: 6, syncMs: 25 });
  `,
  );
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', pathToFileURL(file).href, '--eval', '0']);
  t.equal(stderr, 'r-1 (/projects) waited for a sync of 25 ms\n');
});

t.test('a channel is found by its name before and after the server creates it', async (t) => {
  const name = 'mapwright:alarm';
  const heard: unknown[] = [];
  const note = (message: unknown) => void heard.push(message);
  subscribe(name, note);
  t.teardown(() => unsubscribe(name, note));
  t.equal(channel(name), diagnostics.alarm);
  diagnostics.alarm.publish({ name: 'disk_full', raised: true });
  t.strictSame(heard, [{ name: 'disk_full', raised: true }]);
});
