/** A map apart from the screen, which becomes a picture: with names and groups, in light colours, of a size of its own. */
import type { Extent } from 'ol/extent.js';
import type OlMap from 'ol/Map.js';
import type { Box } from '../../../../lib/geo/polygon.ts';
import type { Drawing } from '../drawing.ts';
import type { ObjectFilter } from '../drawn-objects.ts';
import type { LoadOutlines } from '../ground/outlines-contract.ts';
import type { TileSource } from '../ground/tile-source.ts';
import type { SpotGroups } from '../groups/spot-groups.ts';
import type { MapLabels } from '../labels/map-labels.ts';
import type { LabelMode, MapArtboard, MapDocument } from '../map-document.ts';
import { flatSheet } from './flat-sheet.ts';

/** The classes that draw a map on the screen. A part of the viewer gets them from the script that loads it. */
export interface MapDrawers {
  readonly Drawing: typeof Drawing;
  readonly SpotGroups: typeof SpotGroups;
  readonly MapLabels: typeof MapLabels;
}

/** Marks above a map, such as numbers. */
export interface Annotation {
  /** No name covers them. CSS pixels. */
  readonly boxes: readonly Box[];
  /** The names that are written with them. Default: those of the options. */
  readonly labels?: LabelMode;
  /** @param context draws in CSS pixels */
  paint(context: CanvasRenderingContext2D): void;
}

export interface FlatMapOptions {
  readonly drawers: MapDrawers;
  readonly artboard: MapArtboard;
  readonly icons: MapDocument['icons'];
  readonly start: MapDocument['start'];
  readonly labels: LabelMode;
  /** True if each spot is drawn by itself. Default: many are drawn as groups. */
  readonly hasNoGroups?: boolean;
  /** The objects that are drawn. Default: all. */
  readonly filter?: ObjectFilter;
  /** The part that is shown whole, in coordinates of the view. Default: the first view. */
  readonly extent?: Extent;
  /** Called when the map has its view. */
  annotate?(drawing: Drawing): Annotation;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per CSS pixel. */
  readonly pixelRatio: number;
  /** Sources of tiles; the first one is the default. */
  readonly tiles: readonly TileSource[];
  readonly loadOutlines: LoadOutlines;
}

/** Pictures and tiles that are slower than this are left out, in milliseconds. */
const completeMs = 10_000;
/** Tiles of a source of which one did not load have this time, in milliseconds: the others wait for a source that is away. */
const tilesMs = 1500;
/** Outlines of land are loaded after the first picture. Without them a map has one colour, in milliseconds. */
const outlinesMs = 4_000;
/** Pause between two looks at icons that are being loaded, in milliseconds. */
const lookMs = 50;

export class FlatMap {
  readonly drawing: Drawing;
  /** The elements of groups and of names. */
  readonly bubbles = layer('names');
  readonly names = layer('names');
  /** A picture, or tiles, could not be drawn: they did not load, or do not allow it. */
  isIncomplete = false;
  annotation: Annotation | undefined;
  readonly #options: FlatMapOptions;
  readonly #host = document.createElement('div');
  readonly #groups: SpotGroups;
  readonly #labels: MapLabels;
  readonly #outlines: Promise<void>;
  #giveUp = (): void => undefined;
  /** Tiles do not load. */
  readonly #lost = new Promise<false>((resolve) => {
    this.#giveUp = () => resolve(false);
  });

  constructor(options: FlatMapOptions) {
    this.#options = options;
    const { drawers, width, height, pixelRatio } = options;
    const view = layer('view');
    Object.assign(this.#host.style, {
      ...{ position: 'fixed', top: '0', left: '-100000px', width: `${width}px`, height: `${height}px` },
      ...{ overflow: 'hidden', pointerEvents: 'none', contain: 'strict', colorScheme: 'light' },
    });
    this.#host.setAttribute('aria-hidden', 'true');
    this.#host.inert = true;
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [flatSheet()];
    root.append(view, this.bubbles, this.names);
    document.body.append(this.#host);
    let hasOutlines = (): void => undefined;
    this.#outlines = new Promise<void>((resolve) => {
      hasOutlines = resolve;
    });
    this.drawing = new drawers.Drawing(view, {
      ...{ pixelRatio, fitsObjects: true, crossOrigin: 'anonymous', animates: () => false },
      loadOutlines: (use) =>
        options.loadOutlines((paint) => {
          use(paint);
          hasOutlines();
        }),
      onProblem: (problem) => {
        this.isIncomplete = true;
        if (problem === 'tiles') setTimeout(this.#giveUp, tilesMs);
      },
    });
    this.#groups = new drawers.SpotGroups(this.drawing, this.bubbles);
    this.#labels = new drawers.MapLabels(this.drawing, this.names, {
      obstacles: () => [...this.#groups.boxes, ...(this.annotation?.boxes ?? [])],
    });
  }

  /** The corner of the map on the screen. */
  get origin(): DOMRect {
    return this.#host.getBoundingClientRect();
  }

  /** Draws the map, and resolves when everything is there, or after a while. */
  async draw(): Promise<void> {
    const { drawing } = this;
    const { artboard, icons, start, extent, labels, filter, hasNoGroups, tiles, width, height } = this.#options;
    drawing.tiles = tiles;
    drawing.icons = icons;
    drawing.start = start;
    drawing.setFilter(filter);
    this.#groups.isOff = hasNoGroups === true;
    const complete = Promise.race([whenComplete(drawing.map), this.#lost]);
    drawing.show(artboard);
    if (extent !== undefined) drawing.map.getView().fit(extent, { size: [width, height] });
    const isComplete = (await complete) && (await this.#hasIcons());
    this.isIncomplete ||= !isComplete;
    if (artboard.type === 'osm') await Promise.race([this.#outlines, delay(outlinesMs)]);
    drawing.map.renderSync();
    this.annotation = this.#options.annotate?.(drawing);
    this.#labels.mode = this.annotation?.labels ?? labels;
    // Names are placed in a frame of their own.
    await twoFrames();
  }

  /** Waits for pictures that are icons. Resolves whether all of them can be drawn. */
  async #hasIcons(): Promise<boolean> {
    const end = performance.now() + completeMs;
    while (this.drawing.iconState === 'loading' && performance.now() < end) await delay(lookMs);
    return this.drawing.iconState === 'complete';
  }

  dispose(): void {
    this.#labels.dispose();
    this.#groups.dispose();
    this.drawing.dispose();
    this.#host.remove();
  }
}

const layer = (className: string): HTMLElement => Object.assign(document.createElement('div'), { className });

/** Resolves when everything is drawn, or with `false` after a while. */
function whenComplete(map: OlMap): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), completeMs);
    map.once('rendercomplete', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const twoFrames = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
