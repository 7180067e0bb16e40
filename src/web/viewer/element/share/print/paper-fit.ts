/** A page on paper is narrower than on a screen: while it is printed, an element is smaller, with all that it shows. */

const events = ['beforeprint', 'afterprint'] as const;
/** Width of A4 without margins, in CSS pixels. */
const paperPx = 700;

export class PaperFit {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  start(): void {
    for (const event of events) addEventListener(event, this.#fit);
  }

  stop(): void {
    for (const event of events) removeEventListener(event, this.#fit);
  }

  readonly #fit = ({ type }: Event): void => {
    const factor = type === events[0] ? Math.min(1, paperPx / this.#element.clientWidth) : 1;
    this.#element.style.zoom = `${factor}`;
  };
}
