/**
 * What is below the objects of an artboard: a colour, an image, or a map. All layers share one canvas with the objects, because objects
 * blend with the background.
 */
import type BaseLayer from 'ol/layer/Base.js';
import ImageStatic from 'ol/source/ImageStatic.js';
import type { ArtboardFrame } from './artboard-frame.ts';
import { paper } from './backdrop.ts';
import { colourOf } from './colours.ts';
import { area, filled } from './ground/area-layer.ts';
import type { MapGround } from './ground/map-ground.ts';
import { isImageAddress } from './image-address.ts';
import { documentDefaults, type MapArtboard } from './map-document.ts';
import type { CrossOrigin } from './painting/object-icons.ts';
import { PictureLayer } from './pictures/picture-layer.ts';

interface BackgroundOptions {
  /** The ground of artboards on a map. */
  readonly ground: MapGround;
  readonly crossOrigin?: CrossOrigin | undefined;
  /** Called once for an image that does not load, or for tiles that do not load. */
  onProblem(problem: 'image' | 'tiles'): void;
  /** True if copies of a large image are being made, from which it will be drawn. */
  onPreparing(isPreparing: boolean): void;
}

export function backgroundLayers(artboard: MapArtboard, frame: ArtboardFrame, options: BackgroundOptions): BaseLayer[] {
  const { type, bg_color, image_url } = artboard;
  options.ground.leave();
  if (type === 'osm') return options.ground.layers(frame, artboard.tiles, () => options.onProblem('tiles'));
  if (type !== 'image') return [area(frame, filled(colourOf(bg_color, documentDefaults.artboard.bg_color).css))];
  const below = area(frame, filled(paper));
  return isImageAddress(image_url) ? [below, image(image_url, frame, options)] : [below];
}

function image(
  url: string,
  { extent, projection }: ArtboardFrame,
  { onProblem, onPreparing, crossOrigin }: BackgroundOptions,
): BaseLayer {
  const source = new ImageStatic({ url, imageExtent: extent, projection, crossOrigin: crossOrigin ?? null });
  source.once('imageloaderror', () => onProblem('image'));
  return new PictureLayer(source, onPreparing);
}
