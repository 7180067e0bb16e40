/**
 * Sign-in links: keys that are good for one thing, to become a session of the console once. The record that adds the session deletes the
 * link, so after any crash there is one or the other. A link, and its session, work no longer than the key that made the link.
 */
import type { Key } from '../model/account.ts';
import { keyId, type NewKey } from '../model/key.ts';
import type { State } from '../store/state.ts';
import type { Engine } from './engine.ts';
import { endMs, keyState } from './key-state.ts';
import { issue, type KeyTerms, keyOf } from './keys.ts';

/** What a new link may do, and who makes it: see {@link Key}. The rate is that of its makers. */
export interface LinkTerms extends Omit<KeyTerms, 'rate'> {
  readonly accountId: string;
  readonly maker: string;
}

/** A key, and its text, which is shown once. */
export interface Issued {
  readonly key: Key;
  readonly text: string;
}

/** Creates a link; resolves when it is durable. */
export async function createLink(engine: Engine, { accountId, maker, ...terms }: LinkTerms, made: NewKey): Promise<Issued> {
  const created = new Date(engine.writer.context().now).toISOString();
  const issued = issue(made, accountId, { ...terms, rate: '' }, created, { kind: 'link', maker });
  await engine.journal.durable(engine.writer.commit([{ op: 'put-key', key: issued.key }]));
  return issued;
}

/** The link of this text; `undefined` if it is wrong, used or over, or all of its projects were deleted. */
export function linkOf(state: State, text: string, now: number): Key | undefined {
  const id = keyId(text);
  const link = id === undefined ? undefined : keyOf(state, id, text);
  if (link?.kind !== 'link' || keyState(state.keys, link, now) !== 'valid') return undefined;
  const account = state.accounts.get(link.accountId);
  if (account === undefined) return undefined;
  return link.projects.length === 0 || link.projects.some((project) => account.projects.has(project)) ? link : undefined;
}

/**
 * Replaces a link by the key of a session; resolves when that is durable. Of several calls with one link, one gets a session.
 *
 * @param lifetimeMs of the session, unless its makers end before
 */
export async function useLink(engine: Engine, text: string, lifetimeMs: number, made: NewKey): Promise<Issued | undefined> {
  const { now } = engine.writer.context();
  const link = linkOf(engine.state, text, now);
  if (link === undefined) return undefined;
  const { accountId, access, label, rate, maker } = link;
  const present = engine.state.accounts.get(accountId)?.projects;
  const projects = link.projects.filter((project) => present?.has(project));
  const makerKey = engine.state.keys.get(maker);
  const until = makerKey === undefined ? Number.POSITIVE_INFINITY : endMs(engine.state.keys, makerKey);
  const expires = new Date(Math.min(now + lifetimeMs, until)).toISOString();
  const terms = { expires, access, projects, label, rate };
  const issued = issue(made, accountId, terms, new Date(now).toISOString(), { kind: 'session', maker });
  await engine.journal.durable(
    engine.writer.commit([
      { op: 'put-key', key: issued.key },
      { op: 'delete-key', accountId, keyId: link.id },
    ]),
  );
  return issued;
}

/** Deletes a link that was not used; resolves when that is durable. */
export async function deleteLink(engine: Engine, { id, accountId }: Key): Promise<void> {
  await engine.journal.durable(engine.writer.commit([{ op: 'delete-key', accountId, keyId: id }]));
}
