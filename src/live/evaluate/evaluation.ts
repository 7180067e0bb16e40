/** What an evaluation takes and gives. `docs/live-data.md` has the semantics of every member. */

/**
 * A project as its JSON export nests it. Its members are open JSON of any shape: what does not fit is left out and named in a problem. A
 * missing member has the contract's default.
 */
export interface LiveProject {
  /** For the paths in problems. */
  readonly id?: unknown;
  readonly artboards?: unknown;
  readonly popups?: unknown;
  readonly data_sources?: unknown;
  readonly variables?: unknown;
  readonly actions?: unknown;
  /**
   * Keys and properties of objects that the rules of a published map match by, and that the map does not contain:
   * `{ <object_id>: { key, properties: { <name>: value } } }`.
   */
  readonly match_values?: unknown;
}

export type ProblemKind = 'variable' | 'action' | 'data_source' | 'object' | 'popup' | 'artboard' | 'project';

/** Something that the evaluation left out, and why. */
export interface LiveProblem {
  readonly resource: {
    readonly kind: ProblemKind;
    readonly id: string;
    /** Path of the resource in the API; without the project's path if the project has no `id`. */
    readonly path: string;
  };
  /** RFC 6901 pointer into the project document: `/variables/3/expression`. */
  readonly pointer: string;
  /** One sentence that quotes the name, operator or value that is wrong. */
  readonly detail: string;
  /** The place in the text of an expression that cannot be read, in UTF-16 code units from its beginning. */
  readonly at?: number;
}

/** Members of an object or a popup. */
export type Members = Readonly<Record<string, unknown>>;

export interface CreatedObject {
  readonly action_id: string;
  readonly artboard_id: string;
  readonly object: Members;
  readonly popup: Members | null;
}

/** A popup that an action has given to an object without one. */
export interface CreatedPopup {
  readonly action_id: string;
  readonly object_id: string;
  readonly popup: Members;
}

/** Items and objects that found no partner. `of` counts all, `first` has the first {@link bounds.unmatchedShown}. */
export interface Unmatched {
  readonly action_id: string;
  /** Items whose value names no object; `value` is its text, `null` without one. */
  readonly items: {
    readonly of: number;
    readonly count: number;
    readonly first: readonly { readonly item: number; readonly value: string | null }[];
  };
  /** Objects in reach that no item names, by identifier. */
  readonly objects: { readonly of: number; readonly count: number; readonly first: readonly string[] };
}

/** The result of an evaluation: plain JSON. */
export interface Evaluation {
  /** By identifier of the variable; with an iterator one value per item, `null` for an item without a value. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By identifier of the object: the members that differ from the project. */
  readonly objects: Readonly<Record<string, Members>>;
  /** By identifier of the popup: the members that differ from the project. */
  readonly popups: Readonly<Record<string, Members>>;
  readonly created: readonly CreatedObject[];
  readonly created_popups: readonly CreatedPopup[];
  /** For each action that follows a list. */
  readonly unmatched: readonly Unmatched[];
  readonly problems: readonly LiveProblem[];
}

/** What an evaluation depends on besides project and responses. */
export interface Given {
  /** Chooses the values of random variables. */
  readonly seed: number | string;
  /** The time of the evaluation, RFC 3339. */
  readonly now: string;
}

/** The bounds of an evaluation. A problem names the bound that it reached. */
export const bounds = {
  /** Data sources of a project that are asked; a problem names each variable that reads another one. */
  askedSources: 1000,
  createdObjects: 10_000,
  createdPopups: 10_000,
  unmatchedShown: 100,
  /** Characters of a text in place of a name. */
  labelText: 200,
  /** Nodes of one expression. */
  expressionSteps: 100_000,
  /** Nodes of expressions, items, vertices, and each eight characters of texts, in all. */
  evaluationSteps: 5_000_000,
  /** Characters of one text: an expression, a template, or the result of either. */
  textLength: 1024 * 1024,
  /** Brackets inside one another in an expression. */
  bracketDepth: 64,
  problems: 1000,
} as const;
