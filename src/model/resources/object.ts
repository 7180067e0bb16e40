/** An object: a spot or a polygon on an artboard. */
import Type, { type Static } from 'typebox';
import { arrowEnds, labelChoices, labelSizes } from '../../lib/draw/public-map.ts';
import { latitudeMax, longitudeMax } from '../../lib/geo/geo.ts';
import {
  flag,
  linkAddress,
  namedValues,
  number,
  oneOf,
  pictureAddress,
  readOnlyText,
  reference,
  requiredOneOf,
  rings,
  text,
  vertices,
} from '../members.ts';

const blendModes = [
  'inherit',
  'normal',
  'add',
  'multiply',
  'screen',
  'darken',
  'lighten',
  'erase',
  'color-dodge',
  'color-burn',
  'linear-burn',
  'linear-dodge',
  'linear-light',
  'hard-light',
  'soft-light',
  'pin-light',
  'difference',
  'exclusion',
  'overlay',
  'saturation',
  'color',
  'luminosity',
  'normal-npm',
  'add-npm',
  'screen-npm',
  'none',
  'subtract',
  'divide',
  'vivid-light',
  'hard-mix',
  'negation',
  'min',
  'max',
] as const;

/** Characters of a key. */
const keyLengthMax = 200;
/** Characters of the name of a category. */
export const categoryLengthMax = 100;
const holesMax = 100;
export const propertyBounds = { most: 64, nameLengthMax: 100, textLengthMax: 4096, bytesMax: 16 * 1024 } as const;

export const ObjectSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Object', { description: 'Display name' }),
    type: requiredOneOf(['spot', 'poly'], {
      description: 'A circle around x and y, or a polygon or line with its corners in coords',
    }),
    click_action: oneOf(['none', 'follow-link', 'change-artboard'], 'none', { description: 'Effect of a click' }),
    open_link_in_new_tab: flag(false, { description: 'For "follow-link"' }),
    click_action_url: linkAddress('Target of "follow-link"'),
    click_action_artboard_id: reference('artboards', 'Artboard that "change-artboard" shows'),
    x: number(0, { description: 'Centre of a spot' }),
    y: number(0, { description: 'Centre of a spot' }),
    coords: vertices({ description: 'Corners of a polygon, in pixels of the artboard: 50,000 at most' }),
    radius: number(20, { description: 'Radius of a spot' }),
    pin: flag(true, { description: 'Show the pin marker' }),
    color: text('#3b82f6', { description: 'Fill' }),
    opacity: number(1, { description: 'Opacity of the fill; 1 is opaque' }),
    stroke_color: text('#000000', { description: 'Outline' }),
    stroke_width: number(0, { description: 'Width of the outline, in pixels' }),
    stroke_opacity: number(1, { description: 'Opacity of the outline' }),
    hover_color: text('#000000', { description: 'Fill while the pointer is over it' }),
    hover_opacity: number(0.5, { description: 'Opacity of the fill while the pointer is over it' }),
    hover_stroke_color: text('#000000', { description: 'Outline while the pointer is over it' }),
    hover_stroke_width: number(0, { description: 'Width of the outline while the pointer is over it' }),
    hover_stroke_opacity: number(1, { description: 'Opacity of the outline while the pointer is over it' }),
    blend_mode: oneOf(blendModes, 'normal', { description: 'How its colours blend with the background' }),
    interactive: Type.Optional(flag(true, { description: 'React to the pointer' })),
    key: Type.Optional(
      text('', { maxLength: keyLengthMax, description: 'Finds the object again in a later import; unique on its artboard' }),
    ),
    category: Type.Optional(
      text('', { maxLength: categoryLengthMax, description: 'Name of its category: visitors show and hide all objects of one' }),
    ),
    properties: Type.Optional(
      namedValues(
        propertyBounds,
        'Data of the place: texts, numbers and booleans by their names, 16 KiB as JSON at most. The fields in `settings.public_map` say which ones are published. A PATCH replaces it as a whole',
      ),
    ),
    icon: Type.Optional(
      pictureAddress('Icon: `maki:NAME` or `temaki:NAME`, or the address of a picture; a spot shows it in place of the pin'),
    ),
    label: Type.Optional(
      oneOf(labelChoices, 'auto', {
        description: 'When its name is written on the map: as `settings.labels` says, always, or never',
      }),
    ),
    label_size: Type.Optional(
      number(labelSizes.usual, {
        ...{ minimum: labelSizes.min, maximum: labelSizes.max },
        description: 'Size of its name on the map, in CSS pixels; it does not grow with the map',
      }),
    ),
    closed: Type.Optional(
      flag(true, { description: 'Of a polygon: false for a line with the stroke of the object, without fill' }),
    ),
    arrow: Type.Optional(oneOf(arrowEnds, 'none', { description: 'Ends of a line that have an arrow' })),
    holes: Type.Optional(
      rings({
        maxItems: holesMax,
        description: `Rings of a polygon that are no part of it, in pixels of the artboard: ${holesMax} at most, with 50,000 corners together with coords`,
      }),
    ),
  },
  { title: 'Object', description: 'A spot or a polygon on an artboard.', additionalProperties: false },
);

/** Members that a public copy of an object does not have: a key may be a number of the business. */
export const privateObjectMembers: readonly string[] = ['key'];

const latitude = { minimum: -latitudeMax, maximum: latitudeMax };
const longitude = { minimum: -longitudeMax, maximum: longitudeMax };
const place = Type.Object({ lat: Type.Number(latitude), lng: Type.Number(longitude) }, { additionalProperties: false });

/**
 * Members of bodies for an artboard of type "osm": what they say becomes `x`, `y`, `coords` and `holes` when the write is decided, and they are not
 * stored. Responses have them only with `?places=true`.
 */
export const placeMembers = {
  lat: Type.Number({ ...latitude, description: 'Latitude of x and y in degrees, with lng, on an artboard of type "osm"' }),
  lng: Type.Number({ ...longitude, description: 'Longitude of x and y in degrees, with lat, on an artboard of type "osm"' }),
  places: Type.Array(place, {
    description: 'Corners of a polygon in degrees, for coords, on an artboard of type "osm": 50,000 at most',
  }),
  hole_places: Type.Array(Type.Array(place), {
    maxItems: holesMax,
    description: 'Rings of holes in degrees, for holes, on an artboard of type "osm"',
  }),
};

export type MapObject = Static<typeof ObjectSchema>;
