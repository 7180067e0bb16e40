/** People of an account, and their rows in records and snapshots. */

import { RecordFormatError, stored } from '../stored.ts';
import type { Row } from '../value.ts';
import { type Role, roleNames } from './roles.ts';

/** People of one account at most, with those that were removed and not erased. */
export const personsMax = 500;

/** Who somebody is at a provider of OpenID Connect: `sub` is unique and stays for one issuer. */
export interface PersonIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface Person {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Of their changes on screens: `#` and six hex digits. */
  readonly color: string;
  /** In lower case, unique among the people of the account that were not removed; '' for none. */
  readonly email: string;
  readonly role: Role;
  /** Identifiers of the projects that they reach, including deleted ones; empty for all of the account. */
  readonly projects: readonly string[];
  /** RFC 3339 */
  readonly created: string;
  /** RFC 3339; '' if they were not removed. Their name stays in the history until they are erased. */
  readonly removed: string;
  /** How they sign in elsewhere. */
  readonly identities: readonly PersonIdentity[];
}

/** Shown for a person who was erased. */
export const formerUser = 'former user';

/** Colours of new people, in turn: dark enough for white text. */
export const personColors = ['#0b6e4f', '#7a3e9d', '#b3541e', '#1f5fa8', '#9c2f4f', '#4f6128', '#5a4bc4', '#8a5a00'] as const;

const colorForm = /^#[0-9a-f]{6}$/;

export const isPersonColor = (text: string): boolean => colorForm.test(text);

export function personRow({ id, accountId, name, color, email, role, projects, created, removed, identities }: Person): Row {
  const known = identities.map(({ issuer, subject }) => [issuer, subject]);
  return [id, accountId, name, color, email, roleNames.indexOf(role), projects, created, removed, known];
}

/** Decodes the row of a person. A shorter row could widen what they reach, so it is rejected. */
export function personFromRow(item: unknown): Person {
  const row = stored.list(item, 'a person');
  if (row.length !== columns) throw new RecordFormatError(`the row of a person has ${row.length} items, not ${columns}`);
  const [id, accountId, name, color, email, role, projects, created, removed, identities] = row;
  return {
    id: stored.text(id, 'the id of a person'),
    accountId: stored.text(accountId, 'the account of a person'),
    name: stored.text(name, 'the name of a person'),
    color: stored.text(color, 'the colour of a person'),
    email: stored.text(email, 'the e-mail of a person'),
    role: stored.word(roleNames, role, 'the role of a person'),
    projects: stored.texts(projects, 'the projects of a person'),
    created: stored.text(created, 'the time of a person'),
    removed: stored.text(removed, 'the end of a person'),
    identities: stored.list(identities, 'the identities of a person').map((identity) => {
      const [issuer, subject] = stored.list(identity, 'an identity of a person');
      return { issuer: stored.text(issuer, 'an issuer'), subject: stored.text(subject, 'a subject') };
    }),
  };
}

const columns = 10;
