/** The dialog with the popup editor: a sandboxed frame, whose text becomes one change of the popup when the dialog closes. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EditorModel } from '../editor/editor-model.ts';
import { serverRoot } from '../server/server-root.ts';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';
import { panelTexts as texts } from './panel-texts.ts';
import { PopupSession } from './popup-session.ts';

interface Props {
  readonly model: EditorModel;
  /** Of the popup. */
  readonly id: string;
}

/** The button above the form of a popup, and the dialog that it opens. */
export function PopupPanel({ model, id }: Props) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button
        icon="copy"
        label={model.document.canWrite ? texts.edit : texts.view}
        onClick={() => {
          isOpen.value = true;
        }}
      />
      {isOpen.value && (
        <PopupDialog
          model={model}
          id={id}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function PopupDialog({ model, id, onClose }: Props & { readonly onClose: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const session = useRef<PopupSession>(undefined);
  const latestClose = useRef(onClose);
  latestClose.current = onClose;
  useEffect(() => {
    const opened = new PopupSession(model, id, frame.current as HTMLIFrameElement, () => latestClose.current());
    session.current = opened;
    return () => opened.end();
  }, [model, id]);
  const finish = () => session.current?.finish();
  return (
    <Panel title={texts.title} onClose={finish}>
      <iframe ref={frame} class="popup-frame" title={texts.frame} sandbox="allow-scripts" src={`${serverRoot()}console/popup`} />
      <div class="row">
        <Button label={texts.done} class="primary" onClick={finish} />
        {model.document.canWrite && (
          <Button
            label={texts.discard}
            onClick={() => {
              session.current?.discard();
              onClose();
            }}
          />
        )}
      </div>
    </Panel>
  );
}
