// tier: normal
/** Usage of an account: the running count equals the content, and the predicted growth equals the actual one. */

import t from 'tap';
import { limitAccount } from '../../src/engine/accounts.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { memoryGrowth } from '../../src/engine/memory/change-estimate.ts';
import { boundsOf, bytesOf, quotaGrowth, unbounded, usageOf } from '../../src/engine/write/quotas.ts';
import { memberBytes, weigh } from '../../src/model/memory-estimate.ts';
import { newSlug } from '../../src/model/publication.ts';
import { projects as projectResource, versions as versionsResource } from '../../src/model/resources.ts';
import { pack } from '../../src/model/stored.ts';
import type { Value } from '../../src/model/value.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { packMembers } from '../../src/store/rows/member-rows.ts';
import type { AccountState } from '../../src/store/state.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { accountIn, create, done, member, openWorld, project, remove, update } from '../support/engine.ts';
import fc from '../support/fast-check.ts';
import { temporaryFolder } from '../support/process.ts';
import { sized } from '../support/tier.ts';

const accountOf = (engine: Engine) => engine.state.accountNamed('ann') as AccountState;
const bounds = { ...unbounded, bytes: 1e9 };

interface Held {
  readonly members: number;
  readonly versions: number;
  readonly bytes: number;
}

/** As the program counts it. */
function counted({ state }: Engine): Held {
  const account = state.accountNamed('ann') as AccountState;
  const { members, versions } = usageOf(account, true);
  return { members, versions, bytes: bytesOf(state, account) };
}

/** Counted one by one, from the values: nothing that the program keeps of it is believed. */
function heldBy(account: AccountState): Held {
  const blobs = new Map<string, number>();
  let members = 0;
  let versions = 0;
  let bytes = 0;
  for (const held of account.projects.values()) {
    bytes += pack(projectResource.toRow(held.value)).byteLength;
    for (const { collection } of held.collections())
      for (const one of collection.capture()) {
        if (collection.resource === versionsResource) versions++;
        else members++;
        bytes += packMembers(collection.resource, [one]).byteLength - 1;
        const { digest, bytes: size, files = [] } = one.value as Record<string, unknown>;
        if (typeof digest === 'string') blobs.set(digest, Number(size));
        for (const file of files as string[]) blobs.set(file.slice(0, 64), Number(file.slice(64)));
      }
    bytes += held.publication?.live?.rules.byteLength ?? 0;
    for (const map of held.publication?.versions ?? []) {
      blobs.set(map.blob, map.bytes);
      for (const file of map.files) blobs.set(file.digest, file.bytes);
    }
  }
  for (const size of blobs.values()) bytes += size;
  return { members, versions, bytes };
}

const kinds = ['project', 'nested', 'create', 'update', 'whole', 'objects', 'delete', 'drop', 'head'] as const;
const blobKinds = ['file', 'version', 'forget', 'publish', 'unpublish'] as const;
/** Several changes of one record: `again` deletes an artboard and creates it again, `moved` takes objects elsewhere and places them. */
const batchKinds = ['again', 'moved'] as const;
type Kind = (typeof kinds)[number] | (typeof blobKinds)[number] | (typeof batchKinds)[number];

interface Step {
  readonly kind: Kind;
  readonly at: number;
  readonly text: string;
  readonly order: readonly number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind[]>(...kinds, 'create', 'whole', ...blobKinds, 'file', 'version', ...batchKinds),
  at: fc.nat(),
  text: fc.string({ unit: 'binary', maxLength: 40 }),
  order: fc.array(fc.nat(6), { maxLength: 5 }),
});

/** A digest of few: files and versions often have the same bytes. Its size is told by it. */
const digestAt = (n: number): string => String(n % 5).repeat(64);
const sizeOf = (digest: string): number => 1000 * (Number(digest[0]) + 1);
const blobAt = (n: number) => ({ digest: digestAt(n), bytes: sizeOf(digestAt(n)) });
const nameOfBlob = (n: number): string => `${digestAt(n)}${sizeOf(digestAt(n))}`;

