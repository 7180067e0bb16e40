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

/** Data whose contents name marks in place of addresses in the archive. @param file whose folder the addresses begin in */
export function withArchivePictures(data: FileData, archive: Archive, file: string, notes: Notes): FileData {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const names = new Set(archive.names);
  const pictures = new Map<string, FilePicture>();
  let left = 0;
  const markOf = (address: string): string | undefined => {
    const path = pathOf(address);
    const name = [folder + path, path].find((each) => names.has(each));
    const type = typeOf(name ?? '');
    if (name === undefined || type === undefined) return undefined;
    const known = pictures.get(name);
    if (known !== undefined) return known.mark;
    if (pictures.size >= picturesMax || (archive.bytesOf(name) ?? 0) > bytesMax) {
      left++;
      return undefined;
    }
    const mark = `mapwright-picture:${pictures.size}`;
    pictures.set(name, { name, type, bytes: archive.read(name), mark });
    return mark;
  };
  const items = data.items.map((item) => withMarks(item, markOf));
  const detail = `${left} pictures are left out: at most ${picturesMax} of ${bytesMax / 1024 / 1024} MiB are taken.`;
  if (left > 0) notes.leaveOut('pictures', '', detail);
  return pictures.size === 0 ? data : { ...data, items, pictures: [...pictures.values()] };
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
    const marked = html.replace(/(<img\b[^<>]*?\ssrc=")([^"]*)(")/g, (whole, before: string, address: string, after: string) => {
      const mark = markOf(address);
      return mark === undefined ? whole : before + mark + after;
    });
    return [column, marked] as const;
  });
  return { ...item, contents: new Map(contents) };
}
