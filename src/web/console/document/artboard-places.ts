/** Objects that move with their artboard, so that they stay where they are on Earth. */
import type { CollectionRef, Members, Resource, ResourceRef } from '../kinds/resource-kinds.ts';
import { numberOf } from '../kinds/resource-version.ts';

/** Members that say where on a map an artboard is. */
const areaMembers = ['width', 'height', 'osm_lat', 'osm_lng', 'osm_zoom'] as const;

/** A project as the server has it. */
interface Stored {
  stored(id: string): Resource | undefined;
  ids(collection: CollectionRef): readonly string[];
}

/** True if a change of an artboard moves its objects. */
export function keepsPlaces(store: Stored, { kind, id }: ResourceRef, members: Members): boolean {
  const stored = store.stored(id);
  if (kind !== 'artboard' || stored?.['type'] !== 'osm' || (members['type'] ?? 'osm') !== 'osm') return false;
  const moves = areaMembers.some((name) => Object.hasOwn(members, name) && members[name] !== stored[name]);
  return moves && store.ids({ kind: 'object', artboardId: id }).length > 0;
}

/** Tells changes of objects that move with their artboard from those by others, until the feed has brought them. */
export class OwnMoves {
  /** Artboards whose objects a request of this page moves, with the version that it made once that is known. */
  readonly #moving = new Map<string, string | undefined>();
  /** The position up to which the feed has brought everything. */
  #position = '';

  /** @param request of this page, with the version that it makes */
  async during<T extends { readonly version: string }>(artboardIds: readonly string[], request: () => Promise<T>): Promise<T> {
    for (const id of artboardIds) this.#moving.set(id, undefined);
    let version: string | undefined;
    try {
      const made = await request();
      version = made.version;
      return made;
    } finally {
      for (const id of artboardIds) {
        if (version === undefined) this.#moving.delete(id);
        else this.#moving.set(id, version);
      }
      this.reached(this.#position);
    }
  }

  /** The feed has brought everything up to a position. */
  reached(position: string): void {
    this.#position = position;
    for (const [id, version] of this.#moving)
      if (version !== undefined && numberOf(version) <= numberOf(position)) this.#moving.delete(id);
  }

  /** True if a change of an object is one of them. */
  has({ kind, artboardId }: ResourceRef): boolean {
    return kind === 'object' && artboardId !== undefined && this.#moving.has(artboardId);
  }
}
