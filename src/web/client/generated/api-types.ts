/** The API as types. Generated from its description by `.ci/generate.ts`: do not edit. */

import type { Bytes } from '../byte-bodies.ts';

/** Objects on a background: a colour, an image or a map. */
export type Artboard = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Artboard"` */
  name: string;
  /** Background: a colour, an image, or an OpenStreetMap map. Default: `"color"` */
  type: 'color' | 'image' | 'osm';
  /** Public address for embedding. Default: `""` */
  embedding_url: string;
  /** Background of type "image". Default: `""` */
  image_url: string;
  /** Pixels. Default: `800` */
  width: number;
  /** Pixels. Default: `600` */
  height: number;
  /** Background of type "color". Default: `"#ffffff"` */
  bg_color: string;
  /** Latitude of the centre, for type "osm". Default: `0` */
  osm_lat: number;
  /** Longitude of the centre, for type "osm". Default: `0` */
  osm_lng: number;
  /** Zoom level, for type "osm". Default: `1` */
  osm_zoom: number;
  /** Spots and polygons on the artboard. Default: `[]` */
  objects: Object[];
};

/** A new artboard. Omitted members take their defaults. */
export type ArtboardCreate = Partial<Omit<Artboard, 'id' | 'objects'>> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectCreate[];
};

/** Changes of an artboard. Omitted members are unchanged. */
export type ArtboardUpdate = Partial<Omit<Artboard, 'id' | 'objects'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
  /** Spots and polygons on the artboard: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  objects?: Array<WithRequired<ObjectUpdate, 'id'> | ObjectCreate>;
};

/** An artboard from an export. Omitted members take their defaults. */
export type ArtboardImport = Partial<Omit<Artboard, 'id' | 'objects'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectImport[];
};

/** A spot or a polygon on an artboard. */
export type Object = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Object"` */
  name: string;
  /** A circle around x and y, or a polygon or line with its corners in coords */
  type: 'spot' | 'poly';
  /** Effect of a click. Default: `"none"` */
  click_action: 'none' | 'follow-link' | 'change-artboard';
  /** For "follow-link". Default: `false` */
  open_link_in_new_tab: boolean;
  /** Target of "follow-link". Default: `""` */
  click_action_url: string;
  /** Artboard that "change-artboard" shows. Default: `""` */
  click_action_artboard_id: string;
  /** Centre of a spot. Default: `0` */
  x: number;
  /** Centre of a spot. Default: `0` */
  y: number;
  /** Corners of a polygon, in pixels of the artboard: 50,000 at most. Default: `[]` */
  coords: Array<{ x: number; y: number }>;
  /** Radius of a spot. Default: `20` */
  radius: number;
  /** Show the pin marker. Default: `true` */
  pin: boolean;
  /** Fill. Default: `"#3b82f6"` */
  color: string;
  /** Opacity of the fill; 1 is opaque. Default: `1` */
  opacity: number;
  /** Outline. Default: `"#000000"` */
  stroke_color: string;
  /** Width of the outline, in pixels. Default: `0` */
  stroke_width: number;
  /** Opacity of the outline. Default: `1` */
  stroke_opacity: number;
  /** Fill while the pointer is over it. Default: `"#000000"` */
  hover_color: string;
  /** Opacity of the fill while the pointer is over it. Default: `0.5` */
  hover_opacity: number;
  /** Outline while the pointer is over it. Default: `"#000000"` */
  hover_stroke_color: string;
  /** Width of the outline while the pointer is over it. Default: `0` */
  hover_stroke_width: number;
  /** Opacity of the outline while the pointer is over it. Default: `1` */
  hover_stroke_opacity: number;
  /** How its colours blend with the background. Default: `"normal"` */
  blend_mode: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
  /** React to the pointer. Default: `true` */
  interactive?: boolean;
  /** Finds the object again in a later import; unique on its artboard. Default: `""` */
  key?: string;
  /** Name of its category: visitors show and hide all objects of one. Default: `""` */
  category?: string;
  /** Data of the place: texts, numbers and booleans by their names, 16 KiB as JSON at most. The fields in `settings.public_map` say which ones are published. A PATCH replaces it as a whole. Default: `{}` */
  properties?: { [key: string]: string | number | boolean };
  /** Icon: `maki:NAME` or `temaki:NAME`, or the address of a picture; a spot shows it in place of the pin. Default: `""` */
  icon?: string;
  /** When its name is written on the map: as `settings.labels` says, always, or never. Default: `"auto"` */
  label?: 'auto' | 'always' | 'never';
  /** Size of its name on the map, in CSS pixels; it does not grow with the map. Default: `13` */
  label_size?: number;
  /** Of a polygon: false for a line with the stroke of the object, without fill. Default: `true` */
  closed?: boolean;
  /** Ends of a line that have an arrow. Default: `"none"` */
  arrow?: 'none' | 'end' | 'both';
  /** Rings of a polygon that are no part of it, in pixels of the artboard: 100 at most, with 50,000 corners together with coords. Default: `[]` */
  holes?: Array<Array<{ x: number; y: number }>>;
};

/** A new object. Omitted members take their defaults. */
export type ObjectCreate = Partial<Omit<Object, 'id' | 'type'>> & {
  /** A circle around x and y, or a polygon or line with its corners in coords */
  type: 'spot' | 'poly';
  /** Latitude of x and y in degrees, with lng, on an artboard of type "osm" */
  lat?: number;
  /** Longitude of x and y in degrees, with lat, on an artboard of type "osm" */
  lng?: number;
  /** Corners of a polygon in degrees, for coords, on an artboard of type "osm": 50,000 at most */
  places?: Array<{ lat: number; lng: number }>;
  /** Rings of holes in degrees, for holes, on an artboard of type "osm" */
  hole_places?: Array<Array<{ lat: number; lng: number }>>;
};

/** Changes of an object. Omitted members are unchanged. */
export type ObjectUpdate = Partial<Omit<Object, 'id'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
  /** Latitude of x and y in degrees, with lng, on an artboard of type "osm" */
  lat?: number;
  /** Longitude of x and y in degrees, with lat, on an artboard of type "osm" */
  lng?: number;
  /** Corners of a polygon in degrees, for coords, on an artboard of type "osm": 50,000 at most */
  places?: Array<{ lat: number; lng: number }>;
  /** Rings of holes in degrees, for holes, on an artboard of type "osm" */
  hole_places?: Array<Array<{ lat: number; lng: number }>>;
};

/** An object from an export. Omitted members take their defaults. */
export type ObjectImport = Partial<Omit<Object, 'id' | 'type'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
  /** A circle around x and y, or a polygon or line with its corners in coords */
  type: 'spot' | 'poly';
  /** Latitude of x and y in degrees, with lng, on an artboard of type "osm" */
  lat?: number;
  /** Longitude of x and y in degrees, with lat, on an artboard of type "osm" */
  lng?: number;
  /** Corners of a polygon in degrees, for coords, on an artboard of type "osm": 50,000 at most */
  places?: Array<{ lat: number; lng: number }>;
  /** Rings of holes in degrees, for holes, on an artboard of type "osm" */
  hole_places?: Array<Array<{ lat: number; lng: number }>>;
};

/** Opens at an object. Its members are camelCase; those of all other resources are snake_case. */
export type Popup = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Popup"` */
  name: string;
  /** Identifier of the object it is attached to. Default: `""` */
  attachedTo: string;
  /** Pixels. Default: `500` */
  maxWidth: number;
  /** Heading. Default: `""` */
  title: string;
  /** Image URL. Default: `""` */
  image: string;
  /** HTML or text. Default: `""` */
  content: string;
  /** Label of the button. Default: `""` */
  buttonText: string;
  /** Effect of the button. Default: `"follow-link"` */
  buttonAction: 'follow-link' | 'none';
  /** Target of "follow-link". Default: `""` */
  buttonLink: string;
  /** For "follow-link". Default: `false` */
  openLinkInNewTab: boolean;
};

/** A new popup. Omitted members take their defaults. */
export type PopupCreate = Partial<Omit<Popup, 'id'>>;

/** Changes of a popup. Omitted members are unchanged. */
export type PopupUpdate = Partial<Omit<Popup, 'id'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
};

/** A popup from an export. Omitted members take their defaults. */
export type PopupImport = Partial<Omit<Popup, 'id'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
};

/** An HTTP request whose response variables read. The server sends it; without a URL, clients push responses. */
export type DataSource = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Data Source"` */
  name: string;
  /** Target URL. Default: `""` */
  url: string;
  /** Method of the request. Default: `"GET"` */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Request headers, which keys for reading do not see. Default: `[]` */
  headers: Array<{ [key: string]: unknown }>;
  /** Request body, sent unchanged. Default: `""` */
  body: string;
};

/** A new data source. Omitted members take their defaults. */
export type DataSourceCreate = Partial<Omit<DataSource, 'id'>>;

/** Changes of a data source. Omitted members are unchanged. */
export type DataSourceUpdate = Partial<Omit<DataSource, 'id'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
};

/** A data source from an export. Omitted members take their defaults. */
export type DataSourceImport = Partial<Omit<DataSource, 'id'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
};

/** A value that styles, positions and other variables use. */
export type Variable = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Variable"` */
  name: string;
  /** Source of the value. Default: `"primitive"` */
  type: 'primitive' | 'expression' | 'interpolate-color' | 'iterator' | 'primitive-from-iterator' | 'coords-from-data-source' | 'coords-from-iterator' | 'random' | 'custom';
  /** Identifier of the data source it is taken from. Default: `""` */
  data_source_id: string;
  /** Identifier of the iterator variable. Default: `""` */
  iterator_id: string;
  /** For "custom". Default: `""` */
  custom_value: string;
  /** For "expression". Default: `""` */
  expression: string;
  /** Path of the value in the data. Default: `{"nodes":[],"node_id":"","filters":[],"collapsed_nodes":[]}` */
  data_path: {
    /** Default: `[]` */
    nodes?: unknown[];
    /** Default: `""` */
    node_id?: string;
    /** Default: `[]` */
    filters?: unknown[];
    /** Default: `[]` */
    collapsed_nodes?: unknown[];
  } & { [key: string]: unknown };
  /** Factor for the first colour. Default: `0` */
  color_interpolation_range_start: number;
  /** Factor for the last colour. Default: `100` */
  color_interpolation_range_end: number;
  /** Variable that is the interpolation factor. Default: `""` */
  color_interpolation_factor_variable_id: string;
  /** Colours from the start of the range to its end. Default: `[]` */
  color_interpolation_colors: string[];
  /** Blend adjacent colours. Default: `true` */
  color_interpolation_smooth: boolean;
  /** For "random": the minimum. Default: `0` */
  random_from: number;
  /** For "random": the maximum. Default: `1` */
  random_to: number;
};

/** A new variable. Omitted members take their defaults. */
export type VariableCreate = Partial<Omit<Variable, 'id'>>;

/** Changes of a variable. Omitted members are unchanged. */
export type VariableUpdate = Partial<Omit<Variable, 'id'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
};

/** A variable from an export. Omitted members take their defaults. */
export type VariableImport = Partial<Omit<Variable, 'id'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
};

