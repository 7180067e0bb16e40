/** An action: changes or creates something when its conditions hold. */
import Type, { type Static } from 'typebox';
import { categoryLengthMax, propertyBounds } from '../../lib/draw/public-map.ts';
import type { MemberForm } from '../form.ts';
import {
  flag,
  html,
  linkAddress,
  number,
  oneOf,
  openObject,
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

const createsSpots = ['create-spot', 'create-spots'] as const;
const createsPolys = ['create-poly', 'create-polys'] as const;
const creates = [...createsSpots, ...createsPolys] as const;
const modifies = ['modify-object', 'modify-objects'] as const;
const ofNewPopup = { type: creates, create_popup: true } as const;
/** An action that changes a popup sets only its texts. */
const ofPopup = [ofNewPopup, { type: 'modify-popup' }] as const;

/** How values of a list find objects. */
export const matchWays = ['key', 'name', 'property'] as const;
export type MatchWay = (typeof matchWays)[number];

/** Types of actions that a list can drive. */
const ofList = ['modify-objects', 'modify-popup'] as const;

/**
 * Any JSON object; `name` and `type`, when present, are strings.
 *
 * @param creating types of actions that create objects with this member
 */
const style = (name: string, creating: readonly string[] = creates, form: MemberForm = {}) =>
  Type.Object(
    { name: Type.Optional(Type.String()), type: Type.Optional(Type.String()) },
    {
      additionalProperties: true,
      default: { name, type: 'current-value' },
      description: 'The new value; by default the current value stays',
      'x-form': { section: 'style', editor: 'style', when: { type: [...modifies, ...creating] }, ...form },
    },
  );

export const ActionSchema = Type.Object(
  {
    id: readOnlyText('Identifier, made by the server'),
    type: oneOf(types, 'modify-object', {
      description: 'Effect of the action',
      'x-form': {
        label: 'Effect',
        choices: {
          'modify-object': 'Change an object',
          'create-spot': 'Create a spot',
          'create-poly': 'Create a polygon',
          'create-spots': 'Create a spot for each item',
          'create-polys': 'Create a polygon for each item',
          'modify-objects': 'Change several objects',
          'modify-popup': 'Change a popup',
        },
      },
    }),
    name: text('Untitled Action', { description: 'Display name' }),
    conditions: openObjects({ description: 'When the action runs', 'x-form': { section: 'when', editor: 'conditions' } }),
    condition_operator: oneOf(['and', 'or'], 'and', {
      description: 'Whether all conditions must hold, or one',
      'x-form': { label: 'Conditions that must hold', section: 'when', choices: { and: 'All', or: 'At least one' } },
    }),
    object_id: reference('objects', {
      description: 'Target of "modify-object"',
      'x-form': { label: 'Object', when: { type: 'modify-object' } },
    }),
    create_object_target_artboard_id: reference('artboards', {
      description: 'Artboard on which objects are created',
      'x-form': { label: 'Artboard', section: 'creates', when: { type: creates } },
    }),
    create_object_name: text('', {
      description: 'Name of created objects',
      'x-form': { label: 'Name of the objects', section: 'creates', when: { type: creates }, isTemplate: true },
    }),
    create_spot_x_source_type: oneOf(sources, 'custom', {
      description: 'Source of x',
      'x-form': {
        label: 'X is',
        section: 'creates',
        when: { type: createsSpots },
        choices: { variable: 'A variable', custom: 'A value' },
      },
    }),
    create_spot_x_custom_value: text('', {
      description: 'For "custom"',
      'x-form': { label: 'X', section: 'creates', when: { type: createsSpots, create_spot_x_source_type: 'custom' } },
    }),
    create_spot_x_variable_id: reference('variables', {
      description: 'Variable that contains x',
      'x-form': {
        label: 'Variable of x',
        section: 'creates',
        when: { type: createsSpots, create_spot_x_source_type: 'variable' },
      },
    }),
    create_spot_y_source_type: oneOf(sources, 'custom', {
      description: 'Source of y',
      'x-form': {
        label: 'Y is',
        section: 'creates',
        when: { type: createsSpots },
        choices: { variable: 'A variable', custom: 'A value' },
      },
    }),
    create_spot_y_custom_value: text('', {
      description: 'For "custom"',
      'x-form': { label: 'Y', section: 'creates', when: { type: createsSpots, create_spot_y_source_type: 'custom' } },
    }),
    create_spot_y_variable_id: reference('variables', {
      description: 'Variable that contains y',
      'x-form': {
        label: 'Variable of y',
        section: 'creates',
        when: { type: createsSpots, create_spot_y_source_type: 'variable' },
      },
    }),
    create_poly_coords_variable_id: reference('variables', {
      description: 'Variable that contains the vertices',
      'x-form': { label: 'Variable of the corners', section: 'creates', when: { type: createsPolys } },
    }),
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
    style_radius: style('radius', createsSpots),
    style_pin: style('pin', createsSpots),
    create_popup: flag(false, {
      description: 'Create a popup with each created object',
      'x-form': { label: 'Create a popup for each object', section: 'popup', when: { type: creates } },
    }),
    popup_max_width: number(500, {
      description: 'Pixels',
      'x-form': { label: 'Max width', hint: true, section: 'popup', when: ofNewPopup },
    }),
    popup_title: text('', {
      description: 'Heading',
      'x-form': { label: 'Title', section: 'popup', when: ofPopup, isTemplate: true },
    }),
    popup_image: pictureAddress({
      description: 'Image URL',
      'x-form': { label: 'Image', section: 'popup', when: ofPopup, isTemplate: true },
    }),
    popup_content: html({
      description: 'HTML or text',
      'x-form': { label: 'Content', hint: true, section: 'popup', when: ofPopup, isTemplate: true },
    }),
    popup_button_text: text('', {
      description: 'Label of the button',
      'x-form': { label: 'Button label', section: 'popup', when: ofPopup, isTemplate: true },
    }),
    // A text in the contract; these are the values that have an effect.
    popup_button_action: text('follow-link', {
      description: 'Effect of the button',
      'x-form': {
        label: 'Button does',
        section: 'popup',
        when: ofNewPopup,
        choices: { none: 'Nothing', 'follow-link': 'Follow the link' },
      },
    }),
    popup_button_link: linkAddress({
      description: 'Target of "follow-link"',
      'x-form': { label: 'Button link', section: 'popup', when: ofPopup, isTemplate: true },
    }),
    popup_open_link_in_new_tab: flag(false, {
      description: 'For "follow-link"',
      'x-form': { label: 'Open the link in a new tab', section: 'popup', when: ofNewPopup },
    }),
    object_ids: Type.Optional(
      references('objects', {
        description: 'Targets of "modify-objects"',
        'x-form': { label: 'Objects', when: { type: 'modify-objects' } },
      }),
    ),
    popup_id: Type.Optional(
      reference('popups', {
        description: 'Target of "modify-popup"',
        'x-form': { label: 'Popup', section: 'popup', when: { type: 'modify-popup' } },
      }),
    ),
    match_variable_id: Type.Optional(
      reference('variables', {
        description:
          'Variable with one value per item: the action runs for each item, and changes the objects, or their popups, that its value names. `object_ids` and `popup_id` are ignored then',
        'x-form': { label: 'Follow the list of', section: 'match', when: { type: ofList } },
      }),
    ),
    match_by: Type.Optional(
      oneOf(matchWays, 'key', {
        description: 'The text of an object that a value of `match_variable_id` is compared with',
        'x-form': {
          label: 'Its value is',
          section: 'match',
          when: { type: ofList },
          choices: { key: 'The key of the object', name: 'Its name', property: 'One of its properties' },
        },
      }),
    ),
    match_property: Type.Optional(
      text('', {
        maxLength: propertyBounds.nameLengthMax,
        description: 'For "property": its name',
        'x-form': { label: 'Property', section: 'match', when: { type: ofList, match_by: 'property' } },
      }),
    ),
    match_artboard_id: Type.Optional(
      reference('artboards', {
        description: 'Only objects of this artboard; default: of all',
        'x-form': { label: 'Only on the artboard', section: 'match', when: { type: ofList } },
      }),
    ),
    match_category: Type.Optional(
      text('', {
        maxLength: categoryLengthMax,
        description: 'Only objects of this category; default: of all',
        'x-form': { label: 'Only in the category', section: 'match', when: { type: ofList }, editor: 'category' },
      }),
    ),
    otherwise: Type.Optional(
      openObject({
        default: {},
        description:
          'With `match_variable_id`: `style_…` members for the objects that no item names, and whose key, name or property is not empty. Conditions do not count',
        'x-form': { hasNoControl: true },
      }),
    ),
    style_label_text: Type.Optional(
      style('label_text', [], {
        label: 'Text in place of the name',
        when: { type: modifies },
      }),
    ),
    style_icon: Type.Optional(style('icon', createsSpots)),
    style_category: Type.Optional(style('category')),
  },
  { title: 'Action', description: 'Changes or creates something when its conditions hold.', additionalProperties: false },
);

export type Action = Static<typeof ActionSchema>;
