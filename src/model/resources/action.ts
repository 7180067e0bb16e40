/** An action: changes or creates something when its conditions hold. */
import Type, { type Static } from 'typebox';
import {
  flag,
  html,
  linkAddress,
  number,
  oneOf,
  openObjects,
  pictureAddress,
  readOnlyText,
  reference,
  references,
  text,
} from '../members.ts';

const types = [
  ...(['modify-object', 'create-spot', 'create-poly', 'create-spots', 'create-polys'] as const),
  // Beyond the contract:
  ...(['modify-objects', 'modify-popup'] as const),
] as const;
const sources = ['variable', 'custom'] as const;

/** Any JSON object; `name` and `type`, when present, are strings. */
const style = (name: string) =>
  Type.Object(
    { name: Type.Optional(Type.String()), type: Type.Optional(Type.String()) },
    {
      additionalProperties: true,
      default: { name, type: 'current-value' },
      description: 'The new value; by default the current value stays',
    },
  );

export const ActionSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    type: oneOf(types, 'modify-object', { description: 'Effect of the action' }),
    name: text('Untitled Action', { description: 'Display name' }),
    conditions: openObjects({ description: 'When the action runs' }),
    condition_operator: oneOf(['and', 'or'], 'and', { description: 'Whether all conditions must hold, or one' }),
    object_id: reference('objects', 'Target of "modify-object"'),
    create_object_target_artboard_id: reference('artboards', 'Artboard on which objects are created'),
    create_object_name: text('', { description: 'Name of created objects' }),
    create_spot_x_source_type: oneOf(sources, 'custom', { description: 'Source of x' }),
    create_spot_x_custom_value: text('', { description: 'For "custom"' }),
    create_spot_x_variable_id: reference('variables', 'Variable that contains x'),
    create_spot_y_source_type: oneOf(sources, 'custom', { description: 'Source of y' }),
    create_spot_y_custom_value: text('', { description: 'For "custom"' }),
    create_spot_y_variable_id: reference('variables', 'Variable that contains y'),
    create_poly_coords_variable_id: reference('variables', 'Variable that contains the vertices'),
    style_color: style('color'),
    style_opacity: style('opacity'),
    style_stroke_color: style('stroke_color'),
    style_stroke_width: style('stroke_width'),
    style_stroke_opacity: style('stroke_opacity'),
    style_hover_color: style('hover_color'),
    style_hover_opacity: style('hover_opacity'),
    style_hover_stroke_color: style('hover_stroke_color'),
    style_hover_stroke_width: style('hover_stroke_width'),
    style_hover_stroke_opacity: style('hover_stroke_opacity'),
    style_blend_mode: style('blend_mode'),
    style_radius: style('radius'),
    style_pin: style('pin'),
    create_popup: flag(false, { description: 'Create a popup with each created object' }),
    popup_max_width: number(500, { description: 'Pixels' }),
    popup_title: text('', { description: 'Heading' }),
    popup_image: pictureAddress('Image URL'),
    popup_content: html('HTML or text'),
    popup_button_text: text('', { description: 'Label of the button' }),
    popup_button_action: text('follow-link', { description: 'Effect of the button' }),
    popup_button_link: linkAddress('Target of "follow-link"'),
    popup_open_link_in_new_tab: flag(false, { description: 'For "follow-link"' }),
    object_ids: Type.Optional(references('objects', 'Targets of "modify-objects"')),
    popup_id: Type.Optional(reference('popups', 'Target of "modify-popup"')),
  },
  { title: 'Action', description: 'Changes or creates something when its conditions hold.', additionalProperties: false },
);

export type Action = Static<typeof ActionSchema>;
