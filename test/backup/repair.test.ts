// tier: normal
/**
 * Repairs of folders with every kind of damage. The new folder opens, every value in it existed, and each missing or older value is in the
 * list of losses.
 */
import path from 'node:path';
import t from 'tap';
import { deleteAccount } from '../../src/engine/accounts.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createKey, revokeKey } from '../../src/engine/keys.ts';
import { publishProject, unpublishProject } from '../../src/engine/projects/publish-project.ts';
import { endSessions } from '../../src/engine/session-keys.ts';
import { CorruptError } from '../../src/lib/errors.ts';
import { isPublicName } from '../../src/model/references/public-name.ts';
import type { Value } from '../../src/model/value.ts';
import { noRegistry } from '../../src/server/admin/registry.ts';
import { buildFolder } from '../../src/storage/backup/build.ts';
import { type RepairedState, repairFolder } from '../../src/storage/backup/repair/repair-folder.ts';
import type { Loss } from '../../src/storage/backup/repair/repair-report.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import type { ChunkRef } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { SnapshotReader } from '../../src/storage/snapshot/reader.ts';
import type { State } from '../../src/store/state.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { noVisits } from '../../src/store/visits.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { accountIn, create, done, dump, foldersIn, project, publishing, remove } from '../support/engine.ts';
import { randomFrom } from '../support/random.ts';
import { systemError } from '../support/system-error.ts';
import { seed, sized } from '../support/tier.ts';
import { longHistory, stateAt, targetIn } from './world.ts';

t.setTimeout(600_000);

const random = randomFrom(seed);

const world = await longHistory(t);
const { folder, lastLsn } = world;
const [first] = world.snapshots as [number, number];
/** As a server keeps it: without the log before the older snapshot. */
const image = world.image.copy();
for (const file of image.named('.segment')) {
  if (Number.parseInt(path.basename(file), 16) <= first) image.delete(file);
}
const [older, newer] = image.named('.snapshot') as [string, string];
const segments = image.named('.segment');
const truth = stateAt(world, lastLsn);

/** Every value that there ever was, by what it is the value of. */
const history = new Map<string, Set<string>>();
for (const { changes } of world.records.values()) {
  for (const change of changes) {
    if (change.op === 'put-project') note(change.value.id, change.value);
    if (change.op === 'put-account') note(change.account.id, change.account);
    if (change.op === 'put-key') note(change.key.id, change.key);
    if (change.op === 'put') for (const value of change.values) note(value.id, value);
    if (change.op === 'move') note(change.value.id, change.value);
  }
}

function note(id: string, value: object): void {
  const known = history.get(id) ?? new Set();
  history.set(id, known.add(JSON.stringify(value)));
}

interface Thing {
  readonly value: object;
  readonly accountId: string;
  readonly projectId: string;
  readonly collection: string;
  readonly parentId: string;
}

/** Everything in a state, by identifier. */
function things(state: State): Map<string, Thing> {
  const found = new Map<string, Thing>();
  const nowhere = { accountId: '', projectId: '', collection: '', parentId: '' };
  for (const key of state.keys.values()) found.set(key.id, { ...nowhere, collection: 'keys', value: key });
  for (const { id, name, created, projects } of state.accounts.values()) {
    found.set(id, { ...nowhere, accountId: id, collection: 'accounts', value: { id, name, created } });
    for (const project of projects.values()) {
      const place = { accountId: id, projectId: project.id };
      found.set(project.id, { ...place, collection: '', parentId: '', value: project.value });
      for (const { name: collection, parentId, collection: held } of project.collections())
        for (const { value } of held.capture()) found.set(value.id, { ...place, collection, parentId, value });
    }
  }
  return found;
}

const true_ = things(truth);
/** The record that last touched a thing, or deleted it. */
const touched = new Map<string, number>();
for (let lsn = 1, before = things(stateAt(world, 0)); lsn <= lastLsn; lsn++) {
  const after = things(stateAt(world, lsn));
  for (const [id, { value }] of after) {
    const was = before.get(id)?.value;
    if (was !== value && JSON.stringify(was) !== JSON.stringify(value)) touched.set(id, lsn);
  }
  for (const id of before.keys()) if (!after.has(id)) touched.set(id, lsn);
  before = after;
}

