// tier: normal
/** `mapwright doctor`: every problem is reported with its remedy, and nothing is changed. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { must, type RunOptions, run, serve, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';
import { test } from '../support/test.ts';

interface Finding {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice?: string;
}

interface Diagnosis {
  readonly code: number | null;
  readonly folder: string;
  readonly verdict: string;
  /** What was found, by the name of the check. */
  readonly findings: Readonly<Record<string, Finding>>;
}

const names =
  'Node, options, permissions, in use, data, file system, room, sync, memory, open files, port, reach, outgoing, tiles, data sources, backups, clock'.split(
    ', ',
  );

async function diagnosed(data: string, flags: readonly string[] = [], options?: RunOptions): Promise<Diagnosis> {
  // No connection leaves this machine.
  const quiet = [...(flags.includes('--port') ? [] : ['--port', '0']), ...(flags.includes('--tiles') ? [] : ['--tiles', 'none'])];
  const args = ['doctor', '--json', '--data', data, ...quiet, ...flags];
  const { code, stdout, stderr } = await run(args, options);
  if (stderr !== '') throw new Error(stderr);
  const { folder, verdict, checks } = JSON.parse(stdout) as { folder: string; verdict: string; checks: Finding[] };
  return { code, folder, verdict, findings: Object.fromEntries(checks.map((each) => [each.name, each])) };
}

/** A data folder that a server has left. */
async function left(t: Test): Promise<string> {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await serve(t, data, ['--segment-mb', '1']);
  await server.end('SIGTERM');
  return data;
}

const isRoot = process.getuid?.() === 0;
const unprivileged = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const notRoot =
  isRoot && spawnSync('setpriv', ['--version']).status === 0 ? false : 'only root can run a command as another user';

t.test('doctor without a data folder reports no failure and creates nothing', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'some', 'data');
  const { code, folder, verdict, findings } = await diagnosed(data);
  t.strictSame(Object.keys(findings), names);
  t.strictSame([code, folder], [0, data]);
  t.not(verdict, 'fail');
  t.match(findings['permissions'], { verdict: 'ok', found: /does not exist yet/ });
  t.match(findings['data'], { verdict: 'ok', found: 'none yet' });
  t.match(findings['sync']?.found, /^median [\d.]+ ms, 99th percentile [\d.]+ ms, of \d+ small writes/);
  t.match(findings['backups'], { verdict: 'warn', advice: /--backup-dir/ });
  t.strictSame(fs.readdirSync(home), []);
});

t.test('doctor prints a line for each check', async (t) => {
  const { code, stdout } = await run(['doctor', '--data', path.join(temporaryFolder(t), 'data'), '--port', '0']);
  t.equal(code, 0);
  for (const name of names) t.match(stdout, new RegExp(`^(ok|warn|fail) +${name}  `, 'm'));
  t.match(stdout, /\n\n0 failures, \d+ warnings?\.\n$/);
});

t.test('doctor with a running server reports its process and its port, and changes no file', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await serve(t, data, ['--segment-mb', '1']);
  const files = () =>
    fs.readdirSync(data, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const { mtimeMs, size } = fs.lstatSync(path.join(entry.parentPath, entry.name));
      return entry.isFile() ? [`${entry.name} ${size} ${mtimeMs}`] : [];
    });
  const { port } = new URL(server.url);
  const { code, findings } = await diagnosed(data, ['--port', port]);
  t.equal(code, 0);
  t.match(findings['in use'], { verdict: 'ok', found: `process ${server.child.pid} ` });
  t.match(findings['port'], { verdict: 'ok', found: `the server on port ${port} is ready` });
  const other = await diagnosed(path.join(temporaryFolder(t), 'data'), ['--port', port]);
  t.strictSame([other.code, other.verdict], [1, 'fail'], 'the port of a server of another folder is taken');
  t.match(other.findings['port'], { found: `${port} on 127.0.0.1 is in use by another program`, advice: /--port/ });
  await server.end('SIGTERM');
  const before = files();
  const after = await diagnosed(data, ['--port', port]);
  t.strictSame(files(), before);
  t.match(after.findings, {
    'in use': { found: 'no server has the folder open' },
    port: { found: `${port} on 127.0.0.1 is free` },
  });
  t.match(after.findings['data'], { verdict: 'ok', found: /of log files after it$/ });
});

