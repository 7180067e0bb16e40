/**
 * The API as types (contract). Generated from the description of the API by `npm run client`: not to be changed by hand.
 *
 * Description: 44218a1692bdbcbdca07117b8b60b20dc51edf0e4981678338f2794c3ecf8408
 */

export interface paths {
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** Get a project */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /** Delete a project */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /** Change members of a project */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/projects/{project_id}/artboards": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** List artboards */
        get: operations["listArtboards"];
        put?: never;
        /** Create an artboard */
        post: operations["createArtboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/artboards/{artboard_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        /** Get an artboard */
        get: operations["getArtboard"];
        put?: never;
        post?: never;
        /** Delete an artboard */
        delete: operations["deleteArtboard"];
        options?: never;
        head?: never;
        /** Change members of an artboard */
        patch: operations["updateArtboard"];
        trace?: never;
    };
    "/projects/{project_id}/artboards/{artboard_id}/objects": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        /** List objects */
        get: operations["listObjects"];
        put?: never;
        /** Create an object */
        post: operations["createObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/artboards/{artboard_id}/objects/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
                /** @description Identifier of the object */
                object_id: string;
            };
            cookie?: never;
        };
        /** Get an object */
        get: operations["getObject"];
        put?: never;
        post?: never;
        /** Delete an object */
        delete: operations["deleteObject"];
        options?: never;
        head?: never;
        /** Change members of an object */
        patch: operations["updateObject"];
        trace?: never;
    };
    "/projects/{project_id}/popups": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** List popups */
        get: operations["listPopups"];
        put?: never;
        /** Create a popup */
        post: operations["createPopup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/popups/{popup_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the popup */
                popup_id: string;
            };
            cookie?: never;
        };
        /** Get a popup */
        get: operations["getPopup"];
        put?: never;
        post?: never;
        /** Delete a popup */
        delete: operations["deletePopup"];
        options?: never;
        head?: never;
        /** Change members of a popup */
        patch: operations["updatePopup"];
        trace?: never;
    };
    "/projects/{project_id}/data-sources": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** List data sources */
        get: operations["listDataSources"];
        put?: never;
        /** Create a data source */
        post: operations["createDataSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/data-sources/{data_source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the data source */
                data_source_id: string;
            };
            cookie?: never;
        };
        /** Get a data source */
        get: operations["getDataSource"];
        put?: never;
        post?: never;
        /** Delete a data source */
        delete: operations["deleteDataSource"];
        options?: never;
        head?: never;
        /** Change members of a data source */
        patch: operations["updateDataSource"];
        trace?: never;
    };
    "/projects/{project_id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** List variables */
        get: operations["listVariables"];
        put?: never;
        /** Create a variable */
        post: operations["createVariable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/variables/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the variable */
                variable_id: string;
            };
            cookie?: never;
        };
        /** Get a variable */
        get: operations["getVariable"];
        put?: never;
        post?: never;
        /** Delete a variable */
        delete: operations["deleteVariable"];
        options?: never;
        head?: never;
        /** Change members of a variable */
        patch: operations["updateVariable"];
        trace?: never;
    };
    "/projects/{project_id}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** List actions */
        get: operations["listActions"];
        put?: never;
        /** Create an action */
        post: operations["createAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/actions/{action_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the action */
                action_id: string;
            };
            cookie?: never;
        };
        /** Get an action */
        get: operations["getAction"];
        put?: never;
        post?: never;
        /** Delete an action */
        delete: operations["deleteAction"];
        options?: never;
        head?: never;
        /** Change members of an action */
        patch: operations["updateAction"];
        trace?: never;
    };
    "/projects/{project_id}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make several changes as one
         * @description Up to 1000 operations, in their order, each on what the ones before it left. All of them are made, or none: a refusal carries the `index` of the one that it is about. The result of `PATCH /` is the project without its collections. All results together may be 16 MiB (`--batch-results-mb`); beyond that the batch is refused with 413, and nothing is changed.
         */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /** List references that point at nothing */
        get: operations["listProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a copy of a project
         * @description Everything in it, in the same order, with identifiers of its own; references among its members follow them.
         */
        post: operations["duplicateProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a project as a document
         * @description Everything in the project at one moment, to be kept or imported elsewhere. No secrets are in it.
         */
        get: operations["exportProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a project from a document
         * @description Makes a new project of a document that was exported, here or elsewhere: with identifiers of its own throughout, and references that follow them. All of it is there, or none. The document may have 256 MiB (`--import-mb`). What the server holds of it while it reads, about what the project takes as it is stored and 230 bytes for each identifier, may be 128 MiB (half of `--bodies-mb`, and at most a sixteenth of `--memory-mb`). Beyond either limit the answer is 413, with the limit of this server; 429 and 503 mean that the same document may be accepted later.
         */
        post: operations["importProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the changes of all projects
         * @description A stream of events (`text/event-stream`), one for each durable change, in the order of the changes. The name of an event has
         *     its kind and its action: `object.updated`, `popup.deleted`, `artboard.reordered`. The last event of a change has an `id`. A client that
         *     reconnects with it (`Last-Event-ID`, or `?after=`) continues after that change, without gaps or duplicates. Without one, the stream starts
         *     with the next change. `reset` means that the log does not reach back so far: read everything again, and continue from its `id`.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Follow the changes of a project
         * @description A stream of events (`text/event-stream`), one for each durable change, in the order of the changes. The name of an event has
         *     its kind and its action: `object.updated`, `popup.deleted`, `artboard.reordered`. The last event of a change has an `id`. A client that
         *     reconnects with it (`Last-Event-ID`, or `?after=`) continues after that change, without gaps or duplicates. Without one, the stream starts
         *     with the next change. `reset` means that the log does not reach back so far: read everything again, and continue from its `id`.
         */
        get: operations["followProjectEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Artboard
         * @description Objects on a background: a colour, an image or a map.
         */
        Artboard: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /**
             * @description Display name
             * @default Untitled Artboard
             */
            name: string;
            /**
             * @description Background: a colour, an image, or an OpenStreetMap map
             * @default color
             * @enum {string}
             */
            type: "color" | "image" | "osm";
            /**
             * @description Public address for embedding
             * @default
             */
            embedding_url: string;
            /**
             * @description Background of type "image"
             * @default
             */
            image_url: string;
            /**
             * @description Pixels
             * @default 800
             */
            width: number;
            /**
             * @description Pixels
             * @default 600
             */
            height: number;
            /**
             * @description Background of type "color"
             * @default #ffffff
             */
            bg_color: string;
            /**
             * @description Latitude of the centre, for type "osm"
             * @default 0
             */
            osm_lat: number;
            /**
             * @description Longitude of the centre, for type "osm"
             * @default 0
             */
            osm_lng: number;
            /**
             * @description Zoom level, for type "osm"
             * @default 1
             */
            osm_zoom: number;
            /**
             * @description Spots and polygons on the artboard
             * @default []
             */
            objects: components["schemas"]["Object"][];
        };
        /**
         * ArtboardCreate
         * @description A new artboard; what is left out takes its default.
         */
        ArtboardCreate: {
            /**
             * @description Display name
             * @default Untitled Artboard
             */
            name?: string;
            /**
             * @description Background: a colour, an image, or an OpenStreetMap map
             * @default color
             * @enum {string}
             */
            type?: "color" | "image" | "osm";
            /**
             * @description Public address for embedding
             * @default
             */
            embedding_url?: string;
            /**
             * @description Background of type "image"
             * @default
             */
            image_url?: string;
            /**
             * @description Pixels
             * @default 800
             */
            width?: number;
            /**
             * @description Pixels
             * @default 600
             */
            height?: number;
            /**
             * @description Background of type "color"
             * @default #ffffff
             */
            bg_color?: string;
            /**
             * @description Latitude of the centre, for type "osm"
             * @default 0
             */
            osm_lat?: number;
            /**
             * @description Longitude of the centre, for type "osm"
             * @default 0
             */
            osm_lng?: number;
            /**
             * @description Zoom level, for type "osm"
             * @default 1
             */
            osm_zoom?: number;
            /**
             * @description Spots and polygons on the artboard
             * @default []
             */
            objects?: components["schemas"]["ObjectCreate"][];
        };
        /**
         * ArtboardUpdate
         * @description What is to change of an artboard; what is left out stays as it is.
         */
        ArtboardUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /** @description Display name */
            name?: string;
            /**
             * @description Background: a colour, an image, or an OpenStreetMap map
             * @enum {string}
             */
            type?: "color" | "image" | "osm";
            /** @description Public address for embedding */
            embedding_url?: string;
            /** @description Background of type "image" */
            image_url?: string;
            /** @description Pixels */
            width?: number;
            /** @description Pixels */
            height?: number;
            /** @description Background of type "color" */
            bg_color?: string;
            /** @description Latitude of the centre, for type "osm" */
            osm_lat?: number;
            /** @description Longitude of the centre, for type "osm" */
            osm_lng?: number;
            /** @description Zoom level, for type "osm" */
            osm_zoom?: number;
            /** @description Spots and polygons on the artboard, all of them: those with an id stay, without one they are new, those left out are deleted */
            objects?: (WithRequired<components["schemas"]["ObjectUpdate"], "id"> | components["schemas"]["ObjectCreate"])[];
        };
        /**
         * ArtboardImport
         * @description An artboard as it was exported; what is left out takes its default.
         */
        ArtboardImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /**
             * @description Display name
             * @default Untitled Artboard
             */
            name?: string;
            /**
             * @description Background: a colour, an image, or an OpenStreetMap map
             * @default color
             * @enum {string}
             */
            type?: "color" | "image" | "osm";
            /**
             * @description Public address for embedding
             * @default
             */
            embedding_url?: string;
            /**
             * @description Background of type "image"
             * @default
             */
            image_url?: string;
            /**
             * @description Pixels
             * @default 800
             */
            width?: number;
            /**
             * @description Pixels
             * @default 600
             */
            height?: number;
            /**
             * @description Background of type "color"
             * @default #ffffff
             */
            bg_color?: string;
            /**
             * @description Latitude of the centre, for type "osm"
             * @default 0
             */
            osm_lat?: number;
            /**
             * @description Longitude of the centre, for type "osm"
             * @default 0
             */
            osm_lng?: number;
            /**
             * @description Zoom level, for type "osm"
             * @default 1
             */
            osm_zoom?: number;
            /**
             * @description Spots and polygons on the artboard
             * @default []
             */
            objects?: components["schemas"]["ObjectImport"][];
        };
        /**
         * Object
         * @description A spot or a polygon on an artboard.
         */
        Object: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /**
             * @description Display name
             * @default Untitled Object
             */
            name: string;
            /**
             * @description A circle around x and y, or a polygon with its corners in coords
             * @enum {string}
             */
            type: "spot" | "poly";
            /**
             * @description Effect of a click
             * @default none
             * @enum {string}
             */
            click_action: "none" | "follow-link" | "change-artboard";
            /**
             * @description For "follow-link"
             * @default false
             */
            open_link_in_new_tab: boolean;
            /**
             * @description Target of "follow-link"
             * @default
             */
            click_action_url: string;
            /**
             * @description Artboard that "change-artboard" shows
             * @default
             */
            click_action_artboard_id: string;
            /**
             * @description Centre of a spot
             * @default 0
             */
            x: number;
            /**
             * @description Centre of a spot
             * @default 0
             */
            y: number;
            /**
             * @description Corners of a polygon, in pixels of the artboard: 50,000 at most
             * @default []
             */
            coords: {
                x: number;
                y: number;
            }[];
            /**
             * @description Radius of a spot
             * @default 20
             */
            radius: number;
            /**
             * @description Show the pin marker
             * @default true
             */
            pin: boolean;
            /**
             * @description Fill
             * @default #3b82f6
             */
            color: string;
            /**
             * @description Opacity of the fill; 1 is opaque
             * @default 1
             */
            opacity: number;
            /**
             * @description Outline
             * @default #000000
             */
            stroke_color: string;
            /**
             * @description Width of the outline, in pixels
             * @default 0
             */
            stroke_width: number;
            /**
             * @description Opacity of the outline
             * @default 1
             */
            stroke_opacity: number;
            /**
             * @description Fill while the pointer is over it
             * @default #000000
             */
            hover_color: string;
            /**
             * @description Opacity of the fill while the pointer is over it
             * @default 0.5
             */
            hover_opacity: number;
            /**
             * @description Outline while the pointer is over it
             * @default #000000
             */
            hover_stroke_color: string;
            /**
             * @description Width of the outline while the pointer is over it
             * @default 0
             */
            hover_stroke_width: number;
            /**
             * @description Opacity of the outline while the pointer is over it
             * @default 1
             */
            hover_stroke_opacity: number;
            /**
             * @description How its colours blend with the background
             * @default normal
             * @enum {string}
             */
            blend_mode: "inherit" | "normal" | "add" | "multiply" | "screen" | "darken" | "lighten" | "erase" | "color-dodge" | "color-burn" | "linear-burn" | "linear-dodge" | "linear-light" | "hard-light" | "soft-light" | "pin-light" | "difference" | "exclusion" | "overlay" | "saturation" | "color" | "luminosity" | "normal-npm" | "add-npm" | "screen-npm" | "none" | "subtract" | "divide" | "vivid-light" | "hard-mix" | "negation" | "min" | "max";
        };
        /**
         * ObjectCreate
         * @description A new object; what is left out takes its default.
         */
        ObjectCreate: {
            /**
             * @description Display name
             * @default Untitled Object
             */
            name?: string;
            /**
             * @description A circle around x and y, or a polygon with its corners in coords
             * @enum {string}
             */
            type: "spot" | "poly";
            /**
             * @description Effect of a click
             * @default none
             * @enum {string}
             */
            click_action?: "none" | "follow-link" | "change-artboard";
            /**
             * @description For "follow-link"
             * @default false
             */
            open_link_in_new_tab?: boolean;
            /**
             * @description Target of "follow-link"
             * @default
             */
            click_action_url?: string;
            /**
             * @description Artboard that "change-artboard" shows
             * @default
             */
            click_action_artboard_id?: string;
            /**
             * @description Centre of a spot
             * @default 0
             */
            x?: number;
            /**
             * @description Centre of a spot
             * @default 0
             */
            y?: number;
            /**
             * @description Corners of a polygon, in pixels of the artboard: 50,000 at most
             * @default []
             */
            coords?: {
                x: number;
                y: number;
            }[];
            /**
             * @description Radius of a spot
             * @default 20
             */
            radius?: number;
            /**
             * @description Show the pin marker
             * @default true
             */
            pin?: boolean;
            /**
             * @description Fill
             * @default #3b82f6
             */
            color?: string;
            /**
             * @description Opacity of the fill; 1 is opaque
             * @default 1
             */
            opacity?: number;
            /**
             * @description Outline
             * @default #000000
             */
            stroke_color?: string;
            /**
             * @description Width of the outline, in pixels
             * @default 0
             */
            stroke_width?: number;
            /**
             * @description Opacity of the outline
             * @default 1
             */
            stroke_opacity?: number;
            /**
             * @description Fill while the pointer is over it
             * @default #000000
             */
            hover_color?: string;
            /**
             * @description Opacity of the fill while the pointer is over it
             * @default 0.5
             */
            hover_opacity?: number;
            /**
             * @description Outline while the pointer is over it
             * @default #000000
             */
            hover_stroke_color?: string;
            /**
             * @description Width of the outline while the pointer is over it
             * @default 0
             */
            hover_stroke_width?: number;
            /**
             * @description Opacity of the outline while the pointer is over it
             * @default 1
             */
            hover_stroke_opacity?: number;
            /**
             * @description How its colours blend with the background
             * @default normal
             * @enum {string}
             */
            blend_mode?: "inherit" | "normal" | "add" | "multiply" | "screen" | "darken" | "lighten" | "erase" | "color-dodge" | "color-burn" | "linear-burn" | "linear-dodge" | "linear-light" | "hard-light" | "soft-light" | "pin-light" | "difference" | "exclusion" | "overlay" | "saturation" | "color" | "luminosity" | "normal-npm" | "add-npm" | "screen-npm" | "none" | "subtract" | "divide" | "vivid-light" | "hard-mix" | "negation" | "min" | "max";
        };
        /**
         * ObjectUpdate
         * @description What is to change of an object; what is left out stays as it is.
         */
        ObjectUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /** @description Display name */
            name?: string;
            /**
             * @description A circle around x and y, or a polygon with its corners in coords
             * @enum {string}
             */
            type?: "spot" | "poly";
            /**
             * @description Effect of a click
             * @enum {string}
             */
            click_action?: "none" | "follow-link" | "change-artboard";
            /** @description For "follow-link" */
            open_link_in_new_tab?: boolean;
            /** @description Target of "follow-link" */
            click_action_url?: string;
            /** @description Artboard that "change-artboard" shows */
            click_action_artboard_id?: string;
            /** @description Centre of a spot */
            x?: number;
            /** @description Centre of a spot */
            y?: number;
            /** @description Corners of a polygon, in pixels of the artboard: 50,000 at most */
            coords?: {
                x: number;
                y: number;
            }[];
            /** @description Radius of a spot */
            radius?: number;
            /** @description Show the pin marker */
            pin?: boolean;
            /** @description Fill */
            color?: string;
            /** @description Opacity of the fill; 1 is opaque */
            opacity?: number;
            /** @description Outline */
            stroke_color?: string;
            /** @description Width of the outline, in pixels */
            stroke_width?: number;
            /** @description Opacity of the outline */
            stroke_opacity?: number;
            /** @description Fill while the pointer is over it */
            hover_color?: string;
            /** @description Opacity of the fill while the pointer is over it */
            hover_opacity?: number;
            /** @description Outline while the pointer is over it */
            hover_stroke_color?: string;
            /** @description Width of the outline while the pointer is over it */
            hover_stroke_width?: number;
            /** @description Opacity of the outline while the pointer is over it */
            hover_stroke_opacity?: number;
            /**
             * @description How its colours blend with the background
             * @enum {string}
             */
            blend_mode?: "inherit" | "normal" | "add" | "multiply" | "screen" | "darken" | "lighten" | "erase" | "color-dodge" | "color-burn" | "linear-burn" | "linear-dodge" | "linear-light" | "hard-light" | "soft-light" | "pin-light" | "difference" | "exclusion" | "overlay" | "saturation" | "color" | "luminosity" | "normal-npm" | "add-npm" | "screen-npm" | "none" | "subtract" | "divide" | "vivid-light" | "hard-mix" | "negation" | "min" | "max";
        };
        /**
         * ObjectImport
         * @description An object as it was exported; what is left out takes its default.
         */
        ObjectImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /**
             * @description Display name
             * @default Untitled Object
             */
            name?: string;
            /**
             * @description A circle around x and y, or a polygon with its corners in coords
             * @enum {string}
             */
            type: "spot" | "poly";
            /**
             * @description Effect of a click
             * @default none
             * @enum {string}
             */
            click_action?: "none" | "follow-link" | "change-artboard";
            /**
             * @description For "follow-link"
             * @default false
             */
            open_link_in_new_tab?: boolean;
            /**
             * @description Target of "follow-link"
             * @default
             */
            click_action_url?: string;
            /**
             * @description Artboard that "change-artboard" shows
             * @default
             */
            click_action_artboard_id?: string;
            /**
             * @description Centre of a spot
             * @default 0
             */
            x?: number;
            /**
             * @description Centre of a spot
             * @default 0
             */
            y?: number;
            /**
             * @description Corners of a polygon, in pixels of the artboard: 50,000 at most
             * @default []
             */
            coords?: {
                x: number;
                y: number;
            }[];
            /**
             * @description Radius of a spot
             * @default 20
             */
            radius?: number;
            /**
             * @description Show the pin marker
             * @default true
             */
            pin?: boolean;
            /**
             * @description Fill
             * @default #3b82f6
             */
            color?: string;
            /**
             * @description Opacity of the fill; 1 is opaque
             * @default 1
             */
            opacity?: number;
            /**
             * @description Outline
             * @default #000000
             */
            stroke_color?: string;
            /**
             * @description Width of the outline, in pixels
             * @default 0
             */
            stroke_width?: number;
            /**
             * @description Opacity of the outline
             * @default 1
             */
            stroke_opacity?: number;
            /**
             * @description Fill while the pointer is over it
             * @default #000000
             */
            hover_color?: string;
            /**
             * @description Opacity of the fill while the pointer is over it
             * @default 0.5
             */
            hover_opacity?: number;
            /**
             * @description Outline while the pointer is over it
             * @default #000000
             */
            hover_stroke_color?: string;
            /**
             * @description Width of the outline while the pointer is over it
             * @default 0
             */
            hover_stroke_width?: number;
            /**
             * @description Opacity of the outline while the pointer is over it
             * @default 1
             */
            hover_stroke_opacity?: number;
            /**
             * @description How its colours blend with the background
             * @default normal
             * @enum {string}
             */
            blend_mode?: "inherit" | "normal" | "add" | "multiply" | "screen" | "darken" | "lighten" | "erase" | "color-dodge" | "color-burn" | "linear-burn" | "linear-dodge" | "linear-light" | "hard-light" | "soft-light" | "pin-light" | "difference" | "exclusion" | "overlay" | "saturation" | "color" | "luminosity" | "normal-npm" | "add-npm" | "screen-npm" | "none" | "subtract" | "divide" | "vivid-light" | "hard-mix" | "negation" | "min" | "max";
        };
        /**
         * Popup
         * @description Opens at an object. Its members are camelCase; those of all other resources are snake_case.
         */
        Popup: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /**
             * @description Display name
             * @default Untitled Popup
             */
            name: string;
            /**
             * @description Identifier of the object it is attached to
             * @default
             */
            attachedTo: string;
            /**
             * @description Pixels
             * @default 500
             */
            maxWidth: number;
            /**
             * @description Heading
             * @default
             */
            title: string;
            /**
             * @description Image URL
             * @default
             */
            image: string;
            /**
             * @description HTML or text
             * @default
             */
            content: string;
            /**
             * @description Label of the button
             * @default
             */
            buttonText: string;
            /**
             * @description Effect of the button
             * @default follow-link
             * @enum {string}
             */
            buttonAction: "follow-link" | "none";
            /**
             * @description Target of "follow-link"
             * @default
             */
            buttonLink: string;
            /**
             * @description For "follow-link"
             * @default false
             */
            openLinkInNewTab: boolean;
        };
        /**
         * PopupCreate
         * @description A new popup; what is left out takes its default.
         */
        PopupCreate: {
            /**
             * @description Display name
             * @default Untitled Popup
             */
            name?: string;
            /**
             * @description Identifier of the object it is attached to
             * @default
             */
            attachedTo?: string;
            /**
             * @description Pixels
             * @default 500
             */
            maxWidth?: number;
            /**
             * @description Heading
             * @default
             */
            title?: string;
            /**
             * @description Image URL
             * @default
             */
            image?: string;
            /**
             * @description HTML or text
             * @default
             */
            content?: string;
            /**
             * @description Label of the button
             * @default
             */
            buttonText?: string;
            /**
             * @description Effect of the button
             * @default follow-link
             * @enum {string}
             */
            buttonAction?: "follow-link" | "none";
            /**
             * @description Target of "follow-link"
             * @default
             */
            buttonLink?: string;
            /**
             * @description For "follow-link"
             * @default false
             */
            openLinkInNewTab?: boolean;
        };
        /**
         * PopupUpdate
         * @description What is to change of a popup; what is left out stays as it is.
         */
        PopupUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /** @description Display name */
            name?: string;
            /** @description Identifier of the object it is attached to */
            attachedTo?: string;
            /** @description Pixels */
            maxWidth?: number;
            /** @description Heading */
            title?: string;
            /** @description Image URL */
            image?: string;
            /** @description HTML or text */
            content?: string;
            /** @description Label of the button */
            buttonText?: string;
            /**
             * @description Effect of the button
             * @enum {string}
             */
            buttonAction?: "follow-link" | "none";
            /** @description Target of "follow-link" */
            buttonLink?: string;
            /** @description For "follow-link" */
            openLinkInNewTab?: boolean;
        };
        /**
         * PopupImport
         * @description A popup as it was exported; what is left out takes its default.
         */
        PopupImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /**
             * @description Display name
             * @default Untitled Popup
             */
            name?: string;
            /**
             * @description Identifier of the object it is attached to
             * @default
             */
            attachedTo?: string;
            /**
             * @description Pixels
             * @default 500
             */
            maxWidth?: number;
            /**
             * @description Heading
             * @default
             */
            title?: string;
            /**
             * @description Image URL
             * @default
             */
            image?: string;
            /**
             * @description HTML or text
             * @default
             */
            content?: string;
            /**
             * @description Label of the button
             * @default
             */
            buttonText?: string;
            /**
             * @description Effect of the button
             * @default follow-link
             * @enum {string}
             */
            buttonAction?: "follow-link" | "none";
            /**
             * @description Target of "follow-link"
             * @default
             */
            buttonLink?: string;
            /**
             * @description For "follow-link"
             * @default false
             */
            openLinkInNewTab?: boolean;
        };
        /**
         * DataSource
         * @description An HTTP request whose response variables read. The viewer of the map sends it, not this server.
         */
        DataSource: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /**
             * @description Display name
             * @default Untitled Data Source
             */
            name: string;
            /**
             * @description Target URL
             * @default
             */
            url: string;
            /**
             * @description Method of the request
             * @default GET
             * @enum {string}
             */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /**
             * @description Request headers
             * @default []
             */
            headers: {
                [key: string]: unknown;
            }[];
            /**
             * @description Request body, sent unchanged
             * @default
             */
            body: string;
        };
        /**
         * DataSourceCreate
         * @description A new data source; what is left out takes its default.
         */
        DataSourceCreate: {
            /**
             * @description Display name
             * @default Untitled Data Source
             */
            name?: string;
            /**
             * @description Target URL
             * @default
             */
            url?: string;
            /**
             * @description Method of the request
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /**
             * @description Request headers
             * @default []
             */
            headers?: {
                [key: string]: unknown;
            }[];
            /**
             * @description Request body, sent unchanged
             * @default
             */
            body?: string;
        };
        /**
         * DataSourceUpdate
         * @description What is to change of a data source; what is left out stays as it is.
         */
        DataSourceUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /** @description Display name */
            name?: string;
            /** @description Target URL */
            url?: string;
            /**
             * @description Method of the request
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Request headers */
            headers?: {
                [key: string]: unknown;
            }[];
            /** @description Request body, sent unchanged */
            body?: string;
        };
        /**
         * DataSourceImport
         * @description A data source as it was exported; what is left out takes its default.
         */
        DataSourceImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /**
             * @description Display name
             * @default Untitled Data Source
             */
            name?: string;
            /**
             * @description Target URL
             * @default
             */
            url?: string;
            /**
             * @description Method of the request
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /**
             * @description Request headers
             * @default []
             */
            headers?: {
                [key: string]: unknown;
            }[];
            /**
             * @description Request body, sent unchanged
             * @default
             */
            body?: string;
        };
        /**
         * Variable
         * @description A value that styles, positions and other variables use.
         */
        Variable: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /**
             * @description Display name
             * @default Untitled Variable
             */
            name: string;
            /**
             * @description Source of the value
             * @default primitive
             * @enum {string}
             */
            type: "primitive" | "expression" | "interpolate-color" | "iterator" | "primitive-from-iterator" | "coords-from-data-source" | "coords-from-iterator" | "random" | "custom";
            /**
             * @description Identifier of the data source it is taken from
             * @default
             */
            data_source_id: string;
            /**
             * @description Identifier of the iterator variable
             * @default
             */
            iterator_id: string;
            /**
             * @description For "custom"
             * @default
             */
            custom_value: string;
            /**
             * @description For "expression"
             * @default
             */
            expression: string;
            /**
             * @description Path of the value in the data
             * @default {
             *       "nodes": [],
             *       "node_id": "",
             *       "filters": [],
             *       "collapsed_nodes": []
             *     }
             */
            data_path: {
                /** @default [] */
                nodes?: unknown[];
                /** @default  */
                node_id?: string;
                /** @default [] */
                filters?: unknown[];
                /** @default [] */
                collapsed_nodes?: unknown[];
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Factor for the first colour
             * @default 0
             */
            color_interpolation_range_start: number;
            /**
             * @description Factor for the last colour
             * @default 100
             */
            color_interpolation_range_end: number;
            /**
             * @description Variable that is the interpolation factor
             * @default
             */
            color_interpolation_factor_variable_id: string;
            /**
             * @description Colours from the start of the range to its end
             * @default []
             */
            color_interpolation_colors: string[];
            /**
             * @description Blend adjacent colours
             * @default true
             */
            color_interpolation_smooth: boolean;
            /**
             * @description For "random": the minimum
             * @default 0
             */
            random_from: number;
            /**
             * @description For "random": the maximum
             * @default 1
             */
            random_to: number;
        };
        /**
         * VariableCreate
         * @description A new variable; what is left out takes its default.
         */
        VariableCreate: {
            /**
             * @description Display name
             * @default Untitled Variable
             */
            name?: string;
            /**
             * @description Source of the value
             * @default primitive
             * @enum {string}
             */
            type?: "primitive" | "expression" | "interpolate-color" | "iterator" | "primitive-from-iterator" | "coords-from-data-source" | "coords-from-iterator" | "random" | "custom";
            /**
             * @description Identifier of the data source it is taken from
             * @default
             */
            data_source_id?: string;
            /**
             * @description Identifier of the iterator variable
             * @default
             */
            iterator_id?: string;
            /**
             * @description For "custom"
             * @default
             */
            custom_value?: string;
            /**
             * @description For "expression"
             * @default
             */
            expression?: string;
            /**
             * @description Path of the value in the data
             * @default {
             *       "nodes": [],
             *       "node_id": "",
             *       "filters": [],
             *       "collapsed_nodes": []
             *     }
             */
            data_path?: {
                /** @default [] */
                nodes?: unknown[];
                /** @default  */
                node_id?: string;
                /** @default [] */
                filters?: unknown[];
                /** @default [] */
                collapsed_nodes?: unknown[];
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Factor for the first colour
             * @default 0
             */
            color_interpolation_range_start?: number;
            /**
             * @description Factor for the last colour
             * @default 100
             */
            color_interpolation_range_end?: number;
            /**
             * @description Variable that is the interpolation factor
             * @default
             */
            color_interpolation_factor_variable_id?: string;
            /**
             * @description Colours from the start of the range to its end
             * @default []
             */
            color_interpolation_colors?: string[];
            /**
             * @description Blend adjacent colours
             * @default true
             */
            color_interpolation_smooth?: boolean;
            /**
             * @description For "random": the minimum
             * @default 0
             */
            random_from?: number;
            /**
             * @description For "random": the maximum
             * @default 1
             */
            random_to?: number;
        };
        /**
         * VariableUpdate
         * @description What is to change of a variable; what is left out stays as it is.
         */
        VariableUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /** @description Display name */
            name?: string;
            /**
             * @description Source of the value
             * @enum {string}
             */
            type?: "primitive" | "expression" | "interpolate-color" | "iterator" | "primitive-from-iterator" | "coords-from-data-source" | "coords-from-iterator" | "random" | "custom";
            /** @description Identifier of the data source it is taken from */
            data_source_id?: string;
            /** @description Identifier of the iterator variable */
            iterator_id?: string;
            /** @description For "custom" */
            custom_value?: string;
            /** @description For "expression" */
            expression?: string;
            /** @description Path of the value in the data */
            data_path?: {
                /** @default [] */
                nodes?: unknown[];
                /** @default  */
                node_id?: string;
                /** @default [] */
                filters?: unknown[];
                /** @default [] */
                collapsed_nodes?: unknown[];
            } & {
                [key: string]: unknown;
            };
            /** @description Factor for the first colour */
            color_interpolation_range_start?: number;
            /** @description Factor for the last colour */
            color_interpolation_range_end?: number;
            /** @description Variable that is the interpolation factor */
            color_interpolation_factor_variable_id?: string;
            /** @description Colours from the start of the range to its end */
            color_interpolation_colors?: string[];
            /** @description Blend adjacent colours */
            color_interpolation_smooth?: boolean;
            /** @description For "random": the minimum */
            random_from?: number;
            /** @description For "random": the maximum */
            random_to?: number;
        };
        /**
         * VariableImport
         * @description A variable as it was exported; what is left out takes its default.
         */
        VariableImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /**
             * @description Display name
             * @default Untitled Variable
             */
            name?: string;
            /**
             * @description Source of the value
             * @default primitive
             * @enum {string}
             */
            type?: "primitive" | "expression" | "interpolate-color" | "iterator" | "primitive-from-iterator" | "coords-from-data-source" | "coords-from-iterator" | "random" | "custom";
            /**
             * @description Identifier of the data source it is taken from
             * @default
             */
            data_source_id?: string;
            /**
             * @description Identifier of the iterator variable
             * @default
             */
            iterator_id?: string;
            /**
             * @description For "custom"
             * @default
             */
            custom_value?: string;
            /**
             * @description For "expression"
             * @default
             */
            expression?: string;
            /**
             * @description Path of the value in the data
             * @default {
             *       "nodes": [],
             *       "node_id": "",
             *       "filters": [],
             *       "collapsed_nodes": []
             *     }
             */
            data_path?: {
                /** @default [] */
                nodes?: unknown[];
                /** @default  */
                node_id?: string;
                /** @default [] */
                filters?: unknown[];
                /** @default [] */
                collapsed_nodes?: unknown[];
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Factor for the first colour
             * @default 0
             */
            color_interpolation_range_start?: number;
            /**
             * @description Factor for the last colour
             * @default 100
             */
            color_interpolation_range_end?: number;
            /**
             * @description Variable that is the interpolation factor
             * @default
             */
            color_interpolation_factor_variable_id?: string;
            /**
             * @description Colours from the start of the range to its end
             * @default []
             */
            color_interpolation_colors?: string[];
            /**
             * @description Blend adjacent colours
             * @default true
             */
            color_interpolation_smooth?: boolean;
            /**
             * @description For "random": the minimum
             * @default 0
             */
            random_from?: number;
            /**
             * @description For "random": the maximum
             * @default 1
             */
            random_to?: number;
        };
        /**
         * Action
         * @description Changes or creates something when its conditions hold.
         */
        Action: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /**
             * @description Effect of the action
             * @default modify-object
             * @enum {string}
             */
            type: "modify-object" | "create-spot" | "create-poly" | "create-spots" | "create-polys";
            /**
             * @description Display name
             * @default Untitled Action
             */
            name: string;
            /**
             * @description When the action runs
             * @default []
             */
            conditions: {
                [key: string]: unknown;
            }[];
            /**
             * @description Whether all conditions must hold, or one
             * @default and
             * @enum {string}
             */
            condition_operator: "and" | "or";
            /**
             * @description Target of "modify-object"
             * @default
             */
            object_id: string;
            /**
             * @description Artboard on which objects are created
             * @default
             */
            create_object_target_artboard_id: string;
            /**
             * @description Name of created objects
             * @default
             */
            create_object_name: string;
            /**
             * @description Source of x
             * @default custom
             * @enum {string}
             */
            create_spot_x_source_type: "variable" | "custom";
            /**
             * @description For "custom"
             * @default
             */
            create_spot_x_custom_value: string;
            /**
             * @description Variable that contains x
             * @default
             */
            create_spot_x_variable_id: string;
            /**
             * @description Source of y
             * @default custom
             * @enum {string}
             */
            create_spot_y_source_type: "variable" | "custom";
            /**
             * @description For "custom"
             * @default
             */
            create_spot_y_custom_value: string;
            /**
             * @description Variable that contains y
             * @default
             */
            create_spot_y_variable_id: string;
            /**
             * @description Variable that contains the vertices
             * @default
             */
            create_poly_coords_variable_id: string;
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "color",
             *       "type": "current-value"
             *     }
             */
            style_color: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "opacity",
             *       "type": "current-value"
             *     }
             */
            style_opacity: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_color",
             *       "type": "current-value"
             *     }
             */
            style_stroke_color: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_width",
             *       "type": "current-value"
             *     }
             */
            style_stroke_width: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_opacity",
             *       "type": "current-value"
             *     }
             */
            style_stroke_opacity: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_color",
             *       "type": "current-value"
             *     }
             */
            style_hover_color: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_opacity",
             *       "type": "current-value"
             *     }
             */
            style_hover_opacity: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_color",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_color: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_width",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_width: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_opacity",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_opacity: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "blend_mode",
             *       "type": "current-value"
             *     }
             */
            style_blend_mode: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "radius",
             *       "type": "current-value"
             *     }
             */
            style_radius: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "pin",
             *       "type": "current-value"
             *     }
             */
            style_pin: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Create a popup with each created object
             * @default false
             */
            create_popup: boolean;
            /**
             * @description Pixels
             * @default 500
             */
            popup_max_width: number;
            /**
             * @description Heading
             * @default
             */
            popup_title: string;
            /**
             * @description Image URL
             * @default
             */
            popup_image: string;
            /**
             * @description HTML or text
             * @default
             */
            popup_content: string;
            /**
             * @description Label of the button
             * @default
             */
            popup_button_text: string;
            /**
             * @description Effect of the button
             * @default follow-link
             */
            popup_button_action: string;
            /**
             * @description Target of "follow-link"
             * @default
             */
            popup_button_link: string;
            /**
             * @description For "follow-link"
             * @default false
             */
            popup_open_link_in_new_tab: boolean;
        };
        /**
         * ActionCreate
         * @description A new action; what is left out takes its default.
         */
        ActionCreate: {
            /**
             * @description Effect of the action
             * @default modify-object
             * @enum {string}
             */
            type?: "modify-object" | "create-spot" | "create-poly" | "create-spots" | "create-polys";
            /**
             * @description Display name
             * @default Untitled Action
             */
            name?: string;
            /**
             * @description When the action runs
             * @default []
             */
            conditions?: {
                [key: string]: unknown;
            }[];
            /**
             * @description Whether all conditions must hold, or one
             * @default and
             * @enum {string}
             */
            condition_operator?: "and" | "or";
            /**
             * @description Target of "modify-object"
             * @default
             */
            object_id?: string;
            /**
             * @description Artboard on which objects are created
             * @default
             */
            create_object_target_artboard_id?: string;
            /**
             * @description Name of created objects
             * @default
             */
            create_object_name?: string;
            /**
             * @description Source of x
             * @default custom
             * @enum {string}
             */
            create_spot_x_source_type?: "variable" | "custom";
            /**
             * @description For "custom"
             * @default
             */
            create_spot_x_custom_value?: string;
            /**
             * @description Variable that contains x
             * @default
             */
            create_spot_x_variable_id?: string;
            /**
             * @description Source of y
             * @default custom
             * @enum {string}
             */
            create_spot_y_source_type?: "variable" | "custom";
            /**
             * @description For "custom"
             * @default
             */
            create_spot_y_custom_value?: string;
            /**
             * @description Variable that contains y
             * @default
             */
            create_spot_y_variable_id?: string;
            /**
             * @description Variable that contains the vertices
             * @default
             */
            create_poly_coords_variable_id?: string;
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "color",
             *       "type": "current-value"
             *     }
             */
            style_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "opacity",
             *       "type": "current-value"
             *     }
             */
            style_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_color",
             *       "type": "current-value"
             *     }
             */
            style_stroke_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_width",
             *       "type": "current-value"
             *     }
             */
            style_stroke_width?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_opacity",
             *       "type": "current-value"
             *     }
             */
            style_stroke_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_color",
             *       "type": "current-value"
             *     }
             */
            style_hover_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_opacity",
             *       "type": "current-value"
             *     }
             */
            style_hover_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_color",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_width",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_width?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_opacity",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "blend_mode",
             *       "type": "current-value"
             *     }
             */
            style_blend_mode?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "radius",
             *       "type": "current-value"
             *     }
             */
            style_radius?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "pin",
             *       "type": "current-value"
             *     }
             */
            style_pin?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Create a popup with each created object
             * @default false
             */
            create_popup?: boolean;
            /**
             * @description Pixels
             * @default 500
             */
            popup_max_width?: number;
            /**
             * @description Heading
             * @default
             */
            popup_title?: string;
            /**
             * @description Image URL
             * @default
             */
            popup_image?: string;
            /**
             * @description HTML or text
             * @default
             */
            popup_content?: string;
            /**
             * @description Label of the button
             * @default
             */
            popup_button_text?: string;
            /**
             * @description Effect of the button
             * @default follow-link
             */
            popup_button_action?: string;
            /**
             * @description Target of "follow-link"
             * @default
             */
            popup_button_link?: string;
            /**
             * @description For "follow-link"
             * @default false
             */
            popup_open_link_in_new_tab?: boolean;
        };
        /**
         * ActionUpdate
         * @description What is to change of an action; what is left out stays as it is.
         */
        ActionUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /**
             * @description Effect of the action
             * @enum {string}
             */
            type?: "modify-object" | "create-spot" | "create-poly" | "create-spots" | "create-polys";
            /** @description Display name */
            name?: string;
            /** @description When the action runs */
            conditions?: {
                [key: string]: unknown;
            }[];
            /**
             * @description Whether all conditions must hold, or one
             * @enum {string}
             */
            condition_operator?: "and" | "or";
            /** @description Target of "modify-object" */
            object_id?: string;
            /** @description Artboard on which objects are created */
            create_object_target_artboard_id?: string;
            /** @description Name of created objects */
            create_object_name?: string;
            /**
             * @description Source of x
             * @enum {string}
             */
            create_spot_x_source_type?: "variable" | "custom";
            /** @description For "custom" */
            create_spot_x_custom_value?: string;
            /** @description Variable that contains x */
            create_spot_x_variable_id?: string;
            /**
             * @description Source of y
             * @enum {string}
             */
            create_spot_y_source_type?: "variable" | "custom";
            /** @description For "custom" */
            create_spot_y_custom_value?: string;
            /** @description Variable that contains y */
            create_spot_y_variable_id?: string;
            /** @description Variable that contains the vertices */
            create_poly_coords_variable_id?: string;
            /** @description The new value; by default the current value stays */
            style_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_stroke_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_stroke_width?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_stroke_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_hover_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_hover_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_hover_stroke_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_hover_stroke_width?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_hover_stroke_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_blend_mode?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_radius?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The new value; by default the current value stays */
            style_pin?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description Create a popup with each created object */
            create_popup?: boolean;
            /** @description Pixels */
            popup_max_width?: number;
            /** @description Heading */
            popup_title?: string;
            /** @description Image URL */
            popup_image?: string;
            /** @description HTML or text */
            popup_content?: string;
            /** @description Label of the button */
            popup_button_text?: string;
            /** @description Effect of the button */
            popup_button_action?: string;
            /** @description Target of "follow-link" */
            popup_button_link?: string;
            /** @description For "follow-link" */
            popup_open_link_in_new_tab?: boolean;
        };
        /**
         * ActionImport
         * @description An action as it was exported; what is left out takes its default.
         */
        ActionImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /**
             * @description Effect of the action
             * @default modify-object
             * @enum {string}
             */
            type?: "modify-object" | "create-spot" | "create-poly" | "create-spots" | "create-polys";
            /**
             * @description Display name
             * @default Untitled Action
             */
            name?: string;
            /**
             * @description When the action runs
             * @default []
             */
            conditions?: {
                [key: string]: unknown;
            }[];
            /**
             * @description Whether all conditions must hold, or one
             * @default and
             * @enum {string}
             */
            condition_operator?: "and" | "or";
            /**
             * @description Target of "modify-object"
             * @default
             */
            object_id?: string;
            /**
             * @description Artboard on which objects are created
             * @default
             */
            create_object_target_artboard_id?: string;
            /**
             * @description Name of created objects
             * @default
             */
            create_object_name?: string;
            /**
             * @description Source of x
             * @default custom
             * @enum {string}
             */
            create_spot_x_source_type?: "variable" | "custom";
            /**
             * @description For "custom"
             * @default
             */
            create_spot_x_custom_value?: string;
            /**
             * @description Variable that contains x
             * @default
             */
            create_spot_x_variable_id?: string;
            /**
             * @description Source of y
             * @default custom
             * @enum {string}
             */
            create_spot_y_source_type?: "variable" | "custom";
            /**
             * @description For "custom"
             * @default
             */
            create_spot_y_custom_value?: string;
            /**
             * @description Variable that contains y
             * @default
             */
            create_spot_y_variable_id?: string;
            /**
             * @description Variable that contains the vertices
             * @default
             */
            create_poly_coords_variable_id?: string;
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "color",
             *       "type": "current-value"
             *     }
             */
            style_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "opacity",
             *       "type": "current-value"
             *     }
             */
            style_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_color",
             *       "type": "current-value"
             *     }
             */
            style_stroke_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_width",
             *       "type": "current-value"
             *     }
             */
            style_stroke_width?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "stroke_opacity",
             *       "type": "current-value"
             *     }
             */
            style_stroke_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_color",
             *       "type": "current-value"
             *     }
             */
            style_hover_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_opacity",
             *       "type": "current-value"
             *     }
             */
            style_hover_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_color",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_color?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_width",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_width?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "hover_stroke_opacity",
             *       "type": "current-value"
             *     }
             */
            style_hover_stroke_opacity?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "blend_mode",
             *       "type": "current-value"
             *     }
             */
            style_blend_mode?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "radius",
             *       "type": "current-value"
             *     }
             */
            style_radius?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description The new value; by default the current value stays
             * @default {
             *       "name": "pin",
             *       "type": "current-value"
             *     }
             */
            style_pin?: {
                name?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Create a popup with each created object
             * @default false
             */
            create_popup?: boolean;
            /**
             * @description Pixels
             * @default 500
             */
            popup_max_width?: number;
            /**
             * @description Heading
             * @default
             */
            popup_title?: string;
            /**
             * @description Image URL
             * @default
             */
            popup_image?: string;
            /**
             * @description HTML or text
             * @default
             */
            popup_content?: string;
            /**
             * @description Label of the button
             * @default
             */
            popup_button_text?: string;
            /**
             * @description Effect of the button
             * @default follow-link
             */
            popup_button_action?: string;
            /**
             * @description Target of "follow-link"
             * @default
             */
            popup_button_link?: string;
            /**
             * @description For "follow-link"
             * @default false
             */
            popup_open_link_in_new_tab?: boolean;
        };
        /**
         * Project
         * @description A project of an account, with everything in it.
         */
        Project: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /** @description Identifier of the account it belongs to */
            readonly user_id: string;
            /** @description When it was created: RFC 3339, UTC, with milliseconds */
            readonly created: string;
            /**
             * @description Display name
             * @default Untitled Project
             */
            name: string;
            /**
             * @description Thumbnail URL
             * @default
             */
            thumb: string;
            /**
             * @description Artboards with their objects
             * @default []
             */
            artboards: components["schemas"]["Artboard"][];
            /**
             * @description Popups
             * @default []
             */
            popups: components["schemas"]["Popup"][];
            /**
             * @description Data sources
             * @default []
             */
            data_sources: components["schemas"]["DataSource"][];
            /**
             * @description Variables
             * @default []
             */
            variables: components["schemas"]["Variable"][];
            /**
             * @description Actions
             * @default []
             */
            actions: components["schemas"]["Action"][];
            /**
             * @description Any settings that the editor stores with the project
             * @default {}
             */
            settings: {
                [key: string]: unknown;
            };
        };
        /**
         * ProjectCreate
         * @description A new project; what is left out takes its default.
         */
        ProjectCreate: {
            /**
             * @description Display name
             * @default Untitled Project
             */
            name?: string;
            /**
             * @description Thumbnail URL
             * @default
             */
            thumb?: string;
            /**
             * @description Artboards with their objects
             * @default []
             */
            artboards?: components["schemas"]["ArtboardCreate"][];
            /**
             * @description Popups
             * @default []
             */
            popups?: components["schemas"]["PopupCreate"][];
            /**
             * @description Data sources
             * @default []
             */
            data_sources?: components["schemas"]["DataSourceCreate"][];
            /**
             * @description Variables
             * @default []
             */
            variables?: components["schemas"]["VariableCreate"][];
            /**
             * @description Actions
             * @default []
             */
            actions?: components["schemas"]["ActionCreate"][];
            /**
             * @description Any settings that the editor stores with the project
             * @default {}
             */
            settings?: {
                [key: string]: unknown;
            };
        };
        /**
         * ProjectUpdate
         * @description What is to change of a project; what is left out stays as it is.
         */
        ProjectUpdate: {
            /** @description Identifier, made by the server. May be sent with the value that it has */
            id?: string;
            /** @description Identifier of the account it belongs to. May be sent with the value that it has */
            user_id?: string;
            /** @description When it was created: RFC 3339, UTC, with milliseconds. May be sent with the value that it has */
            created?: string;
            /** @description Display name */
            name?: string;
            /** @description Thumbnail URL */
            thumb?: string;
            /** @description Artboards with their objects, all of them: those with an id stay, without one they are new, those left out are deleted */
            artboards?: (WithRequired<components["schemas"]["ArtboardUpdate"], "id"> | components["schemas"]["ArtboardCreate"])[];
            /** @description Popups, all of them: those with an id stay, without one they are new, those left out are deleted */
            popups?: (WithRequired<components["schemas"]["PopupUpdate"], "id"> | components["schemas"]["PopupCreate"])[];
            /** @description Data sources, all of them: those with an id stay, without one they are new, those left out are deleted */
            data_sources?: (WithRequired<components["schemas"]["DataSourceUpdate"], "id"> | components["schemas"]["DataSourceCreate"])[];
            /** @description Variables, all of them: those with an id stay, without one they are new, those left out are deleted */
            variables?: (WithRequired<components["schemas"]["VariableUpdate"], "id"> | components["schemas"]["VariableCreate"])[];
            /** @description Actions, all of them: those with an id stay, without one they are new, those left out are deleted */
            actions?: (WithRequired<components["schemas"]["ActionUpdate"], "id"> | components["schemas"]["ActionCreate"])[];
            /** @description Any settings that the editor stores with the project */
            settings?: {
                [key: string]: unknown;
            };
        };
        /**
         * ProjectImport
         * @description A project as it was exported; what is left out takes its default.
         */
        ProjectImport: {
            /** @description Identifier, made by the server */
            readonly id?: string;
            /** @description Identifier of the account it belongs to */
            readonly user_id?: string;
            /** @description When it was created: RFC 3339, UTC, with milliseconds */
            readonly created?: string;
            /**
             * @description Display name
             * @default Untitled Project
             */
            name?: string;
            /**
             * @description Thumbnail URL
             * @default
             */
            thumb?: string;
            /**
             * @description Artboards with their objects
             * @default []
             */
            artboards?: components["schemas"]["ArtboardImport"][];
            /**
             * @description Popups
             * @default []
             */
            popups?: components["schemas"]["PopupImport"][];
            /**
             * @description Data sources
             * @default []
             */
            data_sources?: components["schemas"]["DataSourceImport"][];
            /**
             * @description Variables
             * @default []
             */
            variables?: components["schemas"]["VariableImport"][];
            /**
             * @description Actions
             * @default []
             */
            actions?: components["schemas"]["ActionImport"][];
            /**
             * @description Any settings that the editor stores with the project
             * @default {}
             */
            settings?: {
                [key: string]: unknown;
            };
        };
        /**
         * Operation
         * @description A request to something in the project.
         */
        Operation: {
            /**
             * @description What to do: create, change or delete
             * @enum {string}
             */
            method: "POST" | "PATCH" | "DELETE";
            /** @description Below the project: "/popups", "/artboards/<id>/objects/<id>"; "/" for the project itself */
            path: string;
            /** @description As of the request by itself; none for a deletion */
            body?: {
                [key: string]: unknown;
            };
            /** @description A name for the result: later paths and references may have it in braces */
            as?: string;
            /** @description As the header If-Match of this operation */
            if_match?: string;
        };
        /**
         * Batch
         * @description Requests that are made together, or not at all.
         */
        Batch: {
            /** @description In the order in which they are made */
            operations: components["schemas"]["Operation"][];
        };
        /**
         * ProjectWithoutCollections
         * @description A project without the collections that it holds.
         */
        ProjectWithoutCollections: {
            /** @description Identifier, made by the server */
            readonly id: string;
            /** @description Identifier of the account it belongs to */
            readonly user_id: string;
            /** @description When it was created: RFC 3339, UTC, with milliseconds */
            readonly created: string;
            /**
             * @description Display name
             * @default Untitled Project
             */
            name: string;
            /**
             * @description Thumbnail URL
             * @default
             */
            thumb: string;
            /**
             * @description Any settings that the editor stores with the project
             * @default {}
             */
            settings: {
                [key: string]: unknown;
            };
        };
        /**
         * BatchResults
         * @description What the operations came to.
         */
        BatchResults: {
            /** @description One for each operation */
            results: {
                /** @description As of the operation by itself: 200, or 204 for a deletion */
                status: number;
                /** @description The resource as the operation left it, a project without its collections; null for a deletion */
                body: components["schemas"]["ProjectWithoutCollections"] | components["schemas"]["Artboard"] | components["schemas"]["Object"] | components["schemas"]["Popup"] | components["schemas"]["DataSource"] | components["schemas"]["Variable"] | components["schemas"]["Action"] | null;
            }[];
        };
        /**
         * DanglingReference
         * @description A reference to a resource that does not exist.
         */
        DanglingReference: {
            /** @description JSON Pointer (RFC 6901) to the reference, from the root of the project */
            pointer: string;
            /** @description The member that has the reference */
            member: string;
            /** @description The resource that has the reference */
            resource: {
                /** @enum {string} */
                kind: "artboard" | "object" | "popup" | "data_source" | "variable" | "action";
                id: string;
                /** @description Path of the resource */
                path: string;
            };
            /** @description The resource that does not exist */
            refers_to: {
                /** @enum {string} */
                kind: "artboard" | "object" | "popup" | "data_source" | "variable" | "action";
                /** @description The value of the reference, shortened if it is very long */
                id: string;
            };
            /** @description The problem in one sentence */
            detail: string;
        };
        /**
         * Duplication
         * @description What the copy is to have of its own.
         */
        Duplication: {
            /** @description Name of the copy; without it, that of the project */
            name?: string;
        };
        /**
         * ProjectDocument
         * @description A project as a file.
         */
        ProjectDocument: {
            /**
             * @description Identifies the document format
             * @constant
             */
            format: "mapwright-project";
            /**
             * @description Version of the format
             * @constant
             */
            version: 1;
            project: components["schemas"]["Project"];
        };
        /**
         * ProjectDocumentImport
         * @description A project as a file.
         */
        ProjectDocumentImport: {
            /**
             * @description Identifies the document format
             * @constant
             */
            format: "mapwright-project";
            /**
             * @description Version of the format
             * @constant
             */
            version: 1;
            project: components["schemas"]["ProjectImport"];
        };
        /**
         * Event
         * @description The data of one event
         */
        Event: {
            /**
             * @description What it is about
             * @enum {string}
             */
            kind: "project" | "artboard" | "object" | "popup" | "data_source" | "variable" | "action";
            /** @description Of the resource; not of a new order */
            id?: string;
            /** @description The project that it is in */
            project_id: string;
            /** @description Of an object */
            artboard_id?: string;
            /** @description Of the project with this change: its ETag without the quotation marks */
            version: string;
            /** @description The resource as it is now, without what it holds; null when it was deleted */
            resource?: {
                [key: string]: unknown;
            } | null;
            /** @description Of a collection in a new order: all identifiers */
            ids?: string[];
        };
        /**
         * Problem
         * @description Why something was refused (RFC 9457)
         */
        Problem: {
            /** @description `urn:mapwright:problem:` and the code */
            type: string;
            /** @description The code in words */
            title: string;
            /** @description The HTTP status */
            status: number;
            /** @description What happened, and what to do about it: for people */
            detail: string;
            /**
             * @description What happened: for programs. These words stay
             * @enum {string}
             */
            code: "bad_request" | "validation_failed" | "unauthorized" | "forbidden" | "quota_exceeded" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "unprocessable" | "too_many_requests" | "headers_too_large" | "internal_error" | "unavailable" | "storage_stalled" | "insufficient_storage";
            /** @description What the log of the server calls this request */
            request_id: string;
            /** @description Of a batch: which operation, from 0 */
            index?: number;
            /** @description What is wrong, each with its place; up to a hundred */
            errors?: {
                /** @description Where: a JSON Pointer (RFC 6901) into the body, or into the project */
                pointer: string;
                /** @description What is wrong there */
                detail: string;
            }[];
        };
    };
    responses: never;
    parameters: {
        /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
        IfMatch: string;
        /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
        IfNoneMatch: string;
        /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
        IdempotencyKey: string;
        /** @description Go on after the event that had this id */
        LastEventId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProjects: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the project is exactly this */
                id?: string;
                /** @description Only where "user_id" of the project is exactly this */
                user_id?: string;
                /** @description Only where "created" of the project is exactly this */
                created?: string;
                /** @description Only where "name" of the project is exactly this */
                name?: string;
                /** @description Only where "thumb" of the project is exactly this */
                thumb?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listArtboards: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the artboard is exactly this */
                id?: string;
                /** @description Only where "name" of the artboard is exactly this */
                name?: string;
                /** @description Only where "type" of the artboard is exactly this */
                type?: "color" | "image" | "osm";
                /** @description Only where "embedding_url" of the artboard is exactly this */
                embedding_url?: string;
                /** @description Only where "image_url" of the artboard is exactly this */
                image_url?: string;
                /** @description Only where "width" of the artboard is exactly this */
                width?: number;
                /** @description Only where "height" of the artboard is exactly this */
                height?: number;
                /** @description Only where "bg_color" of the artboard is exactly this */
                bg_color?: string;
                /** @description Only where "osm_lat" of the artboard is exactly this */
                osm_lat?: number;
                /** @description Only where "osm_lng" of the artboard is exactly this */
                osm_lng?: number;
                /** @description Only where "osm_zoom" of the artboard is exactly this */
                osm_zoom?: number;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artboard"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createArtboard: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArtboardCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artboard"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getArtboard: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artboard"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteArtboard: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateArtboard: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArtboardUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artboard"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listObjects: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the object is exactly this */
                id?: string;
                /** @description Only where "name" of the object is exactly this */
                name?: string;
                /** @description Only where "type" of the object is exactly this */
                type?: "spot" | "poly";
                /** @description Only where "click_action" of the object is exactly this */
                click_action?: "none" | "follow-link" | "change-artboard";
                /** @description Only where "open_link_in_new_tab" of the object is exactly this */
                open_link_in_new_tab?: boolean;
                /** @description Only where "click_action_url" of the object is exactly this */
                click_action_url?: string;
                /** @description Only where "click_action_artboard_id" of the object is exactly this */
                click_action_artboard_id?: string;
                /** @description Only where "x" of the object is exactly this */
                x?: number;
                /** @description Only where "y" of the object is exactly this */
                y?: number;
                /** @description Only where "radius" of the object is exactly this */
                radius?: number;
                /** @description Only where "pin" of the object is exactly this */
                pin?: boolean;
                /** @description Only where "color" of the object is exactly this */
                color?: string;
                /** @description Only where "opacity" of the object is exactly this */
                opacity?: number;
                /** @description Only where "stroke_color" of the object is exactly this */
                stroke_color?: string;
                /** @description Only where "stroke_width" of the object is exactly this */
                stroke_width?: number;
                /** @description Only where "stroke_opacity" of the object is exactly this */
                stroke_opacity?: number;
                /** @description Only where "hover_color" of the object is exactly this */
                hover_color?: string;
                /** @description Only where "hover_opacity" of the object is exactly this */
                hover_opacity?: number;
                /** @description Only where "hover_stroke_color" of the object is exactly this */
                hover_stroke_color?: string;
                /** @description Only where "hover_stroke_width" of the object is exactly this */
                hover_stroke_width?: number;
                /** @description Only where "hover_stroke_opacity" of the object is exactly this */
                hover_stroke_opacity?: number;
                /** @description Only where "blend_mode" of the object is exactly this */
                blend_mode?: "inherit" | "normal" | "add" | "multiply" | "screen" | "darken" | "lighten" | "erase" | "color-dodge" | "color-burn" | "linear-burn" | "linear-dodge" | "linear-light" | "hard-light" | "soft-light" | "pin-light" | "difference" | "exclusion" | "overlay" | "saturation" | "color" | "luminosity" | "normal-npm" | "add-npm" | "screen-npm" | "none" | "subtract" | "divide" | "vivid-light" | "hard-mix" | "negation" | "min" | "max";
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createObject: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getObject: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
                /** @description Identifier of the object */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteObject: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
                /** @description Identifier of the object */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateObject: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the artboard */
                artboard_id: string;
                /** @description Identifier of the object */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Object"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPopups: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the popup is exactly this */
                id?: string;
                /** @description Only where "name" of the popup is exactly this */
                name?: string;
                /** @description Only where "attachedTo" of the popup is exactly this */
                attachedTo?: string;
                /** @description Only where "maxWidth" of the popup is exactly this */
                maxWidth?: number;
                /** @description Only where "title" of the popup is exactly this */
                title?: string;
                /** @description Only where "image" of the popup is exactly this */
                image?: string;
                /** @description Only where "content" of the popup is exactly this */
                content?: string;
                /** @description Only where "buttonText" of the popup is exactly this */
                buttonText?: string;
                /** @description Only where "buttonAction" of the popup is exactly this */
                buttonAction?: "follow-link" | "none";
                /** @description Only where "buttonLink" of the popup is exactly this */
                buttonLink?: string;
                /** @description Only where "openLinkInNewTab" of the popup is exactly this */
                openLinkInNewTab?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Popup"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPopup: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PopupCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Popup"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPopup: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the popup */
                popup_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Popup"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePopup: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the popup */
                popup_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updatePopup: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the popup */
                popup_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PopupUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Popup"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDataSources: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the data source is exactly this */
                id?: string;
                /** @description Only where "name" of the data source is exactly this */
                name?: string;
                /** @description Only where "url" of the data source is exactly this */
                url?: string;
                /** @description Only where "method" of the data source is exactly this */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Only where "body" of the data source is exactly this */
                body?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSource"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createDataSource: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DataSourceCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSource"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDataSource: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the data source */
                data_source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSource"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDataSource: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the data source */
                data_source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateDataSource: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the data source */
                data_source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DataSourceUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSource"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVariables: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the variable is exactly this */
                id?: string;
                /** @description Only where "name" of the variable is exactly this */
                name?: string;
                /** @description Only where "type" of the variable is exactly this */
                type?: "primitive" | "expression" | "interpolate-color" | "iterator" | "primitive-from-iterator" | "coords-from-data-source" | "coords-from-iterator" | "random" | "custom";
                /** @description Only where "data_source_id" of the variable is exactly this */
                data_source_id?: string;
                /** @description Only where "iterator_id" of the variable is exactly this */
                iterator_id?: string;
                /** @description Only where "custom_value" of the variable is exactly this */
                custom_value?: string;
                /** @description Only where "expression" of the variable is exactly this */
                expression?: string;
                /** @description Only where "color_interpolation_range_start" of the variable is exactly this */
                color_interpolation_range_start?: number;
                /** @description Only where "color_interpolation_range_end" of the variable is exactly this */
                color_interpolation_range_end?: number;
                /** @description Only where "color_interpolation_factor_variable_id" of the variable is exactly this */
                color_interpolation_factor_variable_id?: string;
                /** @description Only where "color_interpolation_smooth" of the variable is exactly this */
                color_interpolation_smooth?: boolean;
                /** @description Only where "random_from" of the variable is exactly this */
                random_from?: number;
                /** @description Only where "random_to" of the variable is exactly this */
                random_to?: number;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createVariable: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VariableCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVariable: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the variable */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVariable: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the variable */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateVariable: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the variable */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VariableUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listActions: {
        parameters: {
            query?: {
                /** @description Members on a page; without it the list is whole */
                limit?: number;
                /** @description Where the page before ended, from its Link header */
                cursor?: string;
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
                /** @description Up to 8 members to sort by, separated by commas; "-" before one sorts it in descending order */
                sort?: string;
                /** @description Only where "id" of the action is exactly this */
                id?: string;
                /** @description Only where "type" of the action is exactly this */
                type?: "modify-object" | "create-spot" | "create-poly" | "create-spots" | "create-polys";
                /** @description Only where "name" of the action is exactly this */
                name?: string;
                /** @description Only where "condition_operator" of the action is exactly this */
                condition_operator?: "and" | "or";
                /** @description Only where "object_id" of the action is exactly this */
                object_id?: string;
                /** @description Only where "create_object_target_artboard_id" of the action is exactly this */
                create_object_target_artboard_id?: string;
                /** @description Only where "create_object_name" of the action is exactly this */
                create_object_name?: string;
                /** @description Only where "create_spot_x_source_type" of the action is exactly this */
                create_spot_x_source_type?: "variable" | "custom";
                /** @description Only where "create_spot_x_custom_value" of the action is exactly this */
                create_spot_x_custom_value?: string;
                /** @description Only where "create_spot_x_variable_id" of the action is exactly this */
                create_spot_x_variable_id?: string;
                /** @description Only where "create_spot_y_source_type" of the action is exactly this */
                create_spot_y_source_type?: "variable" | "custom";
                /** @description Only where "create_spot_y_custom_value" of the action is exactly this */
                create_spot_y_custom_value?: string;
                /** @description Only where "create_spot_y_variable_id" of the action is exactly this */
                create_spot_y_variable_id?: string;
                /** @description Only where "create_poly_coords_variable_id" of the action is exactly this */
                create_poly_coords_variable_id?: string;
                /** @description Only where "create_popup" of the action is exactly this */
                create_popup?: boolean;
                /** @description Only where "popup_max_width" of the action is exactly this */
                popup_max_width?: number;
                /** @description Only where "popup_title" of the action is exactly this */
                popup_title?: string;
                /** @description Only where "popup_image" of the action is exactly this */
                popup_image?: string;
                /** @description Only where "popup_content" of the action is exactly this */
                popup_content?: string;
                /** @description Only where "popup_button_text" of the action is exactly this */
                popup_button_text?: string;
                /** @description Only where "popup_button_action" of the action is exactly this */
                popup_button_action?: string;
                /** @description Only where "popup_button_link" of the action is exactly this */
                popup_button_link?: string;
                /** @description Only where "popup_open_link_in_new_tab" of the action is exactly this */
                popup_open_link_in_new_tab?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAction: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActionCreate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAction: {
        parameters: {
            query?: {
                /** @description Members to return, separated by commas; `id` always comes along, and nothing else that the schema requires */
                fields?: string;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the action */
                action_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAction: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the action */
                action_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, and durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAction: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
                /** @description Identifier of the action */
                action_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActionUpdate"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    batch: {
        parameters: {
            query?: {
                /** @description Refuse what would leave a reference dangling that was not before */
                strict?: boolean;
            };
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProblems: {
        parameters: {
            query?: {
                /** @description How many at most; 1000 without it */
                limit?: number;
            };
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DanglingReference"][];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    duplicateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Duplication"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if this is still the version: an ETag, or `*` for any. 412 otherwise */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Only if this is no longer the version: an ETag. 304 otherwise, for a write 412 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDocument"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Whatever is sent with the same one within 24 hours is done once, and answered alike: best a UUID */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectDocumentImport"];
            };
        };
        responses: {
            /** @description As it is now, and durable. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description The id of the last event that is known, or an ETag without its quotation marks */
                after?: string;
            };
            header?: {
                /** @description Go on after the event that had this id */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, which continues until one side ends it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followProjectEvents: {
        parameters: {
            query?: {
                /** @description The id of the last event that is known, or an ETag without its quotation marks */
                after?: string;
            };
            header?: {
                /** @description Go on after the event that had this id */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /** @description Identifier of the project */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, which continues until one side ends it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description A refusal. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