const isMadeUp = (value: object, id: string) => (value as Value)['name'] === `lost ${id}`;

/** Whether a loss reports a thing that is missing or has another value. */
function reports(loss: Loss, id: string, { accountId, projectId, collection, parentId }: Thing): boolean {
  switch (loss.kind) {
    case 'records': {
      const lsn = touched.get(id) as number;
      return lsn >= loss.from && lsn <= (loss.to ?? Number.POSITIVE_INFINITY);
    }
    case 'record':
      return false;
    case 'accounts':
      return collection === 'accounts';
    case 'keys':
    case 'responses':
      return collection === loss.kind;
    case 'file':
      return false;
    case 'projects':
      return projectId !== '';
    case 'project':
    case 'publication':
      return loss.projectId === projectId && loss.accountId === accountId;
    case 'members':
      // Artboards that are gone take their objects with them, unless these are kept under one made up.
      return loss.projectId === projectId && loss.collection === collection && loss.parentId === parentId;
  }
}

/** What is wrong with a repair, if anything. */
function wrong(files: SimulatedDisk, { state, newestTime, losses }: RepairedState): string | undefined {
  const { folder: place, now, progress, segmentBytes } = targetIn('/new');
  buildFolder(files, { folder: place, state, blobs: [], newestTime, now, progress, segmentBytes });
  const opened = restore(files, foldersIn('/new')).restored.state;
  if (files.openCount > 0) return 'a file was left open';
  const found = things(opened);
  for (const [id, { value }] of found) {
    if (isMadeUp(value, id)) continue;
    if (history.get(id)?.has(JSON.stringify(value)) !== true) return `${id} never was ${JSON.stringify(value).slice(0, 200)}`;
  }
  for (const [id, thing] of true_) {
    const there = found.get(id);
    if (there !== undefined && JSON.stringify(there.value) === JSON.stringify(thing.value)) continue;
    if (!losses.some((loss) => reports(loss, id, thing)))
      return `${thing.collection} ${id} is ${there ? 'another' : 'gone'}, and not reported`;
  }
  for (const [id, thing] of found) {
    if (true_.has(id) || losses.some((loss) => reports(loss, id, thing))) continue;
    return `${thing.collection} ${id} was deleted, is back, and is not reported`;
  }
  for (const { id, revoked } of opened.keys.values())
    if (revoked === '' && truth.keys.get(id)?.revoked !== '' && state.lsn === lastLsn) return `the revoked key ${id} works again`;
  return undefined;
}

type Damage = (files: SimulatedDisk) => void;

const change =
  (file: string, edit: (bytes: Buffer) => Buffer): Damage =>
  (files) => {
    files.put(file, edit(Buffer.from(files.bytes(file))));
  };
const flip = (file: string, at: number): Damage =>
  change(file, (bytes) => {
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
    return bytes;
  });
const cut = (file: string, length: number): Damage => change(file, (bytes) => bytes.subarray(0, length));
const zero = (file: string, at: number): Damage =>
  change(file, (bytes) => bytes.fill(0, at, Math.min(at + 512, bytes.byteLength)));
const gone =
  (file: string): Damage =>
  (files) =>
    void files.delete(file);

interface Outcome {
  readonly kept: RepairedState | undefined;
  readonly whole: boolean;
}

/** Damages a copy, repairs it, and throws when anything is wrong with that. */
function repaired(what: string, damages: readonly Damage[]): Outcome {
  const files = image.copy();
  for (const damage of damages) damage(files);
  const before = new Map(files.paths().map((file) => [file, files.bytes(file)]));
  let kept: RepairedState;
  try {
    kept = repairFolder(files, foldersIn(folder));
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { kept: undefined, whole: false };
  }
  for (const [file, bytes] of before) if (files.bytes(file) !== bytes) throw new Error(`${what}: ${file} was changed`);
  const problem = wrong(files, kept);
  if (problem !== undefined) throw new Error(`${what}: ${problem}\n${JSON.stringify(kept.losses.slice(0, 5), undefined, 1)}`);
  return { kept, whole: kept.state.lsn === lastLsn && kept.losses.length === 0 };
}

