/** Names of published maps: which one a project can have, and the changes that give it one or take it away. */
import { isExpired, nameKeptMs, namesMax } from '../../model/references/public-name.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { State } from '../../store/state.ts';
import type { ProjectName } from '../command.ts';

/** Another map has the name, or another account has given it up and keeps it. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

/** The account has {@link namesMax} names. */
export class TooManyNamesError extends Error {
  override readonly name = 'TooManyNamesError';
}

type PutName = Extract<Change, { op: 'put-name' }>;

/** Throws {@link NameTakenError} or {@link TooManyNamesError} if a project cannot have a name. @param now milliseconds since 1970 */
export function refuseName(state: State, { accountId, projectId }: ProjectName, name: string, now: number): void {
  const present = state.names.get(name);
  if (present !== undefined && present.accountId !== accountId && !isExpired(present, now)) throw new NameTakenError();
  if (present?.accountId === accountId) {
    // After a repair, a name may lead to a project that is lost, or is not public.
    const leadsTo = state.accounts.get(accountId)?.projects.get(present.projectId)?.publication;
    if (leadsTo !== undefined && present.projectId !== projectId) throw new NameTakenError();
  }
  const others = [...state.names.of(accountId).values()].filter((each) => each.name !== name && !isExpired(each, now));
  if (others.length >= namesMax) throw new TooManyNamesError();
}

/** The changes that give a project a name in place of its present one, and forget those names of the account that it need not keep. */
export function takeName(state: State, { accountId, projectId }: ProjectName, name: string, now: number): PutName[] {
  const expired = [...state.names.of(accountId).values()].filter((each) => each.name !== name && isExpired(each, now));
  return [
    ...expired.map((each): PutName => ({ op: 'put-name', accountId, name: each.name, projectId: '', until: '' })),
    ...giveUpName(state, { accountId, projectId }, now),
    { op: 'put-name', accountId, name, projectId, until: '' },
  ];
}

/** The change that gives the name of a project up; none if it has no name. */
export function giveUpName(state: State, { accountId, projectId }: ProjectName, now: number): PutName[] {
  const name = state.names.ofProject(accountId, projectId);
  const until = new Date(now + nameKeptMs).toISOString();
  return name === '' ? [] : [{ op: 'put-name', accountId, name, projectId: '', until }];
}
