/** The tools of the text view: one stop of the Tab key, within which arrow keys move the focus. */
import type { Editor } from '@tiptap/core';
import { icon, make } from '../../viewer/element/dom.ts';
import { frameTexts as texts } from './frame-texts.ts';

interface Tool {
  readonly label: string;
  /** A letter, or a picture of lines in a box of 24 × 24. */
  readonly sign: string;
  readonly run: (editor: Editor) => void;
  /** Without it, the tool is no switch. */
  readonly isOn?: (editor: Editor) => boolean;
  /** Shown only while it is true. */
  readonly isShown?: (editor: Editor) => boolean;
}

const inTable = (editor: Editor): boolean => editor.isActive('table');
const chain = (editor: Editor) => editor.chain().focus();

interface ToolActions {
  readonly openLink: () => void;
  readonly onLibrary: () => void;
  /** Asks for pictures of the device. */
  readonly onFiles: () => void;
}

const tools = ({ openLink, onLibrary, onFiles }: ToolActions): readonly Tool[] => [
  { label: texts.bold, sign: 'B', run: (e) => chain(e).toggleBold().run(), isOn: (e) => e.isActive('bold') },
  { label: texts.italic, sign: 'I', run: (e) => chain(e).toggleItalic().run(), isOn: (e) => e.isActive('italic') },
  ...([3, 4] as const).map((level) => ({
    label: level === 3 ? texts.heading : texts.subheading,
    sign: level === 3 ? 'H' : 'h',
    run: (e: Editor) => chain(e).toggleHeading({ level }).run(),
    isOn: (e: Editor) => e.isActive('heading', { level }),
  })),
  {
    label: texts.bullets,
    sign: 'M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01',
    run: (e) => chain(e).toggleBulletList().run(),
    isOn: (e) => e.isActive('bulletList'),
  },
  {
    label: texts.numbers,
    sign: 'M10 6h11M10 12h11M10 18h11M4 4l1.5-1v6M3.5 15.5q3-2 2 .5l-2.500 4h3.500',
    run: (e) => chain(e).toggleOrderedList().run(),
    isOn: (e) => e.isActive('orderedList'),
  },
  {
    label: texts.link,
    sign: 'M10 13a5 5 0 0 0 7 0l3-3a5 5 0 0 0-7-7l-1.500 1.500M14 11a5 5 0 0 0-7 0l-3 3a5 5 0 0 0 7 7l1.500-1.500',
    run: openLink,
    isOn: (e) => e.isActive('link'),
  },
  { label: texts.picture, sign: 'M3 4h18v16H3zM8.500 9.500h.01M3 17l6-6 5 5 3-3 4 4', run: onLibrary },
  { label: texts.newPicture, sign: 'M4 19V5h16v8M4 19h8M4 16l5-5 5 5M18 16v6M15 19h6', run: onFiles },
  {
    label: texts.table,
    sign: 'M3 4h18v16H3zM3 10h18M3 15h18M12 4v16',
    run: (e) => chain(e).insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run(),
    isShown: (e) => !inTable(e),
  },
  {
    label: texts.addRow,
    sign: 'M3 4h18v7H3zM12 14v7M8.500 17.500h7',
    run: (e) => chain(e).addRowAfter().run(),
    isShown: inTable,
  },
  {
    label: texts.addColumn,
    sign: 'M4 3h7v18H4zM14 12h7M17.500 8.500v7',
    run: (e) => chain(e).addColumnAfter().run(),
    isShown: inTable,
  },
  { label: texts.deleteRow, sign: 'M3 4h18v7H3zM8.500 17.500h7', run: (e) => chain(e).deleteRow().run(), isShown: inTable },
  { label: texts.deleteColumn, sign: 'M4 3h7v18H4zM14 12h7', run: (e) => chain(e).deleteColumn().run(), isShown: inTable },
  {
    label: texts.deleteTable,
    sign: 'M3 4h18v16H3zM8 8l8 8M16 8l-8 8',
    run: (e) => chain(e).deleteTable().run(),
    isShown: inTable,
  },
  { label: texts.undo, sign: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3', run: (e) => chain(e).undo().run() },
  { label: texts.redo, sign: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3', run: (e) => chain(e).redo().run() },
];

export class ToolBar {
  readonly element = make('div', { className: 'tools', attributes: { role: 'toolbar', 'aria-label': texts.tools } });
  readonly #editor: Editor;
  readonly #items: readonly { readonly tool: Tool; readonly button: HTMLButtonElement }[];

  constructor(editor: Editor, actions: ToolActions) {
    this.#editor = editor;
    this.#items = tools(actions).map((tool) => {
      const { label, sign } = tool;
      const sketch = sign.length === 1 ? make('span', { textContent: sign, ariaHidden: 'true' }) : icon(sign);
      const button = make('button', { type: 'button', ariaLabel: label, title: label, tabIndex: -1 }, sketch);
      // The selection of the text stays, also in browsers that move the focus.
      button.addEventListener('pointerdown', (event) => event.preventDefault());
      button.addEventListener('click', () => tool.run(editor));
      return { tool, button };
    });
    this.element.append(...this.#items.map(({ button }) => button));
    this.element.addEventListener('keydown', (event) => this.#move(event));
    this.renew();
  }

  /** Shows what is on at the selection. */
  renew(): void {
    for (const { tool, button } of this.#items) {
      if (tool.isOn !== undefined) button.ariaPressed = String(tool.isOn(this.#editor));
      button.hidden = tool.isShown?.(this.#editor) === false;
    }
    const shown = this.#shown;
    if (!shown.some(({ tabIndex }) => tabIndex === 0)) this.#stopAt(shown[0]);
  }

  get #shown(): HTMLButtonElement[] {
    return this.#items.flatMap(({ button }) => (button.hidden ? [] : [button]));
  }

  /** Makes a button the one that the Tab key reaches. */
  #stopAt(stop: HTMLButtonElement | undefined): void {
    for (const { button } of this.#items) button.tabIndex = button === stop ? 0 : -1;
  }

  #move(event: KeyboardEvent): void {
    const shown = this.#shown;
    const at = shown.indexOf(document.activeElement as HTMLButtonElement);
    const targets: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = shown[(target + shown.length) % shown.length];
    this.#stopAt(next);
    next?.focus();
  }
}