function written(file: string): number {
  const bytes = image.bytes(file);
  let end = bytes.byteLength;
  while (bytes[end - 1] === 0) end--;
  return Math.ceil(end / 512) * 512;
}

function* steps(to: number, step: number): Iterable<number> {
  for (let at = random(step); at < to; at += step) yield at;
}

t.test('repair of an undamaged folder finds and loses nothing', async (t) => {
  const { kept, whole } = repaired('nothing', []);
  t.ok(whole);
  t.same(kept?.findings, []);
  t.equal(dump(kept?.state as State), dump(truth));
});

/** How far apart damages are, and how many are tried. */
const tried = sized({
  sample: { snapshotStep: 2539, logStep: 5081, sectorStep: 30_000, both: 5, many: 8 },
  all: { snapshotStep: 251, logStep: 509, sectorStep: 5000, both: 40, many: 60 },
});

t.test(`damage to one snapshot loses nothing, since the other one and the log have everything (seed ${seed})`, async (t) => {
  for (const file of [older, newer]) {
    const { byteLength } = image.bytes(file);
    let count = 0;
    for (const at of steps(byteLength, tried.snapshotStep)) {
      count++;
      if (!repaired(`a bit of byte ${at}`, [flip(file, at)]).whole) throw new Error(`a bit of byte ${at} costs something`);
    }
    for (const at of steps(byteLength, tried.sectorStep))
      if (!repaired(`cut at ${at}`, [cut(file, at)]).whole) throw new Error(`cut at ${at}`);
    t.ok(repaired('gone', [gone(file)]).whole);
    t.ok(count >= Math.floor(byteLength / tried.snapshotStep) && count > 3, `${count} bytes`);
  }
});

t.test('repair keeps the log up to its damage and lists what follows', async (t) => {
  const counts = { whole: 0, shorter: 0 };
  for (const file of segments) {
    for (const at of [...steps(written(file), tried.logStep)]) {
      const { kept, whole } = repaired(`${path.basename(file)}: a bit of byte ${at}`, [flip(file, at)]);
      if (kept === undefined) throw new Error(`nothing kept after a flip at ${at}`);
      counts[whole ? 'whole' : 'shorter']++;
    }
    for (const at of [...steps(written(file), tried.sectorStep)]) repaired(`sector ${at}`, [zero(file, at - (at % 512))]);
    for (const at of [...steps(written(file), tried.sectorStep)]) repaired(`cut at ${at}`, [cut(file, at)]);
    repaired('gone', [gone(file)]);
  }
  t.comment(counts);
  t.ok(counts.whole > 0 && counts.shorter > 0);
});

t.test('damage to the header or seal of a segment loses nothing', async (t) => {
  for (const file of segments) {
    for (const at of steps(512, 37)) {
      const { whole } = repaired(`${path.basename(file)}: header, byte ${at}`, [flip(file, at)]);
      // What was never synced any other way, and nothing names: the header of the first segment is named by the snapshot.
      if (!whole) throw new Error(`a header damaged at ${at} costs something`);
    }
  }
  const [before] = segments as [string];
  const seal = written(before) - 512;
  for (const at of steps(64, 7)) t.ok(repaired(`seal, byte ${at}`, [flip(before, seal + at)]).whole);
});

