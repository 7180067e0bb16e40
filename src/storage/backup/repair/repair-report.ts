/** The report of a repair: the damage found, the losses, and the values taken from an older state instead. */

/** Damage, reported even if nothing was lost. */
export interface RepairFinding {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  readonly problem: string;
}

export type Loss =
  /** Records in a range, both ends included; `to` is undefined if the number of lost records is unknown. */
  | { readonly kind: 'records'; readonly from: number; readonly to: number | undefined; readonly words: string }
  /** A readable record that could not be applied, because records before it are missing. */
  | { readonly kind: 'record'; readonly lsn: number; readonly timeMs: number; readonly words: string }
  /** Names and creation times of accounts. */
  | { readonly kind: 'accounts'; readonly ids: readonly string[]; readonly words: string }
  | { readonly kind: 'keys' | 'responses'; readonly words: string }
  /** A lost project, its lost name and settings, its lost publication, or the lost visits of it. */
  | { readonly kind: 'project' | 'publication'; readonly accountId: string; readonly projectId: string; readonly words: string }
  /** The bytes of a file; its row is kept. `projectId` is one of the projects that have it. */
  | {
      readonly kind: 'file';
      /** SHA-256 of the bytes, 64 hex digits. */
      readonly digest: string;
      readonly projectId: string;
      readonly name: string;
      readonly words: string;
    }
  /** Projects that no index names any more. */
  | { readonly kind: 'projects'; readonly words: string }
  | {
      readonly kind: 'members';
      readonly accountId: string;
      readonly projectId: string;
      readonly collection: string;
      /** The artboard of the objects; '' for other collections. */
      readonly parentId: string;
      readonly count: number;
      readonly words: string;
    };

export interface Losses {
  readonly findings: readonly RepairFinding[];
  readonly losses: readonly Loss[];
}
