/** Pictures of an archive that texts of its elements show, for example photographs of a KMZ. */
import type { FilePicture } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { FileData, Item } from '../file-data.ts';
import type { Archive } from './zip-archive.ts';

/** Pictures of one file, and bytes of each. */
const picturesMax = 100;
const bytesMax = 20 * 1024 * 1024;

/** Media types by the endings of names. */
const types = new Map(
  Object.entries({
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    webp: 'image/webp',
    avif: 'image/avif',
    gif: 'image/gif',
  }),
);
const typeOf = (name: string): string | undefined => types.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** Finds the pictures that items show. */
export class ArchivePictures {
  readonly #archive: Archive;
  readonly #names: ReadonlySet<string>;
  readonly #found = new Map<string, FilePicture>();
  #left = 0;
  #missing = 0;

  constructor(archive: Archive) {
    this.#archive = archive;
    this.#names = new Set(archive.names);
  }

  /** Items whose contents name marks in place of addresses in the archive. @param file whose folder the addresses begin in */
  marked(items: readonly Item[], file: string): readonly Item[] {
    return items.map((item) => withMarks(item, (address) => this.#markOf(address, file)));
  }

  /** Members of the data of a file; pictures that are left out are noted. */
  members(notes: Notes): Pick<FileData, 'pictures'> {
    const detail = `${this.#left} pictures are left out: at most ${picturesMax} of ${bytesMax / 1024 / 1024} MiB are taken.`;
    if (this.#left > 0) notes.leaveOut('pictures', '', detail);
    if (this.#missing > 0) notes.leaveOut('pictures', '', `${this.#missing} pictures of descriptions are not in the archive.`);
    return this.#found.size === 0 ? {} : { pictures: [...this.#found.values()] };
  }

  /** A mark; an empty text for a picture that is not there; `undefined` for one elsewhere. */
  #markOf(address: string, file: string): string | undefined {
    if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(address)) return undefined;
    const name = pathIn(address, file).find((each) => this.#names.has(each));
    const type = typeOf(name ?? '');
    if (name === undefined || type === undefined) {
      this.#missing++;
      return '';
    }
    const known = this.#found.get(name);
    if (known !== undefined) return known.mark;
    if (this.#found.size >= picturesMax || (this.#archive.bytesOf(name) ?? 0) > bytesMax) {
      this.#left++;
      return '';
    }
    const mark = `mapwright-picture:${this.#found.size}`;
    this.#found.set(name, { name, type, bytes: this.#archive.read(name), mark });
    return mark;
  }
}

/** Paths in an archive that an address in one of its files can be. */
export function pathIn(address: string, file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  let path = pathOf(address);
  while (path.startsWith('../')) {
    path = path.slice(3);
    parts.pop();
  }
  return [[...parts, path].join('/'), path];
}

/** An address of a file as a path in the archive. */
function pathOf(address: string): string {
  const plain = address.replaceAll('&amp;', '&').replace(/^\.\//, '').replaceAll('\\', '/');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function withMarks(item: Item, markOf: (address: string) => string | undefined): Item {
  if (item.contents === undefined) return item;
  const contents = [...item.contents].map(([column, html]) => {
    const marked = html.replace(/<img\b[^<>]*?\ssrc="([^"]*)"[^<>]*>/g, (whole, address: string) => {
      const mark = markOf(address);
      return mark === undefined ? whole : mark === '' ? '' : whole.replace(`src="${address}"`, `src="${mark}"`);
    });
    return [column, marked] as const;
  });
  return { ...item, contents: new Map(contents) };
}
