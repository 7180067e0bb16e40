/**
 * What other code of the same process may listen to, for traces and figures of its own: the channels of `node:diagnostics_channel` that
 * this program publishes on, and what each message holds. docs/operations.md has a table of them.
 *
 * Nobody pays for what nobody hears: whoever publishes looks first whether there are subscribers, and makes a message only then. No
 * message holds a key, nor what a client sent beside its address.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Channel, channel } from 'node:diagnostics_channel';
import type { TraceContext } from './trace-context.ts';

/** A request: one and the same object in all messages about it, so that a subscriber may keep something beside it (in a `WeakMap`). */
export interface RequestMessage {
  readonly requestId: string;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** What its client said of the trace that it belongs to; `undefined` for nothing. */
  readonly trace: TraceContext | undefined;
  /** The route's pattern, `/projects/:project_id`; `other` as long as none is reached. */
  route: string;
  /** Name of the account, and public part of the key; '' without a valid key. */
  account: string;
  key: string;
  /** Of the answer, from `mapwright:request:end` on; 0 when the client was gone before there was one. */
  status: number;
  /** Whether all of the answer was taken. */
  complete: boolean;
  /** From the end of the headers to the end of the answer. */
  durationMs: number;
  /** What was thrown where nothing should have been: the answer is a 500, or broke off. */
  error: unknown;
}

/** A record of the log; a log is named by its lineage, so that two servers of one process can be told apart. */
export interface CommitMessage {
  readonly lineage: string;
  readonly lsn: number;
  readonly bytes: number;
  /** The request that it was made for; `undefined` for one that no request was. */
  readonly request: RequestMessage | undefined;
}

export interface SyncMessage {
  readonly lineage: string;
  /** The batch of records that is durable now (or handed to the system, where `synced` is false). */
  readonly firstLsn: number;
  readonly lastLsn: number;
  readonly bytes: number;
  readonly synced: boolean;
  /** What the sync took; 0 without one. */
  readonly syncMs: number;
}

export interface SealMessage {
  readonly lineage: string;
  /** The segment that no record is added to any more. */
  readonly firstLsn: number;
  readonly lastLsn: number;
  readonly bytes: number;
}

/** Work that takes a while: one and the same object at its start and at its end. */
interface WorkMessage {
  readonly lineage: string;
  /** At the end. */
  durationMs: number;
  /** Why it failed; `undefined` where it did not. */
  error: unknown;
}

export interface FoldMessage extends WorkMessage {
  /** LSN of the snapshot before, and of the one that is made. */
  readonly from: number;
  readonly to: number;
}

export interface BackupMessage extends WorkMessage {
  /** The folder or the file that was asked for; at the end the file. */
  path: string;
  /** At the end: the newest record in it, and its size. */
  lsn: number;
  bytes: number;
}

export interface AlarmMessage {
  readonly name: string;
  readonly raised: boolean;
}

/** Every channel, by its name. */
export interface DiagnosticMessages {
  /** The head of a request is in. */
  readonly 'mapwright:request:start': RequestMessage;
  /** Its endpoint is about to answer. Stores that are bound to this channel (`bindStore`) hold until the answer is decided. */
  readonly 'mapwright:request:handle': RequestMessage;
  /** Its answer is out, or its client gone. */
  readonly 'mapwright:request:end': RequestMessage;
  /** A record has its number and is in memory; it is not durable yet. */
  readonly 'mapwright:journal:commit': CommitMessage;
  /** A batch of records is durable; the answers that wait for them go out now. */
  readonly 'mapwright:journal:sync': SyncMessage;
  readonly 'mapwright:journal:seal': SealMessage;
  readonly 'mapwright:fold:start': FoldMessage;
  readonly 'mapwright:fold:end': FoldMessage;
  readonly 'mapwright:backup:start': BackupMessage;
  readonly 'mapwright:backup:end': BackupMessage;
  readonly 'mapwright:alarm': AlarmMessage;
}

export type DiagnosticName = keyof DiagnosticMessages;

/** A channel whose messages are known. */
interface Told<Message> {
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}

const named = <Name extends DiagnosticName>(name: Name) => channel(name) as Channel & Told<DiagnosticMessages[Name]>;

/** The channels, held for good: `node:diagnostics_channel` lets go of those that nobody holds. */
export const diagnostics = {
  requestStart: named('mapwright:request:start'),
  requestHandle: named('mapwright:request:handle'),
  requestEnd: named('mapwright:request:end'),
  commit: named('mapwright:journal:commit'),
  sync: named('mapwright:journal:sync'),
  seal: named('mapwright:journal:seal'),
  foldStart: named('mapwright:fold:start'),
  foldEnd: named('mapwright:fold:end'),
  backupStart: named('mapwright:backup:start'),
  backupEnd: named('mapwright:backup:end'),
  alarm: named('mapwright:alarm'),
} as const;

const { requestStart, requestHandle, requestEnd, commit } = diagnostics;

/** What the code that runs now was called for. Costs nothing before the first {@link inRequest}. */
const current = new AsyncLocalStorage<RequestMessage>();

/** Whether a message about a request would be heard, or be a part of one that would. */
export function requestsAreHeard(): boolean {
  return requestStart.hasSubscribers || requestHandle.hasSubscribers || requestEnd.hasSubscribers || commit.hasSubscribers;
}

/** Does the work of a request, so that what comes of it is known to be this request's. */
export function inRequest<T>(message: RequestMessage, work: () => T): T {
  return current.run(message, () => requestHandle.runStores(message, work));
}

/** The request that the code that runs now was called for, if there is one and somebody listens. */
export function requestHere(): RequestMessage | undefined {
  return current.getStore();
}

/** Does work that takes a while, and says so at its start and at its end. */
export async function tellWork<M extends WorkMessage, T>(
  [start, end]: readonly [Told<M>, Told<M>],
  message: M,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  start.publish(message);
  try {
    return await work();
  } catch (error) {
    message.error = error;
    throw error;
  } finally {
    message.durationMs = performance.now() - started;
    end.publish(message);
  }
}
