/**
 * The change feed as an iterator over records. A record holds all changes of one request; records come in the order of the log. After a
 * broken or silent connection it reconnects after the last record, so that no record is missed or repeated.
 */
import { LinkedSignal, unlessAborted } from './abort.ts';
import { ConnectionError, ProblemError, unexpected } from './client-errors.ts';
import { type Block, EventLines } from './event-lines.ts';
import { checkPathName } from './path-names.ts';
import type { Requests } from './requests.ts';
import type {
  Action,
  Artboard,
  DataSource,
  MapObject,
  Popup,
  Project,
  ProjectFile,
  ProjectVersion,
  Publication,
  Variable,
} from './resource-types.ts';
import { checkNumber, isRefusalForNow, isTemporaryFailure, pauseMs, type Retry, timerMaxMs } from './retry.ts';

/** The resources in events, without nested collections, which have their own events. */
interface EventResources {
  project: Omit<Project, 'artboards' | 'popups' | 'data_sources' | 'variables' | 'actions'>;
  artboard: Omit<Artboard, 'objects'>;
  object: MapObject;
  popup: Popup;
  data_source: DataSource;
  variable: Variable;
  action: Action;
  file: ProjectFile;
  /** Keeping a version does not change the version of the project. */
  version: ProjectVersion;
  /** Its `id` is that of the project. Publishing does not change the version of the project. */
  publication: Omit<Publication, 'url' | 'stale' | 'changed'>;
}

interface EventFields<Kind> {
  readonly kind: Kind;
  readonly project_id: string;
  /** The version of the project after this change: the beginning of its `ETag`. */
  readonly version: string;
}

/** For an object: its artboard. */
type OnArtboard<Kind> = Kind extends 'object' ? { readonly artboard_id: string } : { readonly artboard_id?: never };

type EventOf<Kind extends string, Resource> = OnArtboard<Kind> &
  EventFields<Kind> &
  (
    | { readonly name: `${Kind}.created` | `${Kind}.updated`; readonly id: string; readonly resource: Resource }
    | { readonly name: `${Kind}.deleted`; readonly id: string; readonly resource: null }
    | (Kind extends 'project' | 'publication'
        ? never
        :
            | { readonly name: `${Kind}.reordered`; readonly ids: readonly string[] }
            | {
                readonly name: `${Kind}.placed`;
                readonly id: string;
                /** The member that it comes before now; `null` for the last place. */
                readonly before: string | null;
              })
    | (Kind extends 'object'
        ? {
            /** It is on another artboard now. */
            readonly name: 'object.moved';
            readonly id: string;
            readonly from_artboard_id: string;
            readonly before: string | null;
            readonly resource: Resource;
          }
        : never)
  );

/** A resource was created, updated, deleted, placed or moved, or a collection was reordered, as `name` says: `popup.created`. */
export type ChangeEvent = {
  [Kind in keyof EventResources]: EventOf<Kind, EventResources[Kind]>;
}[keyof EventResources];

/** The changes of one request. */
export interface ChangeRecord {
  /** The position of the record, for `after`. */
  readonly id: string;
  /** The events in order. Deleting a resource sends no events for its contents. */
  readonly events: readonly ChangeEvent[];
  /**
   * The feed could not resume without a gap: the log no longer reaches back to the position (`too_old`), the position belongs to another
   * history, for example before a restore (`unknown`), or the server could not send a change (`failed`). Read everything again; the records
   * that follow contain later changes. A reset has no events.
   */
  readonly reset?: 'too_old' | 'unknown' | 'failed';
}

export interface ChangesOptions {
  /** Identifier of a project to follow. By default all projects that the key can access. */
  readonly project?: string;
  /** Starts after this position: the `id` of a record, or an `ETag`. By default with the next change. */
  readonly after?: string | null | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout for a silent connection, in milliseconds. The server sends a heartbeat every 20 seconds. */
  readonly idleMs?: number;
}

/** Bounds for the pause before a reconnect, in milliseconds, also for pauses that the server requests. */
const pauseMaxMs = 10_000;
const pauseMinMs = 100;
/** The longest pause accepted from a `Retry-After`, in milliseconds. */
const retryAfterMaxMs = 60_000;

