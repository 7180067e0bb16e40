/**
 * Sends diffs: each over what others have done since, in batches, with the versions that it is based on. What a batch was refused for is read
 * again, and the rest of the diff is tried over that.
 */
import { apply, type Diff, emptyDiff, membersOf, squashInto } from '../../../lib/change/diff.ts';
import { type RebaseConflict, rebase } from '../../../lib/change/rebase.ts';
import { ProblemError } from '../../client/client.ts';
import { collectionAt, kinds, type Resource, refAt, withDefaults } from '../kinds/resource-kinds.ts';
import { isBefore, numberOf } from '../kinds/resource-version.ts';
import { operationsOf, ownerOf, partsOf, type Sent } from './diff-operations.ts';
import { isRefusal, newRequestKey, type ProjectApi, type Versioned } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';

/** The server does not take a diff, whatever others have done. */
export interface Refusal {
  readonly error: ProblemError;
  /** The resource that it is about, if it is one. */
  readonly id: string | undefined;
}

/** The result of sending diffs. */
export interface Outcome {
  /** The part that the server has carried out, from what it had before. */
  readonly done: Diff;
  readonly conflicts: readonly RebaseConflict[];
  /** True if another user was faster with something that it is about. */
  readonly wasStale: boolean;
  /** Why it ended after a part of a diff, and what was not carried out of that. */
  readonly stopped?: { readonly rest: Diff; readonly refusal: Refusal };
}

interface SentPart {
  readonly left: Diff;
  readonly conflicts: readonly RebaseConflict[];
  readonly wasStale: boolean;
  readonly refusal?: Refusal;
}

interface SyncOptions {
  readonly store: ProjectStore;
  readonly api: ProjectApi;
  /** Repeats a request until the server answers. */
  patiently<T>(request: () => Promise<T>): Promise<T>;
  /** Reads the project again. */
  reload(): Promise<void>;
}

/** Resources that are read side by side. */
const readsMax = 20;

/** How often a part is tried over what others have done. */
const roundsMax = 8;

export interface SendOptions {
  /** By default the server refuses what is based on another version. An import writes over it. */
  readonly isGuarded?: boolean;
  /** It takes a step back, or makes it again: nothing is removed that is not as the step has left it. */
  readonly isUndo?: boolean;
  /** The server keeps the state before the first part as a version. */
  readonly keepsVersion?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of changes that were carried out. */
  onProgress?(changes: number): void;
}

export class Sync {
  /** The version of the project that the newest request of this page has made. */
  written = '';
  readonly #options: SyncOptions;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Sends diffs one after the other, until one is refused. */
  async send(diffs: Iterable<Diff>, options: SendOptions = {}): Promise<Outcome> {
    const done = { changes: new Map(), orders: new Map() };
    const conflicts: RebaseConflict[] = [];
    let wasStale = false;
    let changes = 0;
    for (const diff of diffs) {
      // Those of an import are as large as a batch may be.
      const parts = options.isGuarded === false ? [diff] : partsOf(diff);
      for (const [at, part] of parts.entries()) {
        if (options.signal?.aborted === true) return { done, conflicts, wasStale };
        const sent = await this.#sendPart(part, diff, options, done.changes.size === 0);
        conflicts.push(...sent.conflicts);
        wasStale ||= sent.wasStale;
        if (sent.refusal !== undefined) {
          const rest = { changes: new Map(parts.slice(at).flatMap((each) => [...each.changes])), orders: diff.orders };
          return { done, conflicts, wasStale, stopped: { rest, refusal: sent.refusal } };
        }
        squashInto(done, sent.left);
        changes += part.changes.size;
        options.onProgress?.(changes);
      }
    }
    return { done, conflicts, wasStale };
  }

