// tier: all, process: first
/** The bytes of files in backups: contained in one file, restored, and named when they are missing or damaged. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { ask } from '../support/client.ts';
import { flip } from '../support/flip.ts';
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

t.test('a backup contains versions, and the bytes of a deleted file that a version needs', async (t) => {
  const { home, data, server, id } = await world();
  const gone = picture('gone');
  const { id: fileId, url } = await upload(server, id, 'gone.png', gone);
  const version = JSON.parse((await ask(server, 'POST', `/v1/projects/${id}/versions`, { name: 'first' })).text) as {
    id: string;
  };
  await must(server, 'DELETE', `/projects/${id}/files/${fileId}`);
  const backup = path.join(home, 'one.backup');
  t.equal((await run(['backup', backup, '--data', data])).code, 0);
  await server.end('SIGTERM');
  fs.rmSync(data, { recursive: true });
  const restored = path.join(home, 'restored');
  t.equal((await run(['restore', backup, '--data', restored])).code, 0);
  const back = await serve(t, restored, flags, server.key);
  t.equal((await ask(back, 'POST', `/v1/projects/${id}/versions/${version.id}/restore`, {})).status, 200);
  t.strictSame(await bytesAt(back, url), gone);
  await back.end('SIGTERM');
  t.equal((await run(['verify', '--data', restored])).code, 0);
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

t.test('verify names missing and damaged files, in use or not, and repair lists them', async (t) => {
  const { home, data, server, id } = await world();
  const [kept, missing, spoilt] = ['kept', 'missing', 'spoilt'].map((text) => picture(text)) as [Buffer, Buffer, Buffer];
  const { url } = await upload(server, id, 'kept.png', kept);
  await upload(server, id, 'missing.png', missing);
  await upload(server, id, 'spoilt.png', spoilt);
  t.match(JSON.parse((await run(['verify', '--data', data, '--json'])).stdout), { blobs: 3, lost: 0, findings: [] });
  fs.rmSync(blobIn(data, missing));
  flip(blobIn(data, spoilt), 90);
  const during = await run(['verify', '--data', data]);
  await server.end('SIGTERM');
  const after = await run(['verify', '--data', data]);
  for (const { code, stdout } of [during, after]) {
    t.equal(code, 3);
    t.match(stdout, /"missing\.png" of project \S+ are lost: the file does not exist/);
    t.match(stdout, /"spoilt\.png" of project \S+ are lost: the bytes do not have the digest/);
    t.match(stdout, /upload the same pictures again/);
    t.notMatch(stdout, /kept\.png/);
  }
  const repaired = path.join(home, 'repaired');
  const { code, stdout } = await run(['repair', '--data', data, '--to', repaired, '--json']);
  t.equal(code, 3);
  const { losses } = JSON.parse(stdout);
  t.match(losses, [
    { kind: 'file', project_id: id },
    { kind: 'file', project_id: id },
  ]);
  t.strictSame(losses.map(({ name }: { name: string }) => name).sort(), ['missing.png', 'spoilt.png']);
  t.match(JSON.parse((await run(['verify', '--data', repaired, '--json'])).stdout), { blobs: 3, lost: 2 });
  const again = await serve(t, repaired, flags, server.key);
  t.strictSame(await bytesAt(again, url), kept);
});

/** Waits until the newest backup in a folder contains a record. */
async function backedUp(folder: string, lsn: number): Promise<string> {
  for (;;) {
    const newest = (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
      .map((name) => ({ name, lsn: Number(/-(\d+)\.backup$/.exec(name)?.[1] ?? 0) }))
      .sort((a, b) => a.lsn - b.lsn)
      .at(-1);
    if (newest !== undefined && newest.lsn >= lsn) return path.join(folder, newest.name);
    await delay(50);
  }
}

/** LSN of the newest record, from the log. */
async function newestLsn(data: string): Promise<number> {
  const { stdout } = await run(['log', '--data', data, '--json']);
  return Math.max(...[...stdout.matchAll(/"lsn":(\d+)/g)].map(([, lsn]) => Number(lsn)));
}

t.test('scheduled backups share a folder of files, and bring back the files of every point', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const backups = path.join(home, 'backups');
  fs.mkdirSync(backups);
  const schedule = ['--backup-dir', backups, '--backup-every', '1s', '--backup-keep', '100'];
  const server = await serve(t, data, [...flags, ...schedule]);
  const { id } = await must(server, 'POST', '/projects', { name: 'Harbour' });
  const [first, brief, last] = ['first', 'brief', 'last'].map((text) => picture(text)) as [Buffer, Buffer, Buffer];
  const one = await upload(server, id, 'first.png', first);
  const backup = await backedUp(backups, await newestLsn(data));
  t.notOk(fs.readFileSync(backup).includes(first), 'the backup does not contain the file');
  t.strictSame(fs.readFileSync(blobIn(backups, first)), first);
  t.equal(fs.statSync(blobIn(backups, first)).nlink, 1, 'and no hard link');
  t.not(fs.statSync(blobIn(backups, first)).ino, fs.statSync(blobIn(data, first)).ino);
  // Without the time for a backup in between: if there is one all the same, it lists the file.
  const two = await upload(server, id, 'brief.png', brief);
  const at = await newestLsn(data);
  await must(server, 'DELETE', `/projects/${id}/files/${two.id}`);
  await must(server, 'DELETE', `/projects/${id}/files/${one.id}`);
  const three = await upload(server, id, 'last.png', last);
  await backedUp(backups, await newestLsn(data));

  const point = path.join(home, 'point');
  const restore = () => run(['restore', '--at', String(at), '--from', backups, '--data', point]);
  // The log is archived right after the backup.
  let made = await restore();
  for (let tries = 0; made.code === 1 && tries < 300; tries++) {
    await delay(100);
    made = await restore();
  }
  await server.end('SIGTERM');
  t.equal(made.code, 0, made.stderr + made.stdout);
  const then = await serve(t, point, flags, server.key);
  t.strictSame(await Promise.all([one, two].map(({ url }) => bytesAt(then, url))), [first, brief]);
  await then.end('SIGTERM');
  const newest = path.join(home, 'newest');
  t.equal((await run(['restore', '--from', backups, '--data', newest])).code, 0);
  const now = await serve(t, newest, flags, server.key);
  t.strictSame(await Promise.all([one, two, three].map(({ url }) => bytesAt(now, url))), [404, 404, last]);
  await now.end('SIGTERM');
  t.strictSame(
    fs.readdirSync(path.join(newest, 'blobs')).filter((name) => fs.readdirSync(path.join(newest, 'blobs', name)).length > 0),
    [digestOf(last).slice(0, 2)],
  );
  fs.rmSync(blobIn(backups, last));
  const damaged = await run(['verify', await backedUp(backups, 0)]);
  t.equal(damaged.code, 3);
  t.match(damaged.stdout, /"last\.png" of project \S+ are lost: the file does not exist/);
});

