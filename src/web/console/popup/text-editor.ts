/** The text view: Tiptap over the content of a popup. No text becomes markup here; the content comes from the sanitizer as elements. */
import { Editor } from '@tiptap/core';
import { DOMParser, DOMSerializer } from '@tiptap/pm/model';
import { EditorState } from '@tiptap/pm/state';
import { editableContent, htmlOf, lostParts } from './editable-content.ts';
import { filesIn, withUploads } from './pasted-pictures.ts';
import type { PendingPictures } from './pending-pictures.ts';
import { textExtensions } from './text-extensions.ts';

interface TextEditorOptions {
  /** An element of the document, which the editor fills. */
  readonly element: HTMLElement;
  readonly label: string;
  /** The user has changed the text. */
  onChange(html: string): void;
  /** The selection has changed, and with it what the tools show. */
  onSelect(): void;
  readonly pictures: PendingPictures;
}

export class TextEditor {
  readonly editor: Editor;
  readonly #pictures: PendingPictures;
  /** The content that is shown, and its form in the editor: undo leads back to the content as it is. */
  #filled = { content: '', html: '' };

  constructor({ element, label, onChange, onSelect, pictures }: TextEditorOptions) {
    this.#pictures = pictures;
    const take = (event: Event, data: DataTransfer | null): boolean => {
      if (!this.editor.isEditable) return false;
      pictures.begin();
      const files = filesIn(data, event.type === 'paste');
      if (files.length === 0) return false;
      event.preventDefault();
      this.takeFiles(files);
      return true;
    };
    this.editor = new Editor({
      element,
      // Without it, the editor would parse an empty text, which the policy forbids.
      content: { type: 'doc', content: [{ type: 'paragraph' }] },
      // A style sheet from a text, which the policy forbids. `popup.css` has the rules.
      injectCSS: false,
      extensions: textExtensions,
      editorProps: {
        attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
        handleDOMEvents: {
          // Tab leaves the text, also from lists and tables.
          keydown: (_view, event) => event.key === 'Tab',
          // Before anything is parsed, which begins uploads, too.
          paste: (_view, event) => take(event, event.clipboardData),
          drop: (view, event) => {
            // A picture of the text that is moved is a file, too.
            if (view.dragging !== null) return false;
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
            if (at !== null && (event.dataTransfer?.files.length ?? 0) > 0) this.editor.commands.setTextSelection(at.pos);
            return take(event, event.dataTransfer);
          },
        },
        transformPasted: (slice) => withUploads(slice, pictures),
      },
      onUpdate: () => {
        // The change of the places is an update, too.
        if (this.settlePictures()) return;
        const html = htmlOf(this.#elements());
        onChange(html === this.#filled.html ? this.#filled.content : html);
      },
      // A blur selects nothing. While it is dispatched nothing has the focus, so the row that takes it would hide itself.
      onTransaction: ({ transaction }) => {
        if (transaction.getMeta('blur') === undefined) onSelect();
      },
    });
  }

  /** Shows content, from which there is no way back by undo. @returns what a change in the text view would lose: see {@link lostParts} */
  fill(html: string): readonly string[] {
    const content = editableContent(html);
    const doc = DOMParser.fromSchema(this.editor.schema).parse(content);
    this.editor.view.updateState(EditorState.create({ doc, plugins: this.editor.state.plugins }));
    const elements = this.#elements();
    const lost = lostParts(content, elements);
    this.#filled = { content: html, html: htmlOf(elements) };
    return lost;
  }

  /** Uploads pictures, and inserts them at the selection. */
  takeFiles(files: readonly File[]): void {
    const content = files.flatMap((file) => {
      const src = this.#pictures.add(file);
      return src === undefined ? [] : [{ type: 'image', attrs: { src, alt: '' } }];
    });
    if (content.length > 0) this.editor.chain().focus().insertContent(content).run();
  }

  /** Whether a picture that is being uploaded is in the text. */
  hasPlace(place: string): boolean {
    let isFound = false;
    this.editor.state.doc.descendants((node) => {
      isFound ||= node.attrs['src'] === place;
      return !isFound;
    });
    return isFound;
  }

  /** Gives pictures that were uploaded their addresses, and removes those that were refused. @returns whether there were any */
  settlePictures(): boolean {
    const { state, view } = this.editor;
    const { tr } = state;
    state.doc.descendants((node, at) => {
      const source = String(node.attrs['src'] ?? '');
      const address = node.type.name === 'image' ? this.#pictures.addressOf(source) : source;
      if (address === '' && source !== '') tr.delete(tr.mapping.map(at), tr.mapping.map(at + node.nodeSize));
      else if (address !== source) tr.setNodeAttribute(tr.mapping.map(at), 'src', address);
    });
    // What undo brings back is settled again.
    if (tr.docChanged) view.dispatch(tr.setMeta('addToHistory', false));
    return tr.docChanged;
  }

  /** In a document that loads nothing, without pictures that are being uploaded. */
  #elements(): HTMLElement {
    const { state, schema } = this.editor;
    const inert = document.implementation.createHTMLDocument();
    const root = inert.createElement('div');
    root.append(DOMSerializer.fromSchema(schema).serializeFragment(state.doc.content, { document: inert }));
    for (const picture of root.querySelectorAll('img'))
      if (this.#pictures.has(picture.getAttribute('src') ?? '')) picture.remove();
    return root;
  }
}
