/** What must hold after a crash, each rule with the name that reports have. */
import type { Lsn } from '../../src/storage/wal/journal.ts';
import type { Ledger } from './world.ts';

export const rules = {
  recovers: 'a restart does not refuse what a crash may leave',
  undamaged: 'a crash leaves no damage: a snapshot that has its name is whole',
  kept: 'the snapshot before the newest, from which the log goes on, is whole as well',
  prefix: 'the state is that of a prefix of commit order, every record whole',
  acknowledged: 'whatever was acknowledged is there',
  shown: 'whatever an answer showed is there',
  folded: 'a snapshot that was reported is there',
  lineage: 'when answers were lost, and only then, the history has another lineage',
  idempotent: 'recovering again gives the same',
  numbers: 'an LSN is used once',
  'goes on': 'after recovery the server takes writes again',
} as const;

export type Rule = keyof typeof rules;

/** A rule that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly rule: Rule;

  constructor(rule: Rule, found: string) {
    super(found);
    this.rule = rule;
  }
}

/** What a restart makes of a state of the disk. */
export interface Outcome {
  readonly lsn: Lsn;
  /** The whole state. */
  readonly text: string;
  /** The lineage that goes on; `undefined` when another begins. */
  readonly lineage: string | undefined;
  readonly snapshotLsn: Lsn;
}

/**
 * Whether the outcome is one that the ledger allows.
 *
 * @param cached nothing unsynced was lost: only the process died
 */
export function judge(outcome: Outcome, ledger: Ledger, cached: boolean): Violation | undefined {
  const { lsn, text, lineage, snapshotLsn } = outcome;
  const { history, acknowledged, shown, written, cut, reported, steady } = ledger;
  if (lsn < acknowledged)
    return new Violation('acknowledged', `record ${acknowledged} was acknowledged, the log ends with ${lsn}`);
  if (lsn < shown) return new Violation('shown', `record ${shown} was shown, the log ends with ${lsn}`);
  if (cached && !cut && lsn < written)
    return new Violation('acknowledged', `record ${written} was written, the log ends with ${lsn}`);
  const expected = history[lsn];
  if (expected === undefined)
    return new Violation('prefix', `record ${lsn} was never appended; the newest is ${history.length - 1}`);
  if (text !== expected.text)
    return new Violation('prefix', `the state at record ${lsn} differs: ${difference(expected.text, text)}`);
  if (lsn < written && lineage === ledger.lineage) {
    return new Violation(
      'lineage',
      `records up to ${written} were answered, the log ends with ${lsn}, and lineage ${lineage} goes on`,
    );
  }
  if (steady && ledger.lineage !== undefined && lineage !== ledger.lineage) {
    return new Violation('lineage', `nothing was lost, and lineage ${lineage} takes the place of ${ledger.lineage}`);
  }
  if (snapshotLsn < reported)
    return new Violation('folded', `the snapshot of record ${reported} was reported, there is that of ${snapshotLsn}`);
  return undefined;
}

/** The first place where two texts differ. */
export function difference(expected: string, found: string): string {
  let at = 0;
  while (expected[at] === found[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `expected ${around(expected)}, found ${around(found)}`;
}
