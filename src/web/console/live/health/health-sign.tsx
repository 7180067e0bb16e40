/** The mark in lists of a data source that fails, and of what depends on it. */
import { Icon } from '../../ui/icons.tsx';
import type { LiveState } from '../live-state.ts';

/** @param isShort the words are for screen readers alone */
export function HealthSign({ live, id, isShort = false }: { live: LiveState; id: string; isShort?: boolean }) {
  const mark = live.marks.value.get(id);
  if (mark === undefined) return null;
  return (
    <span class={`health ${mark.health}`} title={mark.reason}>
      <Icon name="warning" />
      <span class={isShort ? 'sr-only' : ''}>{mark.word}</span>
    </span>
  );
}
