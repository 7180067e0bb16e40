/** The errors that cross layers. Catch them by class or `code`, not by message. */

/** Damaged data on disk: the server does not guess, it refuses to start (exit code 3). */
export class CorruptError extends Error {
  override readonly name = 'CorruptError';
  readonly code = 'corrupt';
  /** Path of the damaged file. */
  readonly file: string;
  /** Position in the file, in bytes. */
  readonly offset: number;
  /** What is there instead, or what is missing. */
  readonly found: string;

  constructor(file: string, offset: number, found: string) {
    super(`corrupt: ${file} at byte ${offset}: ${found}`);
    this.file = file;
    this.offset = offset;
    this.found = found;
  }
}

/** A setting does not allow to start (exit code 2). The message says what to change. */
export class SettingsError extends Error {
  override readonly name: string = 'SettingsError';
}

/** The disk has no space for the next segment. Writes are rejected (507) until it has; nothing was changed. */
export class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError';
}

/** The memory budget is exhausted. Writes that grow the state are rejected (507) until there is room; nothing was changed. */
export class MemoryFullError extends Error {
  override readonly name = 'MemoryFullError';
}

/** The write queue is full, or the next segment is not ready yet: retry (503). Nothing was changed. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  /** Recommended delay before a retry, in seconds. */
  readonly retryAfterS: number = 1;
}

/**
 * The work of a thread (the evaluation of a live map) was ended because it took too much processor time or memory, or it is not begun because
 * that happened before (503). Nothing was changed.
 */
export class OverrunError extends Error {
  override readonly name = 'OverrunError';
  /** Recommended delay before a retry, in seconds. */
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS = 1) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** The consequence of a disk or a database that does not respond. */
type Stall = 'refused' | 'unconfirmed' | 'closing';

/** What a write waits for: the disk, or, on the owner of a cluster, the database. */
export type StalledMedium = 'disk' | 'database';

/** What the end of a server waits for: as writes do, or, if neither is known to be slow, the disk or the processor. */
export type ClosingMedium = StalledMedium | 'machine';

const stallTexts: Readonly<Record<Stall, (time: string, medium: ClosingMedium) => string>> = {
  refused: (time, medium) => `The ${medium} has not responded for ${time}. Nothing was changed. Retry when it responds.`,
  unconfirmed: (time, medium) =>
    `The ${medium} has not responded within ${time}. A read may be retried later. A write may still become durable: read the resource before you retry it.`,
  closing: (time, medium) =>
    `The ${medium} has not responded for ${time}. The server is closed, and its folder stays locked until the ${medium} responds or the process ends. ${medium === 'database' ? 'Every' : 'Under sync "always" every'} acknowledged write is durable; an unacknowledged write may be durable.`,
};

/**
 * The disk, or the database of a cluster, does not respond (503). Either the request was rejected and nothing was changed, or its write is pending: then it may still
 * become durable, and its outcome is unknown.
 */
export class StalledError extends Error {
  override readonly name = 'StalledError';
  readonly isRefusal: boolean;
  readonly medium: ClosingMedium;
  /** Recommended delay before a retry, in seconds. */
  readonly retryAfterS: number = 5;

  /** @param ms how long the medium has not responded, in milliseconds */
  constructor(stall: Stall, ms: number, medium: ClosingMedium = 'disk') {
    super(stallTexts[stall](`${Math.round(ms / 100) / 10} s`, medium));
    this.isRefusal = stall === 'refused';
    this.medium = medium;
  }
}

/** A limited resource of an account. */
export type Quota = 'projects' | 'members' | 'bytes' | 'versions';

/** A quota, or that of bytes once more, for those that were deleted and are still on the disk. */
export type Refused = Quota | 'deleted_bytes';

/** The write would exceed a quota of the account (403). Nothing was changed. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';
  readonly quota: Refused;
  readonly limit: number;
  /** Current usage. */
  readonly used: number;
  /** Growth by the rejected write. */
  readonly growth: number;

  constructor(quota: Refused, limit: number, used: number, growth: number) {
    super(`${growth} more ${quota} in addition to ${used} would exceed the limit of ${limit}`);
    this.quota = quota;
    this.limit = limit;
    this.used = used;
    this.growth = growth;
  }
}

/** The account's stored responses reach their size limit (429). Nothing was changed. */
export class ResponsesFullError extends Error {
  override readonly name = 'ResponsesFullError';
  /** Seconds until the oldest of them expires. */
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super('too many responses are stored for idempotent retries');
    this.retryAfterS = retryAfterS;
  }
}

/** A response is too large to be stored for idempotent retries (413). Nothing was changed. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}

/** The record of the request is larger than any segment can hold (413). Nothing was changed. */
export class RecordTooLargeError extends Error {
  override readonly name = 'RecordTooLargeError';
}

/** The uploaded bytes exceed their limit (413). Nothing was stored. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
  /** The limit, in bytes. */
  readonly bytesMax: number;

  /** @param what is too large */
  constructor(bytesMax: number, what = 'the upload') {
    super(`${what} has more than ${bytesMax} bytes`);
    this.bytesMax = bytesMax;
  }
}

/** A blob that a record refers to is missing or has another size (500 for what needs it, and an alarm). Everything else is served. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
  readonly code = 'blob_damaged';
  readonly digest: string;
  readonly path: string;

  /** @param found what is at its path instead */
  constructor(digest: string, path: string, found: string) {
    super(`the blob ${path} is damaged: ${found}. Restore it from a backup, or upload the same bytes again.`);
    this.digest = digest;
    this.path = path;
  }
}

/** The journal has stopped after a failed write or sync, or is closed: nothing more is acknowledged (503). */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly code = 'stopped';
}

/** This node of a cluster does not own the data, or not any more (503). A change that waited for its confirmation may have been made. */
export class NotOwnerError extends Error {
  override readonly name = 'NotOwnerError';

  constructor() {
    super('this node does not own the data any more; another node answers');
  }
}

/**
 * The database of the cluster did not confirm in time that this node is still the owner (503): a response could be stale, so none is sent. A
 * change may have been made.
 */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError';

  constructor() {
    super('the database of the cluster does not answer, so this node cannot prove that it owns the data');
  }
}

/** The data folder cannot be used: it is locked, not a folder, or of an unknown version (exit code 1). */
export class FolderError extends Error {
  override readonly name: string = 'FolderError';
  readonly code: string = 'folder_unusable';
}

/** `--cluster` with the folder of one machine: a wrong setting (exit code 2). */
export class NoCacheError extends FolderError {}

/** The path of an open folder leads to another folder, or to none: nothing in it may be changed by path (exit code 1). */
export class FolderReplacedError extends FolderError {
  override readonly name = 'FolderReplacedError';
  override readonly code = 'folder_replaced';
}

/** A command on a key or an account failed: the target does not exist, or a value is invalid. Nothing was changed. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly code: 'validation_failed' | 'not_found' | 'conflict';

  constructor(message: string, code: OperationError['code'] = 'validation_failed') {
    super(message);
    this.code = code;
  }
}
