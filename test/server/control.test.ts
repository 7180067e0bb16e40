/** The control socket: it works in any folder, only for its owner, and no input harms the server. */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { NotOwnerError, StoppedError } from '../../src/lib/errors.ts';
import { askServer, respondOn } from '../../src/server/admin/control-socket.ts';
import { pathsIn } from '../../src/server/lifecycle/data-folder.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { serverOfTier } from '../support/mapwright.ts';
import { serve, temporaryFolder } from '../support/process.ts';

async function served(t: Pick<Test, 'teardown'>, data = path.join(temporaryFolder(t), 'data')) {
  const server = await serverOfTier({ data, log: recordingLog().log, segmentBytes: 1024 * 1024 });
  t.teardown(() => server.close());
  const { url } = await server.listen(0);
  return { server, data, url };
}

/** Sends bytes to the socket; everything that comes back until it is closed. */
function send(data: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(pathsIn(data).socket);
    let received = '';
    socket.on('data', (part) => (received += part));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.end(text);
  });
}

t.test('keys created and revoked through the control socket change immediately and survive a restart', async (t) => {
  const { data, url, server } = await served(t);
  const one = await askServer(data, 'keys.create', { account: 'ann' });
  const two = await askServer(data, 'keys.create', { account: 'ann' });
  t.equal(one.account.id, two.account.id, 'one account of that name');
  const status = async (key: string, from = url) => (await ask({ url: from, key }, 'GET', '/v1/projects')).status;
  t.strictSame([await status(one.key), await status(two.key)], [200, 200]);
  t.strictSame(await askServer(data, 'keys.revoke', { id: one.id }), { id: one.id });
  t.strictSame([await status(one.key), await status(two.key)], [401, 200]);
  t.strictSame(await askServer(data, 'keys.revoke', { id: one.id }), { id: one.id }, 'again: nothing to do');
  await t.rejects(askServer(data, 'keys.revoke', { id: 'nobody' }), { message: /There is no key "nobody"/ });
  await t.rejects(askServer(data, 'keys.create', { account: ' padded' }), { message: /1 to 100 printable/ });
  const listed = await askServer(data, 'keys.list', {});
  t.strictSame(
    listed.map(({ id, revoked }) => [id, revoked !== '']),
    [
      [one.id, true],
      [two.id, false],
    ],
  );
  t.notMatch(JSON.stringify(listed), /mw_/, 'a key itself is never listed');
  await server.close();
  const again = await served(t, data);
  t.strictSame([await status(one.key, again.url), await status(two.key, again.url)], [401, 200], 'after a restart too');
});

t.test('the control socket works in a folder whose path is too long for a socket address', async (t) => {
  const data = path.join(temporaryFolder(t), ...Array.from({ length: 6 }, () => 'f'.repeat(60)));
  t.ok(Buffer.byteLength(pathsIn(data).socket) > 300);
  const { server, url } = await served(t, data);
  const { key } = await askServer(data, 'keys.create', { account: 'deep' });
  t.equal((await ask({ url, key }, 'GET', '/v1/projects')).status, 200);
  t.equal(fs.statSync(pathsIn(data).socket).mode & 0o777, 0o600);
  await server.close();
  t.notOk(fs.existsSync(pathsIn(data).socket), 'it goes with the server');
  await t.rejects(askServer(data, 'keys.list', {}), { code: 'ENOENT' });
});

t.test('the control socket of a killed server is replaced', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  await (await serve(t, data, ['--segment-mb', '1'])).end('SIGKILL');
  t.ok(fs.existsSync(pathsIn(data).socket));
  await t.rejects(askServer(data, 'keys.list', {}), { code: 'ECONNREFUSED' });
  await served(t, data);
  t.equal((await askServer(data, 'keys.list', {})).length, 1);
});

t.test('an invalid command gets an error message, and the next command is answered', async (t) => {
  const { data } = await served(t);
  for (const line of ['', '{', 'null', '[]', '{"verb":"constructor"}', '{"verb":"drop","args":{}}', '{"verb":"keys.revoke"}']) {
    const answer = JSON.parse(await send(data, `${line}\n`));
    t.equal(answer.ok, false, line);
    t.type(answer.error, 'string');
  }
  t.strictSame(await askServer(data, 'keys.list', {}), [], 'and the next is answered');
});

t.test('a command that is interrupted by a stop reports that its change may have been made', async (t) => {
  for (const error of [new StoppedError('the journal is closed'), new NotOwnerError()]) {
    const closed = new Proxy(
      {},
      {
        get() {
          throw error;
        },
      },
    ) as Parameters<typeof respondOn>[0];
    t.match(await respondOn(closed)('{"verb":"keys.list","args":{}}', () => undefined), {
      ok: false,
      error: new RegExp(`The change may have been made: list the keys or accounts .*${error.message}`),
    });
  }
});

t.test('a client that disconnects from the control socket does not affect the server', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await serve(t, data, ['--segment-mb', '1']);
  for (const verb of ['snapshot', 'keys.list', 'keys.create']) {
    for (let i = 0; i < 10; i++) {
      await new Promise<void>((resolve) => {
        const socket = net.connect(pathsIn(data).socket, () => {
          socket.write(`${JSON.stringify({ verb, args: { account: 'ann' } })}\n`.repeat(3), () => {
            socket.destroy();
            resolve();
          });
        });
      });
    }
    t.equal((await ask(server, 'GET', '/v1/projects')).status, 200, `after ${verb}`);
  }
  await askServer(data, 'snapshot', {});
  t.equal((await ask(server, 'GET', '/v1/projects')).status, 200);
  const { code, stderr } = await server.end('SIGTERM');
  t.equal(code, 0);
  t.notMatch(stderr, /nothing caught/);
});

t.test('an idle client of the control socket does not delay the stop of the server', async (t) => {
  const { server, data } = await served(t);
  const socket = net.connect(pathsIn(data).socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  const gone = new Promise((resolve) => socket.once('close', resolve));
  await ask(await server.listen(0), 'GET', '/healthz');
  await server.close();
  await gone;
  t.pass('it is closed, and so is the connection');
});