t.test('doctor names the data sources that fail, without their secrets', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  let sends: [body: string, status?: number] = ['[]'];
  const source = http.createServer((_, response) => response.writeHead(sends[1] ?? 200).end(sends[0])).listen(0, '127.0.0.1');
  t.teardown(() => source.close());
  await once(source, 'listening');
  const { port } = source.address() as AddressInfo;
  const server = await serve(t, data, ['--segment-mb', '1', '--data-hosts', `127.0.0.1:${port}`]);
  const check = async () => (await diagnosed(data, ['--port', new URL(server.url).port])).findings['data sources'];
  t.strictSame(await check(), { name: 'data sources', verdict: 'ok', found: 'none fails' });
  const project = (await must(server, 'POST', '/projects', { name: 'Office' }))['id'];
  const url = `http://127.0.0.1:${port}/rooms?token=secret`;
  const body = { name: 'Sensor', url, headers: [{ name: 'X-Token', value: 'secret' }] };
  const id = (await must(server, 'POST', `/projects/${project}/data-sources`, body))['id'];
  const response = `/projects/${project}/data-sources/${id}/response`;
  const good = (await must(server, 'POST', response))['at'];
  sends = ['', 500];
  await must(server, 'POST', response);
  const found = await check();
  t.match(found, { verdict: 'warn', advice: /published again/ });
  t.match(
    found?.found,
    new RegExp(`^1 data source fails: "Sensor" \\(${id}\\) of the project "Office" \\(${project}\\) of default: `),
  );
  t.match(found?.found, /http_status, 127\.0\.0\.1:\d+ answered 500 /);
  t.ok(found?.found.endsWith(`(last good response ${good})`));
  t.notMatch(JSON.stringify(found), /secret|token/i);
  sends = ['{"secret":\x1b[31m'];
  await must(server, 'PATCH', `/projects/${project}/data-sources/${id}`, { name: 'Red \x1b[31m' });
  await must(server, 'POST', response);
  const broken = (await check())?.found;
  t.match(broken, /"Red \ufffd\[31m" .* invalid_json, The response cannot be used\. /);
  t.notMatch(broken, /secret|\p{Cc}/u, 'nothing of the response, and nothing that a terminal obeys');
  await server.end('SIGTERM');
  t.match(await check(), { verdict: 'ok', found: 'not asked: no server has the folder open' });
});

test.all('doctor reports another program on the port', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  await serve(t, data, ['--segment-mb', '1']);
  const other = net.createServer((socket) => socket.end('220 mail\r\n')).listen(0, '127.0.0.1');
  t.teardown(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, findings } = await diagnosed(data, ['--port', String(port)]);
  t.equal(code, 1);
  t.match(findings['port'], { verdict: 'fail', found: /in use by another program/ });
});

t.test('doctor reports an address that the machine does not have', async (t) => {
  const { code, findings } = await diagnosed(path.join(temporaryFolder(t), 'data'), ['--port', '8070', '--host', '192.0.2.1']);
  t.equal(code, 1);
  t.match(findings['port'], { verdict: 'fail', found: 'this machine has no address 192.0.2.1' });
  t.match(findings['reach'], { verdict: 'warn', found: /without TLS/, advice: /--public-url/ });
});

test.all('doctor reports a data folder that others may read, and a file in its place', async (t) => {
  const data = await left(t);
  fs.chmodSync(data, 0o755);
  const loose = await diagnosed(data);
  t.equal(loose.code, 0);
  t.match(loose.findings['permissions'], { verdict: 'warn', found: /mode 0755: other users/, advice: `chmod 700 ${data}` });
  fs.chmodSync(data, 0o700);
  t.match((await diagnosed(data)).findings['permissions'], { verdict: 'ok' });
  const file = path.join(path.dirname(data), 'file');
  fs.writeFileSync(file, '');
  const wrong = await diagnosed(file);
  t.equal(wrong.code, 1);
  t.match(wrong.findings['permissions'], { verdict: 'fail', found: `${file} is a file` });
});

