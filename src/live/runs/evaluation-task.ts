/** Tasks of the thread that evaluates, and their results. All of it is bytes and texts, which move between threads without a copy of trees. */
import type { SourcesState } from '../sources/source-freshness.ts';

interface Common {
  /** Newest responses: JSON by identifier of the data source. */
  readonly responses: Readonly<Record<string, string>>;
  readonly seed: number | string;
  /** RFC 3339 */
  readonly now: string;
}

/** Evaluates a project for its editors: the result is the JSON of an Evaluation. */
export interface ProjectTask extends Common {
  readonly kind: 'project';
  /** JSON of the project. */
  readonly project: string | Uint8Array;
}

/** Evaluates a published map: the result is public. */
export interface PublicationTask extends Common {
  readonly kind: 'publication';
  /** gzip of JSON: `{ id, artboards, popups, … }` */
  readonly map: Uint8Array;
  /** gzip of JSON: `{ data_sources, variables, actions, match_values? }` */
  readonly rules: Uint8Array;
  /** Key of the HMAC that hides the identifiers of items. */
  readonly secret: string;
  /** Version of the publication. */
  readonly version: number;
  /** How fresh the responses are. */
  readonly state: SourcesState;
}

export type EvaluationTask = ProjectTask | PublicationTask;

/** The evaluation of a published map. */
export interface PublicEvaluation {
  /**
   * gzip of JSON: `{ version, at, sources, since, objects, popups, created: [{ artboard_id, object, popup }] }`, and if there are any `created_popups:
   * [{ object_id, popup }]` and `icons`, as the map has them
   */
  readonly gzip: Uint8Array;
  /** Size of the JSON in bytes. */
  readonly jsonBytes: number;
  /** The members `sources` and `since` of the JSON. */
  readonly state: SourcesState;
  /** True if the rules find nothing at all in the response of a data source: see {@link hasUnusableResponse}. */
  readonly isUnusable: boolean;
  /** A SHA-256 in hexadecimal that changes with the JSON, but not with `at`. */
  readonly digest: string;
}
