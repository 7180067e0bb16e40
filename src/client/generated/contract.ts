/** The API as types (contract). Generated from its description by `npm run client`: do not edit. */

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

/** A new artboard; what is left out takes its default. */
export type ArtboardCreate = {
  /** Display name. Default: `"Untitled Artboard"` */
  name?: string;
  /** Background: a colour, an image, or an OpenStreetMap map. Default: `"color"` */
  type?: 'color' | 'image' | 'osm';
  /** Public address for embedding. Default: `""` */
  embedding_url?: string;
  /** Background of type "image". Default: `""` */
  image_url?: string;
  /** Pixels. Default: `800` */
  width?: number;
  /** Pixels. Default: `600` */
  height?: number;
  /** Background of type "color". Default: `"#ffffff"` */
  bg_color?: string;
  /** Latitude of the centre, for type "osm". Default: `0` */
  osm_lat?: number;
  /** Longitude of the centre, for type "osm". Default: `0` */
  osm_lng?: number;
  /** Zoom level, for type "osm". Default: `1` */
  osm_zoom?: number;
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectCreate[];
};

/** What is to change of an artboard; what is left out stays as it is. */
export type ArtboardUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Display name */
  name?: string;
  /** Background: a colour, an image, or an OpenStreetMap map */
  type?: 'color' | 'image' | 'osm';
  /** Public address for embedding */
  embedding_url?: string;
  /** Background of type "image" */
  image_url?: string;
  /** Pixels */
  width?: number;
  /** Pixels */
  height?: number;
  /** Background of type "color" */
  bg_color?: string;
  /** Latitude of the centre, for type "osm" */
  osm_lat?: number;
  /** Longitude of the centre, for type "osm" */
  osm_lng?: number;
  /** Zoom level, for type "osm" */
  osm_zoom?: number;
  /** Spots and polygons on the artboard, all of them: those with an id stay, without one they are new, those left out are deleted */
  objects?: Array<WithRequired<ObjectUpdate, 'id'> | ObjectCreate>;
};

/** An artboard as it was exported; what is left out takes its default. */
export type ArtboardImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Display name. Default: `"Untitled Artboard"` */
  name?: string;
  /** Background: a colour, an image, or an OpenStreetMap map. Default: `"color"` */
  type?: 'color' | 'image' | 'osm';
  /** Public address for embedding. Default: `""` */
  embedding_url?: string;
  /** Background of type "image". Default: `""` */
  image_url?: string;
  /** Pixels. Default: `800` */
  width?: number;
  /** Pixels. Default: `600` */
  height?: number;
  /** Background of type "color". Default: `"#ffffff"` */
  bg_color?: string;
  /** Latitude of the centre, for type "osm". Default: `0` */
  osm_lat?: number;
  /** Longitude of the centre, for type "osm". Default: `0` */
  osm_lng?: number;
  /** Zoom level, for type "osm". Default: `1` */
  osm_zoom?: number;
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectImport[];
};

/** A spot or a polygon on an artboard. */
export type Object = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Object"` */
  name: string;
  /** A circle around x and y, or a polygon with its corners in coords */
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
  coords: Array<{
    x: number;
    y: number;
  }>;
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
};

/** A new object; what is left out takes its default. */
export type ObjectCreate = {
  /** Display name. Default: `"Untitled Object"` */
  name?: string;
  /** A circle around x and y, or a polygon with its corners in coords */
  type: 'spot' | 'poly';
  /** Effect of a click. Default: `"none"` */
  click_action?: 'none' | 'follow-link' | 'change-artboard';
  /** For "follow-link". Default: `false` */
  open_link_in_new_tab?: boolean;
  /** Target of "follow-link". Default: `""` */
  click_action_url?: string;
  /** Artboard that "change-artboard" shows. Default: `""` */
  click_action_artboard_id?: string;
  /** Centre of a spot. Default: `0` */
  x?: number;
  /** Centre of a spot. Default: `0` */
  y?: number;
  /** Corners of a polygon, in pixels of the artboard: 50,000 at most. Default: `[]` */
  coords?: Array<{
    x: number;
    y: number;
  }>;
  /** Radius of a spot. Default: `20` */
  radius?: number;
  /** Show the pin marker. Default: `true` */
  pin?: boolean;
  /** Fill. Default: `"#3b82f6"` */
  color?: string;
  /** Opacity of the fill; 1 is opaque. Default: `1` */
  opacity?: number;
  /** Outline. Default: `"#000000"` */
  stroke_color?: string;
  /** Width of the outline, in pixels. Default: `0` */
  stroke_width?: number;
  /** Opacity of the outline. Default: `1` */
  stroke_opacity?: number;
  /** Fill while the pointer is over it. Default: `"#000000"` */
  hover_color?: string;
  /** Opacity of the fill while the pointer is over it. Default: `0.5` */
  hover_opacity?: number;
  /** Outline while the pointer is over it. Default: `"#000000"` */
  hover_stroke_color?: string;
  /** Width of the outline while the pointer is over it. Default: `0` */
  hover_stroke_width?: number;
  /** Opacity of the outline while the pointer is over it. Default: `1` */
  hover_stroke_opacity?: number;
  /** How its colours blend with the background. Default: `"normal"` */
  blend_mode?: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
};

/** What is to change of an object; what is left out stays as it is. */
export type ObjectUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Display name */
  name?: string;
  /** A circle around x and y, or a polygon with its corners in coords */
  type?: 'spot' | 'poly';
  /** Effect of a click */
  click_action?: 'none' | 'follow-link' | 'change-artboard';
  /** For "follow-link" */
  open_link_in_new_tab?: boolean;
  /** Target of "follow-link" */
  click_action_url?: string;
  /** Artboard that "change-artboard" shows */
  click_action_artboard_id?: string;
  /** Centre of a spot */
  x?: number;
  /** Centre of a spot */
  y?: number;
  /** Corners of a polygon, in pixels of the artboard: 50,000 at most */
  coords?: Array<{
    x: number;
    y: number;
  }>;
  /** Radius of a spot */
  radius?: number;
  /** Show the pin marker */
  pin?: boolean;
  /** Fill */
  color?: string;
  /** Opacity of the fill; 1 is opaque */
  opacity?: number;
  /** Outline */
  stroke_color?: string;
  /** Width of the outline, in pixels */
  stroke_width?: number;
  /** Opacity of the outline */
  stroke_opacity?: number;
  /** Fill while the pointer is over it */
  hover_color?: string;
  /** Opacity of the fill while the pointer is over it */
  hover_opacity?: number;
  /** Outline while the pointer is over it */
  hover_stroke_color?: string;
  /** Width of the outline while the pointer is over it */
  hover_stroke_width?: number;
  /** Opacity of the outline while the pointer is over it */
  hover_stroke_opacity?: number;
  /** How its colours blend with the background */
  blend_mode?: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
};

