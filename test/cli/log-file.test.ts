// tier: normal
/** `serve --log-file`: the file can be rotated, and one that cannot be opened or written has its message and stops no server. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { LogFile } from '../../src/cli/output/log-file.ts';
import { ask } from '../support/client.ts';
import { run, serve, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';

const isLinux = process.platform === 'linux';

t.test('SIGHUP opens the log file again after it was renamed', async (t) => {
  const folder = temporaryFolder(t);
  const [data, log] = [path.join(folder, 'data'), path.join(folder, 'maps.log')];
  const server = await serve(t, data, ['--log-file', log, '--log-requests']);
  await ask(server, 'GET', '/v1/projects/before');
  const first = () => fs.readFileSync(`${log}.1`, 'utf8');
  fs.renameSync(log, `${log}.1`);
  await ask(server, 'GET', '/v1/projects/between');
  server.child.kill('SIGHUP');
  await until('the file is there again', () => fs.existsSync(log));
  await ask(server, 'GET', '/v1/projects/after');
  const { code, stderr } = await server.end('SIGTERM');
  t.equal(code, 0, 'SIGHUP stopped nothing');
  t.equal(stderr, '', 'nothing goes to standard error');
  t.match(first(), /"msg":"started"[\s\S]*before[\s\S]*between/);
  t.notMatch(first(), /after|"msg":"stopped"/);
  const second = fs.readFileSync(log, 'utf8');
  t.match(second, /^\{[\s\S]*after[\s\S]*"msg":"stopped"\}\n$/);
  t.notMatch(second, /"msg":"started"|before|between/);
  t.equal(fs.statSync(log).mode & 0o027, 0, 'others cannot read it');
});

t.test('without a log file, SIGHUP stops the server in order', async (t) => {
  const server = await serve(t, path.join(temporaryFolder(t), 'data'), ['--log-level', 'info']);
  const { code, stderr } = await server.end('SIGHUP');
  t.equal(code, 0);
  t.match(stderr, /"msg":"stopped"/);
});

t.test('a log file that cannot be opened refuses the start, with the remedy', async (t) => {
  const folder = temporaryFolder(t);
  const data = path.join(folder, 'data');
  for (const [file, remedy] of [
    [path.join(folder, 'none', 'maps.log'), 'Create its folder first'],
    [folder, 'It is a folder: name a file in it'],
  ] as const) {
    const { code, stderr } = await run(['serve', '--data', data, '--port', '0', '--log-file', file]);
    t.equal(code, 1);
    t.match(stderr, `The log file ${file} cannot be opened: `);
    t.match(stderr, `${remedy}, or name another file with --log-file.`);
  }
  t.notOk(fs.existsSync(data), 'before the data folder is made');
});

t.test('a server goes on while the disk of its log is full, and says so once', { skip: !isLinux }, async (t) => {
  const server = await serve(t, path.join(temporaryFolder(t), 'data'), ['--log-file', '/dev/full', '--log-requests']);
  for (let i = 0; i < 3; i++) t.equal((await ask(server, 'GET', '/v1/projects')).status, 200);
  const { code, stderr } = await server.end('SIGTERM');
  t.equal(code, 0);
  t.match(stderr, /^Cannot write the log file \/dev\/full: ENOSPC[^\n]*\. The server goes on; [^\n]*\n$/);
});

t.test('lines wait for a file that can be written again, and lost ones are counted', { skip: !isLinux }, async (t) => {
  const folder = temporaryFolder(t);
  const [file, link] = [path.join(folder, 'real.log'), path.join(folder, 'maps.log')];
  fs.symlinkSync('/dev/full', link);
  const said: string[] = [];
  const log = new LogFile(link, (text) => said.push(text));
  log.write('first\n');
  const line = `${'x'.repeat(1023)}\n`;
  for (let i = 0; i < 1025; i++) log.write(line);
  t.equal(said.length, 1, 'it is said once');
  fs.unlinkSync(link);
  fs.symlinkSync(file, link);
  log.reopen();
  log.write('last\n');
  await until('the end of the failure is said', () => said.length === 2);
  const text = fs.readFileSync(file, 'utf8');
  const kept = text.split('\n').filter((each) => each.startsWith('x')).length;
  t.match(text, /^first\n/);
  t.match(text, /\nlast\n$/);
  t.match(said[1], new RegExp(`can be written again\\. Lines lost: ${1025 - kept}\\.$`));
  t.ok(kept < 1025 && kept > 1000, `${kept} lines waited`);
});

t.test('a path that cannot be opened again leaves the file that is open, and the next try opens it', async (t) => {
  const folder = temporaryFolder(t);
  const [logs, away] = [path.join(folder, 'logs'), path.join(folder, 'away')];
  fs.mkdirSync(logs);
  const file = path.join(logs, 'maps.log');
  const said: string[] = [];
  const log = new LogFile(file, (text) => said.push(text));
  fs.renameSync(logs, away);
  log.reopen();
  t.match(said, [/^Cannot open the log file .*maps\.log again: ENOENT.* The log goes on in the file that is open\.$/]);
  log.write('in the old one\n');
  t.equal(fs.readFileSync(path.join(away, 'maps.log'), 'utf8'), 'in the old one\n');
  fs.mkdirSync(logs);
  for (let i = 0; i < 2; i++) {
    log.reopen();
    // The file before is closed meanwhile, once: an error of closing would be said.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  log.write('in the new one\n');
  t.equal(fs.readFileSync(file, 'utf8'), 'in the new one\n');
  t.equal(said.length, 1);
});