/** A change of what refers to blobs, as a record has it. */
function blobChange(project: StoredProject, { kind, at, text, order }: Step): Change | undefined {
  const { accountId } = project;
  const pathOf = (collection: 'files' | 'versions') => ({ accountId, projectId: project.id, collection, parentId: '' });
  const id = `m${at % 4}`;
  const shared = { id, name: text, created: '2026-01-01T00:00:00.000Z', ...blobAt(order[0] ?? 0) };
  if (kind === 'file') {
    const picture = { type: 'image/png', width: 1, height: 1, url: `/f/0${String(at % 4).repeat(26)}/${id}` };
    return { op: 'put', path: pathOf('files'), values: [{ ...shared, ...picture }] as unknown as Value[] };
  }
  if (kind === 'version') {
    const counts = { artboards: 1, objects: 0, popups: 0, data_sources: 0, variables: 0, actions: 0, files: order.length };
    const content = { kind: 'named', key_label: '', counts, files: order.map(nameOfBlob) };
    return { op: 'put', path: pathOf('versions'), values: [{ ...shared, ...content }] as unknown as Value[] };
  }
  if (kind === 'forget') {
    const path = pathOf(at % 2 === 0 ? 'files' : 'versions');
    const ids = Array.from(project.collection(path.collection, '')?.capture() ?? [], ({ value }) => value.id);
    return ids.length === 0 ? undefined : { op: 'delete', path, ids: ids.slice(at % ids.length) };
  }
  const place = { accountId, projectId: project.id };
  if (kind === 'unpublish') return project.publication === undefined ? undefined : { op: 'delete-publication', ...place };
  const before = project.publication?.versions.at(-1);
  const { digest: blob, bytes } = blobAt(at);
  const files = order.map((n) => ({ slug: `0${String(n % 4).repeat(26)}`, type: 'image/png', ...blobAt(n) }));
  const version = before === undefined ? 1 : before.version + 1;
  const newest = { version, digest: blob, published: shared.created, jsonBytes: bytes, bytes, blob, files };
  const live = at % 3 === 0 ? { refresh: 60, secret: 'a'.repeat(64), rules: Buffer.from(text) } : undefined;
  const head = { slug: project.publication?.slug ?? newSlug(0), origins: ['*'], projectVersion: 1, live, newest };
  return { op: 'put-publication', ...place, head, created: before === undefined };
}

/** The changes of a batch, as a record has them. */
function batchChanges(project: StoredProject, { kind, at, text }: Step): Change[] {
  const { accountId, id: projectId } = project;
  const path = { accountId, projectId, collection: 'artboards', parentId: '' } as const;
  const on = (parentId: string) => ({ accountId, projectId, collection: 'objects', parentId }) as const;
  const boards = Array.from(project.collection('artboards', '')?.capture() ?? [], ({ value }) => value);
  const [board, other] = [boards[at % Math.max(boards.length, 1)], boards[(at + 1) % Math.max(boards.length, 1)]];
  if (board === undefined || other === undefined || other === board) return [];
  const held = Array.from(project.collection('objects', board.id)?.capture() ?? [], ({ value }) => ({ ...value, name: text }));
  const [first, ...rest] = held;
  if (kind === 'again') {
    const again: Change[] = [
      { op: 'delete', path, ids: [board.id] },
      { op: 'put', path, values: [board], created: true },
    ];
    return rest.length === 0 ? again : [...again, { op: 'put', path: on(board.id), values: rest, created: true }];
  }
  if (first === undefined) return [];
  const moved = held.map((value): Change => ({ op: 'move', path: on(other.id), value, fromArtboard: board.id, before: null }));
  const back: Change = { op: 'move', path: on(board.id), value: first, fromArtboard: other.id, before: null };
  const deleted: Change = { op: 'delete', path: on(other.id), ids: rest.map(({ id }) => id) };
  return [...moved, deleted, back].slice(0, 1 + (at % 9));
}

