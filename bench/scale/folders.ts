/** Data folders to measure with: each kind is made once per run and shared by the benches, which take copies where they write. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { output, removeFolder, temporaryFolder } from '../lib/child.ts';
import type { Context } from '../row.ts';
import type { Filled, FolderSpec } from './fill.ts';

export interface MadeFolder extends Filled {
  readonly folder: string;
}

/** Node lets a heap grow to so much, in MiB, where a million objects are to be made. */
const heapMb = 6144;

const made = new Map<string, Promise<MadeFolder>>();

/** A filled folder, to be left as it is. */
export function filledFolder({ program, say }: Context, spec: FolderSpec): Promise<MadeFolder> {
  const name = JSON.stringify([program, spec]);
  const present = made.get(name);
  if (present !== undefined) return present;
  say(`making a folder of ${spec.objects} objects (${spec.kept})`);
  const making = fillIn(program, temporaryFolder(), spec);
  made.set(name, making);
  return making;
}

async function fillIn(program: string, folder: string, spec: FolderSpec): Promise<MadeFolder> {
  const script = fileURLToPath(new URL('./fill.js', import.meta.url));
  const printed = await output([
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    script,
    program,
    folder,
    JSON.stringify(spec),
  ]);
  return { folder, ...(JSON.parse(printed) as Filled) };
}

/** Calls `use` with a copy of the folder, which is removed afterwards. The copy is on the disk before. */
export async function withCopy<T>(original: MadeFolder, use: (copy: MadeFolder) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  try {
    fs.cpSync(original.folder, folder, { recursive: true });
    for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncFile(path.join(folder, name));
    return await use({ ...original, folder });
  } finally {
    removeFolder(folder);
  }
}

/** The same with several. */
export function withCopies<T>(
  [first, ...others]: readonly MadeFolder[],
  use: (copies: readonly MadeFolder[]) => Promise<T>,
): Promise<T> {
  if (first === undefined) return use([]);
  return withCopy(first, (copy) => withCopies(others, (copies) => use([copy, ...copies])));
}

function syncFile(file: string): void {
  if (!fs.statSync(file).isFile()) return;
  const fd = fs.openSync(file, 'r+');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

/** `1 M`, `138 k`: as a row calls a number of objects. */
export function short(objects: number): string {
  if (objects >= 1_000_000) return `${objects / 1_000_000} M`;
  return objects >= 1000 ? `${Math.round(objects / 1000)} k` : String(objects);
}