/** Changes or creates something when its conditions hold. */
export type Action = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Effect of the action. Default: `"modify-object"` */
  type: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Display name. Default: `"Untitled Action"` */
  name: string;
  /** When the action runs. Default: `[]` */
  conditions: Array<{ [key: string]: unknown }>;
  /** Whether all conditions must hold, or one. Default: `"and"` */
  condition_operator: 'and' | 'or';
  /** Target of "modify-object". Default: `""` */
  object_id: string;
  /** Artboard on which objects are created. Default: `""` */
  create_object_target_artboard_id: string;
  /** Name of created objects. Default: `""` */
  create_object_name: string;
  /** Source of x. Default: `"custom"` */
  create_spot_x_source_type: 'variable' | 'custom';
  /** For "custom". Default: `""` */
  create_spot_x_custom_value: string;
  /** Variable that contains x. Default: `""` */
  create_spot_x_variable_id: string;
  /** Source of y. Default: `"custom"` */
  create_spot_y_source_type: 'variable' | 'custom';
  /** For "custom". Default: `""` */
  create_spot_y_custom_value: string;
  /** Variable that contains y. Default: `""` */
  create_spot_y_variable_id: string;
  /** Variable that contains the vertices. Default: `""` */
  create_poly_coords_variable_id: string;
  /** The new value; by default the current value stays. Default: `{"name":"color","type":"current-value"}` */
  style_color: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"opacity","type":"current-value"}` */
  style_opacity: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_color","type":"current-value"}` */
  style_stroke_color: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_width","type":"current-value"}` */
  style_stroke_width: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_opacity","type":"current-value"}` */
  style_stroke_opacity: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_color","type":"current-value"}` */
  style_hover_color: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_opacity","type":"current-value"}` */
  style_hover_opacity: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_color","type":"current-value"}` */
  style_hover_stroke_color: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_width","type":"current-value"}` */
  style_hover_stroke_width: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_opacity","type":"current-value"}` */
  style_hover_stroke_opacity: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"blend_mode","type":"current-value"}` */
  style_blend_mode: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"radius","type":"current-value"}` */
  style_radius: { name?: string; type?: string } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"pin","type":"current-value"}` */
  style_pin: { name?: string; type?: string } & { [key: string]: unknown };
  /** Create a popup with each created object. Default: `false` */
  create_popup: boolean;
  /** Pixels. Default: `500` */
  popup_max_width: number;
  /** Heading. Default: `""` */
  popup_title: string;
  /** Image URL. Default: `""` */
  popup_image: string;
  /** HTML or text. Default: `""` */
  popup_content: string;
  /** Label of the button. Default: `""` */
  popup_button_text: string;
  /** Effect of the button. Default: `"follow-link"` */
  popup_button_action: string;
  /** Target of "follow-link". Default: `""` */
  popup_button_link: string;
  /** For "follow-link". Default: `false` */
  popup_open_link_in_new_tab: boolean;
  /** Targets of "modify-objects". Default: `[]` */
  object_ids?: string[];
  /** Target of "modify-popup". Default: `""` */
  popup_id?: string;
};

/** A new action. Omitted members take their defaults. */
export type ActionCreate = Partial<Omit<Action, 'id'>>;

/** Changes of an action. Omitted members are unchanged. */
export type ActionUpdate = Partial<Omit<Action, 'id'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
};

/** An action from an export. Omitted members take their defaults. */
export type ActionImport = Partial<Omit<Action, 'id'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
};

/** A picture that was uploaded to a project. */
export type File = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Name of the file: 1 to 200 characters, without slashes and control characters */
  name: string;
  /** Media type, recognized from the bytes */
  readonly type: string;
  /** Size in bytes */
  readonly bytes: number;
  /** Pixels; of an SVG that names no size, those of its viewBox */
  readonly width: number;
  /** Pixels, as `width` */
  readonly height: number;
  /** Path of the public address, `/f/…`. It stays the same when the name changes */
  readonly url: string;
  /** Time of the upload: RFC 3339, UTC, with milliseconds */
  readonly created: string;
};

/** A new file. Omitted members take their defaults. */
export type FileCreate = Partial<Omit<File, 'id' | 'name' | 'type' | 'bytes' | 'width' | 'height' | 'url' | 'created'>> & {
  /** Name of the file: 1 to 200 characters, without slashes and control characters */
  name: string;
};

/** Changes of a file. Omitted members are unchanged. */
export type FileUpdate = Partial<Omit<File, 'id' | 'type' | 'bytes' | 'width' | 'height' | 'url' | 'created'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
  /** Media type, recognized from the bytes. May be sent with its current value */
  type?: string;
  /** Size in bytes. May be sent with its current value */
  bytes?: number;
  /** Pixels; of an SVG that names no size, those of its viewBox. May be sent with its current value */
  width?: number;
  /** Pixels, as `width`. May be sent with its current value */
  height?: number;
  /** Path of the public address, `/f/…`. It stays the same when the name changes. May be sent with its current value */
  url?: string;
  /** Time of the upload: RFC 3339, UTC, with milliseconds. May be sent with its current value */
  created?: string;
};

/** A file from an export. Omitted members take their defaults. */
export type FileImport = Partial<Omit<File, 'id' | 'name' | 'type' | 'bytes' | 'width' | 'height' | 'url' | 'created'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Name of the file: 1 to 200 characters, without slashes and control characters */
  name: string;
  /** Media type, recognized from the bytes */
  readonly type?: string;
  /** Size in bytes */
  readonly bytes?: number;
  /** Pixels; of an SVG that names no size, those of its viewBox */
  readonly width?: number;
  /** Pixels, as `width` */
  readonly height?: number;
  /** Path of the public address, `/f/…`. It stays the same when the name changes */
  readonly url?: string;
  /** Time of the upload: RFC 3339, UTC, with milliseconds */
  readonly created?: string;
};

/** A state of a project that is kept. */
export type Version = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Name that people give it. Default: `""` */
  name: string;
  /** Time of the state that it keeps: RFC 3339, UTC, with milliseconds */
  readonly created: string;
  /** Why it was made */
  readonly kind: 'named' | 'before-restore' | 'automatic' | 'published';
  /** Label of the API key that made it; of an automatic one: of the key whose change began */
  readonly key_label: string;
  /** Size on disk, compressed, without files */
  readonly bytes: number;
  /** Number of members of each kind */
  readonly counts: {
    artboards: number;
    objects: number;
    popups: number;
    data_sources: number;
    variables: number;
    actions: number;
    files: number;
  };
};

/** A new version. Omitted members take their defaults. */
export type VersionCreate = Partial<Omit<Version, 'id' | 'created' | 'kind' | 'key_label' | 'bytes' | 'counts'>>;

/** Changes of a version. Omitted members are unchanged. */
export type VersionUpdate = Partial<Omit<Version, 'id' | 'created' | 'kind' | 'key_label' | 'bytes' | 'counts'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
  /** Time of the state that it keeps: RFC 3339, UTC, with milliseconds. May be sent with its current value */
  created?: string;
  /** Why it was made. May be sent with its current value */
  kind?: 'named' | 'before-restore' | 'automatic' | 'published';
  /** Label of the API key that made it; of an automatic one: of the key whose change began. May be sent with its current value */
  key_label?: string;
  /** Size on disk, compressed, without files. May be sent with its current value */
  bytes?: number;
  /** Number of members of each kind. May be sent with its current value */
  counts?: {
    artboards: number;
    objects: number;
    popups: number;
    data_sources: number;
    variables: number;
    actions: number;
    files: number;
  };
};

/** A version from an export. Omitted members take their defaults. */
export type VersionImport = Partial<Omit<Version, 'id' | 'created' | 'kind' | 'key_label' | 'bytes' | 'counts'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Time of the state that it keeps: RFC 3339, UTC, with milliseconds */
  readonly created?: string;
  /** Why it was made */
  readonly kind?: 'named' | 'before-restore' | 'automatic' | 'published';
  /** Label of the API key that made it; of an automatic one: of the key whose change began */
  readonly key_label?: string;
  /** Size on disk, compressed, without files */
  readonly bytes?: number;
  /** Number of members of each kind */
  readonly counts?: {
    artboards: number;
    objects: number;
    popups: number;
    data_sources: number;
    variables: number;
    actions: number;
    files: number;
  };
};

/** A project of an account, with everything in it. */
export type Project = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Identifier of the account it belongs to */
  readonly user_id: string;
  /** When it was created: RFC 3339, UTC, with milliseconds */
  readonly created: string;
  /** Display name. Default: `"Untitled Project"` */
  name: string;
  /** Thumbnail URL. Default: `""` */
  thumb: string;
  /** Artboards with their objects. Default: `[]` */
  artboards: Artboard[];
  /** Popups. Default: `[]` */
  popups: Popup[];
  /** Data sources. Default: `[]` */
  data_sources: DataSource[];
  /** Variables. Default: `[]` */
  variables: Variable[];
  /** Actions. Default: `[]` */
  actions: Action[];
  /** Any settings that the editor stores with the project. `max_bounds`, `legend`, `labels` and `public_map` are checked, and published. Default: `{}` */
  settings: {
    /** The part of the Earth that visitors and editors can see on OpenStreetMap artboards, in degrees */
    max_bounds?: {
      /** Latitude */
      south: number;
      /** Longitude */
      west: number;
      /** Latitude, greater than `south` */
      north: number;
      /** Longitude; less than `west` for a box across the antimeridian */
      east: number;
    };
    /** What the colours of the map mean */
    legend?: Array<{
      /** Colour */
      color: string;
      /** What it means */
      name: string;
    }>;
    /** Which names of objects are written on the map: none, those with enough room, or all */
    labels?: 'none' | 'auto' | 'all';
    /** What visitors of the public map can filter and read, and its first view */
    public_map?: {
      /** About the map, as plain text */
      description?: string;
      /** The categories in their order */
      categories?: Array<{
        /** The `category` of its objects */
        name: string;
        /** Name for visitors; default: the name */
        label?: string;
        /** Colour in the list of categories */
        color?: string;
        /** Icon in the list of categories: `maki:NAME`, `temaki:NAME`, or the address of a picture */
        icon?: string;
        /** Hide its objects until the visitor shows them; default false */
        hidden?: boolean;
      }>;
      /** The properties of objects that are public, in their order */
      fields?: Array<{
        /** The member of `properties` that becomes public */
        name: string;
        /** Name for visitors; default: the name */
        label?: string;
        /** How its values are shown and filtered; default `text` */
        kind?: 'text' | 'number' | 'choice' | 'yes-no' | 'date' | 'link' | 'mail' | 'telephone' | 'picture';
        /** Where visitors find it; default `["popup"]` */
        show?: Array<'popup' | 'list' | 'search' | 'filter'>;
      }>;
      /** The first view, instead of all objects */
      start?: {
        /** Identifier of the first artboard; default: the first one. Default: `""` */
        artboard_id?: string;
        /** Zoom of an OpenStreetMap artboard; of others, steps from the whole picture, each twice as large */
        zoom?: number;
        /** Latitude of the centre */
        lat?: number;
        /** Longitude of the centre */
        lng?: number;
        /** Pixel of the artboard in the centre */
        x?: number;
        /** Pixel of the artboard in the centre */
        y?: number;
      };
    };
  } & { [key: string]: unknown };
};

/** A new project. Omitted members take their defaults. */
export type ProjectCreate = Partial<Omit<Project, 'id' | 'user_id' | 'created' | 'artboards' | 'popups' | 'data_sources' | 'variables' | 'actions'>> & {
  /** Artboards with their objects. Default: `[]` */
  artboards?: ArtboardCreate[];
  /** Popups. Default: `[]` */
  popups?: PopupCreate[];
  /** Data sources. Default: `[]` */
  data_sources?: DataSourceCreate[];
  /** Variables. Default: `[]` */
  variables?: VariableCreate[];
  /** Actions. Default: `[]` */
  actions?: ActionCreate[];
};

/** Changes of a project. Omitted members are unchanged. */
export type ProjectUpdate = Partial<Omit<Project, 'id' | 'user_id' | 'created' | 'artboards' | 'popups' | 'data_sources' | 'variables' | 'actions'>> & {
  /** Identifier, made by the server. May be sent with its current value */
  id?: string;
  /** Identifier of the account it belongs to. May be sent with its current value */
  user_id?: string;
  /** When it was created: RFC 3339, UTC, with milliseconds. May be sent with its current value */
  created?: string;
  /** Artboards with their objects: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  artboards?: Array<WithRequired<ArtboardUpdate, 'id'> | ArtboardCreate>;
  /** Popups: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  popups?: Array<WithRequired<PopupUpdate, 'id'> | PopupCreate>;
  /** Data sources: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  data_sources?: Array<WithRequired<DataSourceUpdate, 'id'> | DataSourceCreate>;
  /** Variables: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  variables?: Array<WithRequired<VariableUpdate, 'id'> | VariableCreate>;
  /** Actions: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  actions?: Array<WithRequired<ActionUpdate, 'id'> | ActionCreate>;
};

/** A project from an export. Omitted members take their defaults. */
export type ProjectImport = Partial<Omit<Project, 'id' | 'user_id' | 'created' | 'artboards' | 'popups' | 'data_sources' | 'variables' | 'actions'>> & {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Identifier of the account it belongs to */
  readonly user_id?: string;
  /** When it was created: RFC 3339, UTC, with milliseconds */
  readonly created?: string;
  /** Artboards with their objects. Default: `[]` */
  artboards?: ArtboardImport[];
  /** Popups. Default: `[]` */
  popups?: PopupImport[];
  /** Data sources. Default: `[]` */
  data_sources?: DataSourceImport[];
  /** Variables. Default: `[]` */
  variables?: VariableImport[];
  /** Actions. Default: `[]` */
  actions?: ActionImport[];
};

/** A spot or a polygon on an artboard. With `?places=true`, and on an artboard of type "osm", it has places. */
export type ObjectWithPlaces = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Object"` */
  name: string;
  /** A circle around x and y, or a polygon or line with its corners in coords */
  type: 'spot' | 'poly';
  /** Effect of a click. Default: `"none"` */
  click_action: 'none' | 'follow-link' | 'change-artboard';
  /** For "follow-link". Default: `false` */
  open_link_in_new_tab: boolean;
  /** Target of "follow-link". Default: `""` */
  click_action_url: string;
  /** Artboard that "change-artboard" shows. Default: `""` */
  click_action_artboard_id: string;
  /** Centre of a spot. Default: `0` */
  x: number;
  /** Centre of a spot. Default: `0` */
  y: number;
  /** Corners of a polygon, in pixels of the artboard: 50,000 at most. Default: `[]` */
  coords: Array<{ x: number; y: number }>;
  /** Radius of a spot. Default: `20` */
  radius: number;
  /** Show the pin marker. Default: `true` */
  pin: boolean;
  /** Fill. Default: `"#3b82f6"` */
  color: string;
  /** Opacity of the fill; 1 is opaque. Default: `1` */
  opacity: number;
  /** Outline. Default: `"#000000"` */
  stroke_color: string;
  /** Width of the outline, in pixels. Default: `0` */
  stroke_width: number;
  /** Opacity of the outline. Default: `1` */
  stroke_opacity: number;
  /** Fill while the pointer is over it. Default: `"#000000"` */
  hover_color: string;
  /** Opacity of the fill while the pointer is over it. Default: `0.5` */
  hover_opacity: number;
  /** Outline while the pointer is over it. Default: `"#000000"` */
  hover_stroke_color: string;
  /** Width of the outline while the pointer is over it. Default: `0` */
  hover_stroke_width: number;
  /** Opacity of the outline while the pointer is over it. Default: `1` */
  hover_stroke_opacity: number;
  /** How its colours blend with the background. Default: `"normal"` */
  blend_mode: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
  /** React to the pointer. Default: `true` */
  interactive?: boolean;
  /** Finds the object again in a later import; unique on its artboard. Default: `""` */
  key?: string;
  /** Name of its category: visitors show and hide all objects of one. Default: `""` */
  category?: string;
  /** Data of the place: texts, numbers and booleans by their names, 16 KiB as JSON at most. The fields in `settings.public_map` say which ones are published. A PATCH replaces it as a whole. Default: `{}` */
  properties?: { [key: string]: string | number | boolean };
  /** Icon: `maki:NAME` or `temaki:NAME`, or the address of a picture; a spot shows it in place of the pin. Default: `""` */
  icon?: string;
  /** When its name is written on the map: as `settings.labels` says, always, or never. Default: `"auto"` */
  label?: 'auto' | 'always' | 'never';
  /** Size of its name on the map, in CSS pixels; it does not grow with the map. Default: `13` */
  label_size?: number;
  /** Of a polygon: false for a line with the stroke of the object, without fill. Default: `true` */
  closed?: boolean;
  /** Ends of a line that have an arrow. Default: `"none"` */
  arrow?: 'none' | 'end' | 'both';
  /** Rings of a polygon that are no part of it, in pixels of the artboard: 100 at most, with 50,000 corners together with coords. Default: `[]` */
  holes?: Array<Array<{ x: number; y: number }>>;
  /** Latitude of x and y in degrees, with lng, on an artboard of type "osm" */
  lat?: number;
  /** Longitude of x and y in degrees, with lat, on an artboard of type "osm" */
  lng?: number;
  /** Corners of a polygon in degrees, for coords, on an artboard of type "osm": 50,000 at most */
  places?: Array<{ lat: number; lng: number }>;
  /** Rings of holes in degrees, for holes, on an artboard of type "osm" */
  hole_places?: Array<Array<{ lat: number; lng: number }>>;
};

