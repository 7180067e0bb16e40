// tier: normal
/** `mapwright keys`: the same output and effect with a running server and without one. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { ask } from '../support/client.ts';
import { run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const flags = ['--segment-mb', '1'];
const keyShape = /^mw_[A-Za-z0-9_-]{61}$/;

for (const running of [true, false]) {
  const declare = running ? t.test : test.all;
  declare(`keys are created, listed and revoked while the server ${running ? 'runs' : 'does not run'}`, async (t) => {
    const folder = temporaryFolder(t);
    fs.chmodSync(folder, 0o700);
    let server: Served | undefined = await serve(t, folder, flags);
    const { key: first } = server;
    if (!running) await server.end('SIGTERM');
    const keys = (...args: string[]) => run(['keys', ...args, '--data', folder]);
    const status = async (key: string) => {
      if (!running) server = await serve(t, folder, flags, first);
      const answer = await ask({ url: server?.url ?? '', key }, 'GET', '/v1/projects');
      if (!running) await server?.end('SIGTERM');
      return answer.status;
    };

    const created = await keys('create', '--account', 'ann');
    t.equal(created.code, 0, created.stderr);
    const key = created.stdout.trimEnd().split('\n').at(-1) as string;
    t.match(key, keyShape, 'the key stands alone on the last line');
    t.equal(created.stdout, `${key}\n`, 'and is all there is for a program to read');
    t.match(created.stderr, /account "ann"/);
    t.notMatch(created.stderr, key);
    t.equal(await status(key), 200);

    const similar = await keys('create', 'Default');
    t.match(similar.stderr, /for the new account "Default"/);
    t.match(
      similar.stderr,
      /There is also an account "default"\. If you meant it: npx mapwright accounts delete Default, then npx mapwright keys create default\n$/,
    );
    t.match(similar.stdout, /^mw_\S+\n$/, 'the key alone is on standard output');
    t.equal((await run(['accounts', 'delete', 'Default', '--yes', '--data', folder])).code, 0);

    const json = await keys('create', '--account', 'ann', '--json');
    const second = JSON.parse(json.stdout);
    t.match(second, { key: keyShape, account: 'ann', id: /^[a-z2-7]{12}$/, created: /^20.*Z$/ });
    t.equal(json.stderr, '');

    const listed = JSON.parse((await keys('list', '--json')).stdout);
    t.strictSame(
      listed.map((entry: { account: string; revoked: string | null }) => [entry.account, entry.revoked]),
      [
        ['default', null],
        ['ann', null],
        ['ann', null],
      ],
    );
    for (const { created, last_used } of listed) t.ok(last_used === null || last_used >= created, 'not used before it was made');
    const table = await keys('list');
    t.match(table.stdout, second.id);
    t.notMatch(table.stdout, /mw_/);
    const head = table.stdout.split('\n')[1]?.match(/[a-z]+( used)?/g);
    t.strictSame(
      head,
      ['id', 'account', 'may', 'created', 'expires', 'last used', 'state'],
      'nobody has a label, a limit or its projects',
    );
    const labelled = await keys('create', 'ann', '--label', 'the widget', '--json');
    t.match((await keys('list')).stdout, /account +│ label +│ may .*\n.*\n(.*\n)*.* │ the widget │ /);
    await keys('revoke', JSON.parse(labelled.stdout).id);

    const revoked = await keys('revoke', second.id);
    t.equal(revoked.code, 0);
    t.match(revoked.stdout, `Revoked key ${second.id}.`);
    t.strictSame([await status(second.key), await status(key)], [401, 200], 'that one and no other');
    t.match(JSON.parse((await keys('list', '--json')).stdout)[2].revoked, /^20.*Z$/);

    const unknown = await keys('revoke', 'nobody');
    t.equal(unknown.code, 1);
    t.match(unknown.stderr, /There is no key "nobody"/);
    t.equal((await keys('create', '--account', ' ')).code, 2);
    const whole = await keys('revoke', key);
    t.equal(whole.code, 0);
    t.notMatch(whole.stdout + whole.stderr, key, 'a key given whole is not printed back');
  });
}

t.test('keys create creates the data folder; keys list and revoke do not', async (t) => {
  const folder = path.join(temporaryFolder(t), 'new');
  for (const args of [['list'], ['revoke', 'x']]) {
    const { code, stderr } = await run(['keys', ...args, '--data', folder]);
    t.equal(code, 1);
    t.match(stderr, /The data folder .* does not exist/);
  }
  t.notOk(fs.existsSync(folder));
  t.equal((await run(['keys', 'create', '--account', 'ann', '--data', folder])).code, 0);
  t.equal(fs.statSync(folder).mode & 0o777, 0o700);
});

t.test('keys list of a folder without keys says how to create one', async (t) => {
  const folder = path.join(temporaryFolder(t), 'empty');
  fs.mkdirSync(folder, { mode: 0o700 });
  const { stdout, stderr, code } = await run(['keys', 'list', '--data', folder]);
  t.equal(code, 0);
  t.match(stdout, /keys create NAME/);
  t.equal(stderr, '');
});
