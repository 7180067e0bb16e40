/** An artboard: objects on a background (a colour, an image or a map). */
import Type, { type Static } from 'typebox';
import { collectionOf, number, oneOf, pictureAddress, readOnlyText, text } from '../members.ts';
import { ObjectSchema } from './object.ts';

/** Beyond, a screen has fewer pixels than a number has digits. */
const pixels = { minimum: 1, maximum: 1_000_000 } as const;
/** Tiles end at 19; three levels more are enlarged. */
const zooms = { minimum: 1, maximum: 22 } as const;
/** Characters of the name of a source of tiles. */
const tilesLengthMax = 100;
const degrees = (most: number) => ({ minimum: -most, maximum: most });

export const ArtboardSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Artboard', { description: 'Display name' }),
    type: oneOf(['color', 'image', 'osm'], 'color', {
      description: 'Background: a colour, an image, or an OpenStreetMap map',
      'x-form': {
        label: 'Background',
        hint: true,
        section: 'background',
        choices: { color: 'A colour', image: 'A picture', osm: 'A map of the world' },
      },
    }),
    embedding_url: text('', {
      description: 'Public address for embedding',
      'x-form': { label: 'Address for embedding', hint: true, section: 'advanced', editor: 'url' },
    }),
    image_url: pictureAddress({
      description: 'Background of type "image"',
      'x-form': { label: 'Picture', section: 'background', when: { type: 'image' } },
    }),
    width: number(800, { description: 'Pixels', 'x-form': { hint: true, section: 'background', drawn: pixels } }),
    height: number(600, { description: 'Pixels', 'x-form': { hint: true, section: 'background', drawn: pixels } }),
    bg_color: text('#ffffff', {
      description: 'Background of type "color"',
      'x-form': { label: 'Background colour', section: 'background', editor: 'colour', when: { type: 'color' } },
    }),
    osm_lat: number(0, {
      description: 'Latitude of the centre, for type "osm"',
      'x-form': { label: 'Latitude', section: 'background', when: { type: 'osm' }, drawn: degrees(90) },
    }),
    osm_lng: number(0, {
      description: 'Longitude of the centre, for type "osm"',
      'x-form': { label: 'Longitude', section: 'background', when: { type: 'osm' }, drawn: degrees(180) },
    }),
    osm_zoom: number(1, {
      minimum: 1,
      description: 'Zoom level, for type "osm"',
      'x-form': { label: 'Zoom', section: 'background', when: { type: 'osm' }, drawn: zooms },
    }),
    objects: collectionOf(ObjectSchema, 'Spots and polygons on the artboard'),
    tiles: Type.Optional(
      text('', {
        maxLength: tilesLengthMax,
        description: 'Name of map tiles that the server lists, for type "osm"; without a name its default',
        'x-form': { label: 'Map tiles', section: 'background', when: { type: 'osm' }, editor: 'tiles' },
      }),
    ),
  },
  {
    title: 'Artboard',
    description: 'Objects on a background: a colour, an image or a map.',
    additionalProperties: false,
  },
);

export type Artboard = Static<typeof ArtboardSchema>;
