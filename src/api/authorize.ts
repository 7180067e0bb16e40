/**
 * Authorization: decides once what a request may access, from the key and the path, before the query and the body are read. Handlers work
 * within this scope and decide nothing again.
 */

import { problems } from '../http/problem.ts';
import type { Caller } from '../http/transport/transport.ts';

/** The authenticated client: the account of a key, and what the key may access. */
export interface Principal {
  readonly accountId: string;
  /** Public part of the key; '' for a request of this process that names its account. */
  readonly keyId: string;
  readonly readOnly: boolean;
  /** The projects of the key; `undefined` for all of the account, including future ones. */
  readonly projects: ReadonlySet<string> | undefined;
}

/** What one request may access. */
export interface Scope {
  readonly accountId: string;
  /** Public part of the key; '' for a request of this process that names its account. */
  readonly keyId: string;
  /** The project in the path; {@link noProject} if the path has none, or one that the key may not access. */
  readonly projectId: string;
  /** The projects of the key; `undefined` for all of the account. */
  readonly projects: ReadonlySet<string> | undefined;
  /** The key is for reading only. */
  readonly readOnly: boolean;
}

/**
 * The id of no project: identifiers and path parameters are never empty. So a request for a project that the key may not access behaves,
 * also in its timing, like one for a project that does not exist.
 */
export const noProject = '';

/** Reason for the refusal of a valid key. */
export type Forbidden = 'read-only' | 'other-project';

/** Properties of an endpoint on which authorization depends. */
export interface RequestedAccess {
  readonly writes: boolean;
  /** The endpoint creates a project, although its path names one. */
  readonly makesProject: boolean;
  /** Called for every refusal. */
  onForbidden?(principal: Principal, reason: Forbidden, caller: Caller): void;
}

/** Throws a 403 problem for a write that the key may not make. The text is the same for every target, because nothing is looked up. */
export function authorize(
  access: RequestedAccess,
  principal: Principal,
  params: Readonly<Record<string, string>>,
  caller: Caller,
): Scope {
  const { accountId, keyId, readOnly, projects } = principal;
  const named = params['project_id'] ?? noProject;
  const isReached = projects === undefined || projects.has(named);
  if (access.writes && readOnly) {
    access.onForbidden?.(principal, 'read-only', caller);
    throw problems.forbidden('This API key is for reading only.');
  }
  // A write whose path names no project creates one, which is not among those of the key.
  if (access.writes && projects !== undefined && (access.makesProject || !isReached)) {
    access.onForbidden?.(principal, 'other-project', caller);
    throw problems.forbidden('This API key may change only the projects that it was created for, and create no others.');
  }
  return { accountId, keyId, projectId: isReached ? named : noProject, projects, readOnly };
}