/** What differs between two states of a project. */
export type Comparison = {
  /** Number of all differences */
  counts: { created: number; changed: number; deleted: number };
  /** The differences */
  changes: Array<{
    /** Kind of the resource: "artboard", "object", … */
    kind: string;
    /** Identifier of the resource */
    id: string;
    /** Its name */
    name: string;
    /** What happened to it */
    change: 'created' | 'changed' | 'deleted';
    /** Of a changed resource: the members that differ */
    members?: { [key: string]: { before: unknown; after: unknown } };
  }>;
};

/** A write to the project or to a resource in it. */
export type Operation = {
  /** POST creates, PATCH changes, DELETE deletes */
  method: 'POST' | 'PATCH' | 'DELETE';
  /** Path relative to the project: "/popups", "/artboards/<id>/objects/<id>"; "/" for the project itself */
  path: string;
  /** Body of the same request outside a batch; must be omitted for DELETE, and may be for a PATCH with `before` or `to_artboard` */
  body?: { [key: string]: unknown };
  /** Name of the result. Later paths and references may use it in braces */
  as?: string;
  /** For POST: identifier of what is created, a UUIDv7 at most five minutes ahead of the clock of the server. Objects in the body of an artboard may have an `id`, too */
  id?: string;
  /** For POST and PATCH of a member: the member of its collection that it comes before; null for the last place */
  before?: string | null;
  /** For PATCH of an object: the artboard that it moves to, with its identifier. `before` is then an object there */
  to_artboard?: string;
  /** If-Match header of this operation */
  if_match?: string;
  /** For PATCH: the body is a JSON Merge Patch (RFC 7396). Objects in open structures are merged, and null removes */
  merge?: boolean;
  /** For PATCH of an artboard, or with `to_artboard`: the objects that move stay where they are on Earth. All artboards are of type "osm" */
  keep_places?: boolean;
};

/** Operations that are all applied, or none. */
export type Batch = {
  /** Operations, in the order of execution */
  operations: Operation[];
  /** Keep the state before the batch as an automatic version, as imports do with their first batch */
  keep_version?: boolean;
};

/** A project without the collections that it holds. */
export type ProjectWithoutCollections = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Identifier of the account it belongs to */
  readonly user_id: string;
  /** When it was created: RFC 3339, UTC, with milliseconds */
  readonly created: string;
  /** Display name. Default: `"Untitled Project"` */
  name: string;
  /** Thumbnail URL. Default: `""` */
  thumb: string;
  /** Any settings that the editor stores with the project. `max_bounds`, `legend`, `labels` and `public_map` are checked, and published. Default: `{}` */
  settings: {
    /** The part of the Earth that visitors and editors can see on OpenStreetMap artboards, in degrees */
    max_bounds?: {
      /** Latitude */
      south: number;
      /** Longitude */
      west: number;
      /** Latitude, greater than `south` */
      north: number;
      /** Longitude; less than `west` for a box across the antimeridian */
      east: number;
    };
    /** What the colours of the map mean */
    legend?: Array<{
      /** Colour */
      color: string;
      /** What it means */
      name: string;
    }>;
    /** Which names of objects are written on the map: none, those with enough room, or all */
    labels?: 'none' | 'auto' | 'all';
    /** What visitors of the public map can filter and read, and its first view */
    public_map?: {
      /** About the map, as plain text */
      description?: string;
      /** The categories in their order */
      categories?: Array<{
        /** The `category` of its objects */
        name: string;
        /** Name for visitors; default: the name */
        label?: string;
        /** Colour in the list of categories */
        color?: string;
        /** Icon in the list of categories: `maki:NAME`, `temaki:NAME`, or the address of a picture */
        icon?: string;
        /** Hide its objects until the visitor shows them; default false */
        hidden?: boolean;
      }>;
      /** The properties of objects that are public, in their order */
      fields?: Array<{
        /** The member of `properties` that becomes public */
        name: string;
        /** Name for visitors; default: the name */
        label?: string;
        /** How its values are shown and filtered; default `text` */
        kind?: 'text' | 'number' | 'choice' | 'yes-no' | 'date' | 'link' | 'mail' | 'telephone' | 'picture';
        /** Where visitors find it; default `["popup"]` */
        show?: Array<'popup' | 'list' | 'search' | 'filter'>;
      }>;
      /** The first view, instead of all objects */
      start?: {
        /** Identifier of the first artboard; default: the first one. Default: `""` */
        artboard_id?: string;
        /** Zoom of an OpenStreetMap artboard; of others, steps from the whole picture, each twice as large */
        zoom?: number;
        /** Latitude of the centre */
        lat?: number;
        /** Longitude of the centre */
        lng?: number;
        /** Pixel of the artboard in the centre */
        x?: number;
        /** Pixel of the artboard in the centre */
        y?: number;
      };
    };
  } & { [key: string]: unknown };
};

/** Results of the operations. */
export type BatchResults = {
  /** Result of each operation, in order */
  results: Array<{
    /** Status of the same request outside a batch: 200, or 204 for DELETE */
    status: number;
    /** The resource after the operation, a project without its collections; null for DELETE */
    body: ProjectWithoutCollections | Artboard | Object | Popup | DataSource | Variable | Action | File | Version | null;
  }>;
};

/** A dangling reference: it refers to a resource or an icon that does not exist. Or a `public_map` that does not fit, and is not published. */
export type DanglingReference = {
  /** JSON Pointer (RFC 6901) into the project document */
  pointer: string;
  /** Member that has the reference */
  member: string;
  /** Resource that has the reference */
  resource: {
    kind: 'artboard' | 'object' | 'popup' | 'data_source' | 'variable' | 'action' | 'file' | 'version' | 'project';
    id: string;
    /** Path of the resource */
    path: string;
  };
  /** Resource that the reference should identify; an icon; or the `public_map` of the settings */
  refers_to: {
    kind: 'artboard' | 'object' | 'popup' | 'data_source' | 'variable' | 'action' | 'file' | 'version' | 'icon' | 'public_map';
    /** Identifier in the reference, truncated if it is very long; of a file, the first part of its address after `/f/`; of an icon, its name */
    id: string;
  };
  /** Description for a human reader */
  detail: string;
};

/** What is copied, and members that the copy has instead of those of the original. */
export type Duplication = {
  /** Name of the copy. Default: the name of the project */
  name?: string;
  /** Identifier of the version to copy. Default: the present state */
  version?: string;
};

/** A file of an exported project. With `?files=true` it has its bytes. */
export type DocumentFile = {
  /** Name of the file: 1 to 200 characters, without slashes and control characters */
  name: string;
  /** Media type, recognized from the bytes */
  type: string;
  /** Size in bytes */
  bytes: number;
  /** Path that the texts of the project name it by, `/f/…` */
  url: string;
  /** SHA-256 of the bytes, 64 hex digits */
  digest: string;
  /** The bytes as base64 */
  content?: string;
};

/** A project as a file. */
export type ProjectDocument = {
  /** Identifies the document format */
  format: 'mapwright-project';
  /** Version of the format */
  version: 1;
  project: Project;
  /** Its files, if it has any */
  files?: DocumentFile[];
};

/** The objects of an artboard as GeoJSON. */
export type ArtboardGeoJson = {
  /** Of GeoJSON */
  type: 'FeatureCollection';
  /** What an import needs to make the same objects again */
  mapwright: {
    /** Version of this member */
    version: number;
    /** Of coordinates; pixels are x, y, and y grows downwards */
    unit: 'degrees' | 'pixels';
    /** The members of the artboard but id and objects */
    artboard: { [key: string]: unknown };
  };
  /** One for each object, in their order */
  features: Array<{ [key: string]: unknown }>;
};

/** A file of a project that is imported. Without `content` it is left out. Members that are sent must fit the bytes. */
export type DocumentFileImport = Partial<Omit<DocumentFile, 'name' | 'url'>> & {
  /** Name of the file: 1 to 200 characters, without slashes and control characters */
  name: string;
  /** Path that the texts of the project name it by, `/f/…` */
  url: string;
};

/** A project as a file. */
export type ProjectDocumentImport = Partial<Omit<ProjectDocument, 'format' | 'version' | 'project' | 'files'>> & {
  /** Identifies the document format */
  format: 'mapwright-project';
  /** Version of the format */
  version: 1;
  project: ProjectImport;
  /** Its files */
  files?: DocumentFileImport[];
};

/** The newest response of a data source. */
export type DataSourceResponse = {
  /** When it was fetched or pushed: RFC 3339, UTC, with milliseconds */
  at: string;
  /** HTTP status; null for a push, and if the source did not answer */
  status: number | null;
  /** Duration of the fetch, in milliseconds; 0 for a push */
  ms: number;
  /** Size of the body after decompression, in bytes */
  bytes: number;
  /** Whether a client pushed it */
  pushed: boolean;
  /** Why the newest fetch failed; null if it did not. The last good response then stays in use */
  problem: {
    /** Kind of the problem, for programs */
    code: string;
    /** What is wrong, and what to do */
    detail: string;
    /** The member of the data source that is wrong, such as `/headers/1/name`; absent after a request */
    pointer?: string;
  } | null;
  /** The JSON; null if there was no good response yet */
  body: unknown;
};

/** How to evaluate a project. */
export type EvaluateOptions = {
  /** Responses by identifier of the data source. Then nothing is fetched, and a data source that is not among them has no response */
  responses?: { [key: string]: unknown };
  /** Decides the values of variables of type `random`. Default: the time */
  seed?: string;
  /** The time that `now()` returns, RFC 3339. Default: that of the server */
  now?: string;
};

