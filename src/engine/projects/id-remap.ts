/** New identifiers for the members of a project that is made after another one, and what each was called there. */
import { isUuid } from '../../lib/text/ids.ts';
import type { Reference } from '../../model/references.ts';
import { withOpenTexts, withReferences } from '../../model/references.ts';
import type { CollectionName, Resource } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';

/** Bytes that one identifier takes beside the old one's characters: the new one, and their place. */
const entryBytes = 160;

export class IdMap {
  readonly #newIds = new Map<string, string>();
  #bytes = 0;

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Notes what a member, or the project itself, is called now; `false`, and nothing noted, when another one of the collection had the same identifier. */
  add(collection: CollectionName | 'projects', id: string, newId: string): boolean {
    const key = keyOf(collection, id);
    if (this.#newIds.has(key)) return false;
    this.#newIds.set(key, newId);
    this.#bytes += entryBytes + 2 * id.length;
    return true;
  }

  /** What the member is called now that had this identifier; the same one when there is none. */
  get(collection: CollectionName, id: string): string {
    return this.#newIds.get(keyOf(collection, id)) ?? id;
  }

  /** The value with new identifiers wherever it refers to a member; the same one where it refers to none. */
  inPlace({ stored }: Resource, value: Value): Value {
    return withOpenTexts(stored, withReferences(stored, value, this.#renamed), this.#renamedAnywhere);
  }

  readonly #renamed = (id: string, { collection }: Reference): string => this.get(collection, id);

  readonly #renamedAnywhere = (text: string): string => (isUuid(text) ? (this.#newIds.get(text) ?? text) : text);
}

/** Identifiers of the server are UUIDs and unique. Identifiers written by hand may occur once in each collection. */
function keyOf(collection: CollectionName | 'projects', id: string): string {
  return isUuid(id) ? id : `${collection} ${id}`;
}
