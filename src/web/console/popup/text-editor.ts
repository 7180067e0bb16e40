/** The text view: Tiptap over the content of a popup. No text becomes markup here; the content comes from the sanitizer as elements. */
import { Editor } from '@tiptap/core';
import { DOMParser, DOMSerializer } from '@tiptap/pm/model';
import { EditorState } from '@tiptap/pm/state';
import { editableContent, htmlOf, lostParts } from './editable-content.ts';
import { textExtensions } from './text-extensions.ts';

interface TextEditorOptions {
  /** An element of the document, which the editor fills. */
  readonly element: HTMLElement;
  readonly label: string;
  /** The user has changed the text. */
  onChange(html: string): void;
  /** The selection has changed, and with it what the tools show. */
  onSelect(): void;
  onPicture(file: File): void;
}

/** Pictures among dropped or pasted data. */
const picturesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

export class TextEditor {
  readonly editor: Editor;

  constructor({ element, label, onChange, onSelect, onPicture }: TextEditorOptions) {
    const take = (event: Event, data: DataTransfer | null): boolean => {
      const [picture] = picturesIn(data);
      if (picture === undefined || !this.editor.isEditable) return false;
      event.preventDefault();
      onPicture(picture);
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
        // Tab leaves the text, also from lists and tables.
        handleDOMEvents: { keydown: (_view, event) => event.key === 'Tab' },
        handlePaste: (_view, event) => take(event, event.clipboardData),
        handleDrop: (_view, event) => take(event, event.dataTransfer),
      },
      onUpdate: () => onChange(htmlOf(this.#elements())),
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
    return lostParts(content, this.#elements());
  }

  /** In a document that loads nothing. */
  #elements(): HTMLElement {
    const { state, schema } = this.editor;
    const inert = document.implementation.createHTMLDocument();
    const root = inert.createElement('div');
    root.append(DOMSerializer.fromSchema(schema).serializeFragment(state.doc.content, { document: inert }));
    return root;
  }
}
