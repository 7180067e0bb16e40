/**
 * What the roles of people, and the access of API keys, allow: the one table that checks, docs/security.md and the controls of the console
 * come from.
 */
import type { Access } from '../account.ts';

/** What a request may need, and what that means, for people. */
export const rights = {
  read: 'look at projects, versions, files, numbers of visits and events',
  write: 'create, change, import and delete projects, what is in them, their files and versions',
  publish: 'publish maps, change how they are published, and make them private',
  people: 'invite, change, remove and erase people, and end their sessions',
} as const;

export type Right = keyof typeof rights;

/** In the order in which they allow less. */
export const roleNames = ['owner', 'editor', 'viewer'] as const;

/** The role of a person in an account. */
export type Role = (typeof roleNames)[number];

export const rightsOfRole: Readonly<Record<Role, readonly Right[]>> = {
  owner: ['read', 'write', 'publish', 'people'],
  editor: ['read', 'write', 'publish'],
  viewer: ['read'],
};

/** People are not the business of programs: no key has that right. */
export const rightsOfAccess: Readonly<Record<Access, readonly Right[]>> = {
  write: ['read', 'write', 'publish'],
  read: ['read'],
};
