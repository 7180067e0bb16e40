// tier: all, process: first
/** `mapwright accounts` and the options of `mapwright keys`, with a running server and without one. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { ask } from '../support/client.ts';
import { run, serve, temporaryFolder } from '../support/process.ts';

const flags = ['--segment-mb', '1'];
const idShape = /^[a-z2-7]{12}$/;
const timeShape = /^20.*Z$/;

for (const running of [true, false]) {
  t.test(`keys with restrictions and accounts are managed while the server ${running ? 'runs' : 'does not run'}`, async (t) => {
    const folder = path.join(temporaryFolder(t), 'data');
    const server = await serve(t, folder, flags);
    const project = (await ask(server, 'POST', '/v1/projects', { name: 'one' })).json.id;
    const other = (await ask(server, 'POST', '/v1/projects', { name: 'two' })).json.id;
    if (!running) await server.end('SIGTERM');
    const command = async (...args: string[]) => {
      const { code, stdout, stderr } = await run([...args, '--data', folder]);
      t.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      return { stdout, stderr };
    };
    const json = async (...args: string[]) => JSON.parse((await command(...args, '--json')).stdout);

    const terms = ['--expires', '90d', '--read-only', '--label', 'a widget', '--project', project, `--project=${other}`];
    const made = await command('keys', 'create', 'default', ...terms);
    t.match(
      made.stderr,
      /for account "default", for reading 2 projects, until 20\d\d-\d\d-\d\d \d\d:\d\d UTC\. It is shown only once/,
    );
    t.match(made.stdout, /^mw_\S{61}\n$/);
    const wide = await json('keys', 'create', '--account', 'default', '--project', `${project},${other}`, '--expires', 'never');
    t.match(wide, { label: '', access: 'write', projects: [project, other], expires: null });
    const unknown = await run(['keys', 'create', 'default', '--project', 'x', '--data', folder]);
    t.strictSame([unknown.code, unknown.stderr], [1, 'The account "default" has no project "x".\n']);

    const [, key] = await json('keys', 'list');
    const shown = { account: 'default', label: 'a widget', access: 'read', projects: [project, other], state: 'valid' };
    t.match(key, { ...shown, id: idShape, expires: timeShape, revoked: null, last_used: null, replaced_by: null });
    const table = (await command('keys', 'list')).stdout;
    for (const word of ['a widget', project, other, 'all', 'read', 'write', 'never', 'valid']) t.match(table, word);

    const rotated = await command('keys', 'rotate', key.id, '--overlap', '1h');
    t.match(rotated.stderr, new RegExp(`replaces ${key.id}, which works until 20`));
    t.match(rotated.stdout, /^mw_\S{61}\n$/);
    const again = await json('keys', 'rotate', rotated.stdout.slice(3, 15), '--overlap', '0');
    t.match(again, { ...shown, state: undefined, replaces: rotated.stdout.slice(3, 15), replaced_expires: timeShape });
    t.strictSame(
      (await json('keys', 'list')).map(({ state, replaced_by }: Record<string, unknown>) => [state, replaced_by !== null]),
      [
        ['valid', false],
        ['valid', true],
        ['valid', false],
        ['expired', true],
        ['valid', false],
      ],
    );

    await command('keys', 'create', 'bob');
    t.match(await json('accounts', 'list'), [
      { name: 'default', id: String, created: timeShape, projects: 2, keys: 4 },
      { name: 'bob', projects: 0, keys: 1 },
    ]);
    t.match((await command('accounts', 'list')).stdout, /default.*│ 2 +│ 4 /);
    t.match((await command('accounts', 'rename', 'bob', 'Bob & Sons')).stdout, 'The account "bob" is now named "Bob & Sons".');
    const taken = await run(['accounts', 'rename', 'default', 'Bob & Sons', '--data', folder]);
    t.strictSame([taken.code, taken.stderr], [1, 'The account "Bob & Sons" already exists. Choose another name.\n']);

    const asked = await run(['accounts', 'delete', 'default', '--data', folder]);
    t.strictSame([asked.code, asked.stdout], [2, ''], 'without a terminal it must be said twice');
    t.match(asked.stderr, /cannot be undone.*accounts delete default --yes/);
    t.match((await command('accounts', 'delete', 'default', '--yes')).stdout, 'Deleted the account "default" with 2 projects.');
    const gone = await run(['accounts', 'delete', 'default', '--yes', '--data', folder]);
    t.strictSame([gone.code, gone.stderr], [1, 'There is no account "default". See: npx mapwright accounts list\n']);
    t.match(await json('accounts', 'list'), [{ name: 'Bob & Sons' }]);

    const now = running ? server : await serve(t, folder, flags, server.key);
    for (const text of [server.key, made.stdout.trim(), wide.key]) {
      t.equal((await ask({ url: now.url, key: text }, 'GET', '/v1/projects')).status, 401, 'a key of it');
    }
    await now.end('SIGTERM');
    const audit = fs.readFileSync(path.join(folder, 'audit.log'), 'utf8');
    for (const event of ['key.created', 'key.rotated', 'account.renamed', 'account.deleted', 'key.refused'])
      t.match(audit, `"event":"${event}"`);
    t.notMatch(audit, /mw_/);
  });
}

for (const running of [true, false]) {
  t.test(`limits of accounts and keys are set while the server ${running ? 'runs' : 'does not run'}`, async (t) => {
    const folder = path.join(temporaryFolder(t), 'data');
    const server = await serve(t, folder, flags);
    for (const name of ['one', 'two']) await ask(server, 'POST', '/v1/projects', { name });
    if (!running) await server.end('SIGTERM');
    const command = async (...args: string[]) => {
      const { code, stdout, stderr } = await run([...args, '--data', folder]);
      t.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    const wrong = async (...args: string[]) => {
      const { code, stdout, stderr } = await run([...args, '--data', folder]);
      t.strictSame([code, stdout], [2, ''], args.join(' '));
      return stderr;
    };
    const limits = ['--rate', '3/h', '--projects', '3', '--members', '50000', '--mb', '0.5'];
    t.equal(
      await command('accounts', 'limit', 'default', ...limits),
      'The account "default": rate 3/h, projects 3, members 50000, mb 0.5.\n',
    );
    const [shown] = JSON.parse(await command('accounts', 'list', '--json'));
    t.match(shown, { projects: 2, members: 0, limits: { rate: '3/h', projects: 3, members: 50_000, bytes: 524_288 } });
    t.ok(shown.bytes > 100 && shown.bytes < 1000, `${shown.bytes}`);
    t.match(await command('accounts', 'list'), /2 of 3 +│ 1 +│ 0 of 50000 +│ \d+ B of 512 KiB │ 3\/h/);
    t.match(
      JSON.parse(await command('accounts', 'limit', 'default', '--members', 'default', '--mb', 'none', '--json')),
      { name: 'default', limits: { rate: '3/h', projects: 3, members: 'default', bytes: 'none' } },
      'what is not named stays',
    );
    const key = JSON.parse(await command('keys', 'create', 'default', '--rate', '2/h', '--json'));
    t.equal(key.rate, '2/h');
    t.match(await command('keys', 'list'), /│ 2\/h +│/);

    for (const rate of ['0/s', '5', 'fast', '1/d'])
      t.match(await wrong('accounts', 'limit', 'default', '--rate', rate), /A rate must be like 50\/s/);
    t.match(
      await wrong('accounts', 'limit', 'default', '--projects', '1.5'),
      /--projects is ".*"\. It must be a number from 0, without a fraction, or none/,
    );
    t.match(
      await wrong('accounts', 'limit', 'default', '--mb=-1'),
      /--mb is "-1"\. It must be a number from 0, or none, or default/,
    );
    t.match(
      await wrong('accounts', 'limit', 'default'),
      /No limit given\. Example: npx mapwright accounts limit default --rate 50\/s/,
    );
    t.match(await wrong('accounts', 'limit'), /Name the account and its limits:/);
    t.match(
      await wrong('keys', 'limit', key.id),
      new RegExp(`No rate given\\. Example: npx mapwright keys limit ${key.id} --rate 50/s`),
    );
    t.match(await wrong('keys', 'limit', key.id, '--rate', 'default'), /A rate must be like/);
    const nearly = await run(['accounts', 'limit', 'Default', '--projects', '1', '--data', folder]);
    t.strictSame(
      [nearly.code, nearly.stderr],
      [1, 'There is no account "Default". Did you mean "default"? See: npx mapwright accounts list\n'],
    );
    const refused = await run(['accounts', 'limit', 'nobody', '--projects', '1', '--data', folder]);
    t.strictSame([refused.code, refused.stderr], [1, 'There is no account "nobody". See: npx mapwright accounts list\n']);

    const now = running ? server : await serve(t, folder, flags, server.key);
    const asked = async (method: string, of: string) =>
      (await ask({ url: now.url, key: of }, method, '/v1/projects', method === 'POST' ? {} : undefined)).status;
    t.strictSame([await asked('POST', key.key), await asked('POST', key.key), await asked('GET', key.key)], [200, 403, 429]);
    if (!running) await now.end('SIGTERM');
    t.equal(await command('keys', 'limit', key.id, '--rate', 'none'), `Key ${key.id}: no rate limit of the key.\n`);
    t.equal(
      await command('accounts', 'limit', 'default', '--rate', 'default', '--projects', 'default', '--mb', 'default'),
      'The account "default": all limits are those in the options of serve.\n',
    );
    const last = running
      ? now
      : await serve(t, folder, [...flags, '--account-projects-max', '4', '--rate-limit', '2/h'], server.key);
    const answers = [
      await ask(last, 'POST', '/v1/projects', {}),
      await ask(last, 'POST', '/v1/projects', {}),
      await ask(last, 'GET', '/v1/projects'),
    ];
    t.strictSame(
      answers.map(({ status }) => status),
      running ? [200, 200, 200] : [200, 403, 429],
    );
    const [listed] = JSON.parse(await command('accounts', 'list', '--json'));
    t.match(listed.limits, { rate: 'default', projects: 'default', members: 'default', bytes: 'default', versions: 'default' });
    t.match(listed.in_force, running ? { rate: 'none', projects: 'none' } : { rate: '2/h', projects: 4, members: 'none' });
    if (!running) t.match(await command('accounts', 'list'), /4 of 4 +│.*│ 2\/h/, 'what the options of the server say');
    const log = await command('log');
    t.match(
      log,
      'limited the account "default" (rate 3/h, was default; projects 3, was default; members 50000, was default; bytes',
    );
    t.match(log, 'limited the account "default" (members default, was 50000; bytes none, was 524288)');
    await last.end('SIGTERM');
    t.equal(
      JSON.parse(await command('accounts', 'list', '--json'))[0].in_force,
      null,
      'nobody knows which options the next one has',
    );
    const audit = fs.readFileSync(path.join(folder, 'audit.log'), 'utf8');
    t.match(audit, /"event":"account\.limited","account":"[^"]+","rate":"3\/h","projects":3,"members":50000,"bytes":524288/);
    t.match(audit, /"event":"key\.limited"/);
  });
}

t.test('accounts list explains a missing folder and a folder without accounts', async (t) => {
  const folder = path.join(temporaryFolder(t), 'new');
  const { code, stderr } = await run(['accounts', 'list', '--data', folder]);
  t.equal(code, 1);
  t.match(stderr, /The data folder .* does not exist/);
  t.notOk(fs.existsSync(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
  t.match((await run(['accounts', 'list', '--data', folder])).stdout, /keys create NAME/);
});

t.test('--no-audit-log writes no audit log', async (t) => {
  const folder = path.join(temporaryFolder(t), 'data');
  const server = await serve(t, folder, [...flags, '--no-audit-log']);
  t.equal((await ask({ url: server.url, key: 'wrong' }, 'GET', '/v1/projects')).status, 401);
  await server.end('SIGTERM');
  t.notOk(fs.existsSync(path.join(folder, 'audit.log')));
});
