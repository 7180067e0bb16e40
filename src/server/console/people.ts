/** The people of an account: invited, changed, removed and erased by owners. Commands sign in as the owner. */
import { actorOf, type Principal } from '../../api/authorize.ts';
import type {
  Invitation,
  ListedPerson,
  PersonChange,
  PersonWish,
  People as RoutedPeople,
} from '../../api/console/people-endpoints.ts';
import {
  changePerson,
  erasePerson,
  firstOwner,
  isLastOwner,
  makePerson,
  presentPersons,
  removePerson,
} from '../../engine/change-persons.ts';
import { heldKeys } from '../../engine/list-people.ts';
import { createLink, type LinkPurpose } from '../../engine/session-keys.ts';
import { problems } from '../../http/problem.ts';
import { OperationError } from '../../lib/errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { noSuchAccount } from '../../lib/text/similar-account.ts';
import { isPersonColor, type Person, personsMax } from '../../model/people/person.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { AccountState } from '../../store/state.ts';
import { problemOfKeyName } from '../admin/key-options.ts';
import type { ConsoleParts } from './console-parts.ts';
import { type HandedOutLink, handOutLink } from './hand-out-link.ts';

/** Who is signed in, and where. */
export interface ConsoleOptions {
  /** A person of the account: an identifier, or a name that no other person has; default: the first owner. */
  readonly person?: string;
  /** The project that the editor shows after sign-in: its identifier, or its name if no other project has it; default: the list of projects. */
  readonly open?: string;
}

/** A link that signs a browser in once. */
export interface ConsoleCode {
  /** Name of the person. */
  readonly person: string;
  /** Path of the console with the code. */
  readonly path: string;
  /** RFC 3339 */
  readonly expires: string;
}

/** Maximum number of projects of one person. */
const projectsMax = 100;
/** Identifiers in the message for a name that several projects have. */
const idsShown = 5;
/** Addresses that people may have; they are stored in lower case. */
export const emailForm = /^[^\s@"<>,;:\\]{1,64}@[^\s@"<>,;:\\]{1,190}$/;

export class People implements RoutedPeople<Principal> {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /**
   * Makes a link for a person of an account, by default its first owner, who is created if there is none. Rejects with
   * {@link OperationError} if the account, the person or the project does not exist, or a name is not unique.
   */
  async signIn(accountName: string, { person: named, open }: ConsoleOptions = {}): Promise<ConsoleCode> {
    const { engine } = this.#parts;
    const account = engine.state.accountNamed(accountName);
    if (account === undefined) throw noSuchAccount(accountName, [...engine.state.accounts.values()]);
    const project = open === undefined ? undefined : projectNamed(account, open);
    const known = named === undefined ? firstOwner(engine.state, account.id) : this.#named(account, named);
    const person = known ?? makePerson(engine, account.id, { name: 'owner', role: 'owner' });
    const { path, expires } = await this.#link(person, 'command', '', project);
    return { person: person.name, path, expires };
  }

  /** The person with this identifier, or the only one with this name. Throws {@link OperationError} without one. */
  #named({ id, name: accountName }: AccountState, wanted: string): Person {
    const all = presentPersons(this.#parts.engine.state, id);
    const found = all.filter((person) => person.id === wanted || person.name === wanted);
    const [person] = found;
    if (person === undefined) {
      const names = all.slice(0, idsShown).map(({ name }) => `"${name}"`);
      const known = names.length === 0 ? '' : ` It has ${names.join(', ')}${all.length > idsShown ? ' and others' : ''}.`;
      throw new OperationError(`The account "${accountName}" has no person "${wanted}".${known}`, 'not_found');
    }
    if (found.length > 1)
      throw new OperationError(
        `The account "${accountName}" has ${found.length} people with the name "${wanted}". Give the id of one: ${ids(found)}`,
      );
    return person;
  }

