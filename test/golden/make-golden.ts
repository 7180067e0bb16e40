/** Makes a golden folder with this version: `npm run golden -- NAME`. See golden.ts. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Resource } from '../../src/model/resource.ts';
import { resourceOf } from '../../src/model/resources.ts';
import { schemaVersion } from '../../src/model/schema-version.ts';
import { snapshotFormatVersion as snapshotFormat } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { segmentFormatVersion as segmentFormat } from '../../src/storage/wal/format/segment.ts';
import { leastOf, samplesOf } from '../api/samples.ts';
import { everything } from '../support/everything.ts';
import { Mapwright } from '../support/mapwright.ts';
import { type SignedIn, signIn } from '../support/signed-in.ts';
import { type GoldenAccount, type GoldenRequest, goldenNames, packGolden } from './golden.ts';

/** Values in a golden folder are there for their kind, not for their size. */
const valueBytesMax = 400;
const dayMs = 86_400_000;
const routes = { popups: 'popups', data_sources: 'data-sources', variables: 'variables', actions: 'actions' } as const;

const name = process.argv[2];
if (name === undefined || !/^[\w.-]+$/.test(name) || goldenNames().includes(name)) {
  throw new Error(`npm run golden -- NAME, with a name that is not taken; there are: ${goldenNames().join(', ')}`);
}
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-golden-'));
/** Milliseconds that the clock of the server is behind. */
let behindMs = 0;
const mapwright = new Mapwright(home, { clock: () => Date.now() - behindMs });
try {
  await mapwright.start();
  await make(mapwright, name);
} finally {
  await mapwright.close();
  fs.rmSync(home, { recursive: true, force: true });
}

/** Every resource with every kind of value, before and after snapshots, some of which refer to older ones; changed, deleted, put into another order; kept without a stop. */
async function make(mapwright: Mapwright, name: string): Promise<void> {
  mapwright.key = await mapwright.newKey('ann');
  const bob = await mapwright.newKey('bob');
  const revoked = await mapwright.newKey('ann');
  await signInAgo(mapwright, 40 * dayMs);
  await fill(mapwright, 'before any snapshot');
  const requests: GoldenRequest[] = [];
  const once = async (at: string, body: object, idempotencyKey: string): Promise<void> => {
    const { text, status } = await mapwright.post(at, body, { headers: { 'idempotency-key': idempotencyKey } });
    if (status !== 200) throw new Error(text);
    requests.push({ at, body, idempotencyKey, answer: text });
  };
  await once('/projects', { name: 'once', popups: [{}] }, 'in-a-snapshot');
  await mapwright.server.snapshot();
  const changed = await fill(mapwright, 'before the second snapshot');
  // A new session deletes those that ended a day ago: one before a snapshot, the next one in the log.
  await signInAgo(mapwright, 32 * dayMs);
  const editor = await (await signInAgo(mapwright, 0)).invite({ name: 'Ada', role: 'editor', email: 'ada@example.com' });
  await mapwright.server.revokeKey(revoked.slice(3, 15));
  const small = (await mapwright.post('/projects', { name: 'small', popups: [{ title: 'one' }] })).shown.id;
  const narrow = (await mapwright.server.createKey('ann', { projects: [small] })).key;
  const terms = { readOnly: true, projects: [small], expires: '9999-12-31', label: 'widget' };
  const rotated = (await mapwright.server.createKey('ann', terms)).key;
  const gone = await mapwright.newKey('zoe');
  await mapwright.post('/projects', { name: "zoe's" }, { key: gone });
  await change(mapwright, changed);
  await mapwright.server.snapshot();
  // What one run wrote is in snapshots, what the next one writes in the log as well.
  await mapwright.restart();
  // The next ones leave in older files what is the same.
  for (const title of ['two', 'three', 'four']) {
    (await mapwright.post(`/projects/${small}/popups`, { title })).shown;
    await mapwright.server.snapshot();
  }
  const reader = (await mapwright.server.rotateKey(rotated.slice(3, 15), { overlap: '0' })).key;
  await mapwright.server.deleteAccount('zoe');
  await mapwright.delete(`/projects/${await fill(mapwright, 'deleted')}`);
  await change(mapwright, await fill(mapwright, 'after the snapshots'));
  await change(mapwright, changed);
  await mapwright.post('/projects', { name: "bob's", popups: [{ title: 'his' }] }, { key: bob });
  await once('/projects', { name: 'once more' }, 'in-the-log');
  const again = await signInAgo(mapwright, 0);
  const viewer = await again.invite({ name: 'Vic', role: 'viewer', projects: [small] });
  const erased = await again.invite({ name: 'Gone', role: 'viewer' });
  await editor.ask('PATCH', `/v1/projects/${small}`, { name: 'small, by Ada' });
  await again.ask('DELETE', `/console/people/${viewer.id}`);
  await again.ask('DELETE', `/console/people/${erased.id}?erase=true`);
  const published = await publishSome(mapwright, small, changed);
  const accounts: GoldenAccount[] = [];
  for (const [account, key] of [
    ['ann', mapwright.key],
    ['bob', bob],
    ['narrow', narrow],
    ['reader', reader],
  ] as const) {
    const tags: Record<string, string> = {};
    const answers = await everything(async (route) => {
      const answer = await mapwright.get(route, { key });
      tags[route] = String(answer.headers.etag);
      return answer;
    });
    accounts.push({ name: account, key, answers: Object.fromEntries(answers), tags });
  }
  packGolden(name, mapwright.data, {
    formats: { segment: segmentFormat, snapshot: snapshotFormat, schema: schemaVersion },
    accounts,
    refused: [
      { why: 'revoked', key: revoked },
      { why: 'rotated', key: rotated },
      { why: 'deleted account\u2019s', key: gone },
    ],
    keyIds: (await mapwright.server.keys()).map(({ id }) => id),
    people: (await again.ask('GET', '/console/people')).json.map(({ name, role, removed }: GoldenPerson) => ({
      ...{ name, role, removed: removed !== null },
    })),
    readers: ['reader'],
    published,
    repeated: { timeMs: Date.now(), requests },
  });
}

