/**
 * What data do to a project: the newest evaluation by the server, and the newest response of each data source. While a part of the editor
 * watches, the project is evaluated again after each change, and every few seconds for new responses.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Client, type Evaluation, type FailingSource, ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectEdits } from '../document/project-edits.ts';
import type { ProjectStore } from '../document/project-store.ts';
import {
  askEvaluation,
  askResponse,
  fetchResponse,
  nothingEvaluated,
  pushResponse,
  type SourceName,
  type SourceResponse,
} from './live-api.ts';

/** Pause between an edit and the evaluation after it, in milliseconds. */
const debounceMs = 400;
/** Pause between two evaluations without an edit, in milliseconds. */
const pollMs = 5000;
/** The same after the server could not evaluate. */
const pollAfterFailureMs = 30_000;

/** A response, or what is known about it. */
export interface ResponseState {
  readonly response?: SourceResponse | undefined;
  readonly isAsking: boolean;
  /** Why the server did not answer the request about it. */
  readonly failure: string;
}

/** `failed`: a data source fails and has no good response. `stale`: it fails, and the last good response is in use. */
export type Health = 'failed' | 'stale';

/** The mark of a resource in lists while a data source fails. */
export interface HealthMark {
  readonly health: Health;
  /** In a few words. */
  readonly word: string;
  readonly reason: string;
}

const unknownResponse: ResponseState = { isAsking: false, failure: '' };

/** What a failed request says to the user. */
const reasonOf = (error: unknown): string => (error instanceof ProblemError ? error.detail : texts.saving.noAnswer);

/** A project with its live data. */
export interface LiveProject {
  readonly store: ProjectStore;
  readonly live: LiveState;
}

/** True if a project has anything to evaluate. */
export const hasData = (store: ProjectStore): boolean =>
  (['data_source', 'variable', 'action'] as const).some((kind) => store.ids({ kind }).length > 0);

export class LiveState {
  readonly #edits: ProjectEdits;
  readonly #client: () => Client;
  /** The newest evaluation; `undefined` before the first. */
  readonly evaluation = signal<Evaluation | undefined>(undefined);
  /** Why the newest evaluation failed; '' if it did not. The one before it is still there. */
  readonly failure = signal('');
  /** The data sources that fail, also as they were published; `undefined` before the first answer. */
  readonly failing = signal<readonly FailingSource[] | undefined>(undefined);
  /** By identifier: what fails, what depends on it, and the project if anything fails. */
  readonly marks = signal<ReadonlyMap<string, HealthMark>>(new Map());
  /** The notice beside the Live switch while a data source of the map fails. */
  readonly notice = signal<HealthMark | undefined>(undefined);
  readonly #responses = signal<ReadonlyMap<string, ResponseState>>(new Map());
  readonly #stop = new AbortController();
  #watchers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The evaluation that runs, and the one that begins when it has ended. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  readonly #endChanges: () => void;

  readonly #isPresent: boolean;

  /**
   * @param client of the newest session
   * @param isPresent whether the store is the project as it is: the server evaluates no former state
   */
  constructor(edits: ProjectEdits, client: () => Client, isPresent = true) {
    this.#edits = edits;
    this.#isPresent = isPresent;
    this.#client = client;
    this.#endChanges = edits.store.onChange(() => this.#evaluateIn(debounceMs));
  }

  /** What is known of the response of a data source. Follows it when it is read by a component or an effect. */
  responseOf(sourceId: string): ResponseState {
    return this.#responses.value.get(sourceId) ?? unknownResponse;
  }