  async list(principal: Principal): Promise<ListedPerson[]> {
    const { engine } = this.#parts;
    await engine.journal.durable(engine.state.keysVersion);
    const heldBy = this.#heldKeys();
    return Array.from(engine.state.persons.of(principal.accountId).values(), (person) => this.#shown(person, heldBy));
  }

  async create(principal: Principal, wish: PersonWish): Promise<Invitation> {
    const { engine } = this.#parts;
    const { accountId } = principal;
    const errors: FieldError[] = [];
    const { name, role } = wish;
    const [projects, email] = [wish.projects ?? [], (wish.email ?? '').toLowerCase()];
    const color = wish.color?.toLowerCase();
    this.#check({ ...wish, email, ...(color === undefined ? {} : { color }) }, { accountId, id: '', role }, errors);
    if (errors.length > 0) throw problems.validationFailed(errors);
    if (engine.state.persons.of(accountId).size >= personsMax)
      throw problems.conflict(`Your account has ${personsMax} people, which is the limit. Erase some who were removed.`);
    const person = makePerson(engine, accountId, {
      ...{ name, role, projects: [...new Set(projects)], email },
      ...(color === undefined ? {} : { color }),
    });
    return await this.#invite(person, actorOf(principal));
  }

  async change(principal: Principal, id: string, change: PersonChange): Promise<ListedPerson | undefined> {
    const { engine, audit } = this.#parts;
    const isOwner = principal.rights.has('people');
    const person = this.#of(principal, id);
    if (person === undefined || !(isOwner || id === principal.personId)) return undefined;
    if (!isOwner && Object.keys(change).some((name) => name !== 'name' && name !== 'color'))
      throw problems.forbidden('Only owners of the account change a role, projects or an e-mail address.');
    if (person.removed !== '') throw problems.conflict('This person was removed. Invite them again instead.');
    const given: PersonChange = {
      ...change,
      ...(change.email === undefined ? {} : { email: change.email.toLowerCase() }),
      ...(change.color === undefined ? {} : { color: change.color.toLowerCase() }),
    };
    if (!isOwner) this.#parts.ownChanges.note(id, engine.writer.context().now);
    const role = given.role ?? person.role;
    const projects = [...new Set(given.projects === undefined ? person.projects : (given.projects ?? []))];
    const errors: FieldError[] = [];
    this.#check(given, { accountId: person.accountId, id, role }, errors);
    if (role === 'owner' && projects.length > 0 && errors.length === 0)
      errors.push({ pointer: '/projects', detail: 'must be null: an owner reaches all projects' });
    if (errors.length > 0) throw problems.validationFailed(errors);
    if (role !== 'owner' && isLastOwner(engine.state, person)) throw lastOwner();
    const { projects: _, ...members } = given;
    await changePerson(engine, { ...person, ...members, projects });
    const fields = { account: person.accountId, person: id, by: actorOf(principal) };
    await audit.changed('person.changed', { ...fields, role, projects, changed: Object.keys(change) });
    return this.#shown({ ...person, ...members, projects });
  }

  async invite(principal: Principal, id: string): Promise<Invitation | undefined> {
    const person = this.#of(principal, id);
    if (person === undefined) return undefined;
    if (person.removed !== '') throw problems.conflict('This person was removed. Invite somebody with a new entry instead.');
    return await this.#invite(person, actorOf(principal));
  }

  async remove(principal: Principal, id: string, erases: boolean): Promise<boolean> {
    const { engine, audit, lastUse } = this.#parts;
    const person = this.#of(principal, id);
    if (person === undefined) {
      await engine.journal.durable(engine.state.keysVersion);
      return false;
    }
    if (isLastOwner(engine.state, person)) throw lastOwner();
    await (erases ? erasePerson(engine, person) : removePerson(engine, person));
    const fields = { account: person.accountId, person: id, by: actorOf(principal) };
    await audit.changed(erases ? 'person.erased' : 'person.removed', fields);
    lastUse.prune(engine.state);
    return true;
  }

  #of({ accountId }: Principal, id: string): Person | undefined {
    return this.#parts.engine.state.persons.of(accountId).get(id);
  }