test.all('doctor reports a data folder and files of another user', { skip: notRoot }, async (t) => {
  const data = await left(t);
  fs.chmodSync(path.dirname(data), 0o755);
  const mine = await diagnosed(data, [], { under: unprivileged });
  t.equal(mine.code, 1);
  t.match(mine.findings['permissions'], {
    verdict: 'fail',
    found: 'belongs to user 0, but this command runs as user 65534',
    advice: /chown/,
  });
  t.match(mine.findings['sync'], { verdict: 'fail' });
  t.match(mine.findings['in use'], { verdict: 'warn', found: /^unknown: permission to open .* is missing/ });
  t.match(mine.findings['data'], { verdict: 'fail', advice: /^Run doctor as the user that runs the server/ });
  spawnSync('chown', ['-R', '65534:65534', data]);
  t.match((await diagnosed(data, [], { under: unprivileged })).findings, {
    permissions: { verdict: 'ok' },
    options: { verdict: 'ok' },
  });
  t.match((await diagnosed(data)).findings, {
    permissions: { verdict: 'warn', advice: /sudo -u/ },
    options: { found: 'this is root' },
  });
  /// As a command of root leaves it.
  fs.chownSync(path.join(data, 'journal', 'spare'), 0, 0);
  const mixed = await diagnosed(data, [], { under: unprivileged });
  t.equal(mixed.code, 1);
  t.match(mixed.findings['permissions'], {
    verdict: 'fail',
    found: /^1 file in it, such as .*spare, has another owner/,
    advice: `chown -R 65534 ${data}`,
  });
  const missing = await diagnosed(path.join(data, '..', 'more'), [], { under: unprivileged });
  t.match(missing.findings['permissions'], { verdict: 'fail', found: /may not read and write/ });
});

