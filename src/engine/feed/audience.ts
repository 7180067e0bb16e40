/** The subscribers of a feed, and those of them that have joined: by what they cover, so that a record finds its own. */
import { lockName, type ProjectName } from '../command.ts';
import type { Subscriber, Subscription } from './subscriber.ts';

export class Audience {
  readonly #all = new Set<Subscriber>();
  readonly #ofAccounts = new Map<string, Set<Subscriber>>();
  /** Joined subscribers by the name of their subscription. */
  readonly #joined = new Map<string, Set<Subscriber>>();

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Subscriber> {
    return this.#all.values();
  }

  add(subscriber: Subscriber): void {
    this.#all.add(subscriber);
    const { accountId } = subscriber.subscription;
    const others = this.#ofAccounts.get(accountId);
    if (others === undefined) this.#ofAccounts.set(accountId, new Set([subscriber]));
    else others.add(subscriber);
  }

  delete(subscriber: Subscriber): void {
    this.#all.delete(subscriber);
    const { accountId } = subscriber.subscription;
    const others = this.#ofAccounts.get(accountId);
    if (others?.delete(subscriber) === true && others.size === 0) this.#ofAccounts.delete(accountId);
    this.leave(subscriber);
  }

  /** The subscribers of an account. One that ends meanwhile is left out. */
  ofAccount(accountId: string): Iterable<Subscriber> {
    return this.#ofAccounts.get(accountId) ?? [];
  }

  endAll(): void {
    for (const subscriber of this.#all) subscriber.end();
  }

  /** The subscriber gets every record after `lsn` live. */
  join(subscriber: Subscriber, lsn: number): void {
    subscriber.join(lsn);
    const name = coverageName(subscriber.subscription);
    const others = this.#joined.get(name);
    if (others === undefined) this.#joined.set(name, new Set([subscriber]));
    else others.add(subscriber);
  }

  /** The subscriber gets no more live records. */
  leave(subscriber: Subscriber): void {
    const name = coverageName(subscriber.subscription);
    const others = this.#joined.get(name);
    if (others?.delete(subscriber) === true && others.size === 0) this.#joined.delete(name);
  }

  /** Whether anyone has joined that a project concerns. */
  hasJoined(project: ProjectName): boolean {
    return this.#joined.has(lockName(project)) || this.#joined.has(accountName(project));
  }

  /** Those that have joined and cover a project; a key may not reach it. See {@link Subscriber.awaits}. */
  *joined(project: ProjectName): Generator<Subscriber, void> {
    for (const name of [lockName(project), accountName(project)]) yield* this.#joined.get(name) ?? [];
  }
}

/** Names what a subscription covers: a project, or a whole account. */
function coverageName({ accountId, projectId }: Pick<Subscription, 'accountId' | 'projectId'>): string {
  return lockName({ accountId, projectId: projectId ?? '' });
}

/** The name of the subscriptions to all projects of an account. */
const accountName = ({ accountId }: ProjectName): string => coverageName({ accountId, projectId: undefined });
