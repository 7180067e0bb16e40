/**
 * Converts a file into objects of an artboard: read, place, simplify, map. Pure, for browsers and for Node; see README.md.
 */
import { type Conversion, ConvertError, type ConvertOptions, type TargetArtboard } from './conversion.ts';
import { buildObjects } from './map/build-objects.ts';
import { completeMapping } from './map/complete-mapping.ts';
import { describeColumns, firstRows } from './map/describe-columns.ts';
import { Notes } from './notes.ts';
import type { PlacementOptions } from './place/frames.ts';
import { newArtboard } from './place/new-artboard.ts';
import { ownWidthOf, placeItems } from './place/place-items.ts';
import { simplifyCorners } from './place/simplify-corners.ts';
import { readAnyFile } from './read/any-file.ts';
import type { FileData, Item } from './read/file-data.ts';
import { Slices } from './slices.ts';

/** Pixels of the artboard between a curve and the lines that it becomes, at most. */
const curveTolerance = 0.4;

/**
 * A conversion without objects says in its notes why.
 *
 * @param bytes of the file; they are not changed
 * @throws {ConvertError} for a file that cannot be read, and on an abort
 */
export async function convert(bytes: Uint8Array, options: ConvertOptions): Promise<Conversion> {
  const notes = new Notes();
  const slices = new Slices(options);
  await slices.stage(0, 0.5);
  const reading = {
    isTarget: (artboard: TargetArtboard) => isSameArea(artboard, options),
    toleranceFor: (size: FileData['size']) => curveTolerance / fitScale(size, options),
  };
  const { format, data } = await readAnyFile(bytes, options, reading, notes, slices).catch((error) => {
    throw withEncoding(error, notes);
  });
  if (options.layer !== undefined && data.layers === undefined)
    notes.add('layers', '', `The file has no layers: "${options.layer}" is not used.`);
  if (data.items.length === 0 && notes.list().length === 0) noteEmpty(data, options, notes);
  await slices.stage(0.5, 0.7);
  const keepsArea = options.artboard === undefined && data.artboard !== undefined && keepsPixels(options);
  const target = options.artboard ?? newArtboard(data, keepsArea, options.placement);
  const placed = await placeItems(data, withTarget(options, target, keepsArea), notes, slices);
  const artboard = options.artboard === undefined ? { ...target, ...placed.artboard } : placed.artboard;
  await slices.stage(0.7, 0.8);
  const { items, simplified } = await simplifyCorners(placed.items, slices);
  await slices.stage(0.8, 0.85);
  const columns = await describeColumns(data, slices);
  await slices.stage(0.85, 1);
  const mapping = completeMapping(options.mapping ?? {}, data, columns);
  const readers = { columns, categories: options.categories ?? [] };
  const { objects, popups, legend, categories, properties, keysLeftOut } = await buildObjects(
    items,
    data,
    mapping,
    readers,
    notes,
    slices,
  );
  options.onProgress?.(1);
  return {
    format,
    objects,
    popups,
    columns,
    rows: firstRows(data),
    mapping,
    ...(artboard === undefined ? {} : { artboard }),
    ...(data.background === undefined ? {} : { background: data.background }),
    ...(legend === undefined ? {} : { legend }),
    ...(data.pictures === undefined ? {} : { pictures: data.pictures }),
    ...(data.layers === undefined ? {} : { layers: data.layers, layer: data.layer as string }),
    ...{ categories, properties, keysLeftOut },
    hasLines: data.items.some(hasUsualLines),
    report: {
      read: data.read,
      made: objects.length,
      notes: notes.list(),
      ...(placed.areSwapped ? { warning: 'swapped-axes' as const } : {}),
      ...(simplified === undefined ? {} : { simplified }),
    },
  };
}

/** Columns may be unknown because of their letters. */
function withEncoding(error: unknown, notes: Notes): unknown {
  const guess = notes.list().find(({ code }) => code === 'encoding');
  if (!(error instanceof ConvertError) || error.code !== 'columns' || guess === undefined) return error;
  return new ConvertError(error.code, `${error.message} ${guess.detail}`, error.columns, error.layers);
}

/** A picture without shapes is the background of a new artboard. */
function noteEmpty({ background }: FileData, { artboard }: ConvertOptions, notes: Notes): void {
  if (background === undefined) notes.leaveOut('empty', '', 'The file has no rows or elements that could become objects.');
  else if (artboard !== undefined)
    notes.leaveOut('empty', '', 'The picture has no shapes that could become objects. Use it as the background of an artboard.');
}

/** True if an item has lines of which the file says no width. */
const hasUsualLines = (item: Item): boolean =>
  item.members === undefined && item.shapes.some((shape) => shape.kind === 'line' && ownWidthOf(shape, item, 1) === undefined);

/** Data moves to the middle of a new map, unless it brings its own area. */
const withTarget = (options: ConvertOptions, artboard: TargetArtboard, keepsArea: boolean): PlacementOptions =>
  options.artboard === undefined && artboard.type === 'osm' && !keepsArea
    ? { ...options, artboard, placement: options.placement ?? 'centre' }
    : { ...options, artboard };

/** By how much a placement enlarges a picture. */
function fitScale(size: FileData['size'], { artboard, placement }: ConvertOptions): number {
  if (artboard === undefined || placement !== 'fit' || size === undefined) return 1;
  return Math.max(1, Math.min(artboard.width / size.width, artboard.height / size.height));
}

/** Whether a placement leaves the pixels of exported objects as they are, on an artboard of the same area. */
const keepsPixels = ({ placement }: ConvertOptions): boolean =>
  placement === undefined || placement === 'keep' || placement === 'pixels';

/** Whether pixels of an artboard are the same places on the artboard of the import; a new one has its area. */
function isSameArea(exported: TargetArtboard, options: ConvertOptions): boolean {
  const { artboard = exported } = options;
  const isPlain = artboard.type !== 'osm' && exported.type !== 'osm';
  const members = ['type', 'width', 'height', 'osm_lat', 'osm_lng', 'osm_zoom'] as const;
  return (isPlain || members.every((name) => exported[name] === artboard[name])) && keepsPixels(options);
}
