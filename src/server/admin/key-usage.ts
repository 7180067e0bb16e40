/**
 * The last use of each key, session and person, to the hour: enough to find unused keys, and to say when somebody was here. It is kept in memory and saved to a file from time to time, never
 * during a request. If the file, or its last minute, is lost, nothing else is affected.
 *
 *     {"k7m2q5x3wz4a":"2026-01-01T10:00:00.000Z"}
 */
import fs from 'node:fs';
import { readText } from '../../lib/files/files.ts';
import { assertSame, type FolderIdentity } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { Key } from '../../model/account.ts';
import type { State } from '../../store/state.ts';

/** Resolution of a recorded use, in milliseconds. */
const grainMs = 3_600_000;
/** Interval between saves of changes, in milliseconds. */
const saveMs = 60_000;

/** Unix time in milliseconds from which the next use of a key must be recorded, if it is used at `now`. */
export function nextGrainMs(now: number): number {
  return (Math.floor(now / grainMs) + 1) * grainMs;
}

export class KeyUsage {
  readonly #path: string | undefined;
  readonly #log: Log;
  readonly #root: FolderIdentity | undefined;
  /** Unix time in milliseconds, by the public part of the key. */
  readonly #hours: Map<string, number>;
  readonly #timer: NodeJS.Timeout;
  #changed = false;
  #saving: Promise<void> = Promise.resolve();
  #failed = false;

  /**
   * @param path the file; a missing or damaged file counts as empty (damage is logged); `undefined`: nothing is saved
   * @param root the data folder; nothing is written after it was replaced
   */
  constructor(path: string | undefined, log: Log, root?: FolderIdentity) {
    this.#path = path;
    this.#log = log;
    this.#root = root;
    this.#hours = path === undefined ? new Map() : load(path, log);
    this.#timer = setInterval(() => void this.save(), saveMs).unref();
  }

  /**
   * @param id of a key, a session or a person
   * @param now Unix time in milliseconds
   */
  note(id: string, now: number): void {
    const hour = Math.floor(now / grainMs) * grainMs;
    if (hour <= (this.#hours.get(id) ?? Number.NEGATIVE_INFINITY)) return;
    this.#hours.set(id, hour);
    this.#changed = true;
  }

  /** The hour of the last use, RFC 3339; '' if unknown. */
  of(keyId: string): string {
    const hour = this.#hours.get(keyId);
    return hour === undefined ? '' : new Date(hour).toISOString();
  }

  /** The same, but at least the creation of the key, which may be later than the start of its hour. */
  since({ id, created }: Pick<Key, 'id' | 'created'>): string {
    const hour = this.of(id);
    return hour !== '' && hour < created ? created : hour;
  }

  /** Removes keys and people that do not exist any more. */
  prune({ keys, persons }: Pick<State, 'keys' | 'persons'>): void {
    for (const id of this.#hours.keys()) {
      if (keys.has(id) || persons.has(id)) continue;
      this.#hours.delete(id);
      this.#changed = true;
    }
  }

  /** Saves changes; never rejects. Not synced: a crash may lose the last minute, which is harmless. */
  save(): Promise<void> {
    const path = this.#path;
    if (!this.#changed || path === undefined) return this.#saving;
    this.#changed = false;
    const text = JSON.stringify(Object.fromEntries(Array.from(this.#hours.keys(), (id) => [id, this.of(id)])));
    this.#saving = this.#saving.then(() => this.#write(path, `${text}\n`));
    return this.#saving;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.save();
  }

  async #write(path: string, text: string): Promise<void> {
    const temporary = `${path}.tmp`;
    try {
      this.#assertSame();
      // Left by a crash, or a symbolic link, which must not redirect the write.
      await fs.promises.rm(temporary, { force: true });
      await fs.promises.writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
      this.#assertSame();
      await fs.promises.rename(temporary, path);
      this.#failed = false;
    } catch (error) {
      this.#changed = true;
      if (!this.#failed) this.#log.warn({ err: error, file: path }, 'cannot save the last use of keys');
      this.#failed = true;
    }
  }

  #assertSame(): void {
    if (this.#root !== undefined) assertSame(this.#root);
  }
}

function load(path: string, log: Log): Map<string, number> {
  try {
    const read: unknown = JSON.parse(readText(path));
    if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new TypeError('not a JSON object');
    const hours = Object.entries(read).map(
      ([id, text]) => [id, typeof text === 'string' ? Date.parse(text) : Number.NaN] as const,
    );
    if (hours.some(([, hour]) => Number.isNaN(hour))) throw new TypeError('not a time');
    return new Map(hours);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error, file: path }, 'cannot read the last use of keys: starting with an empty list');
    return new Map();
  }
}