t.test('pruning deletes a file that no kept backup lists, and only then', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const backups = path.join(home, 'backups');
  fs.mkdirSync(backups);
  const schedule = ['--backup-dir', backups, '--backup-every', '1s', '--backup-keep', '2'];
  const server = await serve(t, data, [...flags, ...schedule]);
  const { id } = await must(server, 'POST', '/projects', { name: 'Harbour' });
  const [kept, gone] = ['kept', 'gone'].map((text) => picture(text)) as [Buffer, Buffer];
  await upload(server, id, 'kept.png', kept);
  const { id: file } = await upload(server, id, 'gone.png', gone);
  await backedUp(backups, await newestLsn(data));
  await must(server, 'DELETE', `/projects/${id}/files/${file}`);
  await backedUp(backups, await newestLsn(data));
  t.ok(fs.existsSync(blobIn(backups, gone)), 'the backup before the deletion is kept');
  for (let i = 0; i < 2; i++) {
    await must(server, 'PATCH', `/projects/${id}`, { name: `${i}` });
    await backedUp(backups, await newestLsn(data));
  }
  while (fs.existsSync(blobIn(backups, gone))) await delay(50);
  t.strictSame(fs.readFileSync(blobIn(backups, kept)), kept);
  t.ok(fs.existsSync(blobIn(data, gone)), 'the data folder keeps it for a day');
  await server.end('SIGTERM');
});
