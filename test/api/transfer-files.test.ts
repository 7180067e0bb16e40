// tier: normal
/** Exports and imports with files: the bytes travel as base64, and the texts of the new project name them at new addresses. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import t from 'tap';
import fc from '../support/fast-check.ts';
import { type Answer, type Ask, type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { sized } from '../support/tier.ts';
import { FilesWorld, filesWorld } from './files-world.ts';
import { gif, jpeg, png, svg } from './pictures.ts';

const at = '/projects/import';
const mebibyte = 1024 * 1024;
const publicUrl = 'https://maps.example.com/base';
const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface DocumentFile {
  name: string;
  type: string;
  bytes: number;
  url: string;
  digest: string;
  content?: string;
}

interface Document {
  format: string;
  version: number;
  project: Shown;
  files: DocumentFile[];
}

const exportOf = (world: FilesWorld, query = '?files=true'): Promise<Answer> => world.mapwright.get(`${world.at}/export${query}`);
const documentOf = async (world: FilesWorld, query?: string): Promise<Document> =>
  (await exportOf(world, query)).json as Document;

/** A project whose members show these files in every way. */
async function project(mapwright: Mapwright, pictures: readonly Buffer[]): Promise<FilesWorld> {
  const world = await filesWorld(mapwright);
  const urls: string[] = [];
  for (const [i, bytes] of pictures.entries()) urls.push(String((await world.uploaded(bytes, `Plan ${i} é.png`))['url']));
  const [first = ''] = urls;
  const html = urls.map((url, i) => `<a href="${i % 2 === 0 ? publicUrl : ''}${url}"><img src='${url}'></a>`).join('<p>&amp;');
  await mapwright.patch(world.at, {
    thumb: first,
    artboards: [{ type: 'image', image_url: publicUrl + first }],
    popups: [{ image: urls.at(-1) ?? '', content: html, title: first }],
    actions: [{ popup_image: first, popup_content: html }],
  });
  return world;
}

/** The same project as a client with another key sees it. */
function as({ mapwright, projectId }: FilesWorld, key: string): FilesWorld {
  const client = {
    get port() {
      return mapwright.port;
    },
    get: (path: string, ask?: Ask) => mapwright.get(path, { ...ask, key }),
  };
  return new FilesWorld(client as Mapwright, projectId);
}

/** The text with the addresses of one project in place of those of the other. */
function renamed(text: string, from: readonly Shown[], to: readonly Shown[]): string {
  return from.reduce((all, { url }, i) => all.replaceAll(String(url), String(to[i]?.['url'])), text);
}

/** Checks that an imported project shows the same pictures as the one that was exported, each at a new address. */
async function sameFiles(source: FilesWorld, made: FilesWorld): Promise<void> {
  const [old, now] = [await source.list(), await made.list()];
  const without = ({ name, type, bytes, width, height }: Shown) => ({ name, type, bytes, width, height });
  const fail = (what: string) => {
    throw new Error(what);
  };
  if (JSON.stringify(old.map(without)) !== JSON.stringify(now.map(without))) fail(JSON.stringify([old, now]));
  for (const [i, { url }] of now.entries()) {
    const before = (old[i] as Shown)['url'];
    if (url === before || String(url).split('/').at(-1) !== String(before).split('/').at(-1)) fail(`${url}, ${before}`);
    if (!(await made.fetch(url)).bytes.equals((await source.fetch(before)).bytes)) fail(`other bytes at ${url}`);
  }
  const texts = async ({ mapwright, at: path }: FilesWorld) => {
    const { thumb, artboards, popups, actions } = (await mapwright.get(path)).shown;
    const [artboard] = artboards as [Shown];
    const [popup] = popups as [Shown];
    const [action] = actions as [Shown];
    const title = popup['title'];
    const named = [
      thumb,
      artboard['image_url'],
      popup['image'],
      popup['content'],
      action['popup_image'],
      action['popup_content'],
    ];
    return { named: JSON.stringify(named), title };
  };
  const [before, after] = [await texts(source), await texts(made)];
  if (after.named !== renamed(before.named, old, now)) fail(`${before.named}\n${after.named}`);
  if (after.title !== before.title) fail('a heading is no reference');
  const problems = await made.mapwright.get(`${made.at}/problems`);
  if (problems.text !== '[]') fail(problems.text);
}