const mount = (folder: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', ['-l', folder]);

/** Why there can be no small disk here; false when there can. */
function noSmallDisk(): string | false {
  const folder = temporaryFolder(t);
  if (!mount(folder)) return 'no small disk can be mounted';
  unmount(folder);
  return false;
}

test.all('doctor reports a small disk in memory', { skip: noSmallDisk() }, async (t) => {
  const disk = temporaryFolder(t);
  mount(disk);
  t.teardown(() => unmount(disk));
  const { code, findings } = await diagnosed(path.join(disk, 'data'));
  t.equal(code, 1);
  t.match(findings['room'], { verdict: 'fail', found: '8 MiB are free, but the next log files need 48 MiB', advice: /507/ });
  t.match(findings['file system'], {
    verdict: 'warn',
    found: `tmpfs, at ${disk}`,
    advice: /loses everything when the machine stops/,
  });
  t.match(findings['sync'], { verdict: 'warn', found: /too fast for a disk$/ });
  const smaller = await diagnosed(path.join(disk, 'data'), ['--segment-mb', '1']);
  t.equal(smaller.code, 0);
  t.match(smaller.findings['room'], { verdict: 'warn', found: /^8 MiB are free; 131 MiB are recommended/ });
  fs.writeFileSync(path.join(disk, 'filler'), Buffer.alloc(8 * 1024 * 1024 - 64 * 1024));
  const full = await diagnosed(path.join(disk, 'data'), ['--segment-mb', '1']);
  t.equal(full.code, 1);
  t.match(full.findings['sync'], { verdict: 'fail', found: /ENOSPC/ });
  t.strictSame(fs.readdirSync(disk), ['filler']);
});

t.test('doctor reports damaged snapshots and an unknown format of the folder', async (t) => {
  const data = await left(t);
  const snapshots = path.join(data, 'snapshots');
  fs.mkdirSync(snapshots, { recursive: true });
  fs.writeFileSync(path.join(snapshots, '0000000000000001.snapshot.damaged'), '');
  const damaged = await diagnosed(data);
  t.equal(damaged.code, 0);
  t.match(damaged.findings['data'], {
    verdict: 'warn',
    found: /^1 damaged snapshot was quarantined: 0+1\.snapshot\.damaged/,
    advice: /verify/,
  });
  fs.rmSync(path.join(snapshots, '0000000000000001.snapshot.damaged'));
  fs.writeFileSync(path.join(data, 'format'), 'mapwright data folder, format 99\n');
  const later = await diagnosed(data);
  t.equal(later.code, 1);
  t.match(later.findings['data'], { verdict: 'fail', found: /says format version 99; this mapwright reads versions 1 to 3/ });
  const elsewhere = temporaryFolder(t);
  fs.writeFileSync(path.join(elsewhere, 'thesis.doc'), 'mine');
  t.match((await diagnosed(elsewhere)).findings['data'], {
    verdict: 'fail',
    found: /no mapwright data, but other files \(thesis\.doc/,
  });
});

t.test('doctor reports log files that no snapshot covers', async (t) => {
  const data = await left(t);
  const [newest = ''] = fs.readdirSync(path.join(data, 'journal')).filter((name) => name.endsWith('.segment'));
  fs.truncateSync(path.join(data, 'journal', newest), 20 * 1024 * 1024);
  const { findings } = await diagnosed(data, ['--snapshot-mb', '2']);
  t.match(findings['data'], {
    verdict: 'warn',
    found: 'no snapshot yet, with 20 MiB of log files after it',
    advice: /mapwright snapshot/,
  });
});

test.all('doctor reports a clock behind the newest file', async (t) => {
  const data = await left(t);
  const journal = path.join(data, 'journal');
  const newest = fs.readdirSync(journal).findLast((name) => name.endsWith('.segment')) as string;
  const ahead = Date.now() / 1000 + 86_400 * 10;
  fs.utimesSync(path.join(journal, newest), ahead, ahead);
  const { code, findings } = await diagnosed(data);
  t.equal(code, 0);
  t.match(findings['clock'], {
    verdict: 'warn',
    found: `it is 10 days behind the time at which ${newest} was written`,
    advice: /Set the clock/,
  });
});

t.test('doctor reports a low limit of open files', { skip: process.platform !== 'linux' }, async (t) => {
  const { findings } = await diagnosed(path.join(temporaryFolder(t), 'data'), [], {
    under: ['sh', '-c', 'ulimit -n 300; exec "$@"', 'sh'],
  });
  t.match(findings['open files'], {
    verdict: 'warn',
    found: /^at most 300, which allows 100 of the 10000 connections/,
    advice: /LimitNOFILE/,
  });
});

t.test('doctor reports a small memory budget', async (t) => {
  const { findings } = await diagnosed(path.join(temporaryFolder(t), 'data'), ['--memory-mb', '64']);
  t.match(findings['memory'], { verdict: 'warn', found: /^a budget of 64 MiB/, advice: /NODE_OPTIONS/ });
});

test.all('doctor reports missing, old and misplaced backups', async (t) => {
  const data = await left(t);
  const home = path.dirname(data);
  const dir = path.join(home, 'backups');
  t.match((await diagnosed(data, ['--backup-dir', dir])).findings['backups'], {
    verdict: 'fail',
    found: `${dir} does not exist`,
  });
  t.match((await diagnosed(data, ['--backup-dir', dir, '--backup-dir-later'])).findings['backups'], { verdict: 'warn' });
  fs.mkdirSync(dir);
  t.match((await diagnosed(data, ['--backup-dir', dir])).findings['backups'], { verdict: 'warn', found: `none in ${dir} yet` });
  t.equal((await run(['backup', `${dir}/`, '--data', data])).code, 0);
  t.match((await diagnosed(data, ['--backup-dir', dir])).findings['backups'], {
    verdict: 'warn',
    found: /^the newest in .* is \d+ seconds old, on the same file system as the data$/,
  });
  fs.rmSync(dir, { recursive: true });
  fs.mkdirSync(dir);
  const snapshots = path.join(projectRoot(import.meta.dirname), 'test/golden/format-1/folder/snapshots');
  const old = path.join(snapshots, fs.readdirSync(snapshots).sort()[0] as string);
  fs.writeFileSync(path.join(dir, '2026-01-01T00-00-00Z-76.backup'), gunzipSync(fs.readFileSync(old)));
  t.match((await diagnosed(data, ['--backup-dir', dir])).findings['backups'], {
    verdict: 'warn',
    advice: /^A newer backup was due/,
  });
  const inside = await diagnosed(data, ['--backup-dir', path.join(data, 'backups')]);
  t.equal(inside.code, 1);
  t.match(inside.findings['backups'], { verdict: 'fail' });
});

t.test('several sources of tiles come from repeated flags, the environment or a file', async (t) => {
  const home = temporaryFolder(t);
  const file = path.join(home, 'options.json');
  const sources = ['none', 'Streets=https://tile.openstreetmap.org/{z}/{x}/{y}.png|© A, B'];
  fs.writeFileSync(file, JSON.stringify({ tiles: sources }));
  const args = ['doctor', '--json', '--data', path.join(home, 'data'), '--port', '0', '--public-url', 'https://maps.example.com'];
  const tilesOf = async (more: readonly string[], env = {}): Promise<unknown> => {
    const { checks } = JSON.parse((await run([...args, ...more], { env })).stdout) as { checks: Finding[] };
    return checks.find(({ name }) => name === 'tiles');
  };
  const warned = { verdict: 'warn', found: /whose policy/ };
  t.match(await tilesOf(sources.flatMap((source) => ['--tiles', source])), warned);
  t.match(await tilesOf([], { MAPWRIGHT_TILES: sources.join('||') }), warned);
  t.match(await tilesOf(['--config', file]), warned);
  t.match(await tilesOf(['--config', file, '--tiles', 'none']), { verdict: 'ok' }, 'a flag comes first');
  const { code, stderr } = await run([...args, '--tiles', 'none', '--tiles', 'https://tiles.example/{z}/{x}']);
  t.equal(code, 2);
  const { error } = JSON.parse(stderr) as { readonly error: { readonly message: string } };
  t.match(error.message, '--tiles is invalid: "https://tiles.example/{z}/{x}" has no {y}: write an address such as');
});

t.test('doctor reports risky options from flags and the environment', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const { findings } = await diagnosed(data, ['--public-url', 'https://maps.example.com'], { env: { MAPWRIGHT_SYNC: 'never' } });
  t.match(findings['options'], { verdict: 'warn', found: '--sync never' });
  t.match(findings['reach'], { verdict: 'warn', advice: /--trust-proxy/ });
  t.match(findings['tiles'], { verdict: 'ok', found: 'as --tiles says' });
  const listed = ['--tiles', 'https://tile.openstreetmap.org/{z}/{x}/{y}.png'];
  const { tiles } = (await diagnosed(data, ['--public-url', 'https://maps.example.com', ...listed])).findings;
  t.match(tiles, {
    verdict: 'warn',
    found: /openstreetmap\.org, whose policy \(https:/,
    advice: /MapTiler .* or Stadia Maps .*--tiles '/,
  });
  const behind = await diagnosed(data, [
    '--public-url',
    'https://maps.example.com',
    '--trust-proxy',
    'loopback',
    '--host',
    '127.0.0.1',
  ]);
  t.match(behind.findings['reach'], { verdict: 'ok' });
  const wrong = await run(['doctor', '--data', data], { env: { MAPWRIGHT_TRUST_PROXY: 'nginx' } });
  t.equal(wrong.code, 2);
  t.match(wrong.stderr, /MAPWRIGHT_TRUST_PROXY is invalid/);
});

t.test('doctor --unit reports what a systemd unit does not let the server do', async (t) => {
  const folder = temporaryFolder(t);
  const template = fs.readFileSync(
    path.join(projectRoot(import.meta.dirname), 'data/templates/systemd/mapwright.service'),
    'utf8',
  );
  const made = template.replace('{{node}}', '/usr/bin/env').replace('{{program}}', '/bin/sh');
  const file = path.join(folder, 'maps.service');
  const checked = async (unit: string, flags: readonly string[] = []) => {
    fs.writeFileSync(file, unit);
    return (await diagnosed(path.join(folder, 'data'), ['--unit', file, ...flags])).findings['unit'];
  };
  const closed = made.replace('# IPAddressDeny', 'IPAddressDeny').replace('# IPAddressAllow', 'IPAddressAllow');
  t.not(closed, made);
  t.match(await checked(made), { verdict: 'ok', found: `${file}: the service can do what the options ask for` });
  t.match(await checked(closed), { verdict: 'warn', found: /allows localhost only, and live maps/, advice: /--no-live/ });
  t.match(await checked(closed, ['--no-live']), { verdict: 'ok' });
  t.match(await checked(made, ['--backup-dir', '/mnt/backups']), {
    verdict: 'fail',
    found: /may not write to \/mnt\/backups$/,
    advice: 'Add ReadWritePaths=/mnt/backups.',
  });
  t.match(await checked(made.replace('# ReadWritePaths', 'ReadWritePaths'), ['--backup-dir', '/mnt/backups/a']), {
    verdict: 'ok',
  });
  t.match(await checked(made.replace('/bin/sh', '/home/ann/mapwright.js')), { verdict: 'fail', found: /hides \/home\/ann/ });
  t.match(await checked(made.replace('/bin/sh', '/nowhere/mapwright.js')), { verdict: 'fail', found: /\/nowhere.* not exist/ });
  t.match(await checked(made.replace('Sec=45', 'Sec=5')), { verdict: 'warn', found: /kills the service after 5 s/ });
  t.match(await checked(made.replace('Status=2 3', 'Status=2')), { verdict: 'warn', advice: /RestartPreventExitStatus=2 3/ });
  t.match(await checked(made.replace('Restart=on-failure', 'Restart=no')), {
    verdict: 'warn',
    advice: 'Set Restart=on-failure.',
  });
  t.match(await checked(`${closed}\nIPAddressDeny=\n[Service]\nTimeoutStopSec=\\\n  5\n`), {
    verdict: 'warn',
    found: new RegExp(`^${file}: it kills`),
  });
  for (const fine of [
    made.replace('--data /var/lib/mapwright', '--data=/var/lib/mapwright'),
    made.replace('--data /var/lib/mapwright', '--data "%S/mapwright"'),
    made.replace('/usr/bin/env /bin/sh', '/bin/sh'),
    made.replace('StateDirectory=mapwright', 'StateDirectory=mapwright:maps'),
    made.replace('ProtectHome=yes', 'ProtectHome=read-only').replace('/bin/sh', '/proc/self/exe'),
    closed.replace(' serve --data', ' serve --no-live --data'),
    made.replace('Sec=45', 'Sec=1min'),
  ])
    t.match(await checked(fine), { verdict: 'ok' });
  t.match(await checked(`${made}\nIPAddressDeny=0.0.0.0/0 ::/0\n`), { verdict: 'warn', found: /allows no address only/ });
  t.match(await checked(made.replace('Sec=45', 'Sec=500ms')), { verdict: 'warn', found: /after 0.5 s/ });
  t.match(await checked(made.replace('--data /var/lib/mapwright', '--data /srv/maps')), {
    verdict: 'fail',
    found: /to \/srv\/maps$/,
  });
  t.match(await checked('[Unit]\n'), { verdict: 'fail', found: /has no ExecStart=/ });
  t.match((await diagnosed(path.join(folder, 'data'), ['--unit', path.join(folder, 'none')])).findings['unit'], {
    verdict: 'fail',
  });
});
