/** `mapwright console` and the output of `serve` about the console, as processes. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { Command, run, temporaryFolder } from '../support/process.ts';

/** A folder with a program `xdg-open` that writes down what it was called with. */
function fakeOpener(home: string): { env: Record<string, string>; opened: () => string } {
  const bin = path.join(home, 'bin');
  const file = path.join(home, 'opened');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${file}'\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  return { env, opened: () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '') };
}

const skip = process.platform === 'linux' ? false : 'the program that opens addresses is another one here';

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function exchange(address: string): Promise<number> {
  const url = new URL(address);
  const response = await fetch(`${url.origin}/console/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: url.hash.slice('#code='.length) }),
  });
  return response.status;
}

t.test('the first start prints a sign-in address, and --open opens one at any start', { skip }, async (t) => {
  const home = temporaryFolder(t);
  const { env, opened } = fakeOpener(home);
  const data = path.join(home, 'data');
  const flags = ['serve', '--data', data, '--port', '0'];
  const first = new Command([...flags, '--host', '0.0.0.0'], { env });
  t.teardown(() => first.end('SIGKILL'));
  const [address = ''] = await first.printed(/http:\S+\/console#code=0mw_[\w-]{61}/);
  t.match(address, /^http:\/\/127\.0\.0\.1:/, 'a wildcard address does not open in a browser');
  t.equal(await exchange(address), 200);
  t.equal(opened(), '', 'only on request');
  await first.end('SIGTERM');
  const second = new Command(flags, { env });
  t.teardown(() => second.end('SIGKILL'));
  await second.printed(/Listening/);
  await second.end('SIGTERM');
  t.notMatch(second.stdout, /console/, 'only the first start');
  const third = new Command([...flags, '--open'], { env });
  t.teardown(() => third.end('SIGKILL'));
  const [again = ''] = await third.printed(/http:\S+\/console#code=0mw_[\w-]{61}/);
  await eventually(() => opened() !== '');
  t.equal(opened(), again);
  await third.end('SIGTERM');
  const off = new Command([...flags, '--open', '--no-console'], { env });
  t.teardown(() => off.end('SIGKILL'));
  await off.printed(/Listening/);
  const refused = await run(['console', '--data', data]);
  t.match(refused, { code: 1, stdout: '', stderr: /without --no-console/ });
  await off.end('SIGTERM');
  t.match(await run(['console', '--data', data]), { code: 1, stdout: '', stderr: /Start one with: npx mapwright serve/ });
});

t.test('console prints addresses that sign in the owner of an account, or another person', { skip }, async (t) => {
  const home = temporaryFolder(t);
  const { env, opened } = fakeOpener(home);
  const data = path.join(home, 'data');
  const server = new Command(['serve', '--data', data, '--port', '0', '--json']);
  t.teardown(() => server.end('SIGKILL'));
  await server.printed(/\n/);
  const started = JSON.parse(server.stdout);
  t.equal(await exchange(started.console_url), 200, 'with --json, too');
  const plain = await run(['console', '--data', data]);
  t.match(plain, { code: 0, stdout: /^http:\S+#code=\S+\n$/, stderr: /account "default" as "owner"/ });
  t.equal(await exchange(plain.stdout.trim()), 200);
  const { stdout } = await run(['console', '--data', data, '--open', '--json'], { env });
  const said = JSON.parse(stdout);
  t.match(said, { account: 'default', person: 'owner', opened: true, urls: [said.url] });
  await eventually(() => opened() !== '');
  t.equal(opened(), said.url);
  const missing = await run(['console', '--data', data, '--open'], { env: { PATH: '/nowhere' } });
  t.match(missing, { code: 0, stderr: /Cannot open a browser \(xdg-open: ENOENT\)\. Open the address yourself\./ });
  t.match(await run(['console', '--data', data, '--person', 'none']), { code: 1, stderr: /no person "none"/ });
  t.match(await run(['console', '--data', data, '--person', 'owner']), { code: 0, stderr: /as "owner"/ });
  const made = async (name: string): Promise<string> => {
    const headers = { Authorization: `Bearer ${started.first_key.key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${started.url}/api/v1/projects`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    return ((await response.json()) as { id: string }).id;
  };
  const [walk, twin] = [await made('City walk'), await made('Twin'), await made('Twin')];
  for (const named of ['City walk', walk])
    t.match(await run(['console', named, '--data', data]), { code: 0, stdout: new RegExp(`#code=[\\w-]+/p/${walk}\n$`) });
  t.match(await run(['console', 'Twin', '--data', data]), {
    code: 1,
    stderr: new RegExp(`2 projects .* Give the id of one: ${twin}, `),
  });
  t.match(await run(['console', 'Nowhere', '--data', data]), { code: 1, stderr: /has no project "Nowhere"/ });
  await run(['keys', 'create', 'acme', '--data', data]);
  t.equal((await run(['console', '--data', data])).code, 0, '"default" comes first');
  await run(['accounts', 'rename', 'default', 'city of vienna', '--data', data]);
  t.match(await run(['console', '--data', data]), {
    code: 2,
    stdout: '',
    stderr: /several accounts[\s\S]*--account 'city of vienna'[\s\S]*--account acme/,
  });
  t.match(await run(['console', '--data', data, '--account', 'acme', '--json']), { code: 0, stdout: /"account":\s*"acme"/ });
  await server.end('SIGTERM');
});
