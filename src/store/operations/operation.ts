/** What an operation of a record is. Each has a file of its own here, and a line in `operations.ts`. */
import type { State } from '../state.ts';
import type { StoredProject } from '../stored-project.ts';
import type { MembersAfter } from './shared/members-after.ts';
import type { QuotaGrowth } from './shared/quota-growth.ts';

/** The account and the project that a change is about; neither for the start of a run. */
export interface Place {
  readonly accountId?: string;
  readonly projectId?: string;
}

/** An event without its version: only the last event of a record gets one. */
export interface Event {
  readonly name: string;
  readonly data: string;
  /** For subscribers with a key for reading, if it differs. */
  readonly dataForReaders?: string;
}

/** @typeParam Content a change without its `op` */
export interface Operation<Op extends string, Content> {
  readonly op: Op;
  /** What exists before the change; a repair adds a placeholder for it. */
  readonly needs: 'nothing' | 'account' | 'project';
  /** The arguments in a record, after the number of the operation. */
  encode(change: Content): unknown[];
  /** Throws {@link RecordFormatError} for anything but the output of `encode`. */
  decode(items: readonly unknown[]): Content;
  placeOf(change: Content): Place;
  /**
   * Changes the state.
   *
   * @param lsn the record's LSN: the new version of everything that it changes
   */
  apply(state: State, lsn: number, change: Content): void;
  /**
   * By how many bytes of memory the state would grow; negative if it would shrink. Default: 0.
   *
   * @param members after the changes before this one in its record; it takes what this one does
   */
  memoryGrowth?(members: MembersAfter, change: Content): number;
  /** Adds to what quotas count. Default: nothing. */
  quotaGrowth?(growth: QuotaGrowth, change: Content): void;
  /**
   * The events for subscribers; `undefined` if the change does not distinguish creates from updates. Default: none.
   *
   * @param version the name of the record's LSN
   */
  events?(change: Content, version: string): Iterable<Event> | undefined;
  /**
   * What the change does, for people who look for a record: `created project "Office"`.
   *
   * @param state before the change, as far as it is known; names come from it
   */
  describe(change: Content, state: State, project: StoredProject | undefined): string;
}
