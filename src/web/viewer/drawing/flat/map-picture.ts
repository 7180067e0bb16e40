/**
 * Draws an artboard into one canvas, with names and groups, apart from the screen: for pictures of maps. Pictures of other sites that do not allow
 * pages to read them are left out, as a canvas with one could not be saved.
 */
import type OlMap from 'ol/Map.js';
import { Drawing } from '../drawing.ts';
import type { LoadOutlines } from '../ground/outlines-contract.ts';
import { creditText, type TileSource } from '../ground/tile-source.ts';
import { SpotGroups } from '../groups/spot-groups.ts';
import { MapLabels } from '../labels/map-labels.ts';
import type { LabelMode, MapArtboard, MapDocument } from '../map-document.ts';
import { flatSheet } from './flat-sheet.ts';
import { drawGroup, drawName } from './flat-text.ts';

export interface MapPictureOptions {
  readonly artboard: MapArtboard;
  readonly icons: MapDocument['icons'];
  readonly start: MapDocument['start'];
  readonly labels: LabelMode;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per CSS pixel. */
  readonly pixelRatio: number;
  /** Sources of tiles; the first one is the default. */
  readonly tiles: readonly TileSource[];
  readonly loadOutlines: LoadOutlines;
  /** Colour of groups of spots. */
  readonly accent: string;
}

export interface MapPicture {
  readonly canvas: HTMLCanvasElement;
  /** A picture, or tiles, could not be drawn: they did not load, or do not allow it. */
  readonly isIncomplete: boolean;
}

/** Colour around the artboard: that of the element in light colours. */
const around = '#eef2f6';
/** Pictures and tiles that are slower than this are left out, in milliseconds. */
const completeMs = 10_000;
/** Outlines of land are loaded after the first picture. Without them a map has one colour, in milliseconds. */
const outlinesMs = 4_000;

/** Rejects if the browser gives no canvas. */
export async function mapPicture(options: MapPictureOptions): Promise<MapPicture> {
  const { artboard, width, height, pixelRatio } = options;
  const host = document.createElement('div');
  Object.assign(host.style, {
    ...{ position: 'fixed', top: '0', left: '-100000px', width: `${width}px`, height: `${height}px`, overflow: 'hidden' },
    ...{ pointerEvents: 'none', contain: 'strict' },
  });
  host.setAttribute('aria-hidden', 'true');
  host.inert = true;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [flatSheet()];
  const layer = (className: string): HTMLElement => {
    const element = Object.assign(document.createElement('div'), { className });
    root.append(element);
    return element;
  };
  const [view, bubbles, names] = [layer('view'), layer('names'), layer('names')];
  document.body.append(host);
  let isIncomplete = false;
  let hasOutlines = (): void => undefined;
  const outlines = new Promise<void>((resolve) => {
    hasOutlines = resolve;
  });
  const drawing = new Drawing(view, {
    ...{ pixelRatio, fitsObjects: true, crossOrigin: 'anonymous', animates: () => false },
    loadOutlines: (use) =>
      options.loadOutlines((paint) => {
        use(paint);
        hasOutlines();
      }),
    onProblem: () => {
      isIncomplete = true;
    },
  });
  const groups = new SpotGroups(drawing, bubbles);
  const labels = new MapLabels(drawing, names, { obstacles: () => groups.boxes });
  try {
    drawing.tiles = options.tiles;
    drawing.icons = options.icons;
    drawing.start = options.start;
    labels.mode = options.labels;
    const complete = whenComplete(drawing.map);
    drawing.show(artboard);
    isIncomplete = !(await complete) || isIncomplete;
    if (artboard.type === 'osm') await Promise.race([outlines, delay(outlinesMs)]);
    drawing.map.renderSync();
    // Names are placed in a frame of their own.
    await twoFrames();
    const canvas = Object.assign(document.createElement('canvas'), { width: width * pixelRatio, height: height * pixelRatio });
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('the browser gives no canvas for a picture');
    context.fillStyle = around;
    context.fillRect(0, 0, canvas.width, canvas.height);
    drawLayers(context, drawing.map, pixelRatio);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    const origin = host.getBoundingClientRect();
    for (const each of bubbles.children) drawGroup(context, each as HTMLElement, origin, options.accent);
    for (const each of names.children) drawName(context, each as HTMLElement, origin);
    const credit = drawing.shownTiles === undefined ? '' : creditText(drawing.shownTiles);
    if (credit !== '') drawCredit(context, credit, width, height);
    return { canvas, isIncomplete };
  } finally {
    labels.dispose();
    groups.dispose();
    drawing.dispose();
    host.remove();
  }
}

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

/** The canvases of the map, each with the place and opacity that it has on the screen. */
function drawLayers(context: CanvasRenderingContext2D, map: OlMap, pixelRatio: number): void {
  const layers = map.getViewport()?.querySelectorAll<HTMLCanvasElement>('.ol-layer canvas, canvas.ol-layer');
  for (const layer of layers ?? []) {
    if (layer.width === 0) continue;
    const opacity = layer.parentElement?.style.opacity || layer.style.opacity;
    context.globalAlpha = opacity === '' ? 1 : Number(opacity);
    const matrix = new DOMMatrix(layer.style.transform);
    context.setTransform(new DOMMatrix().scale(pixelRatio).multiply(matrix));
    context.drawImage(layer, 0, 0);
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 1;
}

/** The credit of the tiles, in the lower right corner. */
function drawCredit(context: CanvasRenderingContext2D, credit: string, width: number, height: number): void {
  Object.assign(context, { font: '12px system-ui, sans-serif', textAlign: 'right', textBaseline: 'bottom' });
  const textWidth = context.measureText(credit).width;
  context.fillStyle = 'rgb(255 255 255 / 80%)';
  context.fillRect(width - textWidth - 12, height - 20, textWidth + 12, 20);
  context.fillStyle = '#0f172a';
  context.fillText(credit, width - 6, height - 4);
}
