/** The middle of the editor: loads the map, which is most of the console's script, when a project is open. */
import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { addBackgrounds } from '../editor/picture-commands.ts';
import { startImport } from '../import/start-import.ts';
import { FileButton } from '../ui/file-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { useLater } from '../ui/use-later.ts';
import { isPicture } from './picture.ts';

/** Dropped pictures become backgrounds, another file objects. */
export async function takeFile(model: EditorModel, files: FileList | null | undefined): Promise<void> {
  const all = [...(files ?? [])];
  const [file] = all;
  const former = model.importing.value;
  if (file === undefined || !model.canWrite || former?.hasFailed.value === false) return;
  const taken = all.every(isPicture) ? all : [file];
  if (taken.length < all.length) model.edits.notices.say(texts.imports.several);
  await (isPicture(file) ? takePictures(model, taken) : startImport(model, file, former?.isNewProject));
}

async function takePictures(model: EditorModel, files: readonly File[]): Promise<void> {
  const { stored, refusals } = await model.uploads.storeAll(files, false);
  if (refusals.length > 0) model.edits.notices.say(refusals.join(' '), true);
  await addBackgrounds(model, stored);
}

export function MapPane({ model }: { readonly model: EditorModel }) {
  const isOver = useSignal(false);
  const t = texts.editor;
  const View = useLater(
    () => import('./map-view.tsx'),
    () => model.edits.notices.say(texts.saving.failed, true),
  )?.MapView;
  const hasArtboard = model.artboardId.value !== '';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with a button instead
    <div
      class={`map-pane ${isOver.value ? 'drop-target' : ''}`}
      onDragOver={(event) => {
        if (!model.canWrite || event.dataTransfer?.types.includes('Files') !== true) return;
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
          {model.canWrite && (
            <>
              <p>{t.noArtboardText}</p>
              <div class="row">
                <button type="button" class="primary" onClick={() => void model.add('artboard')}>
                  <Icon name="plus" /> {t.add('artboard')}
                </button>
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
