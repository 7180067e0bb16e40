// tier: normal
/** Copies of projects: equal to the source except for identifiers, with references inside the copy, in one record. */
import t from 'tap';
import { exampleFiles, exampleText } from '../support/examples.ts';
import { identitiesOf, sameProject } from '../support/identities.ts';
import { type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';
import { makeWorld } from './world.ts';

async function projectOf(mapwright: Mapwright, id: string): Promise<Shown> {
  return (await mapwright.get(`/projects/${id}`)).shown;
}

/** The identifiers of both that are the same: of a sound copy none. */
function shared(a: Shown, b: Shown): string[] {
  const ids = new Set(identitiesOf(a));
  return identitiesOf(b).filter((id) => ids.has(id));
}

t.test('a copy of an example has its content and references, and shares no identifier with it', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  for (const file of sampled(exampleFiles, 2)) {
    const { id } = (await mapwright.post('/projects/import', exampleText(file))).shown;
    const before = (await mapwright.get(`/projects/${id}`)).text;
    const source = JSON.parse(before);
    const records = mapwright.lastRecord();
    const answer = await mapwright.post(`/projects/${id}/duplicate`, undefined);
    t.equal(answer.status, 200, file);
    t.equal(mapwright.lastRecord(), records + 1, 'one record');
    const copy = answer.shown;
    t.ok(sameProject(copy, source), `${file}: the same, with its references`);
    t.strictSame(shared(source, copy), []);
    t.equal(copy['user_id'], source['user_id']);
    const read = await mapwright.get(`/projects/${copy.id}`);
    t.ok(read.text === answer.text, 'what was answered is what is read');
    t.equal(read.headers.etag, answer.headers.etag);
    t.ok((await mapwright.get(`/projects/${id}`)).text === before, 'the other is as it was');
    const old = new Set(identitiesOf(source));
    const named = answer.text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
    t.ok(named.length > 0 && !named.some((id) => old.has(id)), 'nothing in it leads to the other');
  }
  const before = (await mapwright.get('/projects')).text;
  await mapwright.crash();
  t.ok((await mapwright.get('/projects')).text === before);
});

interface Copy {
  readonly id: string;
  readonly artboards: { readonly id: string; readonly objects: Shown[] }[];
  readonly popups: Shown[];
  readonly variables: Shown[];
  readonly actions: Shown[];
  readonly settings: unknown;
}

t.test('links within a copy lead to its own artboards and objects, and all other addresses stay', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const { mapwright } = world;
  const spot = await world.make('Object');
  const links = [
    `#${world.artboardId}`,
    ` #${spot.id} `,
    `https://other.example/p#${spot.id}`,
    '#Ground floor',
    `#${world.projectId}x`,
    '#',
  ];
  for (const link of links) {
    await world.make('Object', { click_action: 'follow-link', click_action_url: link });
    await world.make('Popup', { buttonLink: link, content: `<p>${link} <a title="#${spot.id}" href='${link}'>there</a></p>` });
    await world.make('Action', { popup_button_link: link, popup_content: `<a href="${link.replace('#', '&#35;')}">there</a>` });
  }
  const copy = (await mapwright.post(`/projects/${world.projectId}/duplicate`, {})).shown as unknown as Copy;
  const [artboard] = copy.artboards;
  const [place, ...objects] = artboard?.objects ?? [];
  const led = [`#${artboard?.id}`, `#${place?.id}`, ...links.slice(2)];
  t.strictSame(
    objects.map(({ click_action_url }) => click_action_url),
    led,
  );
  t.strictSame(
    copy.popups.map(({ buttonLink }) => buttonLink),
    led,
  );
  t.strictSame(
    copy.popups.map(({ content }) => content),
    links.map((link, i) => `<p>${link} <a title="#${spot.id}" href='${led[i]}'>there</a></p>`),
  );
  t.strictSame(
    copy.actions.map(({ popup_button_link }) => popup_button_link),
    led,
  );
  const contents = copy.actions.map(({ popup_content }) => popup_content);
  t.strictSame(contents.slice(0, 2), [`<a href="${led[0]}">there</a>`, `<a href="${led[1]}">there</a>`]);
});