  async #invite(person: Person, by: string): Promise<Invitation> {
    const [project] = person.projects.length === 1 ? person.projects : [];
    const link = await this.#link(person, 'invitation', by, project);
    return { ...this.#shown(person), ...link };
  }

  /** @param person who is stored in the same record, if that is somebody new */
  async #link(person: Person, purpose: LinkPurpose, by: string, project: string | undefined): Promise<HandedOutLink> {
    const { engine, audit } = this.#parts;
    const { id, accountId: account, role, projects } = person;
    const isNew = !engine.state.persons.has(id);
    const before: readonly Change[] = isNew ? [{ op: 'put-person', person }] : [];
    const link = await createLink(engine, person, purpose, before);
    if (isNew) await audit.changed('person.created', { account, person: id, role, projects, by });
    return await handOutLink(this.#parts, link, by, project);
  }

  /** Adds what is wrong with the members of a person. */
  #check(given: PersonChange, { accountId, id, role }: Pick<Person, 'accountId' | 'id' | 'role'>, errors: FieldError[]): void {
    const { state } = this.#parts.engine;
    const { name, projects, email, color } = given;
    const detail = name === undefined ? undefined : name === '' ? 'must not be empty' : problemOfKeyName(name);
    if (detail !== undefined) errors.push({ pointer: '/name', detail });
    if (color !== undefined && !isPersonColor(color))
      errors.push({ pointer: '/color', detail: 'must be "#" and six hex digits' });
    if (projects !== undefined && projects !== null) {
      const { length } = projects;
      if (length === 0 || length > projectsMax)
        errors.push({
          pointer: '/projects',
          detail: `must name 1 to ${projectsMax} projects, or be null for all, not ${length}`,
        });
      else if (role === 'owner' && length > 0)
        errors.push({ pointer: '/projects', detail: 'must be null: an owner reaches all projects' });
      projects.slice(0, projectsMax).forEach((project, i) => {
        if (state.accounts.get(accountId)?.projects.has(project) !== true)
          errors.push({ pointer: `/projects/${i}`, detail: 'there is no such project' });
      });
    }
    if (email === undefined || email === '') return;
    if (!emailForm.test(email)) errors.push({ pointer: '/email', detail: 'must be an e-mail address, as anna@example.com' });
    else if (presentPersons(state, accountId).some((other) => other.id !== id && other.email === email))
      errors.push({ pointer: '/email', detail: 'another person of the account has this address' });
  }

  #heldKeys(): ReturnType<typeof heldKeys> {
    const { state, writer } = this.#parts.engine;
    return heldKeys(state, writer.context().now);
  }

  #shown(
    { id, name, color, email, role, projects, created, removed, identities }: Person,
    heldBy = this.#heldKeys(),
  ): ListedPerson {
    const { lastUse } = this.#parts;
    return {
      ...{ id, name, color, email, role, created },
      projects: projects.length === 0 ? null : projects,
      removed: removed === '' ? null : removed,
      lastSeen: lastUse.of(id) || null,
      invited: heldBy(id).invited || null,
      signsInWith: identities.map(({ issuer }) => issuer),
    };
  }
}

const lastOwner = () =>
  problems.conflict('This is the last owner of the account. Make somebody else an owner first: an account needs one.');

/** The first of several. */
const ids = (found: readonly { readonly id: string }[]): string =>
  found
    .slice(0, idsShown)
    .map(({ id }) => id)
    .join(', ');

/** The identifier of the project with this identifier, or of the only one with this name. Throws {@link OperationError} without one. */
function projectNamed({ name: accountName, projects }: AccountState, wanted: string): string {
  if (projects.has(wanted)) return wanted;
  const found = [...projects.values()].filter(({ value }) => value['name'] === wanted);
  const [project] = found;
  if (project === undefined) throw new OperationError(`The account "${accountName}" has no project "${wanted}".`, 'not_found');
  if (found.length > 1)
    throw new OperationError(
      `The account "${accountName}" has ${found.length} projects with the name "${wanted}". Give the id of one: ${ids(found)}`,
    );
  return project.id;
}
