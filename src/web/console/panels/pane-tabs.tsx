/** The tabs of a narrow screen, which shows one pane: the list, the map or the form. */
import { texts } from '../console-texts.ts';
import type { EditorModel, Pane } from '../editor/editor-model.ts';

const panes: readonly Pane[] = ['list', 'map', 'form'];

export function PaneTabs({ model: { pane: shown } }: { readonly model: EditorModel }) {
  return (
    <nav class="panes" aria-label={texts.name}>
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          aria-current={shown.value === pane}
          onClick={() => {
            shown.value = pane;
          }}
        >
          {texts.editor[pane]}
        </button>
      ))}
    </nav>
  );
}
