/**
 * The settings of a project: any members that an editor stores, and four that maps use. These four are checked, and they are the only
 * settings of a public map.
 */
import Type, { type Static, type TUnsafe } from 'typebox';
import type { MemberOptions } from '../members.ts';
import { fittingPublicMap, type PublicMap, PublicMapSchema } from './public-map-schema.ts';

const degrees = (most: number, description: string) => Type.Number({ minimum: -most, maximum: most, description });

const BoundsSchema = Type.Refine(
  Type.Object(
    {
      south: degrees(90, 'Latitude'),
      west: degrees(180, 'Longitude'),
      north: degrees(90, 'Latitude, greater than `south`'),
      east: degrees(180, 'Longitude; less than `west` for a box across the antimeridian'),
    },
    {
      additionalProperties: false,
      examples: [{ south: 46.3, west: 9.5, north: 49.1, east: 17.2 }],
      description: 'The part of the Earth that visitors and editors can see on OpenStreetMap artboards, in degrees',
    },
  ),
  ({ south, north, west, east }) => south < north && west !== east,
  () => 'must have south less than north, and west other than east',
);

const LegendSchema = Type.Array(
  Type.Object(
    { color: Type.String({ description: 'Colour' }), name: Type.String({ description: 'What it means' }) },
    { additionalProperties: false },
  ),
  { description: 'What the colours of the map mean' },
);

const LabelsSchema = Type.Enum(['none', 'auto', 'all'], {
  description: 'Which names of objects are written on the map: none, those with enough room, or all',
});

/** `fallback` is that of a project without settings. */
export const settings = (fallback: Record<string, never>, options: MemberOptions) =>
  Type.Object(
    {
      max_bounds: Type.Optional(BoundsSchema),
      legend: Type.Optional(LegendSchema),
      labels: Type.Optional(LabelsSchema),
      public_map: Type.Optional(PublicMapSchema),
    },
    { additionalProperties: true, default: fallback, ...options, 'x-files': 'public_map' },
  ) as unknown as TUnsafe<ProjectSettings>;

export interface PublicSettings {
  /** Degrees; `east` is less than `west` across the antimeridian. */
  readonly max_bounds?: Static<typeof BoundsSchema>;
  readonly legend?: Static<typeof LegendSchema>;
  readonly labels?: Static<typeof LabelsSchema>;
  readonly public_map?: PublicMap;
}

export type ProjectSettings = PublicSettings & Record<string, unknown>;

/** The settings that are published; `undefined` if there are none. A `public_map` from before it was checked is not, unless it fits. */
export function publicSettings({ max_bounds, legend, labels, ...others }: ProjectSettings): PublicSettings | undefined {
  const public_map = fittingPublicMap(others.public_map);
  if (max_bounds === undefined && legend === undefined && labels === undefined && public_map === undefined) return undefined;
  return {
    ...(max_bounds && { max_bounds }),
    ...(legend && { legend }),
    ...(labels && { labels }),
    ...(public_map && { public_map }),
  };
}