interface GoldenPerson {
  readonly name: string;
  readonly role: string;
  readonly removed: string | null;
}

/** Signs the owner in with a code, so long ago. */
async function signInAgo(mapwright: Mapwright, agoMs: number): Promise<SignedIn> {
  behindMs = agoMs;
  try {
    return await signIn(mapwright);
  } finally {
    behindMs = 0;
  }
}

/** Publications in a snapshot and in the log, one with several versions, one that was made private. */
async function publishSome(mapwright: Mapwright, small: string, changed: string): Promise<Record<string, string>> {
  const at = (id: string) => `/v1/projects/${id}/publication`;
  const publish = async (id: string, body: object = {}) => (await mapwright.ask('PUT', at(id), { body })).shown;
  const { slug } = await publish(small);
  await mapwright.post(`/projects/${small}/popups`, { title: 'published' });
  await publish(small, { origins: ['https://www.example.com'] });
  const gone = await publish(changed, { name: 'changed' });
  // Visits are stored when the server stops: some are in a snapshot, others in the log.
  const visit = async () => {
    await mapwright.ask('POST', `/p/${slug}/seen`, { body: { opened: true, searches: 1 }, key: '' });
    await mapwright.restart();
  };
  await visit();
  await mapwright.server.snapshot();
  await visit();
  await mapwright.delete(`/projects/${changed}/publication`);
  await mapwright.post(`/projects/${small}/popups`, { title: 'published later' });
  await publish(small, { name: 'harbour' });
  const published: Record<string, string> = {};
  const note = async (target: string) => {
    const { status, text } = await mapwright.ask('GET', target);
    published[target] = status === 200 ? text : String(status);
    return text;
  };
  const { map } = JSON.parse(await note(`/p/${slug}/map.json`));
  for (const name of ['harbour', 'changed']) await note(`/p/${name}/map.json`);
  // Not the page: it belongs to the program.
  const today = new Date().toISOString().slice(0, 10);
  const visits = `${at(small)}/visits?from=${today}&to=${today}`;
  for (const target of [`/p/${slug}/${map}`, `/p/${gone['slug']}/map.json`, at(small), visits, at(changed)]) await note(target);
  return published;
}

/** One member for every kind of value that a member may have. */
function kinds(resource: Resource): Record<string, unknown>[] {
  const values = samplesOf(resource).flatMap(({ name, held, right }) =>
    held === undefined ? right.map((value) => ({ ...leastOf(resource), [name]: value })) : [],
  );
  return values.filter((value) => JSON.stringify(value).length <= valueBytesMax);
}

async function fill(mapwright: Mapwright, name: string): Promise<string> {
  const { id } = (await mapwright.post('/projects', { name, settings: { ['__x']: [-1.5, { deep: null }] } })).shown;
  for (const [collection, route] of Object.entries(routes)) {
    const members = kinds(resourceOf[collection as keyof typeof routes]);
    for (const body of members.slice(0, 5)) (await mapwright.post(`/projects/${id}/${route}`, body)).shown;
    (await mapwright.patch(`/projects/${id}`, { [collection]: members })).shown;
  }
  for (const body of kinds(resourceOf.artboards)) (await mapwright.post(`/projects/${id}/artboards`, body)).shown;
  const board = (await mapwright.post(`/projects/${id}/artboards`, { ...leastOf(resourceOf.artboards), name: 'full' })).shown;
  const objects = kinds(resourceOf.objects);
  (await mapwright.patch(`/projects/${id}/artboards/${board.id}`, { objects })).shown;
  return id;
}

/** Changes some members, deletes some, and turns a collection round. */
async function change(mapwright: Mapwright, projectId: string): Promise<void> {
  const at = `/projects/${projectId}`;
  for (const route of Object.values(routes)) {
    const list = (await mapwright.get(`${at}/${route}`)).list;
    await mapwright.delete(`${at}/${route}/${list[1]?.id}`);
  }
  const popups = (await mapwright.get(`${at}/popups`)).list;
  (await mapwright.patch(`${at}/popups/${popups[0]?.id}`, { title: 'changed' })).shown;
  (await mapwright.patch(at, { name: 'changed', popups: popups.toReversed().map(({ id }) => ({ id })) })).shown;
  await place(mapwright, at);
}

/** Places the last popup first, moves an object to another artboard, and creates it again with its identifier. */
async function place(mapwright: Mapwright, at: string): Promise<void> {
  const popups = (await mapwright.get(`${at}/popups`)).list;
  const boards = (await mapwright.get(`${at}/artboards`)).list as unknown as { id: string; objects: { id: string }[] }[];
  const [from, to] = [boards.find(({ objects }) => objects.length > 3), boards.find(({ objects }) => objects.length === 0)];
  const [moved, next] = from?.objects ?? [];
  const object = `/artboards/${from?.id}/objects/${moved?.id}`;
  const operations = [
    { method: 'PATCH', path: `/popups/${popups.at(-1)?.id}`, before: popups[0]?.id, body: {} },
    { method: 'PATCH', path: object, to_artboard: to?.id, body: {} },
    { method: 'DELETE', path: `/artboards/${from?.id}/objects/${next?.id}` },
    { method: 'POST', path: `/artboards/${from?.id}/objects`, id: next?.id, body: { type: 'spot' } },
  ];
  const { status, text } = await mapwright.post(`${at}/batch`, { operations });
  if (status !== 200) throw new Error(text);
}
