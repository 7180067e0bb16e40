/** Sign-in links and sessions of the account, as far as this session may see them. */
import { signal } from '@preact/signals';
import { lateTexts } from '../late-texts.ts';
import { askConsole } from '../server/ask-console.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { serverRoot } from '../server/server-root.ts';

/** A sign-in link that was not used. */
export interface SignInLink {
  readonly id: string;
  readonly label: string;
  readonly access: 'read' | 'write';
  /** Identifiers; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339 */
  readonly created: string;
  readonly expires: string;
}

export interface ListedSession extends SignInLink {
  /** RFC 3339, to the hour; `null` if unknown. */
  readonly lastUse: string | null;
  readonly current: boolean;
}

/** What a new link may do. */
export interface LinkWish {
  readonly label: string;
  readonly access: 'read' | 'write';
  /** `undefined` for those of the session. */
  readonly projects: readonly string[] | undefined;
  /** A duration such as `24h`, or RFC 3339. */
  readonly expires: string;
}

export class PeopleList {
  readonly #session: ConsoleSession;
  /** `undefined` until they are loaded. */
  readonly links = signal<readonly SignInLink[] | undefined>(undefined);
  readonly sessions = signal<readonly ListedSession[] | undefined>(undefined);
  /** Names of the projects that the session reaches, by identifier, in their order. */
  readonly projects = signal<ReadonlyMap<string, string> | undefined>(undefined);
  /** Why the last request failed; '' if it did not. */
  readonly problem = signal('');
  readonly busy = signal(false);

  constructor(session: ConsoleSession) {
    this.#session = session;
  }

  load(): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#loadLists();
      const query = { fields: 'name,created', sort: 'name', limit: 1000 } as const;
      const found: { readonly id: string; readonly name?: string; readonly created?: string }[] = [];
      for await (const project of this.#session.client.each('/projects', { params: { query } })) found.push(project);
      this.projects.value = new Map(
        found.map(({ id, name = '', created = '' }, i) => {
          const isEqual = [found[i - 1], found[i + 1]].some((other) => other?.name === name);
          return [id, isEqual ? lateTexts.people.oneOfEqual(name, created) : name];
        }),
      );
    });
  }

  /** Makes a link. Its address; `undefined` if that failed. */
  async create(wish: LinkWish): Promise<string | undefined> {
    let address: string | undefined;
    await this.#attempt(async () => {
      const { path } = (await askConsole('POST', 'links', this.#session.key, wish)) as { readonly path: string };
      address = rootForOthers(this.#session) + path.slice(1);
      await this.#loadLists();
    });
    return address;
  }

  /** Deletes a link, or ends a session. @returns true if that succeeded */
  end(kind: 'links' | 'sessions', id: string): Promise<boolean> {
    return this.#attempt(async () => {
      await askConsole('DELETE', `${kind}/${encodeURIComponent(id)}`, this.#session.key);
      await this.#loadLists();
    });
  }

  async #loadLists(): Promise<void> {
    const { key } = this.#session;
    const [links, sessions] = await Promise.all([askConsole('GET', 'links', key), askConsole('GET', 'sessions', key)]);
    this.links.value = links as readonly SignInLink[];
    this.sessions.value = sessions as readonly ListedSession[];
  }

  async #attempt(task: () => Promise<void>): Promise<boolean> {
    this.busy.value = true;
    this.problem.value = '';
    try {
      await task();
      return true;
    } catch (error) {
      this.problem.value = (error as Error).message;
      return false;
    } finally {
      this.busy.value = false;
    }
  }
}

/** Where others find the server: `https://maps.example/`. */
const rootForOthers = ({ publicUrl }: ConsoleSession): string => (publicUrl === null ? serverRoot() : `${publicUrl}/`);
