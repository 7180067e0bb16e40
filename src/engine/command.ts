/** Commands: what a request asks for, after it was routed, authenticated and parsed; and what became of it. */
import type { FieldError } from '../lib/field-error.ts';
import type { Change, CollectionPath } from '../model/change.ts';
import type { ApiVersion, Resource } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';
import type { State } from '../store/state.ts';

/** A project, or a member of one of its collections; `id` and `projectId` are '' for what is still to be created. */
export type Target =
  | { readonly kind: 'project'; readonly accountId: string; readonly projectId: string }
  | { readonly kind: 'member'; readonly path: CollectionPath; readonly id: string };

/** Whether a write may be made when what it changes (for a create: the collection that it adds to) is at this version: an LSN. */
export type Precondition = (version: number) => boolean;

/** A request that is to be carried out once, as it is recognised. */
export interface Once {
  readonly key: string;
  /** SHA-256 of what is asked, in base64url. */
  readonly digest: string;
}

/** What is to be remembered of such a request, as one that is carried out. */
export interface Remember<Made> extends Once {
  /** The JSON of the answer, from the state that the change makes. */
  write(state: State, made: Made): Iterable<string | Buffer>;
}

interface Write {
  readonly target: Target;
  readonly precondition?: Precondition | undefined;
  /** To be refused when it would make a dangling reference that was not there before. */
  readonly strict?: boolean;
}

export type Command =
  /** `faults` are those that reading the body found. */
  | (Write & {
      readonly action: 'create' | 'update';
      readonly body: unknown;
      readonly faults: readonly FieldError[];
      /** The answer is to be given again to the same request. */
      readonly remember?: Remember<Target> | undefined;
    })
  | (Write & { readonly action: 'delete' });

/** What decide makes of a command. `version` is the newest LSN that it depended on. */
export type Decision =
  | { readonly outcome: 'missing'; readonly version: number }
  /** It is not at the version that the precondition wants. */
  | { readonly outcome: 'stale'; readonly version: number }
  | { readonly outcome: 'invalid'; readonly version: number; readonly faults: readonly FieldError[] }
  | Done;

/** `target` names what was created, updated or deleted; no changes when everything was as asked already. */
export interface Done {
  readonly outcome: 'done';
  readonly version: number;
  readonly changes: readonly Change[];
  readonly target: Target;
}

/** The world as decide may see it. */
export interface Context {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Bytes of memory that the answers of one account that are given again may take. */
  readonly responsesBytesMax: number;
  /** Which original is spoken: what it does not know refers to nothing. */
  readonly compat: ApiVersion;
  newId(): string;
}

export function resourceAt(target: Target): Resource {
  return target.kind === 'project' ? projects : resourceOf[target.path.collection];
}

/** A project, and whose it is; `projectId` is '' for one that is still to be created. */
export interface ProjectName {
  readonly accountId: string;
  readonly projectId: string;
}

export function projectOf(target: Target): ProjectName {
  return target.kind === 'project' ? target : target.path;
}

/** Name of the lock of a project. It starts with the account: a foreign identifier shares no lock. */
export function lockName({ accountId, projectId }: ProjectName): string {
  return `${accountId}/${projectId}`;
}
