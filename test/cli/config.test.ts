// tier: normal
/** `mapwright config`: options in force with their sources, and errors that name the option to change. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';

interface Shown {
  readonly command: string;
  readonly file: string | null;
  readonly options: Readonly<Record<string, { readonly value: unknown; readonly from: string; readonly where: string | null }>>;
}

async function shown(t: Test, args: string[], env: Record<string, string> = {}): Promise<Shown> {
  const { code, stdout, stderr } = await run(['config', ...args, '--json'], { env, cwd: temporaryFolder(t) });
  t.strictSame([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

/** A file with these options. */
function fileWith(t: Test, options: object): string {
  const file = path.join(temporaryFolder(t), 'mapwright.json');
  fs.writeFileSync(file, JSON.stringify(options));
  return file;
}

t.test('config shows each value with its source', async (t) => {
  const file = fileWith(t, { port: 1, 'segment-mb': 2, backupEvery: '1d', compression: 'off', url: 'http://a.example' });
  const { command, options, ...rest } = await shown(t, ['serve', '--config', file, '--port', '3', '--no-metrics'], {
    MAPWRIGHT_PORT: '4',
    MAPWRIGHT_HOST: '0.0.0.0',
    MAPWRIGHT_SEGMENT_MB: '5',
    MAPWRIGHT_LOG_REQUESTS: 'yes',
    MAPWRIGHT_KEY: 'mw_secret',
  });
  t.strictSame([command, rest.file], ['serve', file]);
  t.strictSame(options['port'], { value: 3, from: 'flag', where: '--port' });
  t.strictSame(options['metrics'], { value: false, from: 'flag', where: '--metrics' });
  t.strictSame(options['host'], { value: '0.0.0.0', from: 'environment', where: 'MAPWRIGHT_HOST' });
  t.strictSame(options['segment-mb'], { value: 5, from: 'environment', where: 'MAPWRIGHT_SEGMENT_MB' });
  t.strictSame(options['log-requests'], { value: true, from: 'environment', where: 'MAPWRIGHT_LOG_REQUESTS' });
  t.strictSame(options['backup-every'], { value: '1d', from: 'file', where: file }, 'as it was written, not what is made of it');
  t.strictSame(options['compression'], { value: false, from: 'file', where: file });
  t.strictSame(options['data'], { value: 'data/store', from: 'default', where: null });
  t.strictSame(options['memory-mb'], { value: null, from: 'default', where: null });
  t.notOk('key' in options || 'url' in options, 'options of other commands are none of its');
});

test.all('config shows the options of any command, and those of serve by default', async (t) => {
  const env = { MAPWRIGHT_PORT: '4', MAPWRIGHT_DATA: '/maps' };
  t.match(await shown(t, [], env), { command: 'serve', file: null, options: { port: { value: 4 } } });
  t.match(await shown(t, ['--port', '9'], env), { command: 'serve', options: { port: { value: 9, from: 'flag' } } });
  t.match(await shown(t, ['backup'], env), { command: 'backup', options: { data: { value: '/maps' } } });
  const create = await shown(t, ['keys', 'create', 'acme', '--project', 'a', '--project', 'b']);
  t.match(create, { command: 'keys create', options: { project: { value: 'a,b', from: 'flag' } } });
  const hosts = await shown(t, ['serve', '--data-hosts', 'a.example', '--port', '9', '--dataHosts=10.0.0.0/8,::1']);
  t.match(hosts, { options: { 'data-hosts': { value: 'a.example,10.0.0.0/8,::1' }, port: { value: 9 } } });
  const file = fileWith(t, { cors: ['https://a.example', 'https://b.example'] });
  const serve = await shown(t, [], { MAPWRIGHT_CONFIG: file });
  t.match(serve, { file, options: { cors: { value: 'https://a.example,https://b.example', from: 'file' } } });
});

t.test('config shows no key', async (t) => {
  const env = { MAPWRIGHT_KEY: 'mw_secret' };
  const { options } = await shown(t, ['demo'], env);
  t.strictSame(options['key'], { value: '(not shown)', from: 'environment', where: 'MAPWRIGHT_KEY' });
  for (const args of [[], ['--key', 'mw_secret']]) {
    const { stdout, stderr, code } = await run(['config', 'export', ...args], { env });
    t.equal(code, 0);
    t.notMatch(stdout + stderr, /secret/);
  }
});