/** The weight of the members of an account, as the memory budget estimates it. */
function weightOf({ state }: Engine): number {
  let bytes = 0;
  for (const held of (state.accountNamed('ann') as AccountState).projects.values())
    for (const { collection } of held.collections())
      for (const { value } of collection.capture()) bytes += memberBytes + weigh(value);
  return bytes;
}

const changesBlobs = ({ kind }: Step): boolean => blobKinds.some((one) => one === kind);

/** Asks for one change of what there is; what cannot be is refused. */
async function perform(engine: Engine, step: Step): Promise<void> {
  const { kind, at, text, order } = step;
  const account = accountOf(engine);
  const projects = [...account.projects.values()];
  const chosen = projects[at % Math.max(projects.length, 1)];
  if (changesBlobs(step)) {
    const change = chosen && blobChange(chosen, step);
    if (change !== undefined) await engine.journal.durable(engine.writer.commit([change]));
    return;
  }
  if (kind === 'again' || kind === 'moved') {
    const changes = chosen === undefined ? [] : batchChanges(chosen, step);
    if (changes.length > 0) await engine.journal.durable(engine.writer.commit(changes));
    return;
  }
  const collection = at % 2 === 0 ? 'popups' : 'artboards';
  const ids = Array.from(chosen?.collection(collection, '')?.capture() ?? [], ({ value }) => value.id);
  const [projectId, id] = [chosen?.id ?? '', ids[at % Math.max(ids.length, 1)] ?? ''];
  const named = collection === 'popups' ? { title: text } : { name: text };
  const elements = [...new Set(order)].map((n) => (ids[n] === undefined ? named : { ...named, id: ids[n] }));
  const target = member(account.id, projectId, collection, id);
  const board = { name: text, objects: order.map((x) => ({ type: 'spot', name: text, x })) };
  const commands = {
    project: create(project(account.id), { name: text }),
    nested: create(project(account.id), { name: text, artboards: [board, board], popups: [{ title: text }] }),
    create: create(member(account.id, projectId, collection), named),
    update: update(target, named),
    whole: update(project(account.id, projectId), { [collection]: elements }),
    objects: update(member(account.id, projectId, 'artboards', id), { objects: board.objects }),
    delete: remove(target),
    drop: remove(project(account.id, projectId)),
    head: update(project(account.id, projectId), { name: text }),
  };
  await engine.writer.execute(commands[kind as (typeof kinds)[number]], () => undefined);
}

t.test('usage counted per record equals a full count, also after a restart and a snapshot', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.nat(20), async (steps, from) => {
      const folder = temporaryFolder(t);
      const { engine } = await openWorld(folder);
      await accountIn(engine);
      const { writer } = engine;
      const commit = writer.commit.bind(writer);
      writer.commit = (changes: readonly Change[]) => {
        const account = accountOf(engine);
        if (account.usage === undefined) return commit(changes);
        const before = { ...counted(engine), projects: account.projects.size };
        const growth = quotaGrowth(engine.state, account, changes, bounds);
        const isOfMembers = changes.every(({ op }) => op === 'put' || op === 'delete' || op === 'move');
        const weight = weightOf(engine) + memoryGrowth(engine.state, changes);
        const lsn = commit(changes);
        if (isOfMembers && weightOf(engine) !== weight)
          throw new Error(`predicted a weight of ${weight}, it is ${weightOf(engine)}`);
        const after = { ...counted(engine), projects: account.projects.size };
        const names = ['projects', 'members', 'bytes', 'versions'] as const;
        const predicted = names.map((name) => growth[name]);
        const came = names.map((name) => after[name] - before[name]);
        if (changes.some(({ op }) => op === 'delete-project')) predicted.splice(1, 3, ...came.slice(1));
        // Another order is no growth, whatever the places of members take.
        if (changes.some(({ op }) => op === 'order')) predicted[2] = came[2] as number;
        if (predicted.join() !== came.join()) throw new Error(`predicted ${predicted}, came ${came}: ${JSON.stringify(changes)}`);
        return lsn;
      };
      for (const [i, item] of steps.entries()) {
        if (i === from) counted(engine);
        await perform(engine, item);
      }
      const expected = heldBy(accountOf(engine));
      const found = [counted(engine)];
      await engine.snapshot();
      await engine.close();
      for (let i = 0; i < 2; i++) {
        const again = await openWorld(folder);
        found.push(counted(again.engine));
        await done(again.engine, create(project(accountOf(again.engine).id), {}));
        await done(
          again.engine,
          remove(project(accountOf(again.engine).id, [...accountOf(again.engine).projects.keys()].at(-1) ?? '')),
        );
        found.push(counted(again.engine));
        await again.engine.snapshot();
        await again.engine.close();
      }
      for (const one of found)
        if (JSON.stringify(one) !== JSON.stringify(expected))
          throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    }),
    { numRuns: sized({ sample: 1, all: 12 }) },
  );
  t.pass();
});

