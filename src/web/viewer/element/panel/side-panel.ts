/** The list, or the panel around it, as the rest of the element sees it: before its part is loaded, and after that. */
import { colourOf } from '../../drawing/colours.ts';
import { make } from '../dom.ts';
import type { ViewerPart } from '../parts/viewer-part.ts';
import { textsFor } from '../texts.ts';
import type { Panel, PanelHost, PanelState } from './panel-contract.ts';

interface SidePanelOptions extends Omit<PanelHost, 'colourOf' | 'addSheet'> {
  readonly part: ViewerPart<'panel'>;
}

export class SidePanel {
  /** Of the details of an object. */
  readonly details = make('div', {
    className: 'details',
    hidden: true,
    tabIndex: -1,
    attributes: { role: 'group', part: 'details', 'aria-labelledby': 'details-title' },
  });
  readonly element = make('div', { className: 'list', attributes: { role: 'group', part: 'list' } }, this.details);
  readonly #options: SidePanelOptions;
  #panel: Panel | undefined;
  #state: PanelState = {
    ...{ shown: undefined, artboard: undefined, current: undefined },
    ...{ texts: textsFor([]), languages: [], isPanel: false, hasField: false, isDetailed: false },
  };

  constructor(options: SidePanelOptions) {
    this.#options = options;
  }

  /** Takes the part once it is loaded. */
  fill(): void {
    this.#options.part.use(({ createPanel }) => {
      if (this.#panel !== undefined) return;
      this.#panel = createPanel(this.element, this.details, {
        ...this.#options,
        colourOf,
        addSheet: (sheet) => this.#adopt(sheet),
      });
      this.#panel.update(this.#state);
    });
  }

  #adopt(sheet: CSSStyleSheet): void {
    (this.element.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
  }

  update(changes: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...changes };
    if (changes.texts !== undefined) this.element.setAttribute('aria-label', changes.texts.objects);
    if (changes.isDetailed !== undefined) this.details.hidden = !changes.isDetailed;
    this.#panel?.update(this.#state);
  }

  get isPanel(): boolean {
    return this.#state.isPanel;
  }

  /** Moves the focus to the row of an object; whether it has one. */
  focus(id: string): boolean {
    return this.#panel?.focus(id) === true;
  }

  focusSearch(): void {
    this.#panel?.focusSearch();
  }

  /** Leaves the map more room, if the panel is a sheet above it. */
  makeRoom(): void {
    this.#panel?.makeRoom();
  }

  resized(): void {
    this.#panel?.resized();
  }

  /** Shows what the filter has become. */
  filtered(): void {
    this.#panel?.update(this.#state);
  }
}
