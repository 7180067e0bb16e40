/** Loads the panel of an import when a file is chosen. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { ImportProps } from './import-props.ts';

export function ImportPane(props: ImportProps) {
  const panel = useSignal<FunctionComponent<ImportProps> | undefined>(undefined);
  const { model, onClose } = props;
  useEffect(() => {
    import('./import-panel.tsx').then(
      (module) => {
        panel.value = module.ImportPanel;
      },
      () => {
        model.edits.say(texts.saving.failed, true);
        onClose(true);
      },
    );
  }, []);
  const Panel = panel.value;
  return Panel === undefined ? <p class="starting">{texts.loading}</p> : <Panel {...props} />;
}
