/**
 * Tables of the API, written by hand and independent of the sources: members with types, defaults and enum values, and the routes. Tests
 * compare the schemas and the running server with them. Members beyond the contract are `optional`.
 */

export type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'words'
  | 'vertices'
  | 'rings'
  | 'values'
  | 'strings'
  | 'objects'
  | 'object'
  | 'style'
  | 'path'
  | 'list';

export interface Member {
  readonly kind: Kind;
  /** `undefined`: it has none. */
  readonly fallback?: unknown;
  readonly words?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Set by the server. */
  readonly readOnly?: true;
  /** The resource that a list holds. */
  readonly of?: ResourceName;
  /** The resource of the same project that a string is the identifier of. */
  readonly names?: ResourceName;
  /** Beyond the contract: a response has it only while it does not have its default. */
  readonly optional?: true;
}

export type ResourceName = 'Project' | 'Artboard' | 'Object' | 'Popup' | 'DataSource' | 'Variable' | 'Action';

const set: Member = { kind: 'string', readOnly: true };
const text = (fallback = ''): Member => ({ kind: 'string', fallback });
const reference = (names: ResourceName): Member => ({ kind: 'string', fallback: '', names });
const number = (fallback: number): Member => ({ kind: 'number', fallback });
const flag = (fallback: boolean): Member => ({ kind: 'boolean', fallback });
const words = (fallback: string | undefined, ...all: string[]): Member => ({ kind: 'words', fallback, words: all });
const list = (of: ResourceName): Member => ({ kind: 'list', fallback: [], of });
const style = (name: string): Member => ({ kind: 'style', fallback: { name, type: 'current-value' } });

// biome-ignore format: one word per line would fill a page
const blendModes = [
  'inherit', 'normal', 'add', 'multiply', 'screen', 'darken', 'lighten', 'erase', 'color-dodge', 'color-burn', 'linear-burn',
  'linear-dodge', 'linear-light', 'hard-light', 'soft-light', 'pin-light', 'difference', 'exclusion', 'overlay', 'saturation',
  'color', 'luminosity', 'normal-npm', 'add-npm', 'screen-npm', 'none', 'subtract', 'divide', 'vivid-light', 'hard-mix',
  'negation', 'min', 'max',
];

const actionTypes = ['modify-object', 'create-spot', 'create-poly', 'create-spots', 'create-polys'];
/** Types of actions that the contract does not have. */
const actionTypesBeyond = ['modify-objects', 'modify-popup'];

