/** The tabs of a narrow screen, which shows one pane: the list, the map or the form. */
import type { Signal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { Pane } from '../editor/workspace.ts';
import { Button } from '../ui/button.tsx';

const panes: readonly Pane[] = ['list', 'map', 'form'];

export function PaneTabs({ shown }: { readonly shown: Signal<Pane> }) {
  return (
    <nav class="panes" aria-label={texts.name}>
      {panes.map((pane) => (
        <Button
          label={texts.editor[pane]}
          key={pane}
          aria-current={shown.value === pane}
          onClick={() => {
            shown.value = pane;
          }}
        />
      ))}
    </nav>
  );
}