t.test('an exported project with files is imported by another account with the same pictures at new addresses', async (t) => {
  const mapwright = await startMapwright(t, { publicUrl });
  const pictures = [
    png(640, 480, 'a'.repeat(300_000)),
    gif(),
    jpeg(),
    svg('<circle r="1"/>'),
    png(640, 480, 'a'.repeat(300_000)),
  ];
  const source = await project(mapwright, pictures);
  const exported = await exportOf(source);
  t.equal(exported.headers['content-length'], String(Buffer.byteLength(exported.text)));
  t.match(exported.headers['content-disposition'], /^attachment; filename="[\w-]+\.mapwright\.json"$/);
  const { files } = exported.json as Document;
  for (const [i, { content, digest, bytes }] of files.entries()) {
    t.ok(Buffer.from(String(content), 'base64').equals(pictures[i] as Buffer));
    t.strictSame([digest, bytes], [digestOf(pictures[i] as Buffer), pictures[i]?.length]);
  }
  const bob = await mapwright.newKey('bob');
  const records = mapwright.lastRecord();
  const answer = await mapwright.post(at, exported.text, { key: bob });
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  t.equal(mapwright.lastRecord(), records + 1, 'one record');
  const made = as(new FilesWorld(mapwright, answer.shown.id), bob);
  await sameFiles(as(source, mapwright.key), made);
  const again = await documentOf(made);
  t.strictSame(
    again.files.map(({ content }) => content),
    files.map(({ content }) => content),
    'exported again',
  );
  await mapwright.crash();
  t.ok((await made.fetch((await made.list())[0]?.['url'])).bytes.equals(pictures[0] as Buffer), 'after a crash, too');
});

t.test('without ?files=true an export has names and digests; its import has no files, and tells which are missing', async (t) => {
  const mapwright = await startForRequests(t, { publicUrl });
  const source = await project(mapwright, [png(), gif()]);
  const document = await documentOf(source, '');
  const [file] = document.files;
  t.strictSame(Object.keys(file ?? {}), ['name', 'type', 'bytes', 'url', 'digest']);
  t.match(file, { name: 'Plan 0 é.png', type: 'image/png', digest: digestOf(png()) });
  const made = (await mapwright.post(at, document)).shown;
  const world = new FilesWorld(mapwright, made.id);
  t.strictSame(await world.list(), [], 'a digest alone is no right to the bytes');
  const problems = (await mapwright.get(`${world.at}/problems`)).list;
  t.ok(problems.length > 0);
  const plain = await filesWorld(mapwright);
  t.strictSame(
    Object.keys(await documentOf(plain)),
    ['format', 'version', 'project'],
    'a project without files has no such member',
  );
});

t.test('an export has another tag when a file is added, renamed or deleted', async (t) => {
  const mapwright = await startForRequests(t);
  const world = await filesWorld(mapwright);
  const seen = new Set<unknown>();
  const tagged = async () => {
    for (const query of ['', '?files=true']) {
      const { headers } = await exportOf(world, query);
      t.notOk(seen.has(headers.etag), 'a new one');
      seen.add(headers.etag);
      const again = await mapwright.get(`${world.at}/export${query}`, { headers: { 'if-none-match': String(headers.etag) } });
      t.equal(again.status, 304);
    }
  };
  await tagged();
  const { id } = await world.uploaded();
  await tagged();
  await mapwright.patch(`${world.at}/files/${id}`, { name: 'other.png' });
  await tagged();
  await mapwright.delete(`${world.at}/files/${id}`);
  await tagged();
});

t.test('an export that could not be imported is refused with what to do', async (t) => {
  const mapwright = await startForRequests(t, { limits: { streamedBytesMax: mebibyte } });
  const world = await filesWorld(mapwright);
  await world.uploaded(png(1, 1, 'x'.repeat(700_000)));
  const empty = await exportOf(world);
  t.equal(empty.status, 200);
  await world.uploaded(png(1, 1, 'y'.repeat(100_000)));
  const refused = await exportOf(world);
  t.match(refused, { status: 413, problem: { detail: /--import-mb.*--out FOLDER/ } });
  t.equal((await exportOf(world, '')).status, 200);
  const head = await mapwright.ask('HEAD', `/v1${world.at}/export?files=true`);
  t.equal(head.status, 413);
  t.equal((await mapwright.post(at, empty.text)).status, 200, 'what is exported can be imported');
});

t.test('an export never sends damaged bytes as a whole document', async (t) => {
  const mapwright = await startMapwright(t);
  const world = await filesWorld(mapwright);
  const bytes = png(3, 2, 'x'.repeat(500_000));
  await world.uploaded(bytes);
  const blob = world.blobPath(digestOf(bytes));
  const other = Buffer.from(bytes);
  other[400_000] = 1;
  fs.writeFileSync(blob, other);
  await t.rejects(exportOf(world), 'the response is cut off');
  fs.rmSync(blob);
  t.match(await exportOf(world), { status: 500, problem: { detail: /Plan|plan\.png/ } });
  t.equal((await exportOf(world, '')).status, 200);
});