/** An object as it was exported; what is left out takes its default. */
export type ObjectImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Display name. Default: `"Untitled Object"` */
  name?: string;
  /** A circle around x and y, or a polygon with its corners in coords */
  type: 'spot' | 'poly';
  /** Effect of a click. Default: `"none"` */
  click_action?: 'none' | 'follow-link' | 'change-artboard';
  /** For "follow-link". Default: `false` */
  open_link_in_new_tab?: boolean;
  /** Target of "follow-link". Default: `""` */
  click_action_url?: string;
  /** Artboard that "change-artboard" shows. Default: `""` */
  click_action_artboard_id?: string;
  /** Centre of a spot. Default: `0` */
  x?: number;
  /** Centre of a spot. Default: `0` */
  y?: number;
  /** Corners of a polygon, in pixels of the artboard: 50,000 at most. Default: `[]` */
  coords?: Array<{
    x: number;
    y: number;
  }>;
  /** Radius of a spot. Default: `20` */
  radius?: number;
  /** Show the pin marker. Default: `true` */
  pin?: boolean;
  /** Fill. Default: `"#3b82f6"` */
  color?: string;
  /** Opacity of the fill; 1 is opaque. Default: `1` */
  opacity?: number;
  /** Outline. Default: `"#000000"` */
  stroke_color?: string;
  /** Width of the outline, in pixels. Default: `0` */
  stroke_width?: number;
  /** Opacity of the outline. Default: `1` */
  stroke_opacity?: number;
  /** Fill while the pointer is over it. Default: `"#000000"` */
  hover_color?: string;
  /** Opacity of the fill while the pointer is over it. Default: `0.5` */
  hover_opacity?: number;
  /** Outline while the pointer is over it. Default: `"#000000"` */
  hover_stroke_color?: string;
  /** Width of the outline while the pointer is over it. Default: `0` */
  hover_stroke_width?: number;
  /** Opacity of the outline while the pointer is over it. Default: `1` */
  hover_stroke_opacity?: number;
  /** How its colours blend with the background. Default: `"normal"` */
  blend_mode?: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
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

/** A new popup; what is left out takes its default. */
export type PopupCreate = {
  /** Display name. Default: `"Untitled Popup"` */
  name?: string;
  /** Identifier of the object it is attached to. Default: `""` */
  attachedTo?: string;
  /** Pixels. Default: `500` */
  maxWidth?: number;
  /** Heading. Default: `""` */
  title?: string;
  /** Image URL. Default: `""` */
  image?: string;
  /** HTML or text. Default: `""` */
  content?: string;
  /** Label of the button. Default: `""` */
  buttonText?: string;
  /** Effect of the button. Default: `"follow-link"` */
  buttonAction?: 'follow-link' | 'none';
  /** Target of "follow-link". Default: `""` */
  buttonLink?: string;
  /** For "follow-link". Default: `false` */
  openLinkInNewTab?: boolean;
};

/** What is to change of a popup; what is left out stays as it is. */
export type PopupUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Display name */
  name?: string;
  /** Identifier of the object it is attached to */
  attachedTo?: string;
  /** Pixels */
  maxWidth?: number;
  /** Heading */
  title?: string;
  /** Image URL */
  image?: string;
  /** HTML or text */
  content?: string;
  /** Label of the button */
  buttonText?: string;
  /** Effect of the button */
  buttonAction?: 'follow-link' | 'none';
  /** Target of "follow-link" */
  buttonLink?: string;
  /** For "follow-link" */
  openLinkInNewTab?: boolean;
};

/** A popup as it was exported; what is left out takes its default. */
export type PopupImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Display name. Default: `"Untitled Popup"` */
  name?: string;
  /** Identifier of the object it is attached to. Default: `""` */
  attachedTo?: string;
  /** Pixels. Default: `500` */
  maxWidth?: number;
  /** Heading. Default: `""` */
  title?: string;
  /** Image URL. Default: `""` */
  image?: string;
  /** HTML or text. Default: `""` */
  content?: string;
  /** Label of the button. Default: `""` */
  buttonText?: string;
  /** Effect of the button. Default: `"follow-link"` */
  buttonAction?: 'follow-link' | 'none';
  /** Target of "follow-link". Default: `""` */
  buttonLink?: string;
  /** For "follow-link". Default: `false` */
  openLinkInNewTab?: boolean;
};

/** An HTTP request whose response variables read. The viewer of the map sends it, not this server. */
export type DataSource = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Display name. Default: `"Untitled Data Source"` */
  name: string;
  /** Target URL. Default: `""` */
  url: string;
  /** Method of the request. Default: `"GET"` */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Request headers. Default: `[]` */
  headers: Array<{ [key: string]: unknown }>;
  /** Request body, sent unchanged. Default: `""` */
  body: string;
};

/** A new data source; what is left out takes its default. */
export type DataSourceCreate = {
  /** Display name. Default: `"Untitled Data Source"` */
  name?: string;
  /** Target URL. Default: `""` */
  url?: string;
  /** Method of the request. Default: `"GET"` */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Request headers. Default: `[]` */
  headers?: Array<{ [key: string]: unknown }>;
  /** Request body, sent unchanged. Default: `""` */
  body?: string;
};

/** What is to change of a data source; what is left out stays as it is. */
export type DataSourceUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Display name */
  name?: string;
  /** Target URL */
  url?: string;
  /** Method of the request */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Request headers */
  headers?: Array<{ [key: string]: unknown }>;
  /** Request body, sent unchanged */
  body?: string;
};

/** A data source as it was exported; what is left out takes its default. */
export type DataSourceImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Display name. Default: `"Untitled Data Source"` */
  name?: string;
  /** Target URL. Default: `""` */
  url?: string;
  /** Method of the request. Default: `"GET"` */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Request headers. Default: `[]` */
  headers?: Array<{ [key: string]: unknown }>;
  /** Request body, sent unchanged. Default: `""` */
  body?: string;
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

