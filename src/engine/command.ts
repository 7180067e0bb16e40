/** Commands: parsed requests of authenticated clients; and the decisions about them. */
import type { FieldError } from '../lib/field-error.ts';
import type { BodyCheck } from '../model/bodies/check-body.ts';
import type { CollectionPath } from '../model/collection-path.ts';
import type { Resource } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';
import type { Body } from '../model/value.ts';
import type { Change } from '../store/operations/operations.ts';
import type { State } from '../store/state.ts';

/** A project, or a member of one of its collections; `id` and `projectId` are '' for what is still to be created. */
export type Target =
  | { readonly kind: 'project'; readonly accountId: string; readonly projectId: string }
  | { readonly kind: 'member'; readonly path: CollectionPath; readonly id: string };

/**
 * Whether a write may be made if its target (for a create: the collection) is at this version, an LSN.
 *
 * @param placesVersion the version of an object with its places, which depend on the artboard; omitted for everything else
 */
export type Precondition = (version: number, placesVersion?: number) => boolean;

/** Identifies a request that is executed once. */
export interface IdempotentRequest {
  readonly key: string;
  /** SHA-256 of the request, in base64url. */
  readonly digest: string;
}

/** How to store the response to such a request. */
export interface ResponseToStore<Made> extends IdempotentRequest {
  /** The JSON of the response, from the state after the change. */
  write(state: State, made: Made): Iterable<string | Buffer>;
}

/** Builds the response about a write. */
export interface ResponseBuilder<T> {
  /** Makes the result from the state, in the turn in which the state changed. */
  show(state: State, written: Target): T;
  /** Set if the response must be stored for repetitions of the request. */
  readonly remember?: ResponseToStore<Target> | undefined;
}

/** How references are checked. */
export interface Strictness {
  /** Of the server: addresses of files may begin with it. */
  readonly publicUrl: string;
}

/** Limits of what a merge patch makes. */
export interface PatchLimits {
  /** Most bytes of each open structure, as JSON: as many as in a body that sends it. */
  readonly bytesMax: number;
}

/** Identifiers that the client has chosen, well-formed. */
export interface GivenIds {
  /** The identifier of what is created. */
  readonly id?: string | undefined;
  /** Those of the objects in the body of an artboard; `undefined` where the server chooses. */
  readonly objects?: readonly (string | undefined)[] | undefined;
}

/** Where a member goes. */
export interface Placement {
  /** The member of the collection that it comes before; `null` for the last place; `undefined`: it stays, or is the last of another collection. */
  readonly before?: string | null | undefined;
  /** For an object: the artboard that it moves to. */
  readonly toArtboard?: string | undefined;
}

interface Write {
  readonly target: Target;
  readonly precondition?: Precondition | undefined;
  /** Set if the write fails when it would create a dangling reference. */
  readonly strict?: Strictness | undefined;
  /** Public part of the key of the request; '' or omitted for none. */
  readonly by?: string | undefined;
}

export type Command =
  /** `fieldErrors` are those that reading the body found. */
  | (Write & {
      readonly action: 'create' | 'update';
      readonly body: unknown;
      /** For a create: members that the server sets. */
      readonly fixed?: Body | undefined;
      /** For an update whose body is a JSON Merge Patch: it is resolved and checked under the lock. */
      readonly patch?: PatchLimits | undefined;
      /** For a create: identifiers that the client has chosen. */
      readonly ids?: GivenIds | undefined;
      readonly placement?: Placement | undefined;
      /** For an update of an artboard, or a move to another one: whether its objects stay where they are on Earth. */
      readonly keepPlaces?: boolean;
      readonly fieldErrors: readonly FieldError[];
      /** Set if the response must be stored for repetitions of the request. */
      readonly remember?: ResponseToStore<Target> | undefined;
    })
  | (Write & { readonly action: 'delete' });

/** The decision about a command. `version` is the newest LSN that it depends on. */
export type Decision =
  | { readonly outcome: 'missing'; readonly version: number }
  /** The precondition rejects the current version. */
  | { readonly outcome: 'stale'; readonly version: number }
  /** `isOfOperation`: pointers begin at the operation of a batch, not at its body. */
  | {
      readonly outcome: 'invalid';
      readonly version: number;
      readonly fieldErrors: readonly FieldError[];
      readonly isOfOperation?: boolean;
    }
  | { readonly outcome: 'conflict'; readonly version: number; readonly conflict: Conflict }
  | Done;

/** Why an operation of a batch does not fit the state. */
export interface Conflict {
  readonly code: 'identifier_in_use' | 'not_in_collection';
  /** In the operation: `/before`. */
  readonly pointer: string;
  readonly detail: string;
}

/** `target` names what was created, updated or deleted; no changes when everything was as asked already. */
export interface Done {
  readonly outcome: 'done';
  readonly version: number;
  readonly changes: readonly Change[];
  readonly target: Target;
  /** Whether the request replaces a whole collection. */
  readonly replaces?: boolean;
}

/** The inputs of a decision besides state and command. */
export interface Context {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Idempotency cache limit per account, in bytes. */
  readonly responsesBytesMax: number;
  /** The host's additional check of bodies. */
  readonly bodyCheck?: BodyCheck | undefined;
  newId(): string;
  /** Takes an identifier that a client has chosen: later ones are greater. */
  noteId(id: string): void;
}

export function resourceAt(target: Target): Resource {
  return target.kind === 'project' ? projects : resourceOf[target.path.collection];
}

/** A project, and whose it is; `projectId` is '' for one that is still to be created. */
export interface ProjectName {
  readonly accountId: string;
  readonly projectId: string;
}

/** Who makes a record, and in which account. */
export interface Author {
  readonly accountId: string;
  /** The person of the request, or the public part of its key; '' for none. */
  readonly by: string;
}

export function projectOf(target: Target): ProjectName {
  return target.kind === 'project' ? target : target.path;
}

/** Name of the lock of a project. It starts with the account: a foreign identifier shares no lock. */
export function lockName({ accountId, projectId }: ProjectName): string {
  return `${accountId}/${projectId}`;
}