t.test('a file of a document that is not what it says is refused with its place, and nothing is kept', async (t) => {
  const mapwright = await startForRequests(t, { limits: { fileBytesMax: mebibyte } });
  const source = await project(mapwright, [png(), gif()]);
  const document = await documentOf(source);
  const count = async () => (await mapwright.get('/projects?fields=name')).list.length;
  const before = await count();
  const changed = (change: (file: Record<string, unknown>) => void): object => {
    const copy = structuredClone(document);
    change(copy.files[1] as unknown as Record<string, unknown>);
    return copy;
  };
  const wrong: readonly [string, (file: Record<string, unknown>) => void][] = [
    ['/files/1/content', (file) => Object.assign(file, { content: `${file['content']}!` })],
    ['/files/1/content', (file) => Object.assign(file, { content: String(file['content']).slice(0, -1) })],
    ['/files/1/content', (file) => Object.assign(file, { content: `=${file['content']}` })],
    ['/files/1/content', (file) => Object.assign(file, { content: ` ${file['content']}` })],
    ['/files/1/content', (file) => Object.assign(file, { content: '', digest: digestOf(Buffer.alloc(0)), bytes: 0 })],
    ['/files/1/content', (file) => Object.assign(file, { content: 5 })],
    ['/files/1/content', (file) => Object.assign(file, { content: null })],
    ['/files/1/content', (file) => Object.assign(file, { content: base64('MZ'), digest: digestOf(Buffer.from('MZ')), bytes: 2 })],
    ['/files/1/digest', (file) => Object.assign(file, { digest: digestOf(png()) })],
    ['/files/1/digest', (file) => Object.assign(file, { digest: 'x' })],
    ['/files/1/bytes', (file) => Object.assign(file, { bytes: 5 })],
    ['/files/1/type', (file) => Object.assign(file, { type: 'image/png' })],
    ['/files/1/name', (file) => Object.assign(file, { name: '../x' })],
    ['/files/1/name', (file) => delete file['name']],
    ['/files/1/url', (file) => Object.assign(file, { url: 'https://example.com/x.png' })],
    ['/files/1/url', (file) => Object.assign(file, { url: document.files[0]?.url })],
    ['/files/1/width', (file) => Object.assign(file, { width: 5 })],
  ];
  for (const [pointer, change] of wrong) {
    const answer = await mapwright.post(at, changed(change));
    t.strictSame([answer.status, answer.pointers], [400, [pointer]], answer.text.slice(0, 300));
  }
  for (const files of [{}, 'x', null]) t.strictSame((await mapwright.post(at, { ...document, files })).pointers, ['/files']);
  for (const files of [[5], [[]], [null]])
    t.strictSame((await mapwright.post(at, { ...document, files })).pointers, ['/files/0']);
  const content = `,"content":"${document.files[0]?.content}"`;
  const twice = JSON.stringify(document).replace(content, content + content);
  t.match(await mapwright.post(at, twice), { status: 400, problem: { detail: /files\/0\/content more than once/ } });
  const large = changed((file) => Object.assign(file, { content: base64(png(1, 1, 'x'.repeat(mebibyte))) }));
  t.match(await mapwright.post(at, large), { status: 413, problem: { detail: /files\/1.*--file-mb/ } });
  t.equal(await count(), before);

  const many = { ...document, files: Array.from({ length: 10_001 }, () => ({ ...document.files[0], content: '' })) };
  t.ok((await mapwright.post(at, many)).pointers.length > 0);
  const fine = changed((file) => {
    for (const member of ['type', 'bytes', 'digest']) delete file[member];
  });
  t.equal((await mapwright.post(at, JSON.stringify(fine).replaceAll('/', '\\/'))).status, 200, 'escaped slashes are slashes');
});

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');

t.test('files of an import count for the bytes of its account', async (t) => {
  const mapwright = await startForRequests(t, { quotas: { bytes: 3000 } });
  const source = await filesWorld(mapwright);
  await source.uploaded(png(1, 1, 'x'.repeat(1500)));
  const document = await documentOf(source);
  await mapwright.delete(`${source.at}/files/${(await source.list())[0]?.id}`);
  await source.uploaded(png(1, 1, 'y'.repeat(1500)));
  const refused = await mapwright.post(at, document);
  t.equal(refused.status, 403, refused.text.slice(0, 200));
  t.equal((await mapwright.get('/projects')).list.length, 1);
});

t.test('an import with an Idempotency-Key is executed once, with one set of files', async (t) => {
  const mapwright = await startForRequests(t);
  const document = await documentOf(await project(mapwright, [png()]));
  const headers = { 'idempotency-key': 'k' };
  const [one, other] = [await mapwright.post(at, document, { headers }), await mapwright.post(at, document, { headers })];
  t.equal(one.status, 200);
  t.equal(other.text, one.text);
});

t.test('any files survive export and import, wherever the list of files is in the document', async (t) => {
  const mapwright = await startForRequests(t, { publicUrl });
  const rest = fc.string({ maxLength: 2000 });
  const picture = fc.oneof(
    rest.map((text) => png(1, 1, text)),
    rest.map((text) => gif(2, 2, text)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(picture, { minLength: 1, maxLength: 4 }), fc.boolean(), async (pictures, isFirst) => {
      const source = await project(mapwright, pictures);
      const { format, version, project: content, files } = await documentOf(source);
      const document = isFirst ? { files, format, version, project: content } : { format, version, project: content, files };
      const made = (await mapwright.post(at, document)).shown;
      await sameFiles(source, new FilesWorld(mapwright, made.id));
    }),
    { numRuns: sized({ sample: 8, all: 40 }) },
  );
});
