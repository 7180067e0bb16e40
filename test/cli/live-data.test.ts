// tier: normal
/** The commands of docs/live-data.md, run as printed against a real server and the source that the page starts. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { wordsOf } from '../support/command-lines.ts';
import { blocksOf } from '../support/documents.ts';
import { cli, serve, surroundings, temporaryFolder } from '../support/process.ts';

const run = promisify(execFile);
const document = 'docs/live-data.md';

t.setTimeout(600_000);

/** Starts the source of the page on a free port, which it returns. */
async function startSource(t: Test, script: string, cwd: string): Promise<string> {
  const onFreePort = script.replace(
    '.listen(9000, "127.0.0.1")',
    '.listen(0, "127.0.0.1", function () { console.log(this.address().port) })',
  );
  const child = spawn(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', onFreePort.replace('\nnode ', `\nexec "${process.execPath}" `)],
    {
      cwd,
      env: surroundings,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return String(port).trim();
}

/** A pattern for what a page shows: `...` stands for anything, and a duration is any number. */
const patternOf = (shown: string): RegExp => {
  const parts = shown.split('...').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+').replace(/"ms":\d+/, '"ms":\\d+')}$`);
};

t.test('the commands from a URL to coloured rooms print what the page shows', async (t) => {
  const cwd = temporaryFolder(t);
  const [source = '', start = '', ...steps] = blocksOf(document, 'Five minutes', 'sh');
  const port = await startSource(t, source, cwd);
  const flags = wordsOf(start).slice(1);
  t.strictSame(flags, ['--data-hosts', '127.0.0.1:9000']);
  const server = await serve(t, temporaryFolder(t), ['--data-hosts', `127.0.0.1:${port}`]);
  const [given = ''] = blocksOf(document, 'Evaluation', 'sh');
  const mark = '=== next step';
  const script = [...steps, given]
    .join(`\necho '${mark}'\n`)
    .replace('mw_...', server.key)
    .replaceAll('http://127.0.0.1:8070', server.url)
    .replaceAll('http://127.0.0.1:9000', `http://127.0.0.1:${port}`);
  const npx = `npx() { shift; "${process.execPath}" "${cli}" "$@"; }\nexport MAPWRIGHT_URL=${server.url}\n`;
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', npx + script], {
    cwd,
    env: { ...surroundings, PATH: `${path.dirname(process.execPath)}:${surroundings.PATH}` },
  });
  t.equal(stderr, '');
  const printed = stdout.split(`${mark}\n`).map((text) => text.trimEnd().split('\n'));
  const comments = steps.map((block) => Array.from(block.matchAll(/^# (.*)$/gm), ([, line = '']) => line));
  const [, fetched, evaluated, published, pushed, again] = printed;
  for (const [lines, step] of [
    [fetched, 1],
    [published, 3],
    [pushed, 4],
  ] as const)
    for (const line of comments[step] as string[])
      t.ok(
        lines?.some((each) => patternOf(line).test(each)),
        `${line}\n${lines}`,
      );
  t.strictSame(comments.flat().length, 3);
  t.strictSame(evaluated, blocksOf(document, 'Five minutes', 'text')[0]?.trimEnd().split('\n'));
  t.strictSame(again, blocksOf(document, 'Evaluation', 'text')[0]?.trimEnd().split('\n'));
});