/** A new variable; what is left out takes its default. */
export type VariableCreate = {
  /** Display name. Default: `"Untitled Variable"` */
  name?: string;
  /** Source of the value. Default: `"primitive"` */
  type?: 'primitive' | 'expression' | 'interpolate-color' | 'iterator' | 'primitive-from-iterator' | 'coords-from-data-source' | 'coords-from-iterator' | 'random' | 'custom';
  /** Identifier of the data source it is taken from. Default: `""` */
  data_source_id?: string;
  /** Identifier of the iterator variable. Default: `""` */
  iterator_id?: string;
  /** For "custom". Default: `""` */
  custom_value?: string;
  /** For "expression". Default: `""` */
  expression?: string;
  /** Path of the value in the data. Default: `{"nodes":[],"node_id":"","filters":[],"collapsed_nodes":[]}` */
  data_path?: {
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
  color_interpolation_range_start?: number;
  /** Factor for the last colour. Default: `100` */
  color_interpolation_range_end?: number;
  /** Variable that is the interpolation factor. Default: `""` */
  color_interpolation_factor_variable_id?: string;
  /** Colours from the start of the range to its end. Default: `[]` */
  color_interpolation_colors?: string[];
  /** Blend adjacent colours. Default: `true` */
  color_interpolation_smooth?: boolean;
  /** For "random": the minimum. Default: `0` */
  random_from?: number;
  /** For "random": the maximum. Default: `1` */
  random_to?: number;
};

/** What is to change of a variable; what is left out stays as it is. */
export type VariableUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Display name */
  name?: string;
  /** Source of the value */
  type?: 'primitive' | 'expression' | 'interpolate-color' | 'iterator' | 'primitive-from-iterator' | 'coords-from-data-source' | 'coords-from-iterator' | 'random' | 'custom';
  /** Identifier of the data source it is taken from */
  data_source_id?: string;
  /** Identifier of the iterator variable */
  iterator_id?: string;
  /** For "custom" */
  custom_value?: string;
  /** For "expression" */
  expression?: string;
  /** Path of the value in the data */
  data_path?: {
    /** Default: `[]` */
    nodes?: unknown[];
    /** Default: `""` */
    node_id?: string;
    /** Default: `[]` */
    filters?: unknown[];
    /** Default: `[]` */
    collapsed_nodes?: unknown[];
  } & { [key: string]: unknown };
  /** Factor for the first colour */
  color_interpolation_range_start?: number;
  /** Factor for the last colour */
  color_interpolation_range_end?: number;
  /** Variable that is the interpolation factor */
  color_interpolation_factor_variable_id?: string;
  /** Colours from the start of the range to its end */
  color_interpolation_colors?: string[];
  /** Blend adjacent colours */
  color_interpolation_smooth?: boolean;
  /** For "random": the minimum */
  random_from?: number;
  /** For "random": the maximum */
  random_to?: number;
};

/** A variable as it was exported; what is left out takes its default. */
export type VariableImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Display name. Default: `"Untitled Variable"` */
  name?: string;
  /** Source of the value. Default: `"primitive"` */
  type?: 'primitive' | 'expression' | 'interpolate-color' | 'iterator' | 'primitive-from-iterator' | 'coords-from-data-source' | 'coords-from-iterator' | 'random' | 'custom';
  /** Identifier of the data source it is taken from. Default: `""` */
  data_source_id?: string;
  /** Identifier of the iterator variable. Default: `""` */
  iterator_id?: string;
  /** For "custom". Default: `""` */
  custom_value?: string;
  /** For "expression". Default: `""` */
  expression?: string;
  /** Path of the value in the data. Default: `{"nodes":[],"node_id":"","filters":[],"collapsed_nodes":[]}` */
  data_path?: {
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
  color_interpolation_range_start?: number;
  /** Factor for the last colour. Default: `100` */
  color_interpolation_range_end?: number;
  /** Variable that is the interpolation factor. Default: `""` */
  color_interpolation_factor_variable_id?: string;
  /** Colours from the start of the range to its end. Default: `[]` */
  color_interpolation_colors?: string[];
  /** Blend adjacent colours. Default: `true` */
  color_interpolation_smooth?: boolean;
  /** For "random": the minimum. Default: `0` */
  random_from?: number;
  /** For "random": the maximum. Default: `1` */
  random_to?: number;
};

