/**
 * The form of a resource in the console, declared with its members: `'x-form'` of a member is all of it that does not follow from the rest of
 * its schema. The description of the API and `mapwright/schemas` leave it out.
 */

/** The sections of forms, in their order, after the members without one. */
export const formSections = {
  background: { title: 'Background and size' },
  look: { title: 'Look' },
  hover: { title: 'Under the pointer', isClosed: true },
  click: { title: 'Click' },
  button: { title: 'Button' },
  when: { title: 'When' },
  match: { title: 'A list of data' },
  creates: { title: 'What it creates' },
  style: { title: 'Look of the objects', isClosed: true },
  popup: { title: 'Popup', isClosed: true },
  data: { title: 'Data' },
  place: { title: 'Shape and position' },
  advanced: { title: 'Advanced', isClosed: true },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly isClosed?: true }>>;

/** The editors that do not follow from the type of a member. */
type FormEditor =
  | ('text' | 'long-text' | 'url' | 'colour' | 'colours' | 'category' | 'map-icon' | 'properties' | 'tiles')
  | ('rows' | 'path' | 'expression' | 'template' | 'conditions' | 'style');

type MemberValue = string | boolean;

/** Members of the same resource, each with the value, or the values, of which it must have one. */
export type FormCondition = Readonly<Record<string, MemberValue | readonly MemberValue[]>>;

/** A member in a form. */
export interface MemberForm {
  /** Default: the name as words, such as "Osm zoom" for `osm_zoom`. For the editor `style` it is the label of the member of objects. */
  readonly label?: string;
  /** Shows the description of the member below its control. */
  readonly hint?: true;
  /** Default: the beginning of the form. */
  readonly section?: keyof typeof formSections;
  /** The member is at the beginning of the form while this condition holds, and else in its section. */
  readonly leads?: FormCondition;
  /** Its place at the beginning of the form. Default: that of the schema, before those with a place. */
  readonly order?: number;
  /** The member is in the form only while this condition, or one of these, holds. */
  readonly when?: FormCondition | readonly FormCondition[];
  /** Default: by the type of the member. */
  readonly editor?: FormEditor;
  /** Texts of the values. Default: the words of the enum. A member without an enum becomes a choice of these values. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Range of a number in its control. Default: the minimum of the schema. */
  readonly range?: { readonly minimum: number; readonly maximum: number; readonly step: number };
  /** Bounds of the numbers that the map can draw, if the schema allows others: the form warns about those, and saves them. */
  readonly drawn?: { readonly minimum?: number; readonly maximum?: number };
  /** `{Name}` in the text is replaced by the value of a variable. */
  readonly isTemplate?: true;
  /** The console keeps the member, and no form has it. */
  readonly hasNoControl?: true;
}
