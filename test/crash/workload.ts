/** A workload of the crash enumerator, its settings, and the steps that many of them share. */
import type { Target } from '../../src/engine/command.ts';
import { create } from '../support/engine.ts';
import { Chance } from '../support/random.ts';
import { member, project, type Setting, type World } from './world.ts';

export interface Workload {
  readonly name: string;
  readonly setting: Setting;
  readonly run: (world: World) => Promise<void>;
}

export const always: Setting = { sync: 'always', segmentBytes: 3072 };
export const smallest: Setting = { sync: 'always', segmentBytes: 2048 };
export const interval: Setting = { sync: 'interval', segmentBytes: 3072 };
export const never: Setting = { sync: 'never', segmentBytes: 3072 };

export const workload = (name: string, setting: Setting, run: (world: World) => Promise<void>): Workload => ({
  name,
  setting,
  run,
});

/** An open world with an account and a project in it. */
export async function begin(world: World): Promise<{ account: string; id: string; key: string; popup: (id?: string) => Target }> {
  await world.open();
  const { account, id: key } = await world.createKey('ann');
  const id = await world.write(create(project(account.id), { name: 'p' }));
  return { account: account.id, id, key, popup: (popup = '') => member(account.id, id, 'popups', popup) };
}

export async function writes(world: World, target: Target, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await world.write(create(target, { title: `t${i}` })));
  return ids;
}

/** A workload must do what it is there for. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export const burst = (world: World, target: Target, count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => world.write(create(target, { title: `b${i}` }))));

/** A text that gzip hardly shortens. */
export function incompressible(length: number): string {
  const chance = new Chance(length);
  return Array.from({ length }, () => String.fromCharCode(33 + chance.below(90))).join('');
}
