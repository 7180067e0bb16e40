/** The conversation with the frame of the popup editor, and the change that it makes. */
import { transition } from '../../../lib/invariant.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { placesOf } from '../forms/controls/targets/places.ts';
import { SandboxedFrame } from '../ui/sandboxed-frame.ts';
import { setTyped } from '../ui/use-draft.ts';
import { type FromConsole, type FromFrame, readFromFrame } from './messages.ts';
import { panelTexts as texts } from './panel-texts.ts';
import { type PopupEvent, type PopupState, popupTransitions } from './popup-state.ts';

/** The dialog waits this long for what was typed last, in milliseconds: the frame may be busy with a long text. */
const finishMs = 5000;
/** Pictures that the frame may upload while the dialog is open. */
const uploadsMax = 20;

/** What the frame shows and sends while the dialog is open. The frame can do no more than change the text, and ask for a picture. */
export class PopupSession {
  readonly #model: EditorModel;
  readonly #id: string;
  readonly #element: HTMLIFrameElement;
  readonly #frame: SandboxedFrame<FromFrame, FromConsole>;
  readonly #onClose: () => void;
  /** The content at which the editing began. */
  readonly #base: string;
  #content: string;
  #state: PopupState = 'loading';
  /** The last upload of the frame: one at a time. */
  #uploading: Promise<void> = Promise.resolve();
  #uploads = 0;
  /** Closes the dialog without what the frame has not sent. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: EditorModel, id: string, frame: HTMLIFrameElement, onClose: () => void) {
    [this.#model, this.#id, this.#element, this.#onClose] = [model, id, frame, onClose];
    this.#base = String(model.document.store.shown(id)?.['content'] ?? '');
    this.#content = this.#base;
    this.#frame = new SandboxedFrame(frame, readFromFrame, (message) => this.#take(message));
  }

  /** Closes the dialog, after the frame has sent what was typed last. */
  finish(): void {
    const waitMs = this.#state === 'editing' ? finishMs : 0;
    if (!this.#on('finish')) return;
    this.#timer = setTimeout(this.#onClose, waitMs);
    this.#frame.send({ kind: 'finish' });
  }

  discard(): void {
    this.#content = this.#base;
  }

  /** Writes the text, if it was changed: one step of the history. Of a deleted popup, it becomes a question to the user. */
  end(): void {
    if (!this.#on('end')) return;
    clearTimeout(this.#timer);
    this.#frame.close();
    setTyped(this, undefined);
    if (this.#content !== this.#base)
      this.#model.document.edits.change(this.#id, { content: this.#content }, { content: this.#base });
  }

  /** Writes the text now, as far as it has come: the popup may be gone before the dialog is. */
  readonly #finish = (): void => {
    this.end();
    this.#onClose();
  };

  #take(message: FromFrame): void {
    const { store, canWrite } = this.#model.document;
    switch (message.kind) {
      case 'ready': {
        this.#on('ready');
        const popup = { ...store.shown(this.#id), content: this.#content };
        const object = store.shown(String(store.shown(this.#id)?.['attachedTo'] ?? ''));
        this.#frame.send({
          kind: 'popup',
          popup,
          name: String(object?.['name'] ?? ''),
          places: placesOf(this.#model.document.store),
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
        if (canWrite && this.#model.workspace.library.peek() === undefined)
          this.#model.workspace.library.value = { onUse: ({ url }) => this.#insert(url) };
        return;
      case 'upload':
        this.#upload(new File([message.file], message.name, { type: message.file.type }), message.place);
    }
  }

  #upload(file: File, place: string): void {
    if (!this.#model.document.canWrite) return;
    const answer = (address: string, reason: string): void => {
      this.#frame.send({ kind: 'uploaded', place, address, reason });
    };
    if (++this.#uploads > uploadsMax) {
      answer('', texts.tooMany(file.name, uploadsMax));
      return;
    }
    this.#uploading = this.#uploading.then(async () => {
      const { stored, refusal = '' } = await this.#model.document.uploads.storeOne(file);
      if (this.#state !== 'ended') answer(stored?.url ?? '', refusal);
      else if (stored !== undefined) this.#model.document.edits.notices.say(texts.uploadedLate(file.name));
      else if (refusal !== '') this.#model.document.edits.notices.say(refusal, true);
    });
  }

  #insert(address: string): void {
    this.#frame.send({ kind: 'picture', address });
    this.#element.focus();
  }

  /** Whether the state has changed. */
  #on(event: PopupEvent): boolean {
    const before = this.#state;
    this.#state = transition(popupTransitions, before, event);
    return this.#state !== before;
  }
}
