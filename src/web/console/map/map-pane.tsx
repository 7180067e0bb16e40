/** The middle of the editor: loads the map, which is most of the console's script, when a project is open. */
import { useSignal } from '@preact/signals';
import { takeFile } from '../commands/take-file.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { Button } from '../ui/button.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { useLater } from '../ui/use-later.ts';

export function MapPane({ model }: { readonly model: EditorModel }) {
  const isOver = useSignal(false);
  const t = texts.editor;
  const View = useLater(
    () => import('./map-view.tsx'),
    () => model.document.edits.notices.say(texts.saving.failed, true),
  )?.MapView;
  const hasArtboard = model.selection.artboardId.value !== '';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with a button instead
    <div
      class={`map-pane ${isOver.value ? 'drop-target' : ''}`}
      onDragOver={(event) => {
        if (!model.document.canWrite || event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void takeFile(model, event.dataTransfer?.files);
      }}
      onPaste={(event) => {
        const files = event.clipboardData?.files;
        if (files !== undefined && files.length > 0) void takeFile(model, files);
        else return;
        event.preventDefault();
      }}
    >
      {!hasArtboard && (
        <div class="no-artboard">
          <h2>{t.noArtboard}</h2>
          {model.document.canWrite && (
            <>
              <p>{t.noArtboardText}</p>
              <div class="row">
                <Button icon="plus" label={t.add('artboard')} class="primary" onClick={() => void model.add('artboard')} />
                <FileButton label={texts.forms.replace} accept="image/*" onFiles={(files) => takeFile(model, files)} />
                <FileButton label={texts.imports.open} onFiles={(files) => takeFile(model, files)} />
              </div>
            </>
          )}
        </div>
      )}
      {hasArtboard && (View === undefined ? <p class="starting">{texts.loading}</p> : <View model={model} />)}
    </div>
  );
}
