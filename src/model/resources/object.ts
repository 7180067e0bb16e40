/** An object: a spot or a polygon on an artboard. */
import Type, { type Static } from 'typebox';
import { flag, number, oneOf, readOnlyText, reference, requiredOneOf, text, vertices } from '../members.ts';

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

export const ObjectSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    name: text('Untitled Object'),
    type: requiredOneOf(['spot', 'poly']),
    click_action: oneOf(['none', 'follow-link', 'change-artboard'], 'none'),
    open_link_in_new_tab: flag(false),
    click_action_url: text('', { description: 'Target of "follow-link"' }),
    click_action_artboard_id: reference('artboards', 'Artboard that "change-artboard" shows'),
    x: number(0, { description: 'Centre of a spot' }),
    y: number(0, { description: 'Centre of a spot' }),
    coords: vertices(),
    radius: number(20, { description: 'Radius of a spot' }),
    pin: flag(true, { description: 'Show the pin marker' }),
    color: text('#3b82f6'),
    opacity: number(1),
    stroke_color: text('#000000'),
    stroke_width: number(0),
    stroke_opacity: number(1),
    hover_color: text('#000000'),
    hover_opacity: number(0.5),
    hover_stroke_color: text('#000000'),
    hover_stroke_width: number(0),
    hover_stroke_opacity: number(1),
    blend_mode: oneOf(blendModes, 'normal'),
  },
  { title: 'Object', additionalProperties: false },
);

/** What the newer original has beside. */
export const newerObjectMembers = { interactive: flag(true, { description: 'React to the pointer' }) };

export type MapObject = Static<typeof ObjectSchema>;
