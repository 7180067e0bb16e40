/**
 * The workloads: each a way for a server to live, small enough that every crash in it can be tried. Segments hold a few frames, so that
 * rotations come soon.
 */
import { setImmediate } from 'node:timers/promises';
import { NoSpaceError } from '../../src/lib/errors.ts';
import type { Operation } from '../disk/disk.ts';
import { create, remove, update } from '../support/engine.ts';
import { Chance } from '../support/random.ts';
import { batchWorkloads } from './batch-workloads.ts';
import { standing, torn } from './leave.ts';
import {
  always,
  begin,
  burst,
  incompressible,
  interval,
  must,
  never,
  smallest,
  type Workload,
  workload,
  writes,
} from './workload.ts';
import { folders, member, project } from './world.ts';

export const workloads: readonly Workload[] = [
  workload('a first start', smallest, async (world) => {
    await world.open();
    await world.close();
  }),

  workload('a first start on a full disk', smallest, async (world) => {
    let spares = 0;
    world.fault = (operation) => {
      if (operation.kind === 'create' && operation.path.endsWith('/spare.tmp')) spares++;
      return operation.kind === 'write' && operation.path.endsWith('/spare.tmp') && spares > 1 ? 'ENOSPC' : undefined;
    };
    await world.open();
    await world.createKey('ann');
    await world.createKey('bob');
    world.fault = () => undefined;
    await world.wait(1_100);
    await world.createKey('cid');
  }),

  workload('single writes', always, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 3);
    await world.close();
  }),

  workload('bursts', always, async (world) => {
    const { popup } = await begin(world);
    await burst(world, popup(), 3);
    await burst(world, popup(), 4);
  }),

  workload('writes while the disk is busy', always, async (world) => {
    const { popup } = await begin(world);
    const first = burst(world, popup(), 2);
    await setImmediate();
    const second = burst(world, popup(), 3);
    await Promise.all([first, second]);
  }),

  workload('records over several sectors', { ...always, segmentBytes: 8192 }, async (world) => {
    const { popup } = await begin(world);
    for (const size of [600, 1500, 2600]) await world.write(create(popup(), { title: 'x'.repeat(size) }));
  }),

  workload('a publication, its next versions, a snapshot, and a withdrawal', always, async (world) => {
    const { account, id, popup } = await begin(world);
    await world.publish(account, id, 'one');
    await writes(world, popup(), 1);
    await world.publish(account, id, 'two');
    await world.snapshot();
    await writes(world, popup(), 1);
    // The same map for a later version: a record without its bytes.
    await world.publish(account, id, 'two');
    await world.kill();
    await world.open();
    await world.snapshot();
    await world.unpublish(account, id);
    await world.publish(account, id, 'three');
    await world.close();
  }),

  workload('a name of a map that is taken, replaced and given up, with snapshots between', always, async (world) => {
    const { account, id } = await begin(world);
    await world.publish(account, id, 'one', undefined, 'lindenhof');
    await world.snapshot();
    await world.publish(account, id, 'one', undefined, 'harbour');
    await world.kill();
    await world.open();
    await world.publish(account, id, 'one', undefined, 'lindenhof');
    await world.snapshot();
    await world.unpublish(account, id);
    await world.close();
  }),

  workload('a publication whose record is larger than a segment', always, async (world) => {
    const { account, id, popup } = await begin(world);
    await world.publish(account, id, 'one', incompressible(4000));
    await writes(world, popup(), 1);
    await world.snapshot();
    // Rules stay as they were published until the project changes.
    await world.publish(account, id, 'two', incompressible(3500));
    await world.close();
  }),

  workload('a record larger than a segment', always, async (world) => {
    const { account, id, popup } = await begin(world);
    for (const size of [1500, 1500]) await world.write(create(popup(), { title: 'x'.repeat(size) }));
    const copying = world.duplicate(account, id);
    await writes(world, popup(), 2);
    await copying;
    await writes(world, popup(), 1);
    await world.close();
  }),

  workload('two records larger than a segment, a snapshot and a restart', always, async (world) => {
    const { account, id, popup } = await begin(world);
    for (const size of [1500, 1500]) await world.write(create(popup(), { title: 'x'.repeat(size) }));
    await Promise.all([world.duplicate(account, id), world.duplicate(account, id)]);
    await world.snapshot();
    await world.kill();
    await world.open();
    await world.duplicate(account, id);
    await writes(world, popup(), 1);
  }),

  workload('a record larger than a segment, on a disk that is full', always, async (world) => {
    const { account, id, popup } = await begin(world);
    for (const size of [1500, 1500]) await world.write(create(popup(), { title: 'x'.repeat(size) }));
    world.fault = (operation) => (operation.kind === 'write' && operation.path.endsWith('/large.tmp') ? 'ENOSPC' : undefined);
    let refused = false;
    await world.duplicate(account, id).catch((error: unknown) => {
      refused = error instanceof NoSpaceError;
    });
    must(refused, 'there was no room for it');
    await writes(world, popup(), 1);
    world.fault = () => undefined;
    await world.duplicate(account, id);
  }),

  workload('killed before a large record is committed', always, async (world) => {
    const { account, id, popup } = await begin(world);
    for (const size of [1500, 1500]) await world.write(create(popup(), { title: 'x'.repeat(size) }));
    const inLarge = (operation: Operation): boolean => operation.kind === 'rename' && operation.from.endsWith('/large');
    await world.killBefore(inLarge, () => world.duplicate(account, id));
    await world.open();
    await writes(world, popup(), 1);
    await world.duplicate(account, id);
    await world.close();
  }),

  workload('large records without a sync', { ...never, segmentBytes: 3072 }, async (world) => {
    const { account, id, popup } = await begin(world);
    for (const size of [1500, 1500]) await world.write(create(popup(), { title: 'x'.repeat(size) }));
    await world.duplicate(account, id);
    await writes(world, popup(), 2);
    await world.close();
  }),

  workload('rotations', always, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 14);
  }),

  workload('the smallest segments', smallest, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 8);
    await world.close();
  }),

  workload('seals on demand', always, async (world) => {
    const { popup } = await begin(world);
    await world.engine.journal.seal();
    await writes(world, popup(), 2);
    await Promise.all([world.engine.journal.seal(), burst(world, popup(), 2)]);
    await world.engine.journal.seal();
  }),

  workload('marks in quiet moments', always, async (world) => {
    const { popup } = await begin(world);
    await world.wait(150);
    await writes(world, popup(), 1);
    await world.wait(150);
    await writes(world, popup(), 2);
    await world.wait(150);
  }),

  workload('reads among writes', always, async (world) => {
    const { popup, account, id } = await begin(world);
    const [kept] = await writes(world, popup(), 1);
    const writing = world.write(update(popup(kept), { title: 'new' }));
    await Promise.all([setImmediate().then(() => world.read(popup(kept))), world.read(project(account, id)), writing]);
    const deleting = world.write(remove(popup(kept)));
    await Promise.all([world.read(popup(kept)), world.write(create(popup(), {})), world.read(project(account, id)), deleting]);
  }),

  workload('clean stops and restarts', always, async (world) => {
    const { popup } = await begin(world);
    await world.close();
    await world.open();
    await writes(world, popup(), 2);
    await world.close();
    await world.open();
    await world.close();
  }),

  workload('a restart with segments of another size', always, async (world) => {
    const { popup } = await begin(world);
    await world.close();
    await world.open({ segmentBytes: 8192 });
    await writes(world, popup(), 1);
    await world.close();
    await world.open({ segmentBytes: 2048 });
    await writes(world, popup(), 1);
  }),

  workload('killed amid writes', always, async (world) => {
    const { popup } = await begin(world);
    const frame = (kind: string) => (operation: { kind: string; path: string }) =>
      operation.kind === kind && operation.path.endsWith('.segment');
    await world.killBefore(frame('sync'), () => burst(world, popup(), 2));
    await world.open();
    await writes(world, popup(), 1);
    await world.killBefore(frame('write'), () => burst(world, popup(), 2));
    await world.open();
    await writes(world, popup(), 1);
  }),

  workload('killed in rotations', smallest, async (world) => {
    const { popup } = await begin(world);
    const renaming = (operation: { kind: string; path: string }) =>
      operation.kind === 'rename' && operation.path.endsWith('.segment');
    let renamed = false;
    await world.killBefore(renaming, () => writes(world, popup(), 4));
    await world.open();
    // This time after the rename, before its folder is synced.
    await world.killBefore(
      (operation) => {
        if (renamed) return true;
        renamed = renaming(operation);
        return false;
      },
      () => writes(world, popup(), 4),
    );
    await world.open();
    await writes(world, popup(), 1);
  }),

  workload('a failed sync', always, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 1);
    world.fault = (operation) => (operation.kind === 'sync' && operation.path.endsWith('.segment') ? 'EIO' : undefined);
    await writes(world, popup(), 1).catch(() => undefined);
    world.fault = () => undefined;
    await world.kill();
    // The page cache still shows what the disk does not hold.
    await world.open();
    await writes(world, popup(), 1);
    await world.close();
  }),

  workload('torn tails', always, async (world) => {
    const { popup } = await begin(world);
    for (const bytes of [70, 300]) {
      await world.killBefore(
        (operation) => operation.kind === 'sync' && operation.path.endsWith('.segment'),
        () => burst(world, popup(), 3),
      );
      await world.cutPower((disk) => torn(disk, bytes));
      await world.open();
      await writes(world, popup(), 1);
    }
  }),

  workload('restarted twice after a torn tail', { ...always, segmentBytes: 8192 }, async (world) => {
    const { popup } = await begin(world);
    await world.killBefore(
      (operation) => operation.kind === 'sync' && operation.path.endsWith('.segment'),
      () => world.write(create(popup(), { title: 'y'.repeat(1400) })),
    );
    await world.cutPower((disk) => torn(disk, 800));
    await world.open();
    await world.kill();
    await world.open();
    await world.kill();
    await world.open();
    await writes(world, popup(), 2);
  }),

  workload('keys made, revoked and deleted', always, async (world) => {
    const { key } = await begin(world);
    const { id } = await world.createKey('ann');
    await world.revokeKey(key);
    await world.snapshot();
    await world.createKey('bob');
    await world.revokeKey(id);
    await world.deleteKey(key);
    await world.snapshot();
    await world.deleteKey(id);
    await world.close();
    await world.open();
  }),

  workload('a snapshot', always, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 2);
    await world.snapshot();
    await writes(world, popup(), 1);
  }),

  workload('snapshots of every collection', { ...always, segmentBytes: 4096 }, async (world) => {
    const { account, id, popup } = await begin(world);
    const artboard = await world.write(create(member(account, id, 'artboards'), { name: 'a' }));
    await world.write(create(member(account, id, 'objects', '', artboard), { type: 'spot' }));
    for (const collection of ['variables', 'actions', 'data_sources'] as const)
      await world.write(create(member(account, id, collection), {}));
    await writes(world, popup(), 1);
    await world.snapshot();
    await world.write(update(member(account, id, 'artboards', artboard), { name: 'b' }));
    await world.snapshot();
    await world.write(remove(member(account, id, 'artboards', artboard)));
    await world.snapshot();
  }),

  workload('snapshots, retention and trims', smallest, async (world) => {
    const { popup } = await begin(world);
    for (let i = 0; i < 4; i++) {
      await writes(world, popup(), 2);
      await world.snapshot();
    }
    await world.close();
    await world.open();
  }),

  workload('snapshots while some files cannot be deleted', smallest, async (world) => {
    const { popup } = await begin(world);
    let unlinks = 0;
    world.fault = ({ kind, path }) =>
      kind === 'unlink' && /\.(snapshot|segment)$/.test(path) && unlinks++ % 2 === 0 ? 'EPERM' : undefined;
    for (let i = 0; i < 5; i++) {
      await writes(world, popup(), 2);
      await world.snapshot();
    }
    must(unlinks > 4, `some files stay: ${unlinks}`);
    await world.close();
    await world.open();
    await writes(world, popup(), 1);
  }),

  workload('snapshots that refer to older ones', { ...always, segmentBytes: 8192 }, async (world) => {
    const { account, popup } = await begin(world);
    for (const name of ['quiet', 'quieter'])
      await world.write(create(project(account), { name, popups: [{ title: name.repeat(60) }, { title: name.repeat(50) }] }));
    await world.snapshot();
    const files: (number | undefined)[] = [];
    for (let i = 0; i < 5; i++) {
      await writes(world, popup(), 1);
      files.push((await world.snapshot())?.files);
    }
    must(files.includes(2), `some snapshots refer to another file: ${files}`);
    await world.close();
    await world.open();
    await writes(world, popup(), 1);
    await world.snapshot();
  }),

  workload('snapshots that give up older files', { ...always, segmentBytes: 8192 }, async (world) => {
    const { account, popup } = await begin(world);
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three'])
      ids.push(await world.write(create(project(account), { name, popups: [{ title: name.repeat(60) }] })));
    await world.snapshot();
    let referred = 0;
    let moved = 0;
    for (const id of ['', ...ids.slice(1), '']) {
      if (id === '') await writes(world, popup(), 1);
      else await world.write(remove(project(account, id)));
      const report = await world.snapshot();
      if ((report?.files ?? 0) > 1) referred++;
      else if ((report?.copied ?? 0) > 0) moved++;
    }
    must(referred > 0 && moved > 0, `some refer to another file (${referred}), some move what is left of it (${moved})`);
    await world.close();
    await world.open();
  }),

  workload('killed in snapshots that refer to older ones', { ...always, segmentBytes: 8192 }, async (world) => {
    const { account, popup } = await begin(world);
    await world.write(create(project(account), { name: 'quiet', popups: [{ title: 'q'.repeat(600) }] }));
    for (let i = 0; i < 3; i++) {
      await world.snapshot();
      await writes(world, popup(), 1);
    }
    for (const kind of ['rename', 'unlink'] as const) {
      let begun = false;
      await world.killBefore(
        (operation) => {
          if (begun) return true;
          begun = operation.kind === kind && operation.path.endsWith('.snapshot');
          return false;
        },
        () => world.snapshot(),
      );
      await world.open();
      await writes(world, popup(), 1);
    }
    must(((await world.snapshot())?.files ?? 0) > 1, 'the last one refers to another file');
  }),

  workload('snapshots in a folder whose snapshots were removed', smallest, async (world) => {
    const { popup } = await begin(world);
    await world.close();
    await world.cutPower((disk) => new Map([...standing(disk)].filter(([folder]) => folder !== folders.snapshots)));
    await world.open();
    for (let i = 0; i < 3; i++) {
      await writes(world, popup(), 2);
      await world.snapshot();
    }
  }),

  workload('killed in a snapshot', always, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 1);
    await world.snapshot();
    await writes(world, popup(), 1);
    await world.killBefore(
      (operation) => operation.kind === 'rename' && operation.path.endsWith('.snapshot'),
      () => world.snapshot(),
    );
    await world.open();
    let renamed = false;
    await world.killBefore(
      (operation) => {
        if (renamed) return true;
        renamed = operation.kind === 'rename' && operation.path.endsWith('.snapshot');
        return false;
      },
      () => world.snapshot(),
    );
    await world.open();
    await writes(world, popup(), 1);
    await world.snapshot();
  }),

  workload('a full disk while a spare is made', smallest, async (world) => {
    const { popup } = await begin(world);
    world.fault = (operation) => (operation.kind === 'write' && operation.path.endsWith('/spare.tmp') ? 'ENOSPC' : undefined);
    for (let i = 0; i < 6; i++) await writes(world, popup(), 1).catch(() => undefined);
    world.fault = () => undefined;
    await world.wait(1_100);
    await writes(world, popup(), 2);
  }),

  workload('a full disk during a snapshot', always, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 1);
    world.fault = (operation) =>
      operation.kind === 'write' && operation.path.endsWith('.tmp') && operation.path.includes('snapshot') ? 'ENOSPC' : undefined;
    await world.snapshot().catch(() => undefined);
    world.fault = () => undefined;
    await writes(world, popup(), 1);
    await world.snapshot();
    await writes(world, popup(), 1);
  }),

  workload('whole collections, deletions and orders', { ...always, segmentBytes: 4096 }, async (world) => {
    const { account, id, popup } = await begin(world);
    const [a, b, c] = await writes(world, popup(), 3);
    await world.write(update(project(account, id), { popups: [{ id: c }, { title: 'new' }, { id: a }] }));
    await world.snapshot();
    await world.write(remove(popup(a)));
    await world.write(remove(project(account, id)));
    await world.snapshot();
    if (b === undefined) throw new Error('three were made');
  }),

  workload('synced each second', interval, async (world) => {
    const { popup } = await begin(world);
    await burst(world, popup(), 2);
    await world.wait(1_100);
    await writes(world, popup(), 3);
    await world.close();
  }),

  workload('never synced', never, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 5);
    await world.close();
    await world.open();
    await writes(world, popup(), 2);
  }),

  workload('from never to always and back', never, async (world) => {
    const { popup } = await begin(world);
    await world.close();
    await world.open({ sync: 'always' });
    await writes(world, popup(), 2);
    await world.close();
    await world.open();
    await writes(world, popup(), 2);
  }),

  workload('never synced, the power cut', never, async (world) => {
    const { popup } = await begin(world);
    await writes(world, popup(), 2);
    await world.cutPower((disk) => torn(disk, 100));
    await world.open();
    await world.createKey('bob');
    await world.kill();
    await world.open();
    await world.createKey('cid');
  }),

  workload('a random sequence of steps', always, async (world) => {
    const { popup, account } = await begin(world);
    const chance = new Chance(7);
    let ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const some = ids[chance.below(ids.length)];
      const step = chance.below(7);
      if (step < 2 || some === undefined) ids.push(...(await writes(world, popup(), 1)));
      else if (step === 2) await world.write(update(popup(some), { title: `u${i}` }));
      else if (step === 3) {
        await world.write(remove(popup(some)));
        ids = ids.filter((id) => id !== some);
      } else if (step === 4) await world.snapshot();
      else if (step === 5) {
        await world.kill();
        await world.open();
      } else await world.write(create(project(account), { name: `q${i}` }));
    }
  }),

  ...batchWorkloads,
];
