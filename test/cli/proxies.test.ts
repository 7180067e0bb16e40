/** The proxies of docs/operations.md, as printed except for ports and certificates, in front of a real server. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { blocksOf } from '../support/documents.ts';
import { run, type Served, serve, temporaryFolder } from '../support/process.ts';

const document = 'docs/operations.md';

/** The flags that the document gives serve behind a proxy; tests are clients on the same machine, with addresses of their own. */
const flags = (blocksOf(document, 'Reverse proxy', 'sh')[0] as string)
  .trim()
  .replace('npx mapwright serve ', '')
  .replace('loopback', '127.0.0.1')
  .split(' ');

interface Proxy {
  readonly name: string;
  /** Its arguments, for a folder with its file. */
  readonly args: (folder: string) => string[];
  readonly file: string;
  /** The file, from the block in the document. */
  config(block: string, port: number, folder: string): string;
}

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    args: (folder) => ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-g', 'daemon off;'],
    config: (block, port, folder) => `
      pid nginx.pid;
      error_log stderr;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join('\n')}
        ${block.replace('443 ssl http2', `127.0.0.1:${port}`).replaceAll(/^ *ssl_.*$/gm, '')}
      }`,
  },
  {
    name: 'caddy',
    file: 'Caddyfile',
    args: (folder) => ['run', '--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    config: (block, port) => `{\n\tadmin off\n}\n${block.replace('maps.example.com', `http://:${port}`)}`,
  },
];

function isHere(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function start(t: Test, proxy: Proxy, block: string): Promise<number> {
  const folder = temporaryFolder(t);
  // nginx gives its work to a user without rights.
  fs.chmodSync(folder, 0o755);
  const port = await freePort();
  fs.writeFileSync(path.join(folder, proxy.file), proxy.config(block, port, folder));
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(proxy.name, proxy.args(folder), { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${proxy.name} ended: ${said}`);
    const socket = net.connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return port;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Sent {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/** From an address that is not the proxy's. */
async function ask(
  port: number,
  at: string,
  key: string,
  { method = 'GET', body, headers = {} }: Sent = {},
): Promise<IncomingMessage> {
  const req = request({
    port,
    host: '127.0.0.1',
    localAddress: '127.0.0.2',
    agent: false,
    path: at,
    method,
    headers: {
      host: 'maps.example.com',
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  req.end(body === undefined ? undefined : JSON.stringify(body));
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return res;
}

async function textOf(res: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of res.setEncoding('utf8')) text += part;
  return text;
}

async function served(t: Test, folder: string): Promise<Served> {
  return serve(t, folder, ['--segment-mb', '8', '--heartbeat', '1', ...flags]);
}

for (const proxy of proxies) {
  t.test(
    `the configuration of ${proxy.name} passes requests, streams, errors and client addresses`,
    { skip: isHere(proxy.name) ? false : `there is no ${proxy.name} here` },
    async (t) => {
      const data = path.join(temporaryFolder(t), 'data');
      const { url, key, stdout } = await served(t, data);
      t.match(stdout, 'Public address: https://maps.example.com, if');
      t.match(stdout, ' https://maps.example.com/api/v1/projects\n', 'the first curl is for a client');
      const [block = ''] = blocksOf(document, 'Reverse proxy', proxy.name === 'caddy' ? 'caddy' : 'nginx');
      const port = await start(t, proxy, block.replace('127.0.0.1:8070', new URL(url).host));
      t.match(JSON.parse(await textOf(await ask(port, '/readyz', key))), { status: 'ready' });
      t.equal((await ask(port, '/metrics', key)).statusCode, 404);
      const make = async (at: string, body: object) =>
        JSON.parse(await textOf(await ask(port, at, key, { method: 'POST', body })));
      const { id } = await make('/api/v1/projects', { name: 'Through a proxy' });
      t.equal(
        (await make(`/v1/projects/${id}/popups`, { content: 'x'.repeat(3_000_000) })).content.length,
        3_000_000,
        'larger than 1 MB',
      );
      t.equal((await ask(port, '/v1/projects/a%2Fb%2e', key)).statusCode, 404);

      const events = await ask(port, `/v1/projects/${id}/events`, key);
      t.match(events.headers, { 'content-type': /^text\/event-stream/ });
      let received = '';
      events.setEncoding('utf8');
      for await (const part of events) {
        received += part;
        if (received === part) await make(`/v1/projects/${id}/popups`, { title: 'Sent immediately' });
        if (received.includes('Sent immediately')) break;
      }
      t.match(received, 'event: popup.created\n', 'while the stream goes on');

      const page = await ask(port, `/v1/projects/${id}/popups?limit=1&fields=title`, key);
      await textOf(page);
      const next = /^<(.*)>; rel="next"$/.exec(String(page.headers['link']))?.[1] ?? '';
      t.match(JSON.parse(await textOf(await ask(port, next, key))), [{ title: 'Sent immediately' }]);
      const tag = String(page.headers['etag']);
      t.equal(
        (await ask(port, `/v1/projects/${id}/popups?limit=1&fields=title`, key, { headers: { 'if-none-match': tag } }))
          .statusCode,
        304,
      );

      const made = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.10' };
      t.equal((await ask(port, '/v1/projects', 'wrong', { headers: made })).statusCode, 401);
      // The line is written behind the request's back.
      const audit = () => fs.readFileSync(path.join(data, 'audit.log'), 'utf8');
      while (!audit().includes('key.refused')) await new Promise((resolve) => setTimeout(resolve, 50));
      const { address } = JSON.parse(
        audit()
          .split('\n')
          .find((line) => line.includes('key.refused')) as string,
      );
      t.equal(address, '127.0.0.2', 'whom the proxy was asked by, whatever that one says');
    },
  );
}

t.test('the printed commands of the sections about machines and proxies run', async (t) => {
  const cwd = temporaryFolder(t);
  const headings = ['Check the machine', 'Container or service', 'Reverse proxy'];
  const blocks = headings.flatMap((heading) => blocksOf(document, heading, 'sh'));
  const lines = blocks.flatMap((block) => block.trim().split('\n'));
  const commands = lines.map((line) => line.replace(/ +#.*/, '').replace('npx mapwright ', '').split(' '));
  t.strictSame(
    commands.map(([verb]) => verb),
    ['doctor', 'init', 'init', 'init', 'serve'],
  );
  for (const args of commands.slice(0, -1)) {
    const { code, stderr } = await run(args[0] === 'doctor' ? [...args, '--port', '0'] : args, { cwd });
    t.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  }
  for (const file of ['deploy/Dockerfile', 'deploy/compose.yaml', 'deploy/.dockerignore', 'mapwright.service', 'shop/app.mjs'])
    t.ok(fs.existsSync(path.join(cwd, file)), file);
});
