/**
 * The change feed as an iteration over records: all that one request changed, whole, in the order of the log. Where the connection breaks, or
 * is silent for too long, it is opened again behind the last record, so that nothing is missed and nothing comes twice.
 */
import { Following, unlessAborted } from './abort.ts';
import type { Compat } from './api.ts';
import { ConnectionError, ProblemError, unexpected } from './errors.ts';
import { type Block, EventLines } from './event-lines.ts';
import { checkName } from './names.ts';
import type { Requests } from './requests.ts';
import type { Action, Artboard, DataSource, MapObject, Popup, Project, Variable } from './resources.ts';
import { checkNumber, isFault, isRefusalForNow, pauseMs, type Retry, timerMaxMs } from './retry.ts';

/** What events are about, as they show it: without what it holds, which has events of its own. */
interface Told<C extends Compat> {
  project: Omit<Project<C>, 'artboards' | 'popups' | 'data_sources' | 'variables' | 'actions'>;
  artboard: Omit<Artboard<C>, 'objects'>;
  object: MapObject<C>;
  popup: Popup<C>;
  data_source: DataSource<C>;
  variable: Variable<C>;
  action: Action<C>;
}

interface Place<Kind> {
  readonly kind: Kind;
  readonly project_id: string;
  /** The version of the project with this change: what its `ETag` begins with. */
  readonly version: string;
}

/** Of an object: the artboard that it is on. */
type OnArtboard<Kind> = Kind extends 'object' ? { readonly artboard_id: string } : { readonly artboard_id?: never };

type EventOf<Kind extends string, Resource> = OnArtboard<Kind> &
  Place<Kind> &
  (
    | { readonly name: `${Kind}.created` | `${Kind}.updated`; readonly id: string; readonly resource: Resource }
    | { readonly name: `${Kind}.deleted`; readonly id: string; readonly resource: null }
    | (Kind extends 'project' ? never : { readonly name: `${Kind}.reordered`; readonly ids: readonly string[] })
  );

/** One thing that was created, updated, deleted or put in another order. Its `name` says which: `popup.created`. */
export type ChangeEvent<C extends Compat = 'contract'> = { [Kind in keyof Told<C>]: EventOf<Kind, Told<C>[Kind]> }[keyof Told<C>];

/** What one request changed. */
export interface ChangeRecord<C extends Compat = 'contract'> {
  /** Where to go on: what `after` takes. */
  readonly id: string;
  /** In their order. What a deleted holder held goes without an event. */
  readonly events: readonly ChangeEvent<C>[];
  /**
   * It was not possible to go on without a gap: the log does not reach back so far (`too_old`), the place is of another history, as after a restore
   * (`unknown`), or the server could not send a change (`failed`). Read everything again; what follows is what changed since. There are no events with it.
   */
  readonly reset?: 'too_old' | 'unknown' | 'failed';
}

export interface ChangesOptions {
  /** Identifier of the one project to follow. By default all that the key reaches. */
  readonly project?: string;
  /** Begins behind this: the `id` of a record, or an `ETag`. By default with what happens from now on. */
  readonly after?: string | null | undefined;
  /** Ends the iteration, in good order. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of silence after which the connection is taken for dead. The server gives a sign of life every 20 seconds. */
  readonly idleMs?: number;
}

/** Pauses before the connection is opened again, in milliseconds: never longer, also behind a dead server, and never shorter, whatever it wishes. */
const pauseMaxMs = 10_000;
const pauseMinMs = 100;
/** The longest pause that a refusal may ask for, in milliseconds. */
const askedMaxMs = 60_000;