t.test('config shows no password in an address', async (t) => {
  const file = path.join(temporaryFolder(t), 'mapwright.json');
  fs.writeFileSync(file, '\uFEFF{"url":"http://ann:s3cret@a.example/"}');
  const { options } = await shown(t, ['export', '--config', file]);
  t.equal(options['url']?.value, 'http://ann:(not shown)@a.example/', 'and a mark before a file is no fault of it');
});

t.test('config prints a line for each option, and the precedence of sources', async (t) => {
  const { stdout } = await run(['config', 'keys', 'list', '--data', 'maps'], {});
  t.match(
    stdout,
    /^data {2}maps {3}--data\njson {2}false {2}default\n\nOptions of keys list\. No configuration file; name one with --config or/,
  );
});

t.test('an error names the flag, variable or member of the file that must be changed', async (t) => {
  const cwd = temporaryFolder(t);
  const cases: [options: object, env: Record<string, string>, args: string[], says: string | RegExp][] = [
    [{}, { MAPWRIGHT_PORT: 'x' }, ['serve'], /^MAPWRIGHT_PORT must be a number from 0/],
    [{ port: 70_000 }, {}, ['serve'], /^"port" in the file .*mapwright\.json must be a number from 0/],
    [{ port: 70_000 }, { MAPWRIGHT_PORT: 'x' }, ['serve'], /^MAPWRIGHT_PORT must/],
    [{ port: 70_000 }, { MAPWRIGHT_PORT: 'x' }, ['serve', '--port', 'y'], /^--port must/],
    [{}, { MAPWRIGHT_SYNC: 'alway' }, ['serve'], /^MAPWRIGHT_SYNC must be always or never\. Did you mean "always"\?$/m],
    [{ sync: 'sometimes' }, {}, ['serve'], /^"sync" in the file .* must be always or never\.$/m],
    [{}, { MAPWRIGHT_CORS: 'x' }, ['serve'], /^MAPWRIGHT_CORS is invalid/],
    [{ 'bodies-mb': 1 }, { MAPWRIGHT_BODY_MB: '2' }, ['serve'], /^"bodies-mb" in the file .* at least twice MAPWRIGHT_BODY_MB/],
    [{ 'rate-limit': 'fast' }, {}, ['serve'], /^"rate-limit" in the file .* is "fast"\. It must be a rate/],
    [{}, { MAPWRIGHT_ACCOUNT_MB: 'x' }, ['serve'], /^MAPWRIGHT_ACCOUNT_MB is "x"\. It must be a number/],
    [{}, { MAPWRIGHT_BACKUP_EVERY: '6' }, ['serve'], /^MAPWRIGHT_BACKUP_EVERY is "6"\. It must be a duration/],
    [{ 'backup-keep': 3 }, {}, ['serve'], /^"backup-keep" in the file .* needs scheduled backups\. .* --backup-dir DIR/],
    [{}, { MAPWRIGHT_EXPIRES: 'soon' }, ['keys', 'create', 'a'], /^MAPWRIGHT_EXPIRES: "soon" is not a valid expiry of a key/],
    [{ rate: '1/d' }, {}, ['accounts', 'limit', 'a'], /^"rate" in the file .*: A rate must be like 50\/s/],
    [
      { url: 'nowhere' },
      { MAPWRIGHT_KEY: 'k' },
      ['demo'],
      /^"url" in the file .* is "nowhere"\. It must be the address of a server/,
    ],
    [{ prot: 1 }, {}, ['serve'], /^The file .* has "prot", which is not an option of any command\. Did you mean "port"\?$/m],
    [{ xyzzy: 1 }, {}, ['serve'], /has "xyzzy", which is not an option of any command\. Possible names: account, /],
    [{ port: null }, {}, ['serve'], /^"port" in the file .* must be a string, a number, true or false/],
    [
      {},
      { MAPWRIGHT_SEGMNET_MB: '1' },
      ['serve'],
      /^The environment variable MAPWRIGHT_SEGMNET_MB is not an option\. Did you mean MAPWRIGHT_SEGMENT_MB\?$/m,
    ],
    [{}, { MAPWRIGHT_CONFIG: 'none.json' }, ['verify'], /^The file .*none\.json in MAPWRIGHT_CONFIG does not exist/],
  ];
  for (const [options, env, args, says] of sampled(cases, 3, 12)) {
    const file = Object.keys(options).length === 0 ? [] : ['--config', fileWith(t, options)];
    const { code, stdout, stderr } = await run([...args, ...file], { cwd, env });
    t.strictSame([code, stdout], [2, ''], stderr);
    t.match(stderr, says);
  }
  t.strictSame(fs.readdirSync(cwd), []);
});
