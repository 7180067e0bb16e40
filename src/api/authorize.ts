/**
 * What a request may touch: decided once, from the key and the path, before the query and the body are read. Handlers work within the scope
 * and decide nothing again.
 */

import { problems } from '../http/problem.ts';
import type { Caller } from '../http/route.ts';

/** Who asks: the account behind a key, and what the key reaches of it. */
export interface Principal {
  readonly accountId: string;
  /** Public part of the key; '' for a call without HTTP. */
  readonly keyId: string;
  readonly readOnly: boolean;
  /** The projects that the key is for; `undefined` for all of the account, also those still to come. */
  readonly projects: ReadonlySet<string> | undefined;
}

/** What one request may touch. */
export interface Scope {
  readonly accountId: string;
  /** Public part of the key; '' for a call without HTTP. */
  readonly keyId: string;
  /** The project in the path; {@link noProject} where the path has none, or one that the key does not reach. */
  readonly projectId: string;
  /** The projects that the key is for; `undefined` for all of the account. */
  readonly projects: ReadonlySet<string> | undefined;
}

/**
 * No project has this name: identifiers are never empty, and neither is a path parameter. So all that follows for a project that the key does
 * not reach, and all that it waits for, is what happens for a project that does not exist.
 */
export const noProject = '';

/** Why a valid key was refused. */
export type Forbidden = 'read-only' | 'other-project';

/** What an endpoint does, as far as authorization depends on it. */
export interface Access {
  readonly writes: boolean;
  /** It makes a project, although its path names one. */
  readonly makesProject: boolean;
  /** Is called for every refusal. */
  onForbidden?(principal: Principal, reason: Forbidden, caller: Caller): void;
}

/** Throws a 403 problem for a write that the key may not make: in the same words whatever it names, since nothing is looked up for it. */
export function authorize(access: Access, principal: Principal, params: Readonly<Record<string, string>>, caller: Caller): Scope {
  const { accountId, keyId, readOnly, projects } = principal;
  const named = params['project_id'] ?? noProject;
  const isReached = projects === undefined || projects.has(named);
  if (access.writes && readOnly) {
    access.onForbidden?.(principal, 'read-only', caller);
    throw problems.forbidden('This API key is for reading only.');
  }
  // A write whose path names no project makes one, and that would be another one.
  if (access.writes && projects !== undefined && (access.makesProject || !isReached)) {
    access.onForbidden?.(principal, 'other-project', caller);
    throw problems.forbidden('This API key may change only the projects that it was made for, and make no others.');
  }
  return { accountId, keyId, projectId: isReached ? named : noProject, projects };
}
