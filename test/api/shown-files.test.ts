/** Files that a published map shows: their addresses work although the project does not have them any more. */
import t from 'tap';
import { type Shown, startMapwright } from '../support/mapwright.ts';
import { type FilesWorld, filesWorld } from './files-world.ts';
import { png } from './pictures.ts';

const publicationOf = ({ projectId }: FilesWorld): string => `/v1/projects/${projectId}/publication`;

async function publish(world: FilesWorld): Promise<Shown> {
  return (await world.mapwright.ask('PUT', publicationOf(world), { body: {} })).shown;
}

const statuses = (world: FilesWorld, files: readonly Shown[]): Promise<number[]> =>
  Promise.all(files.map(async ({ url }) => (await world.fetch(url)).status));

const deleteFiles = async (world: FilesWorld, files: readonly Shown[]): Promise<void> => {
  for (const { id } of files) await world.mapwright.delete(`${world.at}/files/${id}`);
};

t.test('a file that is deleted stays at its address while a kept version of the map shows it', async (t) => {
  const world = await filesWorld(await startMapwright(t, { publicUrl: 'https://maps.example/maps' }));
  const { mapwright, at } = world;
  const named = async (name: string): Promise<Shown> => await world.uploaded(png(3, 2, name), `${name}.png`);
  const [alone, inHtml, linked, unused] = [await named('alone'), await named('html'), await named('linked'), await named('no')];
  await mapwright.post(`${at}/artboards`, { image_url: alone['url'] });
  const content = `<p>a &amp; b</p><img src="https://maps.example/maps${inHtml['url']}">`;
  const popup = (await mapwright.post(`${at}/popups`, { content })).shown.id;
  await mapwright.post(`${at}/popups`, { content: `<a href='${linked['url']}'>plan</a>` });
  const shown = [alone, inHtml, linked];
  await publish(world);
  const before = await world.fetch(alone['url']);
  await deleteFiles(world, [...shown, unused]);
  t.strictSame(await statuses(world, [...shown, unused]), [200, 200, 200, 404]);
  const after = await world.fetch(alone['url']);
  t.ok(after.bytes.equals(before.bytes));
  for (const name of ['content-type', 'etag', 'cache-control', 'content-security-policy'])
    t.equal(after.headers.get(name), before.headers.get(name), name);
  t.equal((await world.fetch(alone['url'], { range: 'bytes=0-9' })).status, 206);
  t.strictSame(await world.list(), [], 'the project does not have them');
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.strictSame(await statuses(world, [...shown, unused]), [200, 200, 200, 404], 'after a restart');
  await mapwright.restart({ publish: false });
  t.strictSame(await statuses(world, shown), [404, 404, 404], 'where nothing is public');
  await mapwright.restart({ publish: true });
  // The next versions name them, though the project has no such files any more.
  for (const title of ['two', 'three', 'four', 'five']) {
    await mapwright.patch(`${at}/popups/${popup}`, { title });
    await publish(world);
    t.strictSame(await statuses(world, shown), [200, 200, 200], title);
  }
  await mapwright.patch(at, { artboards: [], popups: [{ title: 'nothing' }] });
  for (const name of ['six', 'seven', 'eight']) {
    t.strictSame(await statuses(world, shown), [200, 200, 200], `before ${name}: a version that names them is kept`);
    await mapwright.patch(at, { popups: [{ title: name }] });
    await publish(world);
  }
  t.strictSame(await statuses(world, shown), [404, 404, 404], 'the newest three versions are kept');
});

t.test('the icon of a category and the logo of the page are pictures of the map', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const [icon, logo] = [await world.uploaded(png(3, 2, 'icon')), await world.uploaded(png(3, 2, 'logo'))];
  const categories = [{ name: 'Food', icon: icon['url'] }];
  const public_map = { categories, header: { logo: logo['url'] } };
  await world.mapwright.patch(world.at, { settings: { public_map } });
  await publish(world);
  await deleteFiles(world, [icon, logo]);
  t.strictSame(await statuses(world, [icon, logo]), [200, 200]);
});

for (const [what, end] of [
  ['is made private', (world: FilesWorld) => world.mapwright.ask('DELETE', publicationOf(world))],
  ['is deleted', (world: FilesWorld) => world.mapwright.delete(world.at)],
] as const) {
  t.test(`a deleted file of a published map is gone when the project ${what}`, async (t) => {
    const world = await filesWorld(await startMapwright(t));
    const kept = await world.uploaded(png(3, 2, 'kept'));
    const gone = await world.uploaded(png(3, 2, 'gone'));
    for (const { url } of [kept, gone]) await world.mapwright.post(`${world.at}/artboards`, { image_url: url });
    await publish(world);
    await deleteFiles(world, [gone]);
    t.strictSame(await statuses(world, [kept, gone]), [200, 200]);
    await end(world);
    t.strictSame(await statuses(world, [kept, gone]), [what === 'is deleted' ? 404 : 200, 404]);
  });
}

t.test('publishing the same map again keeps the files that it shows, and finds those that came back', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const [one, two] = [await world.uploaded(png(3, 2, 'one')), await world.uploaded(png(3, 2, 'two'))];
  for (const { url } of [one, two]) await mapwright.post(`${at}/artboards`, { image_url: url });
  const version = (await mapwright.post(`${at}/versions`, { name: 'both' })).shown.id;
  await deleteFiles(world, [two]);
  t.match(await publish(world), { version: 1 });
  await mapwright.post(`${at}/versions/${version}/restore`, {});
  await deleteFiles(world, [one]);
  // A member that is not public: the project is another, and the map is the same.
  await mapwright.patch(at, { settings: { theme: 'dark' } });
  t.match(await publish(world), { version: 1, stale: false });
  await deleteFiles(world, [two]);
  t.strictSame(await statuses(world, [one, two]), [200, 200]);
});

t.test('a copy of the project does not have files that only the published map shows', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const file = await world.uploaded();
  await world.mapwright.post(`${world.at}/artboards`, { image_url: file['url'] });
  await publish(world);
  await deleteFiles(world, [file]);
  const { id } = (await world.mapwright.post(`${world.at}/duplicate`, {})).shown;
  t.strictSame((await world.mapwright.get(`/projects/${id}/files`)).list, []);
});