t.test('a copy takes a new name and If-Match, and refuses other members', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const { mapwright } = world;
  const at = `/projects/${world.projectId}/duplicate`;
  await mapwright.patch(`/projects/${world.projectId}`, { name: 'Harbour' });
  t.equal((await mapwright.post(at, undefined)).shown['name'], 'Harbour');
  t.equal((await mapwright.post(at, {})).shown['name'], 'Harbour');
  t.equal((await mapwright.post(at, { name: 'Harbour, again' })).shown['name'], 'Harbour, again');
  t.equal((await mapwright.post(at, { name: '' })).shown['name'], '');
  const count = (await mapwright.get('/projects')).list.length;
  for (const [body, pointer] of [
    [{ name: 5 }, '/name'],
    [{ nam: 'x' }, '/nam'],
    [{ thumb: '' }, '/thumb'],
    ['[]', ''],
    ['null', ''],
    ['{"name":"\\ud800"}', '/name'],
  ] as const) {
    const answer = await mapwright.post(at, body);
    t.equal(answer.status, 400, JSON.stringify(body));
    t.strictSame(answer.pointers, [pointer]);
  }
  const etag = String((await world.project()).headers.etag);
  t.equal((await mapwright.post(at, {}, { headers: { 'if-match': '"another"' } })).status, 412);
  t.equal((await mapwright.post(at, {}, { headers: { 'if-match': etag } })).status, 200);
  t.equal((await mapwright.get('/projects')).list.length, count + 1);
  t.equal((await mapwright.get(at)).status, 405);
  t.equal((await mapwright.post(`${at}?name=x`, {})).status, 400);
});

t.test('a copy needs a key that may create projects, and access to the source', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const { mapwright } = world;
  const { server } = mapwright;
  const at = `/projects/${world.projectId}/duplicate`;
  const foreign = await mapwright.newKey('bob');
  const [reader, scoped] = [
    (await server.createKey('ann', { readOnly: true })).key,
    (await server.createKey('ann', { projects: [world.projectId] })).key,
  ];
  t.equal((await mapwright.post(at, {}, { key: '' })).status, 401);
  t.equal((await mapwright.post(at, {}, { key: foreign })).status, 404);
  t.equal((await mapwright.post('/projects/none/duplicate', {})).status, 404);
  t.equal((await mapwright.post(at, {}, { key: reader })).status, 403);
  t.equal((await mapwright.post(at, {}, { key: scoped })).status, 403, 'it would be a project that the key is not for');
  t.equal((await mapwright.post('/projects/none/duplicate', {}, { key: scoped })).status, 403, 'in the same words');
  t.equal((await mapwright.get('/projects')).list.length, 1);
});

test.all('a copy made during writes shows one version of its source', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  const objects = (name: string) => Array.from({ length: 4000 }, (_, i) => ({ type: 'spot', name: `${name} ${i}` }));
  const sent = { name: 'v0', artboards: [{ name: 'v0', objects: objects('v0') }], popups: [{ name: 'v0' }] };
  const source = (await mapwright.post('/projects', sent)).shown;
  const writing = (async () => {
    for (let i = 1; i <= 5; i++) {
      const name = `v${i}`;
      const body = { name, artboards: [{ name, objects: objects(name) }], popups: [{ name }] };
      t.equal((await mapwright.patch(`/projects/${source.id}`, body)).status, 200);
    }
  })();
  const copying = Array.from({ length: 6 }, () => mapwright.post(`/projects/${source.id}/duplicate`, {}));
  for (const answer of await Promise.all(copying)) {
    const { name, artboards, popups } = answer.shown as unknown as {
      name: string;
      artboards: { name: string; objects: { name: string }[] }[];
      popups: { name: string }[];
    };
    t.equal(artboards[0]?.name, name);
    t.equal(popups[0]?.name, name);
    t.ok(artboards[0]?.objects.every((object, i) => object.name === `${name} ${i}`) && artboards[0].objects.length === 4000);
  }
  await writing;
  const copy = (await mapwright.post(`/projects/${source.id}/duplicate`, {})).shown;
  await mapwright.patch(`/projects/${copy.id}`, { artboards: [] });
  t.equal((await projectOf(mapwright, source.id))['name'], 'v5');
  t.match(await projectOf(mapwright, source.id), { artboards: [{ objects: { length: 4000 } }] }, 'nothing is shared');
  const before = (await mapwright.get('/projects')).text;
  await mapwright.crash();
  t.equal((await mapwright.get('/projects')).text, before);
});

t.test('a copy ends, and leaves nothing, when its account is deleted meanwhile', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  const key = await mapwright.newKey('bob');
  const objects = Array.from({ length: 20_000 }, () => ({ type: 'spot' }));
  const { id } = (await mapwright.post('/projects', { artboards: [{ objects }] }, { key })).shown;
  const copying = mapwright.post(`/projects/${id}/duplicate`, {}, { key });
  await mapwright.server.deleteAccount('bob');
  const { status } = await copying;
  t.ok([200, 401, 404].includes(status), `${status}`);
  await mapwright.crash();
  t.equal((await mapwright.get('/projects')).list.length, 0);
});
