/** Copies the files that a map shows into a folder, at the paths that the map names: the viewer finds them below the folder of its map. */
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { JsonParts, type Plan } from '../../../lib/json/json-parts.ts';
import { type FileAddress, fileAddress, filePath, filesNamedIn } from '../../../model/references/file-references.ts';
import type { Resource } from '../../../model/resource.ts';
import { projects } from '../../../model/resources.ts';
import { type ApiClient, jsonOf } from '../../api-client.ts';
import { writeFile } from '../../output/new-file.ts';

const listBytesMax = 64 * 1024 * 1024;
/** Maximum size of one member of a map, in bytes. */
const partBytesMax = 1024 ** 3;

interface MapPlan extends Plan {
  readonly resource: Resource;
}

const planOf = (resource: Resource): MapPlan => ({
  resource,
  ...(resource.collections.length > 0 && {
    arrays: Object.fromEntries(resource.collections.map((held) => [held.name, planOf(held.resource)])),
  }),
});

/** Collects the paths of files that a map names, while its JSON arrives in pieces. */
export class PathsInMap {
  /** Of every path, the form that the server writes. */
  readonly found = new Set<string>();
  readonly #parts: JsonParts<MapPlan>;

  /** @param publicUrl of the server: addresses of files may begin with it */
  constructor(publicUrl: string | undefined) {
    const part = ({ resource }: MapPlan, bytes: Buffer) => {
      const value = JSON.parse(bytes.toString());
      for (const { slug, name } of filesNamedIn(resource, value, publicUrl)) this.found.add(filePath(slug, name));
    };
    this.#parts = new JsonParts(planOf(projects), { begin: () => undefined, part }, partBytesMax);
  }

  /** Throws a {@link JsonPartsError} if the map is no JSON. */
  add(piece: Buffer): void {
    this.#parts.write(piece);
  }
}

/** The public URL of a server, without a slash at its end; `undefined` if its operator has set none. */
export async function publicUrlOf(client: ApiClient): Promise<string | undefined> {
  const { servers } = (await jsonOf(await client.askPath('/openapi.json'), listBytesMax)) as {
    readonly servers: readonly { readonly url: string }[];
  };
  return servers[0]?.url.replace(/\/api\/v1$/, '') || undefined;
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
