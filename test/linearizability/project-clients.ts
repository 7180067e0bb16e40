/** Clients of a new project of a real server: of its popups, of one of them, or of its artboards. */
import type { Chance } from '../support/random.ts';
import { BatchClients } from './batch-clients.ts';
import type { Clients } from './clients.ts';
import { CollectionClients, type Workload } from './collection-clients.ts';
import type { Shown } from './models.ts';

const initial = ['x', 'y'].map((name): Shown => [name, '', '']);
const named = initial.map(([name]) => ({ name }));

/** The body that creates such a project. */
export const projectBody = {
  popups: named,
  artboards: [{ objects: named.map((element) => ({ ...element, type: 'spot' })) }],
};

type Named = readonly { readonly id: string; readonly name: string }[];
const idsOf = (members: Named): Record<string, string> => Object.fromEntries(members.map(({ name, id }) => [name, id]));

/** @param made the response to the request that created the project */
export function clientsOf(made: unknown, random: Chance): Clients {
  const { id, popups, artboards } = made as { id: string; popups: Named; artboards: [{ id: string; objects: Named }] };
  const holder = `/projects/${id}`;
  if (random.once(3)) {
    const [{ id: artboard, objects }] = artboards;
    return new BatchClients({ project: holder, artboard, objects: idsOf(objects) }, random);
  }
  const place = { name: 'popups', holder, holders: '/projects', holderId: id } as const;
  const workload: Workload = random.once(2) ? 'members' : 'collection';
  return new CollectionClients({ ...place, fields: ['title', 'content'] }, workload, random, { initial, ids: idsOf(popups) });
}
