/** What an import does to a legend that the project has. Pure. */
import type { LegendEntry } from '../conversion.ts';

/** The colours of the file are added to the legend, or are the whole legend, or the legend stays as it is. */
export const legendChoices = ['add', 'replace', 'leave'] as const;
export type LegendChoice = (typeof legendChoices)[number];

const isSame = (a: LegendEntry, b: LegendEntry): boolean => a.color.toLowerCase() === b.color.toLowerCase() && a.name === b.name;

/** Entries that one legend has and another one does not. */
export const missingIn = (legend: readonly LegendEntry[], other: readonly LegendEntry[]): readonly LegendEntry[] =>
  legend.filter((entry) => !other.some((each) => isSame(each, entry)));

/** The legend of the project after an import. */
export function legendAfter(
  stored: readonly LegendEntry[],
  ofFile: readonly LegendEntry[],
  choice: LegendChoice,
): readonly LegendEntry[] {
  if (choice === 'leave') return stored;
  return choice === 'replace' ? ofFile : [...stored, ...missingIn(ofFile, stored)];
}
