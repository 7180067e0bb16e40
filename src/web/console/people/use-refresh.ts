/** Loads people and devices again when the user comes back to the window: others may have changed them. */
import { useEffect } from 'preact/hooks';
import type { PeopleList } from './people-list.ts';

export function useRefresh(list: PeopleList): void {
  useEffect(() => {
    const refresh = () => void list.refresh();
    addEventListener('focus', refresh);
    return () => removeEventListener('focus', refresh);
  }, [list]);
}
