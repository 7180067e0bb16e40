/** Loads the panel of an import when a file is chosen. */
import { texts } from '../console-texts.ts';
import { useLater } from '../ui/use-later.ts';
import type { ImportProps } from './import-panel.tsx';

export function ImportPane(props: ImportProps) {
  const { model, onClose } = props;
  const loaded = useLater(
    () => import('./import-panel.tsx'),
    () => {
      model.document.edits.notices.say(texts.saving.failed, true);
      onClose(true);
    },
  );
  return loaded === undefined ? <p class="starting">{texts.loading}</p> : <loaded.ImportPanel {...props} />;
}