export async function* changesOf(requests: Requests, options: ChangesOptions): AsyncGenerator<ChangeRecord, void> {
  const { project, after, signal, idleMs = 60_000 } = options;
  if (project !== undefined) checkPathName('project', project);
  checkNumber('idleMs', idleMs, 1, timerMaxMs);
  const path = project === undefined ? '/events' : `/projects/${encodeURIComponent(project)}/events`;
  const { retry } = requests;
  let position = after?.replaceAll(/^W\/|"/g, '') ?? '';
  let isKnown = false;
  let failures = 0;
  /** Pause in milliseconds, as requested by the server. */
  let baseMs = retry.baseMs;
  while (!signal?.aborted) {
    const connection = new Connection(requests, path, position, signal);
    const openedAt = Date.now();
    let failure: ProblemError | ConnectionError | undefined;
    try {
      let events: ChangeEvent[] = [];
      for await (const { event, data, id, retryMs } of connection.blocks(idleMs)) {
        if (signal?.aborted) return;
        baseMs = Math.min(retryMs ?? baseMs, pauseMaxMs);
        const isReset = event === 'reset';
        const content = event === '' ? undefined : connection.parse(event, data);
        isKnown = true;
        if (content !== undefined && !isReset) events.push({ ...content, name: event } as unknown as ChangeEvent);
        if (id === undefined) continue;
        position = id;
        // The connection was useful. If a server disconnects earlier, the pauses grow.
        if (content !== undefined || events.length > 0 || Date.now() - openedAt > pauseMaxMs) failures = 0;
        if (isReset) yield { id, events: [], reset: content?.['reason'] as 'unknown' };
        else if (events.length > 0) yield { id, events };
        if (project !== undefined && events.some(({ name }) => name === 'project.deleted')) return;
        events = [];
      }
    } catch (error) {
      if (!(error instanceof ConnectionError || error instanceof ProblemError)) throw error;
      failure = error;
    } finally {
      connection.close();
    }
    // The project was deleted in the meantime, so there is nothing to follow.
    if (signal?.aborted || (isKnown && project !== undefined && failure instanceof ProblemError && failure.code === 'not_found'))
      return;
    failures++;
    const isTemporary = failure === undefined || isTemporaryFailure(failure) || isRefusalForNow(failure);
    if (failure !== undefined && !(isTemporary && (isKnown || failures < retry.attempts))) throw failure;
    const retryAfter = failure instanceof ProblemError ? failure.retryAfter : undefined;
    await pause(
      failures,
      retryAfter,
      { ...retry, baseMs, maxMs: retryAfter === undefined ? pauseMaxMs : retryAfterMaxMs },
      signal,
    );
  }
}

async function pause(
  failures: number,
  retryAfter: number | undefined,
  retry: Retry,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ms = Math.max(pauseMinMs, pauseMs(failures, retryAfter, retry) ?? retry.maxMs);
  await retry.sleep(ms, signal).catch((error) => {
    if (!signal?.aborted) throw error;
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One connection to the feed, from a position on. */
class Connection {
  readonly #requests: Requests;
  readonly #path: string;
  readonly #position: string;
  readonly #controller: LinkedSignal;

  constructor(requests: Requests, path: string, position: string, signal: AbortSignal | undefined) {
    this.#requests = requests;
    this.#path = path;
    this.#position = position;
    this.#controller = new LinkedSignal(signal);
  }

  /** Reads only as fast as the blocks are consumed. */
  async *blocks(idleMs: number): AsyncGenerator<Block, void> {
    const headers = { Accept: 'text/event-stream', ...(this.#position === '' ? {} : { 'Last-Event-ID': this.#position }) };
    const body = await this.#withTimeout(idleMs, this.#requests.open(this.#path, headers, this.#controller.signal));
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const lines = new EventLines();
    try {
      for (;;) {
        const { done, value } = await this.#withTimeout(idleMs, reader.read());
        if (done || this.#controller.signal.aborted) return;
        yield* lines.take(decoder.decode(value, { stream: true }));
        if (lines.isTooLong) throw this.#unexpected();
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** Parses the data of an event. */
  parse(event: string, data: string): Readonly<Record<string, unknown>> {
    const members = parseObject(data);
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

  /** Waits for a promise, with a timeout that aborts the connection. */
  async #withTimeout<T>(ms: number, outcome: Promise<T>): Promise<T> {
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
