/**
 * Makes histories: clients and a disk that take turns as chance has it. What one seed made, it makes again.
 *
 * Between any two turns the disk may do nothing for long, so that answers which do not wait for it are given early and show; then the
 * power goes, and takes with it what they showed.
 */
import { setImmediate } from 'node:timers/promises';
import { createKey } from '../../src/engine/keys.ts';
import { runSnapshot } from '../../src/storage/snapshot/run/snapshot-run.ts';
import { Disk } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { create, done, membersIn, project } from '../support/engine.ts';
import { Chance } from '../support/random.ts';
import { BatchClients } from './batch-clients.ts';
import type { Clients } from './clients.ts';
import { type Begun, CollectionClients, type Place, type Workload } from './collection-clients.ts';
import type { Shown } from './models.ts';
import { describe } from './report.ts';
import { type Crash, folders, World } from './world.ts';

/** The data that every history begins with: durable, and some of it in a snapshot. */
export interface Base {
  readonly files: SimulatedDisk;
  readonly key: string;
  readonly places: readonly (Begun & { readonly place: Place })[];
  /** Path of the project, its artboard, and the objects on that, by name. */
  readonly project: string;
  readonly artboard: string;
  readonly objects: Readonly<Record<string, string>>;
}

export interface Made {
  readonly crashes: number;
  readonly operations: number;
  readonly unanswered: number;
  /** What is wrong with it. */
  readonly fault: string | undefined;
}

/** Operations before a crash during which the disk does next to nothing. */
const heldBefore = 5;

const named = ['x', 'y'].map((name) => ({ name }));

/** @param inSnapshot everything is in a snapshot, whose members are decoded only when they are read */
export async function makeBase(inSnapshot: boolean): Promise<Base> {
  const files = new SimulatedDisk(new Disk());
  const world = await World.open(files);
  const { engine } = world;
  const { key, account } = await world.worker.drive(createKey(engine, 'ann'));
  const objects = named.map((element) => ({ ...element, type: 'spot' }));
  const body = { popups: named, artboards: [{ name: 'one', objects }] };
  const id = await world.worker.drive(done(engine, create(project(account.id), body)));
  const idsIn = (name: 'popups' | 'objects' | 'artboards', parent: string) =>
    Object.fromEntries(membersIn(engine, account.id, id, name, parent).map((value) => [String(value['name']), value.id]));
  const artboard = idsIn('artboards', '')['one'] as string;
  if (inSnapshot) {
    const to = await world.worker.drive(engine.journal.seal());
    const request = {
      journalFolder: folders.journal,
      snapshotFolder: folders.snapshots,
      lineage: engine.journal.lineage,
      pauseMs: 0,
    };
    runSnapshot(files, { ...request, from: 0, to });
  }
  await world.close();
  files.losePower(() => 0);
  const initial = named.map(({ name }): Shown => [name, '', '']);
  const [holder, holders] = [`/projects/${id}`, '/projects'];
  const inProject: Place = { name: 'popups', holder, holders, holderId: id, fields: ['title', 'content'] };
  const onArtboard: Place = {
    ...{ name: 'objects', holder: `${holder}/artboards/${artboard}`, holders: `${holder}/artboards` },
    ...{ holderId: artboard, fields: ['click_action_url', 'click_action_artboard_id'] },
  };
  const places = [
    { place: inProject, initial, ids: idsIn('popups', '') },
    { place: onArtboard, initial, ids: idsIn('objects', artboard) },
  ];
  return { files, key, places, project: holder, artboard, objects: idsIn('objects', artboard) };
}

/** One history: several clients of a collection or of its members, crashes among them, and at the end every waiting client gets its response. */
export function makeHistory(bases: readonly Base[], seed: number): Promise<Made> {
  const random = new Chance(seed);
  const base = random.pick(bases);
  const { place, ...begun } = random.pick(base.places);
  const workload: Workload = random.once(2) ? 'members' : 'collection';
  return make(base, new CollectionClients(place, workload, random, begun), random);
}

/** The same of clients that send batches with identifiers, places and moves. */
export function makeBatchHistory(bases: readonly Base[], seed: number): Promise<Made> {
  const random = new Chance(seed);
  const base = random.pick(bases);
  return make(base, new BatchClients(base, random), random);
}

async function make(base: Base, clients: Clients, random: Chance): Promise<Made> {
  const { key } = base;
  const files = base.files.copy();
  const count = 2 + random.below(4);
  let left = 8 + random.below(14);
  const crashesAt = random.once(4) ? [] : Array.from({ length: 1 + random.below(2) }, () => random.below(left));
  let world = await World.open(files);
  const ask = (method: string, path: string, body?: unknown) => world.ask(key, method, `/v1${path}`, body);
  const waiting: Promise<void>[] = [];
  while (left > 0 || clients.busy > 0) {
    const crashNext = crashesAt.find((at) => left - at < heldBefore);
    if (crashNext !== undefined && left <= crashNext && random.once(4)) {
      crashesAt.splice(crashesAt.indexOf(crashNext), 1);
      const kind = random.pick<Crash>(['at once', 'while it syncs', 'after a sync failed']);
      if (kind === 'after a sync failed') await failSync(world, random);
      // In one turn: whatever comes over a connection after this is not heard.
      clients.crash();
      await world.crash(kind, random);
      try {
        world = await World.open(files);
      } catch (error) {
        return made(
          clients,
          `after the crash the server does not start: ${error}\n${describe(clients.history, clients.crashes)}`,
        );
      }
      continue;
    }
    clients.crashIsNear = crashNext !== undefined;
    const idle = Array.from({ length: count }, (_, client) => client).filter((client) => !clients.isBusy(client));
    const next = random.weighted({
      ask: left > 0 && idle.length > 0 ? 5 : 0,
      turn: 4,
      // Little of what is answered just before a crash is durable; once nobody asks any more, the disk has to come to an end.
      sync: crashNext !== undefined ? 0.4 : left > 0 ? 2 : 6,
      abandon: clients.busy > 0 ? 0.15 : 0,
    });
    if (next === 'ask') {
      left--;
      waiting.push(clients.ask(random.pick(idle), ask));
    } else if (next === 'sync') world.worker.step();
    else if (next === 'abandon') clients.abandon();
    await turns(random.below(6));
  }
  await Promise.all(waiting);
  await world.crash('at once', random);
  return made(clients, clients.fault());
}

function made({ history, crashes }: Clients, fault: string | undefined): Made {
  const unanswered = history.filter(({ output }) => output === undefined).length;
  return { crashes: crashes.length, operations: history.length, unanswered, fault };
}

/** A sync fails under the requests that wait for it; they are answered, and some that come later, before the process ends. */
async function failSync(world: World, random: Chance): Promise<void> {
  world.failSync();
  world.worker.step();
  await turns(random.below(20));
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}
