// tier: normal
/** Addresses of files as references: `/problems` lists those that name no file of the project, and strict writes refuse them. */
import t from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { danglingIn } from '../../src/engine/write/integrity/dangling-references.ts';
import { newlyDangling } from '../../src/engine/write/integrity/integrity.ts';
import { sliceElements } from '../../src/model/bodies/check-body.ts';
import { newSlug } from '../../src/model/publication.ts';
import { filePath } from '../../src/model/references/file-references.ts';
import { viewProject } from '../../src/store/list/views.ts';
import { accountIn, create, done, openWorld, project } from '../support/engine.ts';
import { type Answer, type Shown, startForRequests } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { type FilesWorld, filesWorld } from './files-world.ts';
import { resolve } from './naive-references.ts';

const publicUrl = 'https://maps.example.com/base';
const nowhere = filePath(newSlug(0), 'plan.png');
const slugIn = (url: unknown): string => String(url).split('/').at(-2) ?? '';

interface Problem {
  readonly pointer: string;
  readonly member: string;
  readonly resource: { readonly kind: string; readonly id: string; readonly path: string };
  readonly refers_to: { readonly kind: string; readonly id: string };
}

const problemsOf = async ({ mapwright, at }: FilesWorld): Promise<Problem[]> =>
  (await mapwright.get(`${at}/problems`)).shown as unknown as Problem[];

/** Every member that may have the address of a file, as JSON of a project. */
const everywhere = (url: string): object => ({
  thumb: url,
  artboards: [{ image_url: url }],
  popups: [{ image: url, content: `<a href="${publicUrl}${url}">plan</a>` }],
  actions: [{ popup_image: publicUrl + url, popup_content: `<p>a &amp; b</p><img src="${url}"><img src='${url}'>` }],
});

const pointersEverywhere = [
  '/thumb',
  '/artboards/0/image_url',
  '/popups/0/image',
  '/popups/0/content',
  '/actions/0/popup_image',
  '/actions/0/popup_content',
];

const mapwright = await startForRequests(t, { publicUrl });

t.test('an address that names no file of the project is a problem, wherever it is', async (t) => {
  const world = await filesWorld(mapwright);
  const { url } = await world.uploaded();
  await mapwright.patch(world.at, everywhere(String(url)));
  t.strictSame(await problemsOf(world), []);
  const { etag } = (await mapwright.get(`${world.at}/problems`)).headers;
  const [{ id: fileId }] = (await world.list()) as [Shown];
  await mapwright.delete(`${world.at}/files/${fileId}`);
  const again = await mapwright.get(`${world.at}/problems`, { headers: { 'if-none-match': String(etag) } });
  t.equal(again.status, 200, 'the deletion of a file is another state of the list');
  const problems = await problemsOf(world);
  t.strictSame(
    problems.map(({ pointer }) => pointer),
    pointersEverywhere,
  );
  const document = (await mapwright.get(world.at)).shown;
  for (const { pointer, member, resource, refers_to } of problems) {
    t.match(resolve(document, pointer), String(url), 'the pointer leads to the text');
    t.equal(pointer.split('/').at(-1), member);
    const there = (await mapwright.ask('GET', resource.path)).shown;
    t.equal(there.id, resource.id, 'the path leads to the resource');
    t.match(there[member], String(url));
    t.strictSame(refers_to, { kind: 'file', id: slugIn(url) });
  }
  t.strictSame(
    problems.map(({ resource }) => resource.kind),
    ['project', 'artboard', 'popup', 'popup', 'action', 'action'],
  );
});

t.test('addresses elsewhere are never references', async (t) => {
  const world = await filesWorld(mapwright);
  const elsewhere = [
    `https://other.example.com${nowhere}`,
    `https://maps.example.com${nowhere}`,
    `//maps.example.com/base${nowhere}`,
    `${nowhere}?a=1`,
    nowhere.slice(1),
    '/f/short/plan.png',
    'data:image/png;base64,AAAA',
    '/p/x/plan.png',
  ];
  for (const url of elsewhere) {
    const html = `<img src="${url}"><b title="${nowhere}">${nowhere}</b><!-- <img src="${nowhere}"> -->`;
    const body = { thumb: url, popups: [{ image: url, title: nowhere, content: html, buttonLink: nowhere }] };
    t.equal((await mapwright.patch(`${world.at}?strict=true`, body)).status, 200, url);
    t.strictSame(await problemsOf(world), [], url);
  }
});

