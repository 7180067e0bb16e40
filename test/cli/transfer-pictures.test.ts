// tier: normal
/** `mapwright export` and `mapwright import` with pictures: as files beside the document, or in the document on standard output. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { gif, png } from '../api/pictures.ts';
import { must, run, temporaryFolder } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';

const flagsFor = ({ url, key }: Pick<ServedHere, 'url' | 'key'>): string[] => ['--url', url, '--key', key];

interface ListedFile {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

const filesOf = async (server: ServedHere, id: string): Promise<ListedFile[]> =>
  (await must(server, 'GET', `/projects/${id}/files`)) as unknown as ListedFile[];

async function bytesAt({ url }: ServedHere, file: ListedFile | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(url + file?.url)).arrayBuffer());
}

const pictures: readonly [string, Buffer][] = [
  ['Plän 1.png', png(3, 2, 'x'.repeat(100_001))],
  ['CON.gif', gif()],
  ['plan 1.png', png(3, 2, 'other')],
  ['again.png', png(3, 2, 'other')],
];

/** A project that shows its pictures. */
async function made(server: ServedHere): Promise<string> {
  const { id } = await must(server, 'POST', '/projects', { name: 'Café' });
  for (const [name, bytes] of pictures) {
    const at = `${server.url}/v1/projects/${id}/files?name=${encodeURIComponent(name)}`;
    const answer = await fetch(at, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body: new Uint8Array(bytes),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  const urls = (await filesOf(server, id)).map(({ url }) => url);
  const content = urls.map((url) => `<img src="${url}">`).join('');
  await must(server, 'PATCH', `/projects/${id}`, { thumb: urls[0], popups: [{ content }] });
  return id;
}

async function isComplete(server: ServedHere, id: string): Promise<boolean> {
  const files = await filesOf(server, id);
  const project = await must(server, 'GET', `/projects/${id}`);
  const text = JSON.stringify(project);
  const problems = await must(server, 'GET', `/projects/${id}/problems`);
  const same = await Promise.all(files.map(async (file, i) => (await bytesAt(server, file)).equals(pictures[i]?.[1] as Buffer)));
  const names = files.map(({ name }) => name).join() === pictures.map(([name]) => name).join();
  return names && same.every(Boolean) && files.every(({ url }) => text.includes(url)) && JSON.stringify(problems) === '[]';
}

t.test('pictures are saved beside the document, and come back from there at new addresses', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const id = await made(server);
  const exported = await run(['export', id, '--out', 'maps/', ...flagsFor(server)], { cwd });
  t.match(exported, { code: 0, stdout: 'Exported maps/Cafe.mapwright.json, and 4 pictures into maps/Cafe.files.\n', stderr: '' });
  t.strictSame(fs.readdirSync(path.join(cwd, 'maps')), ['Cafe.files', 'Cafe.mapwright.json', 'manifest.json']);
  const saved = fs.readdirSync(path.join(cwd, 'maps/Cafe.files'));
  t.strictSame(saved.map((name) => name.replace(/-[0-9a-f]{16}\./, '.')).sort(), [
    'Plan-1.png',
    'again.png',
    'picture-CON.gif',
    'plan-1.png',
  ]);
  t.equal(fs.statSync(path.join(cwd, 'maps/Cafe.files', String(saved[0]))).mode & 0o777, 0o600);

  for (const source of ['maps', 'maps/Cafe.mapwright.json']) {
    const imported = await run(['import', source, '--json', ...flagsFor(server)], { cwd });
    t.match(imported, { code: 0, stderr: '' });
    const [project] = JSON.parse(imported.stdout).projects;
    t.match(project, { name: 'Café' });
    t.ok(await isComplete(server, project.id), source);
    t.not((await filesOf(server, project.id))[0]?.url, (await filesOf(server, id))[0]?.url);
  }

  const lost = path.join(cwd, 'maps/Cafe.files', String(saved[0]));
  const bytes = fs.readFileSync(lost);
  fs.writeFileSync(lost, 'GIF89a');
  const changed = await run(['import', 'maps', ...flagsFor(server)], { cwd });
  t.match(changed, { code: 1, stderr: /\/files\/\d\/digest/ });
  fs.rmSync(lost);
  const incomplete = await run(['import', 'maps', ...flagsFor(server)], { cwd });
  t.match(incomplete, { code: 1, stderr: new RegExp(`${saved[0]} is missing.*Export the project again`) });
  fs.writeFileSync(lost, bytes);
  fs.renameSync(path.join(cwd, 'maps/Cafe.files'), path.join(cwd, 'elsewhere'));
  const without = await run(['import', 'maps', ...flagsFor(server)], { cwd });
  t.match(without, { code: 0, stderr: /lists 4 pictures that are not in it/ });
});

t.test('all projects are exported with their pictures; standard output has them in the document', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const id = await made(server);
  await must(server, 'POST', '/projects', { name: 'Empty' });
  t.match(await run(['export', '--all', '--out', 'all', ...flagsFor(server)], { cwd }), { code: 0, stderr: '' });
  t.strictSame(fs.readdirSync(path.join(cwd, 'all')), [
    '1-Cafe.files',
    '1-Cafe.mapwright.json',
    '2-Empty.mapwright.json',
    'manifest.json',
  ]);
  const imported = await run(['import', 'all', '--json', ...flagsFor(server)], { cwd });
  t.ok(await isComplete(server, JSON.parse(imported.stdout).projects[0].id));

  const printed = await run(['export', id, '--out', '-', ...flagsFor(server)], { cwd });
  fs.writeFileSync(path.join(cwd, 'whole.json'), printed.stdout);
  const whole = await run(['import', 'whole.json', '--json', ...flagsFor(server)], { cwd });
  t.match(whole, { code: 0, stderr: '' });
  t.ok(await isComplete(server, JSON.parse(whole.stdout).projects[0].id));
});

t.test('an export whose picture cannot be had leaves no document', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const id = await made(server);
  const blobs = path.join(server.data, 'blobs');
  const folders = fs.readdirSync(blobs).filter((name) => name !== 'tmp' && fs.readdirSync(path.join(blobs, name)).length > 0);
  fs.rmSync(path.join(blobs, String(folders[0]), fs.readdirSync(path.join(blobs, String(folders[0])))[0] as string));
  const failed = await run(['export', id, ...flagsFor(server)], { cwd });
  t.match(failed, { code: 1, stderr: /damaged or missing/ });
  t.notOk(fs.readdirSync(cwd).some((name) => name.endsWith('.json')));
});