/** The result of an evaluation. */
export type Evaluation = {
  /** Values by identifier of the variable; a list with one value per item if it depends on an iterator */
  values: { [key: string]: unknown };
  /** Changed members of objects, by identifier */
  objects: { [key: string]: { [key: string]: unknown } };
  /** Changed members of popups, by identifier */
  popups: { [key: string]: { [key: string]: unknown } };
  /** Created objects, with their popups */
  created: Array<{
    action_id: string;
    artboard_id: string;
    /** An object */
    object: { id: string } & { [key: string]: unknown };
    popup: { id: string } & { [key: string]: unknown } | null;
  }>;
  /** What was left out, and why */
  problems: Array<{
    resource: {
      kind: string;
      id: string;
      /** Path of the resource */
      path: string;
    };
    /** JSON Pointer (RFC 6901) into the project document */
    pointer: string;
    /** Description for a human reader */
    detail: string;
    /** Place in the text of an expression that cannot be read, in UTF-16 code units from its beginning */
    at?: number;
  }>;
};

/** A data source of a live map, as published. */
export type PublishedSource = {
  /** Identifier of the data source, which may be deleted or changed in the project */
  data_source_id: string;
  /** Its name as published */
  name: string;
  /** Host that the server asks; empty if responses are pushed */
  host: string;
  /** When the newest response arrived: RFC 3339; null before the first */
  at: string | null;
  /** Why the newest fetch failed; null if it did not. The last good response then stays in use */
  problem: {
    /** Kind of the problem, for programs */
    code: string;
    /** What is wrong, and what to do */
    detail: string;
    /** The member of the data source that is wrong, such as `/headers/1/name`; absent after a request */
    pointer?: string;
  } | null;
};

/** A publication in the list of all publications. */
export type ListedPublication = {
  /** Identifier of the project */
  project_id: string;
  /** Last part of the public address. It stays until the project is unpublished */
  slug: string;
  /** Number of the published version, from 1 */
  version: number;
  /** When it was published: RFC 3339, UTC, with milliseconds */
  published: string;
  /** Size of the compressed map, in bytes */
  bytes: number;
  /** Whether the project has changed since */
  stale: boolean;
  /** Seconds between two evaluations of a live map; 0 for a still map */
  refresh: number;
};

/** The public copy of a project. */
export type Publication = {
  /** Last part of the public address. It stays until the project is unpublished */
  slug: string;
  /** Public address of the map; only its path, if the server does not know its public URL */
  url: string;
  /** Number of the published version, from 1 */
  version: number;
  /** When it was published: RFC 3339, UTC, with milliseconds */
  published: string;
  /** Size of the compressed map, in bytes */
  bytes: number;
  /** Whether the project has changed since */
  stale: boolean;
  /** Whether publishing now would change what is public: `false` if only private members have changed since, or if the change was undone */
  changed: boolean;
  /** Origins whose pages may show the map in a frame; `*` alone for any */
  origins: string[];
  /** Seconds between two evaluations of a live map; 0 for a still map */
  refresh: number;
};

/** How a project becomes public. */
export type Publishing = {
  /** Origins whose pages may show the map in a frame, such as `https://www.example.com`; `*` alone for any; none for an empty list. Default: those of the publication, at first any */
  origins?: string[];
  /** Seconds between two evaluations of a live map, at least 5; 0 for a still map. Default: that of the publication, at first 60 if the project has actions, else 0 */
  refresh?: number;
};

/** How new a project is. */
export type Revision = {
  /** Identifier of the project */
  project_id: string;
  /** Grows with each change of the project */
  revision: number;
};

/** The data of one event */
export type Event = {
  /** Kind of the changed resource */
  kind: 'project' | 'artboard' | 'object' | 'popup' | 'data_source' | 'variable' | 'action' | 'file' | 'version' | 'publication';
  /** Identifier of the resource; absent when a collection was reordered */
  id?: string;
  /** Identifier of the project */
  project_id: string;
  /** Artboard of the object */
  artboard_id?: string;
  /** Former artboard of an object that was moved */
  from_artboard_id?: string;
  /** The member that one comes before that was placed or moved; null for the last place */
  before?: string | null;
  /** Version of the project after the change: its ETag without quotation marks */
  version: string;
  /** The resource after the change, without its collections; null if it was deleted */
  resource?: { [key: string]: unknown } | null;
  /** All identifiers of a reordered collection, in the new order */
  ids?: string[];
};

/** Who makes the request, and what it may do. */
export type Me = {
  /** Account that the request acts for */
  account: {
    id: string;
    name: string;
    /** Creation, RFC 3339 in UTC */
    created: string;
  };
  /** Key of the request; `null` for a request that the program around the server makes for an account */
  key: {
    /** Public part of the key */
    id: string;
    /** Label that its owner chose; `""` for none */
    label: string;
    /** Creation, RFC 3339 in UTC */
    created: string;
    /** When the key stops working, RFC 3339 in UTC; `null` for never */
    expires: string | null;
    /** Requests of this key, beside the limit of the account; `null` for no limit */
    rate: string | null;
  } | null;
  /** `read`: the request may change nothing */
  access: 'read' | 'write';
  /** Identifiers of the projects that the key reaches; `null` for all of the account */
  projects: string[] | null;
  /** Limits of the account; `null` for a key of certain projects */
  limits: {
    /** Requests of the account, such as `600/m`; `null` for no limit */
    rate: string | null;
    /** Number of projects; `null` for no limit */
    projects: number | null;
    /** Number of members of all collections but versions; `null` for no limit */
    members: number | null;
    /** Stored bytes; `null` for no limit */
    bytes: number | null;
    /** Number of versions; `null` for no limit */
    versions: number | null;
  } | null;
  /** What counts towards the limits; `null` for a key of certain projects */
  use: { projects: number; members: number; bytes: number; versions: number } | null;
};

/** Reason why a request failed (RFC 9457) */
export type Problem = {
  /** `urn:mapwright:problem:` and the code */
  type: string;
  /** Title of the code */
  title: string;
  /** HTTP status */
  status: number;
  /** Explanation for a human reader, with the next step */
  detail: string;
  /** Machine-readable reason. Values are never renamed */
  code: 'bad_request' | 'validation_failed' | 'unauthorized' | 'forbidden' | 'quota_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'identifier_in_use' | 'not_in_collection' | 'precondition_failed' | 'payload_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'range_not_satisfiable' | 'expectation_failed' | 'unprocessable' | 'too_many_requests' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'storage_stalled' | 'insufficient_storage';
  /** Request ID, as in the server log */
  request_id: string;
  /** Zero-based index of the batch operation */
  index?: number;
  /** Errors, at most 100, each with its location */
  errors?: Array<{
    /** JSON Pointer (RFC 6901) into the request body, or into the project document */
    pointer: string;
    /** Name of the query parameter that is wrong */
    parameter?: string;
    /** Name of the request header that is wrong */
    header?: string;
    /** Description of the error */
    detail: string;
  }>;
};

/** The parameters of listProjects. */
export type ListProjectsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "user_id" has exactly this value */
  user_id?: string;
  /** Return only those whose "user_id" contains this text, of at most 200 characters */
  'user_id[contains]'?: string;
  /** Return only those whose "user_id" starts with this text */
  'user_id[starts]'?: string;
  /** Return only those whose "user_id" has one of these values, at most 100, separated by commas */
  'user_id[in]'?: string;
  /** Return only those whose "created" has exactly this value */
  created?: string;
  /** Return only those whose "created" is greater than this */
  'created[gt]'?: string;
  /** Return only those whose "created" is greater than or equal to this */
  'created[gte]'?: string;
  /** Return only those whose "created" is less than this */
  'created[lt]'?: string;
  /** Return only those whose "created" is less than or equal to this */
  'created[lte]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "thumb" has exactly this value */
  thumb?: string;
  /** Return only those whose "thumb" contains this text, of at most 200 characters */
  'thumb[contains]'?: string;
  /** Return only those whose "thumb" starts with this text */
  'thumb[starts]'?: string;
  /** Return only those whose "thumb" has one of these values, at most 100, separated by commas */
  'thumb[in]'?: string;
};

/** The parameters of listArtboards. */
export type ListArtboardsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "type" has exactly this value */
  type?: 'color' | 'image' | 'osm';
  /** Return only those whose "type" has one of these values, at most 100, separated by commas */
  'type[in]'?: string;
  /** Return only those whose "embedding_url" has exactly this value */
  embedding_url?: string;
  /** Return only those whose "embedding_url" contains this text, of at most 200 characters */
  'embedding_url[contains]'?: string;
  /** Return only those whose "embedding_url" starts with this text */
  'embedding_url[starts]'?: string;
  /** Return only those whose "embedding_url" has one of these values, at most 100, separated by commas */
  'embedding_url[in]'?: string;
  /** Return only those whose "image_url" has exactly this value */
  image_url?: string;
  /** Return only those whose "image_url" contains this text, of at most 200 characters */
  'image_url[contains]'?: string;
  /** Return only those whose "image_url" starts with this text */
  'image_url[starts]'?: string;
  /** Return only those whose "image_url" has one of these values, at most 100, separated by commas */
  'image_url[in]'?: string;
  /** Return only those whose "width" has exactly this value */
  width?: number;
  /** Return only those whose "width" has one of these values, at most 100, separated by commas */
  'width[in]'?: string;
  /** Return only those whose "width" is greater than this */
  'width[gt]'?: number;
  /** Return only those whose "width" is greater than or equal to this */
  'width[gte]'?: number;
  /** Return only those whose "width" is less than this */
  'width[lt]'?: number;
  /** Return only those whose "width" is less than or equal to this */
  'width[lte]'?: number;
  /** Return only those whose "height" has exactly this value */
  height?: number;
  /** Return only those whose "height" has one of these values, at most 100, separated by commas */
  'height[in]'?: string;
  /** Return only those whose "height" is greater than this */
  'height[gt]'?: number;
  /** Return only those whose "height" is greater than or equal to this */
  'height[gte]'?: number;
  /** Return only those whose "height" is less than this */
  'height[lt]'?: number;
  /** Return only those whose "height" is less than or equal to this */
  'height[lte]'?: number;
  /** Return only those whose "bg_color" has exactly this value */
  bg_color?: string;
  /** Return only those whose "bg_color" contains this text, of at most 200 characters */
  'bg_color[contains]'?: string;
  /** Return only those whose "bg_color" starts with this text */
  'bg_color[starts]'?: string;
  /** Return only those whose "bg_color" has one of these values, at most 100, separated by commas */
  'bg_color[in]'?: string;
  /** Return only those whose "osm_lat" has exactly this value */
  osm_lat?: number;
  /** Return only those whose "osm_lat" has one of these values, at most 100, separated by commas */
  'osm_lat[in]'?: string;
  /** Return only those whose "osm_lat" is greater than this */
  'osm_lat[gt]'?: number;
  /** Return only those whose "osm_lat" is greater than or equal to this */
  'osm_lat[gte]'?: number;
  /** Return only those whose "osm_lat" is less than this */
  'osm_lat[lt]'?: number;
  /** Return only those whose "osm_lat" is less than or equal to this */
  'osm_lat[lte]'?: number;
  /** Return only those whose "osm_lng" has exactly this value */
  osm_lng?: number;
  /** Return only those whose "osm_lng" has one of these values, at most 100, separated by commas */
  'osm_lng[in]'?: string;
  /** Return only those whose "osm_lng" is greater than this */
  'osm_lng[gt]'?: number;
  /** Return only those whose "osm_lng" is greater than or equal to this */
  'osm_lng[gte]'?: number;
  /** Return only those whose "osm_lng" is less than this */
  'osm_lng[lt]'?: number;
  /** Return only those whose "osm_lng" is less than or equal to this */
  'osm_lng[lte]'?: number;
  /** Return only those whose "osm_zoom" has exactly this value */
  osm_zoom?: number;
  /** Return only those whose "osm_zoom" has one of these values, at most 100, separated by commas */
  'osm_zoom[in]'?: string;
  /** Return only those whose "osm_zoom" is greater than this */
  'osm_zoom[gt]'?: number;
  /** Return only those whose "osm_zoom" is greater than or equal to this */
  'osm_zoom[gte]'?: number;
  /** Return only those whose "osm_zoom" is less than this */
  'osm_zoom[lt]'?: number;
  /** Return only those whose "osm_zoom" is less than or equal to this */
  'osm_zoom[lte]'?: number;
};

