/**
 * Loads a CommonJS script together with the code that V8 compiled for it in an earlier run: a start of the server takes 100 ms less. V8
 * checks that the code is from the same version with the same flags, but of the script only its length, and of the code nothing. So the name
 * of a cache file has the digest of the script, and the file begins with the digest of the code: whatever does not match is compiled again.
 * It also has the digest of the script's path, since the code has the path that stack traces show.
 *
 * V8 executes the content of the files. The digests protect against damage, not against people: a user who can write a file can write its
 * digest. Other users are kept out by two checks: the folder is private (`privateFolder`), and the file belongs to this user and is not
 * writable by others. Without such a folder, by default in the user's cache folder, nothing is cached. The environment variables of Node's own compile
 * cache apply: NODE_DISABLE_COMPILE_CACHE=1, and NODE_COMPILE_CACHE for another folder. The program does not turn Node's cache on.
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { openRegular } from '../lib/files/files.ts';
import { isPrivateFile, privateFolder } from '../lib/files/private-folder.ts';

/** A long-running process stores its code after this time, in milliseconds: it may never end in an orderly way. */
const storeAfterMs = 5000;
const digestBytes = 32;
/** Age of files that no installation may need any more, in milliseconds: 30 days. */
const staleMs = 30 * 24 * 60 * 60 * 1000;
/** Windows has no O_NOFOLLOW. */
const { O_RDONLY, O_NOFOLLOW = 0 } = fs.constants;

const digestOf = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/**
 * The exports of a script.
 *
 * @param file its absolute path; its text is ASCII
 * @param use what it is loaded for: each use has its own cache file, with the functions that were called in it
 */
export function requireCached(file: string, use: string, env: NodeJS.ProcessEnv = process.env): unknown {
  const source = fs.readFileSync(file);
  const cache = new CacheFile(file, source, use, env);
  const cachedData = cache.read();
  // CommonJS puts this function around a script.
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${source.toString('latin1')}\n})`;
  const script = new vm.Script(wrapped, { filename: file, ...(cachedData !== undefined && { cachedData }) });
  const module = { exports: {} };
  script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file));
  if (cachedData === undefined || script.cachedDataRejected === true) storeLater(cache, script);
  return module.exports;
}

/** Stores the code when the process ends, or has run for a while: the functions that were called until then are compiled. */
function storeLater(cache: CacheFile, script: vm.Script): void {
  const store = () => {
    clearTimeout(timer);
    process.removeListener('exit', store);
    cache.write(() => script.createCachedData());
  };
  const timer = setTimeout(store, storeAfterMs);
  timer.unref();
  process.once('exit', store);
}

class CacheFile {
  readonly #folder: string | undefined;
  readonly #prefix: string;
  readonly #name: string;

  constructor(script: string, source: Buffer, use: string, env: NodeJS.ProcessEnv) {
    this.#folder = folderOf(env);
    this.#prefix = `${use}-${process.version}-${process.arch}-${digestOf(script).toString('hex', 0, 4)}-`;
    this.#name = `${this.#prefix}${digestOf(source).toString('hex', 0, 16)}`;
  }

  /** The file has the code of another version of the script, or is so old that its installation may be gone. */
  #isReplaced(folder: string, name: string): boolean {
    if (name === this.#name || !fileName.test(name)) return false;
    const stats = fs.statSync(path.join(folder, name), { throwIfNoEntry: false });
    return name.startsWith(this.#prefix) || (stats !== undefined && Date.now() - stats.mtimeMs > staleMs);
  }

  /** The code; `undefined` if there is none, or it is damaged, or another user could have written it. */
  read(): Buffer | undefined {
    const folder = this.#folder === undefined ? undefined : privateFolder(this.#folder);
    if (folder === undefined) return undefined;
    try {
      const bytes = privateBytes(path.join(folder, this.#name));
      const code = bytes.subarray(digestBytes);
      return digestOf(code).equals(bytes.subarray(0, digestBytes)) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Replaces the file, and deletes those of other versions of the script, and old ones: installations come and go. It fails silently: the
   * next start is slower, nothing else.
   */
  write(code: () => Buffer): void {
    const folder = this.#folder === undefined ? undefined : privateFolder(this.#folder, true);
    if (folder === undefined) return;
    const file = path.join(folder, this.#name);
    const draft = `${file}.${randomUUID()}`;
    try {
      const bytes = code();
      fs.writeFileSync(draft, Buffer.concat([digestOf(bytes), bytes]), { mode: 0o600, flag: 'wx' });
      fs.renameSync(draft, file);
      for (const name of fs.readdirSync(folder))
        if (this.#isReplaced(folder, name)) fs.rmSync(path.join(folder, name), { force: true });
    } catch {
      discard(draft);
    }
  }
}

/** Names of the files, also those before the path was in them. */
const fileName = /^[\w-]+-v\d+\.\d+\.\d+[^-]*-\w+-([0-9a-f]{8}-)?[0-9a-f]{32}(\.[0-9a-f-]{36})?$/;

/** The bytes of a file of this user that no other user may write; none for any other. Throws where there is no file. */
function privateBytes(file: string): Buffer {
  // Neither a link is followed, nor is a named pipe waited for.
  const fd = openRegular(file, O_RDONLY | O_NOFOLLOW);
  try {
    return isPrivateFile(fd) ? fs.readFileSync(fd) : Buffer.alloc(0);
  } finally {
    fs.closeSync(fd);
  }
}

function discard(draft: string): void {
  try {
    fs.rmSync(draft, { force: true });
  } catch {
    // The next write deletes it.
  }
}

/** `undefined` if nothing may be cached. */
function folderOf(env: NodeJS.ProcessEnv): string | undefined {
  if ((env['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '') return undefined;
  const given = env['NODE_COMPILE_CACHE'] || undefined;
  if (given !== undefined) return path.resolve(given, 'mapwright');
  const user = (process.platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME']) || undefined;
  if (user !== undefined && path.isAbsolute(user)) return path.join(user, 'mapwright');
  const home = homeFolder();
  return home === undefined ? undefined : path.join(home, '.cache', 'mapwright');
}

/** `undefined` for a user without one: a number that the system does not know, as in containers. */
function homeFolder(): string | undefined {
  try {
    return os.homedir();
  } catch {
    return undefined;
  }
}