t.test('usage counts the rules of a live map once, however often it is published', async (t) => {
  const { engine } = await openWorld(temporaryFolder(t));
  await accountIn(engine);
  await perform(engine, { kind: 'project', at: 0, text: 'hall', order: [] });
  counted(engine);
  for (const text of ['rules', 'longer rules', 'r']) {
    await perform(engine, { kind: 'publish', at: 0, text, order: [1] });
    t.equal([...accountOf(engine).projects.values()][0]?.publication?.live?.rules.byteLength, text.length);
    t.strictSame(counted(engine), heldBy(accountOf(engine)));
  }
  await perform(engine, { kind: 'unpublish', at: 0, text: '', order: [] });
  t.strictSame(counted(engine), heldBy(accountOf(engine)));
  await engine.close();
});

t.test('usage of a snapshot is counted without decoding members, and not counted without a quota', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const account = await accountIn(engine);
  const popups = Array.from({ length: 600 }, (_, i) => ({ title: `popup ${i}` }));
  const id = await done(engine, create(project(account), { popups }));
  t.equal(accountOf(engine).usage, undefined);
  await engine.snapshot();
  await engine.close();
  const { engine: again } = await openWorld(folder);
  const leaves = accountOf(again).projects.get(id)?.collection('popups', '')?.leaves ?? [];
  t.ok(leaves.length > 1);
  const held = counted(again);
  t.strictSame([held.members, leaves.some(({ decoded }) => decoded)], [600, false]);
  t.strictSame(held, heldBy(accountOf(again)));
  await limitAccount(again, 'ann', { members: 601 });
  t.equal(accountOf(again).usage?.members ?? 600, 600);
  await done(again, create(member(account, id, 'popups'), {}));
  await t.rejects(
    again.writer.execute(create(member(account, id, 'popups'), {}), () => undefined),
    {
      name: 'QuotaError',
      quota: 'members',
      limit: 601,
      used: 601,
      growth: 1,
    },
  );
  await limitAccount(again, 'ann', { members: 'none' });
  await done(again, create(member(account, id, 'popups'), {}));
  t.equal(accountOf(again).usage, undefined, 'nor after it was lifted');
  await again.close();
});

t.test('quotas of an account override those of the server options', (t) => {
  const options = { projects: 3, members: 30, bytes: 300, versions: 40 };
  const set = { rate: 'default', projects: 'none', members: 5, bytes: 'default', versions: 'default' } as const;
  t.strictSame(boundsOf(set, options), { projects: Number.POSITIVE_INFINITY, members: 5, bytes: 300, versions: 40 });
  t.strictSame(boundsOf(undefined, options), options);
  t.end();
});

t.test('a quota of the server that is undefined is the default', async (t) => {
  const quotas = { members: undefined, versions: undefined, projects: 2 } as unknown as { projects: number };
  const { engine } = await openWorld(temporaryFolder(t), { quotas });
  t.strictSame(engine.quotas, { ...unbounded, projects: 2, versions: 10_000 });
  await engine.close();
});
