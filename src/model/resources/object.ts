/** An object: a spot or a polygon on an artboard. */
import Type, { type Static } from 'typebox';
import { arrowEnds, categoryLengthMax, labelChoices, labelSizes, propertyBounds } from '../../lib/draw/public-map.ts';
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
const holesMax = 100;

const ofSpot = { type: 'spot' } as const;
const ofPolygon = { type: 'poly' } as const;
const ofLine = { type: 'poly', closed: false } as const;
/** Texts on the map, and spots that are almost one. */
const ofText = { type: 'spot', label: 'always', pin: false } as const;
/** Spots, and polygons that are no lines; also several of both. */
const withFill = [ofSpot, { closed: true }] as const;
/** Radii and widths that a map can draw. */
const sizes = { minimum: 0 } as const;
/** Values of an opacity. */
const shares = { minimum: 0, maximum: 1, step: 0.05 } as const;

export const ObjectSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Object', { description: 'Display name' }),
    type: requiredOneOf(['spot', 'poly'], {
      description: 'A circle around x and y, or a polygon or line with its corners in coords',
      'x-form': { label: 'Shape', section: 'place', choices: { spot: 'Spot', poly: 'Polygon' } },
    }),
    click_action: oneOf(['none', 'follow-link', 'change-artboard'], 'none', {
      description: 'Effect of a click',
      'x-form': {
        label: 'When clicked',
        section: 'click',
        choices: {
          none: 'Nothing, or open the popup',
          'follow-link': 'Follow a link',
          'change-artboard': 'Show another artboard',
        },
      },
    }),
    open_link_in_new_tab: flag(false, {
      description: 'For "follow-link"',
      'x-form': { label: 'Open the link in a new tab', section: 'click', when: { click_action: 'follow-link' } },
    }),
    click_action_url: linkAddress({
      description: 'Target of "follow-link"',
      'x-form': { label: 'Link', section: 'click', when: { click_action: 'follow-link' } },
    }),
    click_action_artboard_id: reference('artboards', {
      description: 'Artboard that "change-artboard" shows',
      'x-form': { label: 'Artboard to show', section: 'click', when: { click_action: 'change-artboard' } },
    }),
    x: number(0, { description: 'Centre of a spot', 'x-form': { section: 'place', when: ofSpot } }),
    y: number(0, { description: 'Centre of a spot', 'x-form': { section: 'place', when: ofSpot } }),
    coords: vertices({
      description: 'Corners of a polygon, in pixels of the artboard: 50,000 at most',
      'x-form': { label: 'Corners', hint: true, section: 'place', when: ofPolygon },
    }),
    radius: number(20, { description: 'Radius of a spot', 'x-form': { section: 'place', when: ofSpot, drawn: sizes } }),
    pin: flag(true, { description: 'Show the pin marker', 'x-form': { section: 'look', when: ofSpot } }),
    color: text('#3b82f6', {
      description: 'Fill',
      'x-form': { label: 'Fill', order: 2, when: withFill, editor: 'colour' },
    }),
    opacity: number(1, {
      description: 'Opacity of the fill; 1 is opaque',
      'x-form': { label: 'Fill opacity', hint: true, section: 'look', when: withFill, range: shares },
    }),
    stroke_color: text('#000000', {
      description: 'Outline',
      'x-form': { label: 'Outline', section: 'look', leads: ofLine, order: 2, editor: 'colour' },
    }),
    stroke_width: number(0, {
      description: 'Width of the outline, in pixels',
      'x-form': { label: 'Outline width', hint: true, section: 'look', drawn: sizes },
    }),
    stroke_opacity: number(1, {
      description: 'Opacity of the outline',
      'x-form': { label: 'Outline opacity', section: 'look', range: shares },
    }),
    hover_color: text('#000000', {
      description: 'Fill while the pointer is over it',
      'x-form': { label: 'Hover fill', section: 'hover', editor: 'colour' },
    }),
    hover_opacity: number(0.5, {
      description: 'Opacity of the fill while the pointer is over it',
      'x-form': { label: 'Hover fill opacity', section: 'hover', range: shares },
    }),
    hover_stroke_color: text('#000000', {
      description: 'Outline while the pointer is over it',
      'x-form': { label: 'Hover outline', section: 'hover', editor: 'colour' },
    }),
    hover_stroke_width: number(0, {
      description: 'Width of the outline while the pointer is over it',
      'x-form': { label: 'Hover outline width', section: 'hover', drawn: sizes },
    }),
    hover_stroke_opacity: number(1, {
      description: 'Opacity of the outline while the pointer is over it',
      'x-form': { label: 'Hover outline opacity', section: 'hover', range: shares },
    }),
    blend_mode: oneOf(blendModes, 'normal', {
      description: 'How its colours blend with the background',
      'x-form': { hint: true, section: 'look' },
    }),
    interactive: Type.Optional(
      flag(true, { description: 'React to the pointer', 'x-form': { label: 'Reacts to the pointer', section: 'click' } }),
    ),
    key: Type.Optional(
      text('', {
        maxLength: keyLengthMax,
        description: 'Finds the object again in a later import; unique on its artboard',
        'x-form': { hint: true, section: 'data' },
      }),
    ),
    category: Type.Optional(
      text('', {
        maxLength: categoryLengthMax,
        description: 'Name of its category: visitors show and hide all objects of one',
        'x-form': { order: 1, editor: 'category' },
      }),
    ),
    properties: Type.Optional(
      namedValues(propertyBounds, {
        description:
          'Data of the place: texts, numbers and booleans by their names, 16 KiB as JSON at most. The fields in `settings.public_map` say which ones are published. A PATCH replaces it as a whole',
        'x-form': { section: 'data', editor: 'properties' },
      }),
    ),
    icon: Type.Optional(
      pictureAddress({
        description: 'Icon: `maki:NAME` or `temaki:NAME`, or the address of a picture; a spot shows it in place of the pin',
        'x-form': { order: 3, editor: 'map-icon' },
      }),
    ),
    label: Type.Optional(
      oneOf(labelChoices, 'auto', {
        description: 'When its name is written on the map: as `settings.labels` says, always, or never',
        'x-form': {
          label: 'Name on the map',
          section: 'look',
          choices: { auto: 'As the map says', always: 'Always', never: 'Never' },
        },
      }),
    ),
    label_size: Type.Optional(
      number(labelSizes.usual, {
        ...{ minimum: labelSizes.min, maximum: labelSizes.max },
        description: 'Size of its name on the map, in CSS pixels; it does not grow with the map',
        'x-form': { label: 'Size of the name', section: 'look', leads: ofText },
      }),
    ),
    closed: Type.Optional(
      flag(true, {
        description: 'Of a polygon: false for a line with the stroke of the object, without fill',
        'x-form': { label: 'Closed outline', section: 'place', when: ofPolygon },
      }),
    ),
    arrow: Type.Optional(
      oneOf(arrowEnds, 'none', {
        description: 'Ends of a line that have an arrow',
        'x-form': {
          label: 'Arrows',
          section: 'look',
          when: ofLine,
          choices: { none: 'None', end: 'At the end', both: 'At both ends' },
        },
      }),
    ),
    holes: Type.Optional(
      rings({
        maxItems: holesMax,
        description: `Rings of a polygon that are no part of it, in pixels of the artboard: ${holesMax} at most, with 50,000 corners together with coords`,
        'x-form': { hasNoControl: true },
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
