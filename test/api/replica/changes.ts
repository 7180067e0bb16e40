/** Random changes of all projects: batches with identifiers, places and moves, whole collections, versions, imports, copies. */
import type { Answer, Mapwright, Shown } from '../../support/mapwright.ts';
import type { Chance } from '../../support/random.ts';

type Json = Readonly<Record<string, unknown>>;
type Board = Shown & { readonly objects: readonly Shown[] };

/** A project as a GET shows it. */
export type Project = Shown & { readonly artboards: readonly Board[]; readonly popups: readonly Shown[] };

/** How often each change is made. */
const weights = {
  batch: 60,
  collections: 14,
  objects: 6,
  keep: 6,
  restore: 8,
  import: 3,
  duplicate: 2,
  'delete project': 3,
} as const;
export type Kind = keyof typeof weights;
export const kinds = Object.keys(weights) as Kind[];

const projectsMax = 3;
const boardsMax = 4;

export class Changes {
  readonly #mapwright: Mapwright;
  readonly #chance: Chance;
  /** Identifiers of the kept versions, by project. */
  readonly #versions = new Map<string, string[]>();
  #made = 0;

  constructor(mapwright: Mapwright, chance: Chance) {
    this.#mapwright = mapwright;
    this.#chance = chance;
  }

  /** Makes a change. @param projects all that there are */
  async make(projects: readonly Project[]): Promise<{ readonly kind: Kind; readonly answer: Answer }> {
    const chance = this.#chance;
    const project = chance.pick(projects);
    const versions = this.#versions.get(project.id) ?? [];
    const drawn = chance.weighted(weights);
    const fits =
      (drawn !== 'restore' || versions.length > 0) &&
      (drawn !== 'delete project' || projects.length > 1) &&
      (!['import', 'duplicate'].includes(drawn) || projects.length < projectsMax);
    const kind = fits ? drawn : 'batch';
    return { kind, answer: await this.#send(kind, project, versions) };
  }

  async #send(kind: Kind, project: Project, versions: readonly string[]): Promise<Answer> {
    const [mapwright, chance] = [this.#mapwright, this.#chance];
    const at = `/projects/${project.id}`;
    switch (kind) {
      case 'batch': {
        const operations = Array.from({ length: 1 + chance.below(5) }, () => this.#operation(project));
        return mapwright.post(`${at}/batch`, { operations });
      }
      case 'collections':
        return mapwright.patch(at, this.#collections(project));
      case 'objects': {
        const board = this.#any(project.artboards);
        return mapwright.patch(`${at}/artboards/${board?.id}`, {
          objects: this.#elements(board?.objects ?? [], { type: 'spot' }),
        });
      }
      case 'keep': {
        const answer = await mapwright.post(`${at}/versions`, {});
        this.#versions.set(project.id, [...versions.slice(-4), answer.shown.id]);
        return answer;
      }
      case 'restore':
        return mapwright.post(`${at}/versions/${chance.pick(versions)}/restore`, {});
      case 'import':
        return mapwright.post('/projects/import', (await mapwright.get(`${at}/export`)).text);
      case 'duplicate':
        return mapwright.post(`${at}/duplicate`, { name: 'a copy' });
      case 'delete project':
        return mapwright.delete(at);
    }
  }

  /** Some whole collections of a project, in another order, with new members and without some. */
  #collections({ artboards, popups }: Project): Json {
    const chance = this.#chance;
    const boards = this.#elements(artboards, {}).map((board) => {
      const present = artboards.find(({ id }) => id === board['id']);
      return chance.once(2) ? board : { ...board, objects: this.#elements(present?.objects ?? [], { type: 'spot' }) };
    });
    return {
      ...(chance.once(3) ? {} : { popups: this.#elements(popups, {}) }),
      ...(chance.once(3) ? {} : { artboards: boards.slice(0, boardsMax) }),
    };
  }

  #elements(present: readonly Shown[], fresh: Json): Json[] {
    const chance = this.#chance;
    const kept = chance.shuffled(present.filter(() => !chance.once(4))).map(({ id }): Json => ({ id }));
    while (chance.once(2)) kept.splice(chance.below(kept.length + 1), 0, { ...fresh, name: `${chance.below(99)}` });
    return kept;
  }

  #any<Each>(list: readonly Each[]): Each | undefined {
    return list.length === 0 ? undefined : this.#chance.pick(list);
  }

  /** An identifier of now, or of a moment around it. */
  #id(): string {
    const time = (Date.now() + this.#chance.below(200_000) - 100_000).toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(++this.#made).padStart(12, '0')}`;
  }

  #before(list: readonly Shown[] = []): string | null {
    return this.#chance.once(3) ? null : (this.#any(list)?.id ?? null);
  }

  /** An operation of a batch that often fits the project. */
  #operation({ artboards: boards, popups }: Project): Json {
    const chance = this.#chance;
    const board = this.#any(boards);
    const object = this.#any(board?.objects ?? []);
    const popup = this.#any(popups);
    const known = this.#any([...boards.flatMap(({ objects }) => objects), ...popups, ...boards])?.id;
    const id = known !== undefined && chance.once(3) ? known : this.#id();
    const objects = `/artboards/${board?.id}/objects`;
    const patch = { method: 'PATCH', path: `${objects}/${object?.id}`, body: {} };
    switch (chance.below(11)) {
      case 0:
        return { method: 'POST', path: '/popups', body: { attachedTo: object?.id ?? '' }, id };
      case 1:
        return {
          method: 'POST',
          path: '/artboards',
          id,
          body: { objects: [{ type: 'spot', id: this.#id() }, { type: 'spot' }] },
        };
      case 2:
        return boards.length < boardsMax
          ? { method: 'POST', path: '/artboards', before: this.#before(boards), body: {} }
          : { method: 'DELETE', path: `/artboards/${board?.id}` };
      case 3:
        return { method: 'DELETE', path: `${objects}/${object?.id}` };
      case 4:
        return { method: 'DELETE', path: `/popups/${popup?.id}` };
      case 5:
        return {
          method: 'PATCH',
          path: `/popups/${popup?.id}`,
          before: this.#before(popups),
          body: { title: `${chance.below(9)}` },
        };
      case 6:
        return { ...patch, to_artboard: this.#any(boards)?.id, body: chance.once(2) ? {} : { x: chance.below(99) } };
      case 7: {
        const to = this.#any(boards);
        return { ...patch, to_artboard: to?.id, before: this.#before(to?.objects) };
      }
      case 8:
        return { ...patch, before: this.#before(board?.objects) };
      case 9:
        return { method: 'POST', path: objects, body: { type: 'spot' }, before: this.#before(board?.objects) };
      default:
        return { method: 'PATCH', path: `/artboards/${board?.id}`, before: this.#before(boards), body: {} };
    }
  }
}