export async function* changesOf(requests: Requests, options: ChangesOptions): AsyncGenerator<ChangeRecord, void> {
  const { project, after, signal, idleMs = 60_000 } = options;
  if (project !== undefined) checkName('project', project);
  checkNumber('idleMs', idleMs, 1, timerMaxMs);
  const path = project === undefined ? '/events' : `/projects/${encodeURIComponent(project)}/events`;
  const { retry } = requests;
  let place = after?.replaceAll(/^W\/|"/g, '') ?? '';
  let isKnown = false;
  let failures = 0;
  /** Milliseconds, as the server wishes. */
  let baseMs = retry.baseMs;
  while (!signal?.aborted) {
    const connection = new Connection(requests, path, place, signal);
    const openedAt = Date.now();
    let fault: ProblemError | ConnectionError | undefined;
    try {
      let events: ChangeEvent[] = [];
      for await (const { event, data, id, retryMs } of connection.blocks(idleMs)) {
        if (signal?.aborted) return;
        baseMs = Math.min(retryMs ?? baseMs, pauseMaxMs);
        const isReset = event === 'reset';
        const told = event === '' ? undefined : connection.told(event, data);
        isKnown = true;
        if (told !== undefined && !isReset) events.push({ ...told, name: event } as unknown as ChangeEvent);
        if (id === undefined) continue;
        place = id;
        // It was of use. A server that cuts off before that is asked less and less often.
        if (told !== undefined || events.length > 0 || Date.now() - openedAt > pauseMaxMs) failures = 0;
        if (isReset) yield { id, events: [], reset: told?.['reason'] as 'unknown' };
        else if (events.length > 0) yield { id, events };
        if (project !== undefined && events.some(({ name }) => name === 'project.deleted')) return;
        events = [];
      }
    } catch (error) {
      if (!(error instanceof ConnectionError || error instanceof ProblemError)) throw error;
      fault = error;
    } finally {
      connection.close();
    }
    // Deleted meanwhile: there is nothing to follow any more, and nobody left to say so.
    if (signal?.aborted || (isKnown && project !== undefined && fault instanceof ProblemError && fault.code === 'not_found'))
      return;
    failures++;
    const mayPass = fault === undefined || isFault(fault) || isRefusalForNow(fault);
    if (fault !== undefined && !(mayPass && (isKnown || failures < retry.attempts))) throw fault;
    const asked = fault instanceof ProblemError ? fault.retryAfter : undefined;
    await pause(failures, asked, { ...retry, baseMs, maxMs: asked === undefined ? pauseMaxMs : askedMaxMs }, signal);
  }
}

async function pause(failures: number, asked: number | undefined, retry: Retry, signal: AbortSignal | undefined): Promise<void> {
  const ms = Math.max(pauseMinMs, pauseMs(failures, asked, retry) ?? retry.maxMs);
  await retry.sleep(ms, signal).catch((error) => {
    if (!signal?.aborted) throw error;
  });
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The feed from one place on, until it breaks off. */
class Connection {
  readonly #requests: Requests;
  readonly #path: string;
  readonly #place: string;
  readonly #controller: Following;

  constructor(requests: Requests, path: string, place: string, signal: AbortSignal | undefined) {
    this.#requests = requests;
    this.#path = path;
    this.#place = place;
    this.#controller = new Following(signal);
  }

  /** Reads no faster than blocks are taken. */
  async *blocks(idleMs: number): AsyncGenerator<Block, void> {
    const headers = { Accept: 'text/event-stream', ...(this.#place === '' ? {} : { 'Last-Event-ID': this.#place }) };
    const body = await this.#intime(idleMs, this.#requests.open(this.#path, headers, this.#controller.signal));
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const lines = new EventLines();
    try {
      for (;;) {
        const { done, value } = await this.#intime(idleMs, reader.read());
        if (done || this.#controller.signal.aborted) return;
        yield* lines.take(decoder.decode(value, { stream: true }));
        if (lines.isTooLong) throw this.#unexpected();
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** What an event says. */
  told(event: string, data: string): Readonly<Record<string, unknown>> {
    const members = objectIn(data);
    const needed = event === 'reset' ? ['reason'] : ['kind', 'project_id', 'version'];
    if (members === undefined || needed.some((name) => typeof members[name] !== 'string')) throw this.#unexpected();
    return members;
  }

  #unexpected(): ProblemError {
    return unexpected(`GET ${this.#path}`, new Response());
  }

  close(): void {
    this.#controller.letGo();
    this.#controller.abort();
  }

  /** What is waited for, unless it takes so long that nobody can be there any more. */
  async #intime<T>(ms: number, outcome: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#controller.abort(), ms);
    try {
      return await unlessAborted(outcome, this.#controller.signal);
    } catch (error) {
      throw error instanceof ProblemError || error instanceof ConnectionError
        ? error
        : new ConnectionError(`GET ${this.#path}`, error);
    } finally {
      clearTimeout(timer);
    }
  }
}
