/**
 * The panel of a narrow map: a sheet at its bottom, which a drag of its handle or a key opens and closes. It covers the map, and leaves the switch of
 * artboards free.
 */
import { make } from '../dom.ts';

/** How far a sheet is open. */
export type SheetState = 'collapsed' | 'half' | 'full';

const order: readonly SheetState[] = ['collapsed', 'half', 'full'];

/** Heights in pixels, and as shares of the height of the map. */
const heights = { collapsed: 76, half: 0.48, topPx: 56 };
/** A drag that is shorter is a click, in pixels. */
const dragPx = 6;

export const sheetHeight = (state: SheetState, mapPx: number): number => {
  const most = Math.max(heights.collapsed, mapPx - heights.topPx);
  return Math.round(Math.min(most, { collapsed: heights.collapsed, half: mapPx * heights.half, full: most }[state]));
};

/** The state whose height is nearest. */
export const nearestState = (heightPx: number, mapPx: number): SheetState => {
  const distance = (state: SheetState): number => Math.abs(sheetHeight(state, mapPx) - heightPx);
  return order.reduce((best, state) => (distance(state) < distance(best) ? state : best));
};

interface SheetOptions {
  /** Its handle is the first thing in it. */
  readonly element: HTMLElement;
  /** Height of the map, in pixels. */
  mapPx(): number;
  /** The sheet has another height, which covers the map. */
  onHeight(px: number): void;
}

export class Sheet {
  readonly handle = make('button', { type: 'button', className: 'handle' });
  readonly #options: SheetOptions;
  #state: SheetState = 'collapsed';
  /** Where the drag began, and the height of the sheet then. */
  #drag: { readonly y: number; readonly height: number; isMoved: boolean } | undefined;

  constructor(options: SheetOptions) {
    this.#options = options;
    const { handle } = this;
    handle.append(make('span', { attributes: { 'aria-hidden': 'true' } }));
    handle.addEventListener('click', (event) => {
      // After a drag there is a click, too: one of the keyboard has no place.
      if (this.#drag?.isMoved !== true || event.detail === 0) this.state = this.#state === 'collapsed' ? 'half' : 'collapsed';
      this.#drag = undefined;
    });
    handle.addEventListener('keydown', (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.state = order[Math.max(0, Math.min(order.length - 1, order.indexOf(this.#state) + step))] as SheetState;
    });
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      this.#drag = { y: event.clientY, height: options.element.offsetHeight, isMoved: false };
    });
    handle.addEventListener('pointermove', (event) => this.#move(event));
    handle.addEventListener('pointerup', () => this.#drop());
    handle.addEventListener('pointercancel', () => {
      this.#drop();
      this.#drag = undefined;
    });
  }

  get state(): SheetState {
    return this.#state;
  }

  set state(state: SheetState) {
    this.#state = state;
    this.layOut();
  }

  /** Opens it so far that its content can be read. */
  open(): void {
    if (this.#state === 'collapsed') this.state = 'half';
  }

  /** The map, or what it says, has changed. */
  layOut(): void {
    this.handle.setAttribute('aria-expanded', `${this.#state !== 'collapsed'}`);
    this.#options.element.classList.toggle('collapsed', this.#state === 'collapsed');
    this.#setHeight(sheetHeight(this.#state, this.#options.mapPx()));
  }

  #setHeight(px: number): void {
    this.#options.element.style.setProperty('--_sheet', `${px}px`);
    // Below a sheet that is fully open there is no map to look at.
    this.#options.onHeight(Math.min(px, sheetHeight('half', this.#options.mapPx())));
  }

  #move({ clientY, buttons }: PointerEvent): void {
    const drag = this.#drag;
    if (drag === undefined || buttons === 0) return;
    const up = drag.y - clientY;
    if (!drag.isMoved && Math.abs(up) < dragPx) return;
    drag.isMoved = true;
    this.#options.element.classList.remove('collapsed');
    const mapPx = this.#options.mapPx();
    const height = Math.max(heights.collapsed, Math.min(sheetHeight('full', mapPx), drag.height + up));
    this.#options.element.style.setProperty('--_sheet', `${height}px`);
  }

  #drop(): void {
    if (this.#drag?.isMoved !== true) return;
    this.state = nearestState(this.#options.element.offsetHeight, this.#options.mapPx());
  }
}
