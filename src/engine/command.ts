/** Commands: what a request asks for, after it was routed, authenticated and parsed; and what became of it. */
import type { Fault } from '../lib/fault.ts';
import type { Change, CollectionPath } from '../model/change.ts';
import type { Resource } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';

/** A project, or a member of one of its collections; `id` and `projectId` are '' for what is still to be created. */
export type Target =
  | { readonly kind: 'project'; readonly accountId: string; readonly projectId: string }
  | { readonly kind: 'member'; readonly path: CollectionPath; readonly id: string };

/** `strict`: to be refused when it would make a dangling reference that was not there before. */
export type Command = { readonly strict?: boolean } /** `faults` are those that reading the body found. */ & (
  | { readonly action: 'create' | 'update'; readonly target: Target; readonly body: unknown; readonly faults: readonly Fault[] }
  | { readonly action: 'delete'; readonly target: Target }
);

/** What decide makes of a command. `version` is the newest LSN that it depended on. */
export type Decision =
  | { readonly outcome: 'missing'; readonly version: number }
  | { readonly outcome: 'invalid'; readonly version: number; readonly faults: readonly Fault[] }
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
  newId(): string;
}

export function resourceAt(target: Target): Resource {
  return target.kind === 'project' ? projects : resourceOf[target.path.collection];
}

/** Name of the lock of the project that a command writes to. It starts with the account: a foreign identifier shares no lock. */
export function lockName(target: Target): string {
  const { accountId, projectId } = target.kind === 'project' ? target : target.path;
  return `${accountId}/${projectId}`;
}
