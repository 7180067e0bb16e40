/**
 * All operations of records. Changes store results, not requests: all identifiers and times are already assigned. Applying them reads no
 * clock, assigns no identifier and decides nothing, so a replay restores exactly the same state.
 */
import { deleteAccount } from './accounts/delete-account.ts';
import { deleteKey } from './accounts/delete-key.ts';
import { deletePerson } from './accounts/delete-person.ts';
import { putAccount } from './accounts/put-account.ts';
import { putKey } from './accounts/put-key.ts';
import { putPerson } from './accounts/put-person.ts';
import { deleteMembers } from './delete-members.ts';
import { deleteProject } from './delete-project.ts';
import { deletePublication } from './delete-publication.ts';
import { moveObject } from './move-object.ts';
import type { Operation } from './operation.ts';
import { orderMembers } from './order-members.ts';
import { placeMember } from './place-member.ts';
import { putMembers } from './put-members.ts';
import { putName } from './put-name.ts';
import { putProject } from './put-project.ts';
import { putPublication } from './put-publication.ts';
import { putResponse } from './put-response.ts';
import { putVisits } from './put-visits.ts';
import { sign } from './sign.ts';
import { startRun } from './start-run.ts';

/** The position here is the number of the operation in records: append, never reorder. */
const declared = [
  putAccount,
  putKey,
  putProject,
  deleteProject,
  putMembers,
  deleteMembers,
  orderMembers,
  deleteAccount,
  putResponse,
  startRun,
  putPublication,
  deletePublication,
  deleteKey,
  placeMember,
  moveObject,
  putName,
  putVisits,
  putPerson,
  deletePerson,
  sign,
] as const;

type ChangeOf<Declared> = Declared extends Operation<infer Op, infer Content> ? { readonly op: Op } & Content : never;

/** One change of a record. */
export type Change = ChangeOf<(typeof declared)[number]>;

/** By number. A change is passed only to the operation that its `op` names. */
export const operations = declared as unknown as readonly Operation<Change['op'], Change>[];

const numbers = new Map(operations.map(({ op }, number) => [op, number]));

export const numberOf = (op: Change['op']): number => numbers.get(op) as number;

export const operationOf = ({ op }: Change): Operation<Change['op'], Change> =>
  operations[numberOf(op)] as Operation<Change['op'], Change>;