/** The parameters of listObjects. */
export type ListObjectsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Add the places of objects on an artboard of type "osm": `lat`, `lng`, `places`, `hole_places` */
  places?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "type" has exactly this value */
  type?: 'spot' | 'poly';
  /** Return only those whose "type" has one of these values, at most 100, separated by commas */
  'type[in]'?: string;
  /** Return only those whose "click_action" has exactly this value */
  click_action?: 'none' | 'follow-link' | 'change-artboard';
  /** Return only those whose "click_action" has one of these values, at most 100, separated by commas */
  'click_action[in]'?: string;
  /** Return only those whose "open_link_in_new_tab" has exactly this value */
  open_link_in_new_tab?: boolean;
  /** Return only those whose "click_action_url" has exactly this value */
  click_action_url?: string;
  /** Return only those whose "click_action_url" contains this text, of at most 200 characters */
  'click_action_url[contains]'?: string;
  /** Return only those whose "click_action_url" starts with this text */
  'click_action_url[starts]'?: string;
  /** Return only those whose "click_action_url" has one of these values, at most 100, separated by commas */
  'click_action_url[in]'?: string;
  /** Return only those whose "click_action_artboard_id" has exactly this value */
  click_action_artboard_id?: string;
  /** Return only those whose "click_action_artboard_id" contains this text, of at most 200 characters */
  'click_action_artboard_id[contains]'?: string;
  /** Return only those whose "click_action_artboard_id" starts with this text */
  'click_action_artboard_id[starts]'?: string;
  /** Return only those whose "click_action_artboard_id" has one of these values, at most 100, separated by commas */
  'click_action_artboard_id[in]'?: string;
  /** Return only those whose "x" has exactly this value */
  x?: number;
  /** Return only those whose "x" has one of these values, at most 100, separated by commas */
  'x[in]'?: string;
  /** Return only those whose "x" is greater than this */
  'x[gt]'?: number;
  /** Return only those whose "x" is greater than or equal to this */
  'x[gte]'?: number;
  /** Return only those whose "x" is less than this */
  'x[lt]'?: number;
  /** Return only those whose "x" is less than or equal to this */
  'x[lte]'?: number;
  /** Return only those whose "y" has exactly this value */
  y?: number;
  /** Return only those whose "y" has one of these values, at most 100, separated by commas */
  'y[in]'?: string;
  /** Return only those whose "y" is greater than this */
  'y[gt]'?: number;
  /** Return only those whose "y" is greater than or equal to this */
  'y[gte]'?: number;
  /** Return only those whose "y" is less than this */
  'y[lt]'?: number;
  /** Return only those whose "y" is less than or equal to this */
  'y[lte]'?: number;
  /** Return only those whose "radius" has exactly this value */
  radius?: number;
  /** Return only those whose "radius" has one of these values, at most 100, separated by commas */
  'radius[in]'?: string;
  /** Return only those whose "radius" is greater than this */
  'radius[gt]'?: number;
  /** Return only those whose "radius" is greater than or equal to this */
  'radius[gte]'?: number;
  /** Return only those whose "radius" is less than this */
  'radius[lt]'?: number;
  /** Return only those whose "radius" is less than or equal to this */
  'radius[lte]'?: number;
  /** Return only those whose "pin" has exactly this value */
  pin?: boolean;
  /** Return only those whose "color" has exactly this value */
  color?: string;
  /** Return only those whose "color" contains this text, of at most 200 characters */
  'color[contains]'?: string;
  /** Return only those whose "color" starts with this text */
  'color[starts]'?: string;
  /** Return only those whose "color" has one of these values, at most 100, separated by commas */
  'color[in]'?: string;
  /** Return only those whose "opacity" has exactly this value */
  opacity?: number;
  /** Return only those whose "opacity" has one of these values, at most 100, separated by commas */
  'opacity[in]'?: string;
  /** Return only those whose "opacity" is greater than this */
  'opacity[gt]'?: number;
  /** Return only those whose "opacity" is greater than or equal to this */
  'opacity[gte]'?: number;
  /** Return only those whose "opacity" is less than this */
  'opacity[lt]'?: number;
  /** Return only those whose "opacity" is less than or equal to this */
  'opacity[lte]'?: number;
  /** Return only those whose "stroke_color" has exactly this value */
  stroke_color?: string;
  /** Return only those whose "stroke_color" contains this text, of at most 200 characters */
  'stroke_color[contains]'?: string;
  /** Return only those whose "stroke_color" starts with this text */
  'stroke_color[starts]'?: string;
  /** Return only those whose "stroke_color" has one of these values, at most 100, separated by commas */
  'stroke_color[in]'?: string;
  /** Return only those whose "stroke_width" has exactly this value */
  stroke_width?: number;
  /** Return only those whose "stroke_width" has one of these values, at most 100, separated by commas */
  'stroke_width[in]'?: string;
  /** Return only those whose "stroke_width" is greater than this */
  'stroke_width[gt]'?: number;
  /** Return only those whose "stroke_width" is greater than or equal to this */
  'stroke_width[gte]'?: number;
  /** Return only those whose "stroke_width" is less than this */
  'stroke_width[lt]'?: number;
  /** Return only those whose "stroke_width" is less than or equal to this */
  'stroke_width[lte]'?: number;
  /** Return only those whose "stroke_opacity" has exactly this value */
  stroke_opacity?: number;
  /** Return only those whose "stroke_opacity" has one of these values, at most 100, separated by commas */
  'stroke_opacity[in]'?: string;
  /** Return only those whose "stroke_opacity" is greater than this */
  'stroke_opacity[gt]'?: number;
  /** Return only those whose "stroke_opacity" is greater than or equal to this */
  'stroke_opacity[gte]'?: number;
  /** Return only those whose "stroke_opacity" is less than this */
  'stroke_opacity[lt]'?: number;
  /** Return only those whose "stroke_opacity" is less than or equal to this */
  'stroke_opacity[lte]'?: number;
  /** Return only those whose "hover_color" has exactly this value */
  hover_color?: string;
  /** Return only those whose "hover_color" contains this text, of at most 200 characters */
  'hover_color[contains]'?: string;
  /** Return only those whose "hover_color" starts with this text */
  'hover_color[starts]'?: string;
  /** Return only those whose "hover_color" has one of these values, at most 100, separated by commas */
  'hover_color[in]'?: string;
  /** Return only those whose "hover_opacity" has exactly this value */
  hover_opacity?: number;
  /** Return only those whose "hover_opacity" has one of these values, at most 100, separated by commas */
  'hover_opacity[in]'?: string;
  /** Return only those whose "hover_opacity" is greater than this */
  'hover_opacity[gt]'?: number;
  /** Return only those whose "hover_opacity" is greater than or equal to this */
  'hover_opacity[gte]'?: number;
  /** Return only those whose "hover_opacity" is less than this */
  'hover_opacity[lt]'?: number;
  /** Return only those whose "hover_opacity" is less than or equal to this */
  'hover_opacity[lte]'?: number;
  /** Return only those whose "hover_stroke_color" has exactly this value */
  hover_stroke_color?: string;
  /** Return only those whose "hover_stroke_color" contains this text, of at most 200 characters */
  'hover_stroke_color[contains]'?: string;
  /** Return only those whose "hover_stroke_color" starts with this text */
  'hover_stroke_color[starts]'?: string;
  /** Return only those whose "hover_stroke_color" has one of these values, at most 100, separated by commas */
  'hover_stroke_color[in]'?: string;
  /** Return only those whose "hover_stroke_width" has exactly this value */
  hover_stroke_width?: number;
  /** Return only those whose "hover_stroke_width" has one of these values, at most 100, separated by commas */
  'hover_stroke_width[in]'?: string;
  /** Return only those whose "hover_stroke_width" is greater than this */
  'hover_stroke_width[gt]'?: number;
  /** Return only those whose "hover_stroke_width" is greater than or equal to this */
  'hover_stroke_width[gte]'?: number;
  /** Return only those whose "hover_stroke_width" is less than this */
  'hover_stroke_width[lt]'?: number;
  /** Return only those whose "hover_stroke_width" is less than or equal to this */
  'hover_stroke_width[lte]'?: number;
  /** Return only those whose "hover_stroke_opacity" has exactly this value */
  hover_stroke_opacity?: number;
  /** Return only those whose "hover_stroke_opacity" has one of these values, at most 100, separated by commas */
  'hover_stroke_opacity[in]'?: string;
  /** Return only those whose "hover_stroke_opacity" is greater than this */
  'hover_stroke_opacity[gt]'?: number;
  /** Return only those whose "hover_stroke_opacity" is greater than or equal to this */
  'hover_stroke_opacity[gte]'?: number;
  /** Return only those whose "hover_stroke_opacity" is less than this */
  'hover_stroke_opacity[lt]'?: number;
  /** Return only those whose "hover_stroke_opacity" is less than or equal to this */
  'hover_stroke_opacity[lte]'?: number;
  /** Return only those whose "blend_mode" has exactly this value */
  blend_mode?: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
  /** Return only those whose "blend_mode" has one of these values, at most 100, separated by commas */
  'blend_mode[in]'?: string;
  /** Return only those whose "interactive" has exactly this value */
  interactive?: boolean;
  /** Return only those whose "key" has exactly this value */
  key?: string;
  /** Return only those whose "key" contains this text, of at most 200 characters */
  'key[contains]'?: string;
  /** Return only those whose "key" starts with this text */
  'key[starts]'?: string;
  /** Return only those whose "key" has one of these values, at most 100, separated by commas */
  'key[in]'?: string;
  /** Return only those whose "category" has exactly this value */
  category?: string;
  /** Return only those whose "category" contains this text, of at most 200 characters */
  'category[contains]'?: string;
  /** Return only those whose "category" starts with this text */
  'category[starts]'?: string;
  /** Return only those whose "category" has one of these values, at most 100, separated by commas */
  'category[in]'?: string;
  /** Return only those whose "icon" has exactly this value */
  icon?: string;
  /** Return only those whose "icon" contains this text, of at most 200 characters */
  'icon[contains]'?: string;
  /** Return only those whose "icon" starts with this text */
  'icon[starts]'?: string;
  /** Return only those whose "icon" has one of these values, at most 100, separated by commas */
  'icon[in]'?: string;
  /** Return only those whose "label" has exactly this value */
  label?: 'auto' | 'always' | 'never';
  /** Return only those whose "label" has one of these values, at most 100, separated by commas */
  'label[in]'?: string;
  /** Return only those whose "label_size" has exactly this value */
  label_size?: number;
  /** Return only those whose "label_size" has one of these values, at most 100, separated by commas */
  'label_size[in]'?: string;
  /** Return only those whose "label_size" is greater than this */
  'label_size[gt]'?: number;
  /** Return only those whose "label_size" is greater than or equal to this */
  'label_size[gte]'?: number;
  /** Return only those whose "label_size" is less than this */
  'label_size[lt]'?: number;
  /** Return only those whose "label_size" is less than or equal to this */
  'label_size[lte]'?: number;
  /** Return only those whose "closed" has exactly this value */
  closed?: boolean;
  /** Return only those whose "arrow" has exactly this value */
  arrow?: 'none' | 'end' | 'both';
  /** Return only those whose "arrow" has one of these values, at most 100, separated by commas */
  'arrow[in]'?: string;
  /** Return only those that touch the rectangle `x1,y1,x2,y2`, in pixels of the artboard: the smallest rectangle around them, of a spot with its radius */
  bbox?: string;
};

/** The parameters of listPopups. */
export type ListPopupsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "attachedTo" has exactly this value */
  attachedTo?: string;
  /** Return only those whose "attachedTo" contains this text, of at most 200 characters */
  'attachedTo[contains]'?: string;
  /** Return only those whose "attachedTo" starts with this text */
  'attachedTo[starts]'?: string;
  /** Return only those whose "attachedTo" has one of these values, at most 100, separated by commas */
  'attachedTo[in]'?: string;
  /** Return only those whose "maxWidth" has exactly this value */
  maxWidth?: number;
  /** Return only those whose "maxWidth" has one of these values, at most 100, separated by commas */
  'maxWidth[in]'?: string;
  /** Return only those whose "maxWidth" is greater than this */
  'maxWidth[gt]'?: number;
  /** Return only those whose "maxWidth" is greater than or equal to this */
  'maxWidth[gte]'?: number;
  /** Return only those whose "maxWidth" is less than this */
  'maxWidth[lt]'?: number;
  /** Return only those whose "maxWidth" is less than or equal to this */
  'maxWidth[lte]'?: number;
  /** Return only those whose "title" has exactly this value */
  title?: string;
  /** Return only those whose "title" contains this text, of at most 200 characters */
  'title[contains]'?: string;
  /** Return only those whose "title" starts with this text */
  'title[starts]'?: string;
  /** Return only those whose "title" has one of these values, at most 100, separated by commas */
  'title[in]'?: string;
  /** Return only those whose "image" has exactly this value */
  image?: string;
  /** Return only those whose "image" contains this text, of at most 200 characters */
  'image[contains]'?: string;
  /** Return only those whose "image" starts with this text */
  'image[starts]'?: string;
  /** Return only those whose "image" has one of these values, at most 100, separated by commas */
  'image[in]'?: string;
  /** Return only those whose "content" has exactly this value */
  content?: string;
  /** Return only those whose "content" contains this text, of at most 200 characters */
  'content[contains]'?: string;
  /** Return only those whose "content" starts with this text */
  'content[starts]'?: string;
  /** Return only those whose "content" has one of these values, at most 100, separated by commas */
  'content[in]'?: string;
  /** Return only those whose "buttonText" has exactly this value */
  buttonText?: string;
  /** Return only those whose "buttonText" contains this text, of at most 200 characters */
  'buttonText[contains]'?: string;
  /** Return only those whose "buttonText" starts with this text */
  'buttonText[starts]'?: string;
  /** Return only those whose "buttonText" has one of these values, at most 100, separated by commas */
  'buttonText[in]'?: string;
  /** Return only those whose "buttonAction" has exactly this value */
  buttonAction?: 'follow-link' | 'none';
  /** Return only those whose "buttonAction" has one of these values, at most 100, separated by commas */
  'buttonAction[in]'?: string;
  /** Return only those whose "buttonLink" has exactly this value */
  buttonLink?: string;
  /** Return only those whose "buttonLink" contains this text, of at most 200 characters */
  'buttonLink[contains]'?: string;
  /** Return only those whose "buttonLink" starts with this text */
  'buttonLink[starts]'?: string;
  /** Return only those whose "buttonLink" has one of these values, at most 100, separated by commas */
  'buttonLink[in]'?: string;
  /** Return only those whose "openLinkInNewTab" has exactly this value */
  openLinkInNewTab?: boolean;
};

