/**
 * Decides who somebody is here whom the provider knows: pure. A person is bound to issuer and subject; an e-mail address counts only once, when
 * there is no such person, and only if the provider confirms it.
 */
import { presentPersons } from '../../../engine/change-persons.ts';
import { type Person, type PersonIdentity, personsMax } from '../../../model/people/person.ts';
import type { State } from '../../../store/state.ts';
import { emailForm } from '../people.ts';
import type { DomainRule } from './oidc-options.ts';
import type { Profile } from './provider.ts';

export type Refusal =
  /** The person was removed. */
  | 'removed'
  | 'unverified'
  /** Owners connect while they are signed in. */
  | 'owner'
  /** People of several accounts have the address. */
  | 'several'
  /** The person with this address signs in with another subject. */
  | 'connected'
  /** The subject belongs to another person. */
  | 'taken'
  | 'nobody'
  /** The account has the most people. */
  | 'full'
  /** The account of a domain does not exist. */
  | 'no-account'
  /** The session of the person who connects has ended. */
  | 'ended';

export type Decision =
  | { readonly kind: 'known'; readonly person: Person }
  | { readonly kind: 'bind'; readonly person: Person }
  | { readonly kind: 'create'; readonly accountId: string; readonly role: DomainRule['role'] }
  | { readonly kind: 'refuse'; readonly reason: Refusal };

type People = Pick<State, 'persons'>;

const refuse = (reason: Refusal): Decision => ({ kind: 'refuse', reason });

const hasIdentity =
  ({ issuer, subject }: PersonIdentity) =>
  ({ identities }: Person): boolean =>
    identities.some((each) => each.issuer === issuer && each.subject === subject);

/** The person of an identity, also one who was removed if there is no other. */
export function personOf({ persons }: People, identity: PersonIdentity): Person | undefined {
  const all = [...persons.values()].filter(hasIdentity(identity));
  return all.find(({ removed }) => removed === '') ?? all[0];
}

/** For somebody who is not signed in. People of other accounts do not count for an address whose domain a rule gives to one. */
export function decidePerson(
  state: People & Pick<State, 'accountNamed'>,
  identity: PersonIdentity,
  { email, isVerified }: Profile,
  rules: readonly DomainRule[],
): Decision {
  const known = personOf(state, identity);
  if (known?.removed === '') return { kind: 'known', person: known };
  const gone = known === undefined ? undefined : refuse('removed');
  if (email === '') return gone ?? refuse('nobody');
  if (!isVerified || !emailForm.test(email)) return gone ?? refuse('unverified');
  const named = [...state.persons.values()].filter((person) => person.email === email);
  const owning = accountOf(state, email, rules);
  const present = named.filter(({ removed, accountId }) => removed === '' && (owning === undefined || accountId === owning));
  if (present.length > 0) return decideNamed(present, identity.issuer);
  return gone ?? decideByDomain(state, email, named, rules);
}

/** @param named present people with the confirmed address, at least one */
function decideNamed(named: readonly Person[], issuer: string): Decision {
  const unbound = named.filter(({ identities }) => identities.every((each) => each.issuer !== issuer));
  const others = unbound.filter(({ role }) => role !== 'owner');
  const [only, ...rest] = others;
  if (only !== undefined && rest.length === 0) return { kind: 'bind', person: only };
  return refuse(others.length > 0 ? 'several' : unbound.length > 0 ? 'owner' : 'connected');
}

/** The account to which a rule gives the domain of an address. */
function accountOf(state: Pick<State, 'accountNamed'>, email: string, rules: readonly DomainRule[]): string | undefined {
  const rule = ruleFor(email, rules);
  return rule === undefined ? undefined : state.accountNamed(rule.account)?.id;
}

function ruleFor(email: string, rules: readonly DomainRule[]): DomainRule | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return rules.find((each) => each.domain === domain);
}

/** @param former people who had the address and were removed */
function decideByDomain(
  state: People & Pick<State, 'accountNamed'>,
  email: string,
  former: readonly Person[],
  rules: readonly DomainRule[],
): Decision {
  const rule = ruleFor(email, rules);
  if (rule === undefined) return refuse('nobody');
  const account = state.accountNamed(rule.account);
  if (account === undefined) return refuse('no-account');
  if (former.some(({ accountId }) => accountId === account.id)) return refuse('removed');
  if (state.persons.of(account.id).size >= personsMax) return refuse('full');
  return { kind: 'create', accountId: account.id, role: rule.role };
}

/** For a person who is signed in and connects a provider. */
export function decideConnection(state: People, identity: PersonIdentity, person: Person | undefined): Decision {
  if (person === undefined) return refuse('ended');
  const known = personOf(state, identity);
  if (known?.id === person.id) return { kind: 'known', person };
  return known?.removed === '' ? refuse('taken') : { kind: 'bind', person };
}

/** A person with an identity, in place of another one of the same issuer. */
export function bound(person: Person, identity: PersonIdentity): Person {
  const others = person.identities.filter(({ issuer }) => issuer !== identity.issuer);
  return { ...person, identities: [...others, identity] };
}

/** A name that no other person of the account has: the provider's, if it can be one, else that of the address. */
export function nameFor(
  state: People,
  accountId: string,
  name: string,
  email: string,
  isName: (name: string) => boolean,
): string {
  const [local = ''] = email.split('@');
  const base = [name.trim(), local].find(isName) ?? 'new person';
  const taken = new Set(presentPersons(state, accountId).map((person) => person.name));
  return !taken.has(base) ? base : isName(email) && !taken.has(email) ? email : base;
}
