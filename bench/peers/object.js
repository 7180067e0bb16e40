/** An object on an artboard, as the peers know it: the members of mapwright's, with the same defaults. */

const text = (fallback) => ({ type: 'string', default: fallback });
const number = (fallback) => ({ type: 'number', default: fallback });
const flag = (fallback) => ({ type: 'boolean', default: fallback });

const vertex = {
  type: 'object',
  additionalProperties: false,
  required: ['x', 'y'],
  properties: { x: { type: 'number' }, y: { type: 'number' } },
};

/** Schemas of the members that a request may send, in their order. */
const writable = {
  name: text('Untitled Object'),
  type: { type: 'string', enum: ['spot', 'poly'] },
  click_action: { ...text('none'), enum: ['none', 'follow-link', 'change-artboard'] },
  open_link_in_new_tab: flag(false),
  click_action_url: text(''),
  click_action_artboard_id: text(''),
  x: number(0),
  y: number(0),
  coords: { type: 'array', items: vertex, default: [] },
  radius: number(20),
  pin: flag(true),
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
  blend_mode: text('normal'),
};

/** What a create sends; the members it leaves out take their defaults. */
export const objectBody = { type: 'object', additionalProperties: false, required: ['type'], properties: writable };

/** What is answered. */
export const objectAnswer = { type: 'object', properties: { id: { type: 'string' }, ...writable } };

/** Columns of a table of objects, without its identifier: each member's name and its type in JSON schema. */
export const columns = Object.entries(writable).map(([name, { type }]) => ({ name, type }));
