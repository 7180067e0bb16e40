/** A version in words: a history and an LSN in it. Entity tags begin with it, and followers of the log name their place by it. */

/** Of the 32 digits of a lineage: 64 bits of chance are enough to tell histories apart. */
const lineageDigits = 16;

/** What may follow behind a second dash tells forms of one version apart. */
const pattern = /^([0-9a-f]{16})-([0-9a-z]{1,11})(?:-.*)?$/;

export function versionName(lineage: string, lsn: number): string {
  return `${lineage.slice(0, lineageDigits)}-${lsn.toString(36)}`;
}

/** The LSN that a name of a version names in this history; `elsewhere` for that of another one, `undefined` for what is none. */
export function lsnNamed(name: string, lineage: string): number | 'elsewhere' | undefined {
  const [, history, digits = ''] = pattern.exec(name) ?? [];
  if (history === undefined) return undefined;
  const lsn = Number.parseInt(digits, 36);
  return lineage.startsWith(history) && Number.isSafeInteger(lsn) ? lsn : 'elsewhere';
}
