/** Whether a key works at a moment, and what it may do. Those of a person do what the person may do now: nothing is written to change them. */
import type { Key } from '../model/account.ts';
import { type Right, rightsOfAccess, rightsOfRole } from '../model/people/roles.ts';
import type { State } from '../store/state.ts';

/** Whether a key works, and if not, why: `revoked` also where it would have expired by now, and where its person is gone. */
export type KeyState = 'valid' | 'expired' | 'revoked';

type People = Pick<State, 'persons'>;

export function keyState({ persons }: People, key: Key, now: number): KeyState {
  if (key.revoked !== '') return 'revoked';
  const person = persons.get(key.person);
  // Sessions and links of programs before version 5 of the schema name no person.
  if (key.kind !== 'key' && (person?.removed !== '' || person.accountId !== key.accountId)) return 'revoked';
  return now < expiryMs(key) ? 'valid' : 'expired';
}

/** When a valid key stops working: milliseconds since 1970; infinite for never. */
export function expiryMs({ expires }: Pick<Key, 'expires'>): number {
  return expires === '' ? Number.POSITIVE_INFINITY : Date.parse(expires);
}

/** What a key may do, and where. */
export interface Grant {
  readonly rights: ReadonlySet<Right>;
  /** Identifiers of projects; `undefined` for all of the account. */
  readonly projects: ReadonlySet<string> | undefined;
}

const setsOf = <Name extends string>(lists: Readonly<Record<Name, readonly Right[]>>) =>
  new Map(Object.entries<readonly Right[]>(lists).map(([name, list]) => [name, new Set(list)]));
const ofRole = setsOf(rightsOfRole);
const ofAccess = setsOf(rightsOfAccess);
const nothing: ReadonlySet<Right> = new Set();

/** @param key a valid one */
export function grantOf({ persons }: People, { kind, person: id, access, projects: ofKey }: Key): Grant {
  const person = persons.get(id);
  const rights = kind === 'key' ? ofAccess.get(access) : ofRole.get(person?.role ?? '');
  const projects = kind === 'key' ? ofKey : (person?.projects ?? []);
  return { rights: rights ?? nothing, projects: projects.length === 0 ? undefined : new Set(projects) };
}
