/** Maps the identifiers of a project's members to those of its copy, or of a document to those of the imported project. */
import { isUuid } from '../../lib/text/ids.ts';
import { fileAddress, filePath, withFileReferences } from '../../model/references/file-references.ts';
import { withPlaceLinks } from '../../model/references/place-links.ts';
import type { Reference } from '../../model/references/references.ts';
import { withOpenTexts, withReferences } from '../../model/references/references.ts';
import type { CollectionName, Resource } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';

/** Memory of one entry besides the characters of the old identifier, in bytes. */
const entryBytes = 160;

export class IdMap {
  readonly #newIds = new Map<string, string>();
  /** Paths of copied files, by the slug of the original. */
  readonly #newPaths = new Map<string, string>();
  readonly #publicUrl: string | undefined;
  #bytes = 0;

  /** @param publicUrl of the server: addresses of files may begin with it */
  constructor(publicUrl?: string) {
    this.#publicUrl = publicUrl;
  }

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Maps the identifier of a member, or of the project itself. Returns `false` and changes nothing if the collection already has it. */
  add(collection: CollectionName | 'projects', id: string, newId: string): boolean {
    const key = keyOf(collection, id);
    if (this.#newIds.has(key)) return false;
    this.#newIds.set(key, newId);
    this.#bytes += entryBytes + 2 * id.length;
    return true;
  }

  /** Maps the address of a file to one with another slug. @param url path of the original */
  addFile(url: string, newSlug: string): void {
    const { slug, name } = addressOf(url);
    const path = filePath(newSlug, name);
    this.#newPaths.set(slug, path);
    this.#bytes += entryBytes + 2 * path.length;
  }

  /** The new path of a file; the old one if it is not mapped. */
  pathOf(url: string): string {
    return this.#newPaths.get(addressOf(url).slug) ?? url;
  }

  /** Returns the new identifier of a member; the old one if it is not mapped. */
  get(collection: CollectionName, id: string): string {
    return this.#newIds.get(keyOf(collection, id)) ?? id;
  }

  /** Returns the value with new identifiers and addresses in its references and links; the same object if it has none. */
  inPlace(resource: Resource, value: Value): Value {
    const named = withOpenTexts(resource, withReferences(resource, value, this.#renamed), this.#renamedAnywhere);
    const referring = withPlaceLinks(resource, named, this.#renamedPlace);
    if (this.#newPaths.size === 0) return referring;
    return withFileReferences(resource, referring, (slug) => this.#newPaths.get(slug), this.#publicUrl);
  }

  readonly #renamed = (id: string, { collection }: Reference): string => this.get(collection, id);

  /** As the viewer looks for it. */
  readonly #renamedPlace = (id: string): string | undefined =>
    this.#newIds.get(keyOf('artboards', id)) ?? this.#newIds.get(keyOf('objects', id));

  readonly #renamedAnywhere = (text: string): string => (isUuid(text) ? (this.#newIds.get(text) ?? text) : text);
}

const addressOf = (url: string): { slug: string; name: string } => fileAddress(url) ?? { slug: '', name: '' };

/** The server's identifiers are UUIDs and unique. Identifiers written by hand may occur once in each collection. */
function keyOf(collection: CollectionName | 'projects', id: string): string {
  return isUuid(id) ? id : `${collection} ${id}`;
}
