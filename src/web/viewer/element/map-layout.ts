/**
 * The list of objects and the view of the map, side by side: whether the list is visible, has a field that searches the map, or is a panel with
 * categories and filters. The map and the attributes of the element decide it, and the button of the search.
 */
import { make } from './dom.ts';
import type { MapStage } from './map-stage.ts';
import type { SidePanel } from './panel/side-panel.ts';

interface LayoutState {
  readonly isListed: boolean;
  readonly hasField: boolean;
  /** Whether the button of the search shows an open search; `undefined` without a button. */
  readonly button: boolean | undefined;
  readonly isPanel: boolean;
}

const states = {
  /** The keyboard and screen readers find the list. */
  quiet: { isListed: false, hasField: false, button: undefined, isPanel: false },
  listed: { isListed: true, hasField: false, button: undefined, isPanel: false },
  listedWithField: { isListed: true, hasField: true, button: undefined, isPanel: false },
  /** The button opens the list. */
  closed: { isListed: false, hasField: false, button: false, isPanel: false },
  searching: { isListed: true, hasField: true, button: true, isPanel: false },
  panel: { isListed: true, hasField: true, button: undefined, isPanel: true },
} as const satisfies Readonly<Record<string, LayoutState>>;

type State = keyof typeof states;

/** The facts that decide the layout. */
interface LayoutChoice {
  readonly hasList: boolean;
  readonly hasSearch: boolean;
  readonly hasPanel: boolean;
  /** True if the list cannot be loaded, or the map is on a wall. */
  readonly isGone: boolean;
}

/** A search that is open stays open while there is a button. */
function stateFor({ hasList, hasSearch, hasPanel, isGone }: LayoutChoice, before: State): State {
  if (isGone) return 'quiet';
  if (hasPanel) return 'panel';
  if (hasList) return hasSearch ? 'listedWithField' : 'listed';
  if (!hasSearch) return 'quiet';
  return before === 'searching' ? 'searching' : 'closed';
}

export class MapLayout {
  readonly element: HTMLElement;
  readonly #list: SidePanel;
  readonly #stage: MapStage;
  #state: State = 'quiet';

  constructor(list: SidePanel, stage: MapStage) {
    this.#list = list;
    this.#stage = stage;
    this.element = make('div', { className: 'frame', attributes: { part: 'frame' } }, list.element, stage.element);
  }

  /** Whether the list is visible. */
  get isListed(): boolean {
    return states[this.#state].isListed;
  }

  /** Whether the search was opened with its button. */
  get isSearching(): boolean {
    return this.#state === 'searching';
  }

  set choice(choice: LayoutChoice) {
    this.#enter(stateFor(choice, this.#state));
  }

  /** Opens or closes the search, and moves the focus. Without effect if there is no button. */
  toggleSearch(): void {
    if (this.#state === 'closed') {
      this.#enter('searching');
      this.#list.focusSearch();
    } else if (this.#state === 'searching') {
      this.#enter('closed');
      this.#stage.focusSearchButton();
    }
  }

  /** Closes a search that its button opened, if it takes height from the view, as on phones. Returns whether it did. */
  leaveSearch(): boolean {
    if (this.#state === 'panel') this.#list.makeRoom();
    if (this.#state !== 'searching' || this.#stage.element.offsetWidth < this.element.offsetWidth) return false;
    this.toggleSearch();
    this.#stage.drawing?.map.updateSize();
    return true;
  }

  #enter(state: State): void {
    this.#state = state;
    const { isListed, hasField, button, isPanel } = states[state];
    this.element.classList.toggle('listed', isListed);
    this.element.classList.toggle('panelled', isPanel);
    this.#list.element.classList.toggle('quiet', !isListed);
    this.#stage.search = button;
    this.#list.update({ hasField, isPanel });
  }
}