/** The parameters of listDataSources. */
export type ListDataSourcesQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "url" has exactly this value */
  url?: string;
  /** Return only those whose "url" contains this text, of at most 200 characters */
  'url[contains]'?: string;
  /** Return only those whose "url" starts with this text */
  'url[starts]'?: string;
  /** Return only those whose "url" has one of these values, at most 100, separated by commas */
  'url[in]'?: string;
  /** Return only those whose "method" has exactly this value */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Return only those whose "method" has one of these values, at most 100, separated by commas */
  'method[in]'?: string;
  /** Return only those whose "body" has exactly this value */
  body?: string;
  /** Return only those whose "body" contains this text, of at most 200 characters */
  'body[contains]'?: string;
  /** Return only those whose "body" starts with this text */
  'body[starts]'?: string;
  /** Return only those whose "body" has one of these values, at most 100, separated by commas */
  'body[in]'?: string;
};

/** The parameters of listVariables. */
export type ListVariablesQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "type" has exactly this value */
  type?: 'primitive' | 'expression' | 'interpolate-color' | 'iterator' | 'primitive-from-iterator' | 'coords-from-data-source' | 'coords-from-iterator' | 'random' | 'custom';
  /** Return only those whose "type" has one of these values, at most 100, separated by commas */
  'type[in]'?: string;
  /** Return only those whose "data_source_id" has exactly this value */
  data_source_id?: string;
  /** Return only those whose "data_source_id" contains this text, of at most 200 characters */
  'data_source_id[contains]'?: string;
  /** Return only those whose "data_source_id" starts with this text */
  'data_source_id[starts]'?: string;
  /** Return only those whose "data_source_id" has one of these values, at most 100, separated by commas */
  'data_source_id[in]'?: string;
  /** Return only those whose "iterator_id" has exactly this value */
  iterator_id?: string;
  /** Return only those whose "iterator_id" contains this text, of at most 200 characters */
  'iterator_id[contains]'?: string;
  /** Return only those whose "iterator_id" starts with this text */
  'iterator_id[starts]'?: string;
  /** Return only those whose "iterator_id" has one of these values, at most 100, separated by commas */
  'iterator_id[in]'?: string;
  /** Return only those whose "custom_value" has exactly this value */
  custom_value?: string;
  /** Return only those whose "custom_value" contains this text, of at most 200 characters */
  'custom_value[contains]'?: string;
  /** Return only those whose "custom_value" starts with this text */
  'custom_value[starts]'?: string;
  /** Return only those whose "custom_value" has one of these values, at most 100, separated by commas */
  'custom_value[in]'?: string;
  /** Return only those whose "expression" has exactly this value */
  expression?: string;
  /** Return only those whose "expression" contains this text, of at most 200 characters */
  'expression[contains]'?: string;
  /** Return only those whose "expression" starts with this text */
  'expression[starts]'?: string;
  /** Return only those whose "expression" has one of these values, at most 100, separated by commas */
  'expression[in]'?: string;
  /** Return only those whose "color_interpolation_range_start" has exactly this value */
  color_interpolation_range_start?: number;
  /** Return only those whose "color_interpolation_range_start" has one of these values, at most 100, separated by commas */
  'color_interpolation_range_start[in]'?: string;
  /** Return only those whose "color_interpolation_range_start" is greater than this */
  'color_interpolation_range_start[gt]'?: number;
  /** Return only those whose "color_interpolation_range_start" is greater than or equal to this */
  'color_interpolation_range_start[gte]'?: number;
  /** Return only those whose "color_interpolation_range_start" is less than this */
  'color_interpolation_range_start[lt]'?: number;
  /** Return only those whose "color_interpolation_range_start" is less than or equal to this */
  'color_interpolation_range_start[lte]'?: number;
  /** Return only those whose "color_interpolation_range_end" has exactly this value */
  color_interpolation_range_end?: number;
  /** Return only those whose "color_interpolation_range_end" has one of these values, at most 100, separated by commas */
  'color_interpolation_range_end[in]'?: string;
  /** Return only those whose "color_interpolation_range_end" is greater than this */
  'color_interpolation_range_end[gt]'?: number;
  /** Return only those whose "color_interpolation_range_end" is greater than or equal to this */
  'color_interpolation_range_end[gte]'?: number;
  /** Return only those whose "color_interpolation_range_end" is less than this */
  'color_interpolation_range_end[lt]'?: number;
  /** Return only those whose "color_interpolation_range_end" is less than or equal to this */
  'color_interpolation_range_end[lte]'?: number;
  /** Return only those whose "color_interpolation_factor_variable_id" has exactly this value */
  color_interpolation_factor_variable_id?: string;
  /** Return only those whose "color_interpolation_factor_variable_id" contains this text, of at most 200 characters */
  'color_interpolation_factor_variable_id[contains]'?: string;
  /** Return only those whose "color_interpolation_factor_variable_id" starts with this text */
  'color_interpolation_factor_variable_id[starts]'?: string;
  /** Return only those whose "color_interpolation_factor_variable_id" has one of these values, at most 100, separated by commas */
  'color_interpolation_factor_variable_id[in]'?: string;
  /** Return only those whose "color_interpolation_smooth" has exactly this value */
  color_interpolation_smooth?: boolean;
  /** Return only those whose "random_from" has exactly this value */
  random_from?: number;
  /** Return only those whose "random_from" has one of these values, at most 100, separated by commas */
  'random_from[in]'?: string;
  /** Return only those whose "random_from" is greater than this */
  'random_from[gt]'?: number;
  /** Return only those whose "random_from" is greater than or equal to this */
  'random_from[gte]'?: number;
  /** Return only those whose "random_from" is less than this */
  'random_from[lt]'?: number;
  /** Return only those whose "random_from" is less than or equal to this */
  'random_from[lte]'?: number;
  /** Return only those whose "random_to" has exactly this value */
  random_to?: number;
  /** Return only those whose "random_to" has one of these values, at most 100, separated by commas */
  'random_to[in]'?: string;
  /** Return only those whose "random_to" is greater than this */
  'random_to[gt]'?: number;
  /** Return only those whose "random_to" is greater than or equal to this */
  'random_to[gte]'?: number;
  /** Return only those whose "random_to" is less than this */
  'random_to[lt]'?: number;
  /** Return only those whose "random_to" is less than or equal to this */
  'random_to[lte]'?: number;
};

/** The parameters of listActions. */
export type ListActionsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "type" has exactly this value */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Return only those whose "type" has one of these values, at most 100, separated by commas */
  'type[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "condition_operator" has exactly this value */
  condition_operator?: 'and' | 'or';
  /** Return only those whose "condition_operator" has one of these values, at most 100, separated by commas */
  'condition_operator[in]'?: string;
  /** Return only those whose "object_id" has exactly this value */
  object_id?: string;
  /** Return only those whose "object_id" contains this text, of at most 200 characters */
  'object_id[contains]'?: string;
  /** Return only those whose "object_id" starts with this text */
  'object_id[starts]'?: string;
  /** Return only those whose "object_id" has one of these values, at most 100, separated by commas */
  'object_id[in]'?: string;
  /** Return only those whose "create_object_target_artboard_id" has exactly this value */
  create_object_target_artboard_id?: string;
  /** Return only those whose "create_object_target_artboard_id" contains this text, of at most 200 characters */
  'create_object_target_artboard_id[contains]'?: string;
  /** Return only those whose "create_object_target_artboard_id" starts with this text */
  'create_object_target_artboard_id[starts]'?: string;
  /** Return only those whose "create_object_target_artboard_id" has one of these values, at most 100, separated by commas */
  'create_object_target_artboard_id[in]'?: string;
  /** Return only those whose "create_object_name" has exactly this value */
  create_object_name?: string;
  /** Return only those whose "create_object_name" contains this text, of at most 200 characters */
  'create_object_name[contains]'?: string;
  /** Return only those whose "create_object_name" starts with this text */
  'create_object_name[starts]'?: string;
  /** Return only those whose "create_object_name" has one of these values, at most 100, separated by commas */
  'create_object_name[in]'?: string;
  /** Return only those whose "create_spot_x_source_type" has exactly this value */
  create_spot_x_source_type?: 'variable' | 'custom';
  /** Return only those whose "create_spot_x_source_type" has one of these values, at most 100, separated by commas */
  'create_spot_x_source_type[in]'?: string;
  /** Return only those whose "create_spot_x_custom_value" has exactly this value */
  create_spot_x_custom_value?: string;
  /** Return only those whose "create_spot_x_custom_value" contains this text, of at most 200 characters */
  'create_spot_x_custom_value[contains]'?: string;
  /** Return only those whose "create_spot_x_custom_value" starts with this text */
  'create_spot_x_custom_value[starts]'?: string;
  /** Return only those whose "create_spot_x_custom_value" has one of these values, at most 100, separated by commas */
  'create_spot_x_custom_value[in]'?: string;
  /** Return only those whose "create_spot_x_variable_id" has exactly this value */
  create_spot_x_variable_id?: string;
  /** Return only those whose "create_spot_x_variable_id" contains this text, of at most 200 characters */
  'create_spot_x_variable_id[contains]'?: string;
  /** Return only those whose "create_spot_x_variable_id" starts with this text */
  'create_spot_x_variable_id[starts]'?: string;
  /** Return only those whose "create_spot_x_variable_id" has one of these values, at most 100, separated by commas */
  'create_spot_x_variable_id[in]'?: string;
  /** Return only those whose "create_spot_y_source_type" has exactly this value */
  create_spot_y_source_type?: 'variable' | 'custom';
  /** Return only those whose "create_spot_y_source_type" has one of these values, at most 100, separated by commas */
  'create_spot_y_source_type[in]'?: string;
  /** Return only those whose "create_spot_y_custom_value" has exactly this value */
  create_spot_y_custom_value?: string;
  /** Return only those whose "create_spot_y_custom_value" contains this text, of at most 200 characters */
  'create_spot_y_custom_value[contains]'?: string;
  /** Return only those whose "create_spot_y_custom_value" starts with this text */
  'create_spot_y_custom_value[starts]'?: string;
  /** Return only those whose "create_spot_y_custom_value" has one of these values, at most 100, separated by commas */
  'create_spot_y_custom_value[in]'?: string;
  /** Return only those whose "create_spot_y_variable_id" has exactly this value */
  create_spot_y_variable_id?: string;
  /** Return only those whose "create_spot_y_variable_id" contains this text, of at most 200 characters */
  'create_spot_y_variable_id[contains]'?: string;
  /** Return only those whose "create_spot_y_variable_id" starts with this text */
  'create_spot_y_variable_id[starts]'?: string;
  /** Return only those whose "create_spot_y_variable_id" has one of these values, at most 100, separated by commas */
  'create_spot_y_variable_id[in]'?: string;
  /** Return only those whose "create_poly_coords_variable_id" has exactly this value */
  create_poly_coords_variable_id?: string;
  /** Return only those whose "create_poly_coords_variable_id" contains this text, of at most 200 characters */
  'create_poly_coords_variable_id[contains]'?: string;
  /** Return only those whose "create_poly_coords_variable_id" starts with this text */
  'create_poly_coords_variable_id[starts]'?: string;
  /** Return only those whose "create_poly_coords_variable_id" has one of these values, at most 100, separated by commas */
  'create_poly_coords_variable_id[in]'?: string;
  /** Return only those whose "create_popup" has exactly this value */
  create_popup?: boolean;
  /** Return only those whose "popup_max_width" has exactly this value */
  popup_max_width?: number;
  /** Return only those whose "popup_max_width" has one of these values, at most 100, separated by commas */
  'popup_max_width[in]'?: string;
  /** Return only those whose "popup_max_width" is greater than this */
  'popup_max_width[gt]'?: number;
  /** Return only those whose "popup_max_width" is greater than or equal to this */
  'popup_max_width[gte]'?: number;
  /** Return only those whose "popup_max_width" is less than this */
  'popup_max_width[lt]'?: number;
  /** Return only those whose "popup_max_width" is less than or equal to this */
  'popup_max_width[lte]'?: number;
  /** Return only those whose "popup_title" has exactly this value */
  popup_title?: string;
  /** Return only those whose "popup_title" contains this text, of at most 200 characters */
  'popup_title[contains]'?: string;
  /** Return only those whose "popup_title" starts with this text */
  'popup_title[starts]'?: string;
  /** Return only those whose "popup_title" has one of these values, at most 100, separated by commas */
  'popup_title[in]'?: string;
  /** Return only those whose "popup_image" has exactly this value */
  popup_image?: string;
  /** Return only those whose "popup_image" contains this text, of at most 200 characters */
  'popup_image[contains]'?: string;
  /** Return only those whose "popup_image" starts with this text */
  'popup_image[starts]'?: string;
  /** Return only those whose "popup_image" has one of these values, at most 100, separated by commas */
  'popup_image[in]'?: string;
  /** Return only those whose "popup_content" has exactly this value */
  popup_content?: string;
  /** Return only those whose "popup_content" contains this text, of at most 200 characters */
  'popup_content[contains]'?: string;
  /** Return only those whose "popup_content" starts with this text */
  'popup_content[starts]'?: string;
  /** Return only those whose "popup_content" has one of these values, at most 100, separated by commas */
  'popup_content[in]'?: string;
  /** Return only those whose "popup_button_text" has exactly this value */
  popup_button_text?: string;
  /** Return only those whose "popup_button_text" contains this text, of at most 200 characters */
  'popup_button_text[contains]'?: string;
  /** Return only those whose "popup_button_text" starts with this text */
  'popup_button_text[starts]'?: string;
  /** Return only those whose "popup_button_text" has one of these values, at most 100, separated by commas */
  'popup_button_text[in]'?: string;
  /** Return only those whose "popup_button_action" has exactly this value */
  popup_button_action?: string;
  /** Return only those whose "popup_button_action" contains this text, of at most 200 characters */
  'popup_button_action[contains]'?: string;
  /** Return only those whose "popup_button_action" starts with this text */
  'popup_button_action[starts]'?: string;
  /** Return only those whose "popup_button_action" has one of these values, at most 100, separated by commas */
  'popup_button_action[in]'?: string;
  /** Return only those whose "popup_button_link" has exactly this value */
  popup_button_link?: string;
  /** Return only those whose "popup_button_link" contains this text, of at most 200 characters */
  'popup_button_link[contains]'?: string;
  /** Return only those whose "popup_button_link" starts with this text */
  'popup_button_link[starts]'?: string;
  /** Return only those whose "popup_button_link" has one of these values, at most 100, separated by commas */
  'popup_button_link[in]'?: string;
  /** Return only those whose "popup_open_link_in_new_tab" has exactly this value */
  popup_open_link_in_new_tab?: boolean;
  /** Return only those whose "popup_id" has exactly this value */
  popup_id?: string;
  /** Return only those whose "popup_id" contains this text, of at most 200 characters */
  'popup_id[contains]'?: string;
  /** Return only those whose "popup_id" starts with this text */
  'popup_id[starts]'?: string;
  /** Return only those whose "popup_id" has one of these values, at most 100, separated by commas */
  'popup_id[in]'?: string;
};

