/** The forms of the console (`src/web/console/generated/forms.ts`), derived from the schemas of the resources. */
import Type from 'typebox';
import type { AnySchema } from '../../src/model/members.ts';
import type { Resource } from '../../src/model/resource.ts';
import { projects, resourceOf } from '../../src/model/resources.ts';

/** Members that the console edits otherwise than in a form. */
const leftOut: ReadonlySet<string> = new Set(['id', 'user_id', 'created']);

/** Members that the console keeps, and that have no control in a form. */
const withoutControl: ReadonlySet<string> = new Set(
  ['category', 'properties', 'icon', 'label', 'label_size', 'closed', 'arrow', 'holes'].map((name) => `object.${name}`),
);

type Condition = readonly [member: string, ...values: (string | boolean)[]];

/** One of several lists of conditions, of which all must hold. */
type Alternatives = readonly (readonly Condition[])[];

/** When a member matters: only then it is in the form. */
const conditions: Readonly<Record<string, Condition>> = {
  'artboard.image_url': ['type', 'image'],
  'artboard.bg_color': ['type', 'color'],
  'artboard.osm_lat': ['type', 'osm'],
  'artboard.osm_lng': ['type', 'osm'],
  'artboard.osm_zoom': ['type', 'osm'],
  'object.x': ['type', 'spot'],
  'object.y': ['type', 'spot'],
  'object.radius': ['type', 'spot'],
  'object.pin': ['type', 'spot'],
  'object.coords': ['type', 'poly'],
  'object.click_action_url': ['click_action', 'follow-link'],
  'object.open_link_in_new_tab': ['click_action', 'follow-link'],
  'object.click_action_artboard_id': ['click_action', 'change-artboard'],
  'popup.buttonLink': ['buttonAction', 'follow-link'],
  'popup.openLinkInNewTab': ['buttonAction', 'follow-link'],
  'data_source.body': ['method', 'POST', 'PUT', 'PATCH'],
  'variable.data_source_id': ['type', 'primitive', 'iterator', 'coords-from-data-source'],
  'variable.data_path': [
    'type',
    'primitive',
    'iterator',
    'primitive-from-iterator',
    'coords-from-data-source',
    'coords-from-iterator',
  ],
  'variable.iterator_id': ['type', 'primitive-from-iterator', 'coords-from-iterator'],
  'variable.custom_value': ['type', 'custom'],
  'variable.expression': ['type', 'expression'],
  'variable.random_from': ['type', 'random'],
  'variable.random_to': ['type', 'random'],
  'action.object_id': ['type', 'modify-object'],
  'action.object_ids': ['type', 'modify-objects'],
  'action.popup_id': ['type', 'modify-popup'],
};

const creates: Condition = ['type', 'create-spot', 'create-poly', 'create-spots', 'create-polys'];
const createsSpots: Condition = ['type', 'create-spot', 'create-spots'];
const modifiesObjects: Condition = ['type', 'modify-object', 'modify-objects'];
const createsPopups: readonly Condition[] = [creates, ['create_popup', true]];

/** Beginnings of members that share conditions; the first that fits. */
const sharedConditions: readonly (readonly [prefix: string, alternatives: Alternatives])[] = [
  ['variable.color_interpolation_', [[['type', 'interpolate-color']]]],
  ['action.create_popup', [[creates]]],
  // An action that changes a popup sets only its texts.
  ['action.popup_max_width', [createsPopups]],
  ['action.popup_button_action', [createsPopups]],
  ['action.popup_open_link', [createsPopups]],
  ['action.popup_', [createsPopups, [['type', 'modify-popup']]]],
  ['action.create_object_', [[creates]]],
  ...(['x', 'y'] as const).flatMap((axis) =>
    (['custom', 'variable'] as const).map(
      (source) =>
        [`action.create_spot_${axis}_${source}`, [[createsSpots, [`create_spot_${axis}_source_type`, source]]]] as const,
    ),
  ),
  ['action.create_spot_', [[createsSpots]]],
  ['action.create_poly_', [[['type', 'create-poly', 'create-polys']]]],
  ['action.style_radius', [[modifiesObjects], [createsSpots]]],
  ['action.style_pin', [[modifiesObjects], [createsSpots]]],
  ['action.style_', [[modifiesObjects], [creates]]],
];

/** Members whose editor does not follow from their schema. */
const editors: Readonly<Record<string, Partial<Field>>> = {
  'action.conditions': { kind: 'conditions' },
  'variable.custom_value': { kind: 'template' },
  'variable.expression': { kind: 'expression' },
  'variable.data_path': { kind: 'path' },
  // A text in the contract; these are the values that have an effect.
  'action.popup_button_action': { kind: 'choice', choices: ['none', 'follow-link'] },
};

/** Texts in which `{Name}` is replaced by the value of a variable. */
const templates = /^action\.(?:create_object_name|popup_(?:title|image|content|button_text|button_link))$/;

