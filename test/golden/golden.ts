/**
 * Golden folders: data folders as some version of mapwright left them, running, in the middle of its work, with the answers that it
 * gave. Each later version must give the same answers. One is added with every change of a format and none is ever made again:
 *
 *     npm run golden -- NAME
 *
 * writes `test/golden/NAME`: the files of the folder, and `expected.json`, each compressed by itself (most of a segment is zeros).
 *
 * `before-revisions` is another kind: folders and a backup of a program before format revisions, with a publication in a form that is not
 * read any more (older.test.ts).
 */
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { projectRoot } from '../support/project.ts';

export interface Expected {
  /** The versions of the formats in the folder. */
  readonly formats: Formats;
  readonly accounts: readonly GoldenAccount[];
  /** Keys that must not open anything. */
  readonly refused: readonly { readonly why: string; readonly key: string }[];
  /** Names of those among `accounts` whose keys may read and not write. */
  readonly readers: readonly string[];
  /** What was asked with an `Idempotency-Key` and is answered again. */
  readonly repeated: { readonly timeMs: number; readonly requests: readonly GoldenRequest[] };
  /** What is public, by its address, with the answers to the requests about it. */
  readonly published: Readonly<Record<string, string>>;
  /**
   * Identifiers of all keys, in any order: a key that was deleted is not among them. Before version 5 of the schema, the key of a session is.
   */
  readonly keyIds: readonly string[];
  /** The people of `ann`, the oldest first; from version 5 of the schema on. */
  readonly people?: readonly { readonly name: string; readonly role: string; readonly removed: boolean }[];
}

export interface GoldenRequest {
  /** Path below the version prefix. */
  readonly at: string;
  readonly body: object;
  readonly idempotencyKey: string;
  readonly answer: string;
}

export interface Formats {
  readonly segment: number;
  readonly snapshot: number;
  readonly schema: number;
}

export interface GoldenAccount {
  /** Of the account, or of the key where the account has more than one here. */
  readonly name: string;
  readonly key: string;
  /** Paths below the version prefix, and the bodies of their answers. */
  readonly answers: Readonly<Record<string, string>>;
  /** The entity tags of these answers. */
  readonly tags: Readonly<Record<string, string>>;
}

const home = path.join(projectRoot(import.meta.dirname), 'test', 'golden');
const ending = '.gz';
const expectedName = `expected.json${ending}`;

/** Names of the folders, oldest first. */
export const goldenNames = (): string[] =>
  fs
    .readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(home, entry.name, expectedName)))
    .map(({ name }) => name)
    .sort();

export function readExpected(name: string): Expected {
  return JSON.parse(gunzipSync(fs.readFileSync(path.join(home, name, expectedName))).toString());
}

/** Lays a golden folder out at `to`, as it was. */
export function unpackGolden(name: string, to: string, part = 'folder'): void {
  const from = path.join(home, name, part);
  for (const file of fs.readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith(ending)) continue;
    const target = path.join(to, file.slice(0, -ending.length));
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    fs.writeFileSync(target, gunzipSync(fs.readFileSync(path.join(from, file))), { mode: 0o600 });
  }
}

/** Keeps what is in `folder` under a name that is not taken. */
export function packGolden(name: string, folder: string, expected: Expected): void {
  const to = path.join(home, name);
  fs.mkdirSync(to);
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'lock') continue;
    const file = path.join(entry.parentPath, entry.name);
    const target = path.join(to, 'folder', path.relative(folder, file) + ending);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, gzipSync(fs.readFileSync(file), { level: 9 }));
  }
  fs.writeFileSync(path.join(to, expectedName), gzipSync(JSON.stringify(expected, undefined, 1), { level: 9 }));
}
