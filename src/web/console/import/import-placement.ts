/** Where the objects of a file are placed on an artboard: the ways that there are, and what each means for conversion and artboard. */
import type { Conversion, KnownCategory, Mapping, Placement, TargetArtboard } from '../../convert/converter.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import type { PlainOptions } from './worker-messages.ts';

/** As the converter places; or an empty artboard becomes a map of the data (`map`), or gets the size of the SVG (`picture`). */
export type ImportPlacement = Placement | 'map' | 'picture';

export interface ImportChoices {
  readonly mapping: Mapping;
  /** `undefined`: as the converter chooses. */
  readonly placement: ImportPlacement | undefined;
  readonly swapAxes: boolean;
  /** Pixels; 0 leaves lines out. */
  readonly lineWidth: number;
  /** A sheet or a layer; `undefined`: the first one. */
  readonly layer?: string | undefined;
  /** The encoding of the text; `undefined`: as it is recognized. */
  readonly encoding?: string | undefined;
}

/** The artboard that gets the objects. */
export interface ImportTarget {
  readonly type: unknown;
  /** Whether it has no objects. */
  readonly isEmpty: boolean;
}

/** Whether there is nothing on the artboard that a map would replace. */
const isBlank = ({ type, isEmpty }: ImportTarget): boolean => isEmpty && type === 'color';

/** The placement before the file is read; `undefined`: as the converter chooses. */
export function firstPlacement(target: ImportTarget, fileName: string): ImportPlacement | undefined {
  if (target.type === 'osm') return target.isEmpty ? 'centre' : 'keep';
  if (!isBlank(target)) return undefined;
  return /\.svg$/i.test(fileName) ? 'picture' : 'map';
}

/** The placement for the content of a file, where its name suggested another. */
export function placementFor(
  placement: ImportPlacement | undefined,
  { format, artboard }: Conversion,
): ImportPlacement | undefined {
  const isPicture = format === 'svg';
  if (placement === 'picture') return isPicture ? placement : 'map';
  if (placement === 'map' && artboard === undefined) return isPicture ? 'picture' : undefined;
  return placement;
}

/** Where the objects can be placed, the usual way first. */
export function placementsFor(target: ImportTarget, conversion: Conversion | undefined): readonly ImportPlacement[] {
  if (target.type === 'osm') return target.isEmpty ? ['centre', 'keep'] : ['keep'];
  const isFree = isBlank(target);
  if (conversion?.format === 'svg') return isFree ? ['picture', 'fit', 'pixels'] : ['pixels', 'fit'];
  if (conversion?.mapping.x !== undefined) return ['pixels', 'fit'];
  return isFree ? ['map', 'fit', 'pixels'] : ['fit', 'pixels'];
}

/** Members of the mapping that name the columns of a place. */
export type PlacePair = readonly ['latitude', 'longitude'] | readonly ['x', 'y'];

/** Pairs of columns that can be the places: as they are recognized, or all that the artboard takes. */
export function placePairsFor(
  target: ImportTarget,
  placement: ImportPlacement | undefined,
  recognized: Mapping | undefined,
): readonly PlacePair[] {
  const [degrees, pixels] = [['latitude', 'longitude'] as const, ['x', 'y'] as const];
  if (placement === 'pixels' || recognized?.x !== undefined) return [pixels];
  return target.type === 'osm' || recognized !== undefined ? [degrees] : [degrees, pixels];
}

/** The options of the conversion. @param isSuggested whether it finds a category and fields @param categories of the project */
export function optionsFor(
  { mapping, placement, swapAxes, lineWidth, layer, encoding }: ImportChoices,
  target: Members,
  isSuggested: boolean,
  categories: readonly KnownCategory[],
): PlainOptions {
  const { type, width, height, osm_lat, osm_lng, osm_zoom } = target as Members & TargetArtboard;
  const { category = 'none' as const } = mapping;
  const choices: PlainOptions = {
    mapping: { ...mapping, ...(isSuggested ? { category: 'auto' as const, fields: 'all' as const } : { category }) },
    ...{ swapAxes, lineWidth, categories },
    ...(layer === undefined ? {} : { layer }),
    ...(encoding === undefined ? {} : { encoding }),
  };
  if (placement === 'picture') return choices;
  const isNewMap = placement === 'map';
  const area = { width, height, osm_lat, osm_lng, osm_zoom };
  const artboard = isNewMap ? { type: 'osm' as const, isNew: true, ...area } : { type, ...area };
  const placed = isNewMap ? ('centre' as const) : placement;
  return { ...choices, artboard, ...(placed === undefined ? {} : { placement: placed }) };
}

/** Members that the artboard gets: its place on a map, or the size of a picture. */
export function artboardMembers(placement: ImportPlacement | undefined, { artboard }: Conversion): Members {
  if (placement === 'picture') return { width: artboard?.width, height: artboard?.height };
  return { ...(placement === 'map' ? { type: 'osm' } : {}), ...artboard };
}