t.test('a file of another project, of the same account too, is no file of this one', async (t) => {
  const [one, other] = [await filesWorld(mapwright), await filesWorld(mapwright)];
  const { url } = await other.uploaded();
  await mapwright.patch(one.at, { thumb: url });
  t.match(await problemsOf(one), [
    { pointer: '/thumb', resource: { kind: 'project', id: one.projectId, path: `/base/v1${one.at}` } },
  ]);
});

t.test('a strict write refuses new addresses that name no file, each with its place in the body', async (t) => {
  const world = await filesWorld(mapwright);
  const { url } = await world.uploaded();
  const before = (await mapwright.get(world.at)).text;
  const refused = await mapwright.patch(`${world.at}?strict=true`, everywhere(nowhere));
  t.equal(refused.status, 400);
  t.strictSame([...refused.pointers].sort(), [...pointersEverywhere].sort());
  t.match(refused.problem.errors?.[0]?.detail, `/f/${slugIn(nowhere)}/`);
  t.equal((await mapwright.get(world.at)).text, before, 'nothing was changed');
  t.equal((await mapwright.patch(`${world.at}?strict=true`, everywhere(String(url)))).status, 200);

  const { id } = (await mapwright.post(`${world.at}/popups`, { content: `<img src="${nowhere}">` })).shown;
  const popup = `${world.at}/popups/${id}?strict=true`;
  const kept = await mapwright.patch(popup, { content: `<img src="${nowhere}"><img src="${url}">` });
  t.equal(kept.status, 200, 'it dangled before, and another one is added that does not');
  const [slug, third] = [slugIn(nowhere), filePath(newSlug(0), 'x.png')];
  const more = await mapwright.patch(popup, { content: `<img src="/f/${slug}/other"><img src="${third}">` });
  t.strictSame([more.status, more.pointers], [400, ['/content']]);
  t.match(more.problem.errors, [{ detail: slugIn(third) }]);
});

t.test('a strict deletion of a file that a map shows is refused, also in a batch', async (t) => {
  const world = await filesWorld(mapwright);
  const { id, url } = await world.uploaded();
  await mapwright.patch(world.at, everywhere(String(url)));
  const path = `${world.at}/files/${id}`;
  const refused = await mapwright.delete(`${path}?strict=true`);
  t.equal(refused.status, 409);
  t.strictSame(refused.pointers, pointersEverywhere);
  const batch = (...operations: object[]): Promise<Answer> => mapwright.post(`${world.at}/batch?strict=true`, { operations });
  const deletion = { method: 'DELETE', path: `/files/${id}` };
  const popup = { method: 'POST', path: '/popups', body: { image: url } };
  const thumb = { method: 'PATCH', path: '', body: { thumb: url } };
  t.match(await batch(popup, deletion), { status: 400, pointers: [/^\/operations\/0\/body\/image$/] });
  t.match(await batch(deletion), { status: 400, pointers: [/^\/operations\/0$/] });
  await mapwright.patch(world.at, { thumb: '', artboards: [], popups: [], actions: [] });
  t.match(await batch(thumb, deletion), { status: 400, pointers: ['/operations/0/body/thumb'] });
  t.equal((await mapwright.delete(`${path}?strict=true`)).status, 204, 'nothing refers to it');
});

t.test('a search for addresses yields after each slice of members and of text', async (t) => {
  const { engine } = await openWorld(temporaryFolder(t), { segmentBytes: 16 * 1024 * 1024 });
  t.teardown(() => engine.close());
  const accountId = await accountIn(engine);
  const made = await projectWith(engine, accountId, 4000, `<p>&nbsp;&#38;</p><img src="${nowhere}">`);
  const pausesOf = (work: Generator<void>): number => {
    let pauses = 0;
    while (work.next().done !== true) pauses++;
    return pauses;
  };
  t.ok(pausesOf(danglingIn(viewProject(made, undefined), 10)) >= 4000 / sliceElements);
  const values = Array.from(made.collection('popups', '')?.capture() ?? [], ({ value }) => value);
  const path = { accountId, projectId: made.id, collection: 'popups', parentId: '' } as const;
  const put = { op: 'put', path, values } as const;
  t.ok(pausesOf(newlyDangling(undefined, [put])) >= 4000 / sliceElements);
  const long = await projectWith(engine, accountId, 8, '&nbsp; '.repeat(32_000));
  t.ok(pausesOf(danglingIn(viewProject(long, undefined), 10)) >= 8, 'long texts count more');
});

async function projectWith(engine: Engine, accountId: string, count: number, content: string) {
  const popups = Array.from({ length: count }, () => ({ content }));
  const id = await done(engine, create(project(accountId), { popups }));
  const made = engine.state.accounts.get(accountId)?.projects.get(id);
  if (made === undefined) throw new Error('the project was created');
  return made;
}
