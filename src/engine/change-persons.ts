/** People of an account: created, changed, removed and erased through the journal. What a change must not do is decided in its turn. */
import { type Person, personColors } from '../model/people/person.ts';
import type { State } from '../store/state.ts';
import type { Engine } from './engine.ts';
import { deletion, keysOf } from './session-keys.ts';

/** What a new person begins with. */
export type NewPerson = Pick<Person, 'name' | 'role'> & Partial<Pick<Person, 'color' | 'email' | 'projects' | 'identities'>>;

/** The members of an account that were not removed, the oldest first. */
export const presentPersons = ({ persons }: Pick<State, 'persons'>, accountId: string): Person[] =>
  [...persons.of(accountId).values()].filter(({ removed }) => removed === '');

/** The owner that commands sign in as: the oldest one. */
export const firstOwner = (state: Pick<State, 'persons'>, accountId: string): Person | undefined =>
  presentPersons(state, accountId).find(({ role }) => role === 'owner');

/** Whether nobody could manage the people of the account without this owner. */
export function isLastOwner(state: Pick<State, 'persons'>, { id, accountId, role, removed }: Person): boolean {
  if (role !== 'owner' || removed !== '') return false;
  return presentPersons(state, accountId).every((other) => other.role !== 'owner' || other.id === id);
}

/** A new person, who is not stored yet. */
export function makePerson({ writer, state }: Engine, accountId: string, wish: NewPerson): Person {
  const { now, newId } = writer.context();
  const used = presentPersons(state, accountId).map(({ color }) => color);
  const free = personColors.find((color) => !used.includes(color));
  return {
    ...{ color: free ?? (personColors[used.length % personColors.length] as string), email: '', projects: [], identities: [] },
    ...wish,
    ...{ id: newId(), accountId, created: new Date(now).toISOString(), removed: '' },
  };
}

/** Stores another state of a person; resolves when that is durable. What they may do changes in this turn. */
export async function changePerson(engine: Engine, person: Person): Promise<void> {
  await engine.journal.durable(engine.writer.commit([{ op: 'put-person', person }]));
}

/** Removes a person with all sessions and links; resolves when that is durable. The name stays in the history. */
export async function removePerson(engine: Engine, person: Person): Promise<void> {
  const removed = new Date(engine.writer.context().now).toISOString();
  await endAccess(engine, person, { op: 'put-person', person: { ...person, removed: person.removed || removed } });
}

/** Erases a person: what they did stays, by "former user". Resolves when that is durable. */
export async function erasePerson(engine: Engine, person: Person): Promise<void> {
  await endAccess(engine, person, { op: 'delete-person', accountId: person.accountId, personId: person.id });
}

async function endAccess(
  engine: Engine,
  { id }: Person,
  change: Parameters<Engine['writer']['commit']>[0][number],
): Promise<void> {
  const keys = [...keysOf(engine.state, id, 'session'), ...keysOf(engine.state, id, 'link')];
  await engine.journal.durable(engine.writer.commit([change, ...keys.map(deletion)]));
}
