/** Authorization: the scope of a request, or its refusal, for every kind of key and every kind of endpoint. */
import t from 'tap';
import { authorize, type Forbidden, noProject, type Principal, type RequestedAccess } from '../../src/api/authorize.ts';
import { Problem } from '../../src/http/problem.ts';
import type { Access } from '../../src/model/account.ts';
import { type Right, rightsOfAccess } from '../../src/model/people/roles.ts';

const caller = { requestId: 'r', address: '' };
const endpoints = {
  read: { right: 'read', makesProject: false },
  write: { right: 'write', makesProject: false },
  duplicate: { right: 'write', makesProject: true },
} as const;
const paths = { own: { project_id: 'own' }, other: { project_id: 'other' }, none: {} } as const;

type Kind = keyof typeof endpoints;
type Path = keyof typeof paths;
type Expected = 'own' | 'other' | typeof noProject | Forbidden;

/** By key, endpoint and path: the project in the scope, or the reason of the refusal. */
const table: Record<'all' | 'some', Record<'write' | 'read', Record<Kind, Record<Path, Expected>>>> = {
  all: {
    write: {
      read: { own: 'own', other: 'other', none: noProject },
      write: { own: 'own', other: 'other', none: noProject },
      duplicate: { own: 'own', other: 'other', none: noProject },
    },
    read: {
      read: { own: 'own', other: 'other', none: noProject },
      write: { own: 'read-only', other: 'read-only', none: 'read-only' },
      duplicate: { own: 'read-only', other: 'read-only', none: 'read-only' },
    },
  },
  some: {
    write: {
      read: { own: 'own', other: noProject, none: noProject },
      write: { own: 'own', other: 'other-project', none: 'other-project' },
      duplicate: { own: 'other-project', other: 'other-project', none: 'other-project' },
    },
    read: {
      read: { own: 'own', other: noProject, none: noProject },
      write: { own: 'read-only', other: 'read-only', none: 'read-only' },
      duplicate: { own: 'read-only', other: 'read-only', none: 'read-only' },
    },
  },
};

for (const [reach, byAccess] of Object.entries(table)) {
  for (const [access, byKind] of Object.entries(byAccess)) {
    for (const [kind, byPath] of Object.entries(byKind)) {
      for (const [path, expected] of Object.entries(byPath)) {
        t.test(
          `a key for ${reach} projects with ${access} access has the right scope: ${kind}, path with ${path} project`,
          async (t) => {
            const projects = reach === 'all' ? undefined : new Set(['own']);
            const rights: ReadonlySet<Right> = new Set(rightsOfAccess[access as Access]);
            const principal: Principal = { accountId: 'a', keyId: 'k', personId: '', rights, projects, reach: '' };
            const refusals: Forbidden[] = [];
            const rules: RequestedAccess = {
              ...endpoints[kind as Kind],
              onForbidden: (_principal, reason) => void refusals.push(reason),
            };
            const decide = () => authorize(rules, principal, paths[path as Path], caller);
            if (expected === 'read-only' || expected === 'other-project') {
              const error = t.throws(decide, Problem) as Problem;
              t.equal(error.status, 403);
              t.strictSame(refusals, [expected], 'the audit log has it');
            } else {
              t.strictSame(decide(), { ...principal, projectId: expected, readOnly: access === 'read' });
              t.strictSame(refusals, []);
            }
          },
        );
      }
    }
  }
}
