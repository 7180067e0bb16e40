/** The people of the account, and where they are signed in. */
import { signal } from '@preact/signals';
import type { Role } from '../controls.ts';
import { lateTexts } from '../late-texts.ts';
import { askConsole, RefusedError } from '../server/ask-console.ts';
import { type ConsoleSession, describeAgain, noticeRights, sessionRefused } from '../server/console-session.ts';
import { serverRoot } from '../server/server-root.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  /** `#` and six hex digits. */
  readonly color: string;
  /** '' for none. */
  readonly email: string;
  readonly role: Role;
  /** Identifiers; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339; `null` for a member. */
  readonly removed: string | null;
  /** RFC 3339, to the hour; `null` for never. */
  readonly lastSeen: string | null;
  /** Until when an unused invitation works: RFC 3339; `null` for none. */
  readonly invited: string | null;
  /** Identity providers. */
  readonly signsInWith: readonly string[];
}

/** A browser in which a person is signed in. */
export interface Device {
  readonly id: string;
  /** Identifier of the person. */
  readonly person: string;
  /** `Firefox on Windows` */
  readonly device: string;
  /** RFC 3339 */
  readonly created: string;
  readonly expires: string;
  /** RFC 3339, to the hour; `null` if unknown. */
  readonly lastUse: string | null;
  /** True for the session of this page. */
  readonly current: boolean;
}

/** A link that is shown once. */
export interface ShownLink {
  readonly address: string;
  /** RFC 3339 */
  readonly expires: string;
}

/** An invitation for a person. */
export interface MadeLink extends ShownLink {
  readonly name: string;
}

/** What an owner says about a person. */
export type PersonWish = Pick<Person, 'name' | 'role' | 'projects' | 'email'> & Partial<Pick<Person, 'color'>>;

type Linked = Person & { readonly path: string; readonly expires: string };

export class PeopleList {
  readonly #session: ConsoleSession;
  /** `undefined` until they are loaded. The oldest first, with those that were removed. */
  readonly people = signal<readonly Person[] | undefined>(undefined);
  /** Of all people for those who manage them, else of the user. */
  readonly devices = signal<readonly Device[] | undefined>(undefined);
  /** Names of the projects that the session reaches, by identifier, in their order. */
  readonly projects = signal<ReadonlyMap<string, string> | undefined>(undefined);
  /** Why the last request failed; '' if it did not. */
  readonly problem = signal('');
  readonly busy = signal(false);

  constructor(session: ConsoleSession) {
    this.#session = session;
  }

  get session(): ConsoleSession {
    return this.#session;
  }

  /** Loads people, their devices, and names of projects. */
  load(): Promise<boolean> {
    return this.#attempt(() => Promise.all([this.#loadPeople(), this.#loadDevices(true), this.#loadProjects()]));
  }

  /** Loads what is shown again. What is shown stays if that fails. */
  async refresh(): Promise<void> {
    const { people, devices } = this;
    const loading = [
      ...(people.value === undefined ? [] : [this.#loadPeople()]),
      ...(devices.value === undefined ? [] : [this.#loadDevices(people.value !== undefined)]),
    ];
    await Promise.all(loading).catch((error: unknown) => {
      if (error instanceof RefusedError) sessionRefused(error.message);
    });
  }

  /** Loads the devices of all people. */
  loadDevices(): Promise<boolean> {
    return this.#attempt(() => this.#loadDevices(true));
  }

  /** Loads the devices of the user. */
  loadOwnDevices(): Promise<boolean> {
    return this.#attempt(() => this.#loadDevices(false));
  }

  /** Creates a person. Their invitation; `undefined` if that failed. */
  async create(wish: PersonWish): Promise<MadeLink | undefined> {
    let made: MadeLink | undefined;
    await this.#attempt(async () => {
      made = this.#linkIn((await this.#ask('POST', 'people', wish)) as Linked);
      await this.#loadPeople();
    });
    return made;
  }

  /** Makes another invitation; the one before ends. `undefined` if that failed. */
  async invite(id: string): Promise<MadeLink | undefined> {
    let made: MadeLink | undefined;
    await this.#attempt(async () => {
      made = this.#linkIn((await this.#ask('POST', `people/${encodeURIComponent(id)}/invitation`)) as Linked);
      await this.#loadPeople();
    });
    return made;
  }

