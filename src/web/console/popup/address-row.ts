/** The row below the tools: the address of the link, or the description of the selected picture. */
import type { Editor } from '@tiptap/core';
import { make } from '../../viewer/element/dom.ts';
import { contentAddress } from '../../viewer/element/safe-content.ts';
import { frameTexts as texts } from './frame-texts.ts';

export class AddressRow {
  readonly element = make('form', { className: 'row', hidden: true });
  readonly #editor: Editor;
  readonly #label = make('label', { htmlFor: 'row-value' });
  readonly #value = make('input', { type: 'text', id: 'row-value', autocomplete: 'off' });
  readonly #apply = make('button', { type: 'submit', textContent: texts.apply });
  readonly #remove = make('button', { type: 'button', textContent: texts.removeLink });
  readonly #problem = make('p', { className: 'problem', hidden: true, attributes: { role: 'alert' } });
  #shown: 'link' | 'picture' | undefined;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.element.append(this.#label, this.#value, this.#apply, this.#remove, this.#problem);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#commit();
    });
    // The sandbox of the frame submits no forms, not even to a listener.
    this.#apply.addEventListener('click', (event) => {
      event.preventDefault();
      this.#commit();
    });
    this.#value.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        this.#commit();
      } else if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        this.#show(undefined);
        editor.commands.focus();
      }
    });
    this.#remove.addEventListener('click', () => {
      this.#show(undefined);
      editor.chain().focus().extendMarkRange('link').unsetLink().run();
    });
  }

  /** Asks for the address of a link around the selection. */
  openLink(): void {
    this.#show('link', String(this.#editor.getAttributes('link')['href'] ?? ''));
    this.#value.focus();
    this.#value.select();
  }

  /** Follows the selection. */
  renew(): void {
    const { activeElement } = document;
    if (activeElement !== null && this.element.contains(activeElement)) return;
    const isPicture = this.#editor.isActive('image');
    if (isPicture) this.#show('picture', String(this.#editor.getAttributes('image')['alt'] ?? ''));
    else if (this.#editor.isActive('link')) this.#show('link', String(this.#editor.getAttributes('link')['href'] ?? ''));
    else this.#show(undefined);
  }

  #show(kind: 'link' | 'picture' | undefined, value = ''): void {
    this.#shown = kind;
    this.element.hidden = kind === undefined;
    this.#problem.hidden = true;
    this.#label.textContent = kind === 'picture' ? texts.alternative : texts.linkAddress;
    this.#value.value = value;
    this.#remove.hidden = kind !== 'link' || !this.#editor.isActive('link');
  }

  #commit(): void {
    const value = this.#value.value.trim();
    if (this.#shown === 'picture') {
      this.#editor.chain().focus().updateAttributes('image', { alt: value }).run();
      return;
    }
    if (contentAddress('link', value) === undefined) {
      this.#problem.textContent = texts.refusedAddress;
      this.#problem.hidden = false;
      return;
    }
    const { from, to } = this.#editor.state.selection;
    const chain = this.#editor.chain().focus();
    if (from === to && !this.#editor.isActive('link'))
      chain.insertContent({ type: 'text', text: value, marks: [{ type: 'link', attrs: { href: value } }] }).run();
    else chain.extendMarkRange('link').setLink({ href: value }).run();
  }
}
