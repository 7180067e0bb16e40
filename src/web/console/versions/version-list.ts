/** The versions of a project, as far as they are loaded, and what the user does with them. */
import { batch, signal } from '@preact/signals';
import { type Comparison, ProblemError, type Project, type ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import type { VersionApi } from './version-api.ts';

type Counts = Comparison['counts'];

/** Versions on a page; more, if more are read again, up to the most in one response. */
const pageLength = { least: 100, most: 1000 };
/** Compressed size of a version above which its changes are not counted unasked: the server reads both states for it. */
const countedBytesMax = 300_000;

export class VersionList {
  readonly #api: VersionApi;
  /** Newest first; `undefined` before they are loaded. */
  readonly versions = signal<readonly ProjectVersion[] | undefined>(undefined);
  /** True if there may be older ones. */
  readonly hasMore = signal(false);
  /** Why the last command failed; '' if it did not. */
  readonly problem = signal('');
  /** The result of the last command, in words. */
  readonly said = signal('');
  /** Counts of what changed from the version before, by version, as far as that is known. */
  readonly counts = signal<ReadonlyMap<string, Counts>>(new Map());
  /** Identifiers of versions whose changes are to be counted. */
  readonly #wanted: string[] = [];
  readonly #stop = new AbortController();
  #isCounting = false;
  #pages: AsyncGenerator<ProjectVersion[], void> | undefined;
  /** Versions on each of its pages. */
  #limit = pageLength.least;
  #loads = 0;

  constructor(api: VersionApi) {
    this.#api = api;
  }

  /** Reads the list from its beginning, and as much of it as was loaded before. */
  load(): Promise<void> {
    return this.#attempt(() => this.#reload());
  }

  #reload(): Promise<void> {
    const { least, most } = pageLength;
    const loaded = this.versions.value?.length ?? 0;
    // New ones do not push out old ones.
    this.#limit = Math.min((Math.floor(loaded / least) + 1) * least, most);
    return this.#read(this.#api.pages(this.#limit));
  }

  /** Reads the next page. */
  more(): Promise<void> {
    const pages = this.#pages;
    return pages === undefined ? Promise.resolve() : this.#attempt(() => this.#read(pages, this.versions.value));
  }

  async #read(pages: AsyncGenerator<ProjectVersion[], void>, before: readonly ProjectVersion[] = []): Promise<void> {
    const mine = ++this.#loads;
    const page = (await pages.next()).value ?? [];
    // A later request has newer versions.
    if (mine !== this.#loads) return;
    const known = new Set(before.map(({ id }) => id));
    const added = page.filter(({ id }) => !known.has(id));
    batch(() => {
      this.#pages = pages;
      this.versions.value = [...before, ...added];
      this.hasMore.value = page.length === this.#limit;
    });
  }

  keep(name: string): Promise<void> {
    return this.#change(() => this.#api.keep(name), lateTexts.versions.kept(name));
  }

  rename({ id }: ProjectVersion, name: string): Promise<void> {
    return this.#change(() => this.#api.rename(id, name), '');
  }

  remove(version: ProjectVersion): Promise<void> {
    return this.#change(() => this.#api.remove(version.id), lateTexts.versions.removed(lateTexts.versions.nameOf(version)));
  }

  /** The new project; `undefined` if the server refused it. */
  copy(version: ProjectVersion, name: string): Promise<Project | undefined> {
    return this.#attempt(() => this.#api.copy(version.id, name));
  }

  /** Counts the changes from the version before to this one, unless that is much work for the server. */
  count({ id, bytes }: ProjectVersion): void {
    if (bytes > countedBytesMax || this.counts.value.has(id) || this.#wanted.includes(id)) return;
    this.#wanted.push(id);
    void this.#countWanted();
  }

  async #countWanted(): Promise<void> {
    if (this.#isCounting) return;
    this.#isCounting = true;
    // One after the other: the server reads two states for each.
    for (let id = this.#wanted[0]; id !== undefined; id = this.#wanted[0]) {
      const at = this.versions.value?.findIndex((version) => version.id === id) ?? -1;
      const former = at === -1 ? undefined : this.versions.value?.[at + 1];
      if (former !== undefined) {
        const found = await this.#api.changes(former.id, id, this.#stop.signal).catch(() => undefined);
        if (this.#stop.signal.aborted) return;
        if (found !== undefined) this.counts.value = new Map([...this.counts.value, [id, found.counts]]);
      }
      this.#wanted.shift();
    }
    this.#isCounting = false;
  }

  /** Ends what runs in the background. */
  close(): void {
    this.#stop.abort();
  }

  /** A command that changes the list, and its result in words. */
  #change(command: () => Promise<unknown>, said: string): Promise<void> {
    return this.#attempt(async () => {
      await command();
      await this.#reload();
      this.said.value = said;
    });
  }

  async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    batch(() => {
      this.problem.value = '';
      this.said.value = '';
    });
    try {
      return await task();
    } catch (error) {
      this.problem.value = error instanceof ProblemError ? error.detail : texts.saving.noAnswer;
      return undefined;
    }
  }
}
