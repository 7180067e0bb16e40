/** A member of a resource in a form. `generated/forms.ts` has all of them. */

/** What edits the values of a member. */
export type FieldKind =
  | 'text'
  | 'long-text'
  | 'url'
  | 'picture'
  | 'link'
  | 'number'
  | 'flag'
  | 'choice'
  | 'colour'
  | 'reference'
  | 'references'
  | 'colours'
  | 'corners'
  | 'rows'
  | 'path'
  | 'expression'
  | 'template'
  | 'conditions'
  | 'style'
  | 'category'
  | 'map-icon'
  | 'properties'
  | 'tiles'
  | 'json';

/** A part of a form with a heading. */
export interface FormSection {
  readonly name: string;
  readonly title: string;
  /** Closed at first. */
  readonly isClosed?: true;
}

export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: string;
  /** Explains it below its control. */
  readonly hint?: string;
  /** The default of a new resource. */
  readonly fallback: unknown;
  /** Name of its section; without one it is at the beginning of the form. */
  readonly section?: string;
  /** It is at the beginning of the form instead, while each member in this has one of the values. */
  readonly leads?: Readonly<Record<string, readonly (string | boolean)[]>>;
  /** Its place at the beginning of the form; without one it is before those with one. */
  readonly order?: number;
  /** The text of each value, in their order. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Collection of the target of a reference. */
  readonly target?: 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  /** Bounds of the numbers that the map can draw; the form warns about others, and saves them. */
  readonly drawn?: { readonly minimum?: number; readonly maximum?: number };
  /** The member is in the form only while one of these conditions holds: each member in it has one of the values. */
  readonly when?: readonly Readonly<Record<string, readonly (string | boolean)[]>>[];
  /** `{Name}` in the text is replaced by the value of a variable. */
  readonly isTemplate?: true;
  /** Absent from a response while it has its default. */
  readonly isOptional?: true;
  /** The console keeps the member, and no form has it. */
  readonly hasNoControl?: true;
}