t.test('repair combines the intact parts of two damaged snapshots and the log', async (t) => {
  const counts = { nothing: 0, salvaged: 0 };
  const sizes = { older: image.bytes(older).byteLength, newer: image.bytes(newer).byteLength };
  for (let i = 0; i < tried.both; i++) {
    const [one, two] = [random(sizes.older), random(sizes.newer)];
    const both = repaired(`both snapshots, ${one} and ${two}`, [flip(older, one), flip(newer, two)]);
    const log = segments[random(segments.length)] as string;
    const three = random(written(log));
    const mixed = repaired(`the newer one and the log, ${two} and ${three}`, [flip(newer, two), flip(log, three)]);
    if (mixed.kept === undefined) throw new Error('the older snapshot is whole');
    counts[both.kept === undefined ? 'nothing' : 'salvaged']++;
  }
  t.comment(counts);
  t.ok(counts.salvaged > tried.both * 0.75);
  const { kept } = repaired('no snapshot at all', [gone(older), gone(newer)]);
  t.match(kept?.losses[0], { kind: 'records', from: 1, to: first });
  t.ok(repaired('no log at all', segments.map(gone)).kept, 'the snapshots are there');
});

t.test('repair survives many damages in one folder', async (t) => {
  let kept = 0;
  const files = [older, newer, ...segments];
  for (let i = 0; i < tried.many; i++) {
    const damages = Array.from({ length: 2 + random(6) }, () => {
      const file = files[random(files.length)] as string;
      const at = random(file.endsWith('.segment') ? written(file) : image.bytes(file).byteLength);
      return random(4) === 0 ? zero(file, at - (at % 512)) : flip(file, at);
    });
    if (repaired(`run ${i}`, damages).kept !== undefined) kept++;
  }
  t.ok(kept > tried.many / 2, `${kept} of ${tried.many}`);
});

t.test('a damaged chunk of members is replaced by older values, which are reported', async (t) => {
  const files = image.copy();
  // The log between the snapshots is cut, so that only the newer one leads to the end.
  zero(segments[0] as string, 512)(files);
  const marked = files.bytes(newer).indexOf('changed');
  flip(newer, marked)(files);
  const kept = repairFolder(files, foldersIn(folder));
  t.equal(kept.state.lsn, lastLsn, 'the log after the damaged snapshot is applied');
  t.equal(kept.base, newer);
  const losses = kept.losses.filter(({ kind }) => kind === 'members');
  t.equal(losses.length, 1);
  t.match(losses, [
    { collection: 'variables', words: /variables in project ".*", as of record \d+; .*(replaced by|no older values)/ },
  ]);
  t.equal(wrong(files, kept), undefined);
});

t.test('a key whose revocation is in a damaged record is not valid after a repair', async (t) => {
  const keysOf = (state: State, name: string) => {
    const account = state.accountNamed(name)?.id;
    return [...state.keys.values()].filter(({ accountId }) => accountId === account);
  };
  const other = await longHistory(t, {
    async after(part, engine) {
      if (part === 0) await createKey(engine, 'ann', { label: 'session' });
      const sessionKeys = keysOf(engine.state, 'ann').filter(({ label }) => label === 'session');
      // This is the record that is destroyed below.
      if (part === 1) await revokeKey(engine, sessionKeys[0]?.id as string);
      if (part < 2) return;
      await createKey(engine, 'ann', { label: 'later' });
      const [first] = keysOf(engine.state, 'ann');
      await revokeKey(engine, first?.id as string);
      await endSessions(engine, sessionKeys);
      await deleteAccount(engine, 'account one');
    },
  });
  const files = other.image.copy();
  const last = files.named('.segment').at(-1) as string;
  // The first record of the last segment is destroyed, so all that follows has nothing to stand on.
  flip(last, 600)(files);
  const kept = repairFolder(files, foldersIn(other.folder));
  const second = other.snapshots[1] as number;
  t.equal(kept.state.lsn, second);
  const before = stateAt(other, second);
  t.equal(keysOf(before, 'ann')[0]?.revoked, '', 'at that record it was valid');
  t.equal(keysOf(kept.state, 'ann')[0]?.revoked, keysOf(stateAt(other, other.lastLsn), 'ann')[0]?.revoked);
  t.not(keysOf(kept.state, 'ann')[0]?.revoked, '');
  const sessions = (state: State) => keysOf(state, 'ann').filter(({ label }) => label === 'session').length;
  t.strictSame([sessions(before), sessions(kept.state)], [1, 0], 'nor does one that was deleted, whose revocation is lost');
  t.ok(keysOf(before, 'account one').length > 0, 'and so was this one');
  t.same(keysOf(kept.state, 'account one'), []);
  t.ok(kept.losses.some(({ words }) => words.startsWith('deleted the account "account one"')));
});

