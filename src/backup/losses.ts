/** What a repair found, what it could not keep, and what it took from an older state instead. */

/** Damage, told even where it cost nothing. */
export interface Finding {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  readonly problem: string;
}

export type Loss =
  /** Records from one number to another, both included; `to` is missing where nobody knows how many there were. */
  | { readonly kind: 'records'; readonly from: number; readonly to: number | undefined; readonly words: string }
  /** A record that can still be read; it could not be put on what is missing before it. */
  | { readonly kind: 'record'; readonly lsn: number; readonly timeMs: number; readonly words: string }
  /** Accounts: their names, and when they were made. */
  | { readonly kind: 'accounts'; readonly ids: readonly string[]; readonly words: string }
  | { readonly kind: 'keys' | 'answers'; readonly words: string }
  /** A project that is gone, or its own members. */
  | { readonly kind: 'project'; readonly accountId: string; readonly projectId: string; readonly words: string }
  /** Projects that nothing names any more. */
  | { readonly kind: 'projects'; readonly words: string }
  | {
      readonly kind: 'members';
      readonly accountId: string;
      readonly projectId: string;
      readonly collection: string;
      /** The artboard of objects, '' for all others. */
      readonly parentId: string;
      readonly count: number;
      readonly words: string;
    };

export interface Losses {
  readonly findings: readonly Finding[];
  readonly losses: readonly Loss[];
}
