/** The script of the frame: the text view or the source, what visitors do not see, and the preview. It talks only to its parent window. */
import { changedPopup, type MapPopup, readPopup } from '../../viewer/drawing/map-document.ts';
import { boundedContent } from '../../viewer/element/content-bounds.ts';
import { make } from '../../viewer/element/dom.ts';
import { AddressRow } from './address-row.ts';
import { frameTexts as texts } from './frame-texts.ts';
import { contentLengthDoubtful, contentLengthMax, type FromConsole, type FromFrame, readFromConsole } from './messages.ts';
import { filesIn } from './pasted-pictures.ts';
import { PendingPictures } from './pending-pictures.ts';
import { PopupPreview } from './popup-preview.ts';
import { removedParts } from './removed-parts.ts';
import { TextEditor } from './text-editor.ts';
import { ToolBar } from './tool-bar.ts';

/** The preview and the list of removed parts follow the text after this pause, in milliseconds. */
const pauseMs = 150;

const send = (message: FromFrame): void => {
  // The origin of this frame is opaque; the console is the one page that may contain it, by the policy.
  parent.postMessage(message, new URL(location.href).origin);
};

class PopupPage {
  readonly #text: TextEditor;
  readonly #tools: ToolBar;
  readonly #row: AddressRow;
  readonly #preview = new PopupPreview();
  readonly #pictures = new PendingPictures({
    upload: (file, place) =>
      send({ kind: 'upload', file: new Blob([file], { type: file.type }), name: file.name.slice(0, 255), place }),
    onChange: () => this.#showUploads(),
  });
  readonly #surface = make('div', { className: 'surface' });
  readonly #source = make('textarea', { ariaLabel: texts.source, spellcheck: false, hidden: true });
  readonly #chooser = make('input', { type: 'file', accept: 'image/*', multiple: true, hidden: true });
  readonly #toSource = make('button', { type: 'button', textContent: texts.source });
  readonly #removed = make('div', { className: 'note', hidden: true, attributes: { role: 'status' } });
  readonly #long = make('p', { className: 'note warning', hidden: true, attributes: { role: 'alert' } });
  readonly #lost = make('div', { className: 'note warning', hidden: true, attributes: { role: 'status' } });
  readonly #uploads = make('p', { className: 'note', hidden: true, attributes: { role: 'status' } });
  readonly #refused = make('div', { className: 'note warning', hidden: true, attributes: { role: 'alert' } });
  /** Pictures that are being uploaded for the source, which cannot show them yet: they are inserted at the selection. */
  readonly #withoutPlace = new Set<string>();
  #popup: MapPopup = readPopup({});
  #name = '';
  #content = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#text = new TextEditor({
      element: this.#surface,
      label: texts.title,
      onChange: (html) => this.#changed(html),
      onSelect: () => {
        this.#tools?.renew();
        this.#row?.renew();
      },
      pictures: this.#pictures,
    });
    const { editor } = this.#text;
    this.#row = new AddressRow(editor);
    this.#tools = new ToolBar(editor, {
      openLink: () => this.#row.openLink(),
      onLibrary: () => send({ kind: 'library' }),
      onFiles: () => this.#chooser.click(),
    });
    this.#chooser.addEventListener('change', () => {
      this.#pictures.begin();
      this.#text.takeFiles([...(this.#chooser.files ?? [])]);
      // So that the same file can be chosen again.
      this.#chooser.value = '';
    });
    this.#toSource.addEventListener('click', () => this.#toggleSource());
    this.#source.addEventListener('input', () => this.#changed(this.#source.value));
    document.body.append(
      make(
        'main',
        {},
        make(
          'section',
          { className: 'edit', attributes: { 'aria-label': texts.text } },
          make('div', { className: 'head' }, this.#tools.element, this.#toSource),
          this.#row.element,
          this.#chooser,
          this.#uploads,
          this.#refused,
          this.#long,
          this.#lost,
          this.#surface,
          this.#source,
          this.#removed,
        ),
        this.#preview.element,
      ),
    );
    addEventListener('keydown', (event) => {
      // ProseMirror prevents the default of every Escape. Parts that have a use for it stop it.
      if (event.key === 'Escape') send({ kind: 'close' });
    });
    // Otherwise the browser would show a dropped file instead of the editor.
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => this.#takeElsewhere(event, event.dataTransfer));
    this.#source.addEventListener('paste', (event) => this.#takeElsewhere(event, event.clipboardData));
  }

  /** Pictures that are pasted into the source, or dropped next to the text. */
  #takeElsewhere(event: Event, data: DataTransfer | null): void {
    if (event.defaultPrevented) return;
    if (this.#source.value.length + (data?.getData('text/plain').length ?? 0) > contentLengthMax) {
      event.preventDefault();
      this.#pictures.refuse(texts.longPaste);
      return;
    }
    const files = filesIn(data, event.type === 'paste');
    if (event.type === 'drop' && event.target !== this.#source) event.preventDefault();
    if (files.length === 0) return;
    event.preventDefault();
    if (this.#source.readOnly) return;
    this.#pictures.begin();
    if (this.#source.hidden) this.#text.takeFiles(files);
    else for (const file of files) this.#withoutPlace.add(this.#pictures.add(file) ?? '');
  }

  /** The console has uploaded a picture, or refused it. */
  settle(place: string, address: string, reason: string): void {
    if (!this.#pictures.settle(place, address, reason)) return;
    if (!this.#withoutPlace.delete(place)) this.#text.settlePictures();
    else if (address !== '') this.insert(address);
  }

  #showUploads(): void {
    const { places, refusals } = this.#pictures;
    this.#uploads.hidden = places.length === 0;
    this.#uploads.textContent = texts.uploading(places.length);
    this.#refused.hidden = refusals.length === 0;
    this.#refused.replaceChildren(listOf(refusals));
  }

  show({ popup, name, places, isReadOnly }: Extract<FromConsole, { kind: 'popup' }>): void {
    this.#row.places = places;
    this.#popup = readPopup(popup);
    this.#name = name;
    this.#content = this.#popup.content;
    this.#source.readOnly = isReadOnly;
    this.#text.editor.setEditable(!isReadOnly, false);
    this.#tools.element.hidden = isReadOnly;
    this.#openText();
    this.#follow();
    if (this.#source.hidden) this.#text.editor.commands.focus('end');
    else this.#source.focus();
  }

  /** Inserts a picture where the selection is, in the view that is shown. */
  insert(address: string): void {
    if (this.#source.readOnly) return;
    if (this.#source.hidden) {
      this.#text.editor.chain().focus().setImage({ src: address, alt: '' }).run();
      return;
    }
    const picture = make('img', { attributes: { src: address, alt: '' } }).outerHTML;
    this.#source.setRangeText(picture, this.#source.selectionStart, this.#source.selectionEnd, 'end');
    this.#changed(this.#source.value);
    this.#source.focus();
  }

  /** Shows the text view, or the source if the text view would lose something. */
  #openText(isForced = false): void {
    const { exceeded } = boundedContent(this.#content);
    // Content beyond the bounds may take the parser minutes.
    const lost = exceeded === undefined ? this.#text.fill(this.#content) : [];
    const staysInSource = exceeded !== undefined || (lost.length > 0 && !isForced);
    this.#showSource(staysInSource);
    this.#lost.hidden = !staysInSource;
    if (!staysInSource) return;
    if (exceeded !== undefined) {
      this.#lost.replaceChildren(make('p', { textContent: texts.tooLong }));
      return;
    }
    const anyway = make('button', { type: 'button', textContent: texts.lostAction, hidden: this.#source.readOnly });
    anyway.addEventListener('click', () => {
      this.#openText(true);
      this.#text.editor.commands.focus('end');
    });
    this.#lost.replaceChildren(make('p', { textContent: texts.lost }), listOf(lost), anyway);
  }

  #showSource(isShown: boolean): void {
    if (isShown) this.#source.value = this.#content;
    this.#source.hidden = !isShown;
    this.#surface.hidden = isShown;
    for (const part of [this.#tools.element, this.#row.element]) part.classList.toggle('away', isShown);
    this.#toSource.ariaPressed = String(isShown);
  }

  #toggleSource(): void {
    this.#lost.hidden = true;
    if (this.#source.hidden) {
      for (const place of this.#pictures.places) if (this.#text.hasPlace(place)) this.#withoutPlace.add(place);
      this.#showSource(true);
      this.#source.focus();
    } else this.#openText();
  }

  #changed(content: string): void {
    this.#content = content;
    send({ kind: 'content', content });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#follow(), pauseMs);
  }

  /** Renews what depends on the content. */
  #follow(): void {
    const { length } = this.#content;
    this.#long.hidden = length <= contentLengthDoubtful;
    if (!this.#long.hidden) this.#long.textContent = texts.longContent(length);
    this.#preview.show(changedPopup(this.#popup, { content: this.#content }), this.#name);
    const removed = removedParts(boundedContent(this.#content).html);
    this.#removed.hidden = removed.length === 0;
    const kept = make('p', { textContent: texts.removedKept, hidden: !this.#source.hidden });
    this.#removed.replaceChildren(make('p', { textContent: texts.removed }), listOf(removed), kept);
  }
}

const listOf = (items: readonly string[]): HTMLElement =>
  make('ul', {}, ...items.slice(0, 50).map((textContent) => make('li', { textContent })));

const page = new PopupPage();
addEventListener('message', (event) => {
  if (event.source !== parent || event.origin !== new URL(location.href).origin) return;
  const message = readFromConsole(event.data);
  if (message?.kind === 'popup') page.show(message);
  else if (message?.kind === 'finish') send({ kind: 'close' });
  else if (message?.kind === 'picture') page.insert(message.address);
  else if (message?.kind === 'uploaded') page.settle(message.place, message.address, message.reason);
});
send({ kind: 'ready' });