/** Publishes a project, with some text as its map, and its name as that of the map if it can be one. */
async function publish(engine: Engine, accountName: string, projectName: string): Promise<StoredProject> {
  const account = engine.state.accountNamed(accountName);
  const project = [...(account?.projects.values() ?? [])].find(({ value }) => value['name'] === projectName) as StoredProject;
  const name = { accountId: project.accountId, projectId: project.id };
  const naming = isPublicName(projectName) ? { name: projectName, registry: noRegistry } : undefined;
  await publishProject(engine, { ...publishing, ...name, naming, json: () => [`"${projectName}"`] });
  return project;
}

const unpublish = (engine: Engine, { accountId, id }: StoredProject) =>
  unpublishProject(engine, { accountId, projectId: id, allows: () => true });

/** Names of the public projects. */
const publicIn = (state: State): string[] =>
  [...state.accounts.values()].flatMap(({ projects }) =>
    [...projects.values()].flatMap(({ publication, value }) => (publication === undefined ? [] : [String(value['name'])])),
  );

t.test('a project whose withdrawal is in a damaged record is not public after a repair', async (t) => {
  const other = await longHistory(t, {
    async after(part, engine) {
      const ann = await accountIn(engine);
      if (part === 0) {
        for (const name of ['deleted', 'again']) await done(engine, create(project(ann), { name }));
        for (const name of ['one', 'deleted', 'again']) await publish(engine, 'ann', name);
        await publish(engine, 'account one', 'of another, one');
      } else if (part === 1) await publish(engine, 'account four', 'of another, four');
      else {
        const [one, deleted, again] = [...engine.state.publications.values()] as [StoredProject, StoredProject, StoredProject];
        await unpublish(engine, one);
        await done(engine, remove(project(ann, deleted.id)));
        await unpublish(engine, again);
        await publish(engine, 'ann', 'again');
        await deleteAccount(engine, 'account one');
      }
    },
  });
  const [, second] = other.snapshots as [number, number];
  const published = ['one', 'deleted', 'again', 'of another, one'];
  t.strictSame(publicIn(stateAt(other, second)).sort(), [...published].sort(), 'as of the snapshot');
  const names = (state: State) => [...state.names.values()].map(({ name, projectId }) => [name, projectId === '']).sort();
  t.strictSame(names(stateAt(other, second)), [['again', false], ['deleted', false], ['one', false]]); // biome-ignore format: one line
  const files = other.image.copy();
  flip(files.named('.segment').at(-1) as string, 600)(files);
  const kept = repairFolder(files, foldersIn(other.folder));
  t.equal(kept.state.lsn, second);
  t.strictSame(publicIn(kept.state), []);
  t.strictSame(names(kept.state), [['again', true], ['deleted', true], ['one', true]], 'nor do their names lead anywhere'); // biome-ignore format: one line
  for (const words of [
    ...['unpublished project "one"', 'deleted project "deleted"', 'deleted the account "account one"'],
    ...[
      'gave up the readable address "/p/one", which stays the account\'s until 2',
      'gave project "again" the readable address "/p/again"',
    ],
  ])
    t.ok(
      kept.losses.some((loss) => loss.words.startsWith(words)),
      words,
    );
});

