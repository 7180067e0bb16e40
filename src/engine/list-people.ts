/** People with what they hold: how many sessions, and which invitation. One pass over all keys serves a list of any length. */
import type { Key } from '../model/account.ts';
import type { Person } from '../model/people/person.ts';
import type { State } from '../store/state.ts';
import { keyState } from './key-state.ts';

/** What is valid of a person's keys. */
export interface HeldKeys {
  readonly sessions: number;
  /** End of the invitation: RFC 3339; '' for none. */
  readonly invited: string;
}

const none: HeldKeys = { sessions: 0, invited: '' };

/** @returns what a person holds */
export function heldKeys(state: Pick<State, 'keys' | 'persons'>, now: number): (person: string) => HeldKeys {
  const held = new Map<string, HeldKeys>();
  for (const key of state.keys.values()) {
    if (key.person === '' || keyState(state, key, now) !== 'valid') continue;
    held.set(key.person, withKey(held.get(key.person) ?? none, key));
  }
  return (person) => held.get(person) ?? none;
}

const withKey = ({ sessions, invited }: HeldKeys, { kind, label, expires }: Key): HeldKeys => ({
  sessions: sessions + (kind === 'session' ? 1 : 0),
  invited: kind === 'link' && label === 'invitation' ? expires : invited,
});

/** A person, as operators see them. */
export interface ListedMember extends Pick<Person, 'id' | 'name' | 'role' | 'email' | 'created' | 'removed'>, HeldKeys {
  /** Name of the account. */
  readonly account: string;
  /** The projects that are reached, with their names; empty for all. */
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

/** The people of all accounts, the oldest first of each. */
export function listPeople(state: State, now: number): ListedMember[] {
  const heldBy = heldKeys(state, now);
  return [...state.accounts.values()].flatMap((account) =>
    Array.from(state.persons.of(account.id).values(), ({ id, name, role, email, created, removed, projects }) => ({
      ...{ account: account.name, id, name, role, email, created, removed },
      projects: projects.map((each) => ({ id: each, name: String(account.projects.get(each)?.value['name'] ?? '') })),
      ...heldBy(id),
    })),
  );
}