  async #sendPart(
    part: Diff,
    whole: Diff,
    { isGuarded = true, isUndo = false, keepsVersion = false }: SendOptions,
    isFirst: boolean,
  ): Promise<SentPart> {
    const { store, api, patiently } = this.#options;
    for (let round = 1; ; round++) {
      if (isGuarded) await this.#readVersions(part);
      const { left, conflicts } = rebase(part, store.server, kinds, isUndo ? whole.changes : undefined);
      const wasStale = round > 1;
      if (left.changes.size === 0) return { left, conflicts, wasStale };
      const sent = operationsOf(left, store, isGuarded);
      const moving = sent.flatMap(({ id, operation }) => (operation.keep_places === true ? [id] : []));
      const operations = sent.map(({ operation }) => operation);
      const batch = keepsVersion && isFirst ? { operations, keep_version: true } : { operations };
      // The server may have executed a request to which it has not answered.
      const key = newRequestKey();
      try {
        const answer = await store.moves.during(moving, () => patiently(() => api.send(batch, key)));
        this.written = answer.version;
        return { left: store.together(() => take(store, left, sent, answer)), conflicts, wasStale };
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        if (round < roundsMax && (await this.#learn(sent, error, round))) continue;
        const index = error.index ?? /^\/operations\/(\d+)/.exec(error.errors[0]?.pointer ?? '')?.[1];
        return { left: emptyDiff, conflicts: [], wasStale, refusal: { error, id: sent[Number(index)]?.id } };
      }
    }
  }

  /** Reads the versions that are not known of what a diff changes or removes. */
  async #readVersions({ changes }: Diff): Promise<void> {
    const { store, api, patiently } = this.#options;
    const unknown = [...changes.values()].flatMap(({ id, from, to }) => {
      const isOverwritten = from !== undefined && (to === undefined || Object.keys(to.members).length > 0);
      return isOverwritten && store.versionOf(id) === undefined ? (store.refOf(id) ?? []) : [];
    });
    let isComplete = true;
    for (let at = 0; at < unknown.length; at += readsMax) {
      const refs = unknown.slice(at, at + readsMax);
      const read = await patiently(() => Promise.all(refs.map((ref) => api.read(ref).catch(absent))));
      for (const [n, ref] of refs.entries()) {
        const found = read[n];
        if (found === undefined) isComplete = false;
        else if (store.has(ref.id)) store.put(ref, found.value, found.version);
      }
    }
    // Everything in an artboard goes with it, and has to be known.
    const isBehind = [...changes.values()].some(
      ({ id, from, to }) =>
        to === undefined && from?.in === 'artboards' && isBefore(store.position, store.versionOf(id) ?? store.position),
    );
    if (!isComplete || isBehind) await this.#options.reload();
    if (isBehind) await this.#readVersions({ changes, orders: new Map() });
  }

  /** Prepares the next round after a refusal. `false`: it is not because of what others have done. */
  async #learn(sent: readonly Sent[], error: ProblemError, round: number): Promise<boolean> {
    const { store, reload } = this.#options;
    if (error.code === 'precondition_failed') {
      const refused = sent[error.index ?? -1];
      // Another user has changed several.
      for (const { id } of refused === undefined || round > 2 ? sent : [refused]) store.forgetVersion(id);
    } else if (['not_found', 'not_in_collection', 'identifier_in_use'].includes(error.code)) await reload();
    else if (round === 1 && error.errors[0]?.pointer.endsWith('/to_artboard') === true) await reload();
    else return false;
    return true;
  }
}

/** @throws what the server says, unless a resource is not there */
function absent(error: unknown): undefined {
  if (!isRefusal(error, 'not_found')) throw error;
}

/** Takes the results of a batch into the store. The diff with the values that the server has made of its own. */
function take(
  store: ProjectStore,
  left: Diff,
  sent: readonly Sent[],
  { value: results, version }: Versioned<(Resource | undefined)[]>,
): Diff {
  const values = new Map<string, Resource>();
  for (const [at, { id }] of sent.entries()) {
    const value = results[at];
    if (value === undefined) continue;
    values.set(id, value);
    for (const object of (value['objects'] as readonly Resource[] | undefined) ?? []) values.set(object.id, object);
  }
  const number = numberOf(version);
  // The feed may have brought it first, with what others did before it.
  const isNews = number > numberOf(store.position);
  if (isNews)
    for (const collection of left.orders.keys()) store.feedOrders.begin(collection, store.server.ids(collection), number);
  apply(
    {
      ...store.server,
      put(id, side) {
        const value = values.get(id);
        // Another user may have deleted it since.
        const isGone = !store.has(id) && (left.changes.get(id)?.from !== undefined || !isNews);
        if (value !== undefined && !isGone) store.move(refAt(id, side.in), value, version);
      },
      remove: (id) => store.remove(id, version),
      order: (collection, ids) => isNews && store.reorder(collectionAt(collection), ids),
    },
    left,
  );
  // They change with what is in them.
  const owners = [...left.changes.values()].flatMap((change) => ownerOf(change) ?? []);
  for (const id of new Set([...owners, store.id])) if (!left.changes.has(id)) store.forgetVersion(id);
  const made = [...left.changes.values()].map((change) => {
    const value = values.get(change.id);
    if (change.to === undefined || value === undefined) return change;
    // The server leaves defaults out of its answer.
    const { id: _, objects: __, ...all } = withDefaults(refAt(change.id, change.to.in).kind, value);
    // Undo of a creation has to know everything that others may change.
    const members = change.from === undefined ? all : membersOf(all, Object.keys(change.to.members));
    return { ...change, to: { ...change.to, members } };
  });
  return { changes: new Map(made.map((change) => [change.id, change])), orders: left.orders };
}
