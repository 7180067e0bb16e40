/**
 * Draws an artboard into one canvas, with names and groups, apart from the screen: for pictures of maps, and for paper. Pictures of other sites that
 * do not allow pages to read them are left out, as a canvas with one could not be saved.
 */
import type OlMap from 'ol/Map.js';
import { creditText } from '../ground/tile-source.ts';
import { FlatMap, type FlatMapOptions } from './flat-map.ts';
import { drawGroup, drawName } from './flat-text.ts';

export interface MapPictureOptions extends FlatMapOptions {
  /** Colour of groups of spots. */
  readonly accent: string;
  /** True if the credit of the tiles stands elsewhere. */
  readonly hasNoCredit?: boolean;
}

export interface MapPicture {
  readonly canvas: HTMLCanvasElement;
  /** A picture, or tiles, could not be drawn: they did not load, or do not allow it. */
  readonly isIncomplete: boolean;
  /** Units of the view per CSS pixel, and its centre. */
  readonly resolution: number;
  readonly centre: readonly number[];
}

/** Colour around the artboard: that of the element in light colours. */
const around = '#eef2f6';

/** Rejects if the browser gives no canvas of this size. */
export async function mapPicture(options: MapPictureOptions): Promise<MapPicture> {
  const map = new FlatMap(options);
  try {
    await map.draw();
    const view = map.drawing.map.getView();
    return {
      ...{ canvas: canvasOf(map, options), isIncomplete: map.isIncomplete },
      ...{ resolution: view.getResolution() ?? 1, centre: view.getCenter() ?? [0, 0] },
    };
  } finally {
    map.dispose();
  }
}

function canvasOf(map: FlatMap, { width, height, pixelRatio, accent, hasNoCredit }: MapPictureOptions): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), {
    ...{ width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio) },
  });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser gives no canvas for a picture');
  context.fillStyle = around;
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawLayers(context, map.drawing.map, pixelRatio);
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  const { origin } = map;
  for (const each of map.bubbles.children) drawGroup(context, each as HTMLElement, origin, accent);
  for (const each of map.names.children) drawName(context, each as HTMLElement, origin);
  map.annotation?.paint(context);
  const { shownTiles } = map.drawing;
  const credit = shownTiles === undefined || hasNoCredit === true ? '' : creditText(shownTiles);
  if (credit !== '') drawCredit(context, credit, width, height);
  return canvas;
}

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
