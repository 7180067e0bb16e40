/**
 * The pictures of an exported project: files in a folder beside its document.
 *
 *     harbour.mapwright.json               lists them with their names and digests
 *     harbour.files/plan-0f3ac2….png       its bytes; the name is made from that list
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { pictureEnding } from '../../../lib/draw/picture-ending.ts';
import { fileStem } from '../../../lib/files/file-name.ts';
import { nodeFiles } from '../../../lib/files/files.ts';
import { JsonParts, JsonPartsError, type Plan } from '../../../lib/json/json-parts.ts';
import { contentMember } from '../../../model/document.ts';
import { fileAddress } from '../../../model/references/file-references.ts';
import type { Resource } from '../../../model/resource.ts';
import { projects } from '../../../model/resources.ts';
import type { ApiClient } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { writeFile } from '../../output/new-file.ts';

/** A picture in the list of a document. */
export interface ListedPicture {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly digest: string;
  /** The document has its bytes. */
  readonly hasContent: boolean;
  /** Byte of the document at which its entry ends: that of the closing brace. */
  readonly endsAt: number;
}

/** Maximum size of one member of a document, in bytes. */
export const partBytesMax = 1024 ** 3;

/** Characters of the digest in a name. */
const digestLength = 16;

/** The folder of the pictures of a document. */
export const pictureFolder = (document: string): string => `${document.replace(/(?:\.mapwright)?\.json$/, '')}.files`;

/** The name of a picture in that folder. */
export function pictureName({ name, type, digest }: ListedPicture): string {
  const stem = fileStem(name.replace(/\.[^.]*$/, ''), 'picture');
  return `${stem}-${digest.slice(0, digestLength)}.${pictureEnding(type) ?? 'bin'}`;
}

/** A plan that skips all collections. */
export function planOf({ collections }: Resource): Plan {
  if (collections.length === 0) return {};
  return { arrays: Object.fromEntries(collections.map(({ name, resource }) => [name, planOf(resource)])) };
}

const filePlan: Plan = { texts: new Set([contentMember]) };

/** Finds the pictures that a document lists, while it is read. A document that is no JSON lists none from there on. */
export class PictureList {
  readonly pictures: ListedPicture[] = [];
  readonly #parts: JsonParts<Plan>;
  #hasContent = false;
  #isBroken = false;

  constructor() {
    const taker = {
      begin: () => {
        this.#hasContent = false;
        return undefined;
      },
      text: () => {
        this.#hasContent = true;
      },
      part: (plan: Plan, bytes: Buffer) => {
        if (plan === filePlan) this.#add(bytes);
        return undefined;
      },
    };
    const plan: Plan = { objects: { project: planOf(projects) }, arrays: { files: filePlan } };
    this.#parts = new JsonParts(plan, taker, partBytesMax);
  }

  write(piece: Buffer): void {
    if (this.#isBroken) return;
    try {
      this.#parts.write(piece);
    } catch (error) {
      if (!(error instanceof JsonPartsError || error instanceof SyntaxError)) throw error;
      this.#isBroken = true;
    }
  }

  #add(bytes: Buffer): void {
    const { name, type, url, digest } = JSON.parse(bytes.toString()) ?? {};
    const texts = [name, type, url, digest];
    if (!texts.every((text) => typeof text === 'string') || !/^[0-9a-f]{64}$/.test(digest)) return;
    this.pictures.push({ name, type, url, digest, hasContent: this.#hasContent, endsAt: this.#parts.offset });
  }
}

/** Passes a document on, and then writes its pictures beside it. @param onSaved called with the number of pictures */
export async function* savingPictures(
  client: ApiClient,
  pieces: AsyncIterable<Buffer>,
  document: string,
  onSaved: (count: number) => void,
): AsyncGenerator<Buffer, void> {
  const list = new PictureList();
  for await (const piece of pieces) {
    list.write(piece);
    yield piece;
  }
  const written = new Set<string>();
  for (const picture of list.pictures) {
    const folder = pictureFolder(document);
    const name = pictureName(picture);
    if (written.has(name)) continue;
    if (written.size === 0) nodeFiles.makeFolder(folder);
    await writeFile(join(folder, name), bytesOf(client, picture));
    written.add(name);
  }
  onSaved(written.size);
}

async function* bytesOf(client: ApiClient, { name, url, digest }: ListedPicture): AsyncGenerator<Buffer, void> {
  if (fileAddress(url) === undefined)
    throw new ApiError(`The server lists the picture "${name}" at "${url}", which is no address of a file.`);
  const res = await client.askPath(url);
  const hash = createHash('sha256');
  for await (const piece of res as AsyncIterable<Buffer>) {
    hash.update(piece);
    yield piece;
  }
  if (!res.complete || hash.digest('hex') !== digest)
    throw new ApiError(`The picture "${name}" did not arrive as it is in the document. Run the export again.`);
}

/** A picture to be put into a document that is imported. */
export interface PictureToAdd {
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Byte of the document before which its content goes. */
  readonly at: number;
}

/**
 * The pictures beside a document that it lists without their bytes. Throws if one is missing.
 *
 * @returns `missing`: how many it lists if there is no folder of pictures
 */
export function picturesBeside(document: string, list: PictureList): { found: PictureToAdd[]; missing: number } {
  const without = list.pictures.filter(({ hasContent }) => !hasContent);
  const folder = pictureFolder(document);
  if (without.length === 0 || !fs.existsSync(folder)) return { found: [], missing: without.length };
  const found = without.map((picture) => {
    const path = join(folder, pictureName(picture));
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true)
      throw new Error(
        `${path} is missing, which ${document} lists as "${picture.name}". Export the project again, or rename the folder ${folder} to import it without pictures.`,
      );
    return { path, bytes: stats.size, at: picture.endsAt };
  });
  return { found, missing: 0 };
}
