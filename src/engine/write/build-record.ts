/**
 * Builds a large record in slices, under the lock of its project, before the turn in which it is appended: encodes it, estimates its memory,
 * and builds a new project detached from the state. That turn only has to apply the record, or to attach the project.
 */

import { weigh } from '../../model/memory-estimate.ts';
import type { Change } from '../../store/operations/operations.ts';
import { isFullChange, RecordBuilder } from '../../store/operations/record.ts';
import type { State } from '../../store/state.ts';
import type { Author } from '../command.ts';
import { MemoryGrowth } from '../memory/change-estimate.ts';
import { buildDetached, type DetachedProject } from './detached-project.ts';
import type { Bounds } from './quotas.ts';

export interface BuiltRecord {
  readonly changes: readonly Change[];
  readonly encoded: Uint8Array;
  /** Bytes of memory by which the state grows. */
  readonly weight: number;
  /** The project, if the record creates one. */
  readonly project: DetachedProject | undefined;
}

/** Whether changes put more than one member. All other changes are bounded by the size of one resource. */
export function isLarge(changes: readonly Change[]): boolean {
  let members = 0;
  for (const change of changes) {
    if (change.op === 'put') members += change.values.length;
    if (members > 1) return true;
  }
  return false;
}

/**
 * Builds the record of large changes. Yields after a few hundred members, or after a large one.
 *
 * @param changes the record's changes, all of one account
 * @param time milliseconds since 1970
 * @param defaults quotas of accounts that have no quotas of their own
 */
export function* buildRecord(
  state: State,
  { accountId, by }: Author,
  changes: readonly Change[],
  time: number,
  defaults: Bounds,
): Generator<void, BuiltRecord> {
  const [first] = changes;
  const isNewProject = first?.op === 'put-project' && first.created === true;
  const record = new RecordBuilder(by);
  const growth = new MemoryGrowth(state);
  for (const change of inParts(changes)) {
    record.add(change);
    // The memory of a new project is estimated where it is built.
    if (!isNewProject) growth.add([change]);
    yield;
  }
  const encoded = Buffer.concat(record.pieces(time));
  const project = isNewProject ? yield* buildDetached(state, accountId, record.changes, defaults) : undefined;
  return { changes: record.changes, encoded, weight: project?.weight ?? growth.bytes, project };
}

/** Splits changes into parts that are fast to encode. */
function* inParts(changes: readonly Change[]): Generator<Change, void> {
  for (const change of changes) {
    if (change.op !== 'put') {
      yield change;
      continue;
    }
    let start = 0;
    let bytes = 0;
    for (const [i, value] of change.values.entries()) {
      bytes += weigh(value);
      const end = i + 1;
      if (end < change.values.length && !isFullChange(end - start, bytes)) continue;
      yield { ...change, values: change.values.slice(start, end) };
      start = end;
      bytes = 0;
    }
  }
}
