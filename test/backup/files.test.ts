// tier: all, process: first
/** The bytes of files in backups: contained in one file, restored, and named when they are missing or damaged. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { ask } from '../support/client.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';

t.setTimeout(600_000);

const flags = ['--segment-mb', '1'];

/** A PNG of one pixel, with bytes after its end that make it different from others. */
function picture(text: string, bytes = 100): Buffer {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(bytes, text)]);
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Uploaded {
  readonly id: string;
  readonly url: string;
}

async function upload(server: Served, project: string, name: string, body: Buffer): Promise<Uploaded> {
  const response = await fetch(`${server.url}/v1/projects/${project}/files?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'image/png' },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

async function bytesAt(server: Served, url: string): Promise<Buffer | number> {
  const response = await fetch(server.url.replace(/\/v1$/, '') + url);
  return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : response.status;
}

const blobIn = (folder: string, bytes: Uint8Array): string => {
  const digest = digestOf(bytes);
  return path.join(folder, 'blobs', digest.slice(0, 2), digest);
};

function flip(file: string, at: number): void {
  const bytes = fs.readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  fs.writeFileSync(file, bytes);
}

async function world() {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data, flags);
  const { id } = await must(server, 'POST', '/projects', { name: 'Harbour' });
  return { home, data, server, id };
}

t.test('a backup contains the files of its projects, and a restore brings them back', async (t) => {
  const { home, data, server, id } = await world();
  const small = picture('small');
  const large = picture('large', 3 * 1024 * 1024);
  const files = [await upload(server, id, 'small.png', small), await upload(server, id, 'large.png', large)];
  const again = await upload(server, id, 'again.png', small);
  const gone = picture('gone');
  const deleted = await upload(server, id, 'gone.png', gone);
  await must(server, 'DELETE', `/projects/${id}/files/${deleted.id}`);
  const backup = path.join(home, 'one.backup');
  const made = await run(['backup', backup, '--data', data, '--json']);
  t.equal(made.code, 0, made.stderr);
  t.strictSame(JSON.parse(made.stdout).lost_files, []);
  const contents = fs.readFileSync(backup);
  t.ok(contents.includes(small), 'a small file is in it');
  t.notOk(contents.includes(gone), 'a deleted one is not');
  t.equal(contents.indexOf(small), contents.lastIndexOf(small), 'equal bytes are in it once');
  await server.end('SIGTERM');
  fs.rmSync(data, { recursive: true });

  t.match((await run(['verify', backup])).stdout, /Sound/);
  const restored = path.join(home, 'restored');
  const { code, stdout, stderr } = await run(['restore', backup, '--data', restored]);
  t.equal(code, 0, stderr + stdout);
  t.notOk(fs.existsSync(path.join(restored, 'blobs.tmp')));
  const back = await serve(t, restored, flags, server.key);
  const shown = await Promise.all([...files, again].map(({ url }) => bytesAt(back, url)));
  t.strictSame(shown, [small, large, small]);
  t.equal((await ask(back, 'GET', `/v1/projects/${id}/files`)).status, 200);
  await back.end('SIGTERM');
  const verified = await run(['verify', '--data', restored, '--json']);
  t.equal(verified.code, 0, verified.stdout);
});

t.test('a backup with a damaged file is restored without it, and the file is named', async (t) => {
  const { home, data, server, id } = await world();
  const kept = picture('kept');
  const spoilt = picture('spoilt');
  const { url } = await upload(server, id, 'kept.png', kept);
  const other = await upload(server, id, 'spoilt.png', spoilt);
  const backup = path.join(home, 'one.backup');
  t.equal((await run(['backup', backup, '--data', data])).code, 0);
  await server.end('SIGTERM');
  flip(backup, fs.readFileSync(backup).indexOf(spoilt) + 80);
  const restored = path.join(home, 'restored');
  const { code, stdout } = await run(['restore', backup, '--data', restored]);
  t.equal(code, 3);
  t.match(stdout, /Lost:\n.*"spoilt\.png".*\n.*upload the pictures again/);
  t.notMatch(stdout, /kept\.png/);
  const back = await serve(t, restored, flags, server.key);
  t.strictSame(await bytesAt(back, url), kept);
  t.equal(await bytesAt(back, other.url), 500, 'never wrong bytes');
});

t.test('a backup of a data folder that lost a file is made without it, and says so', async (t) => {
  const { home, data, server, id } = await world();
  const kept = picture('kept');
  const lost = picture('lost');
  await upload(server, id, 'kept.png', kept);
  await upload(server, id, 'lost.png', lost);
  fs.rmSync(blobIn(data, lost));
  const backup = path.join(home, 'one.backup');
  const made = await run(['backup', backup, '--data', data]);
  t.equal(made.code, 3);
  t.match(made.stdout, digestOf(lost));
  t.ok(fs.readFileSync(backup).includes(kept));
});
