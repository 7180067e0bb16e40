/**
 * The channels of `node:diagnostics_channel` that this program publishes on, and their messages, for tracing and metrics by other code in
 * the process. docs/operations.md lists them.
 *
 * A message is created only if the channel has subscribers, so that unused channels cost nothing. No message contains a key, or any
 * client data except its address.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Channel, channel } from 'node:diagnostics_channel';
import type { TraceContext } from './trace-context.ts';

/** A request. All its messages are the same object, so that a subscriber may associate data with it (in a `WeakMap`). */
export interface RequestMessage {
  readonly requestId: string;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** The client's trace context; `undefined` if it sent none. */
  readonly trace: TraceContext | undefined;
  /** The route's pattern, `/projects/:project_id`; `other` before a route matches. */
  route: string;
  /** Name of the account, and public part of the key; '' without a valid key. */
  account: string;
  key: string;
  /** Status of the response, from `mapwright:request:end` on; 0 if the client disconnected before. */
  status: number;
  /** Whether the client received the whole response. */
  complete: boolean;
  /** From the end of the request's headers to the end of the response. */
  durationMs: number;
  /** An unexpected exception: the response is a 500, or was aborted. */
  error: unknown;
}

/** A record of the log. A log is identified by its lineage, so that two servers in one process can be distinguished. */
interface CommitMessage {
  readonly lineage: string;
  readonly lsn: number;
  readonly bytes: number;
  /** The request that wrote it; `undefined` if there was none. */
  readonly request: RequestMessage | undefined;
}

interface SyncMessage {
  readonly lineage: string;
  /** The batch of records that is now durable (or written but not synced, if `synced` is false). */
  readonly firstLsn: number;
  readonly lastLsn: number;
  readonly bytes: number;
  readonly synced: boolean;
  /** Duration of the sync; 0 without one. */
  readonly syncMs: number;
}

interface SealMessage {
  readonly lineage: string;
  /** The segment that is now sealed. */
  readonly firstLsn: number;
  readonly lastLsn: number;
  readonly bytes: number;
}

/** Long work: the same object at its start and at its end. */
interface WorkMessage {
  readonly lineage: string;
  /** Set at the end. */
  durationMs: number;
  /** The error; `undefined` if it succeeded. */
  error: unknown;
}

interface SnapshotMessage extends WorkMessage {
  /** LSN of the previous snapshot, and of the new one. */
  readonly from: number;
  readonly to: number;
}

export interface BackupMessage extends WorkMessage {
  /** The requested folder or file; at the end the file. */
  path: string;
  /** Set at the end: its newest record, and its size. */
  lsn: number;
  bytes: number;
}

interface AlarmMessage {
  readonly name: string;
  readonly raised: boolean;
}

/** Every channel, by name. */
export interface DiagnosticMessages {
  /** The head of a request was received. */
  readonly 'mapwright:request:start': RequestMessage;
  /** Its endpoint is called next. Stores bound to this channel (`bindStore`) are active until the response is decided. */
  readonly 'mapwright:request:handle': RequestMessage;
  /** Its response was sent, or its client disconnected. */
  readonly 'mapwright:request:end': RequestMessage;
  /** A record has its LSN and is in memory; it is not durable yet. */
  readonly 'mapwright:wal:commit': CommitMessage;
  /** A batch of records is durable; the responses that wait for them are sent now. */
  readonly 'mapwright:wal:sync': SyncMessage;
  readonly 'mapwright:wal:seal': SealMessage;
  readonly 'mapwright:snapshot:start': SnapshotMessage;
  readonly 'mapwright:snapshot:end': SnapshotMessage;
  readonly 'mapwright:backup:start': BackupMessage;
  readonly 'mapwright:backup:end': BackupMessage;
  readonly 'mapwright:alarm': AlarmMessage;
}

export type DiagnosticName = keyof DiagnosticMessages;

/** A channel with typed messages. */
interface TypedChannel<Message> {
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}

const named = <Name extends DiagnosticName>(name: Name) => channel(name) as Channel & TypedChannel<DiagnosticMessages[Name]>;

/** The channels. They are kept here, since `node:diagnostics_channel` drops unreferenced channels. */
export const diagnostics = {
  requestStart: named('mapwright:request:start'),
  requestHandle: named('mapwright:request:handle'),
  requestEnd: named('mapwright:request:end'),
  commit: named('mapwright:wal:commit'),
  sync: named('mapwright:wal:sync'),
  seal: named('mapwright:wal:seal'),
  snapshotStart: named('mapwright:snapshot:start'),
  snapshotEnd: named('mapwright:snapshot:end'),
  backupStart: named('mapwright:backup:start'),
  backupEnd: named('mapwright:backup:end'),
  alarm: named('mapwright:alarm'),
} as const;

const { requestStart, requestHandle, requestEnd, commit } = diagnostics;

/** The request that the current code runs for. Costs nothing before the first {@link inRequest}. */
const current = new AsyncLocalStorage<RequestMessage>();

/** Whether a message of a request would reach a subscriber, in any channel. */
export function hasRequestSubscribers(): boolean {
  return requestStart.hasSubscribers || requestHandle.hasSubscribers || requestEnd.hasSubscribers || commit.hasSubscribers;
}

/** Runs the work of a request, so that messages of this work refer to it. */
export function inRequest<T>(message: RequestMessage, work: () => T): T {
  return current.run(message, () => requestHandle.runStores(message, work));
}

/** The request that the current code runs for, if there is one and a channel has subscribers. */
export function currentRequest(): RequestMessage | undefined {
  return current.getStore();
}

/** Runs long work, with a message at its start and at its end. */
export async function traceOperation<M extends WorkMessage, T>(
  [start, end]: readonly [TypedChannel<M>, TypedChannel<M>],
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
