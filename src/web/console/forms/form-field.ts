/** A member of a resource in a form. `generated/forms.ts` has all of them. */

/** What edits the values of a member. */
type FieldKind =
  | 'text'
  | 'long-text'
  | 'url'
  | 'link'
  | 'number'
  | 'flag'
  | 'choice'
  | 'colour'
  | 'reference'
  | 'references'
  | 'colours'
  | 'texts'
  | 'corners'
  | 'rows'
  | 'path'
  | 'expression'
  | 'template'
  | 'conditions'
  | 'style'
  | 'json';

export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  /** From the schema. */
  readonly description: string;
  /** The default of a new resource. */
  readonly fallback: unknown;
  /** Part of the form; without it the first. */
  readonly section?: string;
  readonly choices?: readonly string[];
  /** Collection of the target of a reference. */
  readonly target?: 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  /** The member is in the form only while all conditions of one of these lists hold: another member has one of the values. */
  readonly when?: readonly (readonly { readonly member: string; readonly values: readonly (string | boolean)[] }[])[];
  /** `{Name}` in the text is replaced by the value of a variable. */
  readonly isTemplate?: true;
  /** Absent from a response while it has its default. */
  readonly isOptional?: true;
  /** The console keeps the member, and no form has it. */
  readonly hasNoControl?: true;
}
