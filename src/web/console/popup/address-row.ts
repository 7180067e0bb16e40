/**
 * The row below the tools: the description of the selected picture, or the target of the link, which is an address, or a floor or an object of
 * the project by its name.
 */
import type { Editor } from '@tiptap/core';
import { withScheme } from '../../../lib/draw/link-rules.ts';
import { contentAddress } from '../../viewer/element/content-address.ts';
import { make } from '../../viewer/element/dom.ts';
import { firstMatch, isAddress, matching, type Place, targetAddress, targetText } from '../forms/controls/targets/link-target.ts';
import { frameTexts as texts } from './frame-texts.ts';

/** Matches of a name that are shown. */
const foundMax = 8;

export class AddressRow {
  readonly element = make('form', { className: 'row', hidden: true });
  /** Floors and objects that a link may lead to. */
  places: readonly Place[] = [];
  readonly #editor: Editor;
  readonly #label = make('label', { htmlFor: 'row-value' });
  readonly #value = make('input', { type: 'text', id: 'row-value', autocomplete: 'off' });
  readonly #apply = make('button', { type: 'submit', textContent: texts.apply });
  readonly #remove = make('button', { type: 'button', textContent: texts.removeLink });
  readonly #found = make('div', { id: 'row-found', hidden: true, attributes: { role: 'listbox', 'aria-label': texts.places } });
  readonly #fix = make('button', { type: 'button' });
  readonly #doubt = make('p', { className: 'doubt', hidden: true, attributes: { role: 'status' } }, this.#fix);
  readonly #problem = make('p', { className: 'problem', hidden: true, attributes: { role: 'alert' } });
  #shown: 'link' | 'picture' | undefined;
  #matches: readonly Place[] = [];
  /** Index of the match that Enter chooses; -1 for none. */
  #at = -1;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.element.append(this.#label, this.#value, this.#apply, this.#remove, this.#found, this.#doubt, this.#problem);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#commit();
    });
    // The sandbox of the frame submits no forms, not even to a listener.
    this.#apply.addEventListener('click', (event) => {
      event.preventDefault();
      this.#commit();
    });
    this.#value.addEventListener('keydown', (event) => this.#key(event));
    this.#value.addEventListener('input', () => this.#typed());
    this.#fix.addEventListener('click', () => {
      this.#value.value = withScheme(this.#value.value) ?? this.#value.value;
      this.#mark(-1);
      this.#commit();
    });
    this.#remove.addEventListener('click', () => {
      this.#show(undefined);
      editor.chain().focus().extendMarkRange('link').unsetLink().run();
    });
  }

  /** Asks for the target of a link around the selection. */
  openLink(): void {
    this.#show('link', this.#linked);
    this.#value.focus();
    this.#value.select();
    this.#find(this.#value.value);
  }

  /** Follows the selection. */
  renew(): void {
    const { activeElement } = document;
    if (activeElement !== null && this.element.contains(activeElement)) return;
    const isPicture = this.#editor.isActive('image');
    if (isPicture) this.#show('picture', String(this.#editor.getAttributes('image')['alt'] ?? ''));
    else if (this.#editor.isActive('link')) this.#show('link', this.#linked);
    else this.#show(undefined);
  }

  /** The target of the link at the selection: the name of a place, or the address. */
  get #linked(): string {
    const address = String(this.#editor.getAttributes('link')['href'] ?? '');
    return targetText(this.places, address);
  }

  #show(kind: 'link' | 'picture' | undefined, value = ''): void {
    this.#shown = kind;
    this.element.hidden = kind === undefined;
    this.#problem.hidden = true;
    this.#label.textContent = kind === 'picture' ? texts.alternative : texts.linkTarget;
    this.#value.value = value;
    this.#remove.hidden = kind !== 'link' || !this.#editor.isActive('link');
    for (const [name, text] of Object.entries({ role: 'combobox', 'aria-controls': this.#found.id, 'aria-autocomplete': 'list' }))
      if (kind === 'link') this.#value.setAttribute(name, text);
      else this.#value.removeAttribute(name);
    this.#list([]);
    this.#doubtOf(value);
  }

  #typed(): void {
    this.#problem.hidden = true;
    if (this.#shown !== 'link') return;
    this.#find(this.#value.value);
    this.#doubtOf(this.#value.value);
  }

  /** Lists the places whose name has a text. Without a text, the first ones: floors come before objects. */
  #find(text: string): void {
    this.#list(matching(this.places, text).slice(0, foundMax));
    if (this.#matches.length > 0) this.#mark(firstMatch(text));
  }

  #list(matches: readonly Place[]): void {
    this.#matches = matches;
    this.#found.hidden = matches.length === 0;
    this.#found.replaceChildren(
      ...matches.map(({ name, kind }, at) => {
        const attributes = { role: 'option', 'aria-selected': 'false' };
        const sort = make('small', { textContent: kind === 'floor' ? texts.floor : texts.object });
        const option = make('div', { id: `row-found-${at}`, attributes }, make('span', { textContent: name }), sort);
        // The field keeps the focus.
        option.addEventListener('pointerdown', (event) => event.preventDefault());
        option.addEventListener('mousedown', (event) => event.preventDefault());
        option.addEventListener('click', () => this.#choose(at));
        return option;
      }),
    );
    this.#mark(-1);
  }

  #mark(at: number): void {
    this.#at = at;
    [...this.#found.children].forEach((option, index) => {
      option.setAttribute('aria-selected', String(index === at));
    });
    if (this.#shown !== 'link') return;
    this.#value.setAttribute('aria-expanded', String(!this.#found.hidden));
    if (at === -1) this.#value.removeAttribute('aria-activedescendant');
    else this.#value.setAttribute('aria-activedescendant', `row-found-${at}`);
  }

  #choose(at: number): void {
    const place = this.#matches[at];
    if (place !== undefined) this.#link(`#${place.id}`, place.name);
  }

  #key(event: KeyboardEvent): void {
    const { length } = this.#matches;
    if (event.key === 'Enter') {
      this.#commit();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      this.#show(undefined);
      this.#editor.commands.focus();
    } else if (length > 0 && event.key === 'ArrowDown') this.#mark((this.#at + 1) % length);
    else if (length > 0 && event.key === 'ArrowUp') this.#mark(this.#at <= 0 ? length - 1 : this.#at - 1);
    else return;
    event.preventDefault();
  }

  #doubtOf(text: string): void {
    const fixed = this.#shown === 'link' ? withScheme(text) : undefined;
    this.#doubt.hidden = fixed === undefined;
    this.#fix.textContent = texts.useAddress(fixed ?? '');
  }

  #commit(): void {
    const value = this.#value.value.trim();
    if (this.#shown === 'picture') {
      this.#editor.chain().focus().updateAttributes('image', { alt: value }).run();
      return;
    }
    const address = targetAddress(this.places, value);
    if (this.#at !== -1) this.#choose(this.#at);
    else if (value !== '' && !isAddress(address)) this.#refuse(texts.neither(value));
    else if (contentAddress('link', address) === undefined) this.#refuse(texts.refusedAddress);
    else this.#link(address, value);
  }

  #refuse(reason: string): void {
    this.#problem.textContent = reason;
    this.#problem.hidden = false;
  }

  /** @param text of a link where nothing is selected */
  #link(href: string, text: string): void {
    const { from, to } = this.#editor.state.selection;
    const chain = this.#editor.chain().focus();
    if (from === to && !this.#editor.isActive('link'))
      chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.extendMarkRange('link').setLink({ href }).run();
  }
}
