/**
 * `GET /console/projects`: the projects of a session in the order of their last changes, which is no member of a project. Like all routes of
 * the console, it is not in the description of the API.
 */
import type { PrivateEndpoint } from '../../http/route.ts';
import { findAccount, type Versioned } from '../../store/find.ts';
import { projectsAfter } from '../../store/list/views.ts';
import type { State } from '../../store/state.ts';
import type { Principal } from '../authorize.ts';
import type { Api } from '../declaration.ts';

/** Projects between two turns of the event loop. */
const sliceLength = 1000;

/** @returns identifiers, the project that was changed last first */
export const changedProjectsEndpoint = <Of extends Principal>({ engine }: Api): PrivateEndpoint<Of> => ({
  method: 'GET',
  path: '/console/projects',
  prefixes: [''],
  async handle({ scope }) {
    const { value = [] } = await engine.reader.search(scope.accountId, (state) => searchByChange(state, scope));
    return { kind: 'json', status: 200, json: JSON.stringify(value), headers: { 'Cache-Control': 'no-store' } };
  },
});

function* searchByChange(state: State, { accountId, projects: only }: Principal): Generator<void, Versioned<readonly string[]>> {
  const found: { readonly id: string; readonly version: number }[] = [];
  const { value: account } = findAccount(state, accountId);
  for (const { id, version } of account === undefined ? [] : projectsAfter(account.projects, only, '')) {
    if (found.push({ id, version }) % sliceLength === 0) yield;
  }
  found.sort((a, b) => b.version - a.version);
  return { value: found.map(({ id }) => id), version: findAccount(state, accountId).version };
}