/** The parameters of listFiles. */
export type ListFilesQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "type" has exactly this value */
  type?: string;
  /** Return only those whose "type" contains this text, of at most 200 characters */
  'type[contains]'?: string;
  /** Return only those whose "type" starts with this text */
  'type[starts]'?: string;
  /** Return only those whose "type" has one of these values, at most 100, separated by commas */
  'type[in]'?: string;
  /** Return only those whose "bytes" has exactly this value */
  bytes?: number;
  /** Return only those whose "bytes" has one of these values, at most 100, separated by commas */
  'bytes[in]'?: string;
  /** Return only those whose "bytes" is greater than this */
  'bytes[gt]'?: number;
  /** Return only those whose "bytes" is greater than or equal to this */
  'bytes[gte]'?: number;
  /** Return only those whose "bytes" is less than this */
  'bytes[lt]'?: number;
  /** Return only those whose "bytes" is less than or equal to this */
  'bytes[lte]'?: number;
  /** Return only those whose "width" has exactly this value */
  width?: number;
  /** Return only those whose "width" has one of these values, at most 100, separated by commas */
  'width[in]'?: string;
  /** Return only those whose "width" is greater than this */
  'width[gt]'?: number;
  /** Return only those whose "width" is greater than or equal to this */
  'width[gte]'?: number;
  /** Return only those whose "width" is less than this */
  'width[lt]'?: number;
  /** Return only those whose "width" is less than or equal to this */
  'width[lte]'?: number;
  /** Return only those whose "height" has exactly this value */
  height?: number;
  /** Return only those whose "height" has one of these values, at most 100, separated by commas */
  'height[in]'?: string;
  /** Return only those whose "height" is greater than this */
  'height[gt]'?: number;
  /** Return only those whose "height" is greater than or equal to this */
  'height[gte]'?: number;
  /** Return only those whose "height" is less than this */
  'height[lt]'?: number;
  /** Return only those whose "height" is less than or equal to this */
  'height[lte]'?: number;
  /** Return only those whose "url" has exactly this value */
  url?: string;
  /** Return only those whose "url" contains this text, of at most 200 characters */
  'url[contains]'?: string;
  /** Return only those whose "url" starts with this text */
  'url[starts]'?: string;
  /** Return only those whose "url" has one of these values, at most 100, separated by commas */
  'url[in]'?: string;
  /** Return only those whose "created" has exactly this value */
  created?: string;
  /** Return only those whose "created" is greater than this */
  'created[gt]'?: string;
  /** Return only those whose "created" is greater than or equal to this */
  'created[gte]'?: string;
  /** Return only those whose "created" is less than this */
  'created[lt]'?: string;
  /** Return only those whose "created" is less than or equal to this */
  'created[lte]'?: string;
};

/** The parameters of listVersions. */
export type ListVersionsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Add the header `X-Total-Count`: the number of members on all pages together */
  count?: boolean;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Return only those whose "id" has exactly this value */
  id?: string;
  /** Return only those whose "id" contains this text, of at most 200 characters */
  'id[contains]'?: string;
  /** Return only those whose "id" starts with this text */
  'id[starts]'?: string;
  /** Return only those whose "id" has one of these values, at most 100, separated by commas */
  'id[in]'?: string;
  /** Return only those whose "name" has exactly this value */
  name?: string;
  /** Return only those whose "name" contains this text, of at most 200 characters */
  'name[contains]'?: string;
  /** Return only those whose "name" starts with this text */
  'name[starts]'?: string;
  /** Return only those whose "name" has one of these values, at most 100, separated by commas */
  'name[in]'?: string;
  /** Return only those whose "created" has exactly this value */
  created?: string;
  /** Return only those whose "created" is greater than this */
  'created[gt]'?: string;
  /** Return only those whose "created" is greater than or equal to this */
  'created[gte]'?: string;
  /** Return only those whose "created" is less than this */
  'created[lt]'?: string;
  /** Return only those whose "created" is less than or equal to this */
  'created[lte]'?: string;
  /** Return only those whose "kind" has exactly this value */
  kind?: 'named' | 'before-restore' | 'automatic' | 'published';
  /** Return only those whose "kind" has one of these values, at most 100, separated by commas */
  'kind[in]'?: string;
  /** Return only those whose "key_label" has exactly this value */
  key_label?: string;
  /** Return only those whose "key_label" contains this text, of at most 200 characters */
  'key_label[contains]'?: string;
  /** Return only those whose "key_label" starts with this text */
  'key_label[starts]'?: string;
  /** Return only those whose "key_label" has one of these values, at most 100, separated by commas */
  'key_label[in]'?: string;
  /** Return only those whose "bytes" has exactly this value */
  bytes?: number;
  /** Return only those whose "bytes" has one of these values, at most 100, separated by commas */
  'bytes[in]'?: string;
  /** Return only those whose "bytes" is greater than this */
  'bytes[gt]'?: number;
  /** Return only those whose "bytes" is greater than or equal to this */
  'bytes[gte]'?: number;
  /** Return only those whose "bytes" is less than this */
  'bytes[lt]'?: number;
  /** Return only those whose "bytes" is less than or equal to this */
  'bytes[lte]'?: number;
};

/** The parameters of listPublications. */
export type ListPublicationsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
  /** Return only the publication of this project, if it is public */
  project_id?: string;
};

/** The parameters of listRevisions. */
export type ListRevisionsQuery = {
  /** Maximum number of members on a page. Default: all */
  limit?: number;
  /** Cursor from the Link header of the previous page */
  cursor?: string;
};

export interface Schemas {
  Artboard: Artboard;
  ArtboardCreate: ArtboardCreate;
  ArtboardUpdate: ArtboardUpdate;
  ArtboardImport: ArtboardImport;
  Object: Object;
  ObjectCreate: ObjectCreate;
  ObjectUpdate: ObjectUpdate;
  ObjectImport: ObjectImport;
  Popup: Popup;
  PopupCreate: PopupCreate;
  PopupUpdate: PopupUpdate;
  PopupImport: PopupImport;
  DataSource: DataSource;
  DataSourceCreate: DataSourceCreate;
  DataSourceUpdate: DataSourceUpdate;
  DataSourceImport: DataSourceImport;
  Variable: Variable;
  VariableCreate: VariableCreate;
  VariableUpdate: VariableUpdate;
  VariableImport: VariableImport;
  Action: Action;
  ActionCreate: ActionCreate;
  ActionUpdate: ActionUpdate;
  ActionImport: ActionImport;
  File: File;
  FileCreate: FileCreate;
  FileUpdate: FileUpdate;
  FileImport: FileImport;
  Version: Version;
  VersionCreate: VersionCreate;
  VersionUpdate: VersionUpdate;
  VersionImport: VersionImport;
  Project: Project;
  ProjectCreate: ProjectCreate;
  ProjectUpdate: ProjectUpdate;
  ProjectImport: ProjectImport;
  ObjectWithPlaces: ObjectWithPlaces;
  Comparison: Comparison;
  Operation: Operation;
  Batch: Batch;
  ProjectWithoutCollections: ProjectWithoutCollections;
  BatchResults: BatchResults;
  DanglingReference: DanglingReference;
  Duplication: Duplication;
  DocumentFile: DocumentFile;
  ProjectDocument: ProjectDocument;
  ArtboardGeoJson: ArtboardGeoJson;
  DocumentFileImport: DocumentFileImport;
  ProjectDocumentImport: ProjectDocumentImport;
  DataSourceResponse: DataSourceResponse;
  EvaluateOptions: EvaluateOptions;
  Evaluation: Evaluation;
  PublishedSource: PublishedSource;
  ListedPublication: ListedPublication;
  Publication: Publication;
  Publishing: Publishing;
  Revision: Revision;
  Event: Event;
  Me: Me;
  Problem: Problem;
  ListProjectsQuery: ListProjectsQuery;
  ListArtboardsQuery: ListArtboardsQuery;
  ListObjectsQuery: ListObjectsQuery;
  ListPopupsQuery: ListPopupsQuery;
  ListDataSourcesQuery: ListDataSourcesQuery;
  ListVariablesQuery: ListVariablesQuery;
  ListActionsQuery: ListActionsQuery;
  ListFilesQuery: ListFilesQuery;
  ListVersionsQuery: ListVersionsQuery;
  ListPublicationsQuery: ListPublicationsQuery;
  ListRevisionsQuery: ListRevisionsQuery;
}

export interface RequestHeaders {
  /** Execute the request only if this is the current version: an ETag, or `*` for any version. Otherwise 412 */
  'If-Match'?: string;
  /** Execute the request only if this is not the current version: an ETag. Otherwise 304, for a write 412 */
  'If-None-Match'?: string;
  /** Key of this write, preferably a UUID. A repetition with the same key within 24 hours returns the stored response */
  'Idempotency-Key'?: string;
  /** Continue after the event with this id */
  'Last-Event-ID'?: string;
}

export interface QueryParameters {
  /** Fail the write if it would create a dangling reference */
  strict?: boolean;
  /** Members to return, separated by commas. `id` is always included; other required members only if named */
  fields?: string;
  /** Move the objects so that they stay where they are on Earth */
  keep_places?: boolean;
  /** Add the places of objects on an artboard of type "osm": `lat`, `lng`, `places`, `hole_places` */
  places?: boolean;
  /** Name of the file: 1 to 200 characters, without slashes and control characters */
  name?: string;
  /** Identifier of the other version, or "now". Default: "now" */
  against?: string;
  /** Maximum number of results; default 1000 */
  limit?: number;
  /** Include the bytes of files, as base64 */
  files?: boolean;
  /** Width in pixels; default 320 */
  width?: number;
  /** The id of the last event that was received, or an ETag without its quotation marks */
  after?: string;
}

