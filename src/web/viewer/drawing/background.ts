/**
 * What is below the objects of an artboard: a colour, an image, or a map. All layers share one canvas with the objects, because objects
 * blend with the background.
 */
import type { Coordinate } from 'ol/coordinate.js';
import Feature from 'ol/Feature.js';
import { fromExtent } from 'ol/geom/Polygon.js';
import type ImageTile from 'ol/ImageTile.js';
import type BaseLayer from 'ol/layer/Base.js';
import TileLayer from 'ol/layer/Tile.js';
import VectorLayer from 'ol/layer/Vector.js';
import type { State } from 'ol/render.js';
import ImageStatic from 'ol/source/ImageStatic.js';
import VectorSource from 'ol/source/Vector.js';
import XYZ from 'ol/source/XYZ.js';
import Style from 'ol/style/Style.js';
import type { ArtboardFrame } from './artboard-frame.ts';
import { ground, paper, tileReferrer, tileZoomMax } from './backdrop.ts';
import { colourOf } from './colours.ts';
import { isImageAddress } from './image-address.ts';
import { documentDefaults, type MapArtboard } from './map-document.ts';
import type { CrossOrigin } from './painting/object-icons.ts';
import { PictureLayer } from './pictures/picture-layer.ts';

/** Finds the address of a picture that takes the place of a tile which does not load. */
export type FallbackTile = (address: string) => Promise<string>;

interface BackgroundOptions {
  /** Address of tiles with `{z}`, `{x}` and `{y}`; `none` for a plain grid. */
  readonly tiles: string;
  readonly fallbackTile?: FallbackTile | undefined;
  readonly crossOrigin: CrossOrigin;
  /** Called once for an image that does not load, or for tiles that do not load. */
  onProblem(problem: 'image' | 'tiles'): void;
  /** True if copies of a large image are being made, from which it will be drawn. */
  onPreparing(isPreparing: boolean): void;
}

const line = '#cbd5e1';
/** Least distance of the lines of the grid on the screen, in device pixels, and most of them in one direction. */
const gridPx = 48;
const linesMax = 400;

export function backgroundLayers(artboard: MapArtboard, frame: ArtboardFrame, options: BackgroundOptions): BaseLayer[] {
  const { type, bg_color, image_url } = artboard;
  if (type === 'osm') return options.tiles === 'none' ? [area(frame, drawGrid)] : [area(frame, filled(ground)), tiles(options)];
  if (type !== 'image') return [area(frame, filled(colourOf(bg_color, documentDefaults.artboard.bg_color).css))];
  const below = area(frame, filled(paper));
  return isImageAddress(image_url) ? [below, image(image_url, frame, options)] : [below];
}

type Draw = (canvas: State['context'], box: { left: number; top: number; right: number; bottom: number }) => void;

/** A layer that draws the rectangle of the artboard, or that of the map around it. */
function area({ limits }: ArtboardFrame, draw: Draw): VectorLayer {
  const style = new Style({
    renderer: (coordinates, { context }) => {
      const corners = (coordinates as Coordinate[][])[0] ?? [];
      const xs = corners.map(([x = 0]) => x);
      const ys = corners.map(([, y = 0]) => y);
      context.save();
      draw(context, { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) });
      context.restore();
    },
    hitDetectionRenderer: () => undefined,
  });
  return new VectorLayer({ source: new VectorSource({ features: [new Feature(fromExtent(limits))], wrapX: false }), style });
}

const filled =
  (css: string): Draw =>
  (canvas, { left, top, right, bottom }) => {
    canvas.fillStyle = css;
    canvas.fillRect(left, top, right - left, bottom - top);
  };

/** Lines at the same places of the artboard at every zoom, with a distance of 100 pixels times a power of two. */
const drawGrid: Draw = (canvas, box) => {
  filled(ground)(canvas, box);
  const { left, top, right, bottom } = box;
  let step = (right - left) / 16;
  while (step < gridPx) step *= 2;
  while (step > 4 * gridPx) step /= 2;
  canvas.beginPath();
  const first = (from: number): number => Math.max(0, Math.floor(-from / step));
  for (
    let n = first(left), x = left + n * step;
    x < Math.min(right, canvas.canvas.width) && n < first(left) + linesMax;
    n++, x += step
  ) {
    canvas.moveTo(x, Math.max(0, top));
    canvas.lineTo(x, Math.min(canvas.canvas.height, bottom));
  }
  for (
    let n = first(top), y = top + n * step;
    y < Math.min(bottom, canvas.canvas.height) && n < first(top) + linesMax;
    n++, y += step
  ) {
    canvas.moveTo(Math.max(0, left), y);
    canvas.lineTo(Math.min(canvas.canvas.width, right), y);
  }
  canvas.strokeStyle = line;
  canvas.lineWidth = 1;
  canvas.stroke();
};

function image(
  url: string,
  { extent, projection }: ArtboardFrame,
  { onProblem, onPreparing, crossOrigin }: BackgroundOptions,
): BaseLayer {
  const source = new ImageStatic({ url, imageExtent: extent, projection, crossOrigin });
  source.once('imageloaderror', () => onProblem('image'));
  return new PictureLayer(source, onPreparing);
}

function tiles({ tiles: url, fallbackTile, onProblem, crossOrigin }: BackgroundOptions): BaseLayer {
  const source = new XYZ({
    url,
    maxZoom: tileZoomMax,
    crossOrigin,
    transition: 0,
    tileLoadFunction: (tile, address) => {
      const picture = (tile as ImageTile).getImage() as HTMLImageElement;
      if (fallbackTile === undefined) load(picture, address);
      else loadOr(picture, address, fallbackTile);
    },
  });
  source.once('tileloaderror', () => onProblem('tiles'));
  return new TileLayer({ source });
}

function load(picture: HTMLImageElement, address: string): void {
  picture.referrerPolicy = tileReferrer;
  picture.src = address;
}

/** Loads a tile, or what takes its place. OpenLayers learns of one failure only: that of both. */
function loadOr(picture: HTMLImageElement, address: string, fallbackTile: FallbackTile): void {
  const attempt = new Image();
  attempt.addEventListener('load', () => load(picture, address));
  attempt.addEventListener('error', () => {
    fallbackTile(address).then(
      (other) => load(picture, other),
      () => load(picture, address),
    );
  });
  load(attempt, address);
}