/** Changes or creates something when its conditions hold. */
export type Action = {
  /** Identifier, made by the server */
  readonly id: string;
  /** Effect of the action. Default: `"modify-object"` */
  type: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys';
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
  style_color: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"opacity","type":"current-value"}` */
  style_opacity: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_color","type":"current-value"}` */
  style_stroke_color: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_width","type":"current-value"}` */
  style_stroke_width: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_opacity","type":"current-value"}` */
  style_stroke_opacity: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_color","type":"current-value"}` */
  style_hover_color: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_opacity","type":"current-value"}` */
  style_hover_opacity: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_color","type":"current-value"}` */
  style_hover_stroke_color: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_width","type":"current-value"}` */
  style_hover_stroke_width: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_opacity","type":"current-value"}` */
  style_hover_stroke_opacity: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"blend_mode","type":"current-value"}` */
  style_blend_mode: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"radius","type":"current-value"}` */
  style_radius: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"pin","type":"current-value"}` */
  style_pin: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
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
};

/** A new action; what is left out takes its default. */
export type ActionCreate = {
  /** Effect of the action. Default: `"modify-object"` */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys';
  /** Display name. Default: `"Untitled Action"` */
  name?: string;
  /** When the action runs. Default: `[]` */
  conditions?: Array<{ [key: string]: unknown }>;
  /** Whether all conditions must hold, or one. Default: `"and"` */
  condition_operator?: 'and' | 'or';
  /** Target of "modify-object". Default: `""` */
  object_id?: string;
  /** Artboard on which objects are created. Default: `""` */
  create_object_target_artboard_id?: string;
  /** Name of created objects. Default: `""` */
  create_object_name?: string;
  /** Source of x. Default: `"custom"` */
  create_spot_x_source_type?: 'variable' | 'custom';
  /** For "custom". Default: `""` */
  create_spot_x_custom_value?: string;
  /** Variable that contains x. Default: `""` */
  create_spot_x_variable_id?: string;
  /** Source of y. Default: `"custom"` */
  create_spot_y_source_type?: 'variable' | 'custom';
  /** For "custom". Default: `""` */
  create_spot_y_custom_value?: string;
  /** Variable that contains y. Default: `""` */
  create_spot_y_variable_id?: string;
  /** Variable that contains the vertices. Default: `""` */
  create_poly_coords_variable_id?: string;
  /** The new value; by default the current value stays. Default: `{"name":"color","type":"current-value"}` */
  style_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"opacity","type":"current-value"}` */
  style_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_color","type":"current-value"}` */
  style_stroke_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_width","type":"current-value"}` */
  style_stroke_width?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_opacity","type":"current-value"}` */
  style_stroke_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_color","type":"current-value"}` */
  style_hover_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_opacity","type":"current-value"}` */
  style_hover_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_color","type":"current-value"}` */
  style_hover_stroke_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_width","type":"current-value"}` */
  style_hover_stroke_width?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_opacity","type":"current-value"}` */
  style_hover_stroke_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"blend_mode","type":"current-value"}` */
  style_blend_mode?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"radius","type":"current-value"}` */
  style_radius?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"pin","type":"current-value"}` */
  style_pin?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** Create a popup with each created object. Default: `false` */
  create_popup?: boolean;
  /** Pixels. Default: `500` */
  popup_max_width?: number;
  /** Heading. Default: `""` */
  popup_title?: string;
  /** Image URL. Default: `""` */
  popup_image?: string;
  /** HTML or text. Default: `""` */
  popup_content?: string;
  /** Label of the button. Default: `""` */
  popup_button_text?: string;
  /** Effect of the button. Default: `"follow-link"` */
  popup_button_action?: string;
  /** Target of "follow-link". Default: `""` */
  popup_button_link?: string;
  /** For "follow-link". Default: `false` */
  popup_open_link_in_new_tab?: boolean;
};

/** What is to change of an action; what is left out stays as it is. */
export type ActionUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Effect of the action */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys';
  /** Display name */
  name?: string;
  /** When the action runs */
  conditions?: Array<{ [key: string]: unknown }>;
  /** Whether all conditions must hold, or one */
  condition_operator?: 'and' | 'or';
  /** Target of "modify-object" */
  object_id?: string;
  /** Artboard on which objects are created */
  create_object_target_artboard_id?: string;
  /** Name of created objects */
  create_object_name?: string;
  /** Source of x */
  create_spot_x_source_type?: 'variable' | 'custom';
  /** For "custom" */
  create_spot_x_custom_value?: string;
  /** Variable that contains x */
  create_spot_x_variable_id?: string;
  /** Source of y */
  create_spot_y_source_type?: 'variable' | 'custom';
  /** For "custom" */
  create_spot_y_custom_value?: string;
  /** Variable that contains y */
  create_spot_y_variable_id?: string;
  /** Variable that contains the vertices */
  create_poly_coords_variable_id?: string;
  /** The new value; by default the current value stays */
  style_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_stroke_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_stroke_width?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_stroke_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_hover_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_hover_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_hover_stroke_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_hover_stroke_width?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_hover_stroke_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_blend_mode?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_radius?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays */
  style_pin?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** Create a popup with each created object */
  create_popup?: boolean;
  /** Pixels */
  popup_max_width?: number;
  /** Heading */
  popup_title?: string;
  /** Image URL */
  popup_image?: string;
  /** HTML or text */
  popup_content?: string;
  /** Label of the button */
  popup_button_text?: string;
  /** Effect of the button */
  popup_button_action?: string;
  /** Target of "follow-link" */
  popup_button_link?: string;
  /** For "follow-link" */
  popup_open_link_in_new_tab?: boolean;
};

/** An action as it was exported; what is left out takes its default. */
export type ActionImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Effect of the action. Default: `"modify-object"` */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys';
  /** Display name. Default: `"Untitled Action"` */
  name?: string;
  /** When the action runs. Default: `[]` */
  conditions?: Array<{ [key: string]: unknown }>;
  /** Whether all conditions must hold, or one. Default: `"and"` */
  condition_operator?: 'and' | 'or';
  /** Target of "modify-object". Default: `""` */
  object_id?: string;
  /** Artboard on which objects are created. Default: `""` */
  create_object_target_artboard_id?: string;
  /** Name of created objects. Default: `""` */
  create_object_name?: string;
  /** Source of x. Default: `"custom"` */
  create_spot_x_source_type?: 'variable' | 'custom';
  /** For "custom". Default: `""` */
  create_spot_x_custom_value?: string;
  /** Variable that contains x. Default: `""` */
  create_spot_x_variable_id?: string;
  /** Source of y. Default: `"custom"` */
  create_spot_y_source_type?: 'variable' | 'custom';
  /** For "custom". Default: `""` */
  create_spot_y_custom_value?: string;
  /** Variable that contains y. Default: `""` */
  create_spot_y_variable_id?: string;
  /** Variable that contains the vertices. Default: `""` */
  create_poly_coords_variable_id?: string;
  /** The new value; by default the current value stays. Default: `{"name":"color","type":"current-value"}` */
  style_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"opacity","type":"current-value"}` */
  style_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_color","type":"current-value"}` */
  style_stroke_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_width","type":"current-value"}` */
  style_stroke_width?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"stroke_opacity","type":"current-value"}` */
  style_stroke_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_color","type":"current-value"}` */
  style_hover_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_opacity","type":"current-value"}` */
  style_hover_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_color","type":"current-value"}` */
  style_hover_stroke_color?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_width","type":"current-value"}` */
  style_hover_stroke_width?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"hover_stroke_opacity","type":"current-value"}` */
  style_hover_stroke_opacity?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"blend_mode","type":"current-value"}` */
  style_blend_mode?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"radius","type":"current-value"}` */
  style_radius?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** The new value; by default the current value stays. Default: `{"name":"pin","type":"current-value"}` */
  style_pin?: {
    name?: string;
    type?: string;
  } & { [key: string]: unknown };
  /** Create a popup with each created object. Default: `false` */
  create_popup?: boolean;
  /** Pixels. Default: `500` */
  popup_max_width?: number;
  /** Heading. Default: `""` */
  popup_title?: string;
  /** Image URL. Default: `""` */
  popup_image?: string;
  /** HTML or text. Default: `""` */
  popup_content?: string;
  /** Label of the button. Default: `""` */
  popup_button_text?: string;
  /** Effect of the button. Default: `"follow-link"` */
  popup_button_action?: string;
  /** Target of "follow-link". Default: `""` */
  popup_button_link?: string;
  /** For "follow-link". Default: `false` */
  popup_open_link_in_new_tab?: boolean;
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
  /** Any settings that the editor stores with the project. Default: `{}` */
  settings: { [key: string]: unknown };
};

/** A new project; what is left out takes its default. */
export type ProjectCreate = {
  /** Display name. Default: `"Untitled Project"` */
  name?: string;
  /** Thumbnail URL. Default: `""` */
  thumb?: string;
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
  /** Any settings that the editor stores with the project. Default: `{}` */
  settings?: { [key: string]: unknown };
};

/** What is to change of a project; what is left out stays as it is. */
export type ProjectUpdate = {
  /** Identifier, made by the server. May be sent with the value that it has */
  id?: string;
  /** Identifier of the account it belongs to. May be sent with the value that it has */
  user_id?: string;
  /** When it was created: RFC 3339, UTC, with milliseconds. May be sent with the value that it has */
  created?: string;
  /** Display name */
  name?: string;
  /** Thumbnail URL */
  thumb?: string;
  /** Artboards with their objects, all of them: those with an id stay, without one they are new, those left out are deleted */
  artboards?: Array<WithRequired<ArtboardUpdate, 'id'> | ArtboardCreate>;
  /** Popups, all of them: those with an id stay, without one they are new, those left out are deleted */
  popups?: Array<WithRequired<PopupUpdate, 'id'> | PopupCreate>;
  /** Data sources, all of them: those with an id stay, without one they are new, those left out are deleted */
  data_sources?: Array<WithRequired<DataSourceUpdate, 'id'> | DataSourceCreate>;
  /** Variables, all of them: those with an id stay, without one they are new, those left out are deleted */
  variables?: Array<WithRequired<VariableUpdate, 'id'> | VariableCreate>;
  /** Actions, all of them: those with an id stay, without one they are new, those left out are deleted */
  actions?: Array<WithRequired<ActionUpdate, 'id'> | ActionCreate>;
  /** Any settings that the editor stores with the project */
  settings?: { [key: string]: unknown };
};

/** A project as it was exported; what is left out takes its default. */
export type ProjectImport = {
  /** Identifier, made by the server */
  readonly id?: string;
  /** Identifier of the account it belongs to */
  readonly user_id?: string;
  /** When it was created: RFC 3339, UTC, with milliseconds */
  readonly created?: string;
  /** Display name. Default: `"Untitled Project"` */
  name?: string;
  /** Thumbnail URL. Default: `""` */
  thumb?: string;
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
  /** Any settings that the editor stores with the project. Default: `{}` */
  settings?: { [key: string]: unknown };
};

/** A request to something in the project. */
export type Operation = {
  /** What to do: create, change or delete */
  method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the project: "/popups", "/artboards/<id>/objects/<id>"; "/" for the project itself */
  path: string;
  /** As of the request by itself; none for a deletion */
  body?: { [key: string]: unknown };
  /** A name for the result: later paths and references may have it in braces */
  as?: string;
  /** As the header If-Match of this operation */
  if_match?: string;
};

/** Requests that are made together, or not at all. */
export type Batch = {
  /** In the order in which they are made */
  operations: Operation[];
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
  /** Any settings that the editor stores with the project. Default: `{}` */
  settings: { [key: string]: unknown };
};

/** What the operations came to. */
export type BatchResults = {
  /** One for each operation */
  results: Array<{
    /** As of the operation by itself: 200, or 204 for a deletion */
    status: number;
    /** The resource as the operation left it, a project without its collections; null for a deletion */
    body: ProjectWithoutCollections | Artboard | Object | Popup | DataSource | Variable | Action | null;
  }>;
};

/** A reference that points at nothing. */
export type DanglingReference = {
  /** Where it stands in the document of the project (RFC 6901) */
  pointer: string;
  /** The member that refers */
  member: string;
  /** What the member belongs to */
  resource: {
    kind: 'artboard' | 'object' | 'popup' | 'data_source' | 'variable' | 'action';
    id: string;
    /** Its address */
    path: string;
  };
  /** What it names */
  refers_to: {
    kind: 'artboard' | 'object' | 'popup' | 'data_source' | 'variable' | 'action';
    /** What stands in the member, cut where it is much too long */
    id: string;
  };
  /** The same in words */
  detail: string;
};

/** What the copy is to have of its own. */
export type Duplication = {
  /** Name of the copy; without it, that of the project */
  name?: string;
};

/** A project as a file. */
export type ProjectDocument = {
  /** Identifies the document format */
  format: 'mapwright-project';
  /** Version of the format */
  version: 1;
  project: Project;
};

/** A project as a file. */
export type ProjectDocumentImport = {
  /** Identifies the document format */
  format: 'mapwright-project';
  /** Version of the format */
  version: 1;
  project: ProjectImport;
};

/** The data of one event */
export type Event = {
  /** What it is about */
  kind: 'project' | 'artboard' | 'object' | 'popup' | 'data_source' | 'variable' | 'action';
  /** Of the resource; not of a new order */
  id?: string;
  /** The project that it is in */
  project_id: string;
  /** Of an object */
  artboard_id?: string;
  /** Of the project with this change: its ETag without the quotation marks */
  version: string;
  /** The resource as it is now, without what it holds; null when it was deleted */
  resource?: { [key: string]: unknown } | null;
  /** Of a collection in a new order: all identifiers */
  ids?: string[];
};

/** Why something was refused (RFC 9457) */
export type Problem = {
  /** `urn:mapwright:problem:` and the code */
  type: string;
  /** The code in words */
  title: string;
  /** The HTTP status */
  status: number;
  /** What happened, and what to do about it: for people */
  detail: string;
  /** What happened: for programs. These words stay */
  code: 'bad_request' | 'validation_failed' | 'unauthorized' | 'forbidden' | 'quota_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'precondition_failed' | 'payload_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'expectation_failed' | 'unprocessable' | 'too_many_requests' | 'headers_too_large' | 'internal_error' | 'unavailable' | 'storage_stalled' | 'insufficient_storage';
  /** What the log of the server calls this request */
  request_id: string;
  /** Of a batch: which operation, from 0 */
  index?: number;
  /** What is wrong, each with its place; up to a hundred */
  errors?: Array<{
    /** Where: a JSON Pointer (RFC 6901) into the body, or into the project */
    pointer: string;
    /** What is wrong there */
    detail: string;
  }>;
};

/** The parameters of listProjects. */
export type ListProjectsQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the project is exactly this */
  id?: string;
  /** Only where "user_id" of the project is exactly this */
  user_id?: string;
  /** Only where "created" of the project is exactly this */
  created?: string;
  /** Only where "name" of the project is exactly this */
  name?: string;
  /** Only where "thumb" of the project is exactly this */
  thumb?: string;
};

/** The parameters of listArtboards. */
export type ListArtboardsQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the artboard is exactly this */
  id?: string;
  /** Only where "name" of the artboard is exactly this */
  name?: string;
  /** Only where "type" of the artboard is exactly this */
  type?: 'color' | 'image' | 'osm';
  /** Only where "embedding_url" of the artboard is exactly this */
  embedding_url?: string;
  /** Only where "image_url" of the artboard is exactly this */
  image_url?: string;
  /** Only where "width" of the artboard is exactly this */
  width?: number;
  /** Only where "height" of the artboard is exactly this */
  height?: number;
  /** Only where "bg_color" of the artboard is exactly this */
  bg_color?: string;
  /** Only where "osm_lat" of the artboard is exactly this */
  osm_lat?: number;
  /** Only where "osm_lng" of the artboard is exactly this */
  osm_lng?: number;
  /** Only where "osm_zoom" of the artboard is exactly this */
  osm_zoom?: number;
};

/** The parameters of listObjects. */
export type ListObjectsQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the object is exactly this */
  id?: string;
  /** Only where "name" of the object is exactly this */
  name?: string;
  /** Only where "type" of the object is exactly this */
  type?: 'spot' | 'poly';
  /** Only where "click_action" of the object is exactly this */
  click_action?: 'none' | 'follow-link' | 'change-artboard';
  /** Only where "open_link_in_new_tab" of the object is exactly this */
  open_link_in_new_tab?: boolean;
  /** Only where "click_action_url" of the object is exactly this */
  click_action_url?: string;
  /** Only where "click_action_artboard_id" of the object is exactly this */
  click_action_artboard_id?: string;
  /** Only where "x" of the object is exactly this */
  x?: number;
  /** Only where "y" of the object is exactly this */
  y?: number;
  /** Only where "radius" of the object is exactly this */
  radius?: number;
  /** Only where "pin" of the object is exactly this */
  pin?: boolean;
  /** Only where "color" of the object is exactly this */
  color?: string;
  /** Only where "opacity" of the object is exactly this */
  opacity?: number;
  /** Only where "stroke_color" of the object is exactly this */
  stroke_color?: string;
  /** Only where "stroke_width" of the object is exactly this */
  stroke_width?: number;
  /** Only where "stroke_opacity" of the object is exactly this */
  stroke_opacity?: number;
  /** Only where "hover_color" of the object is exactly this */
  hover_color?: string;
  /** Only where "hover_opacity" of the object is exactly this */
  hover_opacity?: number;
  /** Only where "hover_stroke_color" of the object is exactly this */
  hover_stroke_color?: string;
  /** Only where "hover_stroke_width" of the object is exactly this */
  hover_stroke_width?: number;
  /** Only where "hover_stroke_opacity" of the object is exactly this */
  hover_stroke_opacity?: number;
  /** Only where "blend_mode" of the object is exactly this */
  blend_mode?: 'inherit' | 'normal' | 'add' | 'multiply' | 'screen' | 'darken' | 'lighten' | 'erase' | 'color-dodge' | 'color-burn' | 'linear-burn' | 'linear-dodge' | 'linear-light' | 'hard-light' | 'soft-light' | 'pin-light' | 'difference' | 'exclusion' | 'overlay' | 'saturation' | 'color' | 'luminosity' | 'normal-npm' | 'add-npm' | 'screen-npm' | 'none' | 'subtract' | 'divide' | 'vivid-light' | 'hard-mix' | 'negation' | 'min' | 'max';
};

/** The parameters of listPopups. */
export type ListPopupsQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the popup is exactly this */
  id?: string;
  /** Only where "name" of the popup is exactly this */
  name?: string;
  /** Only where "attachedTo" of the popup is exactly this */
  attachedTo?: string;
  /** Only where "maxWidth" of the popup is exactly this */
  maxWidth?: number;
  /** Only where "title" of the popup is exactly this */
  title?: string;
  /** Only where "image" of the popup is exactly this */
  image?: string;
  /** Only where "content" of the popup is exactly this */
  content?: string;
  /** Only where "buttonText" of the popup is exactly this */
  buttonText?: string;
  /** Only where "buttonAction" of the popup is exactly this */
  buttonAction?: 'follow-link' | 'none';
  /** Only where "buttonLink" of the popup is exactly this */
  buttonLink?: string;
  /** Only where "openLinkInNewTab" of the popup is exactly this */
  openLinkInNewTab?: boolean;
};

/** The parameters of listDataSources. */
export type ListDataSourcesQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the data source is exactly this */
  id?: string;
  /** Only where "name" of the data source is exactly this */
  name?: string;
  /** Only where "url" of the data source is exactly this */
  url?: string;
  /** Only where "method" of the data source is exactly this */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Only where "body" of the data source is exactly this */
  body?: string;
};

/** The parameters of listVariables. */
export type ListVariablesQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the variable is exactly this */
  id?: string;
  /** Only where "name" of the variable is exactly this */
  name?: string;
  /** Only where "type" of the variable is exactly this */
  type?: 'primitive' | 'expression' | 'interpolate-color' | 'iterator' | 'primitive-from-iterator' | 'coords-from-data-source' | 'coords-from-iterator' | 'random' | 'custom';
  /** Only where "data_source_id" of the variable is exactly this */
  data_source_id?: string;
  /** Only where "iterator_id" of the variable is exactly this */
  iterator_id?: string;
  /** Only where "custom_value" of the variable is exactly this */
  custom_value?: string;
  /** Only where "expression" of the variable is exactly this */
  expression?: string;
  /** Only where "color_interpolation_range_start" of the variable is exactly this */
  color_interpolation_range_start?: number;
  /** Only where "color_interpolation_range_end" of the variable is exactly this */
  color_interpolation_range_end?: number;
  /** Only where "color_interpolation_factor_variable_id" of the variable is exactly this */
  color_interpolation_factor_variable_id?: string;
  /** Only where "color_interpolation_smooth" of the variable is exactly this */
  color_interpolation_smooth?: boolean;
  /** Only where "random_from" of the variable is exactly this */
  random_from?: number;
  /** Only where "random_to" of the variable is exactly this */
  random_to?: number;
};

/** The parameters of listActions. */
export type ListActionsQuery = {
  /** Members on a page; without it the list is whole */
  limit?: number;
  /** Where the page before ended, from its Link header */
  cursor?: string;
  /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
  fields?: string;
  /** Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
  sort?: string;
  /** Only where "id" of the action is exactly this */
  id?: string;
  /** Only where "type" of the action is exactly this */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys';
  /** Only where "name" of the action is exactly this */
  name?: string;
  /** Only where "condition_operator" of the action is exactly this */
  condition_operator?: 'and' | 'or';
  /** Only where "object_id" of the action is exactly this */
  object_id?: string;
  /** Only where "create_object_target_artboard_id" of the action is exactly this */
  create_object_target_artboard_id?: string;
  /** Only where "create_object_name" of the action is exactly this */
  create_object_name?: string;
  /** Only where "create_spot_x_source_type" of the action is exactly this */
  create_spot_x_source_type?: 'variable' | 'custom';
  /** Only where "create_spot_x_custom_value" of the action is exactly this */
  create_spot_x_custom_value?: string;
  /** Only where "create_spot_x_variable_id" of the action is exactly this */
  create_spot_x_variable_id?: string;
  /** Only where "create_spot_y_source_type" of the action is exactly this */
  create_spot_y_source_type?: 'variable' | 'custom';
  /** Only where "create_spot_y_custom_value" of the action is exactly this */
  create_spot_y_custom_value?: string;
  /** Only where "create_spot_y_variable_id" of the action is exactly this */
  create_spot_y_variable_id?: string;
  /** Only where "create_poly_coords_variable_id" of the action is exactly this */
  create_poly_coords_variable_id?: string;
  /** Only where "create_popup" of the action is exactly this */
  create_popup?: boolean;
  /** Only where "popup_max_width" of the action is exactly this */
  popup_max_width?: number;
  /** Only where "popup_title" of the action is exactly this */
  popup_title?: string;
  /** Only where "popup_image" of the action is exactly this */
  popup_image?: string;
  /** Only where "popup_content" of the action is exactly this */
  popup_content?: string;
  /** Only where "popup_button_text" of the action is exactly this */
  popup_button_text?: string;
  /** Only where "popup_button_action" of the action is exactly this */
  popup_button_action?: string;
  /** Only where "popup_button_link" of the action is exactly this */
  popup_button_link?: string;
  /** Only where "popup_open_link_in_new_tab" of the action is exactly this */
  popup_open_link_in_new_tab?: boolean;
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
  Project: Project;
  ProjectCreate: ProjectCreate;
  ProjectUpdate: ProjectUpdate;
  ProjectImport: ProjectImport;
  Operation: Operation;
  Batch: Batch;
  ProjectWithoutCollections: ProjectWithoutCollections;
  BatchResults: BatchResults;
  DanglingReference: DanglingReference;
  Duplication: Duplication;
  ProjectDocument: ProjectDocument;
  ProjectDocumentImport: ProjectDocumentImport;
  Event: Event;
  Problem: Problem;
  ListProjectsQuery: ListProjectsQuery;
  ListArtboardsQuery: ListArtboardsQuery;
  ListObjectsQuery: ListObjectsQuery;
  ListPopupsQuery: ListPopupsQuery;
  ListDataSourcesQuery: ListDataSourcesQuery;
  ListVariablesQuery: ListVariablesQuery;
  ListActionsQuery: ListActionsQuery;
}

export interface RequestHeaders {
  /** Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
  'If-Match'?: string;
  /** Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
  'If-None-Match'?: string;
  /** Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
  'Idempotency-Key'?: string;
  /** Go on after the event that had this id */
  'Last-Event-ID'?: string;
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
}

export type WithRequired<T, K extends keyof T> = T & { [P in K]-?: T[P] };

export interface Content<Body, Type extends string> {
  content: { [Name in Type]: Body };
}
/** A problem can be the response to every operation. */
export interface Refusal {
  default: { headers: { [name: string]: unknown } } & Content<Problem, 'application/problem+json'>;
}
export type Answer<Status extends number, Body, Type extends string> = Refusal & {
  [Each in Status]: { headers: { [name: string]: unknown } } & Content<Body, Type>;
};
export type Done<Status extends number> = Refusal & {
  [Each in Status]: { headers: { [name: string]: unknown }; content?: never };
};

export interface Operations<S extends Record<keyof Schemas, unknown> = Schemas> {
  listProjects: {
    parameters: {
      query?: S['ListProjectsQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path?: never;
    };
    requestBody?: never;
    responses: Answer<200, S['Project'][], 'application/json'>;
  };
  createProject: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path?: never;
    };
    requestBody: Content<S['ProjectCreate'], 'application/json'>;
    responses: Answer<200, S['Project'], 'application/json'>;
  };
  getProject: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Project'], 'application/json'>;
  };
  updateProject: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['ProjectUpdate'], 'application/json'>;
    responses: Answer<200, S['Project'], 'application/json'>;
  };
  deleteProject: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  listArtboards: {
    parameters: {
      query?: S['ListArtboardsQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Artboard'][], 'application/json'>;
  };
  createArtboard: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['ArtboardCreate'], 'application/json'>;
    responses: Answer<200, S['Artboard'], 'application/json'>;
  };
  getArtboard: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Artboard'], 'application/json'>;
  };
  updateArtboard: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id'>;
    };
    requestBody: Content<S['ArtboardUpdate'], 'application/json'>;
    responses: Answer<200, S['Artboard'], 'application/json'>;
  };
  deleteArtboard: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  listObjects: {
    parameters: {
      query?: S['ListObjectsQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Object'][], 'application/json'>;
  };
  createObject: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id'>;
    };
    requestBody: Content<S['ObjectCreate'], 'application/json'>;
    responses: Answer<200, S['Object'], 'application/json'>;
  };
  getObject: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id' | 'object_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Object'], 'application/json'>;
  };
  updateObject: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id' | 'object_id'>;
    };
    requestBody: Content<S['ObjectUpdate'], 'application/json'>;
    responses: Answer<200, S['Object'], 'application/json'>;
  };
  deleteObject: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'artboard_id' | 'object_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  listPopups: {
    parameters: {
      query?: S['ListPopupsQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Popup'][], 'application/json'>;
  };
  createPopup: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['PopupCreate'], 'application/json'>;
    responses: Answer<200, S['Popup'], 'application/json'>;
  };
  getPopup: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'popup_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Popup'], 'application/json'>;
  };
  updatePopup: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'popup_id'>;
    };
    requestBody: Content<S['PopupUpdate'], 'application/json'>;
    responses: Answer<200, S['Popup'], 'application/json'>;
  };
  deletePopup: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'popup_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  listDataSources: {
    parameters: {
      query?: S['ListDataSourcesQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['DataSource'][], 'application/json'>;
  };
  createDataSource: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['DataSourceCreate'], 'application/json'>;
    responses: Answer<200, S['DataSource'], 'application/json'>;
  };
  getDataSource: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'data_source_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['DataSource'], 'application/json'>;
  };
  updateDataSource: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'data_source_id'>;
    };
    requestBody: Content<S['DataSourceUpdate'], 'application/json'>;
    responses: Answer<200, S['DataSource'], 'application/json'>;
  };
  deleteDataSource: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'data_source_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  listVariables: {
    parameters: {
      query?: S['ListVariablesQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Variable'][], 'application/json'>;
  };
  createVariable: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['VariableCreate'], 'application/json'>;
    responses: Answer<200, S['Variable'], 'application/json'>;
  };
  getVariable: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'variable_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Variable'], 'application/json'>;
  };
  updateVariable: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'variable_id'>;
    };
    requestBody: Content<S['VariableUpdate'], 'application/json'>;
    responses: Answer<200, S['Variable'], 'application/json'>;
  };
  deleteVariable: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'variable_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  listActions: {
    parameters: {
      query?: S['ListActionsQuery'];
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Action'][], 'application/json'>;
  };
  createAction: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['ActionCreate'], 'application/json'>;
    responses: Answer<200, S['Action'], 'application/json'>;
  };
  getAction: {
    parameters: {
      query?: {
        /** Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
        fields?: string;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'action_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['Action'], 'application/json'>;
  };
  updateAction: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'action_id'>;
    };
    requestBody: Content<S['ActionUpdate'], 'application/json'>;
    responses: Answer<200, S['Action'], 'application/json'>;
  };
  deleteAction: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id' | 'action_id'>;
    };
    requestBody?: never;
    responses: Done<204>;
  };
  batch: {
    parameters: {
      query?: {
        /** Refuse what would leave a reference dangling that was not before */
        strict?: boolean;
      };
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody: Content<S['Batch'], 'application/json'>;
    responses: Answer<200, S['BatchResults'], 'application/json'>;
  };
  listProblems: {
    parameters: {
      query?: {
        /** How many at most; 1000 without it */
        limit?: number;
      };
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['DanglingReference'][], 'application/json'>;
  };
  duplicateProject: {
    parameters: {
      query?: never;
      header?: Pick<RequestHeaders, 'Idempotency-Key' | 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: Content<S['Duplication'], 'application/json'>;
    responses: Answer<200, S['Project'], 'application/json'>;
  };
  exportProject: {
    parameters: {
      query?: never;
      header?: Pick<RequestHeaders, 'If-Match' | 'If-None-Match'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, S['ProjectDocument'], 'application/json'>;
  };
  importProject: {
    parameters: {
      query?: never;
      header?: Pick<RequestHeaders, 'Idempotency-Key'>;
      path?: never;
    };
    requestBody: Content<S['ProjectDocumentImport'], 'application/json'>;
    responses: Answer<200, S['Project'], 'application/json'>;
  };
  followEvents: {
    parameters: {
      query?: {
        /** The id of the last event that is known, or an ETag without its quotation marks */
        after?: string;
      };
      header?: Pick<RequestHeaders, 'Last-Event-ID'>;
      path?: never;
    };
    requestBody?: never;
    responses: Answer<200, string, 'text/event-stream'>;
  };
  followProjectEvents: {
    parameters: {
      query?: {
        /** The id of the last event that is known, or an ETag without its quotation marks */
        after?: string;
      };
      header?: Pick<RequestHeaders, 'Last-Event-ID'>;
      path: Pick<PathNames, 'project_id'>;
    };
    requestBody?: never;
    responses: Answer<200, string, 'text/event-stream'>;
  };
}

export interface Paths<O extends Record<keyof Operations, unknown> = Operations> {
  '/projects': {
    /** List projects */
    get: O['listProjects'];
    /** Create a project */
    post: O['createProject'];
  };
  '/projects/{project_id}': {
    /** Get a project */
    get: O['getProject'];
    /** Change members of a project */
    patch: O['updateProject'];
    /** Delete a project */
    delete: O['deleteProject'];
  };
  '/projects/{project_id}/artboards': {
    /** List artboards */
    get: O['listArtboards'];
    /** Create an artboard */
    post: O['createArtboard'];
  };
  '/projects/{project_id}/artboards/{artboard_id}': {
    /** Get an artboard */
    get: O['getArtboard'];
    /** Change members of an artboard */
    patch: O['updateArtboard'];
    /** Delete an artboard */
    delete: O['deleteArtboard'];
  };
  '/projects/{project_id}/artboards/{artboard_id}/objects': {
    /** List objects */
    get: O['listObjects'];
    /** Create an object */
    post: O['createObject'];
  };
  '/projects/{project_id}/artboards/{artboard_id}/objects/{object_id}': {
    /** Get an object */
    get: O['getObject'];
    /** Change members of an object */
    patch: O['updateObject'];
    /** Delete an object */
    delete: O['deleteObject'];
  };
  '/projects/{project_id}/popups': {
    /** List popups */
    get: O['listPopups'];
    /** Create a popup */
    post: O['createPopup'];
  };
  '/projects/{project_id}/popups/{popup_id}': {
    /** Get a popup */
    get: O['getPopup'];
    /** Change members of a popup */
    patch: O['updatePopup'];
    /** Delete a popup */
    delete: O['deletePopup'];
  };
  '/projects/{project_id}/data-sources': {
    /** List data sources */
    get: O['listDataSources'];
    /** Create a data source */
    post: O['createDataSource'];
  };
  '/projects/{project_id}/data-sources/{data_source_id}': {
    /** Get a data source */
    get: O['getDataSource'];
    /** Change members of a data source */
    patch: O['updateDataSource'];
    /** Delete a data source */
    delete: O['deleteDataSource'];
  };
  '/projects/{project_id}/variables': {
    /** List variables */
    get: O['listVariables'];
    /** Create a variable */
    post: O['createVariable'];
  };
  '/projects/{project_id}/variables/{variable_id}': {
    /** Get a variable */
    get: O['getVariable'];
    /** Change members of a variable */
    patch: O['updateVariable'];
    /** Delete a variable */
    delete: O['deleteVariable'];
  };
  '/projects/{project_id}/actions': {
    /** List actions */
    get: O['listActions'];
    /** Create an action */
    post: O['createAction'];
  };
  '/projects/{project_id}/actions/{action_id}': {
    /** Get an action */
    get: O['getAction'];
    /** Change members of an action */
    patch: O['updateAction'];
    /** Delete an action */
    delete: O['deleteAction'];
  };
  '/projects/{project_id}/batch': {
    /** Make several changes as one */
    post: O['batch'];
  };
  '/projects/{project_id}/problems': {
    /** List references that point at nothing */
    get: O['listProblems'];
  };
  '/projects/{project_id}/duplicate': {
    /** Make a copy of a project */
    post: O['duplicateProject'];
  };
  '/projects/{project_id}/export': {
    /** Get a project as a document */
    get: O['exportProject'];
  };
  '/projects/import': {
    /** Make a project from a document */
    post: O['importProject'];
  };
  '/events': {
    /** Follow the changes of all projects */
    get: O['followEvents'];
  };
  '/projects/{project_id}/events': {
    /** Follow the changes of a project */
    get: O['followProjectEvents'];
  };
}
