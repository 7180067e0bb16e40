/** Loads a project and follows it with the session, also after the user has signed in again. */
import { signal } from '@preact/signals';
import { ProblemError, type Project } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { followProject } from '../document/follow-project.ts';
import { isTemporary, type ProjectApi, type Versioned } from '../document/project-api.ts';
import type { ProjectEdits } from '../document/project-edits.ts';
import type { ResourceRef } from '../kinds/resource-kinds.ts';
import { type ConsoleSession, sessionRefused } from '../server/console-session.ts';
import { finishTyping } from '../ui/use-draft.ts';

/** `loading`, `open`; `gone`: deleted while it was open; `missing`: it was never here. */
export type ProjectState = 'loading' | 'open' | 'gone' | 'missing';

const reloadMs = 1500;
/** Longest pause before the project is loaded again because its feed has ended, in milliseconds. */
const reloadMaxMs = 60_000;

export class ProjectConnection {
  readonly #api: ProjectApi;
  readonly #edits: ProjectEdits;
  readonly state = signal<ProjectState>('loading');
  /** Changes when a user publishes the project, or unpublishes it. */
  readonly publications = signal(0);
  /** Changes when a file of the project is uploaded or deleted, or gets another name. */
  readonly fileChanges = signal(0);
  /** Changes when a version of the project is kept or deleted, or gets another name. */
  readonly versionChanges = signal(0);
  readonly #stop = new AbortController();
  #session: ConsoleSession;
  #following: AbortController | undefined;
  #onRenewed: () => void = () => undefined;
  /** How often the feed has ended. */
  #reloads = 0;

  constructor(session: ConsoleSession, api: ProjectApi, edits: ProjectEdits) {
    this.#session = session;
    this.#api = api;
    this.#edits = edits;
  }

  /** Replaced when the user has signed in again. */
  get session(): ConsoleSession {
    return this.#session;
  }

  /** Loads the project and follows it. Resolves when it is shown, or cannot be. */
  async open(): Promise<void> {
    const { signal: stopped } = this.#stop;
    for (;;) {
      const session = this.#session;
      try {
        await this.#load();
        break;
      } catch (error) {
        if (stopped.aborted) return;
        if (error instanceof ProblemError && error.status === 401) {
          if (session === this.#session) await this.#renewed(error.detail);
          continue;
        }
        if (error instanceof ProblemError && !isTemporary(error)) {
          this.state.value = this.state.value === 'open' ? 'gone' : 'missing';
          return;
        }
        this.#edits.notices.say(texts.saving.noAnswer, true);
        await new Promise((resolve) => setTimeout(resolve, reloadMs));
      }
    }
    this.state.value = 'open';
    this.#follow();
  }

  /** Resolves when there is another session in the place of a refused one, or when the connection is closed. */
  #renewed(why: string): Promise<void> {
    return new Promise((resolve) => {
      this.#onRenewed = resolve;
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true });
      this.refused(why);
    });
  }

  /** Goes on with another session of the same account: sends what waits, and follows the project again. */
  renew(session: ConsoleSession): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#api.client = session.client;
    this.#edits.retry();
    this.#onRenewed();
    if (this.state.value === 'open') this.#follow();
  }

  /** The server has refused the session. */
  refused(why: string): void {
    sessionRefused(why);
  }

  #follow(): void {
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    void followProject(this.#session.client, this.#edits.store, following.signal, {
      onDelete: (ref) => this.#onDelete(ref),
      onForeign: (ref) => this.#edits.sayForeign(ref, texts.editor.foreign),
      onPublication: () => {
        this.publications.value++;
      },
      onFiles: () => {
        this.fileChanges.value++;
      },
      onVersions: () => {
        this.versionChanges.value++;
      },
      onReset: () => this.#load(),
      onGone: () => {
        this.state.value = 'gone';
      },
      onEnd: (error) => {
        if (error instanceof ProblemError && (error.status === 401 || error.status === 403)) this.refused(error.detail);
        else void this.#openAgain();
      },
    });
  }

  /** The server does not know the position of the feed, as after a restore to an earlier time: nothing can follow it. */
  async #openAgain(): Promise<void> {
    const pauseMs = Math.min(this.#reloads++ * reloadMs, reloadMaxMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (!this.#stop.signal.aborted) await this.open();
  }

  async #load(): Promise<void> {
    while (!this.take(await this.#api.load(this.#stop.signal)));
    for (const changes of [this.publications, this.fileChanges, this.versionChanges]) changes.value++;
  }

  /** Shows the project as the server has it now. `false`: it has to be read again. */
  take(project: Versioned<Project>): boolean {
    // What is typed must not disappear with a resource that is not there any more.
    finishTyping();
    return this.#edits.take(project);
  }

  /** Another user deleted a resource, which is still in the store. */
  #onDelete(ref: ResourceRef): void {
    this.#edits.sayForeign(ref, texts.editor.foreignDeleted);
    this.#edits.onDeleted(ref.id);
  }

  close(): void {
    this.#stop.abort();
    this.#following?.abort();
  }
}
