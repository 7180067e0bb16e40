/**
 * Authorization: decides once what a request may access, from the key or the session, and the path, before the query and the body are read. Handlers work
 * within this scope and decide nothing again.
 */

import { problems } from '../http/problem.ts';
import type { Caller } from '../http/transport/transport.ts';
import type { Right } from '../model/people/roles.ts';

/** The authenticated client: an account, and what the key, or the person of the session, may do there. */
export interface Principal {
  readonly accountId: string;
  /** Public part of the key or of the session; '' for a request of this process that names its account. */
  readonly keyId: string;
  /** Who is signed in; '' for a program. */
  readonly personId: string;
  readonly rights: ReadonlySet<Right>;
  /** The projects that are reached; `undefined` for all of the account, including future ones. */
  readonly projects: ReadonlySet<string> | undefined;
  /** Names what is shown of these projects, in tags; '' for all projects. */
  readonly reach: string;
}

/** What one request may access. */
export interface Scope extends Principal {
  /** The project in the path; {@link noProject} if the path has none, or one that may not be accessed. */
  readonly projectId: string;
  /** It may change nothing, and sees no secrets. */
  readonly readOnly: boolean;
}

/** Who changes something: the person, else the key; '' for the program around the server. */
export const actorOf = ({ personId, keyId }: Pick<Principal, 'personId' | 'keyId'>): string => personId || keyId;

/**
 * The id of no project: identifiers and path parameters are never empty. So a request for a project that the key may not access behaves,
 * also in its timing, like one for a project that does not exist.
 */
export const noProject = '';

/** Reason for the refusal of a valid key or session. */
export type Forbidden = 'read-only' | 'other-project' | 'people';

/** Properties of an endpoint on which authorization depends. */
export interface RequestedAccess {
  readonly right: Right;
  /** The endpoint creates a project, although its path names one. */
  readonly makesProject: boolean;
  /** Called for every refusal. */
  onForbidden?(principal: Principal, reason: Forbidden, caller: Caller): void;
}

/** Throws a 403 problem for a write that the client may not make. The text is the same for every target, because nothing is looked up. */
export function authorize(
  access: RequestedAccess,
  principal: Principal,
  params: Readonly<Record<string, string>>,
  caller: Caller,
): Scope {
  refuseWithout(access, principal, caller);
  const { projects, personId, rights } = principal;
  const named = params['project_id'] ?? noProject;
  const isReached = projects === undefined || projects.has(named);
  // A write whose path names no project creates one, which is not among those that are reached.
  if (access.right !== 'read' && projects !== undefined && (access.makesProject || !isReached)) {
    access.onForbidden?.(principal, 'other-project', caller);
    throw problems.forbidden(
      personId === ''
        ? 'This API key may change only the projects that it was created for, and create no others.'
        : 'You may change only the projects that you were invited to, and create no others. Ask an owner of the account for more.',
    );
  }
  const { accountId, keyId, reach } = principal;
  const [projectId, readOnly] = [isReached ? named : noProject, !rights.has('write')];
  // A literal of all members: this runs for each request.
  return { accountId, keyId, personId, rights, projects, reach, projectId, readOnly };
}

/** Throws a 403 problem for a client without a right. */
export function refuseWithout(
  { right, onForbidden }: Pick<RequestedAccess, 'right' | 'onForbidden'>,
  principal: Principal,
  caller: Caller,
): void {
  if (principal.rights.has(right)) return;
  onForbidden?.(principal, right === 'people' ? 'people' : 'read-only', caller);
  throw problems.forbidden(refusals[principal.personId === '' ? 'key' : 'person'][right]);
}

const refusals: Readonly<Record<'key' | 'person', Readonly<Record<Right, string>>>> = {
  key: {
    read: 'This API key is for nothing.',
    write: 'This API key is for reading only.',
    publish: 'This API key is for reading only.',
    people: 'API keys do not manage people. Sign in to the console as an owner of the account.',
  },
  person: {
    read: 'You may not look at this.',
    write: 'You may look, and change nothing. Ask an owner of the account for another role.',
    publish: 'You may look, and publish nothing. Ask an owner of the account for another role.',
    people: 'Only owners of the account manage people.',
  },
};
