// tier: normal
/** `mapwright serve`: its output, its refusals and its exit codes. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { ask } from '../support/client.ts';
import { foldersIn } from '../support/engine.ts';
import { Command, must, run, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const flags = ['--segment-mb', '1'];
const free = ['--port', '0', ...flags];

t.test(
  'a folder that cannot be created is refused without endless retries',
  { skip: !fs.existsSync('/proc/self') },
  async (t) => {
    for (const args of [
      ['serve', '--data', '/proc/x', '--port', '0'],
      ['keys', 'create', 'a', '--data', '/proc/x'],
      ['init', '--example', '/proc/x'],
    ]) {
      const { code, stderr } = await run(args);
      t.equal(code, 1, args.join(' '));
      t.match(stderr, /\/proc\/x/);
    }
  },
);

t.test('a full standard output ends a command with an error', { skip: !fs.existsSync('/dev/full') }, async (t) => {
  const full = fs.openSync('/dev/full', 'w');
  t.teardown(() => fs.closeSync(full));
  const { code, stderr } = await run(['config'], { stdout: full });
  t.equal(code, 1);
  t.equal(stderr, 'Cannot write to standard output (ENOSPC). The output is incomplete.\n');
});

test.all('a signal during a start ends the server, and the next start succeeds', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const server = new Command(['serve', '--data', data, ...free]);
  t.teardown(() => server.end('SIGKILL'));
  // Made before anything is restored.
  while (!fs.existsSync(path.join(data, 'lock'))) await new Promise(setImmediate);
  const { code, signal, stderr } = await server.end('SIGTERM');
  t.strictSame([code, signal, stderr], [0, null, '']);
  const again = await serve(t, data, flags, '');
  t.equal((await again.end('SIGTERM')).code, 0);
});

t.test('the first start creates and shows a key; the second one prints what it restored', async (t) => {
  const folder = path.join(temporaryFolder(t), 'new', 'folder');
  const server = await serve(t, folder, flags);
  const [example] = await server.printed(/curl -H 'Authorization: Bearer (mw_\S+)' \\\n.*\/api\/v1\/projects$/m);
  t.match(example, server.key, 'the example works as it stands');
  await must(server, 'POST', '/projects', { name: 'one' });
  const first = await server.end('SIGTERM');
  t.equal(first.code, 0);
  t.match(first.stdout, /^mapwright \d+\.\d+\.\d+$/m);
  t.match(first.stdout, /^Listening on http:\/\/127\.0\.0\.1:\d+, with the data in .*folder\. Press Ctrl-C to stop\.$/m);
  t.match(first.stdout, /Its API key, which is shown only once/);
  t.equal(first.stdout.split(server.key).length, 3, 'alone on a line, and in the example');

  const again = await serve(t, folder, flags, server.key);
  t.equal((await ask(again, 'GET', '/v1/projects')).json.length, 1);
  const second = await again.end('SIGTERM');
  t.match(second.stdout, /^Restored 1 projects? .*3 records of the log/m);
  t.notMatch(second.stdout, /mw_/, 'never again');
  for (const { stderr } of [first, second])
    t.notMatch(stderr, /"level":[456]0|mw_/, 'nothing went wrong, and the key is not in the log');
  for (const name of fs.readdirSync(folder, { recursive: true }) as string[]) {
    const file = path.join(folder, name);
    if (fs.statSync(file).isFile()) t.notOk(fs.readFileSync(file).includes(server.key), `${name} does not hold the key`);
  }
});

test.all('the first start of a folder with an account creates no key', async (t) => {
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  const { stdout, code } = await run(['keys', 'create', '--account', 'ann', '--data', folder]);
  t.equal(code, 0);
  const server = await serve(t, folder, ['--host', '0.0.0.0', ...flags], stdout.trim());
  t.equal((await ask({ ...server, url: server.url.replace('0.0.0.0', '127.0.0.1') }, 'GET', '/v1/projects')).status, 200);
  t.notMatch((await server.end('SIGTERM')).stdout, /mw_/);
});

test.all('a second server on the folder is refused with the process of the first', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, flags);
  const { code, stderr, stdout } = await run(['serve', '--data', folder, ...free]);
  t.equal(code, 1);
  t.match(stderr, new RegExp(`is in use by process ${server.child.pid} on `));
  t.notMatch(stdout, /Listening/);
  t.equal((await ask(server, 'GET', '/v1/projects')).status, 200, 'which goes on');
  await server.end('SIGKILL');
  await serve(t, folder, flags, server.key);
});

t.test('a busy port is refused with another one to try, and the folder stays sound', async (t) => {
  const busy = http.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  t.teardown(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const folder = temporaryFolder(t);
  const { code, stderr, stdout } = await run(['serve', '--data', folder, '--port', `${port}`, ...flags]);
  t.equal(code, 1);
  t.match(stderr, `Port ${port} on 127.0.0.1 is in use`);
  t.match(stderr, `--port ${port + 1}`);
  t.notMatch(stdout + stderr, /mw_/, 'no key is made for nobody to see');
  await serve(t, folder, flags);
});

test.all('an address that the machine does not have is refused without a stack', async (t) => {
  const { code, stderr } = await run(['serve', '--data', temporaryFolder(t), '--host', '203.0.113.1', ...free]);
  t.equal(code, 1);
  t.match(stderr, /no address 203\.0\.113\.1/);
  t.notMatch(stderr, /at .*\.js/, 'no stack');
});

test.all('damage ends serve with exit code 3, the file, the offset and a command that shows more', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, flags);
  await must(server, 'POST', '/projects', {});
  await server.end('SIGTERM');
  const [name] = fs.readdirSync(foldersIn(folder).journal).filter((entry) => entry.endsWith('.segment'));
  const file = path.join(foldersIn(folder).journal, name as string);
  const bytes = fs.readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(600) ^ 1, 600);
  fs.writeFileSync(file, bytes);
  const { code, stderr, stdout } = await run(['serve', '--data', folder, ...free]);
  t.equal(code, 3);
  t.match(stderr, `corrupt: ${file} at byte 512: `);
  t.match(stderr, `List all damage with: npx mapwright verify --data ${folder}`);
  t.notMatch(stdout, /Listening/);
  t.ok(fs.readFileSync(file).equals(bytes), 'nothing was changed');
});

t.test('options come from flags, the environment and a file, in that order', async (t) => {
  const folder = temporaryFolder(t);
  const config = path.join(folder, 'options.json');
  fs.writeFileSync(config, JSON.stringify({ data: path.join(folder, 'from-file'), 'segment-mb': 2, port: 0 }));
  const ended = async (args: string[], env: Record<string, string>) => {
    const { code, stderr } = await run(['keys', 'create', '--account', 'a', ...args], { env });
    t.equal(code, 0, stderr);
  };
  await ended(['--data', path.join(folder, 'from-flag')], { MAPWRIGHT_DATA: path.join(folder, 'from-env') });
  await ended([], { MAPWRIGHT_DATA: path.join(folder, 'from-env'), MAPWRIGHT_SEGMENT_MB: '4' });
  t.strictSame(fs.readdirSync(folder).sort(), ['from-env', 'from-flag', 'options.json']);

  const server = await serve(t, path.join(folder, 'served'), ['--config', config], undefined, {
    env: { MAPWRIGHT_LOG_REQUESTS: 'true' },
  });
  await ask(server, 'GET', '/v1/projects');
  const { stderr } = await server.end('SIGTERM');
  t.match(stderr, /"status":200/, 'the request is in the log');
  t.notMatch(stderr, server.key, 'the key is not');
  const sizes = fs.readdirSync(foldersIn(path.join(folder, 'served')).journal).map((name) => {
    return fs.statSync(path.join(foldersIn(path.join(folder, 'served')).journal, name)).size;
  });
  t.equal(sizes[0], 2 * 1024 * 1024, 'the file says how large segments are');
});

test.all('lists are read from commas, repeated flags, the environment and a file', async (t) => {
  const folder = temporaryFolder(t);
  const config = path.join(folder, 'options.json');
  const [a, b, c] = ['https://a.example', 'https://b.example', 'http://localhost:5173'] as const;
  fs.writeFileSync(config, JSON.stringify({ cors: `${a},${b}` }));
  let starts = 0;
  const allowed = async (args: string[], env: Record<string, string> = {}) => {
    const server = await serve(t, path.join(folder, `data-${starts++}`), [...args, ...flags], undefined, { env });
    const origins = await Promise.all(
      [a, b, c].map(
        (origin) =>
          new Promise((resolve) => {
            http.get(`${server.url}/healthz`, { headers: { origin }, agent: false }, ({ headers }) =>
              resolve(headers['access-control-allow-origin']),
            );
          }),
      ),
    );
    await server.end('SIGTERM');
    return origins;
  };
  t.same(await allowed([]), [undefined, undefined, undefined]);
  t.same(await allowed(['--cors', `${a},${b}`, '--cors', c]), [a, b, c]);
  t.same(await allowed(['--config', config]), [a, b, undefined]);
  t.same(await allowed(['--config', config], { MAPWRIGHT_CORS: c }), [undefined, undefined, c]);
  t.same(await allowed(['--cors', '*']), ['*', '*', '*']);
});

t.test('serve takes limits and switches from flags', async (t) => {
  const flags = ['--body-mb', '0.001', '--log-requests=1', '--account-requests-max', '7', '--url-kb', '0.5', '--segment-mb', '1'];
  const server = await serve(t, temporaryFolder(t), flags);
  const long = await ask(server, 'POST', '/v1/projects', { name: 'x'.repeat(2000) });
  t.equal(long.status, 413);
  t.match(long.json, { detail: /1049 bytes/ });
  t.equal((await ask(server, 'GET', `/v1/projects?fields=${'x'.repeat(600)}`)).status, 414);
  const { stderr } = await server.end('SIGTERM');
  t.match(stderr, /"status":413/, 'requests are logged');
});

test.all('serve takes fractional segment sizes, and --sync never prints a warning', async (t) => {
  const server = await serve(t, temporaryFolder(t), ['--sync', 'never', '--segment-mb', '1.3']);
  await must(server, 'POST', '/projects', {});
  const { stdout, code } = await server.end('SIGTERM');
  t.equal(code, 0);
  t.match(stdout, /a crash may lose acknowledged writes/);
});