export interface PathNames {
  /** Identifier of the project */
  project_id: string;
  /** Identifier of the artboard */
  artboard_id: string;
  /** Identifier of the object */
  object_id: string;
  /** Identifier of the popup */
  popup_id: string;
  /** Identifier of the data source */
  data_source_id: string;
  /** Identifier of the variable */
  variable_id: string;
  /** Identifier of the action */
  action_id: string;
  /** Identifier of the file */
  file_id: string;
  /** Identifier of the version */
  version_id: string;
}

export type WithRequired<T, K extends keyof T> = T & { [P in K]-?: T[P] };

export interface Content<Body, Type extends string> {
  content: { [Name in Type]: Body };
}
/** A problem can be the response to every operation. */
export interface Refusal {
  default: { headers: { [name: string]: unknown } } & Content<Problem, 'application/problem+json'>;
}
export type Success<Status extends number, Body, Type extends string> = Refusal & {
  [Each in Status]: { headers: { [name: string]: unknown } } & Content<Body, Type>;
};
export type NoContent<Status extends number> = Refusal & {
  [Each in Status]: { headers: { [name: string]: unknown }; content?: never };
};

export interface Paths {
  '/projects': {
    /** List projects */
    get: {
      parameters: { query?: ListProjectsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path?: never };
      requestBody?: never;
      responses: Success<200, Project[], 'application/json'>;
    };
    /** Create a project */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path?: never };
      requestBody: Content<ProjectCreate, 'application/json'>;
      responses: Success<200, Project, 'application/json'>;
    };
  };
  '/projects/{project_id}': {
    /** Get a project */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Project, 'application/json'>;
    };
    /** Change members of a project */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<ProjectUpdate, 'application/json'>;
      responses: Success<200, Project, 'application/json'>;
    };
    /** Delete a project */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/artboards': {
    /** List artboards */
    get: {
      parameters: { query?: ListArtboardsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Artboard[], 'application/json'>;
    };
    /** Create an artboard */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<ArtboardCreate, 'application/json'>;
      responses: Success<200, Artboard, 'application/json'>;
    };
  };
  '/projects/{project_id}/artboards/{artboard_id}': {
    /** Get an artboard */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody?: never;
      responses: Success<200, Artboard, 'application/json'>;
    };
    /** Change members of an artboard */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields' | 'keep_places'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody: Content<ArtboardUpdate, 'application/json'>;
      responses: Success<200, Artboard, 'application/json'>;
    };
    /** Delete an artboard */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/artboards/{artboard_id}/objects': {
    /** List objects */
    get: {
      parameters: { query?: ListObjectsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody?: never;
      responses: Success<200, ObjectWithPlaces[], 'application/json'>;
    };
    /** Create an object */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody: Content<ObjectCreate, 'application/json'>;
      responses: Success<200, Object, 'application/json'>;
    };
  };
  '/projects/{project_id}/artboards/{artboard_id}/objects/{object_id}': {
    /** Get an object */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields' | 'places'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id' | 'object_id'> };
      requestBody?: never;
      responses: Success<200, ObjectWithPlaces, 'application/json'>;
    };
    /** Change members of an object */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id' | 'object_id'> };
      requestBody: Content<ObjectUpdate, 'application/json'>;
      responses: Success<200, Object, 'application/json'>;
    };
    /** Delete an object */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id' | 'object_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/popups': {
    /** List popups */
    get: {
      parameters: { query?: ListPopupsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Popup[], 'application/json'>;
    };
    /** Create a popup */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<PopupCreate, 'application/json'>;
      responses: Success<200, Popup, 'application/json'>;
    };
  };
  '/projects/{project_id}/popups/{popup_id}': {
    /** Get a popup */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'popup_id'> };
      requestBody?: never;
      responses: Success<200, Popup, 'application/json'>;
    };
    /** Change members of a popup */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'popup_id'> };
      requestBody: Content<PopupUpdate, 'application/json'>;
      responses: Success<200, Popup, 'application/json'>;
    };
    /** Delete a popup */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'popup_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/data-sources': {
    /** List data sources */
    get: {
      parameters: { query?: ListDataSourcesQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, DataSource[], 'application/json'>;
    };
    /** Create a data source */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<DataSourceCreate, 'application/json'>;
      responses: Success<200, DataSource, 'application/json'>;
    };
  };
  '/projects/{project_id}/data-sources/{data_source_id}': {
    /** Get a data source */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody?: never;
      responses: Success<200, DataSource, 'application/json'>;
    };
    /** Change members of a data source */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody: Content<DataSourceUpdate, 'application/json'>;
      responses: Success<200, DataSource, 'application/json'>;
    };
    /** Delete a data source */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/variables': {
    /** List variables */
    get: {
      parameters: { query?: ListVariablesQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Variable[], 'application/json'>;
    };
    /** Create a variable */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<VariableCreate, 'application/json'>;
      responses: Success<200, Variable, 'application/json'>;
    };
  };
  '/projects/{project_id}/variables/{variable_id}': {
    /** Get a variable */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'variable_id'> };
      requestBody?: never;
      responses: Success<200, Variable, 'application/json'>;
    };
    /** Change members of a variable */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'variable_id'> };
      requestBody: Content<VariableUpdate, 'application/json'>;
      responses: Success<200, Variable, 'application/json'>;
    };
    /** Delete a variable */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'variable_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/actions': {
    /** List actions */
    get: {
      parameters: { query?: ListActionsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Action[], 'application/json'>;
    };
    /** Create an action */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<ActionCreate, 'application/json'>;
      responses: Success<200, Action, 'application/json'>;
    };
  };
  '/projects/{project_id}/actions/{action_id}': {
    /** Get an action */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'action_id'> };
      requestBody?: never;
      responses: Success<200, Action, 'application/json'>;
    };
    /** Change members of an action */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'action_id'> };
      requestBody: Content<ActionUpdate, 'application/json'>;
      responses: Success<200, Action, 'application/json'>;
    };
    /** Delete an action */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'action_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/files': {
    /** Upload a file */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields' | 'name'>; header?: Pick<RequestHeaders, 'Idempotency-Key'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<Bytes, 'application/octet-stream'>;
      responses: Success<200, File, 'application/json'>;
    };
    /** List files */
    get: {
      parameters: { query?: ListFilesQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, File[], 'application/json'>;
    };
  };
  '/projects/{project_id}/files/{file_id}': {
    /** Get a file */
    get: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'file_id'> };
      requestBody?: never;
      responses: Success<200, File, 'application/json'>;
    };
    /** Change members of a file */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'file_id'> };
      requestBody: Content<FileUpdate, 'application/json'>;
      responses: Success<200, File, 'application/json'>;
    };
    /** Delete a file */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'file_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/versions': {
    /** Keep the present state */
    post: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: Content<VersionCreate, 'application/json'>;
      responses: Success<200, Version, 'application/json'>;
    };
    /** List versions */
    get: {
      parameters: { query?: ListVersionsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Version[], 'application/json'>;
    };
    /** Delete all versions */
    delete: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/versions/{version_id}': {
    /** Change members of a version */
    patch: {
      parameters: { query?: Pick<QueryParameters, 'strict' | 'fields'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'version_id'> };
      requestBody: Content<VersionUpdate, 'application/json'>;
      responses: Success<200, Version, 'application/json'>;
    };
    /** Delete a version */
    delete: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'version_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
    /** Get a project as it was */
    get: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'version_id'> };
      requestBody?: never;
      responses: Success<200, Project, 'application/json'>;
    };
  };
  '/projects/{project_id}/versions/{version_id}/files/{file_id}': {
    /** Get the bytes of a file of a version */
    get: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'version_id' | 'file_id'> };
      requestBody?: never;
      responses: Success<200, string, 'image/*'>;
    };
  };
  '/projects/{project_id}/versions/{version_id}/changes': {
    /** Compare a version */
    get: {
      parameters: { query?: Pick<QueryParameters, 'against'>; header?: never; path: Pick<PathNames, 'project_id' | 'version_id'> };
      requestBody?: never;
      responses: Success<200, Comparison, 'application/json'>;
    };
  };
  '/projects/{project_id}/versions/{version_id}/restore': {
    /** Restore a version */
    post: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'version_id'> };
      requestBody?: never;
      responses: Success<200, Project, 'application/json'>;
    };
  };
  '/projects/{project_id}/batch': {
    /** Execute several writes in one transaction */
    post: {
      parameters: { query?: Pick<QueryParameters, 'strict'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody: Content<Batch, 'application/json'>;
      responses: Success<200, BatchResults, 'application/json'>;
    };
  };
  '/projects/{project_id}/problems': {
    /** List dangling references and what a public map leaves out */
    get: {
      parameters: { query?: Pick<QueryParameters, 'limit'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, DanglingReference[], 'application/json'>;
    };
  };
  '/projects/{project_id}/duplicate': {
    /** Copy a project */
    post: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: Content<Duplication, 'application/json'>;
      responses: Success<200, Project, 'application/json'>;
    };
  };
  '/projects/{project_id}/export': {
    /** Export a project as a document */
    get: {
      parameters: { query?: Pick<QueryParameters, 'files'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, ProjectDocument, 'application/json'>;
    };
  };
  '/projects/{project_id}/artboards/{artboard_id}/export.geojson': {
    /** Export the objects of an artboard as GeoJSON */
    get: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody?: never;
      responses: Success<200, ArtboardGeoJson, 'application/geo+json'>;
    };
  };
  '/projects/import': {
    /** Create a project from a document */
    post: {
      parameters: { query?: Pick<QueryParameters, 'fields'>; header?: Pick<RequestHeaders, 'Idempotency-Key'>; path?: never };
      requestBody: Content<ProjectDocumentImport, 'application/json'>;
      responses: Success<200, Project, 'application/json'>;
    };
  };
  '/projects/{project_id}/artboards/{artboard_id}/preview.svg': {
    /** Draw an artboard as SVG */
    get: {
      parameters: { query?: Pick<QueryParameters, 'width'>; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id' | 'artboard_id'> };
      requestBody?: never;
      responses: Success<200, string, 'image/svg+xml'>;
    };
  };
  '/projects/{project_id}/data-sources/{data_source_id}/response': {
    /** Show the newest response of a data source */
    get: {
      parameters: { query?: never; header?: never; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody?: never;
      responses: Success<200, DataSourceResponse, 'application/json'>;
    };
    /** Fetch a data source now */
    post: {
      parameters: { query?: never; header?: never; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody?: never;
      responses: Success<200, DataSourceResponse, 'application/json'>;
    };
    /** Push a response of a data source */
    put: {
      parameters: { query?: never; header?: never; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody: Content<unknown, 'application/json'>;
      responses: NoContent<204>;
    };
    /** Forget the response of a data source */
    delete: {
      parameters: { query?: never; header?: never; path: Pick<PathNames, 'project_id' | 'data_source_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/evaluate': {
    /** Evaluate data sources, variables and actions */
    post: {
      parameters: { query?: never; header?: never; path: Pick<PathNames, 'project_id'> };
      requestBody?: Content<EvaluateOptions, 'application/json'>;
      responses: Success<200, Evaluation, 'application/json'>;
    };
  };
  '/projects/{project_id}/publication/sources': {
    /** List the data sources of a live map */
    get: {
      parameters: { query?: never; header?: never; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, PublishedSource[], 'application/json'>;
    };
  };
  '/publications': {
    /** List the publications of all projects */
    get: {
      parameters: { query?: ListPublicationsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path?: never };
      requestBody?: never;
      responses: Success<200, ListedPublication[], 'application/json'>;
    };
  };
  '/projects/{project_id}/publication': {
    /** Show the public address of a project */
    get: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, Publication, 'application/json'>;
    };
    /** Make a project public */
    put: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: Content<Publishing, 'application/json'>;
      responses: Success<200, Publication, 'application/json'>;
    };
    /** Make a project private again */
    delete: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: NoContent<204>;
    };
  };
  '/projects/{project_id}/publication/draft': {
    /** Show what publishing would make public */
    get: {
      parameters: { query?: never; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, { [key: string]: unknown }, 'application/json'>;
    };
  };
  '/revisions': {
    /** List the revisions of all projects */
    get: {
      parameters: { query?: ListRevisionsQuery; header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>; path?: never };
      requestBody?: never;
      responses: Success<200, Revision[], 'application/json'>;
    };
  };
  '/events': {
    /** Follow the changes of all projects */
    get: {
      parameters: { query?: Pick<QueryParameters, 'after'>; header?: Pick<RequestHeaders, 'Last-Event-ID'>; path?: never };
      requestBody?: never;
      responses: Success<200, string, 'text/event-stream'>;
    };
  };
  '/projects/{project_id}/events': {
    /** Follow the changes of a project */
    get: {
      parameters: { query?: Pick<QueryParameters, 'after'>; header?: Pick<RequestHeaders, 'Last-Event-ID'>; path: Pick<PathNames, 'project_id'> };
      requestBody?: never;
      responses: Success<200, string, 'text/event-stream'>;
    };
  };
  '/me': {
    /** Show the account and the key of the request */
    get: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody?: never;
      responses: Success<200, Me, 'application/json'>;
    };
  };
}
