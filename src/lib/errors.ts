/**
 * The errors that cross a layer. Whoever catches one decides by its class, never by its text.
 */

/** Damage on disk: nothing is guessed, the server refuses to start (exit code 3). */
export class CorruptError extends Error {
  override readonly name = 'CorruptError';
  /** Path of the damaged file. */
  readonly file: string;
  /** Where in the file, in bytes. */
  readonly offset: number;
  /** What is there, or what is missing. */
  readonly found: string;

  constructor(file: string, offset: number, found: string) {
    super(`corrupt: ${file} at byte ${offset}: ${found}`);
    this.file = file;
    this.offset = offset;
    this.found = found;
  }
}

/** The disk has no room for the next segment: mutations are refused (507) until there is, nothing was changed. */
export class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError';
}

/** The state may not grow any further in memory: mutations that would let it are refused (507) until there is room, nothing was changed. */
export class MemoryFullError extends Error {
  override readonly name = 'MemoryFullError';
}

/** Too much is waiting for the disk, or the next segment is still being prepared: try again (503). Nothing was changed. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  /** Seconds after which a retry makes sense. */
  readonly retryAfterS: number = 1;
}

/** What a disk that has stopped answering means for a request. */
type Stall = 'refused' | 'unconfirmed' | 'closing';

const stallTexts: Readonly<Record<Stall, (time: string) => string>> = {
  refused: (time) => `The disk has not answered for ${time}: nothing was changed. Try again when it answers.`,
  unconfirmed: (time) =>
    `The disk has not answered within ${time}. A read may be repeated later. A change may still become durable: read whether it is there before you repeat it.`,
  closing: (time) =>
    `The disk has not answered for ${time}: the server is closed, and its folder stays in use until the disk answers or the process ends. Under sync "always" every acknowledged write is durable; one that was not acknowledged may be.`,
};

/**
 * The disk has stopped answering (503). What was asked for is either refused, with nothing changed, or on its way to the disk: then it may
 * still become durable; its outcome is unknown.
 */
export class StalledError extends Error {
  override readonly name = 'StalledError';
  readonly isRefusal: boolean;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterS: number = 5;

  /** @param ms for which the disk has not answered */
  constructor(stall: Stall, ms: number) {
    super(stallTexts[stall](`${Math.round(ms / 100) / 10} s`));
    this.isRefusal = stall === 'refused';
  }
}

/** What one account may hold no more of than so many. */
export type Quota = 'projects' | 'members' | 'bytes';

/** An account may not hold as much as it would then (403). Nothing was changed. */
export class QuotaError extends Error {
  override readonly name = 'QuotaError';
  readonly quota: Quota;
  readonly limit: number;
  /** What it holds. */
  readonly used: number;
  /** By how much that would grow. */
  readonly growth: number;

  constructor(quota: Quota, limit: number, used: number, growth: number) {
    super(`${growth} more ${quota} beside ${used}; the limit is ${limit}`);
    this.quota = quota;
    this.limit = limit;
    this.used = used;
    this.growth = growth;
  }
}

/** An account has as many answers to be given again as it may have (429). Nothing was changed. */
export class AnswersFullError extends Error {
  override readonly name = 'AnswersFullError';
  /** Seconds until the oldest of them is forgotten. */
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super('too many answers are remembered');
    this.retryAfterS = retryAfterS;
  }
}

/** An answer that is to be given again is longer than what is remembered (413). Nothing was changed. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** One request's record would be larger than a segment can hold, or than any can that is made for it (413). Nothing was changed. */
export class RecordTooLargeError extends Error {
  override readonly name = 'RecordTooLargeError';
}

/** The journal has stopped after a failed write or sync, or is closed: nothing more is acknowledged (503). */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** The data folder cannot be used as asked: it is in use, not a folder, or of a version this program does not know (exit code 1). */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/** The path of an open folder leads to another folder, or to none: nothing in it may be changed by path (exit code 1). */
export class FolderReplacedError extends FolderError {}

/** What was asked of a key or an account cannot be done: it is not there, or a value makes no sense. Nothing was changed. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