/** Sections of a form, by the beginning of the member's name; a member that fits none is in the first section. */
const sections: Readonly<Record<string, readonly (readonly [section: string, pattern: RegExp])[]>> = {
  object: [
    ['place', /^(?:x|y|radius|coords)$/],
    ['look', /^(?:color|opacity|stroke_|blend_mode|pin$)/],
    ['hover', /^hover_/],
    ['click', /^(?:click_|open_link|interactive)/],
  ],
  project: [['advanced', /^settings$/]],
  artboard: [
    ['background', /^(?:type|width|height|image_url|bg_color|osm_)/],
    ['advanced', /^embedding_url$/],
  ],
  popup: [['button', /^(?:button|openLink)/]],
  action: [
    ['when', /^condition/],
    ['creates', /^create_(?!popup)/],
    ['style', /^style_/],
    ['popup', /^(?:create_popup|popup_)/],
  ],
};

interface Field {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly fallback: unknown;
  readonly section?: string;
  readonly choices?: readonly string[];
  readonly target?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly when?: readonly (readonly { readonly member: string; readonly values: readonly (string | boolean)[] }[])[];
  readonly isTemplate?: true;
  readonly isOptional?: true;
  readonly hasNoControl?: true;
}

/** `data_source` */
const kindOf = ({ title }: Resource): string => title.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

/** What edits the values of a member. */
function editorOf(name: string, schema: AnySchema): string {
  const { type, enum: choices, items, properties } = schema;
  const target = schema['x-references'];
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'number') return 'number';
  if (type === 'array') {
    if (target !== undefined) return 'references';
    if (items?.type === 'string') return /colors$/.test(name) ? 'colours' : 'texts';
    if (items?.properties?.['x'] !== undefined) return 'corners';
    return name === 'headers' ? 'rows' : 'json';
  }
  if (/^style_/.test(name)) return 'style';
  if (type === 'object' || properties !== undefined) return 'json';
  if (target !== undefined) return 'reference';
  if (/color$/.test(name)) return 'colour';
  if (/(?:content|^body)$/.test(name)) return 'long-text';
  if (schema['x-link'] === true) return 'link';
  if (/(?:url|image|thumb)$/i.test(name)) return 'url';
  return 'text';
}

function rangeOf(name: string, schema: AnySchema): Pick<Field, 'minimum' | 'maximum' | 'step'> {
  if (schema.type !== 'number') return {};
  if (/opacity$/.test(name)) return { minimum: 0, maximum: 1, step: 0.05 };
  return schema.minimum === undefined ? {} : { minimum: schema.minimum };
}

function fieldsOf(resource: Resource): Field[] {
  const kind = kindOf(resource);
  const held = new Set<string>(resource.collections.map(({ name }) => name));
  return Object.entries<AnySchema>(resource.bodies.response.properties)
    .filter(([name]) => !held.has(name) && !leftOut.has(name))
    .map(([name, schema]) => {
      const path = `${kind}.${name}`;
      const own = conditions[path];
      const when = own === undefined ? sharedConditions.find(([prefix]) => path.startsWith(prefix))?.[1] : [[own]];
      const section = sections[kind]?.find(([, pattern]) => pattern.test(name))?.[0];
      const { enum: choices } = schema;
      const target = schema['x-references'];
      return {
        name,
        kind: editorOf(name, schema),
        description: schema.description ?? '',
        fallback: schema.default ?? (choices === undefined ? '' : choices[0]),
        ...(section === undefined ? {} : { section }),
        ...(choices === undefined ? {} : { choices }),
        ...(target === undefined ? {} : { target }),
        ...rangeOf(name, schema),
        ...(when === undefined ? {} : { when: when.map((all) => all.map(([member, ...values]) => ({ member, values }))) }),
        ...(templates.test(path) ? { isTemplate: true as const } : {}),
        ...editors[path],
        ...(Type.IsOptional(schema) ? { isOptional: true as const } : {}),
        ...(withoutControl.has(path) ? { hasNoControl: true as const } : {}),
      };
    });
}

const head = `/** The forms of the resources: generated by \`npm run generate\` from their schemas, do not edit. */
import type { FormField } from '../forms/form-field.ts';

`;

export function formsText(): string {
  // A file has no form: its name is the only member that people change.
  const all = [projects, ...Object.values(resourceOf).filter(({ kind }) => kind !== 'file' && kind !== 'version')];
  const parts = all.map((resource) => {
    const lines = fieldsOf(resource).map((field) => `    ${JSON.stringify(field)},\n`);
    return `  ${kindOf(resource)}: [\n${lines.join('')}  ],\n`;
  });
  return `${head}export const forms = {\n${parts.join('')}} as const satisfies Readonly<Record<string, readonly FormField[]>>;\n`;
}
