/** The menu of a map as `viewer.js` sees it: its part is loaded when it is opened first. */
import type { ViewerPart } from '../parts/viewer-part.ts';
import type { ShareHost, ShareMenu } from './share-contract.ts';

export class ShareMode {
  readonly #part: ViewerPart<'share'>;
  readonly #host: ShareHost;
  #menu: ShareMenu | undefined;

  constructor(part: ViewerPart<'share'>, host: ShareHost) {
    this.#part = part;
    this.#host = host;
  }

  /** Opens the menu, or closes it. */
  toggle(): void {
    this.#part.use(({ createMenu }) => {
      this.#menu ??= createMenu(this.#host);
      this.#menu.toggle();
    });
  }
}
