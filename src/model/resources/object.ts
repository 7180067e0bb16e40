/** An object: a spot or a polygon on an artboard. */
import Type, { type Static } from 'typebox';
import { latitudeMax, longitudeMax } from '../../lib/geo/geo.ts';
import { flag, linkAddress, number, oneOf, readOnlyText, reference, requiredOneOf, text, vertices } from '../members.ts';

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

export const ObjectSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Object', { description: 'Display name' }),
    type: requiredOneOf(['spot', 'poly'], { description: 'A circle around x and y, or a polygon with its corners in coords' }),
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
  },
  { title: 'Object', description: 'A spot or a polygon on an artboard.', additionalProperties: false },
);

/** Members that a public copy of an object does not have: a key may be a number of the business. */
export const privateObjectMembers: readonly string[] = ['key'];

const latitude = { minimum: -latitudeMax, maximum: latitudeMax };
const longitude = { minimum: -longitudeMax, maximum: longitudeMax };

/**
 * Members of bodies for an artboard of type "osm": what they say becomes `x`, `y` and `coords` when the write is decided, and they are not
 * stored. Responses have them only with `?places=true`.
 */
export const placeMembers = {
  lat: Type.Number({ ...latitude, description: 'Latitude of x and y in degrees, with lng, on an artboard of type "osm"' }),
  lng: Type.Number({ ...longitude, description: 'Longitude of x and y in degrees, with lat, on an artboard of type "osm"' }),
  places: Type.Array(Type.Object({ lat: Type.Number(latitude), lng: Type.Number(longitude) }, { additionalProperties: false }), {
    description: 'Corners of a polygon in degrees, for coords, on an artboard of type "osm": 50,000 at most',
  }),
};

export type MapObject = Static<typeof ObjectSchema>;