  /** Evaluates now and then until the function that it returns is called. */
  watch(): () => void {
    this.#watchers++;
    if (this.#watchers === 1) this.#evaluateIn(0);
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      this.#watchers--;
      if (this.#watchers === 0) clearTimeout(this.#timer);
    };
  }

  #evaluateIn(ms: number): void {
    if (this.#watchers === 0 || !this.#isPresent || this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void this.evaluateNow();
      else this.#evaluateIn(pollMs);
    }, ms);
  }

  /** Evaluates the project with everything that is changed so far. Resolves when {@link evaluation} or {@link failure} has the result. */
  evaluateNow(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#evaluate().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // The one that runs may have begun before the last change.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.evaluateNow();
    });
    return this.#next;
  }

  async #evaluate(): Promise<void> {
    const { store } = this.#edits;
    clearTimeout(this.#timer);
    try {
      await this.#edits.idle();
      const made = hasData(store) ? await askEvaluation(this.#client(), store.id, this.#stop.signal) : nothingEvaluated;
      batch(() => {
        this.evaluation.value = made;
        this.failure.value = '';
      });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.failure.value = reasonOf(error);
    }
    this.#evaluateIn(this.failure.peek() === '' ? pollMs : pollAfterFailureMs);
  }

  /** The present value of a variable: one, or a list with one per item; `undefined` if it has none. */
  valueOf(variableId: string): unknown {
    const { values = {} } = this.evaluation.value ?? {};
    return Object.hasOwn(values, variableId) ? values[variableId] : undefined;
  }

  /** What the evaluation says about members of a resource, by member. */
  problemsOf(id: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const problem of this.evaluation.value?.problems ?? []) {
      const { resource, detail } = problem;
      if (resource.id !== id) continue;
      const member = memberOf(problem);
      found.set(member, [...(found.has(member) ? [found.get(member)] : []), detail].join(' '));
    }
    return found;
  }

  // Responses of data sources

  /**
   * Whether the server has a response, as far as this page knows: it asked for one, or a variable that reads the data source has a value.
   * A request for one that is not there would be an error in the browser's list.
   */
  mayHaveResponse(sourceId: string): boolean {
    if (this.#responses.peek().get(sourceId)?.response !== undefined) return true;
    const { values = {} } = this.evaluation.peek() ?? {};
    return this.#edits.store
      .members({ kind: 'variable' })
      .some(({ id, data_source_id }) => data_source_id === sourceId && Object.hasOwn(values, id));
  }

  /** Reads the newest response from the server. */
  load(sourceId: string): Promise<void> {
    return this.#ask(sourceId, (client, name) => askResponse(client, name));
  }

  /** Reads the responses that the server has, as far as this page knows. */
  loadKnown(): void {
    for (const id of this.#edits.store.ids({ kind: 'data_source' })) if (this.mayHaveResponse(id)) void this.load(id);
  }

  /** The bodies of the responses that this page has read, by data source. */
  readonly bodies: ReadonlySignal<Readonly<Record<string, unknown>>> = computed(() =>
    Object.fromEntries(
      [...this.#responses.value].flatMap(([id, { response }]) => (response?.body === undefined ? [] : [[id, response.body]])),
    ),
  );

  /** Fetches the data source as it is shown, and evaluates again. */
  async fetch(sourceId: string): Promise<void> {
    await this.#ask(sourceId, async (client, name) => {
      await this.#edits.idle();
      return fetchResponse(client, name);
    });
    this.#evaluateIn(0);
  }

  /** Sends a response for the data source, and evaluates again. */
  async push(sourceId: string, body: unknown): Promise<void> {
    await this.#ask(sourceId, async (client, name) => {
      await this.#edits.idle();
      await pushResponse(client, name, body);
      return askResponse(client, name);
    });
    this.#evaluateIn(0);
  }

  async #ask(
    sourceId: string,
    request: (client: Client, name: SourceName) => Promise<SourceResponse | undefined>,
  ): Promise<void> {
    const set = (state: ResponseState): void => {
      this.#responses.value = new Map(this.#responses.peek()).set(sourceId, state);
    };
    const { response } = this.#responses.peek().get(sourceId) ?? unknownResponse;
    set({ response, isAsking: true, failure: '' });
    try {
      set({
        response: await request(this.#client(), { projectId: this.#edits.store.id, sourceId }),
        isAsking: false,
        failure: '',
      });
    } catch (error) {
      set({ response, isAsking: false, failure: reasonOf(error) });
    }
  }

  close(): void {
    this.#stop.abort();
    this.#endChanges();
    clearTimeout(this.#timer);
  }
}

/** The member that a problem is about: `/variables/3/expression`, `/artboards/0/objects/2/color`, `/settings`. */
export function memberOf({
  resource,
  pointer,
}: {
  readonly resource: { readonly kind: string };
  readonly pointer: string;
}): string {
  const depth = { project: 1, object: 5 }[resource.kind] ?? 3;
  return (pointer.split('/')[depth] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}
