// tier: all, process: first
/** Usage errors: exit code 2 and a message, before anything is changed. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { run, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const wrong: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
  ['no command', [], /Name a command/],
  ['an unknown command', ['sevre'], /no command "sevre"\. Did you mean "serve"/],
  ['evaluate without a project', ['evaluate', '--key', 'mw_x'], /Name a project: npx mapwright evaluate ID/],
  ['evaluate without a key', ['evaluate', 'x'], /needs an API key/],
  ['versions without a project', ['versions', '--key', 'mw_x'], /Name a project: npx mapwright versions ID/],
  ['versions that keeps and restores', ['versions', 'x', '--key', 'mw_x', '--keep', 'a', '--restore', 'b'], /not both/],
  ['evaluate with an empty file name', ['evaluate', 'x', '--key', 'mw_x', '--responses='], /--responses needs/],
  ['a project for a demo that is not live', ['demo', '--key', 'mw_x', '--project', 'x'], /--project needs --live/],
  ['a folder without a name', ['verify', '--data='], /--data needs the name of a folder/],
  ['no folder at all', ['serve', '--data'], /--data needs the name of a folder/],
  ['an option before another where its value should be', ['serve', '--data', '--port', '1'], /--data needs/],
  ['two ports', ['serve', '--port', '1', '--port=2'], /--port is given twice, and takes one value\. Leave one of them out/],
  ['two limits in two spellings', ['serve', '--body-mb', '1', '--bodyMb', '2'], /--body-mb is given twice/],
  ['two folders beside arguments', ['import', 'a.csv', '--into', 'x', '--into', 'y', '--key', 'mw_x'], /--into is given twice/],
  ['an empty port', ['serve', '--port='], /--port needs a value/],
  ['an empty port in quotes', ['serve', '--port', ''], /--port needs a value/],
  ['no port', ['serve', '--port'], /--port needs a value/],
  ['an empty address', ['serve', '--host='], /--host needs a value/],
  ['--sync without a value', ['serve', '--sync'], /--sync needs a value/],
  ['an option in camel case without its number', ['serve', '--bodyMb='], /--body-mb needs a value/],
  ['an empty file name', ['serve', '--config='], /--config needs the name of a file/],
  ['no file', ['serve', '--config'], /--config needs the name of a file/],
  [
    'a switch that is neither true nor false',
    ['serve', '--log-requests=maybe'],
    /--log-requests is "maybe"\. It must be true or false/,
  ],
  ['a timeout of zero', ['serve', '--request-timeout', '0'], /--request-timeout must be a number from 0.001/],
  ['a header limit that is too small', ['serve', '--headers-kb', '0.1'], /--headers-kb must be a number from 0.25/],
  [
    'a limit of bodies below that of one body',
    ['serve', '--bodies-mb', '9'],
    /--bodies-mb is 9\. It must be at least twice --body-mb/,
  ],
  [
    'a share of memory above its total',
    ['serve', '--memory-mb', '64', '--decoded-cache-mb', '65'],
    /--decoded-cache-mb is 65\. It is a part of --memory-mb, which is 64 here/,
  ],
  ['a fraction as a limit of connections', ['serve', '--connections-max', '0.5'], /--connections-max must be a number from 1/],
  [
    'an origin with a path',
    ['serve', '--cors', 'https://a.example/b'],
    /is not an origin .*: for example https:\/\/a\.example\.$/m,
  ],
  ['an origin without a scheme', ['serve', '--cors=localhost:5173'], /--cors is invalid: "localhost:5173" is not an origin/],
  ['an invalid origin among several', ['serve', '--cors', 'https://a.example', '--cors', 'null'], /"null" is not an origin/],
  ['all origins and another', ['serve', '--cors', '*,https://a.example'], /"\*" allows all origins/],
  ['no origin', ['serve', '--cors'], /--cors needs an origin, such as https/],
  ['a gap between origins', ['serve', '--cors', 'https://a.example,,https://b.example'], /--cors has an empty element/],
  [
    'a public address without a scheme',
    ['serve', '--public-url', 'maps.example.com'],
    /"maps\.example\.com" is not a URL: write/,
  ],
  [
    'a public address with the path of the API',
    ['serve', '--public-url=https://a.example/b/api/v1/'],
    /without that path, https:\/\/a\.example\/b\./,
  ],
  [
    'a trusted proxy that is no address',
    ['serve', '--trust-proxy', 'loopback,nginx'],
    /"nginx" is not an address: write loopback/,
  ],
  [
    'every address as a trusted proxy',
    ['serve', '--trust-proxy', '0.0.0.0/0'],
    /"0\.0\.0\.0\/0" trusts every address.*such as 1/,
  ],
  ['a trusted proxy without an address', ['serve', '--trust-proxy'], /--trust-proxy needs addresses, such as loopback/],
  [
    'a limit per address behind a number of proxies',
    ['serve', '--trust-proxy', '1', '--address-connections-max', '9'],
    /--address-connections-max needs the addresses of your proxies/,
  ],
  ['a coding instead of a switch', ['serve', '--compression=br'], /--compression is "br"\. It must be true or false/],
  ['a misspelt limit', ['serve', '--conections-max', '5'], /no option --conections-max\. Did you mean --connections-max\?/],
  ['a port with a fraction', ['serve', '--port', '1.5'], /--port must be a number/],
  ['an account without a name', ['keys', 'create', '--account', ''], /--account needs the name/],
  [
    'two accounts for one key',
    ['keys', 'create', 'acme', '--account', 'ann'],
    /Two different accounts given: acme, and --account ann/,
  ],
  ['an invalid expiry', ['keys', 'create', 'acme', '--expires', '2027-02-31'], /not a valid expiry of a key\. Use 90d/],
  ['an expiry in the past', ['keys', 'create', 'acme', '--expires', '2020-01-01'], /is in the past\. Give a later time/],
  ['an expiry in the past for a rotated key', ['keys', 'rotate', 'x', '--expires', '2020-01-01'], /is in the past/],
  [
    'scheduled backups without a folder',
    ['serve', '--backup-every', '1d'],
    /^--backup-every needs scheduled backups\. .* --backup-dir DIR\.$/m,
  ],
  ['one argument too many', ['verify', 'a', 'b'], /^Unexpected argument "b" for "verify"/],
  ['standard input named twice', ['import', '-', '-', '--key', 'k'], /^Standard input can be read only once/],
  [
    'a project on standard output together with JSON',
    ['export', 'x', '--out', '-', '--json', '--key', 'k'],
    /Leave out --json\.","exit_code":2/,
  ],
  ['all projects on standard output', ['export', '--all', '--out', '-', '--key', 'k'], /^--all needs a folder/],
  ['a number for a time', ['log', '--since', '5'], /^--since needs a time\. To give the number of a record, use --from/],
  ['an invalid time', ['log', '--since', 'noon'], /^--since needs/],
  ['an invalid overlap', ['keys', 'rotate', 'x', '--overlap', 'soon'], /not a valid overlap\. Use 24h/],
  ['a project without an id', ['keys', 'create', 'acme', '--project', 'a', '--project'], /--project needs a value/],
  ['the command accounts without a verb', ['accounts'], /list, rename, limit or delete/],
  ['an account without a new name', ['accounts', 'rename', 'acme'], /accounts rename NAME NEW-NAME/],
  ['no account to delete', ['accounts', 'delete'], /Name the account/],
  ['a deletion without --yes and without a terminal', ['accounts', 'delete', 'a b'], /accounts delete 'a b' --yes/],
  ['an unknown flag', ['serve', '--prot', '1'], /^"serve" has no option --prot\. Did you mean --port\? See --help\.$/m],
  ['an unknown flag of a command below', ['keys', 'list', '--account', 'x'], /account/],
  ['the command keys without a verb', ['keys'], /create, list, rotate, limit or revoke/],
  ['a new key without an account', ['keys', 'create'], /Name the account: .* keys create NAME/],
  ['a missing argument', ['keys', 'revoke'], /./],
  ['a backup without a target', ['backup'], /Name the target: npx mapwright backup DIR/],
  ['a restore without a source', ['restore', '--data', 'x'], /Give either a backup or --from/],
  ['a restore without a target', ['restore', 'x.backup'], /Name a backup and a new folder:/],
  ['a restore with two sources', ['restore', 'x.backup', '--from', 'y', '--data', 'z'], /Give either a backup or --from/],
  [
    'a point in time for a single backup',
    ['restore', 'x.backup', '--at', '5', '--data', 'z'],
    /--at, --log and --lineage need --from/,
  ],
  [
    'an invalid point in time',
    ['restore', '--at', 'yesterday', '--from', 'y', '--data', 'z'],
    /--at needs the number of a record/,
  ],
  ['a date that does not exist', ['restore', '--at', '2026-02-30T10:00', '--from', 'y', '--data', 'z'], /--at needs/],
  ['a repair without a target', ['repair'], /Name the new folder: npx mapwright repair/],
  ['a time span without a unit', ['serve', '--backup-every', '6'], /--backup-every is "6"\. It must be a duration such as 30m/],
  ['no backups to keep', ['serve', '--backup-keep', '0'], /--backup-keep must be a number from 1/],
  ['the command init without a target', ['init'], /Choose a target: npx mapwright init --docker, --systemd or --example/],
  [
    'the command init with two targets',
    ['init', '--docker', '--example'],
    /Choose one target at a time: npx mapwright init --docker, then --example/,
  ],
  ['the command demo without a key', ['demo'], /MAPWRIGHT_KEY/],
  ['a port that is no number', ['serve', '--port', 'http'], /--port must be a number/],
  ['a negative port', ['serve', '--port', '-1'], /--port must be a number/],
  ['a port beyond all ports', ['serve', '--port', '65536'], /65535/],
  ['too small a segment', ['serve', '--segment-mb', '0.5'], /--segment-mb/],
  ['a snapshot of no size', ['serve', '--snapshot-mb', '0'], /--snapshot-mb/],
  ['an unknown value of --sync', ['serve', '--sync', 'sometimes'], /^--sync must be always or never\.$/m],
  ['a misspelt value of --sync', ['serve', '--sync', 'alway'], /^--sync must be always or never\. Did you mean "always"\?$/m],
  ['--sync without a value', ['serve', '--sync'], /--sync needs a value/],
];

for (const [what, args, says] of wrong) {
  t.test(`a command line with ${what} ends with exit code 2`, async (t) => {
    const cwd = temporaryFolder(t);
    const { code, stdout, stderr } = await run(args, { cwd });
    t.equal(code, 2, stderr);
    t.equal(stdout, '');
    t.match(stderr, says);
    t.notMatch(stderr, /at .*\.js:\d/, 'no stack');
    t.strictSame(fs.readdirSync(cwd), []);
  });
}

t.test('an unknown variable ends with exit code 2, and one of another command is ignored', async (t) => {
  const cwd = temporaryFolder(t);
  const misspelt = await run(['keys', 'list'], { cwd, env: { MAPWRIGHT_SEGMNET_MB: '1' } });
  t.equal(misspelt.code, 2);
  t.match(misspelt.stderr, /MAPWRIGHT_SEGMNET_MB/);
  fs.mkdirSync(path.join(cwd, 'data'), { mode: 0o700 });
  const env = { MAPWRIGHT_KEY: 'mw_x', MAPWRIGHT_PORT: '1', MAPWRIGHT_DATA: path.join(cwd, 'data'), MAPWRIGHT_ACCOUNT: 'a' };
  for (const args of [['keys', 'list'], ['verify'], ['snapshot']]) {
    const { code, stderr } = await run(args, { cwd, env });
    t.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  }
});

t.test('a variable without a value ends with exit code 2, but only for commands that use it', async (t) => {
  const cwd = temporaryFolder(t);
  for (const name of ['MAPWRIGHT_PORT', 'MAPWRIGHT_DATA', 'MAPWRIGHT_HOST', 'MAPWRIGHT_CONFIG', 'MAPWRIGHT_LOG_REQUESTS']) {
    const { code, stderr } = await run(['serve'], { cwd, env: { [name]: '' } });
    t.equal(code, 2, name);
    t.match(stderr, `${name} has no value`);
  }
  const elsewhere = await run(['verify'], { cwd, env: { MAPWRIGHT_PORT: '' } });
  t.match(elsewhere.stderr, /The data folder .* does not exist/);
  t.strictSame(fs.readdirSync(cwd), []);
});

t.test('help of serve lists the common options, and with --all those of docs/configuration.md', async (t) => {
  const flagsIn = (text: string) => new Set(Array.from(text.matchAll(/^ +(--[a-z-]+)/gm), ([, flag]) => flag));
  const short = flagsIn((await run(['serve', '--help'])).stdout);
  const all = flagsIn((await run(['serve', '--help', '--all'])).stdout);
  const common = ['--config', '--help', '--version', '--all'];
  t.equal(short.size, 15 + common.length);
  t.strictSame(
    [...short].filter((flag) => !all.has(flag)),
    [],
  );
  const configuration = fs.readFileSync(path.join(projectRoot(import.meta.dirname), 'docs', 'configuration.md'), 'utf8');
  const listed = configuration.split('\n').filter((line) => line.startsWith('| `--'));
  const documented = listed.flatMap((line) =>
    Array.from(line.split(' | ')[0]?.matchAll(/`(--[a-z-]+)`/g) ?? [], ([, flag]) => flag),
  );
  t.strictSame(documented.sort(), [...all].filter((flag) => !common.includes(flag ?? '')).sort());
});

t.test('--help lists the commands, and --version prints the version', async (t) => {
  const help = await run(['--help']);
  t.equal(help.code, 0);
  for (const verb of [
    'serve',
    'keys',
    'accounts',
    'demo',
    'snapshot',
    'backup',
    'restore',
    'log',
    'repair',
    'verify',
    'init',
    'doctor',
  ])
    t.match(help.stdout, `mapwright ${verb}`);
  for (const verb of ['serve', 'keys create', 'accounts delete', 'restore'])
    t.equal((await run([...verb.split(' '), '--help'])).code, 0);
  t.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

t.test('too few file descriptors are reported before anything is opened', { skip: process.platform !== 'linux' }, async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const { code, stderr } = await run(['serve', '--data', data, '--port', '0'], {
    under: ['sh', '-c', 'ulimit -n 60; exec "$@"', 'sh'],
  });
  t.equal(code, 1);
  t.match(stderr, /may open only 60 files at a time\. mapwright needs at least 256.*ulimit -n 4096/);
  t.notOk(fs.existsSync(data));
});
