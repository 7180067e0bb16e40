/**
 * The list of objects and the view of the map, side by side: whether the list is visible and has a field that searches the map. The attributes of
 * the element decide it, and the button of the search.
 */
import { make } from './dom.ts';
import type { MapStage } from './map-stage.ts';
import type { ObjectList } from './object-list.ts';

interface LayoutState {
  readonly isListed: boolean;
  readonly hasField: boolean;
  /** Whether the button of the search shows an open search; `undefined` without a button. */
  readonly button: boolean | undefined;
}

const states = {
  /** The keyboard and screen readers find the list. */
  quiet: { isListed: false, hasField: false, button: undefined },
  listed: { isListed: true, hasField: false, button: undefined },
  listedWithField: { isListed: true, hasField: true, button: undefined },
  /** The button opens the list. */
  closed: { isListed: false, hasField: false, button: false },
  searching: { isListed: true, hasField: true, button: true },
} as const satisfies Readonly<Record<string, LayoutState>>;

type State = keyof typeof states;

/** The attributes that decide the layout. */
interface LayoutAttributes {
  readonly hasList: boolean;
  readonly hasSearch: boolean;
}

/** A search that is open stays open while there is a button. */
function stateFor({ hasList, hasSearch }: LayoutAttributes, before: State): State {
  if (hasList) return hasSearch ? 'listedWithField' : 'listed';
  if (!hasSearch) return 'quiet';
  return before === 'searching' ? 'searching' : 'closed';
}

export class MapLayout {
  readonly element: HTMLElement;
  readonly #list: ObjectList;
  readonly #stage: MapStage;
  #state: State = 'quiet';

  constructor(list: ObjectList, stage: MapStage) {
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

  set attributes(attributes: LayoutAttributes) {
    this.#enter(stateFor(attributes, this.#state));
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
    if (this.#state !== 'searching' || this.#stage.element.offsetWidth < this.element.offsetWidth) return false;
    this.toggleSearch();
    this.#stage.drawing?.map.updateSize();
    return true;
  }

  #enter(state: State): void {
    this.#state = state;
    const { isListed, hasField, button } = states[state];
    this.element.classList.toggle('listed', isListed);
    this.#list.element.classList.toggle('quiet', !isListed);
    this.#stage.search = button;
    this.#list.hasSearch = hasField;
  }
}
