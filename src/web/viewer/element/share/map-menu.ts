/** The menu of a map: shares a link to the view or to the place that is open, prints, and saves a picture. */
import { make } from '../dom.ts';
import { filledIn } from '../texts.ts';
import { handOn, linkTo } from './map-link.ts';
import { titlesOf } from './map-title.ts';
import { printMap } from './print/print-map.ts';
import { pictureScales, savePicture } from './save-picture.ts';
import type { ShareHost, ShareMenu } from './share-contract.ts';
import { shareSheet } from './share-style.ts';
import { shareTextsFor } from './share-texts.ts';

export class MapMenu implements ShareMenu {
  readonly #host: ShareHost;
  readonly #view = this.#button(() => this.#share('view'));
  readonly #place = this.#button(() => this.#share('place'));
  readonly #print = this.#button(() => this.#draw(() => this.#printMap()));
  readonly #save = this.#button(() => this.#draw(() => this.#savePicture()));
  readonly #size = make('select');
  readonly #link = make('input', { type: 'text', readOnly: true, hidden: true });
  readonly #status = make('p', { attributes: { role: 'status' } });
  #isDrawing = false;
  readonly #element = make(
    'div',
    { className: 'menu', hidden: true, attributes: { role: 'group', part: 'menu' } },
    ...[this.#view, this.#place, this.#status, this.#link, this.#print],
    make('div', { className: 'save' }, this.#save, this.#size),
  );

  constructor(host: ShareHost) {
    this.#host = host;
    const { stage } = host;
    const root = stage.element.getRootNode() as ShadowRoot;
    root.adoptedStyleSheets.push(shareSheet());
    stage.element.append(this.#element);
    this.#link.addEventListener('focus', () => this.#link.select());
    this.#element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#close();
    });
    // Inside of other shadow trees, the target of an event is their host.
    document.addEventListener('pointerdown', this.#leave);
  }

  #button(act: () => unknown): HTMLButtonElement {
    return make('button', { type: 'button', onclick: () => void act() });
  }

  readonly #leave = (event: Event): void => {
    const path = event.composedPath();
    if (!this.#host.element.isConnected) document.removeEventListener('pointerdown', this.#leave);
    if (!path.includes(this.#element) && !path.includes(this.#host.stage.menu)) this.#hide();
  };

  toggle(): void {
    if (this.#element.hidden) this.#open();
    else this.#close();
  }

  #open(): void {
    const { stage, language, source, navigation, popup } = this.#host;
    const { texts, languages } = language();
    const words = shareTextsFor(languages);
    const { clientWidth, clientHeight } = stage.canvas;
    const { shown } = source;
    const object = popup.id === undefined ? undefined : shown?.objectOf(popup.id, navigation.artboard);
    const at = object === undefined ? -1 : (navigation.artboard?.objects.indexOf(object) ?? -1);
    this.#element.setAttribute('aria-label', texts.menu);
    this.#view.textContent = words.view;
    this.#place.hidden = object === undefined;
    this.#place.textContent = object && shown ? filledIn(words.place, { name: shown.titleOf(object, at, texts) }) : '';
    this.#print.textContent = words.print;
    this.#save.textContent = words.save;
    this.#size.setAttribute('aria-label', words.size);
    const { value } = this.#size;
    this.#size.replaceChildren(
      ...pictureScales.map((scale) => {
        const [width, height] = [clientWidth * scale, clientHeight * scale];
        return make('option', { value: `${scale}`, title: filledIn(words.pixels, { width, height }), textContent: `${scale}×` });
      }),
    );
    this.#size.value = value || '2';
    this.#link.setAttribute('aria-label', words.link);
    this.#link.hidden = true;
    this.#status.textContent = '';
    this.#element.hidden = false;
    stage.menu.setAttribute('aria-expanded', 'true');
    this.#view.focus({ preventScroll: true });
  }

  #hide(): void {
    this.#element.hidden = true;
    this.#host.stage.menu.setAttribute('aria-expanded', 'false');
  }

  #close(): void {
    this.#hide();
    this.#host.stage.menu.focus({ preventScroll: true });
  }

  get #words() {
    return shareTextsFor(this.#host.language().languages);
  }

  async #share(what: 'view' | 'place'): Promise<void> {
    const link = linkTo(what, this.#host);
    const handed = await handOn(link, document.title);
    this.#status.textContent = { shared: '', copied: this.#words.copied, failed: this.#words.copy }[handed];
    this.#link.value = link;
    this.#link.hidden = handed === 'shared';
    if (handed === 'failed') this.#link.focus({ preventScroll: true });
  }

  /** Draws the map apart from the screen: that takes a moment. @param act resolves with what to say then */
  async #draw(act: () => Promise<string>): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const words = this.#words;
    // A button that is disabled would lose the focus.
    const buttons = [this.#print, this.#save];
    this.#link.hidden = true;
    this.#status.textContent = words.preparing;
    for (const each of buttons) each.ariaDisabled = 'true';
    try {
      this.#status.textContent = await act();
    } catch (error) {
      console.warn(error);
      this.#status.textContent = words.failed;
    }
    for (const each of buttons) each.ariaDisabled = null;
    this.#isDrawing = false;
  }

  async #printMap(): Promise<string> {
    return (await printMap(this.#host)) ? '' : this.#words.incomplete;
  }

  async #savePicture(): Promise<string> {
    const words = this.#words;
    const isComplete = await savePicture(this.#host, Number(this.#size.value), titlesOf(this.#host).map);
    return isComplete ? words.saved : `${words.saved} ${words.incomplete}`;
  }
}
