/** That links of the map lead nowhere, before it is published, with the way to them. */
import { useMemo } from 'preact/hooks';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { deadLinks } from '../problems/dead-links.ts';
import { Button } from '../ui/button.tsx';

export function DeadLinkNote({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const count = useMemo(() => deadLinks(model.document.store, new Map()).length, [model]);
  if (count === 0) return null;
  const open = () => {
    model.selection.list.value = 'problems';
    model.workspace.pane.value = 'list';
    onClose();
  };
  return (
    <p class="warning-text">
      {lateTexts.publish.deadLinks(count)} <Button label={lateTexts.publish.showProblems} class="link" onClick={open} />
    </p>
  );
}
