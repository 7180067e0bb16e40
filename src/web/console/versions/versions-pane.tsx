/** Loads the history, or a version, when it is opened. */
import { texts } from '../console-texts.ts';
import { useLater } from '../ui/use-later.ts';
import type { HistoryProps } from './history-panel.tsx';
import type { VersionProps } from './version-screen.tsx';

const load = () => import('./versions-module.ts');

export function HistoryPane(props: HistoryProps) {
  const loaded = useLater(load, () => {
    props.document.edits.notices.say(texts.saving.failed, true);
    props.onClose();
  });
  return loaded === undefined ? null : <loaded.HistoryPanel {...props} />;
}

export function VersionPane(props: VersionProps) {
  const { model, onEditor } = props;
  const loaded = useLater(load, () => {
    model.document.edits.notices.say(texts.saving.failed, true);
    onEditor();
  });
  return loaded === undefined ? <p class="starting">{texts.loading}</p> : <loaded.VersionScreen {...props} />;
}