/** All resources. */
export const contract: Readonly<Record<ResourceName, Readonly<Record<string, Member>>>> = {
  Project: {
    id: set,
    user_id: set,
    created: set,
    name: text('Untitled Project'),
    thumb: text(),
    artboards: list('Artboard'),
    popups: list('Popup'),
    data_sources: list('DataSource'),
    variables: list('Variable'),
    actions: list('Action'),
    settings: { kind: 'object', fallback: {} },
  },
  Artboard: {
    id: set,
    name: text('Untitled Artboard'),
    type: words('color', 'color', 'image', 'osm'),
    embedding_url: text(),
    image_url: text(),
    width: number(800),
    height: number(600),
    bg_color: text('#ffffff'),
    osm_lat: number(0),
    osm_lng: number(0),
    osm_zoom: { kind: 'number', fallback: 1, minimum: 1 },
    objects: list('Object'),
    tiles: { ...text(), optional: true },
  },
  Object: {
    id: set,
    name: text('Untitled Object'),
    type: words(undefined, 'spot', 'poly'),
    click_action: words('none', 'none', 'follow-link', 'change-artboard'),
    open_link_in_new_tab: flag(false),
    click_action_url: text(),
    click_action_artboard_id: reference('Artboard'),
    x: number(0),
    y: number(0),
    coords: { kind: 'vertices', fallback: [] },
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
    blend_mode: words('normal', ...blendModes),
    interactive: { ...flag(true), optional: true },
    key: { ...text(), optional: true },
    category: { ...text(), optional: true },
    properties: { kind: 'values', fallback: {}, optional: true },
    icon: { ...text(), optional: true },
    label: { ...words('auto', 'auto', 'always', 'never'), optional: true },
    label_size: { kind: 'number', fallback: 13, minimum: 6, maximum: 96, optional: true },
    closed: { ...flag(true), optional: true },
    arrow: { ...words('none', 'none', 'end', 'both'), optional: true },
    holes: { kind: 'rings', fallback: [], optional: true },
  },
  Popup: {
    id: set,
    name: text('Untitled Popup'),
    attachedTo: reference('Object'),
    maxWidth: number(500),
    title: text(),
    image: text(),
    content: text(),
    buttonText: text(),
    buttonAction: words('follow-link', 'follow-link', 'none'),
    buttonLink: text(),
    openLinkInNewTab: flag(false),
  },
  DataSource: {
    id: set,
    name: text('Untitled Data Source'),
    url: text(),
    method: words('GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    headers: { kind: 'objects', fallback: [] },
    body: text(),
  },
  Variable: {
    id: set,
    name: text('Untitled Variable'),
    type: words(
      'primitive',
      'primitive',
      'expression',
      'interpolate-color',
      'iterator',
      'primitive-from-iterator',
      'coords-from-data-source',
      'coords-from-iterator',
      'random',
      'custom',
    ),
    data_source_id: reference('DataSource'),
    iterator_id: reference('Variable'),
    custom_value: text(),
    expression: text(),
    data_path: { kind: 'path', fallback: { nodes: [], node_id: '', filters: [], collapsed_nodes: [] } },
    color_interpolation_range_start: number(0),
    color_interpolation_range_end: number(100),
    color_interpolation_factor_variable_id: reference('Variable'),
    color_interpolation_colors: { kind: 'strings', fallback: [] },
    color_interpolation_smooth: flag(true),
    random_from: number(0),
    random_to: number(1),
  },
  Action: {
    id: set,
    type: words('modify-object', ...actionTypes, ...actionTypesBeyond),
    name: text('Untitled Action'),
    conditions: { kind: 'objects', fallback: [] },
    condition_operator: words('and', 'and', 'or'),
    object_id: reference('Object'),
    create_object_target_artboard_id: reference('Artboard'),
    create_object_name: text(),
    create_spot_x_source_type: words('custom', 'variable', 'custom'),
    create_spot_x_custom_value: text(),
    create_spot_x_variable_id: reference('Variable'),
    create_spot_y_source_type: words('custom', 'variable', 'custom'),
    create_spot_y_custom_value: text(),
    create_spot_y_variable_id: reference('Variable'),
    create_poly_coords_variable_id: reference('Variable'),
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
    create_popup: flag(false),
    popup_max_width: number(500),
    popup_title: text(),
    popup_image: text(),
    popup_content: text(),
    popup_button_text: text(),
    popup_button_action: text('follow-link'),
    popup_button_link: text(),
    popup_open_link_in_new_tab: flag(false),
    object_ids: { kind: 'strings', fallback: [], names: 'Object', optional: true },
    popup_id: { ...reference('Popup'), optional: true },
    match_variable_id: { ...reference('Variable'), optional: true },
    match_by: { ...words('key', 'key', 'name', 'property'), optional: true },
    match_property: { ...text(), optional: true },
    match_artboard_id: { ...reference('Artboard'), optional: true },
    match_category: { ...text(), optional: true },
    otherwise: { kind: 'object', fallback: {}, optional: true },
    style_label_text: { ...style('label_text'), optional: true },
    style_icon: { ...style('icon'), optional: true },
    style_category: { ...style('category'), optional: true },
  },
};

export const resourceNames = Object.keys(contract) as ResourceName[];

/** Path of each resource's collection below the version prefix, and the name of its own path parameter. */
export const places: Readonly<Record<ResourceName, readonly [collection: string, parameter: string]>> = {
  Project: ['/projects', '<project_id>'],
  Artboard: ['/projects/<project_id>/artboards', '<artboard_id>'],
  Object: ['/projects/<project_id>/artboards/<artboard_id>/objects', '<object_id>'],
  Popup: ['/projects/<project_id>/popups', '<popup_id>'],
  DataSource: ['/projects/<project_id>/data-sources', '<data_source_id>'],
  Variable: ['/projects/<project_id>/variables', '<variable_id>'],
  Action: ['/projects/<project_id>/actions', '<action_id>'],
};

/** The 35 routes: `GET /projects/<project_id>`. */
export const routes: readonly string[] = Object.values(places).flatMap(([collection, parameter]) => [
  `GET ${collection}`,
  `POST ${collection}`,
  `GET ${collection}/${parameter}`,
  `PATCH ${collection}/${parameter}`,
  `DELETE ${collection}/${parameter}`,
]);

/** The least that a create must be sent. */
export function leastBody(name: ResourceName): Record<string, unknown> {
  return name === 'Object' ? { type: 'spot' } : {};
}
