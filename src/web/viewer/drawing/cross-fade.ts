/**
 * Fades from the picture of a map to the next one: a copy of the picture lies above the map and vanishes. So colours, outlines, places, new and
 * gone objects all fade, with any blend mode, and the cost does not depend on the number of objects.
 */
import { type Extent, equals } from 'ol/extent.js';
import type OlMap from 'ol/Map.js';

const fadeMs = 250;

export class CrossFade {
  readonly #map: OlMap;
  #copy: HTMLCanvasElement | undefined;
  /** What the copy shows. */
  #extent: Extent = [];

  constructor(map: OlMap) {
    this.#map = map;
    // The copy does not move with the view. The second picture of a map counts as a movement, too, though it shows the same.
    map.on('movestart', () => {
      if (!equals(this.#extent, map.getView().calculateExtent(map.getSize()))) this.end();
    });
    map.on('change:size', () => this.end());
  }

  /** Copies the picture. To be called before a change; the fade begins when the change is drawn. Without effect while the view moves. */
  begin(): void {
    const view = this.#map.getView();
    const [width = 0, height = 0] = this.#map.getSize() ?? [];
    if (width === 0 || height === 0 || view.getAnimating() || view.getInteracting()) return;
    const copy = this.#picture(width, height);
    this.end();
    if (copy === undefined) return;
    this.#copy = copy;
    this.#extent = view.calculateExtent([width, height]);
    this.#layers?.after(copy);
    this.#map.once('postrender', () => {
      copy.animate({ opacity: [1, 0] }, { duration: fadeMs, fill: 'forwards' }).onfinish = () => copy.remove();
    });
  }

  get #layers(): Element | null {
    return this.#map.getTargetElement()?.querySelector('.ol-layers') ?? null;
  }

  /** The picture as it is visible now, also in the middle of a fade. */
  #picture(width: number, height: number): HTMLCanvasElement | undefined {
    const picture = document.createElement('canvas');
    picture.width = Math.round(width * devicePixelRatio);
    picture.height = Math.round(height * devicePixelRatio);
    picture.className = 'fade';
    Object.assign(picture.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', pointerEvents: 'none' });
    const context = picture.getContext('2d');
    if (context === null) return undefined;
    for (const layer of this.#layers?.querySelectorAll('canvas') ?? []) {
      context.setTransform(new DOMMatrix().scale(devicePixelRatio).multiply(new DOMMatrix(layer.style.transform)));
      context.drawImage(layer, 0, 0);
    }
    if (this.#copy?.isConnected) {
      context.resetTransform();
      context.globalAlpha = Number(getComputedStyle(this.#copy).opacity);
      context.drawImage(this.#copy, 0, 0);
    }
    return picture;
  }

  /** Shows the map as it is now. */
  end(): void {
    this.#copy?.remove();
    this.#copy = undefined;
  }
}