  /** Changes a person, by an owner, or oneself. @returns true if that succeeded */
  change(id: string, change: Partial<PersonWish>): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#ask('PATCH', `people/${encodeURIComponent(id)}`, this.#withoutDeleted(change));
      if (id === this.#session.person?.id) await describeAgain();
      if (this.people.value !== undefined) await this.#loadPeople();
    });
  }

  /** Removes a person. @param erases the name, too */
  remove(id: string, erases: boolean): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#ask('DELETE', `people/${encodeURIComponent(id)}${erases ? '?erase=true' : ''}`);
      await Promise.all([this.#loadPeople(), this.#loadDevices(true)]);
    });
  }

  /** Ends the session of a device. */
  endDevice(id: string): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#ask('DELETE', `sessions/${encodeURIComponent(id)}`);
      this.devices.value = this.devices.value?.filter((device) => device.id !== id);
      await this.refresh();
    });
  }

  /** Ends all other sessions of the user. */
  endOthers(): Promise<boolean> {
    return this.#attempt(async () => {
      await this.#ask('DELETE', 'sessions');
      await this.#loadDevices(false);
    });
  }

  /** A link that signs another device of the user in. `undefined` if that failed. */
  async linkDevice(): Promise<ShownLink | undefined> {
    let made: ShownLink | undefined;
    await this.#attempt(async () => {
      const { path, expires } = (await this.#ask('POST', 'session/device')) as Pick<Linked, 'path' | 'expires'>;
      made = { address: this.#addressOf(path), expires };
    });
    return made;
  }

  async #loadPeople(): Promise<void> {
    this.people.value = (await this.#ask('GET', 'people')) as readonly Person[];
  }

  async #loadDevices(ofAll: boolean): Promise<void> {
    this.devices.value = (await this.#ask('GET', ofAll ? 'sessions?all=true' : 'sessions')) as readonly Device[];
  }

  async #loadProjects(): Promise<void> {
    const query = { fields: 'name,created', sort: 'name', limit: 1000 } as const;
    const found: { readonly id: string; readonly name?: string; readonly created?: string }[] = [];
    for await (const project of this.#session.client.each('/projects', { params: { query } })) found.push(project);
    this.projects.value = new Map(
      found.map(({ id, name = '', created = '' }, i) => {
        const isEqual = [found[i - 1], found[i + 1]].some((other) => other?.name === name);
        return [id, isEqual ? lateTexts.people.oneOfEqual(name, created) : name];
      }),
    );
  }

  /** The server refuses projects that were deleted. Without any other, those of the person stay: an empty list would be all projects. */
  #withoutDeleted({ projects, ...others }: Partial<PersonWish>): Partial<PersonWish> {
    if (projects === undefined || projects === null) return { ...others, ...(projects === null && { projects }) };
    const present = projects.filter((project) => this.projects.value?.has(project) !== false);
    return present.length === 0 ? others : { ...others, projects: present };
  }

  #ask(method: 'POST' | 'GET' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown> {
    return askConsole(method, path, this.#session.proof, body);
  }

  #linkIn({ name, path, expires }: Linked): MadeLink {
    return { name, address: this.#addressOf(path), expires };
  }

  /** The address of a path of the console for others. */
  #addressOf(path: string): string {
    const { publicUrl } = this.#session;
    return (publicUrl === null ? serverRoot() : `${publicUrl}/`) + path.slice(1);
  }

  async #attempt(task: () => Promise<unknown>): Promise<boolean> {
    this.busy.value = true;
    this.problem.value = '';
    try {
      await task();
      return true;
    } catch (error) {
      this.problem.value = (error as Error).message;
      if (error instanceof RefusedError) sessionRefused(error.message);
      else void noticeRights();
      return false;
    } finally {
      this.busy.value = false;
    }
  }
}
