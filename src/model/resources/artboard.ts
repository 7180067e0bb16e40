/** An artboard: objects on a background (a colour, an image or a map). */
import Type, { type Static } from 'typebox';
import { collectionOf, number, oneOf, pictureAddress, readOnlyText, text } from '../members.ts';
import { ObjectSchema } from './object.ts';

export const ArtboardSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Artboard', { description: 'Display name' }),
    type: oneOf(['color', 'image', 'osm'], 'color', {
      description: 'Background: a colour, an image, or an OpenStreetMap map',
    }),
    embedding_url: text('', { description: 'Public address for embedding' }),
    image_url: pictureAddress('Background of type "image"'),
    width: number(800, { description: 'Pixels' }),
    height: number(600, { description: 'Pixels' }),
    bg_color: text('#ffffff', { description: 'Background of type "color"' }),
    osm_lat: number(0, { description: 'Latitude of the centre, for type "osm"' }),
    osm_lng: number(0, { description: 'Longitude of the centre, for type "osm"' }),
    osm_zoom: number(1, { minimum: 1, description: 'Zoom level, for type "osm"' }),
    objects: collectionOf(ObjectSchema, 'Spots and polygons on the artboard'),
  },
  {
    title: 'Artboard',
    description: 'Objects on a background: a colour, an image or a map.',
    additionalProperties: false,
  },
);

export type Artboard = Static<typeof ArtboardSchema>;
