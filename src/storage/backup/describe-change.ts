/** Describes in words what a record changed, for people who look for the record with a mistake. */
import { plural } from '../../lib/text/plural.ts';
import { defaultAccountLimits } from '../../model/account-limits.ts';
import type { Account, Change, CollectionPath } from '../../model/change.ts';
import { resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';

/** A description of one change in a record. */
export interface ChangeDescription {
  /** Name of the account, if known. */
  readonly account: string | undefined;
  readonly accountId: string | undefined;
  readonly projectId: string | undefined;
  readonly words: string;
}

/** Number of members whose names are shown. */
const namesMax = 3;
/** Characters of a name that are shown. */
const nameMax = 60;

/** @param state the state before the change, as far as it is known; names come from it */
export function describe(state: State, change: Change): ChangeDescription {
  const place = placeOf(change);
  const account = place.accountId === undefined ? undefined : state.accounts.get(place.accountId);
  const named = change.op === 'put-account' ? change.account.name : account?.name;
  const project = place.projectId === undefined ? undefined : account?.projects.get(place.projectId);
  return { account: named, ...place, words: words(state, change, project) };
}

function placeOf(change: Change): { accountId: string | undefined; projectId: string | undefined } {
  switch (change.op) {
    case 'start-run':
      return { accountId: undefined, projectId: undefined };
    case 'put-account':
      return { accountId: change.account.id, projectId: undefined };
    case 'put-key':
      return { accountId: change.key.accountId, projectId: undefined };
    case 'delete-account':
    case 'delete-key':
    case 'put-response':
      return { accountId: change.accountId, projectId: undefined };
    case 'put-project':
      return { accountId: change.accountId, projectId: change.value.id };
    case 'delete-project':
    case 'put-publication':
    case 'delete-publication':
      return { accountId: change.accountId, projectId: change.projectId };
    default:
      return { accountId: change.path.accountId, projectId: change.path.projectId };
  }
}

function words(state: State, change: Change, project: StoredProject | undefined): string {
  switch (change.op) {
    case 'put-account':
      return putAccount(state.accounts.get(change.account.id), change.account);
    case 'put-key':
      return `${change.key.revoked !== '' ? 'revoked' : state.keys.has(change.key.id) ? 'changed' : 'created'} the key ${change.key.id}`;
    case 'delete-key':
      return `deleted the key ${change.keyId}`;
    case 'put-response':
      return `stored the response to the Idempotency-Key ${quoted(change.response.key)}, for retries`;
    case 'start-run':
      return `first write since a start of the server (run ${change.id})`;
    case 'delete-account':
      return deletedAccount(state, change.accountId);
    case 'put-project':
      return project === undefined
        ? `created project ${quoted(nameOf(change.value))}`
        : `changed project ${renamed(project.value, change.value)}`;
    case 'delete-project':
      return `deleted project ${project === undefined ? change.projectId : `${quoted(nameOf(project.value))} (${plural(membersOf(project), 'member')})`}`;
    case 'put-publication':
      return `published ${publicProject(change.projectId, project)}: ${publishedWords(change, project)}`;
    case 'delete-publication':
      return `unpublished ${publicProject(change.projectId, project)}`;
    case 'put':
      return put(change.path, change.values, project);
    case 'delete':
      return removed(change.path, change.ids, project);
    case 'order':
      return `reordered the ${plural(change.ids.length, nounOf(change.path))} of ${holder(change.path, project)}`;
  }
}

const publicProject = (id: string, project: StoredProject | undefined): string =>
  `project ${project === undefined ? id : quoted(nameOf(project.value))}`;

function publishedWords({ head }: Extract<Change, { op: 'put-publication' }>, project: StoredProject | undefined): string {
  const { version, bytes } = head.newest;
  const before = project?.publication;
  const isKnown = before?.slug === head.slug && before.versions.some((known) => known.version === version);
  return isKnown ? `version ${version}, unchanged` : `version ${version} (${plural(bytes, 'byte')})`;
}

function putAccount(before: Account | undefined, after: Account): string {
  if (before === undefined) return `created the account ${quoted(after.name)}`;
  const changes: string[] = [];
  if (before.name !== after.name) changes.push(`renamed the account ${quoted(before.name)}, now ${quoted(after.name)}`);
  const set = limitsSet(before.limits, after.limits);
  if (set !== '') changes.push(`limited the account ${quoted(after.name)} (${set})`);
  return changes.length === 0 ? `changed the account ${quoted(after.name)}` : changes.join(' and ');
}

/** `rate 50/s, was default; projects 10, was 5`. */
function limitsSet(before = defaultAccountLimits, after = defaultAccountLimits): string {
  const names = ['rate', 'projects', 'members', 'bytes', 'versions'] as const;
  const changed = names.filter((name) => before[name] !== after[name]);
  return changed.map((name) => `${name} ${after[name]}, was ${before[name]}`).join('; ');
}

function deletedAccount(state: State, id: string): string {
  const account = state.accounts.get(id);
  return `deleted the account ${account === undefined ? id : `${quoted(account.name)} (${plural(account.projects.size, 'project')})`}`;
}

function put(path: CollectionPath, values: readonly Value[], project: StoredProject | undefined): string {
  const present = project?.collection(path.collection, path.parentId);
  const added: string[] = [];
  const changed: string[] = [];
  for (const value of values) {
    const before = present?.get(value.id)?.value;
    if (before === undefined) added.push(quoted(nameOf(value)));
    else changed.push(renamed(before, value));
  }
  const parts = [
    ...(added.length === 0 ? [] : [`created ${members(path, added)}`]),
    ...(changed.length === 0 ? [] : [`changed ${members(path, changed)}`]),
  ];
  return `${parts.join(' and ')} in ${holder(path, project)}`;
}

/** The old and the new name. */
function renamed(before: Value, after: Value): string {
  const [old, now] = [quoted(nameOf(before)), quoted(nameOf(after))];
  return old === now ? old : `${old}, now ${now}`;
}

function removed(path: CollectionPath, ids: readonly string[], project: StoredProject | undefined): string {
  const present = project?.collection(path.collection, path.parentId);
  const found = ids.map((id) => present?.get(id)?.value);
  const held =
    path.collection !== 'artboards' ? 0 : ids.reduce((sum, id) => sum + (project?.collection('objects', id)?.size ?? 0), 0);
  const with_ = held === 0 ? '' : ` (with ${plural(held, 'object')})`;
  const names = found.map((value, i) => quoted(value === undefined ? (ids[i] as string) : nameOf(value)));
  return `deleted ${members(path, names)}${with_} from ${holder(path, project)}`;
}

/** @param names quoted */
function members(path: CollectionPath, names: readonly string[]): string {
  const noun = nounOf(path);
  const shown = names.slice(0, namesMax).join(', ');
  return names.length === 1
    ? `${noun} ${shown}`
    : `${plural(names.length, noun)} (${shown}${names.length > namesMax ? ' ...' : ''})`;
}

/** The project, or the artboard in it. */
function holder({ projectId, parentId }: CollectionPath, project: StoredProject | undefined): string {
  const own = `project ${project === undefined ? projectId : quoted(nameOf(project.value))}`;
  if (parentId === '') return own;
  const artboard = project?.collection('artboards', '')?.get(parentId)?.value;
  return `artboard ${artboard === undefined ? parentId : quoted(nameOf(artboard))} of ${own}`;
}

function membersOf(project: StoredProject): number {
  let sum = 0;
  for (const { collection } of project.collections()) sum += collection.size;
  return sum;
}

const nounOf = ({ collection }: CollectionPath): string => resourceOf[collection].noun;

/** The name of a member, or its identifier if it has none. */
function nameOf(value: Value): string {
  const name = value['title'] || value['name'];
  return typeof name === 'string' && name !== '' ? name : value.id;
}

/** Replaces control characters, which could move the cursor of a terminal. */
function quoted(name: string): string {
  const text = name.replaceAll(/\p{C}/gu, '\ufffd');
  return `"${text.length > nameMax ? `${text.slice(0, nameMax)}…` : text}"`;
}
