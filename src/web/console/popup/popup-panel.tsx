/** The dialog with the popup editor: a sandboxed frame, whose text becomes one change of the popup when the dialog closes. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EditorModel } from '../editor/editor-model.ts';
import { placesOf } from '../forms/targets/places.ts';
import { setTyped } from '../forms/use-draft.ts';
import { serverRoot } from '../server/server-root.ts';
import { Icon } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import { type FromConsole, type FromFrame, readFromFrame } from './messages.ts';
import { panelTexts as texts } from './panel-texts.ts';

/** The dialog waits this long for what was typed last, in milliseconds: the frame may be busy with a long text. */
const finishMs = 5000;
/** Pictures that the frame may upload while the dialog is open. */
const uploadsMax = 20;

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
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="copy" /> {model.canWrite ? texts.edit : texts.view}
      </button>
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
        <button type="button" class="primary" onClick={finish}>
          {texts.done}
        </button>
        {model.canWrite && (
          <button
            type="button"
            onClick={() => {
              session.current?.discard();
              onClose();
            }}
          >
            {texts.discard}
          </button>
        )}
      </div>
    </Panel>
  );
}

/** What the frame shows and sends while the dialog is open. The frame can do no more than change the text, and ask for a picture. */
class PopupSession {
  readonly #model: EditorModel;
  readonly #id: string;
  readonly #frame: HTMLIFrameElement;
  readonly #onClose: () => void;
  /** The content at which the editing began. */
  readonly #base: string;
  #content: string;
  #hasEnded = false;
  /** The last upload of the frame: one at a time. */
  #uploading: Promise<void> = Promise.resolve();
  #uploads = 0;
  #isReady = false;
  /** Set while the dialog waits for the frame, to close. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: EditorModel, id: string, frame: HTMLIFrameElement, onClose: () => void) {
    [this.#model, this.#id, this.#frame, this.#onClose] = [model, id, frame, onClose];
    this.#base = String(model.store.shown(id)?.['content'] ?? '');
    this.#content = this.#base;
    addEventListener('message', this.#onMessage);
  }

  /** Closes the dialog, after the frame has sent what was typed last. */
  finish(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(this.#onClose, this.#isReady ? finishMs : 0);
    this.#send({ kind: 'finish' });
  }

  discard(): void {
    this.#content = this.#base;
  }

  /** Writes the text, if it was changed: one step of the history. Of a deleted popup, it becomes a question to the user. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    removeEventListener('message', this.#onMessage);
    setTyped(this, undefined);
    if (this.#content !== this.#base) this.#model.edits.change(this.#id, { content: this.#content }, { content: this.#base });
  }

  /** Writes the text now, as far as it has come: the popup may be gone before the dialog is. */
  readonly #finish = (): void => {
    this.end();
    this.#onClose();
  };

  readonly #onMessage = (event: MessageEvent): void => {
    // A sandboxed frame has no origin of its own.
    if (event.source !== this.#frame.contentWindow || event.origin !== 'null') return;
    const message = readFromFrame(event.data);
    if (message !== undefined) this.#take(message);
  };

  #take(message: FromFrame): void {
    const { store, canWrite } = this.#model;
    switch (message.kind) {
      case 'ready': {
        this.#isReady = true;
        const popup = { ...store.shown(this.#id), content: this.#content };
        const object = store.shown(String(store.shown(this.#id)?.['attachedTo'] ?? ''));
        this.#send({
          kind: 'popup',
          popup,
          name: String(object?.['name'] ?? ''),
          places: placesOf(this.#model),
          isReadOnly: !canWrite,
        });
        return;
      }
      case 'content':
        if (!canWrite) return;
        this.#content = message.content;
        // So that the browser asks before it closes the page, and "finish" closes this dialog.
        setTyped(this, this.#content === this.#base ? undefined : this.#finish);
        return;
      case 'close':
        this.#onClose();
        return;
      case 'library':
        if (canWrite && this.#model.library.peek() === undefined)
          this.#model.library.value = { onUse: ({ url }) => this.#insert(url) };
        return;
      case 'upload':
        this.#upload(new File([message.file], message.name, { type: message.file.type }), message.place);
    }
  }

  #upload(file: File, place: string): void {
    if (!this.#model.canWrite) return;
    const answer = (address: string, reason: string): void => {
      this.#send({ kind: 'uploaded', place, address, reason });
    };
    if (++this.#uploads > uploadsMax) {
      answer('', texts.tooMany(file.name, uploadsMax));
      return;
    }
    this.#uploading = this.#uploading.then(async () => {
      const { stored, refusal = '' } = await this.#model.uploads.storeOne(file);
      if (!this.#hasEnded) answer(stored?.url ?? '', refusal);
      else if (stored !== undefined) this.#model.edits.say(texts.uploadedLate(file.name));
      else if (refusal !== '') this.#model.edits.say(refusal, true);
    });
  }

  #insert(address: string): void {
    this.#send({ kind: 'picture', address });
    this.#frame.focus();
  }

  #send(message: FromConsole): void {
    // An opaque origin cannot be named. The window is that of the frame, which the policy keeps on this server.
    this.#frame.contentWindow?.postMessage(message, '*');
  }
}
