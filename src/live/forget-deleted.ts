/** What is in memory only goes with what it belongs to. */
import type { Change } from '../store/operations/operations.ts';
import type { Live } from './live.ts';

/** Forgets what belongs to accounts, projects and publications that a record deletes. */
export function forgetDeleted({ sources, maps }: Pick<Live, 'sources' | 'maps'>, changes: readonly Change[]): void {
  for (const change of changes) {
    switch (change.op) {
      case 'delete-account':
        sources.forgetAccount(change.accountId);
        break;
      case 'delete-project':
        sources.forgetProject(change);
        maps.forget(change);
        break;
      case 'delete-publication':
        maps.forget(change);
        break;
    }
  }
}
