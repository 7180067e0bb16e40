/** Output for terminals only: colours, progress and questions. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Writable } from 'node:stream';
import t, { type Test } from 'tap';
import { hasColours, painter } from '../../src/cli/output/colour.ts';
import { progressLine, withProgress } from '../../src/cli/output/progress.ts';
import { cli, run, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

/** A stream that keeps what is written, with a terminal at its end or not. */
function screen(isTTY: boolean): NodeJS.WriteStream & { readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write(part, _, done) {
      text += part;
      done();
    },
  });
  return Object.assign(stream, { isTTY, text: () => text }) as never;
}

t.test('colours are on for terminals unless NO_COLOR, FORCE_COLOR or TERM says otherwise', async (t) => {
  const [terminal, pipe] = [{ isTTY: true }, { isTTY: false }];
  t.equal(hasColours(terminal, {}), true);
  t.equal(hasColours(pipe, {}), false);
  t.equal(hasColours(terminal, { NO_COLOR: '1' }), false);
  t.equal(hasColours(terminal, { NO_COLOR: '' }), true, 'as no-color.org has it');
  t.equal(hasColours(terminal, { TERM: 'dumb' }), false);
  t.equal(hasColours(pipe, { FORCE_COLOR: '1' }), true);
  t.equal(hasColours(terminal, { FORCE_COLOR: '0' }), false);
  t.equal(hasColours(pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }), true, 'who forces it means it');
  t.equal(painter(terminal as NodeJS.WriteStream, {})('bold', 'x'), '\u001b[1mx\u001b[22m');
  t.equal(painter(pipe as NodeJS.WriteStream, {})('red', 'x'), 'x');
});

t.test('progress is one overwritten line on a terminal and nothing elsewhere', async (t) => {
  const [terminal, pipe] = [screen(true), screen(false)];
  for (const stream of [terminal, pipe]) {
    const line = progressLine('Copying', stream);
    line.show({ done: 5_000_000, total: 10_000_000 });
    line.end();
  }
  t.equal(pipe.text(), '');
  t.ok(terminal.text().startsWith('\r\u001b[KCopying'), 'at once, also where nobody knows how far it is');
  t.ok(terminal.text().endsWith('\r\u001b[K'), 'and gone in the end');
  await t.rejects(
    withProgress('Failing', () => {
      throw new Error('no');
    }),
    /no/,
  );
});

/** What a command writes on a terminal; `undefined` where none can be made. */
function onTerminal(args: readonly string[], env: Record<string, string> = {}, typed = ''): string | undefined {
  const quoted = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ');
  const { PATH = '', HOME = '' } = process.env;
  const options = { input: typed, encoding: 'utf8', env: { PATH, HOME, TERM: 'xterm', ...env } } as const;
  const { stdout, error } = spawnSync('script', ['-qec', quoted, '/dev/null'], options);
  return error === undefined ? stdout : undefined;
}

async function folderWithKey(t: Test): Promise<string> {
  const data = path.join(temporaryFolder(t), 'data');
  t.equal((await run(['keys', 'create', 'acme', '--data', data])).code, 0);
  return data;
}

t.test(
  'commands on a real terminal print colours and progress, but plain JSON',
  { skip: onTerminal(['--version']) === undefined && 'there is no command script here' },
  async (t) => {
    const data = await folderWithKey(t);
    const verified = onTerminal(['verify', '--data', data]) ?? '';
    t.match(verified, /Verifying/);
    t.match(verified, '\u001b[32mSound: every checksum matches.\u001b[39m');
    t.match(onTerminal(['keys', 'list', '--data', data]), '\u001b[32mvalid');
    const plain = onTerminal(['keys', 'list', '--data', data], { NO_COLOR: '1' }) ?? '';
    t.match(plain, /valid/);
    t.notMatch(plain, '\u001b[32m');
    const json = onTerminal(['keys', 'list', '--json', '--data', data]) ?? '';
    t.match(JSON.parse(json), [{ account: 'acme' }], 'JSON has no colours anywhere');
  },
);

test.all('commands in a pipe print no escape sequences', async (t) => {
  const data = await folderWithKey(t);
  const server = await serve(t, data, ['--segment-mb', '1'], 'mw_x');
  for (const args of [['verify'], ['keys', 'list'], ['accounts', 'list'], ['snapshot'], ['config', 'verify']]) {
    const { stdout, stderr } = await run([...args, '--data', data]);
    t.notMatch(stdout + stderr, '\u001b', args.join(' '));
  }
  const forced = await run(['keys', 'list', '--data', data], { env: { FORCE_COLOR: '1' } });
  t.match(forced.stdout, '\u001b[32mvalid', 'unless it is asked for');
  await server.end('SIGTERM');
  t.notMatch(server.stdout + server.stderr, '\u001b');
});
