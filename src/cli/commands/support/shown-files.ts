/** Copies the files that a map shows into a folder, at the paths that the map names: the viewer finds them below the folder of its map. */
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileAddress, fileAddress } from '../../../model/references/file-references.ts';
import { type ApiClient, jsonOf } from '../../api-client.ts';
import { writeFile } from '../../output/new-file.ts';

const listBytesMax = 64 * 1024 * 1024;
/** In JSON, also in HTML in it. */
const addresses = /\/f\/[0-9a-z]{27}\/[^"'\\\s<>?#&]+/g;
/** More characters than an address has: a name of 300, each written as nine. */
const addressLengthMax = 4096;

/** Collects the paths of files in a text that arrives in pieces. */
export class FilePathsInText {
  readonly found = new Set<string>();
  #rest = '';

  add(piece: Uint8Array): void {
    const text = this.#rest + Buffer.from(piece).toString('latin1');
    // What touches the end may go on.
    this.#collect(text, text.length - 1);
    this.#rest = text.slice(-addressLengthMax);
  }

  end(): void {
    this.#collect(this.#rest, this.#rest.length);
  }

  #collect(text: string, endMax: number): void {
    for (const { 0: path, index } of text.matchAll(addresses)) if (index + path.length <= endMax) this.found.add(path);
  }
}

/** Copies those of the paths that are files of the project. Returns their number. */
export async function copyShownFiles(
  client: ApiClient,
  route: string,
  paths: ReadonlySet<string>,
  folder: string,
  mode: number,
): Promise<number> {
  if (paths.size === 0) return 0;
  const rows = (await jsonOf(await client.ask('GET', `${route}/files`), listBytesMax)) as readonly { readonly url: string }[];
  const slugs = new Set(rows.map(({ url }) => fileAddress(url)?.slug));
  let count = 0;
  for (const path of paths) {
    const { slug, name } = fileAddress(path) ?? ({} as Partial<FileAddress>);
    if (slug === undefined || name === undefined || !slugs.has(slug) || basename(name) !== name || /^\.*$/.test(name)) continue;
    const file = join(folder, 'f', slug, name);
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(file, (await client.askPath(path)) as AsyncIterable<Buffer>, mode);
    count += 1;
  }
  return count;
}
