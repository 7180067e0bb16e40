/**
 * The ground of an artboard on a map: outlines of land and borders, and tiles above them. The outlines are loaded after the first picture. They are all
 * there is without tiles, and stay where tiles do not load.
 */
import type ImageTile from 'ol/ImageTile.js';
import type BaseLayer from 'ol/layer/Base.js';
import TileLayer from 'ol/layer/Tile.js';
import type OlMap from 'ol/Map.js';
import XYZ from 'ol/source/XYZ.js';
import { openStreetMap } from '../../../../lib/draw/open-street-map.ts';
import type { ArtboardFrame } from '../artboard-frame.ts';
import { tileZoomMax } from '../backdrop.ts';
import type { CrossOrigin } from '../painting/object-icons.ts';
import { area, filled } from './area-layer.ts';
import type { LoadOutlines, PaintOutlines } from './outlines-contract.ts';
import { type FallbackTile, loadTile, loadTileOr, TileRequests } from './tile-requests.ts';
import { type TileSource, tileSourceFor } from './tile-source.ts';
import { whenDrawn, whenIdle } from './when-drawn.ts';

interface MapGroundOptions {
  /** Finds pictures in the place of tiles that do not load. */
  readonly fallbackTile?: FallbackTile | undefined;
  /** Without it there are no outlines. */
  readonly loadOutlines?: LoadOutlines | undefined;
  readonly crossOrigin?: CrossOrigin | undefined;
}

/** Colours of the water, until the outlines are there: light and dark. */
const water = ['rgb(227, 234, 241)', 'rgb(22, 33, 43)'] as const;

export class MapGround {
  readonly #map: OlMap;
  readonly #target: HTMLElement;
  readonly #options: MapGroundOptions;
  /** The first one is the default. */
  sources: readonly TileSource[] = [openStreetMap];
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  #paint: PaintOutlines | undefined;
  #isAsked = false;
  #requests: TileRequests | undefined;

  constructor(map: OlMap, target: HTMLElement, options: MapGroundOptions) {
    this.#map = map;
    this.#target = target;
    this.#options = options;
    // No caret is ever there: its colour says whether this part of the page is dark.
    target.style.caretColor = `light-dark(${water.join()})`;
    this.#scheme.onchange = () => map.render();
  }

  /**
   * @param name of the source of tiles that the artboard names; '' for none
   * @param onProblem called once if tiles do not load
   */
  layers(frame: ArtboardFrame, name: string, onProblem: () => void): BaseLayer[] {
    const outlines = area(frame, (canvas, box, pixelRatio) => {
      const css = getComputedStyle(this.#target).caretColor;
      if (this.#paint === undefined) filled(css)(canvas, box, pixelRatio);
      else this.#paint(canvas, { box, extent: frame.limits, pixelRatio, isDark: css === water[1] });
    });
    const load = (): void => this.#load();
    const { url } = tileSourceFor(this.sources, name);
    whenDrawn(this.#map, url === 'none' ? load : () => whenIdle(load));
    if (url === 'none') return [outlines];
    const { fallbackTile, crossOrigin } = this.#options;
    const requests = new TileRequests(fallbackTile === undefined ? loadTile : loadTileOr(fallbackTile));
    this.#requests = requests;
    const source = new XYZ({
      url,
      maxZoom: tileZoomMax,
      crossOrigin: crossOrigin ?? null,
      transition: 0,
      tileLoadFunction: (tile, address) => requests.ask((tile as ImageTile).getImage() as HTMLImageElement, address),
    });
    source.once('tileloaderror', () => {
      if (requests.isEnded) return;
      load();
      onProblem();
    });
    return [outlines, new TileLayer({ source })];
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#options.loadOutlines?.((paint) => {
      this.#paint = paint;
      this.#map.render();
    });
  }

  /** Other layers take the place of those of the ground. */
  leave(): void {
    this.#requests?.end();
  }

  dispose(): void {
    this.leave();
    this.#scheme.onchange = null;
  }
}