t.test('a project that only an older snapshot contains is not public after a repair', async (t) => {
  let third = 0;
  let slug = '';
  const other = await longHistory(t, {
    async after(part, engine) {
      if (part === 0) slug = (await publish(engine, 'ann', 'one')).publication?.slug as string;
      if (part !== 1) return;
      await unpublish(engine, engine.state.publications.get(slug) as StoredProject);
      third = (await engine.snapshot())?.lsn ?? 0;
    },
  });
  const [first] = other.snapshots as [number];
  const files = other.image.copy();
  for (const file of files.named('.segment')) if (Number.parseInt(path.basename(file), 16) <= third) gone(file)(files);
  for (const file of files.named('.snapshot')) if (Number.parseInt(path.basename(file), 16) <= first) gone(file)(files);
  const newest = files.named('.snapshot').at(-1) as string;
  const reader = new SnapshotReader(files, newest);
  const group = reader.root.groups.find(({ file }) => file === third);
  reader.close();
  flip(newest, (group?.offset ?? 0) + 100)(files);
  const kept = repairFolder(files, foldersIn(other.folder));
  t.equal(kept.base, newest);
  t.ok(
    [...kept.state.accounts.values()].some(({ projects }) => [...projects.values()].some(({ value }) => value['name'] === 'one')),
  );
  t.strictSame(publicIn(kept.state), []);
  t.ok(kept.losses.some(({ kind, words }) => kind === 'publication' && words.includes(`/p/${slug}`)));
});

t.test('names of maps that only an older snapshot contains are lost, and listed', async (t) => {
  let third = 0;
  const other = await longHistory(t, {
    async after(part, engine) {
      if (part === 0) await publish(engine, 'ann', 'one');
      if (part !== 1) return;
      await done(engine, create(project(await accountIn(engine))));
      third = (await engine.snapshot())?.lsn ?? 0;
    },
  });
  const files = other.image.copy();
  for (const file of files.named('.segment')) if (Number.parseInt(path.basename(file), 16) <= third) gone(file)(files);
  const newest = files.named('.snapshot').at(-1) as string;
  const reader = new SnapshotReader(files, newest);
  t.equal(reader.state('file').names.get('one')?.until, '');
  const [accounts] = reader.root.accounts;
  reader.close();
  t.equal(accounts?.file, third);
  flip(newest, (accounts?.offset ?? 0) + 100)(files);
  const kept = repairFolder(files, foldersIn(other.folder));
  t.equal(kept.base, newest);
  t.strictSame([...kept.state.names.values()], []);
  t.ok(publicIn(kept.state).includes('one'), 'its address with the slug is kept');
  t.ok(kept.losses.some(({ words }) => words.endsWith('; with their readable addresses, among them one')));
});

t.test('visits in a damaged chunk are lost, and reported; the publication stays', async (t) => {
  const other = await longHistory(t, {
    async after(part, engine) {
      if (part > 0) return;
      const { id: projectId, accountId } = await publish(engine, 'ann', 'one');
      engine.writer.commit([{ op: 'put-visits', accountId, projectId, days: [{ ...noVisits(20_454), opened: 5 }] }]);
      await engine.snapshot();
    },
  });
  const files = other.image.copy();
  const newest = files.named('.snapshot').at(-1) as string;
  // Only the newest snapshot leads to the end.
  const last = Number.parseInt(path.basename(newest), 16);
  for (const file of files.named('.segment')) if (Number.parseInt(path.basename(file), 16) <= last) gone(file)(files);
  const reader = new SnapshotReader(files, newest);
  const visits = reader.projects.find((entry) => entry.visits !== undefined)?.visits as ChunkRef;
  const holder = reader.chunkFiles.pathOf(visits.file);
  reader.close();
  flip(holder, visits.offset + visits.length)(files);
  const kept = repairFolder(files, foldersIn(other.folder));
  t.match(
    kept.losses.filter(({ kind }) => kind === 'publication'),
    [{ words: 'the visits of the published map of project "one"' }],
  );
  t.strictSame(publicIn(kept.state), ['one']);
  const projects = [...kept.state.accounts.values()].flatMap((account) => [...account.projects.values()]);
  t.ok(projects.every((each) => each.visits === undefined));
});

t.test('unreadable sectors count as damage, and the repair goes on', async (t) => {
  const files = image.copy();
  const bad = 4096;
  files.beforeRead = (call) => {
    if (call.kind !== 'read' || call.path !== newer) return;
    if (call.position <= bad && call.position + call.byteLength > bad) throw systemError('EIO', 'read');
  };
  const kept = repairFolder(files, foldersIn(folder));
  t.match(kept.findings, [{ file: newer }]);
  t.equal(kept.state.lsn, lastLsn);
  t.same(kept.losses, []);
});
